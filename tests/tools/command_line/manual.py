"""`glint help` and `glint doc`: what is told of words, options, commands and functions."""

CASES = [
    (["help", "show"], "", {}, 0, r"\Ausage: glint show "),
    (["help", "shoe"], "", {}, 2, r"\Aglint: no word is called `shoe`; there are run, show, "),
    (
        ["--help"],
        "",
        {},
        0,
        r"(?s)glint show .*--compile .*kernels .*GLINT_FAIL .*Exit codes:\n  0 ",
    ),
    (["doc", "fuse"], "", {}, 0, r"fuse, a pass"),
    (["doc", "bench"], "", {}, 0, r"^usage: glint bench "),
    (["doc", ":bench"], "", {}, 0, r"^:bench CALL \[over NAME in NUMBERS\]\n"),
    (["doc", "glint", "show"], "", {}, 0, r"^usage: glint show "),
    (["doc", "glint show"], "", {}, 0, r"^usage: glint show "),
    (["doc", "show"], "", {}, 0, r"^usage: glint show "),
    (["doc", "torch.compile"], "", {}, 0, r"^compile\(model=None, \*, fullgraph=False"),
    (["doc", "nn.Linear"], "", {}, 0, r"^class Linear\(Module\)\nLinear\.__init__\(self, in_fe"),
    (["doc", "Linear"], "", {}, 0, r"^class Linear\(Module\)\n"),
    (["-c", "help(len); help('torch.relu')"], "", {}, 0, r"^len\(obj, /\)\n[\s\S]*\nrelu\("),
    (["doc", ":ast"], "", {}, 0, r"^:ast \[F\]\n"),
    (
        ["doc"],
        "",
        {},
        0,
        r"(?s)\Aoperators\n  unary +neg abs .*\npasses .*\ncommands +:graph .*\nvariables ",
    ),
    (["doc", "gelo"], "", {}, 1, r"nothing in the manual is called `gelo`; did you mean `gelu`"),
    (["doc", "GLINT_BACKEND"], "", {}, 0, r"one of: cpu interp cuda aot_eager eager\n"),
]
