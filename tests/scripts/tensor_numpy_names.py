# NumPy's names of parameters, tensors from numbers that do not fit, and what as_tensor takes.
import torch

x = torch.arange(6.0).reshape(2, 3)
print(x.sum(axis=0), x.sum(axis=0, keepdims=True), torch.mean(x, axis=1, keepdims=True))
print(torch.max(x, axis=1), x.argmax(axis=1, keepdims=True), torch.cat([x, x], axis=1).shape)
print(torch.stack([x, x], axis=1).shape, x.softmax(axis=1), x.unsqueeze(axis=1).shape)


def show(call):
    try:
        print(call())
    except Exception as error:
        print(type(error).__name__, error)


show(lambda: torch.as_tensor([1, 2]))
show(lambda: torch.as_tensor(3))
show(lambda: torch.as_tensor([True]))
show(lambda: torch.tensor([300], dtype=torch.int8))
show(lambda: torch.tensor(-300, dtype=torch.int8))
show(lambda: torch.tensor(300, dtype=torch.uint8))
show(lambda: torch.tensor([-1, -255], dtype=torch.uint8))
show(lambda: torch.tensor([-256], dtype=torch.uint8))
show(lambda: torch.tensor([2**40], dtype=torch.int32))
show(lambda: torch.tensor([70000.0], dtype=torch.int16))
show(lambda: torch.tensor([1.5, -2.5], dtype=torch.int8))
show(lambda: torch.tensor([[1, 2], [3, 400]], dtype=torch.int8))
print(torch.nn.ParameterList([torch.nn.Parameter(torch.ones(2, 3)), torch.ones(4)]))
show(lambda: torch.compile(lambda x: x + 1, dynamic="yes")(x))
