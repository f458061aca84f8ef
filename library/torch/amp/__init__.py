"""`torch.amp`: operators in lower precision where that is safe (`autocast`), and losses scaled so that
their gradients fit float16 (`GradScaler`)."""
from torch.amp.autocast_mode import (autocast, custom_bwd, custom_fwd, is_autocast_available)
from torch.amp.grad_scaler import GradScaler

__all__ = ["autocast", "custom_bwd", "custom_fwd", "GradScaler", "is_autocast_available"]
