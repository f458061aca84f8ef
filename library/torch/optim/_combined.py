"""Schedules made of others: one behind the other, or all at once.

    warm = LinearLR(optimizer, start_factor=0.1, total_iters=5)
    SequentialLR(optimizer, [warm, ExponentialLR(optimizer, 0.9)], milestones=[5])
    ChainedScheduler([warm, ExponentialLR(optimizer, 0.9)])     each steps at every step
"""
from torch.optim._plateau import ReduceLROnPlateau
from torch.optim._schedule import LRScheduler


class _Combined(LRScheduler):
    def _take(self, schedulers, optimizer):
        name = type(self).__name__
        for number, scheduler in enumerate(schedulers):
            if not hasattr(scheduler, "optimizer"):
                raise TypeError(f"{name} at index {number} should have `optimizer` as its "
                                "attribute.")
            if isinstance(scheduler, ReduceLROnPlateau):
                raise ValueError(f"{name} does not support `ReduceLROnPlateau` scheduler as it "
                                 "requires additional kwargs to be specified when calling `step`, "
                                 f"but got one at index {number} in the given schedulers sequence.")
            if optimizer != scheduler.optimizer:
                raise ValueError(f"{name} expects all schedulers to belong to the same optimizer, "
                                 f"but got scheduler {type(scheduler).__name__} at index {number} "
                                 f"has {scheduler.optimizer}, which is different from "
                                 f"{type(optimizer).__name__}.")

    def state_dict(self):
        state = {name: value for name, value in self.__dict__.items()
                 if name not in ("optimizer", "_schedulers")}
        state["_schedulers"] = [scheduler.state_dict() for scheduler in self._schedulers]
        return state

    def load_state_dict(self, state_dict):
        own = dict(state_dict)
        for scheduler, saved in zip(self._schedulers, own.pop("_schedulers")):
            scheduler.load_state_dict(saved)
        self.__dict__.update(own)


class SequentialLR(_Combined):
    """One schedule after the other: the next one begins at each milestone."""

    def __init__(self, optimizer, schedulers, milestones, last_epoch=-1):
        if len(schedulers) < 1:
            raise ValueError(f"{type(self).__name__} expects at least one scheduler, but got no "
                             "scheduler.")
        self._take(schedulers, optimizer)
        if len(milestones) != len(schedulers) - 1:
            raise ValueError("Sequential Schedulers expects number of schedulers provided to be "
                             "one more than the number of milestone points, but got number of "
                             f"schedulers {len(schedulers)} and the number of milestones to be "
                             f"equal to {len(milestones)}")
        self._schedulers = schedulers
        self._milestones = milestones
        self.last_epoch = last_epoch + 1
        self.optimizer = optimizer
        for group in optimizer.param_groups:
            group["lr"] = group["initial_lr"]
        _take_back_a_step(self)
        first = schedulers[self._number_at(0)]
        first._initial_step()
        self._last_lr = first.get_last_lr()

    def _number_at(self, epoch):
        return sum([milestone <= epoch for milestone in self._milestones])

    def step(self):
        self.last_epoch += 1
        number = self._number_at(self.last_epoch)
        scheduler = self._schedulers[number]
        if number > 0 and self._milestones[number - 1] == self.last_epoch:
            scheduler._update_lr(0)
        else:
            scheduler.step()
        self._last_lr = scheduler.get_last_lr()


def _take_back_a_step(scheduler):
    """Each schedule has made its first step when it was made."""
    for inner in getattr(scheduler, "_schedulers", ()):
        _take_back_a_step(inner)
    if not hasattr(scheduler, "_schedulers"):
        scheduler.last_epoch -= 1


class ChainedScheduler(_Combined):
    """All schedules at every step, each from the rates that the one before it left."""

    def __init__(self, schedulers, optimizer=None):
        if len(schedulers) < 1:
            raise ValueError(f"{type(self).__name__} expects at least one scheduler to be chained, "
                             "but got no scheduler.")
        optimizer = optimizer or schedulers[0].optimizer
        self._take(schedulers, optimizer)
        self._schedulers = schedulers
        self.optimizer = optimizer
        self._last_lr = self._rates()

    def step(self):
        for scheduler in self._schedulers:
            scheduler.step()
        self._last_lr = self._rates()
