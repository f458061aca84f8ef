# torch.nn.functional: gates, norms, shuffles, attention, losses, windows; values, errors, gradients.
import torch
import torch.nn.functional as F
torch.manual_seed(0)
def attempt(what, f):
    try:
        print(what, f())
    except Exception as e:
        print(what, "|", type(e).__name__, "|", str(e))
inf, nan = float("inf"), float("nan")
x = torch.tensor([[1.5, -2.25, 0.0, nan], [inf, -inf, -0.0, 3.0]])
y = torch.tensor([[0.5, 2.0, -1.0, 1.0], [nan, 2.0, 0.0, -4.0]])
p = torch.tensor([[0.1, 0.5, 0.9], [0.3, 0.0, 1.0]])
m = torch.arange(6.0).reshape(2, 3)
attempt("glu", lambda: F.glu(torch.arange(8.0).reshape(2, 4)))
attempt("glu", lambda: F.glu(m))
attempt("hardshrink", lambda: F.hardshrink(y, 0.6))
attempt("softshrink", lambda: F.softshrink(y, 0.6))
attempt("softshrink", lambda: F.softshrink(y, -1))
attempt("elu_", lambda: F.elu_(y.clone()))
attempt("leaky_relu_", lambda: F.leaky_relu_(y.clone(), 0.1))
g = torch.arange(24.0).reshape(2, 4, 3).sin()
attempt("group_norm", lambda: F.group_norm(g, 2, torch.ones(4), torch.arange(4.0)))
attempt("group_norm", lambda: F.group_norm(g, 3))
attempt("group_norm", lambda: F.group_norm(g[:0], 2, torch.ones(4)))


def of_no_batch(x):
    F.group_norm(x, 2).sum().backward()
    return x.grad


attempt("group_norm", lambda: of_no_batch(torch.ones(0, 4, 3, requires_grad=True)))
attempt("instance_norm", lambda: F.instance_norm(g))
im = torch.arange(32.0).reshape(1, 8, 2, 2)
attempt("pixel_shuffle", lambda: F.pixel_shuffle(im, 2))
attempt("pixel_shuffle", lambda: F.pixel_shuffle(im, 3))
attempt("pixel_unshuffle", lambda: F.pixel_unshuffle(im, 2).shape)
attempt("channel_shuffle", lambda: F.channel_shuffle(im, 2)[0, :, 0, 0])
q, k, v = (torch.arange(24.0).reshape(2, 3, 4) * s for s in (0.1, 0.2, 1.0))
attempt("sdpa", lambda: F.scaled_dot_product_attention(q, k, v))
attempt("sdpa", lambda: F.scaled_dot_product_attention(q, k, v, is_causal=True))
attempt("sdpa", lambda: F.scaled_dot_product_attention(q, k, v, torch.tensor([True, False, True]), scale=1.0))
attempt("sdpa", lambda: F.scaled_dot_product_attention(q, k, v, torch.zeros(3, 3)))
attempt("gumbel", lambda: F.gumbel_softmax(m, 0.5))
attempt("gumbel", lambda: F.gumbel_softmax(m, hard=True))
t1 = torch.tensor([[1.0, -1.0, 1.0], [-1.0, 1.0, 1.0]])
for how in ("mean", "sum", "none"):
    attempt("soft_margin", lambda: F.soft_margin_loss(m, t1, reduction=how))
    attempt("hinge", lambda: F.hinge_embedding_loss(m, t1, reduction=how))
    attempt("cosine", lambda: F.cosine_embedding_loss(m, m.flip(1), torch.tensor([1, -1]), reduction=how))
    attempt("triplet", lambda: F.triplet_margin_loss(m, m + 1, m.flip(1), reduction=how))
    attempt("multi_margin", lambda: F.multi_margin_loss(m, torch.tensor([1, 2]), reduction=how))
    attempt("multilabel", lambda: F.multilabel_soft_margin_loss(m, (t1 > 0).float(), reduction=how))
    attempt("gaussian", lambda: F.gaussian_nll_loss(m, m.flip(1), torch.ones(2, 3) * 2, reduction=how))
s1 = torch.arange(16.0).reshape(1, 2, 8).cos()
w1 = torch.arange(12.0).reshape(3, 2, 2) / 10
attempt("conv1d", lambda: F.conv1d(s1, w1, torch.ones(3)))
attempt("conv1d", lambda: F.conv1d(s1, w1, stride=2, padding=1, dilation=2))
attempt("conv1d", lambda: F.conv1d(s1[0], w1).shape)
attempt("conv1d", lambda: F.conv1d(s1, w1[:, :1].repeat(2, 1, 1)[:4], groups=2))
attempt("conv1d", lambda: F.conv1d(s1, w1[:, :1]))
attempt("conv1d", lambda: F.conv1d(s1[0, 0], w1))
s2 = torch.arange(32.0).reshape(1, 2, 4, 4).cos()
w2 = torch.arange(24.0).reshape(3, 2, 2, 2) / 10
attempt("conv2d", lambda: F.conv2d(s2, w2, torch.ones(3)))
attempt("conv2d", lambda: F.conv2d(s2, w2, stride=(2, 1), padding=(1, 0)))
attempt("max_pool1d", lambda: F.max_pool1d(s1, 3, 2, 1))
attempt("max_pool2d", lambda: F.max_pool2d(s2, 2))
attempt("max_pool2d", lambda: F.max_pool2d(s2, 2, 1, 2))
attempt("avg_pool1d", lambda: F.avg_pool1d(s1, 3, 2, 1))
attempt("avg_pool2d", lambda: F.avg_pool2d(s2, 2, padding=1, count_include_pad=False))
attempt("adaptive", lambda: F.adaptive_avg_pool1d(s1, 3))
attempt("adaptive", lambda: F.adaptive_avg_pool2d(s2, (1, 3)))
attempt("torch.selu", lambda: torch.selu(m) - torch.celu(m))


def gradients(what, f, *leaves):
    leaves = [leaf.clone().requires_grad_() for leaf in leaves]
    out = f(*leaves)
    out = out if isinstance(out, torch.Tensor) else out[0]
    (out * torch.arange(1.0, out.numel() + 1).reshape(out.shape)).sum().backward()
    print(what, [leaf.grad.round(decimals=2) for leaf in leaves])


a, b = torch.tensor([[0.0, 0.0, 2.0], [1.0, 3.0, 2.0]]), torch.tensor([[2.0, 0.0, 2.0], [4.0, 1.0, 5.0]])
gradients("glu", F.glu, torch.arange(8.0).reshape(2, 4) / 4)
gradients("softshrink", F.softshrink, a)
gradients("hardshrink", F.hardshrink, a)
gradients("group_norm", lambda x, w: F.group_norm(x, 2, w), g, torch.ones(4))
gradients("sdpa", lambda x, y, z: F.scaled_dot_product_attention(x, y, z, is_causal=True), q, k, v)
gradients("conv1d", lambda x, w, c: F.conv1d(x, w, c, 2, 1), s1, w1, torch.ones(3))
gradients("conv2d", lambda x, w: F.conv2d(x, w), s2, w2)
gradients("max_pool2d", lambda x: F.max_pool2d(x, 2, 1), s2)
gradients("avg_pool1d", lambda x: F.avg_pool1d(x, 3, 2, 1), s1)
gradients("triplet", lambda x, y: F.triplet_margin_loss(x, y, y.flip(1)), a, b)
gradients("cosine", lambda x, y: F.cosine_embedding_loss(x, y, torch.tensor([1, -1])), a, b)
