"""`torch.utils.data`: data sets, and loaders that give them in batches."""
from torch.utils.data.dataset import (
    Dataset, IterableDataset, TensorDataset, ConcatDataset, Subset, random_split)
from torch.utils.data.sampler import (
    Sampler, SequentialSampler, RandomSampler, SubsetRandomSampler, WeightedRandomSampler,
    BatchSampler)
from torch.utils.data._workers import WorkerInfo, get_worker_info
from torch.utils.data.dataloader import DataLoader, default_collate
