"""`torch.autograd`: the grad modes."""
from torch import no_grad, enable_grad, set_grad_enabled, inference_mode
