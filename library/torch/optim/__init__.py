"""`torch.optim`: optimisers, plain code over operators."""
from torch.optim.optimizer import Optimizer
from torch.optim.sgd import SGD
from torch.optim.adam import Adam, AdamW
