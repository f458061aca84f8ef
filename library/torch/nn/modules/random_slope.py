"""`RReLU`: what is negative times a slope, a random one for each element while training.

    RReLU(0.1, 0.3)      slopes between 0.1 and 0.3; 0.2 in evaluation
"""
from torch.nn import functional as F
from torch.nn.modules.module import Module


class RReLU(Module):
    def __init__(self, lower=1.0 / 8, upper=1.0 / 3, inplace=False):
        super().__init__()
        self.lower = lower
        self.upper = upper
        self.inplace = inplace

    def forward(self, input):
        return F.rrelu(input, self.lower, self.upper, self.training, self.inplace)

    def extra_repr(self):
        text = f"lower={self.lower}, upper={self.upper}"
        return text + ", inplace=True" if self.inplace else text
