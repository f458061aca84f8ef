"""`torch.nn`: modules, the layers made of them, and `nn.functional`.

    model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
    model(torch.randn(3, 4)).shape   # torch.Size([3, 2])
"""
from torch.nn import functional, init, utils
from torch.nn.parameter import Parameter
from torch.nn.modules import (
    Module, Sequential, ModuleList, ModuleDict, ParameterList, ParameterDict, Identity, Linear, Bilinear,
    Embedding, Flatten, Unflatten, LayerNorm, RMSNorm, BatchNorm1d, Dropout, Conv1d, Conv2d,
    Conv3d, MaxPool1d, MaxPool2d, AvgPool1d, AvgPool2d, ReLU, ReLU6, LeakyReLU, ELU, SELU,
    CELU, GELU, SiLU, Mish, Sigmoid, LogSigmoid, Tanh, Softplus, Softsign, Hardtanh, Hardsigmoid,
    Hardswish, Softmax, LogSoftmax, Softmin, Tanhshrink, Threshold, PReLU, CosineSimilarity,
    MSELoss, L1Loss, SmoothL1Loss, HuberLoss, CrossEntropyLoss,
    NLLLoss, BCELoss, BCEWithLogitsLoss, KLDivLoss, MarginRankingLoss)
