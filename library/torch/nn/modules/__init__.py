"""The modules, a file for each family."""
from torch.nn.modules.module import Module
from torch.nn.modules.container import (
    Sequential, ModuleList, ModuleDict, ParameterList, ParameterDict)
from torch.nn.modules.linear import Identity, Linear, Bilinear
from torch.nn.modules.layers import (
    Embedding, Flatten, Unflatten, Dropout, Dropout1d, Dropout2d, Dropout3d, AlphaDropout)
from torch.nn.modules.normalization import (
    LayerNorm, RMSNorm, BatchNorm1d, BatchNorm2d, BatchNorm3d, GroupNorm, InstanceNorm1d,
    InstanceNorm2d, InstanceNorm3d, LocalResponseNorm)
from torch.nn.modules.windows import (
    Conv1d, Conv2d, Conv3d, ConvTranspose1d, ConvTranspose2d, ConvTranspose3d, MaxPool1d, MaxPool2d,
    AvgPool1d, AvgPool2d, AdaptiveAvgPool1d, AdaptiveAvgPool2d)
from torch.nn.modules.activation import (
    ReLU, ReLU6, LeakyReLU, ELU, SELU, CELU, GELU, SiLU, Mish, Sigmoid, LogSigmoid, Tanh, Softplus,
    Softsign, Hardtanh, Hardsigmoid, Hardswish, Softmax, LogSoftmax, Softmin, Tanhshrink, Threshold, PReLU,
    CosineSimilarity, GLU, Hardshrink, Softshrink, Softmax2d)
from torch.nn.modules.loss import (
    MSELoss, L1Loss, SmoothL1Loss, HuberLoss, CrossEntropyLoss, NLLLoss, BCELoss,
    BCEWithLogitsLoss, KLDivLoss, MarginRankingLoss)

# Names that few scripts use, by the file that is read when the first of them is asked for.
_SELDOM = {
    "recurrent": ("RNNBase", "RNN", "LSTM", "GRU", "RNNCellBase", "RNNCell", "LSTMCell", "GRUCell"),
    "attention": ("MultiheadAttention", "TransformerEncoderLayer", "TransformerEncoder",
                  "TransformerDecoderLayer", "TransformerDecoder", "Transformer"),
    "padding": ("ZeroPad1d", "ZeroPad2d", "ZeroPad3d", "ConstantPad1d", "ConstantPad2d",
                "ConstantPad3d", "ReflectionPad1d", "ReflectionPad2d", "ReflectionPad3d",
                "ReplicationPad1d", "ReplicationPad2d", "ReplicationPad3d", "CircularPad1d",
                "CircularPad2d", "CircularPad3d"),
    "resizing": ("PixelShuffle", "PixelUnshuffle", "ChannelShuffle", "Upsample",
                 "UpsamplingNearest2d", "UpsamplingBilinear2d"),
    "distance_loss": ("SoftMarginLoss", "HingeEmbeddingLoss", "CosineEmbeddingLoss",
                      "TripletMarginLoss", "MultiMarginLoss", "MultiLabelSoftMarginLoss",
                      "PoissonNLLLoss", "GaussianNLLLoss", "PairwiseDistance"),
}


def _file(name):
    if name == "recurrent":
        from torch.nn.modules import recurrent as file
    elif name == "attention":
        from torch.nn.modules import attention as file
    elif name == "padding":
        from torch.nn.modules import padding as file
    elif name == "resizing":
        from torch.nn.modules import resizing as file
    else:
        from torch.nn.modules import distance_loss as file
    return file


def seldom(name):
    """The class of that name, if it is one of those."""
    for file, names in _SELDOM.items():
        if name in names:
            return getattr(_file(file), name)
    return None
