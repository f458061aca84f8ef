"""A method of one native class is not called with an object of another, whose memory is laid out otherwise."""
import sys

import torch

for other in (sys.stdout, int | None, torch.Generator, 5, "text"):
    for method in (torch.Generator.manual_seed, torch.Generator.get_state):
        try:
            method(other) if method is torch.Generator.get_state else method(other, 5)
            print("called")
        except TypeError:
            print("TypeError")
print(torch.Generator.manual_seed(torch.Generator(), 5).initial_seed())
try:
    type(sys.stdout).write(torch.Generator(), "x")
except TypeError:
    print("TypeError")
