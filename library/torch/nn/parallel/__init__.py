"""Modules that several devices or processes share: with one of them, the module behind `.module`."""
from torch.nn.parallel.data_parallel import DataParallel, data_parallel
from torch.nn.parallel.distributed import DistributedDataParallel
