"""Gradients against finite differences: `gradcheck` for the first, `gradgradcheck` for the second.

    x = torch.randn(3, dtype=torch.float64, requires_grad=True)
    gradcheck(torch.sin, (x,))       # True, or an error that says which entry differs
"""
import itertools

import torch


class GradcheckError(RuntimeError):
    pass


def _results(func, inputs):
    results = func(*inputs)
    results = results if isinstance(results, (tuple, list)) else (results,)
    return [r for r in results if isinstance(r, torch.Tensor) and r.is_floating_point()]


def _numerical(func, inputs, place, eps):
    """For each result, the matrix of its derivatives: a row an element of the input."""
    values = inputs[place].data
    columns = []
    with torch.no_grad():
        for at in itertools.product(*[range(size) for size in values.shape]):
            before = values[at].item()
            values[at] = before + eps
            high = [r.clone() for r in _results(func, inputs)]
            values[at] = before - eps
            low = [r.clone() for r in _results(func, inputs)]
            values[at] = before
            columns.append([((h - l) / (2 * eps)).reshape(-1) for h, l in zip(high, low)])
    return [torch.stack([column[k] for column in columns]) for k in range(len(columns[0]))]


def _analytical(result, x):
    """The same matrix from backward: one run for each element of the result."""
    rows = []
    for i in range(result.numel()):
        seed = torch.zeros(result.numel(), dtype=result.dtype, device=result.device)
        seed[i] = 1.0
        seed = seed.reshape(result.shape)
        gradient, = torch.autograd.grad(result, x, seed, retain_graph=True, allow_unused=True)
        rows.append(torch.zeros(x.numel(), dtype=x.dtype, device=x.device) if gradient is None
                    else gradient.reshape(-1))
    return torch.stack(rows, 1)


def gradcheck(func, inputs, *, eps=1e-6, atol=1e-5, rtol=1e-3, raise_exception=True,
              nondet_tol=0.0, check_undefined_grad=True, check_grad_dtypes=False,
              check_batched_grad=False, check_batched_forward_grad=False, check_forward_ad=False,
              check_backward_ad=True, fast_mode=False, masked=None):
    inputs = tuple(inputs) if isinstance(inputs, (tuple, list)) else (inputs,)
    wanted = [i for i, x in enumerate(inputs)
              if isinstance(x, torch.Tensor) and x.requires_grad]
    if not wanted:
        raise ValueError("gradcheck expects at least one input tensor to require gradient, but "
                         "none of the them have requires_grad=True.")
    for place in wanted:
        numerical = _numerical(func, inputs, place, eps)
        for number, result in enumerate(_results(func, inputs)):
            if not result.requires_grad:
                continue
            analytical = _analytical(result, inputs[place])
            if torch.allclose(analytical, numerical[number], rtol, atol):
                continue
            if not raise_exception:
                return False
            raise GradcheckError(
                f"Jacobian mismatch for output {number} with respect to input {place},\n"
                f"numerical:{numerical[number]}\nanalytical:{analytical}\n")
    return True


def gradgradcheck(func, inputs, grad_outputs=None, *, eps=1e-6, atol=1e-5, rtol=1e-3,
                  raise_exception=True, gen_non_contig_grad_outputs=False, **options):
    inputs = tuple(inputs) if isinstance(inputs, (tuple, list)) else (inputs,)
    results = _results(func, inputs)
    if grad_outputs is None:
        grad_outputs = [torch.randn_like(r).requires_grad_() for r in results]
    elif isinstance(grad_outputs, torch.Tensor):
        grad_outputs = [grad_outputs]
    count = len(inputs)

    @torch.enable_grad()
    def gradients(*args):
        given, seeds = args[:count], args[count:]
        xs = [x for x in given if isinstance(x, torch.Tensor) and x.requires_grad]
        return torch.autograd.grad(_results(func, given), xs, list(seeds), create_graph=True,
                                   allow_unused=True)

    return gradcheck(gradients, inputs + tuple(grad_outputs), eps=eps, atol=atol, rtol=rtol,
                     raise_exception=raise_exception)
