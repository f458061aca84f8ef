"""Learning-rate schedules: each `step()` writes the rates of its optimiser's groups.

    scheduler = StepLR(optimizer, step_size=30, gamma=0.1)
    for epoch in range(100):
        train()
        scheduler.step()

Here are those that go one way; `_schedule.py` has what all of them share.
"""
import math
from collections import Counter

from torch.optim._combined import ChainedScheduler, SequentialLR
from torch.optim._cycles import CosineAnnealingWarmRestarts, CyclicLR, OneCycleLR
from torch.optim._plateau import ReduceLROnPlateau
from torch.optim._schedule import LRScheduler, attributes_of_callable


class _LRScheduler(LRScheduler):
    """The name that `LRScheduler` once had."""


class LambdaLR(LRScheduler):
    """The initial rates times a function of the epoch."""

    def __init__(self, optimizer, lr_lambda, last_epoch=-1):
        self._attach(optimizer)
        count = len(optimizer.param_groups)
        if not isinstance(lr_lambda, (list, tuple)):
            lr_lambda = [lr_lambda] * count
        elif len(lr_lambda) != count:
            raise ValueError(f"Expected {count} lr_lambdas, but got {len(lr_lambda)}")
        self.lr_lambdas = list(lr_lambda)
        super().__init__(optimizer, last_epoch)

    def state_dict(self):
        state = super().state_dict()
        state["lr_lambdas"] = [attributes_of_callable(f) for f in state.pop("lr_lambdas")]
        return state

    def load_state_dict(self, state_dict):
        own = dict(state_dict)
        for function, saved in zip(self.lr_lambdas, own.pop("lr_lambdas")):
            if saved is not None:
                function.__dict__.update(saved)
        super().load_state_dict(own)

    def get_lr(self):
        return [base * f(self.last_epoch) for f, base in zip(self.lr_lambdas, self.base_lrs)]


class MultiplicativeLR(LambdaLR):
    """The rates as they are, times a function of the epoch."""

    def __init__(self, optimizer, lr_lambda, last_epoch=-1):
        for function in lr_lambda if isinstance(lr_lambda, (list, tuple)) else [lr_lambda]:
            if not callable(function):
                raise TypeError("lr_lambda should be a function, but got "
                                f"{type(function).__name__}")
        super().__init__(optimizer, lr_lambda, last_epoch)

    def get_lr(self):
        if self._is_initial:
            return self._rates()
        return [rate * f(self.last_epoch) for f, rate in zip(self.lr_lambdas, self._rates())]


class StepLR(LRScheduler):
    def __init__(self, optimizer, step_size, gamma=0.1, last_epoch=-1):
        self.step_size = step_size
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        if self.last_epoch == 0 or self.last_epoch % self.step_size != 0:
            return self._rates()
        return [rate * self.gamma for rate in self._rates()]

    def _get_closed_form_lr(self):
        factor = self.gamma ** (self.last_epoch // self.step_size)
        return [base * factor for base in self.base_lrs]


class MultiStepLR(LRScheduler):
    def __init__(self, optimizer, milestones, gamma=0.1, last_epoch=-1):
        self.milestones = Counter(milestones)
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        if self.last_epoch not in self.milestones:
            return self._rates()
        # One way through the code for all milestones, unless one of them is there twice.
        twice = any(count > 1 for count in self.milestones.values())
        factor = self.gamma ** self.milestones[self.last_epoch] if twice else self.gamma
        return [rate * factor for rate in self._rates()]

    def _get_closed_form_lr(self):
        passed = sum([count for milestone, count in self.milestones.items()
                      if milestone <= self.last_epoch])
        return [base * self.gamma ** passed for base in self.base_lrs]


class ExponentialLR(LRScheduler):
    def __init__(self, optimizer, gamma, last_epoch=-1):
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        if self._is_initial:
            return self._rates()
        return [rate * self.gamma for rate in self._rates()]

    def _get_closed_form_lr(self):
        return [base * self.gamma ** self.last_epoch for base in self.base_lrs]


class ConstantLR(LRScheduler):
    def __init__(self, optimizer, factor=1.0 / 3, total_iters=5, last_epoch=-1):
        if factor > 1.0 or factor < 0:
            raise ValueError("Constant multiplicative factor expected to be between 0 and 1.")
        self.factor = factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        if self.last_epoch == 0:
            return [rate * self.factor for rate in self._rates()]
        if self.last_epoch != self.total_iters:
            return self._rates()
        return [rate * (1.0 / self.factor) for rate in self._rates()]

    def _get_closed_form_lr(self):
        factor = self.factor + (self.last_epoch >= self.total_iters) * (1 - self.factor)
        return [base * factor for base in self.base_lrs]


class LinearLR(LRScheduler):
    def __init__(self, optimizer, start_factor=1.0 / 3, end_factor=1.0, total_iters=5,
                 last_epoch=-1):
        if start_factor > 1.0 or start_factor <= 0:
            raise ValueError("Starting multiplicative factor expected to be greater than 0 and "
                             "less or equal to 1.")
        if end_factor > 1.0 or end_factor < 0:
            raise ValueError("Ending multiplicative factor expected to be between 0 and 1.")
        self.start_factor = start_factor
        self.end_factor = end_factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        if self.last_epoch == 0:
            return [rate * self.start_factor for rate in self._rates()]
        if self._is_initial or self.last_epoch > self.total_iters:
            return self._rates()
        distance = self.end_factor - self.start_factor
        factor = 1.0 + distance / (self.total_iters * self.start_factor
                                   + (self.last_epoch - 1) * distance)
        return [rate * factor for rate in self._rates()]

    def _get_closed_form_lr(self):
        distance = self.end_factor - self.start_factor
        done = min(self.total_iters, self.last_epoch)
        return [base * (self.start_factor + distance * done / self.total_iters)
                for base in self.base_lrs]


class PolynomialLR(LRScheduler):
    def __init__(self, optimizer, total_iters=5, power=1.0, last_epoch=-1):
        self.total_iters = total_iters
        self.power = power
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        if self._is_initial or self.last_epoch > self.total_iters:
            return self._rates()
        left = 1.0 - self.last_epoch / self.total_iters
        before = 1.0 - (self.last_epoch - 1) / self.total_iters
        return [rate * (left / before) ** self.power for rate in self._rates()]

    def _get_closed_form_lr(self):
        left = 1.0 - min(self.total_iters, self.last_epoch) / self.total_iters
        return [base * left ** self.power for base in self.base_lrs]


class CosineAnnealingLR(LRScheduler):
    def __init__(self, optimizer, T_max, eta_min=0.0, last_epoch=-1):
        self.T_max = T_max
        self.eta_min = eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        low, epoch, period = self.eta_min, self.last_epoch, self.T_max
        if self._is_initial:
            return self._rates()
        if self._step_count == 1 and epoch > 0:
            return self._get_closed_form_lr()
        if (epoch - 1 - period) % (2 * period) == 0:
            swing = (1 - math.cos(math.pi / period)) / 2
            return [rate + (base - low) * swing
                    for rate, base in zip(self._rates(), self.base_lrs)]
        factor = ((1 + math.cos(math.pi * epoch / period))
                  / (1 + math.cos(math.pi * (epoch - 1) / period)))
        return [factor * (rate - low) + low for rate in self._rates()]

    def _get_closed_form_lr(self):
        swing = (1 + math.cos(math.pi * self.last_epoch / self.T_max)) / 2
        return [self.eta_min + (base - self.eta_min) * swing for base in self.base_lrs]
