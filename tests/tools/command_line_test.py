"""Runs the program's words and options as a user types them, and looks at what they answer.

Each case names the arguments, the input, changes to the environment, the exit code, and a regular
expression that standard output and standard error together must match; `None` stands for nothing at
all.

    command_line_test.py --glint build/release/glint
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

SCRIPT = """import torch
@torch.compile
def twice(x):
    return x * 2
def unused():
    pass
twice(torch.ones(3))
"""

ALIASES = """import torch
class Shift:
    def by_one(self, x): return x + 1

def plain(x): return x - 1

shift, other = Shift(), torch.compile(plain)
shifted = torch.compile(shift.by_one)(torch.ones(2)); shifted = other(torch.ones(2))
:graph shift.by_one
:graph other
:graph by_one
:graph neither
"""

CASES = [
    (["ir", "--list-passes"], "", {}, 0, r"(?s)decompose .*fuse .*plan_buffers "),
    (["ir"], "", {}, 2, r"usage: glint ir"),
    (["doc", "fuse"], "", {}, 0, r"fuse, a pass"),
    (["doc", ":ast"], "", {}, 0, r"^:ast\n"),
    (["--backend", "interp", "SCRIPT"], "", {}, 0, None),
    (["--backend", "nothing", "SCRIPT"], "", {}, 2, r"no backend is called `nothing`"),
    (["SCRIPT"], "", {"GLINT_BACKEND": "nothing"}, 2, r"no backend is called `nothing`"),
    (["show", "SCRIPT"], "", {"GLINT_BACKEND": "nothing"}, 2, r"no backend is called `nothing`"),
    (["show", "SCRIPT", "twice"], "", {}, 0, r"(?s)== tokens .*== asm twice"),
    (["show", "SCRIPT", "unused"], "", {}, 0, r"(?s)== tokens .*== program unused"),
    (["show", "SCRIPT", "thrice"], "", {}, 1, r"\Aglint: nothing to show for `thrice`"),
    (
        ["-q"],
        ALIASES,
        {},
        0,
        r"(?s)\Agraph by_one.*graph plain.*graph by_one.*no graph of `neither`",
    ),
    ([], "1 + 1\nexit(3)\n2 + 2\n", {}, 3, r"\A2\n\Z"),
    (["-i", "-c", "a = 5"], "a\nquit()\n", {}, 0, r"\A5\n\Z"),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--glint", required=True)
    options = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        script = os.path.join(folder, "script.py")
        with open(script, "w") as file:
            file.write(SCRIPT)
        for arguments, text, changes, code, pattern in CASES:
            command = [script if each == "SCRIPT" else each for each in arguments]
            run = subprocess.run(
                [options.glint, *command],
                input=text,
                text=True,
                timeout=60,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                env={**os.environ, **changes},
            )
            fine = re.search(pattern, run.stdout) if pattern else not run.stdout
            if not fine or run.returncode != code:
                failed += 1
                print(
                    f"glint {' '.join(arguments)}: exit code {run.returncode}, not {code}, or no "
                    f"{pattern!r} in\n{run.stdout[:600]}"
                )
    print(f"{len(CASES) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
