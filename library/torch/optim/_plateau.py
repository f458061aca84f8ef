"""`ReduceLROnPlateau`: lower rates where a metric stays as it is.

    scheduler = ReduceLROnPlateau(optimizer, factor=0.5, patience=3)
    scheduler.step(validation_loss)     the fourth in a row that is no better halves the rates
"""
from torch.optim._schedule import LRScheduler


class ReduceLROnPlateau(LRScheduler):
    """Reduces the rates when a metric has not become better for `patience` steps."""

    def __init__(self, optimizer, mode="min", factor=0.1, patience=10, threshold=1e-4,
                 threshold_mode="rel", cooldown=0, min_lr=0, eps=1e-8):
        if factor >= 1.0:
            raise ValueError("Factor should be < 1.0.")
        self.factor = factor
        self._attach(optimizer)
        self._take_lowest(min_lr)
        self.patience = patience
        self.cooldown = cooldown
        self.eps = eps
        self.last_epoch = 0
        self._last_lr = self._rates()
        self._choose(mode, threshold, threshold_mode)
        self._reset()

    def _take_lowest(self, min_lr):
        count = len(self.optimizer.param_groups)
        given = isinstance(min_lr, (list, tuple))
        if given and len(min_lr) != count:
            raise ValueError(f"expected {count} min_lrs, got {len(min_lr)}")
        self.default_min_lr = None if given else min_lr
        self.min_lrs = list(min_lr) if given else [min_lr] * count

    def _choose(self, mode, threshold, threshold_mode):
        if mode not in ("min", "max"):
            raise ValueError("mode " + mode + " is unknown!")
        if threshold_mode not in ("rel", "abs"):
            raise ValueError("threshold mode " + threshold_mode + " is unknown!")
        self.mode_worse = float("inf") if mode == "min" else -float("inf")
        self.mode = mode
        self.threshold = threshold
        self.threshold_mode = threshold_mode

    def _reset(self):
        self.best = self.mode_worse
        self.cooldown_counter = 0
        self.num_bad_epochs = 0

    @property
    def in_cooldown(self):
        return self.cooldown_counter > 0

    def _is_better(self, a, best):
        sign = -1.0 if self.mode == "min" else 1.0
        if self.threshold_mode == "rel":
            bound = best * (1.0 + sign * self.threshold)
        else:
            bound = best + sign * self.threshold
        return a < bound if self.mode == "min" else a > bound

    def step(self, metrics, epoch=None):
        current = float(metrics)
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        if self._is_better(current, self.best):
            self.best = current
            self.num_bad_epochs = 0
        else:
            self.num_bad_epochs += 1
        if self.in_cooldown:
            self.cooldown_counter -= 1
            self.num_bad_epochs = 0
        if self.num_bad_epochs > self.patience:
            self._reduce_lr()
            self.cooldown_counter = self.cooldown
            self.num_bad_epochs = 0
        self._last_lr = self._rates()

    def _reduce_lr(self):
        groups = self.optimizer.param_groups
        if len(groups) != len(self.min_lrs):
            if self.default_min_lr is None:
                raise RuntimeError("The number of param groups in the `optimizer` "
                                   f"({len(groups)}) differs from when `ReduceLROnPlateau` was "
                                   f"initialized ({len(self.min_lrs)}), usually due to a new param "
                                   "group being added to the optimizer. Please modify the "
                                   "`min_lrs` field to match the length of the `optimizer` param "
                                   "groups.")
            self.min_lrs = [self.default_min_lr] * len(groups)
        for group, low in zip(groups, self.min_lrs):
            rate = max(group["lr"] * self.factor, low)
            if group["lr"] - rate > self.eps:
                group["lr"] = rate

    def load_state_dict(self, state_dict):
        super().load_state_dict(state_dict)
        self._choose(self.mode, self.threshold, self.threshold_mode)
