"""Whether there is NVRTC, CUDA's compiler: what needs it is skipped where it is missing, and says so.

    if is_missing(options.glint, "a script on a driver"):
        return 0
"""
import os
import re
import subprocess


def is_missing(glint, what):
    def output_of(*arguments):
        environment = dict(os.environ, GLINT_GPU="sim")
        return subprocess.run([glint, *arguments], env=environment, capture_output=True, text=True,
                              timeout=60).stdout

    if output_of("-c", "import torch; print(torch.cuda.is_available())") != "False\n":
        return False
    # `glint doctor` looks at every library, so it is asked only where the other says that one is missing.
    if re.search(r"(?m)^cuda +NVRTC", output_of("doctor")):
        return False
    print(f"SKIPPED, without NVRTC: {what}")
    return True
