# A node of the tape is one object: `is`, `id` and keys of dicts.
import torch
import torch.nn.functional as F

x = torch.ones(3, requires_grad=True)
y = x * 2
z = y + 1
print(z.grad_fn is z.grad_fn, z.grad_fn == z.grad_fn, y.grad_fn is z.grad_fn, y.grad_fn == z.grad_fn)
node = z.grad_fn
print(node is z.grad_fn, id(node) == id(z.grad_fn), hash(node) == hash(z.grad_fn), x.grad_fn is None)
print(y.detach().grad_fn, z.view(3).grad_fn is z.view(3).grad_fn)


def named(tensor):
    """Each node once, in the order in which they are met."""
    names, waiting = {}, [tensor.grad_fn]
    while waiting:
        at = waiting.pop()
        if at is None or at in names:
            continue
        names[at] = f"{len(names)}:{at.name()}"
        waiting.extend(next_node for next_node, _ in at.next_functions)
    return list(names.values())


def count_ids(tensor):
    seen = set()

    def walk(at):
        if at is not None and at not in seen:
            seen.add(at)
            for next_node, _ in at.next_functions:
                walk(next_node)
    walk(tensor.grad_fn)
    return len(seen)


a = torch.ones(2, 2, requires_grad=True)
b = torch.ones(2, 2, requires_grad=True)
c = a @ b
d = (c + c * c).sum() + a.sum()
print(count_ids(d), len(named(d)))
first = d.grad_fn.next_functions[0][0]
print(first is d.grad_fn.next_functions[0][0], first.name())
pair = c.unbind(0)
print(pair[0].grad_fn is pair[1].grad_fn, [t.grad_fn.name() for t in pair])
leaf = c.grad_fn.next_functions[0][0]
print(leaf.variable is a, leaf.name(), leaf is (a * 2).grad_fn.next_functions[0][0])
held = {node: "held"}
print(held[z.grad_fn], y.grad_fn in held)
del z, y
print(node.name(), node.next_functions[0][0].name(), node is node.next_functions[0][0])


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, value):
        return value * 2

    @staticmethod
    def backward(ctx, gradient):
        return gradient * 2


e = Double.apply(x)
print(e.grad_fn is e.grad_fn, type(e.grad_fn).__name__)
e.sum().backward()
print(e.grad_fn is e.grad_fn, x.grad)
for _ in range(100):
    out = (x * x).sum()
    assert out.grad_fn is out.grad_fn
    assert out.grad_fn.next_functions[0][0] is out.grad_fn.next_functions[0][0]
w = torch.ones(3)
w.requires_grad_()
v = w.clone()
before = v.grad_fn
v.mul_(3)
print(before is v.grad_fn, v.grad_fn.next_functions[0][0] is before, F.relu(v).grad_fn.next_functions[0][0] is v.grad_fn)
