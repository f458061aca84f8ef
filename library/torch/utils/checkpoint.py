"""`checkpoint`: a part of a model keeps its inputs alone, and runs once more in the backward.

    y = checkpoint(block, x, use_reentrant=False)     block(x), whose values in between are freed
    y.sum().backward()                                runs block(x) again, then back through it
"""
import torch
from torch.autograd.function import Function


class CheckpointFunction(Function):
    @staticmethod
    def forward(ctx, call, *tensors):
        ctx.call = call
        ctx.save_for_backward(*tensors[:len(call.places)])
        ctx.set_materialize_grads(False)
        return call.first

    @staticmethod
    def backward(ctx, *gradients):
        return (None,) + ctx.call.gradients(ctx.saved_tensors, gradients)


class _Call:
    """One call: what runs, on which arguments, and the leaves that it reads besides them."""

    def __init__(self, function, args, kwargs, preserve_rng_state):
        self.function, self.args, self.kwargs = function, args, kwargs
        self.places = [i for i, arg in enumerate(args) if isinstance(arg, torch.Tensor)]
        self.state = torch.get_rng_state() if preserve_rng_state else None
        self.leaves = ()
        self.first = None

    def run(self, tensors):
        args = list(self.args)
        for i, tensor in zip(self.places, tensors):
            args[i] = tensor
        return self.function(*args, **self.kwargs)

    def run_again(self, tensors):
        if self.state is None:
            return self.run(tensors)
        now = torch.get_rng_state()
        torch.set_rng_state(self.state)
        try:
            return self.run(tensors)
        finally:
            torch.set_rng_state(now)

    def gradients(self, saved, gradients):
        """Those of the tensors and leaves; recorded, where the backward is."""
        recorded = torch.is_grad_enabled()
        with torch.enable_grad():
            inputs = [tensor.view_as(tensor) if recorded
                      else tensor.detach().requires_grad_(tensor.requires_grad)
                      for tensor in saved]
            result = self.run_again(inputs)
        pairs = [(out, gradient) for out, gradient in zip(_tensors_of(result), gradients)
                 if gradient is not None and out.requires_grad]
        wanted = [tensor for tensor in inputs if tensor.requires_grad] + list(self.leaves)
        found = iter(torch.autograd.grad([out for out, _ in pairs], wanted,
                                         [gradient for _, gradient in pairs], retain_graph=True,
                                         create_graph=recorded, allow_unused=True))
        return tuple([next(found) if tensor.requires_grad else None
                      for tensor in tuple(inputs) + self.leaves])


def _tensors_of(result):
    """Those in it, through lists, tuples and dicts."""
    if isinstance(result, torch.Tensor):
        return (result,)
    if isinstance(result, dict):
        result = list(result.values())
    if not isinstance(result, (list, tuple)):
        return ()
    return sum([_tensors_of(value) for value in result], ())


def _with_tensors(result, tensors):
    """The same structure, with the next of the tensors in the place of each."""
    if isinstance(result, torch.Tensor):
        return next(tensors)
    if isinstance(result, dict):
        return {key: _with_tensors(value, tensors) for key, value in result.items()}
    if not isinstance(result, (list, tuple)):
        return result
    values = [_with_tensors(value, tensors) for value in result]
    if isinstance(result, tuple) and hasattr(result, "_fields"):
        return type(result)(*values)
    return type(result)(values)


def _leaves_behind(results, inputs):
    """The leaves that the results come from, other than the inputs."""
    known = {id(tensor) for tensor in inputs}
    seen, leaves = set(), []
    reached = [result.grad_fn for result in results if result.grad_fn is not None]
    while reached:
        node = reached.pop()
        if node in seen:
            continue
        seen.add(node)
        if node.name() == "torch::autograd::AccumulateGrad":
            if id(node.variable) not in known:
                leaves.append(node.variable)
            continue
        reached += [after for after, _ in node.next_functions if after is not None]
    return tuple(leaves)


def checkpoint(function, *args, use_reentrant=None, preserve_rng_state=True, context_fn=None,
               determinism_check="default", debug=False, **kwargs):
    """`function(*args, **kwargs)`; what its backward needs is computed again there."""
    if use_reentrant and kwargs:
        raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
    if not torch.is_grad_enabled():
        return function(*args, **kwargs)
    call = _Call(function, args, kwargs, preserve_rng_state)
    given = [args[i] for i in call.places]
    # Leaves of its own: what lies behind the arguments is none of the part's.
    starts = [tensor.detach().requires_grad_(tensor.requires_grad) for tensor in given]
    result = call.run(starts)
    results = _tensors_of(result)
    call.leaves = _leaves_behind(results, starts)
    if not any(out.requires_grad for out in results):
        return result
    call.first = tuple([out.detach() for out in results])
    taped = CheckpointFunction.apply(call, *given, *call.leaves)
    call.first = None
    return _with_tensors(result, iter([new if out.requires_grad else new.detach()
                                       for new, out in zip(taped, results)]))


def checkpoint_sequential(functions, segments, input, use_reentrant=None, **kwargs):
    """A `Sequential` in as many parts, each but the last a checkpoint."""
    if isinstance(functions, torch.nn.Sequential):
        functions = list(functions.children())

    def part(start, end):
        def run(value):
            for function in functions[start:end]:
                value = function(value)
            return value

        return run

    size = len(functions) // segments
    end = 0
    for start in range(0, size * (segments - 1), size):
        end = start + size
        input = checkpoint(part(start, end), input, use_reentrant=use_reentrant, **kwargs)
    return part(end, len(functions))(input)
