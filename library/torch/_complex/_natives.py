"""What C++ does beside operators, where it meets complex tensors: gradients, parameters, questions."""
import torch
from torch import _native
from torch._complex._dtypes import complex64, dtype as complex_dtype, of_real
from torch._complex._tensor import Parameter as ComplexParameter, Tensor, wrap


def _pairs(tensors):
    if tensors is None:
        return None
    return tuple([each._pairs if isinstance(each, Tensor) else each for each in tensors])


def _refuse_root(root):
    """A loss is real: of a complex tensor the gradient to begin with has to be given."""
    if root.nelement() != 1:
        raise RuntimeError("grad can be implicitly created only for scalar outputs")
    raise RuntimeError("grad can be implicitly created only for real scalar outputs but got "
                       f"{root.dtype}")


def run_backward(roots, gradients, inputs, *options):
    """Of the pairs; the gradients of complex inputs are complex."""
    if gradients is None:
        for root in roots:
            if isinstance(root, Tensor) and root.requires_grad:
                _refuse_root(root)
    found = _native.run_backward(_pairs(roots), _pairs(gradients), _pairs(inputs), *options)
    if found is None or inputs is None:
        return found
    return tuple([wrap(gradient) if isinstance(each, Tensor) and gradient is not None else gradient
                  for each, gradient in zip(inputs, found)])


def Parameter(data, requires_grad=True):
    return ComplexParameter(_native.Parameter(data.detach()._pairs, requires_grad))


def is_tensor(obj):
    return isinstance(obj, torch.Tensor)


def is_nonzero(input):
    return bool(input)


def _real(dtype):
    return dtype.to_real() if isinstance(dtype, complex_dtype) else dtype


def promote_types(type1, type2):
    real = torch.promote_types(_real(type1), _real(type2))
    return of_real(real) or complex64


def result_type(tensor1, tensor2):
    def stands_for(value):
        return value.real if isinstance(value, (Tensor, complex)) else value

    real = torch.result_type(stands_for(tensor1), stands_for(tensor2))
    return of_real(real) or complex64
