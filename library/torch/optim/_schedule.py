"""`LRScheduler`: what all schedules of learning rates have in common.

    class Halved(LRScheduler):
        def get_lr(self):
            return [rate / 2 for rate in self._rates()]

A schedule says, for `last_epoch`, what the rates are: `get_lr` from the rates as they stand now, as
PyTorch does, so that schedules can be put behind one another; where it can, `_get_closed_form_lr`
from the first ones alone, for steps that name an epoch.
"""
from torch.optim.optimizer import Optimizer


class LRScheduler:
    _get_lr_called_within_step = False
    _is_initial = False

    def __init__(self, optimizer, last_epoch=-1):
        self._attach(optimizer)
        for number, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", group["lr"])
            elif "initial_lr" not in group:
                raise KeyError("param 'initial_lr' is not specified in "
                               f"param_groups[{number}] when resuming scheduler with last_epoch >= 0.\n"
                               "This typically happens when:\n"
                               "1. You're trying to resume training from a checkpoint but haven't "
                               "properly loaded the optimizer state\n"
                               "2. You're using last_epoch >= 0 for a fresh training run (not "
                               "recommended)")
        self.base_lrs = [group["initial_lr"] for group in optimizer.param_groups]
        self.last_epoch = last_epoch
        self._initial_step()

    def _attach(self, optimizer):
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")
        self.optimizer = optimizer

    def _initial_step(self):
        self._step_count = 0
        self._is_initial = True
        self.step()
        self._is_initial = False

    def get_lr(self):
        raise NotImplementedError

    def get_last_lr(self):
        return self._last_lr

    def _rates(self):
        return [group["lr"] for group in self.optimizer.param_groups]

    def step(self, epoch=None):
        self._step_count += 1
        self._update_lr(epoch)

    def _update_lr(self, epoch=None):
        if epoch is None:
            self.last_epoch += 1
            self._write(self.get_lr)
        else:
            self.last_epoch = epoch
            self._write(getattr(self, "_get_closed_form_lr", self.get_lr))

    def _write(self, get_rates):
        # A schedule of a script's own may ask whether `get_lr` is called from here.
        self._get_lr_called_within_step = True
        try:
            rates = get_rates()
        finally:
            self._get_lr_called_within_step = False
        for group, rate in zip(self.optimizer.param_groups, rates):
            group["lr"] = rate
        self._last_lr = self._rates()

    def state_dict(self):
        return {name: value for name, value in self.__dict__.items() if name != "optimizer"}

    def load_state_dict(self, state_dict):
        self.__dict__.update(state_dict)


def per_group(name, optimizer, value):
    """A value for each group: the list that was given, or the one value for all."""
    count = len(optimizer.param_groups)
    if not isinstance(value, (list, tuple)):
        return [value] * count
    if len(value) != count:
        raise ValueError(f"{name} must have the same length as optimizer.param_groups. "
                         f"{name} has {len(value)} values, param_groups has {count}.")
    return list(value)


def attributes_of_callable(function):
    """What a state dict saves of it: nothing of a function."""
    if function is None or hasattr(function, "__code__"):
        return None
    return function.__dict__.copy()
