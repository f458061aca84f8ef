# What library functions check of their arguments, and how.
import collections
import functools
import heapq
import itertools
import json

import torch


def show(call):
    try:
        print(call())
    except Exception as error:
        print(f"{type(error).__name__}: {error}")


@functools.singledispatch
def kind(x):
    return "other"


@kind.register
def _(x: int):
    return "int"


@kind.register(str)
def _(x):
    return "text"


@kind.register
def several(x: "list | tuple"):
    return "sequence"


print(kind(3), kind("a"), kind([1]), kind((1,)), kind(True), kind(2.0), kind.__name__)
print(list(kind.registry), kind.dispatch(bool).__name__, kind.dispatch(tuple) is several)
show(lambda: kind())
show(lambda: kind.register(float, lambda x: "float")(1.5))
show(lambda: kind(1.5))


def annotated(annotation):
    def function(x):
        pass

    if annotation is not None:
        function.__annotations__ = {"x": annotation}
    return function


show(lambda: kind.register(annotated(3)))
show(lambda: kind.register(3, len))

for value in (float("nan"), float("inf"), [1.0, -float("inf")], {"a": float("nan")}):
    show(lambda: json.dumps(value))
    show(lambda: json.dumps(value, allow_nan=False))

for name, fields in (("a b", "c"), ("class", "c"), ("N", "x x"), ("N", "x def"), ("N", "_x"), ("N", "1")):
    show(lambda: collections.namedtuple(name, fields))
show(lambda: collections.namedtuple("N", "x def x", rename=True)._fields)

show(lambda: itertools.combinations([1], -1))
show(lambda: itertools.permutations([1], -1))
show(lambda: itertools.combinations_with_replacement([1], -1))
show(lambda: itertools.product([1], repeat=-1))
print(list(itertools.combinations("abc", 2)), list(itertools.permutations("ab")))
print(list(heapq.merge([1, 4], (), [2, 2.0, 9])), list(heapq.merge([3, 1], [2], reverse=True)))
print(list(heapq.merge(["a", "bb"], ["c", "ddd"], key=len)), list(heapq.merge()))
print(list(itertools.product("ab", repeat=2)), list(itertools.combinations([1], 2)))

x = torch.arange(6).reshape(2, 3)
print(1 in x, 7 in x, torch.tensor(5) in x, 2.0 in x, x[0] in x, True in x, 9 not in x)
print(1 in torch.tensor(1), 1 in torch.zeros(0))
show(lambda: "a" in x)

for call in (lambda: exec("x="), lambda: compile("def f(:\n pass", "dir/fn.py", "exec"),
             lambda: eval("x = 1"), lambda: exec("1 = x"), lambda: exec("\n\nx = = 2\n")):
    try:
        call()
    except SyntaxError as error:
        print(error, "|", error.args, repr(error))
        print(error.msg, error.lineno, error.offset, repr(error.text), error.filename,
              error.end_lineno, error.end_offset, error.print_file_and_line)
for error in (SyntaxError("m", ("d/f.py", 3, 2, "abc", 3, 4)), SyntaxError("m"), SyntaxError(),
              IndentationError("m", ("f", 1, None, None)), SyntaxError("a", "b", "c")):
    print(error, error.args, error.msg, error.lineno, error.text, error.filename)
raise SyntaxError("own", ("d/f.py", 3, 2, "abc def", 3, 4))
