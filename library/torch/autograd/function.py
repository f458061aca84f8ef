"""`Function`: an operation with a forward and a backward of its own.

    class Cube(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x ** 3

        @staticmethod
        def backward(ctx, grad_output):
            x, = ctx.saved_tensors
            return grad_output * 3 * x ** 2

`Cube.apply(x)` runs `forward` without recording it, and puts one node on the tape, which calls
`backward`. What `forward` saved is kept by the node, and freed with it.
"""
from functools import wraps

import torch
from torch import _native


class FunctionCtx:
    """What `forward` tells `backward`: saved tensors, and whatever attributes it sets."""

    def save_for_backward(self, *tensors):
        for tensor in tensors:
            if tensor is not None and not isinstance(tensor, torch.Tensor):
                raise TypeError("save_for_backward can only save variables, but argument 0 is of "
                                f"type {type(tensor).__name__}")
        self._saved = tensors

    def mark_dirty(self, *args):
        self._written = args

    def mark_non_differentiable(self, *args):
        self._constant = args

    def set_materialize_grads(self, value):
        self._materialize = value

    @property
    def saved_tensors(self):
        return self._saved


def _new_context(function):
    context = type(function.__name__ + "Backward", (FunctionCtx,), {})()
    context._saved = ()
    context._written = ()
    context._constant = ()
    context._materialize = True
    return context


def _checked(function, gradients, count):
    """The gradients as a tuple with one an argument."""
    if not isinstance(gradients, tuple):
        gradients = tuple(gradients) if isinstance(gradients, list) else (gradients,)
    extra = gradients[count:]
    if len(gradients) < count or any(g is not None for g in extra):
        raise RuntimeError(f"function {function.__name__}Backward returned an incorrect number of "
                           f"gradients (expected {count}, got {len(gradients)})")
    return gradients[:count]


class Function:
    _node_name = None  # in `grad_fn`, where it is not the class's own

    @staticmethod
    def forward(*args, **kwargs):
        raise NotImplementedError("You must implement the forward function for custom "
                                  "autograd.Function.")

    @staticmethod
    def setup_context(ctx, inputs, output):
        raise NotImplementedError("setup_context is not implemented.")

    @staticmethod
    def backward(ctx, *grad_outputs):
        raise NotImplementedError("You must implement either the backward or vjp method for your "
                                  "custom autograd.Function to use it with backward mode AD.")

    @classmethod
    def apply(cls, *args):
        ctx = _new_context(cls)
        ctx.needs_input_grad = tuple([isinstance(arg, torch.Tensor) and arg.requires_grad
                                      for arg in args])
        recorded = (torch.is_grad_enabled() and not torch.is_inference_mode_enabled()
                    and any(ctx.needs_input_grad))
        with torch.no_grad():
            if cls.setup_context is Function.setup_context:
                output = cls.forward(ctx, *args)
            else:
                output = cls.forward(*args)
                cls.setup_context(ctx, args, output)
        if not recorded:
            return output
        return cls._record(ctx, args, output)

    @classmethod
    def _record(cls, ctx, args, output):
        def run(saved, gradients):
            ctx._saved = saved
            try:
                given = _checked(cls, cls.backward(ctx, *gradients), len(args))
            finally:
                ctx._saved = ()
            return tuple([g for g, arg in zip(given, args_are_tensors) if arg])

        args_are_tensors = [isinstance(arg, torch.Tensor) for arg in args]
        inputs = tuple([arg for arg in args if isinstance(arg, torch.Tensor)])
        parts = output if isinstance(output, tuple) else (output,)
        outputs = tuple([part for part in parts if isinstance(part, torch.Tensor)])
        name = cls._node_name or cls.__name__ + "Backward"
        recorded = iter(_native.record_function(name, run, inputs, outputs, ctx._saved,
                                                ctx._constant, ctx._written, ctx._materialize))
        ctx._saved = ctx._constant = ctx._written = ()
        results = tuple([next(recorded) if isinstance(part, torch.Tensor) else part
                         for part in parts])
        return results if isinstance(output, tuple) else results[0]


def _refuse(saved, gradients):
    raise RuntimeError("trying to differentiate twice a function that was marked with "
                       "@once_differentiable")


def once_differentiable(fn):
    """For a `backward` that is not recorded itself: what it gives cannot be differentiated."""
    @wraps(fn)
    def wrapper(ctx, *args, **kwargs):
        with torch.no_grad():
            outputs = fn(ctx, *args, **kwargs)
        if not torch.is_grad_enabled() or not any([isinstance(arg, torch.Tensor)
                                                   and arg.requires_grad for arg in args]):
            return outputs
        parts = outputs if isinstance(outputs, tuple) else (outputs,)
        made = tuple([part.detach() for part in parts if part is not None])
        ends = tuple([part.detach().requires_grad_() for part in made])
        refused = iter(_native.record_function("Error", _refuse, ends, made, (), (), (), True))
        results = tuple([None if part is None else next(refused) for part in parts])
        return results if isinstance(outputs, tuple) else results[0]
    return wrapper
