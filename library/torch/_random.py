"""Random tensors that are made of other draws: PyTorch's own numbers for the same seed."""
import torch
from torch._output import scalar_name, write


def normal(mean, std=1.0, size=None, *, generator=None, out=None, dtype=None, device=None,
           requires_grad=False):
    """Normal numbers; where `mean` or `std` is a tensor, one for each element."""
    if isinstance(std, torch.Tensor):
        if bool((std < 0).any()):
            raise RuntimeError("normal expects all elements of std >= 0.0")
    elif std < 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std:g}")
    tensors = [t for t in (mean, std) if isinstance(t, torch.Tensor)]
    with torch.no_grad():
        if not tensors:
            made = torch.empty(size, dtype=dtype, device=device) if out is None else out.resize_(size)
            made.normal_(mean, std, generator=generator)
        else:
            shape = torch.broadcast_shapes(*[t.shape for t in tensors])
            if out is not None and not (isinstance(mean, torch.Tensor) and len(tensors) == 1):
                out.resize_(shape)
            made = out
            if out is None:
                made = torch.empty(shape, dtype=tensors[0].dtype, device=tensors[0].device)
            made.normal_(generator=generator).mul_(std).add_(mean)
    return made.requires_grad_() if requires_grad else made


def randint_like(input, low, high=None, *, dtype=None, device=None, requires_grad=False,
                 generator=None):
    """Random integers from `low` up to, but not, `high`, in the sizes of a tensor."""
    if high is None:
        low, high = 0, low
    made = torch.empty_like(input, dtype=dtype, device=device)
    return made.random_(low, high, generator=generator)


def multinomial(input, num_samples, replacement=False, *, generator=None, out=None):
    """Indices drawn by their weights: of each row, `num_samples`."""
    if out is not None:
        refusal = f"multinomial expects Long tensor out, got: {scalar_name(out)}"
        drawn = multinomial(input, num_samples, replacement, generator=generator)
        return write(out, drawn, refusal)
    if input.dim() != 1 and input.dim() != 2:
        raise RuntimeError("prob_dist must be 1 or 2 dim")
    if not input.is_floating_point():
        raise RuntimeError("multinomial only supports floating-point dtypes for input, got: "
                           f"{scalar_name(input)}")
    if num_samples <= 0:
        raise RuntimeError("cannot sample n_sample <= 0 samples")
    if not replacement and num_samples > input.size(-1):
        raise RuntimeError("cannot sample n_sample > prob_dist.size(-1) samples without "
                           "replacement")
    with torch.no_grad():
        if not bool((torch.isfinite(input) & (input >= 0)).all()):
            raise RuntimeError("probability tensor contains either `inf`, `nan` or element < 0")
        if not bool((input.sum(-1) > 0).all()):
            raise RuntimeError("invalid multinomial distribution (sum of probabilities <= 0)")
        if not replacement or num_samples == 1:
            # The largest of weights over exponential numbers: one race for all samples.
            race = input / torch.empty_like(input).exponential_(1.0, generator=generator)
            if num_samples == 1:
                return race.argmax(-1, keepdim=True)
            return race.topk(num_samples)[1]
        rows = input if input.dim() == 2 else input[None]
        if input.is_cuda:
            drawn = _draw_on_gpu(rows, num_samples, generator)
            return drawn if input.dim() == 2 else drawn[0]
        drawn = [_draw(row, num_samples, generator) for row in rows]
        return torch.stack(drawn) if input.dim() == 2 else drawn[0]


def _draw_on_gpu(rows, count, generator):
    """As PyTorch's kernel: 128 threads or a multiple draw for a row."""
    sums = (rows / rows.sum(-1, keepdim=True)).cumsum(-1)
    threads = (count + 127) // 128 * 128
    uniform = torch.rand(rows.size(0), threads, device=rows.device, generator=generator)
    # Never 0, which would be drawn from a first weight of 0.
    uniform = uniform[:, :count].clamp(min=2.0 ** -33).to(sums.dtype)
    return torch.searchsorted(sums, uniform).clamp(max=rows.size(1) - 1)


def _draw(weights, count, generator):
    sums = weights.cumsum(0)
    sums = (sums / sums[-1]).tolist()
    last = len(sums) - 1
    sums[last] = 1.0
    result = []
    for uniform in torch.rand(count, dtype=torch.float64, generator=generator).tolist():
        low, high = 0, len(sums)
        while low < high:
            middle = (low + high) // 2
            if sums[middle] < uniform:
                low = middle + 1
            else:
                high = middle
        result.append(min(low, last))
    return torch.tensor(result)
