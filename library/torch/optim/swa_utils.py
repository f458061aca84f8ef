"""Averages of a model's parameters over training: all alike, or the latest ones most.

    averaged = AveragedModel(model)
    schedule = SWALR(optimizer, swa_lr=0.05)
    averaged.update_parameters(model); schedule.step()      after each epoch
    update_bn(loader, averaged)                             at the end
"""
import itertools
import math
import warnings
from copy import deepcopy

import torch
from torch.nn import Module
from torch.optim._schedule import LRScheduler


def _check_decay(decay):
    if decay < 0.0 or decay > 1.0:
        raise ValueError(f"Invalid decay value {decay} provided. Please provide a value in [0,1] range.")


def get_ema_multi_avg_fn(decay=0.999):
    _check_decay(decay)

    @torch.no_grad()
    def ema_update(ema_param_list, current_param_list, _):
        for averaged, current in zip(ema_param_list, current_param_list):
            if averaged.is_floating_point():
                averaged.lerp_(current, 1 - decay)
            else:
                averaged.copy_(averaged * decay + current * (1 - decay))

    return ema_update


def get_swa_multi_avg_fn():
    @torch.no_grad()
    def swa_update(averaged_param_list, current_param_list, num_averaged):
        share = 1 / (float(num_averaged) + 1)
        for averaged, current in zip(averaged_param_list, current_param_list):
            if averaged.is_floating_point():
                averaged.lerp_(current, share)
            else:
                averaged.add_((current - averaged) * share)

    return swa_update


def get_ema_avg_fn(decay=0.999):
    _check_decay(decay)

    @torch.no_grad()
    def ema_update(ema_param, current_param, num_averaged):
        return decay * ema_param + (1 - decay) * current_param

    return ema_update


def get_swa_avg_fn():
    @torch.no_grad()
    def swa_update(averaged_param, current_param, num_averaged):
        return averaged_param + (current_param - averaged_param) / (num_averaged + 1)

    return swa_update


class AveragedModel(Module):
    """A copy of the model, whose parameters are averages of those that it is shown."""

    def __init__(self, model, device=None, avg_fn=None, multi_avg_fn=None, use_buffers=False):
        super().__init__()
        if avg_fn is not None and multi_avg_fn is not None:
            raise AssertionError("Only one of avg_fn and multi_avg_fn should be provided")
        self.module = deepcopy(model)
        if device is not None:
            self.module = self.module.to(device)
        self.register_buffer("n_averaged", torch.tensor(0, dtype=torch.long, device=device))
        self.avg_fn, self.multi_avg_fn, self.use_buffers = avg_fn, multi_avg_fn, use_buffers

    def forward(self, *args, **kwargs):
        return self.module(*args, **kwargs)

    def _averaged(self, model):
        return itertools.chain(model.parameters(), model.buffers()) if self.use_buffers else model.parameters()

    def update_parameters(self, model):
        averaged = [each.detach() for each in self._averaged(self.module)]
        current = [each.detach().to(own.device) for own, each in zip(averaged, self._averaged(model))]
        if self.n_averaged == 0:
            for own, each in zip(averaged, current):
                own.copy_(each)
        elif self.avg_fn is not None:
            for own, each in zip(averaged, current):
                own.copy_(self.avg_fn(own, each, self.n_averaged.to(own.device)))
        elif averaged:
            (self.multi_avg_fn or get_swa_multi_avg_fn())(averaged, current, self.n_averaged.to(averaged[0].device))
        if not self.use_buffers:
            for own, each in zip(self.module.buffers(), model.buffers()):
                own.detach().copy_(each.detach().to(own.device))
        self.n_averaged += 1


@torch.no_grad()
def update_bn(loader, model, device=None):
    """Batch normalisation's statistics anew, of the whole of the data."""
    kept = {}
    for module in model.modules():
        if isinstance(module, torch.nn.modules.batchnorm._BatchNorm):
            module.reset_running_stats()
            kept[module] = module.momentum
    if not kept:
        return
    was_training = model.training
    model.train()
    for module in kept:
        module.momentum = None
    for input in loader:
        if isinstance(input, (list, tuple)):
            input = input[0]
        model(input if device is None else input.to(device))
    for module, momentum in kept.items():
        module.momentum = momentum
    model.train(was_training)


class SWALR(LRScheduler):
    """From the rate that there is to `swa_lr`, which then stays."""

    def __init__(self, optimizer, swa_lr, anneal_epochs=10, anneal_strategy="cos", last_epoch=-1):
        count = len(optimizer.param_groups)
        if isinstance(swa_lr, (list, tuple)):
            if len(swa_lr) != count:
                raise ValueError("swa_lr must have the same length as optimizer.param_groups. swa_lr has "
                                 f"{len(swa_lr)} values, param_groups has {count}.")
            rates = swa_lr
        else:
            rates = [swa_lr] * count
        for rate, group in zip(rates, optimizer.param_groups):
            group["swa_lr"] = rate
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}")
        self._anneal_strategy = anneal_strategy
        if not isinstance(anneal_epochs, int) or anneal_epochs < 0:
            raise ValueError(f"anneal_epochs must be equal or greater than 0, got {anneal_epochs}")
        self.anneal_epochs = anneal_epochs
        super().__init__(optimizer, last_epoch)

    def _share(self, step):
        """How far the way is gone."""
        t = max(0, min(1, step / max(1, self.anneal_epochs)))
        return (1 - math.cos(math.pi * t)) / 2 if self._anneal_strategy == "cos" else t

    def get_lr(self):
        if not self._get_lr_called_within_step:
            warnings.warn("To get the last learning rate computed by the scheduler, please use `get_last_lr()`.",
                          UserWarning, stacklevel=2)
        step = self._step_count - 1
        if self.anneal_epochs == 0:
            step = max(1, step)
        before, share = self._share(step - 1), self._share(step)
        rates = []
        for group in self.optimizer.param_groups:
            last = group["swa_lr"]
            first = last if before == 1 else (group["lr"] - before * last) / (1 - before)
            rates.append(last * share + first * (1 - share))
        return rates
