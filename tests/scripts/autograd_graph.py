# The graph that a user can see: names of nodes, edges, printing, hooks, kept gradients.
import torch
import torch.nn.functional as F

x = torch.tensor([[1.0, -2.0, 3.0], [0.5, 1.5, -1.0]], requires_grad=True)
v = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
i = torch.tensor([0, 1])


def names(node, depth=0):
    print("  " * depth + (node.name() if node is not None else "None"))
    if node is not None:
        for following, number in node.next_functions:
            names(following, depth + 1)


names((F.relu(x @ v + 1) * 2).sum().grad_fn)
names(torch.cat([x, x.t().view(-1)[None] if x.t().is_contiguous() else x * 2], 1)[0].mean().grad_fn)
print(x.t().reshape(2, 3).grad_fn.name())
print(x, x[0], x.sum(), x.view(3, 2), x.reshape(6), x.t().reshape(6))
print(x.squeeze(), x[None].squeeze(0), x[None, None].squeeze((0, 1)), x.unsqueeze(0))
for y in (x.view(6), x.flatten(), x.t().flatten(), x.contiguous(), x.t().contiguous(), x.T, x.mT,
          x.permute(1, 0), x.transpose(0, 1), x.expand(2, 2, 3), x.expand_as(x), x[:, 1:], x[0, 1],
          x.narrow(0, 0, 1), x.select(0, 1), x.unbind()[0], x.split(1)[1],
          x.chunk(2)[0], x.diagonal(), x.clone(), x.double(), x.float(), x.to(torch.float64),
          x.movedim(0, 1), x.unflatten(1, (3, 1)), x.repeat(2, 1), x.tile(2), x.flip(0),
          x.roll(1), x.repeat_interleave(2), torch.stack([x, x]), torch.hstack([x, x]),
          torch.outer(v, v), torch.dot(v, v), x @ v, x @ x.t(), x[None] @ x.t()[None],
          torch.mv(x, v), torch.mm(x, x.t()), torch.addmm(x[:, :2], x, x.t()),
          F.linear(x, x), F.linear(x, x, x[0, :2]),
          x + 1, x - 1, 1 - x, x * 2, x / 2, 1 / x, x ** 2, 2 ** x, x ** x, -x, abs(x), x // 1, x % 2,
          x.sqrt(), x.rsqrt(), x.square(), x.reciprocal(), x.sign(), x.round(), x.floor(),
          x.clamp(0, 1), x.clamp_min(0), x.relu(), x.tanh(), x.sigmoid(), x.softmax(1),
          x.log_softmax(1), x.logsumexp(1), F.gelu(x), F.silu(x), F.elu(x), F.leaky_relu(x),
          F.softplus(x), F.hardtanh(x), F.logsigmoid(x), F.layer_norm(x, (3,)), F.dropout(x, 0.5),
          F.embedding(i, x), F.mse_loss(x, x), F.l1_loss(x, x), F.smooth_l1_loss(x, x),
          F.cross_entropy(x, i), F.nll_loss(x, i), F.binary_cross_entropy_with_logits(x, x.detach()),
          
          x.sum(), x.sum(0), x.mean(), x.mean(1), x.prod(), x.prod(0), x.max(), x.max(0).values,
          x.amax(0), x.min(), x.min(1).values, x.var(), x.std(), x.var(0), x.std(1), x.norm(),
          x.cumsum(0), x.cumprod(0), x.sort().values, x.topk(1).values,
          x.gather(1, i[None]), x.index_select(0, i), x.scatter(0, i[None], 1.0),
          x.masked_fill(x > 0, 0.0), torch.where(x > 0, x, v), x.tril(), x.triu(),
          torch.maximum(x, v), torch.minimum(x, v), torch.lerp(x, v, 0.5), torch.addcmul(x, x, x),
          torch.addcdiv(x, x, x), torch.atan2(x, v), x.erf(), x.exp(), x.log(), x.log1p(), x.expm1(),
          x.sin(), x.cos(), x.tan(), x.index_add(0, i, x), x.to(torch.float64)):
    print(y.grad_fn.name() if y.grad_fn is not None else None)
print(x.sum().grad_fn.next_functions[0][0].variable is x)
y = x * 2
print(type(y.grad_fn).__name__, y.grad_fn.next_functions[0][1], len(y.grad_fn.next_functions))

y = v * 2
y.retain_grad()
print(y.retains_grad, v.retains_grad)
handle = y.register_hook(lambda g: print("arrived", g))
other = v.register_hook(lambda g: g * 10)
(y * y).sum().backward()
print(y.grad, v.grad)
handle.remove()
other.remove()
v.grad = None
(v * 2).sum().backward()
print(v.grad, (v * 2).grad_fn is not None)
v.register_post_accumulate_grad_hook(lambda p: print("accumulated", p.grad))
(v * 3).sum().backward()
