# inspect: signatures of functions, methods, classes and objects; binding; kinds; members.
import functools
import inspect

import torch


def f(a, b: int = 2, *args, c=3, **kw) -> str:
    """First line.

    Second paragraph,
      indented.
    """
    local = a
    return local


def only(a, b=1, /, c=2.5, *, d, e: torch.Tensor = None):
    pass


class K:
    """A class."""

    def m(self, x, y=1):
        pass

    @classmethod
    def k(cls, z):
        pass

    @staticmethod
    def s(z=()):
        pass


class Made(K):
    def __init__(self, n: int, *sizes, flag=True):
        pass

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        return x


@functools.wraps(f)
def wrapped(*args, **kwargs):
    return f(*args, **kwargs)


def attempt(call):
    try:
        print(call())
    except Exception as error:
        print(type(error).__name__, error)


print(inspect.signature(f), inspect.signature(only), inspect.signature(lambda x, *y: x))
print(list(inspect.signature(f).parameters))
for parameter in list(inspect.signature(f).parameters.values()) + list(inspect.signature(only).parameters.values()):
    print(parameter, "|", parameter.name, parameter.kind, int(parameter.kind),
          parameter.default is inspect.Parameter.empty, parameter.annotation)
print(repr(inspect.signature(only).parameters["b"]), repr(inspect.signature(only)))
print("fused" in inspect.signature(torch.optim.AdamW).parameters)
print("lr" in inspect.signature(torch.optim.SGD.__init__).parameters)
print(inspect.signature(K.m), inspect.signature(K().m), inspect.signature(K.k), inspect.signature(K.s))
print(inspect.signature(K), inspect.signature(Made), inspect.signature(Made(1)))
print(inspect.signature(wrapped), inspect.signature(wrapped, follow_wrapped=False))
print(inspect.signature(f).return_annotation, inspect.signature(K.m).return_annotation is inspect.Signature.empty)
print(inspect.signature(f) == inspect.signature(wrapped), inspect.signature(f) == inspect.signature(only))

bound = inspect.signature(f).bind(1, 2, 3, c=4, d=5)
print(bound.arguments, bound.args, bound.kwargs)
bound = inspect.signature(f).bind(1)
bound.apply_defaults()
print(bound.arguments, bound.args, bound.kwargs)
print(inspect.signature(only).bind_partial(1, c=2).arguments)
attempt(lambda: inspect.signature(f).bind())
attempt(lambda: inspect.signature(only).bind(1, 2, 3, 4))
attempt(lambda: inspect.signature(only).bind(1, d=2, z=3))
attempt(lambda: inspect.signature(f).bind(1, a=2))
attempt(lambda: inspect.signature(3))
print(inspect.getfullargspec(f))
print(inspect.getfullargspec(K().m))

print(inspect.isclass(K), inspect.isclass(K()), inspect.isfunction(f), inspect.isfunction(len))
print(inspect.ismethod(K().m), inspect.ismethod(K.m), inspect.isbuiltin(len), inspect.ismodule(torch))
print(inspect.isgenerator(i for i in [1]), inspect.isgeneratorfunction(f), inspect.isroutine(f))
print([name for name, value in inspect.getmembers(K, inspect.isfunction)])
print(inspect.getdoc(f), inspect.getdoc(K), inspect.getdoc(K.m), inspect.getmro(Made))
print(inspect.unwrap(wrapped) is f, inspect.getmodule(torch.nn.Linear).__name__)
code = only.__code__
print(code.co_name, code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_varnames)
print(f.__code__.co_varnames, bool(f.__code__.co_flags & inspect.CO_VARARGS) if hasattr(inspect, "CO_VARARGS") else True)
