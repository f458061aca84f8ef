"""The functions of ladder.py: n light operators of a pool of twenty, then a sum, spelled out."""

import torch


def ladder_1(x):
    x = x * x
    return x.sum()


def ladder_5(x):
    x = x * x
    x = x + x
    x = torch.sin(x)
    x = torch.cos(x)
    x = torch.relu(x)
    return x.sum()


def ladder_10(x):
    x = x * x
    x = x + x
    x = torch.sin(x)
    x = torch.cos(x)
    x = torch.relu(x)
    x = x / (x + 1.0)
    x = x - 0.5
    x = torch.tanh(x)
    x = torch.sigmoid(x)
    x = torch.exp(-x)
    return x.sum()


def ladder_15(x):
    x = x * x
    x = x + x
    x = torch.sin(x)
    x = torch.cos(x)
    x = torch.relu(x)
    x = x / (x + 1.0)
    x = x - 0.5
    x = torch.tanh(x)
    x = torch.sigmoid(x)
    x = torch.exp(-x)
    x = torch.abs(x)
    x = torch.sqrt(torch.abs(x))
    x = torch.square(x)
    x = -x
    x = torch.clamp(x, -1.0, 1.0)
    return x.sum()


def ladder_20(x):
    x = x * x
    x = x + x
    x = torch.sin(x)
    x = torch.cos(x)
    x = torch.relu(x)
    x = x / (x + 1.0)
    x = x - 0.5
    x = torch.tanh(x)
    x = torch.sigmoid(x)
    x = torch.exp(-x)
    x = torch.abs(x)
    x = torch.sqrt(torch.abs(x))
    x = torch.square(x)
    x = -x
    x = torch.clamp(x, -1.0, 1.0)
    x = torch.log1p(torch.abs(x))
    x = torch.clamp_min(x, 0.1)
    x = torch.clamp_max(x, 0.9)
    x = x * 0.5
    x = x + 1.0
    return x.sum()


def ladder_25(x):
    x = x * x
    x = x + x
    x = torch.sin(x)
    x = torch.cos(x)
    x = torch.relu(x)
    x = x / (x + 1.0)
    x = x - 0.5
    x = torch.tanh(x)
    x = torch.sigmoid(x)
    x = torch.exp(-x)
    x = torch.abs(x)
    x = torch.sqrt(torch.abs(x))
    x = torch.square(x)
    x = -x
    x = torch.clamp(x, -1.0, 1.0)
    x = torch.log1p(torch.abs(x))
    x = torch.clamp_min(x, 0.1)
    x = torch.clamp_max(x, 0.9)
    x = x * 0.5
    x = x + 1.0
    x = x * x
    x = x + x
    x = torch.sin(x)
    x = torch.cos(x)
    x = torch.relu(x)
    return x.sum()


def ladder_30(x):
    x = x * x
    x = x + x
    x = torch.sin(x)
    x = torch.cos(x)
    x = torch.relu(x)
    x = x / (x + 1.0)
    x = x - 0.5
    x = torch.tanh(x)
    x = torch.sigmoid(x)
    x = torch.exp(-x)
    x = torch.abs(x)
    x = torch.sqrt(torch.abs(x))
    x = torch.square(x)
    x = -x
    x = torch.clamp(x, -1.0, 1.0)
    x = torch.log1p(torch.abs(x))
    x = torch.clamp_min(x, 0.1)
    x = torch.clamp_max(x, 0.9)
    x = x * 0.5
    x = x + 1.0
    x = x * x
    x = x + x
    x = torch.sin(x)
    x = torch.cos(x)
    x = torch.relu(x)
    x = x / (x + 1.0)
    x = x - 0.5
    x = torch.tanh(x)
    x = torch.sigmoid(x)
    x = torch.exp(-x)
    return x.sum()


LADDER = {
    1: ladder_1,
    5: ladder_5,
    10: ladder_10,
    15: ladder_15,
    20: ladder_20,
    25: ladder_25,
    30: ladder_30,
}
