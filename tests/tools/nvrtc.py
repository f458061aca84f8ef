"""Whether there is NVRTC, CUDA's compiler: what needs it is skipped where it is missing, and says so.

    if is_missing(options.glint, "a script on a driver"):
        return 0
"""
import re
import subprocess


def is_missing(glint, what):
    doctor = subprocess.run([glint, "doctor"], capture_output=True, text=True, timeout=60).stdout
    if re.search(r"(?m)^cuda +NVRTC", doctor):
        return False
    print(f"SKIPPED, without NVRTC: {what}")
    return True
