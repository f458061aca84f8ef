"""Scripts: where they come from, how they end, and what is said of those that are wrong."""

import signal

CASES = [
    # Standard input that is no terminal is a script: whole, with a script's exit codes.
    ([], "1 + 1\nprint(__name__)\nexit(3)\n", {}, 3, r"\A__main__\n\Z"),
    (["-q"], "def f():\n  return 1\n\n  return 2\nprint(f())\n", {}, 0, r"\A1\n\Z"),
    (
        [],
        "import sys\nprint(sys.argv)\n1 / 0\nprint(2)",
        {},
        1,
        r"(?s)\A\[''\]\n.*\"<stdin>\", line 3",
    ),
    ([], "", {}, 0, None),
    # What the language leaves out is refused with what to write instead; other names as by CPython.
    (
        ["-c", "import getopt"],
        "",
        {},
        1,
        r"No module named 'getopt'; it is not part of the language: use `argparse`\n\Z",
    ),
    (
        ["-c", "import multiprocessing.pool"],
        "",
        {},
        1,
        r"No module named 'multiprocessing'; it is not part of the language: a script runs in one thread",
    ),
    (["-c", "import PIL.Image"], "", {}, 1, r"No module named 'PIL'; it is not part of the language: packages"),
    (["-c", "import bz2"], "", {}, 1, r"No module named 'bz2'; it is not part of the language: scripts read"),
    (["-c", "from torch.utils.tensorboard import SummaryWriter"], "", {}, 1, r"tensorboard'; use `logging`\n\Z"),
    (["-c", "import torch\ntorch.utils.benchmark"], "", {}, 1, r"'torch.utils' has no attribute 'benchmark'\n\Z"),
    (["-c", "bytearray(2)"], "", {}, 1, r"name 'bytearray' is not defined; it is not part of the language: use"),
    (["shwo", "x.py"], "", {}, 2, r"\Aglint: can't open file 'shwo': .* directory; did you mean `show`\?\n\Z"),
    (["show", "nosuch.py"], "", {}, 2, r"\Aglint: can't open file 'nosuch.py': \[Errno 2\] No such file or"),
    (["-c", "import nosuch"], "", {}, 1, r"No module named 'nosuch'\n\Z"),
    (["-c", "import torch.quantization"], "", {}, 1, r"No module named .torch.quantization.; it is not there yet"),
    (["-c", "from torch import quantization"], "", {}, 1, r"No module named .torch.quantization.; it is not"),
    (
        ["-c", "import torch\ntorch.quantization.fuse"],
        "",
        {},
        1,
        r"module .torch. has no attribute .quantization.; it is not there yet",
    ),
    (
        ["BROKEN"],
        "",
        {},
        1,
        r"line 1\n    x = = 1\n        \^\nSyntaxError: invalid syntax\n"
        r"  File \".*\", line 3\n    y = \(2\n        \^\nSyntaxError: '\(' was never closed\n"
        r"  File \".*\", line 6\n    print \"z\"\n    \^{9}\nSyntaxError: Missing parenth.*\n\Z",
    ),
    (
        ["-c", "import sys; print('__file__' in globals(), sys.path[0] == '', sys.executable[0])"],
        "",
        {},
        0,
        r"^False True /\n\Z",
    ),
    # A device that never ends.
    (["/dev/zero"], "", {}, 1, r"SyntaxError: source code cannot contain null bytes\n\Z"),
    (["-c", "raise KeyboardInterrupt"], "", {}, -signal.SIGINT, r"\nKeyboardInterrupt\n\Z"),
]
