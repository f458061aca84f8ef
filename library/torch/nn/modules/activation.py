"""Elementwise functions as modules, and softmax."""
import torch
from torch.nn import functional as F
from torch.nn.modules.module import Module
from torch.nn.parameter import Parameter


class Sigmoid(Module):
    def forward(self, input):
        return input.sigmoid()


class Tanh(Module):
    def forward(self, input):
        return input.tanh()


class LogSigmoid(Module):
    def forward(self, input):
        return F.logsigmoid(input)


class Softsign(Module):
    def forward(self, input):
        return F.softsign(input)


class _InPlace(Module):
    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace


class _ShownInPlace(_InPlace):
    def extra_repr(self):
        return "inplace=True" if self.inplace else ""


class ReLU(_ShownInPlace):
    def forward(self, input):
        return input.relu_() if self.inplace else input.relu()


class ReLU6(_ShownInPlace):
    def forward(self, input):
        return F.relu6(input, True) if self.inplace else F.relu6(input)


class SELU(_ShownInPlace):
    def forward(self, input):
        return F.selu(input, True) if self.inplace else F.selu(input)


class SiLU(_ShownInPlace):
    def forward(self, input):
        return F.silu(input, True) if self.inplace else F.silu(input)


class Mish(_ShownInPlace):
    def forward(self, input):
        return F.mish(input, True) if self.inplace else F.mish(input)


class Hardsigmoid(_InPlace):
    def forward(self, input):
        return F.hardsigmoid(input, True) if self.inplace else F.hardsigmoid(input)


class Hardswish(_InPlace):
    def forward(self, input):
        return F.hardswish(input, True) if self.inplace else F.hardswish(input)


class LeakyReLU(Module):
    def __init__(self, negative_slope=1e-2, inplace=False):
        super().__init__()
        self.negative_slope = negative_slope
        self.inplace = inplace

    def forward(self, input):
        if self.inplace:
            return F.leaky_relu(input, self.negative_slope, True)
        return F.leaky_relu(input, self.negative_slope)

    def extra_repr(self):
        text = ", inplace=True" if self.inplace else ""
        return f"negative_slope={self.negative_slope}{text}"


class ELU(Module):
    def __init__(self, alpha=1.0, inplace=False):
        super().__init__()
        self.alpha = alpha
        self.inplace = inplace

    def forward(self, input):
        return F.elu(input, self.alpha, True) if self.inplace else F.elu(input, self.alpha)

    def extra_repr(self):
        return f"alpha={self.alpha}" + (", inplace=True" if self.inplace else "")


class CELU(Module):
    def __init__(self, alpha=1.0, inplace=False):
        super().__init__()
        self.alpha = alpha
        self.inplace = inplace

    def forward(self, input):
        return F.celu(input, self.alpha, True) if self.inplace else F.celu(input, self.alpha)

    def extra_repr(self):
        return f"alpha={self.alpha}" + (", inplace=True" if self.inplace else "")


class GELU(Module):
    def __init__(self, approximate="none"):
        super().__init__()
        self.approximate = approximate

    def forward(self, input):
        return F.gelu(input, approximate=self.approximate)

    def extra_repr(self):
        return f"approximate={self.approximate!r}"


class Softplus(Module):
    def __init__(self, beta=1.0, threshold=20.0):
        super().__init__()
        self.beta = beta
        self.threshold = threshold

    def forward(self, input):
        return F.softplus(input, self.beta, self.threshold)

    def extra_repr(self):
        return f"beta={self.beta}, threshold={self.threshold}"


class Hardtanh(Module):
    def __init__(self, min_val=-1.0, max_val=1.0, inplace=False):
        super().__init__()
        self.min_val = min_val
        self.max_val = max_val
        self.inplace = inplace

    def forward(self, input):
        if self.inplace:
            return F.hardtanh(input, self.min_val, self.max_val, True)
        return F.hardtanh(input, self.min_val, self.max_val)

    def extra_repr(self):
        text = ", inplace=True" if self.inplace else ""
        return f"min_val={self.min_val}, max_val={self.max_val}{text}"


def _softmax_dim(name, dim, input):
    if dim is None:
        from torch._forms import implied_dim
        dim = implied_dim(name, input)
    return dim


class Softmax(Module):
    def __init__(self, dim=None):
        super().__init__()
        self.dim = dim

    def forward(self, input):
        return F.softmax(input, _softmax_dim("softmax", self.dim, input))

    def extra_repr(self):
        return f"dim={self.dim}"


class LogSoftmax(Module):
    def __init__(self, dim=None):
        super().__init__()
        self.dim = dim

    def forward(self, input):
        return F.log_softmax(input, _softmax_dim("log_softmax", self.dim, input))

    def extra_repr(self):
        return f"dim={self.dim}"


class Softmin(Softmax):
    def forward(self, input):
        return F.softmin(input, _softmax_dim("softmin", self.dim, input))


class Tanhshrink(Module):
    def forward(self, input):
        return F.tanhshrink(input)


class Threshold(Module):
    def __init__(self, threshold, value, inplace=False):
        super().__init__()
        self.threshold = threshold
        self.value = value
        self.inplace = inplace

    def forward(self, input):
        if self.inplace:
            return F.threshold(input, self.threshold, self.value, True)
        return F.threshold(input, self.threshold, self.value)

    def extra_repr(self):
        text = ", inplace=True" if self.inplace else ""
        return f"threshold={self.threshold}, value={self.value}{text}"


class PReLU(Module):
    def __init__(self, num_parameters=1, init=0.25, device=None, dtype=None):
        super().__init__()
        self.num_parameters = num_parameters
        self.weight = Parameter(torch.full((num_parameters,), float(init), device=device,
                                           dtype=dtype))

    def forward(self, input):
        return F.prelu(input, self.weight)

    def extra_repr(self):
        return f"num_parameters={self.num_parameters}"


class GLU(Module):
    def __init__(self, dim=-1):
        super().__init__()
        self.dim = dim

    def forward(self, input):
        return F.glu(input, self.dim)

    def extra_repr(self):
        return f"dim={self.dim}"


class _Shrink(Module):
    def __init__(self, lambd=0.5):
        super().__init__()
        self.lambd = lambd

    def extra_repr(self):
        return str(self.lambd)


class Hardshrink(_Shrink):
    def forward(self, input):
        return F.hardshrink(input, self.lambd)


class Softshrink(_Shrink):
    def forward(self, input):
        return F.softshrink(input, self.lambd)


class Softmax2d(Module):
    """softmax over the channels of each place."""

    def forward(self, input):
        if input.dim() not in (3, 4):
            raise ValueError(f"Softmax2d: expected input to be 3D or 4D, got {input.dim()}D "
                             "instead")
        return F.softmax(input, -3)
