"""Hooks on leaves, in eager and in compiled steps: each runs once a backward."""
import torch
from torch import nn


def run(make):
    torch.manual_seed(0)
    log = []
    net = nn.Linear(4, 1)
    net.weight.register_hook(lambda g: log.append(round(g.norm().item(), 4)))
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    step = make(net, opt)
    for i in range(4):
        step(torch.ones(5, 4) * (i + 1))
        print(len(log), log[-1], net.bias)


def whole(net, opt):
    def step(x):
        opt.zero_grad()
        (net(x) ** 2).mean().backward()
        opt.step()

    return step


def compiled_whole(net, opt):
    return torch.compile(whole(net, opt), backend="eager")


def compiled_model(net, opt):
    model = torch.compile(net, backend="eager")

    def step(x):
        opt.zero_grad()
        (model(x) ** 2).mean().backward()
        opt.step()

    return step


for make in (whole, compiled_whole, compiled_model):
    run(make)
