"""A method that waits for its arguments keeps its object, while a callee among them is compiled."""
import torch


def halved(x, n):
    return x if n <= 0 else halved(x, n - 1)


class Recorder:
    def note(self, *values):
        print(values)


recorder = Recorder()


def steps(x):
    level = x.mean()
    yield x
    recorder.note(7, halved(x, level) > 1, 8, 9)
    print((x * x).masked_fill(halved(x, level % 4) > 1, 0.25))


def call(f, *arguments):
    return f(*arguments)


call(lambda *arguments: list(steps(*arguments)), torch.arange(6.0).view(3, 2).t() / 3)
call(lambda *arguments: list(steps(*arguments)), torch.arange(6.0).view(3, 2).t() / 4)
