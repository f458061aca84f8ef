"""`Boundary`: where gradients come into a call of a module, and where they leave it.

    x -> BackwardHookFunction -> forward -> BackwardHookFunction -> y

The functions give their tensors as they are. Backward through the second one keeps the gradients of
the outputs; backward through the first one calls the module's full backward hooks with both.
"""
import warnings

import torch
from torch.autograd.function import Function


class BackwardHookFunction(Function):
    @staticmethod
    def forward(ctx, run, *tensors):
        ctx.run = run
        ctx.set_materialize_grads(False)
        return tensors

    @staticmethod
    def backward(ctx, *gradients):
        return (None,) + tuple(ctx.run(gradients))


def _places(values):
    """Which values a gradient comes to."""
    return [i for i, value in enumerate(values)
            if isinstance(value, torch.Tensor) and value.requires_grad]


def _passed(values, places, run):
    passed = BackwardHookFunction.apply(run, *[values[i] for i in places])
    values = list(values)
    for i, tensor in zip(places, passed):
        values[i] = tensor
    return tuple(values)


def _spread(gradients, places, count):
    spread = [None] * count
    for i, gradient in zip(places, gradients):
        spread[i] = gradient
    return tuple(spread)


class Boundary:
    def __init__(self, module, hooks):
        self.module = module
        self.before = list(hooks.full_before.values())
        self.hooks = list(hooks.full.values())
        self.grad_outputs = None

    def enter(self, args):
        self.input_count = len(args)
        self.types = {i: (arg.shape, arg.dtype) for i, arg in enumerate(args)
                      if isinstance(arg, torch.Tensor)}
        self.inputs = _places(args) if torch.is_grad_enabled() else []
        return _passed(args, self.inputs, self.into) if self.inputs else args

    def leave(self, result):
        values = result if isinstance(result, tuple) else (result,)
        self.output_count = len(values)
        self.outputs = _places(values) if torch.is_grad_enabled() else []
        if not self.outputs:
            return result
        values = _passed(values, self.outputs, self.out_of)
        return values if isinstance(result, tuple) else values[0]

    def out_of(self, gradients):
        """Backward through the outputs: the gradients of them, before those of the inputs."""
        given = self._replaced("pre hook", "grad_output", self.before,
                               _spread(gradients, self.outputs, self.output_count))
        self.grad_outputs = given
        if not self.inputs and self.hooks:
            warnings.warn("Full backward hook is firing when gradients are computed with respect "
                          "to module outputs since no inputs require gradients. See "
                          "https://docs.pytorch.org/docs/main/generated/torch.nn.Module.html"
                          "#torch.nn.Module.register_full_backward_hook for more details.")
            for hook in self.hooks:
                changed = hook(self.module, (None,) * self.input_count, given)
                if changed is not None and not all(each is None for each in changed):
                    raise RuntimeError("Backward hook for Modules where no input requires "
                                       "gradient should always return None or None for all "
                                       "gradients.")
            self.grad_outputs = None
        return [given[i] for i in self.outputs]

    def into(self, gradients):
        """Backward through the inputs; a gradient may come here that did not leave the outputs."""
        if self.grad_outputs is None:
            return gradients
        spread = list(_spread(gradients, self.inputs, self.input_count))
        for i, (shape, dtype) in self.types.items():
            if spread[i] is None:
                spread[i] = torch.zeros(shape, dtype=dtype)
        given = self._replaced("hook", "grad_input", self.hooks, tuple(spread), self.grad_outputs)
        self.grad_outputs = None
        return [given[i] for i in self.inputs]

    def _replaced(self, kind, what, hooks, given, *more):
        for hook in hooks:
            changed = hook(self.module, given, *more)
            if changed is None:
                continue
            if len(changed) != len(given):
                raise RuntimeError(f"Backward {kind} returned an invalid number of {what}, "
                                   f"got {len(changed)}, but expected {len(given)}")
            given = changed
        return given
