"""The modules, a file for each family."""
from torch.nn.modules.module import Module
from torch.nn.modules.container import (
    Sequential, ModuleList, ModuleDict, ParameterList, ParameterDict)
from torch.nn.modules.linear import Identity, Linear, Bilinear
from torch.nn.modules.layers import (
    Embedding, Flatten, Unflatten, LayerNorm, RMSNorm, BatchNorm1d, Dropout)
from torch.nn.modules.windows import (
    Conv1d, Conv2d, Conv3d, MaxPool1d, MaxPool2d, AvgPool1d, AvgPool2d)
from torch.nn.modules.activation import (
    ReLU, ReLU6, LeakyReLU, ELU, SELU, CELU, GELU, SiLU, Mish, Sigmoid, LogSigmoid, Tanh, Softplus,
    Softsign, Hardtanh, Hardsigmoid, Hardswish, Softmax, LogSoftmax, Softmin, Tanhshrink, Threshold, PReLU,
    CosineSimilarity)
from torch.nn.modules.loss import (
    MSELoss, L1Loss, SmoothL1Loss, HuberLoss, CrossEntropyLoss, NLLLoss, BCELoss,
    BCEWithLogitsLoss, KLDivLoss, MarginRankingLoss)
