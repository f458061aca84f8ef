"""`glint kernel`: what is said of it without a front end."""

import json

# A front end's file, of which one port is none.
CONNECTION = json.dumps(
    {
        "ip": "127.0.0.1",
        "transport": "tcp",
        "key": "",
        "signature_scheme": "hmac-sha256",
        "shell_port": 99999,
        "control_port": 0,
        "iopub_port": 0,
        "stdin_port": 0,
        "hb_port": 0,
    }
)

CASES = [
    (["kernel"], "", {}, 2, r"\Aglint: `glint kernel` is followed by `install`, `run` or `execute`\n"),
    (["kernel", "start"], "", {}, 2, r"is followed by `install`, `run` or `execute`"),
    (["kernel", "run"], "", {}, 2, r"usage: glint kernel run -f FILE"),
    (["kernel", "run", "-f", "/nowhere"], "", {}, 2, r"can't open file '/nowhere'"),
    (["kernel", "run", "-f", "CONNECTION"], "", {}, 2, r"`shell_port` is 99999, which is no port\n"),
    (["kernel", "run", "-f", "/"], "", {}, 2, r"can't open file '/': \[Errno 21\] Is a directory\n"),
    (["kernel", "execute", "/"], "", {}, 2, r"can't open file '/': \[Errno 21\] Is a directory\n"),
    (["kernel", "execute", "/nowhere"], "", {}, 2, r"can't open file '/nowhere'"),
    (["kernel", "execute"], "", {}, 2, r"usage: glint kernel execute \[OPTIONS\] FILE"),
    (["kernel", "install", "--prefix"], "", {}, 2, r"`--prefix` needs FOLDER"),
    (["help", "kernel"], "", {}, 0, r"(?s)\Ausage: glint kernel install .*usage: glint kernel run"),
    (["doc", "kernel install"], "", {}, 0, r"\Ausage: glint kernel install"),
    (["doctor"], "", {}, 0, r"\njupyter     \S"),
]
