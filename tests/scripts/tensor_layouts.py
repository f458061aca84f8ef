"""Strides of results: an elementwise operator keeps the layout of its operands, as PyTorch's does."""
import torch


def numbers(*sizes):
    return torch.arange(float(torch.Size(sizes).numel())).view(*sizes) / 8


LAYOUTS = {
    "plain": lambda: numbers(3, 4), "transposed": lambda: numbers(3, 4).t(), "permuted": lambda: numbers(2, 3, 4).permute(2, 0, 1),
    "gaps": lambda: numbers(4, 6)[:, ::2].t(), "repeated": lambda: numbers(3, 1).expand(3, 4), "column": lambda: numbers(1, 3).t(),
    "one_between": lambda: numbers(2, 1, 4).transpose(0, 2), "part": lambda: numbers(4, 6)[1:3, 2:5], "steps": lambda: numbers(6)[::2],
}
OPERATORS = [
    "x + 1", "2.5 * x", "x + x", "-x", "x.exp()", "x > 1", "x.abs()", "torch.where(x > 1, x, 0)", "x.clone()", "x.contiguous()", "x.double()", "x.long()",
    "torch.zeros_like(x)", "torch.ones_like(x)", "torch.full_like(x, 2)", "x.sum(0)", "x.sum(-1, keepdim=True)", "x.mean(0)", "x.cumsum(0)", "x.softmax(0)",
    "x.softmax(-1)", "x.unsqueeze(0)", "x.unsqueeze(1)", "x.unsqueeze(-1)", "x[None]", "x[:1]", "x[..., :1]", "x[0]", "x.flip(0)", "x.sort(0)[0]", "x.sort(-1)[1]",
    "torch.cat([x, x])", "torch.stack([x, x], -1)", "x.masked_fill(x > 1, 0)", "x.pow(2)", "x / 2", "torch.maximum(x, x + 1)", "x + x.mean(0)",
    "x - x.mean(-1, keepdim=True)", "torch.ones(1) * x", "torch.tensor(2.0) * x", "1 - x", "x == 1", "x.nonzero()", "x.expand(2, *x.shape)", "x.split(1)[0]",
    "x.split(1, -1)[0]", "x.transpose(0, -1)", "x.narrow(0, 0, 1)", "x.reshape(1, *x.shape)", "x.reshape(*x.shape, 1)", "x.squeeze()", "x.flatten()",
    "torch.rand_like(x)", "torch.bernoulli(x.sigmoid())", "x.clone().uniform_()",
]
for text in OPERATORS:
    function = eval("lambda x: " + text)
    for name, make in LAYOUTS.items():
        torch.manual_seed(0)
        result = function(make())
        values = [round(float(value), 2) for value in result.reshape(-1)[:4].tolist()]
        print(text, name, tuple(result.shape), result.stride(), result.is_contiguous(), values)
