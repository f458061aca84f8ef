"""What `torch.nn.functional` has besides operators; runs in the same module, behind them."""
import torch


def normalize(input, p=2.0, dim=1, eps=1e-12, out=None):
    if p == 2.0:
        length = (input * input).sum(dim, keepdim=True).sqrt()
    elif p == 1.0:
        length = input.abs().sum(dim, keepdim=True)
    elif p == float("inf"):
        length = input.abs().amax(dim, keepdim=True)
    else:
        length = (input.abs() ** p).sum(dim, keepdim=True) ** (1.0 / p)
    return input / length.clamp(min=eps)


def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    product = (x1 * x2).sum(dim)
    a = (x1 * x1).sum(dim).sqrt().clamp(min=eps)
    b = (x2 * x2).sum(dim).sqrt().clamp(min=eps)
    return product / (a * b)


def pairwise_distance(x1, x2, p=2.0, eps=1e-6, keepdim=False):
    return ((x1 - x2 + eps).abs() ** p).sum(-1, keepdim=keepdim) ** (1.0 / p)


def selu(input, inplace=False):
    alpha, scale = 1.6732632423543772848170429916717, 1.0507009873554804934193349852946
    return scale * torch.where(input > 0, input, alpha * torch.expm1(input))


def celu(input, alpha=1.0, inplace=False):
    return torch.where(input > 0, input, alpha * torch.expm1(input / alpha))


def mish(input, inplace=False):
    return input * torch.tanh(softplus(input))


def hardsigmoid(input, inplace=False):
    return (input + 3).clamp(0, 6) / 6


def hardswish(input, inplace=False):
    return input * (input + 3).clamp(0, 6) / 6


def softsign(input):
    return input / (1 + input.abs())


def softmin(input, dim=None):
    return softmax(-input, dim)


def tanhshrink(input):
    return input - input.tanh()


def threshold(input, threshold, value, inplace=False):
    return torch.where(input > threshold, input, value)


def huber_loss(input, target, reduction="mean", delta=1.0):
    distance = (input - target).abs()
    loss = torch.where(distance <= delta, 0.5 * distance * distance,
                       delta * (distance - 0.5 * delta))
    if reduction == "mean":
        return loss.mean()
    return loss.sum() if reduction == "sum" else loss


def bilinear(input1, input2, weight, bias=None):
    result = torch.einsum("...i,kij,...j->...k", input1, weight, input2)
    return result if bias is None else result + bias
