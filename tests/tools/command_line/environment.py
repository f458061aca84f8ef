"""Backends, variables of the environment, and compiling that was made to fail or came too often."""

FAILS_WHOLE = """import torch
f = torch.compile(lambda x: x + 1, fullgraph=True)
f(torch.ones(2))
"""

TOO_OFTEN = """import torch
torch._dynamo.config.recompile_limit = 2
@torch.compile(dynamic=False)
def f(x): return x + 1
@torch.compile(dynamic=False)
def g(x): return x - 1
for n in range(2, 9): f(torch.ones(n)); g(torch.ones(n))
@torch.compile(dynamic=False, fullgraph=True)
def h(x): return x - 1
for n in range(2, 9): h(torch.ones(n))
"""

UNASKED = """import torch
torch._dynamo.config.recompile_limit = 2
def f(x, name): return x + len(name)
for n in range(2, 9): f(torch.ones(2), "n" * n)
print(f(torch.ones(2), ""))
"""

# Where the tensors would be on a GPU, and there is none: eager says so, and so does compiled code.
NO_GPU = """import torch
@torch.compile
def f(): return torch.ones(2, device="cuda") + 1
print(f())
"""

CASES = [
    (["-c", NO_GPU], "", {"GLINT_GPU": "none"}, 1, r"AssertionError: Torch not compiled with CUDA en"),
    (["--compile", "-c", NO_GPU], "", {"GLINT_GPU": "none"}, 1, r"AssertionError: Torch not compil"),
    (
        ["-c", FAILS_WHOLE],
        "",
        {"GLINT_FAIL": "link"},
        1,
        r"BackendCompilerFailed: backend='inductor' raised:\nRuntimeError: link: made to fail",
    ),
    (["-c", FAILS_WHOLE], "", {"GLINT_FAIL": "simplify"}, 1, r"BackendCompilerFailed: backend='ind"),
    (["-c", FAILS_WHOLE], "", {"GLINT_FAIL": "capture"}, 1, r"InternalTorchDynamoError: capture: m"),
    (
        ["-c", TOO_OFTEN],
        "",
        {},
        1,
        r"(?s)\Aglint: FB005 `f` was compiled 2 times.*glint: FB005 `g` was compiled 2 times"
        r"(?!.*FB005).*FailOnRecompileLimitHit: Hard failure due to fullgraph=True",
    ),
    (["--compile", "-c", UNASKED], "", {}, 0, r"\Atensor\(\[1\., 1\.\]\)\n\Z"),
    (["--backend", "interp", "SCRIPT"], "", {}, 0, None),
    (["--backend", "nothing", "SCRIPT"], "", {}, 2, r"no backend is called `nothing`"),
    (
        ["SCRIPT"],
        "",
        {"GLINT_BACKEND": "nothing"},
        2,
        r"GLINT_BACKEND is `nothing`; it can be cpu, interp, ",
    ),
    (
        ["show", "SCRIPT"],
        "",
        {"GLINT_BACKEND": "nothing"},
        2,
        r"GLINT_BACKEND is `nothing`; it can be cpu, interp, ",
    ),
    (
        ["SCRIPT"],
        "",
        {"GLINT_FAIL": "nonsense"},
        2,
        r"\Aglint: GLINT_FAIL is `nonsense`; it can be capture, ",
    ),
    (["PLAIN"], "", {"GLINT_GPU": "foo"}, 2, r"\Aglint: GLINT_GPU is `foo`; it can be sim, none"),
    (["PLAIN"], "", {"GLINT_GPU_RACES": "0"}, 2, r"\Aglint: GLINT_GPU_RACES is `0`; it can be on, off"),
    (["PLAIN"], "", {"GLINT_CUDA_BOUNDS": "foo"}, 2, r"\Aglint: GLINT_CUDA_BOUNDS is `foo`; it can be 0, 1"),
    (["PLAIN"], "", {"GLINT_CUDA_ARCH": "foo"}, 2, r"\Aglint: GLINT_CUDA_ARCH is `foo`, which is no architecture from compute_75 or sm_75 on"),
    (["PLAIN"], "", {"GLINT_CUDA_ARCH": "compute_70"}, 2, r"\Aglint: GLINT_CUDA_ARCH is `compute_70`, which is no arch"),
    (["PLAIN"], "", {"GLINT_CUDA_ARCH": "sm_70"}, 2, r"\Aglint: GLINT_CUDA_ARCH is `sm_70`, which is no arch"),
    (["PLAIN"], "", {"GLINT_CUDA_ARCH": "compute_75"}, 0, None),
    (["PLAIN"], "", {"GLINT_CUDA_ARCH": "sm_90"}, 0, None),
    (["PLAIN"], "", {"GLINT_THREADS": "12x"}, 2, r"\Aglint: GLINT_THREADS is `12x`, which is no number from 1 to 9999"),
    (
        ["PLAIN"],
        "",
        {"GLINT_GPU": "none", "GLINT_GPU_RACES": "off", "GLINT_CUDA_BOUNDS": "0", "GLINT_CUDA_ARCH": "compute_90a"},
        0,
        None,
    ),
    (
        ["PLAIN"],
        "",
        {"GLINT_PATH": "/nowhere:.:/neither"},
        0,
        r"\Aglint: GLINT_PATH names `/nowhere`, which is no folder\n"
        r"glint: GLINT_PATH names `/neither`, which .*\n\Z",
    ),
    (
        ["PLAIN"],
        "",
        {"GLINT_CACHE": "/dev/null/cache"},
        0,
        r"\Aglint: GLINT_CACHE is `/dev/null/cache`, where nothing can be written\n\Z",
    ),
    (
        ["PLAIN"],
        "",
        {"GLINT_HISTORY": "/dev/null/x/history"},
        0,
        r"\Aglint: GLINT_HISTORY is `.*cannot be written\n\Z",
    ),
    (
        ["SCRIPT"],
        "",
        {"GLINT_CACHE": "/dev/null/cache", "GLINT_FAIL": "fuse"},
        0,
        r"(?s)\Aglint: GLINT_CACHE is .*\nglint: FB001 `twice` runs eagerly: .*; no repro: "
        r"`/dev/null/cache` cannot be written\n\Z",
    ),
]
