#!/usr/bin/env python3
"""Runs a script on the processor and on the simulated GPU, and compares what it prints.

    device_test.py --glint build/release/glint tests/device/tensors.py

The script chooses its device itself: `"cuda" if torch.cuda.is_available() else "cpu"`. What a
tensor's text says of its device is left out of the comparison; all else is the same. A script that
needs a GPU has its output beside it, NAME.out, and runs on the simulated one only;
GLINT_RECORD=1 writes that file. Where there is NAME.again.out too, the script begins with an empty
cache folder, and runs a second time with what the first run has left in it.

    device_test.py --everywhere --glint build/release/glint examples/softmax.py

A script that names no device is run with the GPU as the default one. What it draws is drawn on the
processor and moved: a seed gives other numbers on a GPU.

    device_test.py --driver build/release/driver --glint build/release/glint tests/device/tensors.py

The same on a stand-in for CUDA's driver (tests/driver), which that folder has. With --libraries the
stand-ins for NVIDIA's libraries compute there too, and have to be called; else they are not used.

With --gpu it is the GPU of this machine; where the output is recorded NVIDIA's libraries are not
used there either. What tells of the simulated device itself passes by.

With --prompt the script's lines are typed at a prompt, where faults and Ctrl-C end an entry.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

from nvrtc import is_missing

EVERYWHERE = """import torch; torch.set_default_device("cuda")
def near(draw):
    return lambda *sizes, **named: draw(*sizes, **{**named, "device": "cpu"}).to("cuda")
def near_(draw):
    def filled(tensor, *rest, **named):
        with torch.no_grad():
            return tensor.copy_(draw(torch.empty_like(tensor, device="cpu"), *rest, **named))
    return filled
for name in ("rand", "randn", "randint", "randperm"):
    setattr(torch, name, near(getattr(torch, name)))
for name in ("uniform_", "normal_", "kaiming_uniform_", "xavier_uniform_"):
    setattr(torch.nn.init, name, near_(getattr(torch.nn.init, name)))
"""
# Its name, its memory, and how many threads it holds.
OF_SIMULATED = {"torch_cuda", "traffic", "memory", "draws"}
SUFFIX = re.compile(r",\s*device='cuda:0'")
# Where a launch is not waited for, what its checks find is told later, with these words.
LATER = re.compile(r"\nfound by the kernel `\w+`, which was launched before this call;.*")


def recorded_path(options):
    return options.script.removesuffix(".py") + ".out"


def environment_of(options, on_device):
    environment = dict(os.environ)
    if options.cache:
        environment["GLINT_CACHE"] = options.cache
    environment.pop("GLINT_GPU", None)
    if on_device and options.driver:
        environment["LD_LIBRARY_PATH"] = options.driver
        # PTX, which is all that the stand-in takes: machine code would be half of each compilation.
        environment["GLINT_CUDA_ARCH"] = "compute_80"
        for name in ("GLINT_CUBLASLT", "GLINT_CUDNN"):
            environment[name] = options.driver if options.libraries else "none"
    elif on_device and not options.gpu:
        environment["GLINT_GPU"] = "sim"
    elif on_device and os.path.exists(recorded_path(options)):
        for name in ("GLINT_CUBLASLT", "GLINT_CUDNN"):
            environment[name] = "none"
    return environment


def run(options, script, on_device):
    environment = environment_of(options, on_device)
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, "calls")
        environment["FAKE_LIBRARIES_LOG"] = log
        command, entries = [options.glint, script], None
        if options.prompt:
            command = [options.glint, "-iq"]
            with open(script, encoding="utf-8") as file:
                entries = file.read()
        done = subprocess.run(command, env=environment, capture_output=True, text=True,
                              input=entries)
        fault = ""
        if on_device and options.libraries and not os.path.exists(log):
            fault = "no library was called\n"
        if "glint: FB002" in done.stderr:
            fault += "a kernel could not be compiled\n"
    return done.returncode or len(fault), LATER.sub("", SUFFIX.sub("", done.stdout)), done.stderr + fault


def run_everywhere(options):
    with open(options.script, encoding="utf-8") as file:
        text = file.read()
    with tempfile.TemporaryDirectory() as folder:
        script = os.path.join(folder, os.path.basename(options.script))
        with open(script, "w", encoding="utf-8") as file:
            file.write(EVERYWHERE + text)
        return run(options, script, True)


def recorded_text(options, path, found):
    """What was recorded; with GLINT_RECORD=1 that is what was found."""
    if os.environ.get("GLINT_RECORD") and not options.gpu and bool(options.driver) == options.libraries:
        with open(path, "w", encoding="utf-8") as file:
            file.write(found)
    with open(path, encoding="utf-8") as file:
        return file.read()


def run_twice(options, recorded, again):
    """The first of the two runs that is not as it was recorded, else the second, and that text."""
    with tempfile.TemporaryDirectory() as options.cache:
        for path in (recorded, again):
            far = run(options, options.script, True)
            near = (0, recorded_text(options, path, far[1]), "")
            if near[:2] != far[:2]:
                break
    return near, far


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--glint", required=True)
    parser.add_argument("--everywhere", action="store_true")
    parser.add_argument("--driver", help="the folder of a driver to run on")
    parser.add_argument("--libraries", action="store_true", help="and NVIDIA's libraries there")
    parser.add_argument("--gpu", action="store_true", help="on the GPU of this machine")
    parser.add_argument("--prompt", action="store_true", help="typed at a prompt")
    parser.add_argument("script")
    options = parser.parse_args()
    options.cache = None
    if is_missing(options.glint, "a script on the simulated GPU"):
        return 0
    if options.gpu and os.path.basename(options.script).removesuffix(".py") in OF_SIMULATED:
        return 0
    recorded, again = recorded_path(options), options.script.removesuffix(".py") + ".again.out"
    if os.path.exists(again) and not options.everywhere:
        near, far = run_twice(options, recorded, again)
    else:
        far = run_everywhere(options) if options.everywhere else run(options, options.script, True)
        if os.path.exists(recorded) and not options.everywhere:
            near = (0, recorded_text(options, recorded, far[1]), "")
        else:
            near = run(options, options.script, False)
    if near[:2] == far[:2] and far[0] == 0:
        return 0
    print(f"on the processor (exit code {near[0]}):\n{near[1]}{near[2]}")
    print(f"on the GPU (exit code {far[0]}):\n{far[1]}{far[2]}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
