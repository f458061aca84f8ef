"""`glint kernel`: what is said of it without a front end."""

CASES = [
    (["kernel"], "", {}, 2, r"\Aglint: `glint kernel` is followed by `install`, `run` or `execute`\n"),
    (["kernel", "start"], "", {}, 2, r"is followed by `install`, `run` or `execute`"),
    (["kernel", "run"], "", {}, 2, r"usage: glint kernel run -f FILE"),
    (["kernel", "run", "-f", "/nowhere"], "", {}, 2, r"can't open file '/nowhere'"),
    (["kernel", "execute", "/nowhere"], "", {}, 2, r"can't open file '/nowhere'"),
    (["kernel", "execute"], "", {}, 2, r"usage: glint kernel execute \[OPTIONS\] FILE"),
    (["kernel", "install", "--prefix"], "", {}, 2, r"`--prefix` needs FOLDER"),
    (["help", "kernel"], "", {}, 0, r"(?s)\Ausage: glint kernel install .*usage: glint kernel run"),
    (["doc", "kernel install"], "", {}, 0, r"\Ausage: glint kernel install"),
    (["doctor"], "", {}, 0, r"\njupyter     \S"),
]
