"""`checkpoint`: a part of a model keeps its inputs alone, and runs once more in the backward.

    y = checkpoint(block, x, use_reentrant=False)     block(x), whose values in between are freed
    y.sum().backward()                                runs block(x) again, then back through it
"""
import contextlib

import torch
from torch.autograd.function import Function


def _no_contexts():
    return contextlib.nullcontext(), contextlib.nullcontext()


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


class _Arguments(Function):
    """Keeps the arguments as they are before the part runs: should it write one, its backward
    cannot run the part again, and says so."""

    @staticmethod
    def forward(ctx, start, *tensors):
        ctx.save_for_backward(*tensors)
        return start.clone()

    @staticmethod
    def backward(ctx, gradient):
        return (gradient,) + (None,) * len(ctx.saved_tensors)


def _set_generators(states):
    on_cpu, on_gpu = states
    torch.set_rng_state(on_cpu)
    if on_gpu is not None:
        torch.cuda.set_rng_state(on_gpu)


class _Call:
    """One call: what runs, on which arguments, and the leaves that it reads besides them."""

    def __init__(self, function, args, kwargs, preserve_rng_state, contexts):
        self.function, self.args, self.kwargs = function, args, kwargs
        self.places = [i for i, arg in enumerate(args) if isinstance(arg, torch.Tensor)]
        self.states = self.generator_states() if preserve_rng_state else None
        self.context, self.context_again = contexts
        self.autocasts = [(device, torch.is_autocast_enabled(device), torch.get_autocast_dtype(device))
                          for device in ("cpu", "cuda")]
        self.leaves = ()
        self.first = None
        self.written = None

    def run(self, tensors):
        with self.context:
            return self.call(tensors)

    def call(self, tensors):
        args = list(self.args)
        for i, tensor in zip(self.places, tensors):
            args[i] = tensor
        return self.function(*args, **self.kwargs)

    def call_as_before(self, tensors):
        """The dtypes are those that autocast chose, though the backward runs outside of it."""
        with contextlib.ExitStack() as stack:
            for device, enabled, dtype in self.autocasts:
                if enabled or torch.is_autocast_enabled(device):
                    stack.enter_context(torch.autocast(device, dtype=dtype, enabled=enabled))
            stack.enter_context(self.context_again)
            return self.call(tensors)

    def generator_states(self):
        """The processor's, and the GPU's where an argument is there."""
        on_gpu = any(self.args[i].is_cuda for i in self.places)
        return torch.get_rng_state(), torch.cuda.get_rng_state() if on_gpu else None

    def run_again(self, tensors):
        if self.states is None:
            return self.call_as_before(tensors)
        now = self.generator_states()
        _set_generators(self.states)
        try:
            return self.call_as_before(tensors)
        finally:
            _set_generators(now)

    def gradients(self, saved, gradients):
        """Those of the tensors and leaves; recorded, where the backward is."""
        if self.written is not None:
            torch.autograd.backward(self.written, retain_graph=True)
        recorded = torch.is_grad_enabled()
        with torch.enable_grad():
            inputs = [tensor.view_as(tensor) if recorded
                      else tensor.detach().requires_grad_(tensor.requires_grad)
                      for tensor in saved]
            result = self.run_again(inputs)
        pairs = [(out, gradient) for out, gradient in zip(_made_by(result, inputs), gradients)
                 if gradient is not None]
        wanted = [tensor for tensor in inputs if tensor.requires_grad] + list(self.leaves)
        found = iter(torch.autograd.grad([out for out, _ in pairs], wanted,
                                         [gradient for _, gradient in pairs], retain_graph=True,
                                         create_graph=recorded, allow_unused=True))
        return tuple([next(found) if tensor.requires_grad else None
                      for tensor in tuple(inputs) + self.leaves])


def _attributes_of(value):
    """The names of an object's attributes that may hold results."""
    if isinstance(value, (type, type(torch), torch.nn.Module)) or hasattr(value, "__code__"):
        return []
    slots = getattr(type(value), "__slots__", ())
    slots = (slots,) if isinstance(slots, str) else slots
    return list(getattr(value, "__dict__", ())) + [name for name in slots if hasattr(value, name)]


def _with_each(value, change, seen):
    """The value after `change` of every tensor in it. It stays the object that it is; what cannot
    be written is made again."""
    if isinstance(value, torch.Tensor):
        return change(value)
    if isinstance(value, tuple):
        parts = [_with_each(part, change, seen) for part in value]
        if all([new is old for new, old in zip(parts, value)]):
            return value
        return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
    if id(value) in seen:
        return value
    seen[id(value)] = value
    places = (list(value) if isinstance(value, dict)
              else range(len(value)) if isinstance(value, list) else ())
    for place in places:
        new = _with_each(value[place], change, seen)
        if new is not value[place]:
            value[place] = new
    for name in _attributes_of(value):
        old = getattr(value, name)
        new = _with_each(old, change, seen)
        if new is not old:
            object.__setattr__(value, name, new)
    return value


def _made_by(result, inputs):
    """The tensors in the result that the part computed, each once."""
    given = {id(tensor) for tensor in inputs}
    found = {}

    def note(tensor):
        if tensor.grad_fn is not None and id(tensor) not in given:
            found.setdefault(id(tensor), tensor)
        return tensor

    _with_each(result, note, {})
    return list(found.values())


def _leaves_behind(results, inputs, starts):
    """The leaves that the results come from, without the inputs and what lies behind them."""
    known = {id(tensor) for tensor in inputs}
    seen, leaves = set(starts), []
    reached = [(result.grad_fn, result.output_nr) for result in results]
    while reached:
        step = reached.pop()
        if step in seen:
            continue
        seen.add(step)
        node = step[0]
        if node.name() == "torch::autograd::AccumulateGrad":
            if id(node.variable) not in known:
                leaves.append(node.variable)
            continue
        reached += [edge for edge in node.next_functions if edge[0] is not None]
    return tuple(leaves)


# How a result is built is no part of a region.
_attributes_of._torchdynamo_disable = True
_with_each._torchdynamo_disable = True
_made_by._torchdynamo_disable = True


def checkpoint(function, *args, use_reentrant=None, preserve_rng_state=True, context_fn=_no_contexts,
               determinism_check="default", debug=False, **kwargs):
    """`function(*args, **kwargs)`; what its backward needs is computed again there."""
    if use_reentrant and kwargs:
        raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
    if use_reentrant and context_fn is not _no_contexts:
        raise ValueError("Passing `context_fn`, `debug`, or `respect_saved_tensors_hooks` is only supported when "
                         "use_reentrant=False.")
    if not torch.is_grad_enabled():
        return function(*args, **kwargs)
    call = _Call(function, args, kwargs, preserve_rng_state, context_fn())
    given = [args[i] for i in call.places]
    starts = [(tensor.grad_fn, tensor.output_nr) for tensor in given]
    versions = [tensor._version for tensor in given]
    before = _Arguments.apply(torch.zeros((), requires_grad=True), *given)
    result = call.run(given)
    results = _made_by(result, given)
    if not results:
        return result
    if [tensor._version for tensor in given] != versions:
        call.written = before
    call.leaves = _leaves_behind(results, given, starts)
    call.first = tuple([out.detach() for out in results])
    taped = CheckpointFunction.apply(call, *given, *call.leaves)
    call.first = None
    new_of = {id(old): new for old, new in zip(results, taped)}
    return _with_each(result, lambda tensor: new_of.get(id(tensor), tensor), {})


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
