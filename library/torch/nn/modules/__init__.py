"""The modules, a file for each family."""
from torch.nn.modules.module import Module
from torch.nn.modules.container import (
    Sequential, ModuleList, ModuleDict, ParameterList, ParameterDict)
from torch.nn.modules.linear import Identity, Linear, Bilinear
from torch.nn.modules.layers import (
    Embedding, Flatten, Unflatten, Dropout, Dropout1d, Dropout2d, Dropout3d, AlphaDropout,
    FeatureAlphaDropout)
from torch.nn.modules.normalization import LayerNorm, RMSNorm, GroupNorm, LocalResponseNorm
from torch.nn.modules.batchnorm import (
    BatchNorm1d, BatchNorm2d, BatchNorm3d, InstanceNorm1d, InstanceNorm2d, InstanceNorm3d)
from torch.nn.modules.windows import (
    Conv1d, Conv2d, Conv3d, ConvTranspose1d, ConvTranspose2d, ConvTranspose3d, MaxPool1d, MaxPool2d,
    AvgPool1d, AvgPool2d, AdaptiveAvgPool1d, AdaptiveAvgPool2d)
from torch.nn.modules.activation import (
    ReLU, ReLU6, LeakyReLU, ELU, SELU, CELU, GELU, SiLU, Mish, Sigmoid, LogSigmoid, Tanh, Softplus,
    Softsign, Hardtanh, Hardsigmoid, Hardswish, Softmax, LogSoftmax, Softmin, Tanhshrink,
    Threshold, PReLU, CosineSimilarity, GLU, Hardshrink, Softshrink, Softmax2d)
from torch.nn.modules.loss import (
    MSELoss, L1Loss, SmoothL1Loss, HuberLoss, CrossEntropyLoss, NLLLoss, BCELoss,
    BCEWithLogitsLoss, KLDivLoss, MarginRankingLoss)

# Names that few scripts use: the file is read when the first of them is asked for.


def _rnn():
    import torch.nn.modules.rnn as file
    return file


def _transformer():
    import torch.nn.modules.transformer as file
    return file


def _padding():
    import torch.nn.modules.padding as file
    return file


def _resizing():
    import torch.nn.modules.resizing as file
    return file


def _distance_loss():
    import torch.nn.modules.distance_loss as file
    return file


def _seldom_pooling():
    import torch.nn.modules.seldom_pooling as file
    return file


def _bags():
    import torch.nn.modules.bags as file
    return file


def _random_slope():
    import torch.nn.modules.random_slope as file
    return file


_SELDOM = {name: file for file, names in (
    (_rnn, ("RNNBase", "RNN", "LSTM", "GRU", "RNNCellBase", "RNNCell", "LSTMCell", "GRUCell")),
    (_transformer, ("MultiheadAttention", "TransformerEncoderLayer", "TransformerEncoder",
                    "TransformerDecoderLayer", "TransformerDecoder", "Transformer")),
    (_padding, ("ZeroPad1d", "ZeroPad2d", "ZeroPad3d", "ConstantPad1d", "ConstantPad2d",
                "ConstantPad3d", "ReflectionPad1d", "ReflectionPad2d", "ReflectionPad3d",
                "ReplicationPad1d", "ReplicationPad2d", "ReplicationPad3d", "CircularPad1d",
                "CircularPad2d", "CircularPad3d")),
    (_resizing, ("PixelShuffle", "PixelUnshuffle", "ChannelShuffle", "Upsample",
                 "UpsamplingNearest2d", "UpsamplingBilinear2d")),
    (_distance_loss, ("SoftMarginLoss", "HingeEmbeddingLoss", "CosineEmbeddingLoss",
                      "TripletMarginLoss", "MultiMarginLoss", "MultiLabelSoftMarginLoss",
                      "PoissonNLLLoss", "GaussianNLLLoss", "PairwiseDistance", "MultiLabelMarginLoss",
                      "TripletMarginWithDistanceLoss")),
    (_seldom_pooling, ("Unfold", "Fold", "MaxPool3d", "AvgPool3d", "AdaptiveAvgPool3d",
                       "AdaptiveMaxPool1d", "AdaptiveMaxPool2d", "AdaptiveMaxPool3d", "LPPool1d",
                       "LPPool2d", "LPPool3d", "MaxUnpool1d", "MaxUnpool2d", "MaxUnpool3d")),
    (_bags, ("EmbeddingBag",)),
    (_random_slope, ("RReLU",)),
) for name in names}


def _seldom(name):
    """The class of that name, if it is one of those."""
    return getattr(_SELDOM[name](), name) if name in _SELDOM else None
