"""`glint show`, `glint bench` and `glint report`: which functions and regions a word means, and their stages."""

CASES = [
    (["show", "SCRIPT", "twice"], "", {}, 0, r"(?s)== tokens .*== asm twice"),
    (["show", "SCRIPT", "unused"], "", {}, 0, r"(?s)== tokens .*== program unused"),
    (
        ["show", "--joint", "TRAINED", "cost"],
        "",
        {},
        0,
        r"(?s)\A== graph cost.joint\ngraph .*\nforward:\n.* %sum .*\nbackward:\n.*\n}\n\Z",
    ),
    (
        ["show", "--joint", "STEPPED", "step"],
        "",
        {},
        0,
        r"(?s)\A== graph step\ngraph .*\nforward:\n.* %sum .*\nbackward:\n.*\n}\n\Z",
    ),
    (
        ["show", "--joint", "SCRIPT", "twice"],
        "",
        {},
        1,
        r"no gradient was taken inside, and no backward cut off: no output carries one",
    ),
    (
        ["show", "SCRIPT", "thrice"],
        "",
        {},
        1,
        r"\Aglint: no function is called `thrice`; compiled functions: `twice`; "
        r"did you mean `twice`\?\n\Z",
    ),
    (
        ["show", "--stage", "graph,guards", "REGIONS", "branches"],
        "",
        {},
        0,
        r"(?s)\A== guards branches\nregion branches\n.*\n== graph branches\n"
        r"graph branches\(%x: f32\[3\]\)"
        r".*== graph branches from 14:12\n.*== graph branches, entry 2\n.*%x: f32\[s0\]"
        r".*== graph branches from 14:12, entry 2\n",
    ),
    (
        ["show", "--stage", "ast,tokens", "REGIONS", "Net.forward"],
        "",
        {},
        0,
        r"(?s)\A== tokens Net.forward\nDEF .*\n== ast Net.forward\n"
        r"FunctionDefinition forward (?!.*branches)",
    ),
    (
        ["show", "--stage", "graph", "REGIONS", "Net.forward"],
        "",
        {},
        0,
        r"(?s)\A== graph [^\n]*\ngraph forward\(%entered: .* by linear.py \d+:\d+\n",
    ),
    (
        ["show", "--stage", "graph", "REGIONS"],
        "",
        {},
        0,
        r"(?s)== graph Net.forward\n.*== graph branches\n",
    ),
    (
        ["show", "--stage", "graph", "REGIONS", "plain"],
        "",
        {},
        1,
        r"\Aglint: `plain` has no compiled region; "
        r"compiled functions: `Net.forward`, `branches`\n\Z",
    ),
    (
        ["show", "--stage", "graph", "--compile", "REGIONS", "plain"],
        "",
        {},
        0,
        r"\A== graph plain\n",
    ),
    (
        ["show", "--stage", "graph", "REGIONS", "plain"],
        "",
        {"GLINT_COMPILE": "1"},
        0,
        r"\A== graph plain\n",
    ),
    (
        ["show", "--stage", "llvm", "--backend", "interp", "REGIONS", "branches"],
        "",
        {},
        1,
        r"\Aglint: `branches` was compiled, for a backend that makes none of these stages\n\Z",
    ),
    (
        ["show", "--stage", "cuda", "--backend", "interp", "REGIONS", "branches"],
        "",
        {"GLINT_NVRTC": "/nowhere"},
        0,
        r"(?s)\A== cuda branches.*__global__ void.*//   0  %",
    ),
    (
        ["show", "--stage", "ptx", "REGIONS", "branches"],
        "",
        {"GLINT_NVRTC": "/nowhere"},
        0,
        r"no PTX: there is no NVRTC at `/nowhere`, where GLINT_NVRTC says; "
        r"`pip install nvidia-cuda-nvrtc` brings one\n",
    ),
    (
        ["show", "--stage", "gpu", "REGIONS", "branches"],
        "",
        {"GLINT_NVRTC": "/nowhere"},
        0,
        r"(?s)on a GPU \(compute_80\) +grid +block +registers +shared +occupancy +reads +writes\n"
        r"\w+ +\d+ +\d+ +- +- +- .*no registers: there is no NVRTC at `/nowhere`",
    ),
    # Library calls are shown by the kernel of Glint's own that does them, if it is known yet, and in
    # the order in which a function runs.
    (
        ["show", "--stage", "cuda", "CALLS", "product"],
        "",
        {},
        0,
        r"(?s)\n// %matmul: `mm` is a library call; where no library does it, this kernel does, by tiles "
        r"of 16 x 16 +4:22 +x @ x\n.*\nmatrix_product\(const float\*.*\nadd_relu\(",
    ),
    (
        ["show", "--stage", "cuda", "CALLS", "ordered"],
        "",
        {},
        0,
        r"\A== cuda ordered\n// %sort: `sort` is a library call; its kernels depend on its tensors, and "
        r"are shown when it has run on a GPU +16:11 +torch.sort\(x\)\n\Z",
    ),
    (
        ["show", "--stage", "cuda", "CALLS", "varying"],
        "",
        {},
        0,
        r"(?s)\A== cuda varying\n// %matmul: .* by tiles of 16 x 16, or larger ones as its sizes ask",
    ),
    (
        ["show", "--stage", "cuda,gpu", "CALLS", "turned"],
        "",
        {},
        0,
        r"\A== cuda turned\nno kernel: nothing is computed\n\n"
        r"== gpu turned\nno kernel: nothing is computed\n\Z",
    ),
    (
        ["show", "--stage", "sass", "REGIONS", "branches"],
        "",
        {"GLINT_NVRTC": "/nowhere"},
        0,
        r"no SASS: (nvdisasm, CUDA's disassembler, was not found|there is no NVRTC at)",
    ),
    (["doctor"], "", {}, 0, r"\ndriver      (none: Found no NVIDIA driver|of CUDA \d)"),
    (["doctor"], "", {"GLINT_NVRTC": "/nowhere"}, 0, r"\ncuda        no PTX: there is no NVRTC"),
    (
        ["doctor"],
        "",
        {"GLINT_NVRTC": "libc.so.6"},
        0,
        r"\ncuda        no PTX: `.*libc\.so\.6`, which GLINT_NVRTC names, is not NVRTC",
    ),
    (["doctor"], "", {"GLINT_NVRTC": "none"}, 0, r"\ncuda        no PTX: GLINT_NVRTC says that NVRTC"),
    (
        ["doctor"],
        "",
        {"GLINT_CUBLASLT": "/nowhere"},
        0,
        r"\ncublas      none: Glint's own kernels multiply matrices on a GPU; there is no cuBLASLt at "
        r"`/nowhere`, where GLINT_CUBLASLT says; `pip install nvidia-cublas` brings one\n",
    ),
    (["doctor"], "", {"GLINT_CACHE": "/dev/null/cache"}, 0,
     r"\ncache +/dev/null/cache; it cannot be read: Not a directory; each process compiles anew \(GLINT_CACHE"),
    # Permissions let root write there.
    (["doctor"], "", {"GLINT_CACHE": "/proc/cache"}, 0,
     r"\ncache +/proc/cache; it cannot be written: (No such file or directory|Permission denied); each process"),
    (["doctor"], "", {"GLINT_CUDNN": "/nowhere"}, 0, r"\ncudnn       none: .* no cuDNN at `/nowhere`"),
    (["doctor"], "", {"GLINT_CUBLASLT": "none"}, 0, r"\ncublas .*GLINT_CUBLASLT says that cuBLASLt is"),
    (
        ["--show", "graph", "REGIONS"],
        "",
        {},
        0,
        r"(?s)\A== graph Net.forward\ngraph .*== graph branches from 14:12\n",
    ),
    (["show", "--joint", "REGIONS"], "", {}, 1, r"\Aglint: no gradient was taken inside, and no backward cut off"),
    (
        ["bench", "--function", "branch", "REGIONS"],
        "",
        {},
        1,
        r"\Aglint: nothing to compare: no function is called `branch`; "
        r"compiled functions: `Net.forward`, `branches`; did you mean `branches`\?\n\Z",
    ),
    (
        ["report", "SCRIPT", "-o", "/nosuch/out.html"],
        "",
        {},
        2,
        r"\Aglint: `/nosuch/out.html` cannot be written: No such file or directory\n\Z",
    ),
    (["report", "SCRIPT", "-o", "/dev/stdout"], "", {}, 0, r"(?s)\A<!doctype html>.*%mul = multiply"),
    (["report", "NAMED", "-o", "/dev/stdout"], "", {}, 0, r"(?s)<!doctype html>.*multiply_add_sum_blocks.* v______, const float"),
    (["report", "SCRIPT", "-o", "SCRIPT"], "", {}, 2, r"\Aglint: `.*` is a script of this session: it would be replaced\n\Z"),
    (["report", "SCRIPT", "-o", "/dev"], "", {}, 2, r"\Aglint: `/dev` cannot be written: Is a directory\n\Z"),
    (["run", "--profile", "SCRIPT", "SCRIPT"], "", {}, 2, r"\Aglint: `.*` is a script of this session: it would be replaced\n\Z"),
    (["REPORTS"], "", {}, 1, r"OSError: `.*` is a script of this session: it would be replaced\n\Z"),
    (["report", "/nosuch.py"], "", {}, 2, r"\Aglint: can't open file '/nosuch.py'"),
    (["bench", "--function", "forward", "REGIONS"], "", {}, 0, r"\ANet.forward\n  first call "),
    (
        ["bench", "--compile", "--function", "plain", "REGIONS"],
        "",
        {},
        0,
        r"\Aplain\n  first call ",
    ),
    (
        ["bench", "PLAIN"],
        "",
        {},
        1,
        r"\Aglint: nothing to compare: nothing was compiled; the script compiled no",
    ),
]
