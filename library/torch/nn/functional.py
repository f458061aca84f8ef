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


def _reduced(loss, reduction):
    if reduction == "mean":
        return loss.mean()
    if reduction == "sum":
        return loss.sum()
    if reduction != "none":
        raise ValueError(f"{reduction} is not a valid value for reduction")
    return loss


def kl_div(input, target, size_average=None, reduce=None, reduction="mean", log_target=False):
    """`target * (log(target) - input)`; 0 where the target is 0."""
    if log_target:
        loss = target.exp() * (target - input)
    else:
        entropy = torch.where(target > 0, target * torch.log(target.clamp(min=1e-45)), 0.0)
        loss = entropy - target * input
    if reduction == "batchmean":
        return loss.sum() / input.size(0) if input.dim() else loss.sum()
    return _reduced(loss, reduction)


def margin_ranking_loss(input1, input2, target, margin=0, size_average=None, reduce=None,
                        reduction="mean"):
    return _reduced((-target * (input1 - input2) + margin).clamp(min=0), reduction)


def poisson_nll_loss(input, target, log_input=True, full=False, size_average=None, eps=1e-8,
                     reduce=None, reduction="mean"):
    loss = input.exp() - target * input if log_input else input - target * (input + eps).log()
    if full:
        stirling = target * target.log() - target + 0.5 * (2 * 3.141592653589793 * target).log()
        loss = loss + torch.where(target > 1, stirling, 0.0)
    return _reduced(loss, reduction)


def weighted_bce_with_logits(input, target, weight, pos_weight, reduction):
    factor = (pos_weight - 1) * target + 1
    loss = (1 - target) * input - factor * logsigmoid(input)
    return _reduced(loss if weight is None else loss * weight, reduction)


def prelu(input, weight):
    if weight.numel() > 1 and input.dim() > 1:
        weight = weight.reshape([1, -1] + [1] * (input.dim() - 2))
    return torch.where(input >= 0, input, weight * input)


def batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False,
               momentum=0.1, eps=1e-5):
    """Over all dimensions but the second; `running_mean` and `running_var` follow in training."""
    if training:
        count = input.numel() // max(input.size(1), 1)
        if count <= 1:
            raise ValueError("Expected more than 1 value per channel when training, got input size "
                             f"{input.size()}")
    dims = [0] + list(range(2, input.dim()))
    shape = [1, input.size(1)] + [1] * (input.dim() - 2)
    if training:
        mean = input.mean(dims)
        centred = input - mean.reshape(shape)
        var = (centred * centred).mean(dims)
        if running_mean is not None:
            with torch.no_grad():
                running_mean.mul_(1 - momentum).add_(mean.detach(), alpha=momentum)
                running_var.mul_(1 - momentum).add_(var.detach(),
                                                    alpha=momentum * count / (count - 1))
    else:
        mean, var = running_mean, running_var
        centred = input - mean.reshape(shape)
    result = centred * (var + eps).rsqrt().reshape(shape)
    if weight is not None:
        result = result * weight.reshape(shape)
    return result if bias is None else result + bias.reshape(shape)


def bilinear(input1, input2, weight, bias=None):
    result = torch.einsum("...i,kij,...j->...k", input1, weight, input2)
    return result if bias is None else result + bias
