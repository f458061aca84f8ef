"""The cost of one small operator from Python, eager and compiled."""

import torch
from timing import best, report

torch.set_num_threads(1)
torch.manual_seed(0)
small = torch.randn(8, 16)
other = torch.randn(8, 16)
eight = torch.randn(8)


def add_one(x):
    return x + 1


report("x+y/(8,16)", "eager", best(lambda x: x + other, small))
report("x*y/(8,16)", "eager", best(lambda x: x * other, small))
report("relu/(8,16)", "eager", best(torch.relu, small))
report("exp/(8,16)", "eager", best(torch.exp, small))
report("sum/(8,16)", "eager", best(torch.sum, small))
report("x+1/(8)", "eager", best(add_one, eight))
report("x+1/(8)", "compiled", best(torch.compile(add_one), eight))
report("nothing", "eager", best(lambda x: x, eight))
