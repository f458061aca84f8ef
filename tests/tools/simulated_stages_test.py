#!/usr/bin/env python3
"""What the stages show of kernels that ran on the simulated GPU, where NVRTC is found.

    simulated_stages_test.py --glint build/release/glint --driver build/release/driver

With the stand-in for CUDA's driver also what `:step` says where kernels ran on a real GPU.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time

from nvrtc import is_missing
from repl_session_test import CTRL_C, ENTER
from repl_terminal_test import Case

WRITTEN = '''import torch
from glint.cuda import RawKernel
x = torch.ones(64, device="cuda")
scale = RawKernel(r"""
extern "C" __global__ void scale(float* x, float factor, int count) {
  extern __shared__ float s[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = factor;
  if (i < count) x[i] *= s[threadIdx.x];
}""", "scale")
scale((2,), (32,), (x, 2.5, 64), shared_mem=1024)
'''

RACES = """import torch
from glint.cuda import RawKernel
k = RawKernel(r'''extern "C" __global__ void k() {
  __shared__ volatile int s;
  s = threadIdx.x;
}''', "k")
k((1,), (64,), ())
print("done")
"""

COMPILED = '''import torch
@torch.compile
def f(x):
    return x.sum(1), (x * x).sum(1)
y = f(torch.ones(16, 64, device="cuda"))
'''

LONG = COMPILED.replace("x.sum(1), (x * x).sum(1)", "x.softmax(1)").replace("64", "3000")

PRODUCT = '''import torch
@torch.compile
def f(x):
    return (x @ x.t()).softmax(1)
@torch.compile
def p(x):
    return x @ x.t()
x = torch.ones(16, 16, device="cuda")
y = f(x), p(x)
'''

# Two products of one text, of which one is tuned.
TUNED = '''import torch
@torch.compile
def q(x):
    return x @ x.t()
@torch.compile(mode="max-autotune-no-cudagraphs")
def p(x):
    return x @ x.t()
x = torch.ones(128, 128, device="cuda")
y = q(x), p(x)
'''

ENDLESS = '''import torch
from glint.cuda import RawKernel
lp = RawKernel(r"""
extern "C" __global__ void lp(float* x, volatile int* n) {
  while (*n == 0) x[threadIdx.x] += 1;
}""", "lp")
x, n = torch.ones(32, device="cuda"), torch.zeros(1, dtype=torch.int32, device="cuda")
'''

# Signed numbers of 64 bits, and lanes that go different ways.
PARTED = '''import torch
from glint.cuda import RawKernel
k = RawKernel(r"""
extern "C" __global__ void k(long long* out, const double* x) {
  int i = threadIdx.x;
  long long n = -5LL * i - (long long)x[i];
  if (i < 2 || i > 29) out[i] = n * (n + 3);
  if (i == 7) out[0] = n * 11;
  if (i > 15 && i < 25) out[i] = n * n;
}""", "k")
k((1,), (32,), (torch.zeros(32, dtype=torch.int64, device="cuda"), torch.arange(32).double().cuda()))
'''

TWO = '''import torch
from glint.cuda import RawKernel
text = r"""
extern "C" __global__ void k(float* x) {
  x[threadIdx.x] %s= 2;
}"""
x = torch.ones(64, device="cuda")
a, b = RawKernel(text % "*", "k"), RawKernel(text % "+", "k")
never = RawKernel(text % "-", "k")
a((1,), (32,), (x,))
b((1,), (32, 2), (x,), shared_mem=512), b((1,), (32, 2), (x,), shared_mem=512)
'''

EAGER = 'import torch\ny = torch.ones(4, 9, device="cuda").softmax(1)\n'

OPERATORS = '''import torch
x, w = torch.randn(64, 32, device="cuda"), torch.ones(32, 16).cuda()
i, ones = torch.tensor([1, 2, 3]).cuda(), torch.ones(3, 32).cuda()
y = x @ w
x.index_add_(0, i, ones)
z = x[x > 0]
'''

SHOW = ["show", "--stage", "cuda,ptx,gpu"]
REPL = ["-i"]

# (script, words, what is typed then, variables, what is printed)
CASES = [
    (WRITTEN, SHOW, "", {}, r"(?s)== cuda scale\n.*\n== ptx scale\n.*\.entry scale\(.*\n== gpu scale\n"),
    (WRITTEN, REPL, ":ptx scale", {}, r"\.entry scale\("),
    # Beside each instruction stands its line of the user's text, and operands are in one column.
    (WRITTEN, REPL, ":ptx scale", {}, r"\n    mul\S+ +%f\d, %f\d, %f\d; +//   6  if \(i < count\) x\[i\] \*= "),
    (WRITTEN, REPL, ":ptx scale", {}, r"\A(?!(?s:.*)(\.loc|\t))"),
    (WRITTEN, REPL, ":ptx scale", {}, r"\n    ld\.param\.u64 {8}%rd(?s:.*)\n    mov\.u32 {13}%r"),
    (EAGER, REPL, ":ptx softmax_rows_to_16", {}, r"\n    ld\.global\S+ +.*; +// +\d+  const Vector<float, 4> \w+ = load<4>\(.*\);\n"),
    (WRITTEN, REPL, ":gpu scale", {}, r"scale: 1 launch, .*, 1024 bytes of shared memory"),
    (WRITTEN, REPL, ":gpu scale", {}, r"\n +14 +384 +16 +100 % +if \(i < count\) x\[i\] \*= "),
    (WRITTEN, REPL, ":step scale", {}, r"mov\.u32  %r\d+, %tid\.x; +%r\d+ = 0, 1, 2, 3 \.\.\. 31\n"),
    # As the instruction takes them: signed, a float, an address; of lanes that are not there a point.
    (PARTED, REPL, ":step k", {}, r"= 0, -5, -10, -15 \.\.\. -155\n"),
    (PARTED, REPL, ":step k", {}, r" ld\.global\.f64 .* = 0, 1, 2, 3 \.\.\. 31\n"),
    (PARTED, REPL, ":step k", {}, r" cvta\S* .* = 0x[0-9a-f]+ of argument [12] in all\n"),
    (PARTED, REPL, ":step k", {}, r" c0000003 +.* = 0, 18, ·, · \.\.\. 34038\n"),
    (PARTED, REPL, ":step k", {}, r" 00000080 +.* = -462 in lane 7\n"),
    (PARTED, REPL, ":step k", {}, r" 01ff0000 +.* = 9216, 10404, 11664, 12996 \.\.\. from lane 16 on\n"),
    (PARTED, REPL, ":step k", {}, r"\A(?!(?s:.*) 00000000 .* = )"),
    # An instruction over several lines is whole.
    (WRITTEN.replace("s[threadIdx.x] = factor;", 's[threadIdx.x] = factor; if (i == 40) printf("hi");'), REPL,
     ":step --at 1 scale", {}, r" 00000100 +call\.uni \(retval0\), vprintf, \( param0, param1 \);\n"),
    # By the variable that has it too, before a launch, and of a launch that ended early.
    (WRITTEN.replace('scale = ', 'k = ').replace("scale((", "k(("), REPL, ":gpu k", {},
     r"scale: 1 launch, "),
    (WRITTEN.replace('scale = ', 'k = ').replace("scale((", "k(("), REPL, ":step k", {}, r"== scale, block 0"),
    (WRITTEN.replace('scale = ', 'k = ').replace("scale((", "#"), REPL, ":cuda k", {},
     r"__global__ void scale"),
    (WRITTEN.replace("x, 2.5, 64", "x, 2.5, 128").replace("(2,)", "(4,)"), REPL, ":gpu scale", {},
     r"the last launch ended before its end: glint\.cu:6: out of bounds.*\n +if \(i < count\) .*\n"
     r".* of `scale`, ld\.global.*\n"
     r"what it had done by then:\n.*source\n(.*\n)* +\d+ +\d+ .* if \(i < count\) x\[i\]"),
    # A function is found before a kernel whose name begins as its own.
    (WRITTEN + COMPILED.replace("def f", "def s").replace("f(torch", "s(torch"), REPL, ":gpu s", {},
     r"\nsum_multiply: 1 launch"),
    (WRITTEN.replace("(32,)", "(8,)"), REPL, ":step scale", {}, r"registers of lanes 0 to 3 and 7\n"),
    (WRITTEN.replace("(32,)", "(8,)"), REPL, ":step scale", {}, r"%r\d+ = 8 in all\n"),
    (WRITTEN.replace("(2,), (32,)", "(1,), (1,)"), REPL, ":step scale", {}, r"registers of lane 0\n"),
    (WRITTEN.replace("(2,), (32,)", "(1,), (1,)"), REPL, ":gpu scale", {}, r"the last of 1 block of 1 thread; "),
    (WRITTEN, REPL, ":cuda scales", {}, r"nothing is called `scales` here; did you mean `scale`\?"),
    # What `load` and `warp_total` do counts for the lines that call them, in the right call.
    (COMPILED, SHOW, "", {}, r"\n +\d+ +\d+ +128 +100 % +const Vector<float, 4> \w+ = load<4>\("),
    (COMPILED, SHOW, "", {}, r"\n +144 +4608 +acc = warp_total<16>\(acc\);"),
    (COMPILED, SHOW, "", {}, r"\n +136 +4352 +acc1 = warp_total<16>\(acc1\);"),
    (COMPILED, REPL, ":step --gpu f", {}, r"sum_multiply, block 0, warp 0: line, number, active lanes"),
    (COMPILED, REPL, ":step --gpu --at 7 f", {}, r"sum_multiply, block 0, warp 7: line, number, active lanes"),
    (COMPILED, REPL, ":step --gpu --at 8 f", {}, r"sum_multiply\n`--at 8`: `sum_multiply` has 8 warps, 0 to 7\n"),
    (WRITTEN, REPL, ":step --at 2 scale", {}, r"\A`--at 2`: `scale` has 2 warps, 0 to 1\n"),
    # A warp that one kernel has is walked, whatever the others have.
    (PRODUCT.replace("16, 16", "200, 16"), REPL, ":step --gpu --at 1000 --count 1 f", {},
     r"\A== matrix_product, block 125, warp 0: (?s:.*)\n== softmax\w*\n`--at 1000`: `softmax\w*` has \d+ warps, 0 to \d+\n"),
    # What an operator launched by itself is shown by its kernel's name, or the beginning of it.
    (EAGER, REPL, ":cuda softmax_rows_to_16", {}, r"__global__ void .*\n(.*\n)?softmax_rows_to_16\("),
    (EAGER, REPL, ":ptx softmax_rows_to_16", {}, r"\.entry softmax_rows_to_16\("),
    (EAGER, REPL, ":cuda softmax_r", {}, r"__global__ void .*\n(.*\n)?softmax_rows_to_16\("),
    (EAGER, REPL, ":cuda softmac", {}, r"\Anothing is called `softmac` here"),
    # A tensor's row says where it is.
    (EAGER, REPL, ":vars y", {}, r"\ny +Tensor +\[4, 9\] +float32 +144  on cuda:0\n"),
    # Several texts, one name: a variable is its own, a name all of them, the newest first.
    (WRITTEN + WRITTEN.replace("*=", "+="), REPL, ":gpu nosuch", {},
     r"\Ano kernel `nosuch` ran; those that did: \w+, scale\n"),
    (TWO, REPL, ":gpu k", {}, r"(?s)\Ak, text 2 of 3: 2 .*\nk, text 1 of 3: 1 "),
    (TWO, REPL, ":gpu a", {}, r"\Ak, text 1 of 3: 1 launch(?!(?s:.*)\+= 2;)"),
    (TWO, REPL, ":gpu b", {}, r"\Ak, text 2 of 3: 2 launches(?!(?s:.*)\*= 2;)"),
    (TWO, REPL, ":cuda a", {}, r"\A\nextern .*\n  x\[threadIdx\.x\] \*= 2;\n}\n\Z"),
    (TWO, REPL, ":cuda k", {},
     r"(?s)\A== cuda k, text 3 of 3\n.*-= 2;.*\n== cuda k, text 2 of 3\n.*\+= .*\n== cuda k, text 1 of 3\n.*\*= "),
    (TWO, REPL, ":step a --count 9", {}, r"x\[threadIdx\.x\] \*= 2;(?!(?s:.*)\+= 2;)"),
    # What a compiler has moved is of the line before it.
    (EAGER, REPL, ":gpu softmax", {}, r"\A(?!(?s:.*)of no line)softmax_rows"),
    # Each launch outside a region has its row.
    (TWO, REPL, ":kernels b", {},
     r"\Alaunched on a GPU \(compute_80\) +launches +grid +block +registers +shared +occupancy +reads +writes\n"
     r"k, text 2 of 3 +2 +1 +32 x 2 +~?\d+ +512 +\d+ % +128 +128\n"),
    (TWO, REPL, ":kernels k", {}, r"\A.*\nk, text 2 of 3 +2 .*\nk, text 1 of 3 +1 "),
    (TWO, REPL, ":kernels never", {}, r"\A`never` was not launched yet\n"),
    (TWO, REPL, ":kernels", {}, r"\nones\w* +1 (?s:.*)\nk, text 1 of 3 +1 +1 +32 "),
    (EAGER, REPL, ":kernels softmax", {}, r"\A.*\nsoftmax_rows_to_16 +1 +1 .* % +144 +144\n"),
    # What an operator's one launch moves is what its tensors have; a check's own tensor is no part.
    (OPERATORS, REPL, ":kernels", {}, r"\nmatrix_product +1 .* % +10240 +4096\n"),
    (OPERATORS, REPL, ":kernels", {}, r"\nscatter +1 .* % +8600 +8192\n"),
    (OPERATORS, REPL, ":kernels", {}, r"\ndraw +1 .* % +0 +8192\n"),
    (OPERATORS, REPL, ":kernels", {},
     r"\ntrue_places +1 .* % +- +-\n(?s:.*)\nno bytes where an operator launches several kernels: "),
    (WRITTEN, REPL, ":kernels", {}, r"\nscale +1 .* % +256 +256\n\Z"),
    (WRITTEN.replace("x, 2.5, 64", "x, 2.5, 128").replace("(2,)", "(4,)"), REPL, ":kernels scale", {},
     r" % +- +-\nno bytes of `scale`: its last launch ended before its end\n"),
    # What ran is forgotten with all else.
    (WRITTEN + EAGER, REPL, ":reset\n:kernels\n:gpu", {},
     r"\A\d+ variables are gone.*\nno kernels yet; call a function under torch\.compile first\nno gpu yet; "),
    (COMPILED, REPL, ":kernels sum_multiply", {}, r"(?s)\Akernel sum_multiply\(.*\non a GPU "),
    (COMPILED, REPL, ":kernels nosuch", {}, r"\Anothing is called `nosuch` here"),
    (TWO, ["show", "--stage", "kernels"], "", {}, r"\A== kernels launched outside compiled regions\n.*\n(.*\n)*k, text 2"),
    (TWO, REPL, ":time a", {}, r"\Ano time of `a`: it is a kernel of CUDA C\+\+, launched as it is written; `:kernels a`"),
    (TWO, REPL, ":bench a((1,), (32,), (x,))", {}, r"\Ano comparison of `a`: it is a kernel of CUDA C\+\+"),
    (TWO, REPL, ":diverge a", {}, r"\Ano comparison of `a`: it is a kernel of CUDA C\+\+.* and `:step a` show it\n\Z"),
    (TWO, REPL, ":explain a((1,), (32,), (x,))", {}, r"\Ano explanation of `a`: it is a kernel of CUDA C\+\+"),
    (TWO, REPL, ":graph --table a", {}, r"\Ano graph of `a`: it is a kernel of CUDA C\+\+"),
    (TWO, REPL, ":graph --joint a", {}, r"\Ano graph of `a`: it is a kernel of CUDA C\+\+"),
    (TWO, REPL, ":watch a kernels", {}, r"\Ano kernels of `a`: it is a kernel of CUDA C\+\+"),
    (TWO, REPL, ":step --graph a", {}, r"\Ano graph of `a`: it is a kernel of CUDA C\+\+"),
    # Kernels stand in the order in which the schedule runs them, library calls' among them.
    (PRODUCT, REPL, ":step --gpu p --count 1", {}, r"\A== matrix_product, block 0, warp 0: "),
    (PRODUCT, REPL, ":step --gpu f --count 1", {},
     r"\A== matrix_product, block (?s:.*)\n== softmax\w*, block "),
    (PRODUCT, REPL, ":cuda f", {}, r"\A// %matmul: `mm` is (?s:.*)\nmatrix_product\((?s:.*)\nsoftmax\w*\("),
    (PRODUCT, REPL, ":ptx f", {}, r"\A// %matmul: `mm` is (?s:.*)\.entry matrix_product\((?s:.*)\.entry softmax\w*\("),
    (PRODUCT, REPL, ":kernels f", {}, r"\non a GPU .*\nmatrix_product %matmul .*\nsoftmax"),
    (PRODUCT, REPL, ":gpu f", {}, r"\nmatrix_product: \d launch(?s:.*)\nsoftmax\w*: 1 launch"),
    # Which tiles did it, in the table and above the text alike; not those of another function.
    (TUNED, REPL, ":gpu p", {}, r"\n(matrix_product\w*) %matmul (?s:.*)`mm` is a library call, done by `\1`, by tiles of"),
    (TUNED, REPL, ":kernels q", {}, r"\non a GPU .*\nmatrix_product %matmul +64 +256 .*\n\Z"),
    # Of a warp in a pipe some instructions, and how many there are.
    (COMPILED, REPL, ":step --gpu --at 1 --from 2 --count 2 f", {},
     r"sum_multiply, block 0, warp 1: .*\n(.*\n)? {9}2  ffffffff .*\n(.*\n)? {9}3  ffffffff .*\n"
     r"\.\.\. to 3 of \d+ instructions; `--from 4` goes on\n"),
    (COMPILED, REPL, ":step --gpu f --count 1000", {}, r" shfl\.sync(?s:.*) ret; *\n\Z"),
    (COMPILED, REPL, ":step f --from 5000", {}, r"registers of .*\nthere are \d+ instructions\n"),
    (LONG, REPL, ":step --gpu f", {}, r"\.\.\. to 100 of \d{3} instructions; `--from 101` goes on\n"),
    (COMPILED, REPL, ":cuda f", {"GLINT_CUDA_BOUNDS": "1"}, r"\*status = \d+;  // index out of bounds"),
    (RACES, [], "", {"GLINT_GPU_RACES": "on"}, r"glint.cu:3: race: threads 0 and 1 of the block meet"),
    (RACES, [], "", {"GLINT_GPU_RACES": "off"}, r"\Adone\n\Z"),
]

NOT_WALKED = r"a real GPU's warps cannot be walked; with GLINT_GPU=sim the same runs where they can\n"
# The same on a driver.
ON_DRIVER = [
    (PRODUCT, REPL, ":kernels p", {}, r"\ncuBLASLt %matmul +- +- +- +- +- +2048 +1024 "),
    (PRODUCT, REPL, ":cuda p", {}, r"\A// %matmul: `mm` is a library call, which cuBLASLt did; where no library does it"),
    (PRODUCT, REPL, ":kernels p", {"GLINT_CUBLASLT": "none"}, r"\nmatrix_product %matmul +1 +256 "),
    (PRODUCT, REPL, ":cuda p", {"GLINT_CUBLASLT": "none"},
     r"\A// %matmul: `mm` is a library call, done by `matrix_product`, by tiles of 16 x 16"),
    (TUNED, REPL, ":kernels q", {}, r"\ncuBLASLt %matmul .*\n\Z"),
    (WRITTEN, REPL, ":step scale", {}, r"\A" + NOT_WALKED),
    (WRITTEN, REPL, ":kernels scale", {},
     r"\nscale +1 .* +- +-\nno bytes of your own kernels: a real GPU does not count them; with GLINT_GPU=sim"),
    (EAGER, REPL, ":kernels softmax", {}, r"\nsoftmax_rows_to_16 .* +144 +144\n"),
    (WRITTEN.replace('scale = ', 'k = ').replace("scale((", "k(("), REPL, ":step k", {}, r"\A" + NOT_WALKED),
    (COMPILED, REPL, ":step --gpu f", {}, r"\A" + NOT_WALKED),
    (COMPILED, REPL, ":step --kernels f", {}, r"\Aits tensors are on a GPU; " + NOT_WALKED),
    (COMPILED, REPL, ":step sum_multiply", {}, r"\A" + NOT_WALKED),
    (COMPILED, REPL, ":step nosuch", {},
     r"\Ano function and no kernel of the processor that ran last is called `nosuch`\n"),
    (COMPILED, REPL, ":step --gpu nosuch", {}, r"\Anothing is called `nosuch` here\n"),
    (WRITTEN, REPL, ":step nosuch", {}, r"\Ano function and no kernel that ran last is called `nosuch`\n"),
]


def printed(glint, script, words, typed, variables, driver=None):
    where = {"LD_LIBRARY_PATH": driver, "GLINT_GPU": ""} if driver else {"GLINT_GPU": "sim"}
    with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
        file.write(script)
        file.flush()
        run = subprocess.run(
            [glint, *words, file.name],
            input=typed + "\n",
            capture_output=True,
            text=True,
            env={**os.environ, **where, **variables},
            timeout=300,
        )
    return run.stdout + run.stderr


def walked(glint):
    """On a terminal a warp is walked to its end; how many of the claims of that do not hold."""
    with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
        file.write(LONG)
        file.flush()
        case = Case(glint, "a warp on a terminal", ["-i", file.name], GLINT_GPU="sim")
        case.enters(":step --gpu f", r" 1 of \d{3}\n")
        for keys, expected in [
            ("b", r"> +\d+  ffffffff  shfl\.sync"),
            ("120" + ENTER, r"to 120, with Enter[\s\S]* 120 of \d{3}\n"),
            ("l", r"\n {3,6}\d+  [^\n]*\n> +12\d  "),
            ("\x1b[F", r" (\d{3}) of \1\n[\s\S]*> +\1  [0-9a-f]{8}  ret;"),
        ]:
            case.terminal.send(keys)
            case.waits(expected)
        case.terminal.send("q")
        return case.failed + case.ends()


def interrupted(glint):
    """A launch that Ctrl-C ended is counted up to there; how many of the claims of that do not hold."""
    with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
        file.write(ENDLESS)
        file.flush()
        case = Case(glint, "an endless kernel", ["--no-pager", "-i", file.name], GLINT_GPU="sim")
        case.enters("print('ready'); lp((1,), (32,), (x, n))", r"\nready\n")
        time.sleep(0.5)
        case.terminal.send(CTRL_C)
        case.waits(r"KeyboardInterrupt\n>>> ")
        case.enters(":gpu lp", r"\nlp: 1 launch, .*\nthe last launch ended before its end: interrupted\n"
                    r"what it had done by then:\n.*source\n(.*\n)* *\d{4,} .* while \(\*n == 0\)")
        case.enters(":step lp", r" 1 of more than 1000000\n")
        case.terminal.send("q")
        return case.failed + case.ends()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--glint", required=True)
    parser.add_argument("--driver")
    options = parser.parse_args()
    if is_missing(options.glint, "what ran on the simulated GPU"):
        return 0
    failed, walk_failed = 0, walked(options.glint) + interrupted(options.glint)
    cases = [(case, None) for case in CASES]
    cases += [(case, options.driver) for case in ON_DRIVER if options.driver]
    for (*asked, expected), driver in cases:
        text = printed(options.glint, *asked, driver=driver)
        if re.search(expected, text):
            continue
        failed += 1
        print(f"{asked[1:]}: no {expected!r} in\n{text}")
    print(f"{len(cases) - failed} passed, {failed} failed")
    return 1 if failed or walk_failed else 0


if __name__ == "__main__":
    sys.exit(main())
