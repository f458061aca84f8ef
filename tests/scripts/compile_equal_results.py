"""Equal results of a compiled function are tensors of their own: a write to one shows in no other."""
import torch


def equal_exponentials(x):
    return torch.exp(x), torch.exp(x)


def copied_reshapes(x):
    return x.t().reshape(-1), x.t().reshape(-1), x.t().flatten()


def expanded(x):
    return x.expand(2, 2, 3).reshape(-1), x.expand(2, 2, 3).reshape(-1)


def views(x):
    return x.t(), x.t(), x.reshape(-1)


def views_of_results(x):
    return torch.exp(x).view(-1), torch.exp(x).t()


for function in (equal_exponentials, copied_reshapes, expanded, views, views_of_results):
    for each in (function, torch.compile(function)):
        x = torch.arange(6.0).reshape(2, 3)
        results = each(x)
        for number, result in enumerate(results):
            before = [tensor.sum().item() for tensor in (x, *results)]
            result.add_(100)
            after = [tensor.sum().item() for tensor in (x, *results)]
            print(function.__name__, number, [new != old for new, old in zip(after, before)])
