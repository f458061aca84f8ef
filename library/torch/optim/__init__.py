"""`torch.optim`: optimisers and schedules of learning rates, plain code over operators."""
from torch import _native
from torch.optim.optimizer import Optimizer
from torch.optim.sgd import SGD
from torch.optim.adam import Adam, AdamW
from torch.optim.rmsprop import RMSprop
from torch.optim.adagrad import Adagrad
from torch.optim._adaptive import Adadelta, Adamax, NAdam, RAdam
from torch.optim import lr_scheduler

del adagrad, adam, optimizer, rmsprop, sgd


def _seldom(name):
    """A class or file that few scripts use: it is read when it is asked for."""
    if name == "LBFGS":
        from torch.optim.lbfgs import LBFGS as found
    elif name == "Rprop":
        from torch.optim.rprop import Rprop as found
    elif name == "ASGD":
        from torch.optim.asgd import ASGD as found
    elif name == "Adafactor":
        from torch.optim.adafactor import Adafactor as found
    elif name == "Muon":
        from torch.optim.muon import Muon as found
    elif name == "swa_utils":
        import torch.optim.swa_utils as found
    else:
        return None
    return found


import torch as _torch
_native.set_late_names(_torch.optim, _seldom)
