"""Runs the program's words and options as a user types them, and looks at what they answer.

The cases stand in the folder command_line.

    command_line_test.py --glint build/release/glint
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

from command_line.cases import CASES, FILES


def file_is_absolute(glint, folder):
    """Whether `__file__` and the lines of a traceback name a script from the root."""
    path = os.path.join(folder, "inner", "named.py")
    os.mkdir(os.path.dirname(path))
    with open(path, "w") as file:
        file.write("import sys\nprint(__file__, sys.argv[0], sys.path[0])\n1 / 0\n")
    run = subprocess.run(
        [glint, "inner/named.py"], cwd=folder, capture_output=True, text=True, timeout=60
    )
    named = os.path.join(os.path.realpath(folder), "inner", "named.py")
    printed = f"{named} inner/named.py {os.path.dirname(named)}\n"
    return run.stdout == printed and f'  File "{named}", line 3' in run.stderr

def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--glint", required=True)
    options = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, source in FILES.items():
            with open(os.path.join(folder, name.lower() + ".py"), "w", encoding="utf-8") as file:
                file.write(source)
        for arguments, text, changes, code, pattern in CASES:
            command = [
                os.path.join(folder, each.lower() + ".py") if each in FILES else each
                for each in arguments
            ]
            run = subprocess.run(
                [options.glint, *command],
                input=text.replace("{folder}", folder),
                text=True,
                timeout=60,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={**os.environ, **changes},
            )
            printed = run.stdout + run.stderr
            fine = re.search(pattern, printed) if pattern else not printed
            # Complaints that end a word are no part of its result.
            fine = fine and not (
                code and arguments[:1] in (["show"], ["bench"], ["doc"]) and run.stdout
            )
            if not fine or run.returncode != code:
                failed += 1
                print(
                    f"glint {' '.join(arguments)}: exit code {run.returncode}, not {code}, or no "
                    f"{pattern!r} in\n{printed}"
                )
        if not file_is_absolute(options.glint, folder):
            failed += 1
            print("a script's `__file__` or traceback does not name it from the root")
    count = len(CASES) + 1
    print(f"{count - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
