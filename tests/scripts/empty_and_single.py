# What has no elements, or one for a channel: products, indices and norms.
import torch
import torch.nn.functional as F


def show(text):
    try:
        print(text, "->", eval(text))
    except (RuntimeError, IndexError, ValueError) as error:
        print(text, "->", type(error).__name__, error)


far, far_place = torch.tensor([5]), torch.tensor(5)
for text in ["torch.tensordot(torch.ones(2, 0), torch.ones(2, 0), dims=([-1], [-1]))",
             "torch.tensordot(torch.ones(2, 0), torch.ones(0, 3), dims=1)",
             "torch.tensordot(torch.ones(0, 2), torch.ones(2, 3), dims=1)",
             "torch.tensordot(torch.ones(2, 0, 3), torch.ones(0, 3, 0), dims=2)",
             "torch.tensordot(torch.ones(2), torch.ones(2), dims=1)",
             "torch.zeros(1, 1, 5)[torch.tensor([0, 1]), :, 2:1]", "torch.zeros(3, 0)[far]",
             "torch.zeros(3, 0)[far, far * 0]", "torch.zeros(3, 3, 0)[far, far]", "torch.zeros(0, 3)[:, far]",
             "torch.zeros(3, 0)[far_place]", "torch.zeros(3, 0).index_put((far,), torch.tensor(1.0))",
             "torch.zeros(0, 3)[torch.tensor([], dtype=torch.int64)]",
             "F.group_norm(torch.ones(1, 1), 1)", "F.group_norm(torch.ones(1, 2), 2)",
             "F.group_norm(torch.ones(1, 2, 1, 1), 2)", "F.group_norm(torch.ones(1, 2), 1)",
             "F.group_norm(torch.ones(2, 2), 2)", "F.instance_norm(torch.ones(1, 2, 1))",
             "F.instance_norm(torch.ones(3, 2, 1))", "F.instance_norm(torch.ones(1, 2))",
             "F.instance_norm(torch.ones(1, 1, 2))"]:
    show(text)


def assign(key, value, sizes):
    y = torch.zeros(sizes)
    y[key] = value
    return y


for value in ["1.0", "torch.ones(1)"]:
    show(f"assign(far, {value}, (3, 0))")
    show(f"assign((slice(None), far), {value}, (0, 3))")
    show(f"assign((far, far), {value}, (3, 3, 0))")

for read, sizes in ((lambda x: x[far], (3, 0)), (lambda x: x[:, far], (0, 3)), (lambda x: x[far, far], (3, 3, 0))):
    print(read(torch.zeros(sizes)), torch.compile(read)(torch.zeros(sizes)))


def write(x):
    x[far] = 1.0
    return x


print(torch.compile(write)(torch.zeros(3, 0)))

# Diagonals and new tensors.
for sizes, wrap in (((3, 3), False), ((2, 4), True), ((7, 3), False), ((7, 3), True), ((8, 3), True), ((4, 3), True),
                    ((3, 3, 3), False), ((2, 2, 2, 2), True)):
    x = torch.zeros(sizes)
    print(x.fill_diagonal_(5, wrap) is x, x.nonzero().tolist(), x.sum())
for text in ["torch.zeros(3).fill_diagonal_(1)", "torch.zeros(2, 2, 3).fill_diagonal_(1)"]:
    show(text)
w = torch.ones(3, 3, requires_grad=True)
(w * 2).fill_diagonal_(0.0).sum().backward()
print(w.grad)
e = w.new_empty(2, 3)
print(e.shape, e.dtype, e.requires_grad, w.new_empty((4,), dtype=torch.int32).dtype, w.double().new_empty(()).dtype)
