#!/usr/bin/env python3
"""Runs a script on the stand-in for CUDA's driver (tests/driver) and compares what it prints.

    driver_test.py --glint build/release/glint --driver build/release/driver tests/driver/scripts/fault.py

`FAKE_DRIVER_...=...` and `CUDA_LAUNCH_BLOCKING=1` in the script's first lines of comment are set for
it. Its output lies beside it, NAME.out, with its exit code and errors where it does not end well;
GLINT_RECORD=1 writes that file.

Without --driver it runs on the machine's own; scripts of what the stand-in alone does pass by: those
with FAKE_DRIVER_ settings, and those named below.
"""
import argparse
import os
import re
import subprocess
import sys

from nvrtc import is_missing

# What is not done yet when it is asked for, faults that no GPU sees, a machine without a driver, and
# where an assertion's words go.
OF_STAND_IN = {"bernoulli", "checks", "copies", "streams", "end", "no_driver", "printing"}
SETTING = re.compile(r"\b([A-Z_]+)=(\S+)")


def settings_of(script):
    found = {}
    with open(script, encoding="utf-8") as file:
        for line in file:
            if not line.startswith("#"):
                break
            found.update({name: value.rstrip(",.") for name, value in SETTING.findall(line)})
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--glint", required=True)
    parser.add_argument("--driver")
    parser.add_argument("script")
    options = parser.parse_args()
    environment = {name: value for name, value in os.environ.items() if name != "GLINT_GPU"}
    if options.driver:
        environment["LD_LIBRARY_PATH"] = options.driver
    if is_missing(options.glint, "a script on a driver"):
        return 0
    settings = settings_of(options.script)
    name = os.path.basename(options.script).removesuffix(".py")
    is_of_stand_in = name in OF_STAND_IN or any(each.startswith("FAKE_") for each in settings)
    if is_of_stand_in and not options.driver:
        return 0
    environment.update(settings)
    done = subprocess.run([options.glint, options.script], env=environment, capture_output=True,
                          text=True)
    printed = done.stdout
    if done.returncode != 0:
        # Tracebacks name the script as it lies beside its record.
        errors = done.stderr.replace(os.path.dirname(options.script) + os.sep, "")
        printed += f"exit code {done.returncode}\n{errors}"
    recorded = options.script.removesuffix(".py") + ".out"
    if os.environ.get("GLINT_RECORD") and options.driver:
        with open(recorded, "w", encoding="utf-8") as file:
            file.write(printed)
    with open(recorded, encoding="utf-8") as file:
        expected = file.read()
    if printed == expected:
        return 0
    print(f"printed:\n{printed}expected:\n{expected}{done.stderr}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
