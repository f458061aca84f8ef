"""`torch.utils`: data sets and loaders, in `torch.utils.data`."""
from torch.utils import data
