"""Whether there is NVRTC, CUDA's compiler: what needs it is skipped where it is missing, and says so.

    if is_missing(options.glint, "a script on a driver"):
        return 0
"""
import os
import subprocess


def is_missing(glint, what):
    # `glint doctor` says more, but looks at every library for that.
    asked = [glint, "-c", "import torch; print(torch.cuda.is_available())"]
    environment = dict(os.environ, GLINT_GPU="sim")
    if subprocess.run(asked, env=environment, capture_output=True, timeout=60).stdout != b"False\n":
        return False
    print(f"SKIPPED, without NVRTC: {what}")
    return True
