# exit: 1
# "Did you mean": names and attributes, and where nothing is suggested.
import math
import sys

import torch


class Thing:
    def __init__(self):
        self.value = 1
        self.CamelCase = 2

    def method(self):
        return self.metod


def long_names():
    lenght = a_long_name_of_a_local_variable = 1
    a_long_name_of_a_lokal_variable


thing = Thing()
tensor = torch.ones(2)
last = None
for action in (
    lambda: math.sqr,
    lambda: sys.ecit,
    lambda: prnt(1),
    long_names,
    lambda: thing.valeu,
    lambda: thing.camelcase,
    thing.method,
    lambda: Thing.metod,
    lambda: "a".uper(),
    lambda: [].lenght,
    lambda: {}.itmes(),
    lambda: None.foo,
    lambda: range(3).sart,
    lambda: torch.nn.functional.rellu(tensor),
    lambda: torch.nn.Linaer(2, 3),
    lambda: tensor.shap,
    lambda: getattr(thing, "valu"),
    lambda: thng,
    lambda: ture,
    lambda: xyzzy_nothing_like_it,
    lambda: int("a", bas=2),
):
    try:
        action()
    except Exception as error:
        error.__context__, last = last, error
        print(getattr(error, "name", None), hasattr(error, "obj"))
raise last
