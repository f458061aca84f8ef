#!/usr/bin/env python3
"""Runs a script on the processor and on the simulated GPU, and compares what it prints.

    device_test.py --glint build/release/glint tests/device/tensors.py

The script chooses its device itself: `"cuda" if torch.cuda.is_available() else "cpu"`. What a
tensor's text says of its device is left out of the comparison; all else is the same. A script that
needs a GPU has its output beside it, NAME.out, and runs on the simulated one only;
GLINT_RECORD=1 writes that file.

    device_test.py --everywhere --glint build/release/glint examples/softmax.py

A script that names no device is run with the GPU as the default one.

    device_test.py --driver build/release/driver --glint build/release/glint tests/device/tensors.py

The same on a stand-in for CUDA's driver (tests/driver), which that folder has. With --libraries the
stand-ins for NVIDIA's libraries compute there too, and have to be called; else they are not used.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

SUFFIX = re.compile(r",\s*device='cuda:0'")


def environment_of(options, on_device):
    environment = dict(os.environ, GLINT_CACHE=os.path.join(os.path.dirname(options.glint), "cache"))
    environment.pop("GLINT_GPU", None)
    if on_device and options.driver:
        environment["LD_LIBRARY_PATH"] = options.driver
        for name in ("GLINT_CUBLASLT", "GLINT_CUDNN"):
            environment[name] = options.driver if options.libraries else "none"
    elif on_device:
        environment["GLINT_GPU"] = "sim"
    return environment


def run(options, script, on_device):
    environment = environment_of(options, on_device)
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, "calls")
        environment["FAKE_LIBRARIES_LOG"] = log
        done = subprocess.run([options.glint, script], env=environment, capture_output=True,
                              text=True)
        fault = ""
        if on_device and options.libraries and not os.path.exists(log):
            fault = "no library was called\n"
    return done.returncode or len(fault), SUFFIX.sub("", done.stdout), done.stderr + fault


def run_everywhere(options):
    with open(options.script, encoding="utf-8") as file:
        text = file.read()
    with tempfile.TemporaryDirectory() as folder:
        script = os.path.join(folder, os.path.basename(options.script))
        with open(script, "w", encoding="utf-8") as file:
            file.write("import torch; torch.set_default_device('cuda')\n" + text)
        return run(options, script, True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--glint", required=True)
    parser.add_argument("--everywhere", action="store_true")
    parser.add_argument("--driver", help="the folder of a driver to run on")
    parser.add_argument("--libraries", action="store_true", help="and NVIDIA's libraries there")
    parser.add_argument("script")
    options = parser.parse_args()
    doctor = subprocess.run([options.glint, "doctor"], capture_output=True, text=True).stdout
    if "NVRTC" not in doctor or "no PTX" in doctor:
        print("SKIPPED, without NVRTC: a script on the simulated GPU")
        return 0
    far = run_everywhere(options) if options.everywhere else run(options, options.script, True)
    recorded = options.script.removesuffix(".py") + ".out"
    if os.path.exists(recorded) and not options.everywhere:
        if os.environ.get("GLINT_RECORD") and bool(options.driver) == options.libraries:
            with open(recorded, "w", encoding="utf-8") as file:
                file.write(far[1])
        with open(recorded, encoding="utf-8") as file:
            near = (0, file.read(), "")
    else:
        near = run(options, options.script, False)
    if near[:2] == far[:2] and far[0] == 0:
        return 0
    print(f"on the processor (exit code {near[0]}):\n{near[1]}{near[2]}")
    print(f"on the GPU (exit code {far[0]}):\n{far[1]}{far[2]}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
