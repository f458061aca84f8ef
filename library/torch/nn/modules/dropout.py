"""Dropout: of single elements, or of whole channels."""
from torch.nn import functional as F
from torch.nn.modules.module import Module


class _Dropout(Module):
    def __init__(self, p=0.5, inplace=False):
        super().__init__()
        if p < 0.0 or p > 1.0:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
        self.p = p
        self.inplace = inplace

    def extra_repr(self):
        return f"p={self.p}, inplace={self.inplace}"


class Dropout(_Dropout):
    def forward(self, input):
        if not self.training:
            return input
        return F.dropout(input, self.p, True, True) if self.inplace else F.dropout(input, self.p)


class Dropout1d(_Dropout):
    """Drops whole channels."""

    def forward(self, input):
        return F.dropout1d(input, self.p, self.training, self.inplace)


class Dropout2d(_Dropout):
    def forward(self, input):
        return F.dropout2d(input, self.p, self.training, self.inplace)


class Dropout3d(_Dropout):
    def forward(self, input):
        return F.dropout3d(input, self.p, self.training, self.inplace)


class AlphaDropout(_Dropout):
    """Keeps mean 0 and variance 1, behind SELU."""

    def forward(self, input):
        return F.alpha_dropout(input, self.p, self.training)


class FeatureAlphaDropout(_Dropout):
    """The same for whole channels."""

    def forward(self, input):
        return F.feature_alpha_dropout(input, self.p, self.training)
