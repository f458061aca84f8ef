"""`torch.utils.data`: data sets, and loaders that give them in batches."""
import sys

from torch import _native
from torch.utils.data.dataset import (
    Dataset, IterableDataset, TensorDataset, ConcatDataset, ChainDataset, StackDataset, Subset,
    random_split)
from torch.utils.data.sampler import (
    Sampler, SequentialSampler, RandomSampler, SubsetRandomSampler, WeightedRandomSampler,
    BatchSampler)
from torch.utils.data._workers import WorkerInfo, get_worker_info
from torch.utils.data.dataloader import DataLoader, default_collate


def _seldom(name):
    """What shares a data set among processes: the file is read when it is asked for."""
    if name not in ("distributed", "DistributedSampler"):
        return None
    import torch.utils.data.distributed as file
    return file if name == "distributed" else file.DistributedSampler


_native.set_late_names(sys.modules[__name__], _seldom)
