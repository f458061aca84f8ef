"""The modules, a file for each family, by PyTorch's names."""
import sys

from torch.nn.modules.module import Module
from torch.nn.modules.container import (
    Sequential, ModuleList, ModuleDict, ParameterList, ParameterDict)
from torch.nn.modules.linear import Identity, Linear, Bilinear
from torch.nn.modules.sparse import Embedding
from torch.nn.modules.flatten import Flatten, Unflatten
from torch.nn.modules.dropout import (
    Dropout, Dropout1d, Dropout2d, Dropout3d, AlphaDropout, FeatureAlphaDropout)
from torch.nn.modules.normalization import LayerNorm, RMSNorm, GroupNorm, LocalResponseNorm
from torch.nn.modules.batchnorm import BatchNorm1d, BatchNorm2d, BatchNorm3d
from torch.nn.modules.conv import (
    Conv1d, Conv2d, Conv3d, ConvTranspose1d, ConvTranspose2d, ConvTranspose3d)
from torch.nn.modules.pooling import (
    MaxPool1d, MaxPool2d, AvgPool1d, AvgPool2d, AdaptiveAvgPool1d, AdaptiveAvgPool2d)
from torch.nn.modules.activation import (
    ReLU, ReLU6, LeakyReLU, ELU, SELU, CELU, GELU, SiLU, Mish, Sigmoid, LogSigmoid, Tanh, Softplus,
    Softsign, Hardtanh, Hardsigmoid, Hardswish, Softmax, LogSoftmax, Softmin, Tanhshrink,
    Threshold, PReLU, GLU, Hardshrink, Softshrink, Softmax2d)
from torch.nn.modules.loss import (
    MSELoss, L1Loss, SmoothL1Loss, HuberLoss, CrossEntropyLoss, NLLLoss, BCELoss,
    BCEWithLogitsLoss, KLDivLoss, MarginRankingLoss)

# Names that few scripts use: the file is read when the first of them is asked for.
_FILES = {
    "rnn": ("RNNBase", "RNN", "LSTM", "GRU", "RNNCellBase", "RNNCell", "LSTMCell", "GRUCell"),
    "transformer": ("MultiheadAttention", "TransformerEncoderLayer", "TransformerEncoder",
                    "TransformerDecoderLayer", "TransformerDecoder", "Transformer"),
    "padding": ("ZeroPad1d", "ZeroPad2d", "ZeroPad3d", "ConstantPad1d", "ConstantPad2d",
                "ConstantPad3d", "ReflectionPad1d", "ReflectionPad2d", "ReflectionPad3d",
                "ReplicationPad1d", "ReplicationPad2d", "ReplicationPad3d", "CircularPad1d",
                "CircularPad2d", "CircularPad3d"),
    "instancenorm": ("InstanceNorm1d", "InstanceNorm2d", "InstanceNorm3d"),
    "distance": ("CosineSimilarity", "PairwiseDistance"),
    "pixelshuffle": ("PixelShuffle", "PixelUnshuffle"),
    "channelshuffle": ("ChannelShuffle",),
    "upsampling": ("Upsample", "UpsamplingNearest2d", "UpsamplingBilinear2d"),
    "fold": ("Unfold", "Fold"),
    "distance_loss": ("SoftMarginLoss", "HingeEmbeddingLoss", "CosineEmbeddingLoss",
                      "TripletMarginLoss", "MultiMarginLoss", "MultiLabelSoftMarginLoss",
                      "PoissonNLLLoss", "GaussianNLLLoss", "MultiLabelMarginLoss",
                      "TripletMarginWithDistanceLoss"),
    "seldom_pooling": ("MaxPool3d", "AvgPool3d", "AdaptiveAvgPool3d", "AdaptiveMaxPool1d",
                       "AdaptiveMaxPool2d", "AdaptiveMaxPool3d", "LPPool1d", "LPPool2d", "LPPool3d",
                       "MaxUnpool1d", "MaxUnpool2d", "MaxUnpool3d"),
    "bags": ("EmbeddingBag",),
    "random_slope": ("RReLU",),
    "adaptive": ("AdaptiveLogSoftmaxWithLoss",),
    "ctc": ("CTCLoss",),
    "syncbatchnorm": ("SyncBatchNorm",),
    "fractional": ("FractionalMaxPool2d", "FractionalMaxPool3d"),
    "lazy": ("LazyLinear", "LazyConv1d", "LazyConv2d", "LazyConv3d", "LazyConvTranspose1d",
             "LazyConvTranspose2d", "LazyConvTranspose3d", "LazyBatchNorm1d", "LazyBatchNorm2d",
             "LazyBatchNorm3d", "LazyInstanceNorm1d", "LazyInstanceNorm2d", "LazyInstanceNorm3d"),
}
_SELDOM = {name: file for file, names in _FILES.items() for name in names}
# Where PyTorch has those that are in a file of Glint's own.
_OF_PYTORCH = {"distance_loss": "loss", "seldom_pooling": "pooling", "bags": "sparse",
               "random_slope": "activation", "ctc": "loss", "syncbatchnorm": "batchnorm",
               "fractional": "pooling"}


def _seldom(name):
    """The class of that name, if it is one of those."""
    if name not in _SELDOM:
        return None
    file = _SELDOM[name]
    __import__(f"{__name__}.{file}")
    found = getattr(sys.modules[f"{__name__}.{file}"], name)
    if file in _OF_PYTORCH:
        found.__module__ = f"{__name__}.{_OF_PYTORCH[file]}"
    return found
