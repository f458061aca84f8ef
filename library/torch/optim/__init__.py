"""`torch.optim`: optimisers and schedules of learning rates, plain code over operators."""
from torch.optim.optimizer import Optimizer
from torch.optim.sgd import SGD
from torch.optim.adam import Adam, AdamW
from torch.optim.rmsprop import RMSprop
from torch.optim.adagrad import Adagrad
from torch.optim._adaptive import Adadelta, Adamax, NAdam, RAdam
from torch.optim import lr_scheduler

del adagrad, adam, optimizer, rmsprop, sgd
