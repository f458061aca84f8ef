# Softmax without a dimension: the one that was meant before there was an argument for it, and a warning.
import warnings

import torch
import torch.nn.functional as F
from torch import nn

with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    for shape in ((), (3,), (2, 3), (2, 2, 3), (1, 2, 2, 2)):
        x = torch.arange(float(torch.Size(shape).numel())).reshape(shape)
        for function in (F.softmax, F.log_softmax, nn.Softmax(), nn.LogSoftmax()):
            print(function(x))
    print(len(said), said[0].category.__name__, said[0].message, said[1].message)
print(F.softmax(torch.ones(2, 2), 0), F.softmax(torch.ones(2), dim=0, dtype=torch.float64))
