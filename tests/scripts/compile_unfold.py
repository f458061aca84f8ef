# glint only
"""Compiled windows agree with eager ones, also where a write leaves elements between them alone."""
import torch


def smooth(x, size, step):
    return (x * 2).unfold(-1, size, step).mean(-1) + 1


def in_windows(x):
    y = x * 1
    y.unfold(1, 2, 2).mul_(3)
    return y


def through(x):
    w = x.unfold(1, 3, 1)
    x.add_(1)
    return w * 2, w


for dynamic in (False, True, None):
    for function, arguments in ((smooth, (2, 1)), (smooth, (3, 2)), (in_windows, ()), (through, ())):
        torch.compiler.reset()
        compiled = torch.compile(function, dynamic=dynamic)
        for n in (4, 5, 7, 8):
            a = torch.arange(3.0 * n).reshape(3, n)
            expected, got = function(a.clone(), *arguments), compiled(a.clone(), *arguments)
            torch.testing.assert_close(got, expected)
            if function is through:
                own = a.clone()
                seen = compiled(own)[1]
                own.mul_(3)
                torch.testing.assert_close(seen, own.unfold(1, 3, 1))
            else:
                first, second = a.clone().requires_grad_(), a.clone().requires_grad_()
                function(first, *arguments).pow(2).sum().backward()
                compiled(second, *arguments).pow(2).sum().backward()
                torch.testing.assert_close(second.grad, first.grad)
print("agree")
