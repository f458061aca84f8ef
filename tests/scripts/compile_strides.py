# Tensors whose strides change from call to call: a context that is cropped, parts of tensors of
# several widths, tensors of one element in a dimension, layouts with the channels last.
import torch
import torch._dynamo.testing
import torch.nn.functional as F

torch.manual_seed(0)
counter = torch._dynamo.testing.CompileCounterWithBackend("eager")


def body(x, w):
    return ((x * 2 + 1).sum(0), x @ w, x.contiguous() + 1, x.t().reshape(-1), x[1:, :3],
            F.softmax(x, 0), x.argmax(1), x.cumsum(0), torch.cat([x, x], 1), x.flip(0))


def check(compiled, eager, *arguments):
    for left, right in zip(compiled(*arguments), eager(*arguments)):
        assert left.stride() == right.stride(), (left.stride(), right.stride())
        assert torch.allclose(left, right), (left, right)


w = torch.randn(6, 5)
compiled = torch.compile(body)
for n in (7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18):
    check(compiled, body, torch.randn(4, n)[:, :6], w)


def loss(x, w):
    return (torch.tanh(x) @ w).pow(2).sum()


compiled = torch.compile(loss)
for n in (7, 8, 9, 10, 11):
    big = torch.randn(4, n, requires_grad=True)
    same = big.detach().clone().requires_grad_()
    compiled(big[:, :6], w).backward()
    loss(same[:, :6], w).backward()
    assert torch.allclose(big.grad, same.grad)


def write(x):
    x.mul_(2)
    x[1] += 1
    return x.sum()


compiled = torch.compile(write)
for n in (7, 8, 9, 10, 11):
    big = torch.randn(4, n)
    same = big.clone()
    assert torch.allclose(compiled(big[:, :6]), write(same[:, :6]))
    assert torch.equal(big, same)


def one_of_each(t):
    return t * 2, t[:, 0], t.view(-1)


compiled = torch.compile(one_of_each)
for n in (5, 6, 7, 8):
    results = compiled(torch.arange(n)[None][:, 2:3])
    print(results, results[1].stride())

compiled = torch.compile(lambda t: t.sum(1))
for n in (5, 6, 7, 8):
    print(compiled(torch.arange(4.0 * n).reshape(4, n).t()))

compiled = torch.compile(lambda t: F.relu(t) * 2)
for n in (4, 3, 2, 1):
    t = torch.randn(n, 3, 5, 5).to(memory_format=torch.channels_last)
    assert torch.equal(compiled(t), F.relu(t) * 2)
    print(n, compiled(t).is_contiguous(memory_format=torch.channels_last))


def step(context):
    return context.sum(1, keepdim=True) % 11


def generate(rows, steps):
    fast = torch.compile(step, backend=counter)
    context = torch.ones(rows, 1, dtype=torch.long)
    for _ in range(steps):
        context = torch.cat((context, fast(context[:, -8:])), dim=1)
    return context


for rows, most in ((1, 3), (3, 6)):
    print(generate(rows, 24))
    print(counter.frame_count <= most)


class Cache:
    def __init__(self):
        self.keys = torch.zeros(2, 16, 4)

    def extend(self, k, start):
        self.keys[:, start:start + k.shape[1]] = k
        return self.keys[:, :start + k.shape[1]].sum(1)


cache = Cache()
counter = torch._dynamo.testing.CompileCounterWithBackend("eager")
extend = torch.compile(cache.extend, backend=counter)
for start in range(1, 12):
    print(extend(torch.full((2, 1, 4), float(start)), start)[0])
print(counter.frame_count <= 2, cache.keys.sum().item())
