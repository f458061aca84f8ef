# What goes wrong with tensors, in PyTorch's words.
import torch

a, b = torch.ones(2, 3), torch.ones(4)
for bad in (lambda: a + b, lambda: a @ b, lambda: a.view(7), lambda: torch.zeros(-1), lambda: a.sum(5), lambda: a[5], lambda: torch.tensor([[1], [1, 2]]), lambda: torch.cat([a, b]),
            lambda: a.nothing, lambda: torch.nothing, lambda: a.reshape(4, 4), lambda: torch.arange(5, 0), lambda: a.expand(3, 3), lambda: torch.stack([]), lambda: a.unsqueeze(9),
            lambda: torch.softmax(a, 3), lambda: a.item(), lambda: torch.tensor("x"), lambda: a.cumsum(2), lambda: torch.gather(a, 0, b), lambda: torch.where(a, a, a), lambda: ~a, lambda: a & 1, lambda: a << 1.5 if False else torch.ones(2) @ torch.ones(3)):
    try:
        print("no error", bad())
    except Exception as error:
        print(type(error).__name__, "|", str(error).splitlines()[0])


class Thing:
    pass


# Values of the wrong type: the parameter that PyTorch names.
x = torch.ones(2, 3)
for bad in (lambda: torch.exp(Thing()), lambda: torch.exp({}), lambda: torch.exp(print), lambda: torch.stack(Thing()), lambda: torch.add(x, Thing()), lambda: x.add(Thing()), lambda: torch.transpose(x, Thing(), 1), lambda: x.transpose(0, Thing()), lambda: torch.zeros(Thing()),
            lambda: torch.zeros({}), lambda: torch.softmax(x, {}), lambda: x.softmax(Thing()), lambda: torch.matmul(x, Thing()), lambda: torch.randn(Thing()), lambda: torch.nn.functional.relu(3)):
    try:
        print("no error", bad())
    except Exception as error:
        print(type(error).__name__, "|", str(error).splitlines()[0])
endless = []
endless.append(endless)
for bad in (lambda: torch.stack(endless), lambda: torch.zeros(endless), lambda: x.view(endless), lambda: x.sum(endless), lambda: torch.exp(endless), lambda: torch.as_tensor(endless), lambda: x + endless):
    try:
        print("no error", bad())
    except Exception as error:
        print(type(error).__name__)
