"""Sizes given as lists and one by one, numbers in place of tensors, and what PyTorch says of wrong ones."""
import torch


def attempt(call):
    try:
        result = call()
        print(result, result.dtype)
    except Exception as error:
        print(f"{type(error).__name__}: {error}")


x = torch.arange(6.0).reshape(2, 3)
small = torch.zeros(2, dtype=torch.uint8)
first = torch.tensor([0, 1])

print("copy_")
for number in (1, 2.5, True, 300, -1):
    attempt(lambda: small.clone().copy_(number))
attempt(lambda: x.clone().copy_(0.1))
attempt(lambda: torch.zeros(1, dtype=torch.float64).copy_(0.1))
attempt(lambda: x.clone().copy_(other=x + 1))
attempt(lambda: x.clone().copy_(x + 1, True))
for wrong in ("a", None, [1, 2]):
    attempt(lambda: x.clone().copy_(wrong))
attempt(lambda: torch.ones(3, 1).expand(3, 4).copy_(1))
w = torch.ones(3, requires_grad=True)
y = w * 2
y.copy_(5)
print(y, y.sum().backward(), w.grad)

print("fill_")
for wrong in ("a", None, [1, 2], (1,), torch.float32):
    attempt(lambda: x.clone().fill_(wrong))
attempt(lambda: x.clone().fill_())
attempt(lambda: torch.fill(x, "a"))
attempt(lambda: x.masked_fill(x > 1, "a"))
attempt(lambda: x.clone().masked_fill_(x > 1, None))
attempt(lambda: x.index_fill(0, first, "a"))

print("full")
for wrong in ("a", None, [1]):
    attempt(lambda: torch.full((2,), wrong))
attempt(lambda: torch.full(2, 3))
attempt(lambda: torch.full((), 3))
attempt(lambda: torch.full_like(x, "a"))
attempt(lambda: x.new_full((2,), None))
attempt(lambda: x.new_full(2, 3))

print("flip")
for call in (lambda: torch.flip(x, 1), lambda: torch.flip(x), lambda: torch.flip(x, dims=(1,)),
             lambda: torch.flip(x, 0, 1), lambda: torch.flip(x, (0, 1)), lambda: x.flip(0, 1),
             lambda: x.flip(), lambda: x.flip(()), lambda: x.flip(dims=1), lambda: x.flip("a")):
    attempt(call)

print("sizes")
for call in (lambda: torch.zeros(), lambda: torch.zeros(size=3), lambda: torch.zeros(()),
             lambda: torch.permute(x, 0), lambda: x.permute(), lambda: torch.reshape(x, 6),
             lambda: torch.reshape(x, (6,)), lambda: x.reshape(), lambda: x.reshape(shape=6),
             lambda: torch.tile(x, 2), lambda: x.repeat(), lambda: x.expand(),
             lambda: x.broadcast_to(size=3), lambda: x.new_zeros(), lambda: x.new_ones(size=2)):
    attempt(call)

print("take")
for place in (5, -6, 6, -7):
    attempt(lambda: x.t().take(torch.tensor([0, place])))
attempt(lambda: torch.take(x, torch.tensor([[0, 1], [4, 4]])))
attempt(lambda: torch.take(x, 1))
v = torch.arange(6.0, requires_grad=True)
taken = v.reshape(2, 3).t().take(torch.tensor([[0, 1], [1, -1]]))
print(taken)
(taken * torch.tensor([[1.0, 2.0], [3.0, 4.0]])).sum().backward()
print(v.grad)

print("index_put_")
for indices, values in (((first,), torch.zeros(4)), ((first, first), torch.zeros(3)),
                        ((first, torch.tensor([0, 1, 2])), torch.zeros(3)),
                        ((first, first, first), torch.zeros(2)), ((first,), torch.zeros(3, 3)),
                        ((first,), torch.zeros(2, 2, 3)), ((x > 1,), torch.zeros(3)),
                        ((first,), torch.zeros(2, 1)), ((first, first[:1]), torch.zeros(()))):
    attempt(lambda: x.clone().index_put_(indices, values))
    attempt(lambda: x.index_put(indices, values, accumulate=True))

print("cumsum_")
attempt(lambda: torch.ones(3, 1).expand(3, 4).cumsum_(1))
attempt(lambda: torch.ones(1, 4).expand(3, 4).cumprod_(0))
