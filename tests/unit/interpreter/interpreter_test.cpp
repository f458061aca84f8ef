// The interpreter from outside: scripts, their output, their tracebacks.
#include <catch2/catch.hpp>

#include "run_script.h"

using glint::test::run_script;

TEST_CASE("numbers, calls, closures") {
  auto result = run_script(R"py(
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
def counter():
    n = 0
    def bump(by=1, *rest, scale=1, **more):
        nonlocal n
        n += by * scale
        return n, rest, more
    return bump
c = counter()
print(fib(15), c(), c(2, 7, scale=3, k=1))
print(7 // -2, -7 % 3, 2 ** 10, 7 / 2, 1 << 5, not [], 1 < 2 < 3)
)py");
  CHECK(result.out == "610 (1, (), {}) (7, (7,), {'k': 1})\n-4 2 1024 3.5 32 True True\n");
  CHECK(result.error.empty());
}

TEST_CASE("classes, properties, special methods, super") {
  auto result = run_script(R"py(
class A:
    def __init__(self, x): self.x = x
    def __add__(self, other): return A(self.x + other.x)
    def __eq__(self, other): return self.x == other.x
    def __getattr__(self, name): return "no " + name
    @property
    def double(self): return self.x * 2
    @double.setter
    def double(self, v): self.x = v // 2
class B(A):
    def __init__(self, x, y):
        super().__init__(x)
        self.y = y
    def __repr__(self): return f"B({self.x}, {self.y})"
b = B(1, 2)
b.double = 10
print(b, b.double, (b + A(1)).x, b == A(5), b.z, isinstance(b, A))
)py");
  CHECK(result.error.empty());
  CHECK(result.out == "B(5, 2) 10 6 True no z True\n");
}

TEST_CASE("generators: send, throw, close, yield from, death") {
  auto result = run_script(R"py(
def inner():
    try:
        got = yield 1
        print("got", got)
        yield 2
    except ValueError as e:
        print("caught", e)
        return "ended"
def outer():
    print((yield from inner()))
    yield 9
g = outer()
print(next(g), g.send("x"), g.throw(ValueError("v")))
def closing():
    try:
        yield 1
    finally:
        print("closed")
h = closing(); next(h); h.close()
for x in closing():
    break
print(sum(i * i for i in range(4)))
)py");
  CHECK(result.error.empty());
  CHECK(result.out == "got x\ncaught v\nended\n1 2 9\nclosed\nclosed\n14\n");
}

TEST_CASE("an uncaught exception prints CPython's traceback") {
  auto result = run_script(
      "def f(x):\n"
      "    return x / (x - x)\n"
      "def g():\n"
      "    try:\n"
      "        f(1)\n"
      "    except ZeroDivisionError as e:\n"
      "        raise ValueError('wrapped') from e\n"
      "g()\n");
  CHECK(result.exit_code == 1);
  CHECK(result.error ==
        "Traceback (most recent call last):\n"
        "  File \"test.py\", line 5, in g\n"
        "    f(1)\n"
        "  File \"test.py\", line 2, in f\n"
        "    return x / (x - x)\n"
        "           ~~^~~~~~~~~\n"
        "ZeroDivisionError: division by zero\n"
        "\nThe above exception was the direct cause of the following exception:\n\n"
        "Traceback (most recent call last):\n"
        "  File \"test.py\", line 8, in <module>\n"
        "    g()\n"
        "  File \"test.py\", line 7, in g\n"
        "    raise ValueError('wrapped') from e\n"
        "ValueError: wrapped\n");
}

TEST_CASE("limits are exceptions: recursion, overflow, exit codes") {
  auto result = run_script(R"py(
def deep(n): return deep(n + 1)
class R:
    def __repr__(self): return repr(self)
for attempt in (lambda: deep(0), lambda: repr(R()), lambda: 10 ** 400 / 3, lambda: float(10 ** 400)):
    try:
        attempt()
    except (RecursionError, OverflowError) as e:
        print(type(e).__name__)
raise SystemExit(5)
)py");
  CHECK(result.out == "RecursionError\nRecursionError\nOverflowError\nOverflowError\n");
  CHECK(result.exit_code == 5);
}

TEST_CASE("limits are exceptions: iterators of iterators nested deeper than the stack") {
  auto result = run_script(R"py(
for make in (lambda i: map(abs, i), zip, lambda i: filter(None, i)):
    i = iter([1, 2])
    for _ in range(200000):
        i = make(i)
    try:
        list(i)
    except RecursionError as e:
        print(e)
)py");
  std::string line = "maximum recursion depth exceeded\n";
  CHECK(result.out == line + line + line);
}

TEST_CASE("context of exceptions: what a handler handled is over when it is left") {
  auto result = run_script(R"py(
for i in range(2):
    try:
        raise ValueError(i)
    except ValueError:
        continue
try:
    try:
        raise ValueError("a")
    except ValueError:
        raise TypeError("b")
except TypeError as e:
    print(repr(e.__context__))
try:
    raise KeyError("c")
except KeyError as e:
    print(e.__context__)
)py");
  CHECK(result.out == "ValueError('a')\nNone\n");
}

TEST_CASE("imports: scripts beside it, partly initialised modules") {
  std::map<std::string, std::string> modules = {
      {"tools", "import main_loop\nvalue = 3\ndef twice(x): return x * 2\n"},
      {"main_loop", "import tools\n"}};
  auto result = run_script(
      "import tools\nfrom tools import twice as t\nprint(tools.value, t(4))\n"
      "try:\n    from tools import nothing\nexcept ImportError as e:\n    print(e)\n"
      "try:\n    import missing\nexcept ModuleNotFoundError as e:\n    print(e)\n",
      modules);
  CHECK(result.out ==
        "3 8\ncannot import name 'nothing' from 'tools' (tools.py)\nNo module named 'missing'\n");
}

TEST_CASE("tensors' operators reach the operator table") {
  auto result = run_script(R"py(
import torch
x = torch.ones(2, 3)
y = 2 - x * 3
y += 1
print((y == 0).all().item(), x[0, 1:].shape, (x > 2).any().item(), -x[1, 2])
try:
    x + torch.ones(4)
except RuntimeError as e:
    print(e)
)py");
  CHECK(result.error.empty());
  CHECK(result.out ==
        "True torch.Size([2]) False tensor(-1.)\n"
        "The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension "
        "1\n");
}
