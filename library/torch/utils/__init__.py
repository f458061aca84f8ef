"""`torch.utils`: data sets and loaders, in `torch.utils.data`, and `torch.utils.checkpoint`."""
from torch.utils import checkpoint, data, hooks
