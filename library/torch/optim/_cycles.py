"""Schedules that go up and down: warm restarts, one cycle, many cycles.

    scheduler = CyclicLR(optimizer, base_lr=0.01, max_lr=0.1, step_size_up=10)
    scheduler.step()     after each batch: ten steps up to 0.1, ten down to 0.01, and again

Two of them let the momentum go the other way: high where the rate is low.
"""
import math

from torch.optim._schedule import LRScheduler, attributes_of_callable, per_group


class CosineAnnealingWarmRestarts(LRScheduler):
    def __init__(self, optimizer, T_0, T_mult=1, eta_min=0.0, last_epoch=-1):
        if T_0 <= 0 or not isinstance(T_0, int):
            raise ValueError(f"Expected positive integer T_0, but got {T_0}")
        if T_mult < 1 or not isinstance(T_mult, int):
            raise ValueError(f"Expected integer T_mult >= 1, but got {T_mult}")
        self.T_0 = T_0
        self.T_i = T_0
        self.T_mult = T_mult
        self.eta_min = eta_min
        self.T_cur = last_epoch
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        swing = (1 + math.cos(math.pi * self.T_cur / self.T_i)) / 2
        return [self.eta_min + (base - self.eta_min) * swing for base in self.base_lrs]

    def step(self, epoch=None):
        if epoch is None:
            self.last_epoch += 1
            self.T_cur += 1
            if self.T_cur >= self.T_i:
                self.T_cur -= self.T_i
                self.T_i *= self.T_mult
        else:
            self.last_epoch = math.floor(epoch)
            self.T_cur, self.T_i = epoch, self.T_0
            while self.T_cur >= self.T_i:
                self.T_cur -= self.T_i
                self.T_i *= self.T_mult
        self._write(self.get_lr)


class _MomentumCycle(LRScheduler):
    """A schedule whose momentum, or first beta, may go along."""

    def _choose_momentum(self):
        options = self.optimizer.defaults
        if "momentum" not in options and "betas" not in options:
            raise ValueError("optimizer must support momentum or beta1 with `cycle_momentum` "
                             "option enabled")
        self.use_beta1 = "betas" in options

    def _begin_momentum(self, low, high):
        for group, least, most in zip(self.optimizer.param_groups, low, high):
            self._write_momentum(group, most)
            group["max_momentum"] = most
            group["base_momentum"] = least

    def _write_momentum(self, group, value):
        if self.use_beta1:
            _, beta2 = group["betas"]
            group["betas"] = (value, beta2)
        else:
            group["momentum"] = value


class OneCycleLR(_MomentumCycle):
    """Up to `max_lr`, then down to almost nothing; the momentum goes the other way."""

    def __init__(self, optimizer, max_lr, total_steps=None, epochs=None, steps_per_epoch=None,
                 pct_start=0.3, anneal_strategy="cos", cycle_momentum=True, base_momentum=0.85,
                 max_momentum=0.95, div_factor=25.0, final_div_factor=1e4, three_phase=False,
                 last_epoch=-1):
        self._attach(optimizer)
        self.total_steps = _count_of_steps(total_steps, epochs, steps_per_epoch)
        self._schedule_phases = _phases(self.total_steps, pct_start, three_phase)
        if pct_start < 0 or pct_start > 1 or not isinstance(pct_start, float):
            raise ValueError(f"Expected float between 0 and 1 pct_start, but got {pct_start}")
        if anneal_strategy not in ["cos", "linear"]:
            raise ValueError("anneal_strategy must be one of 'cos' or 'linear', instead got "
                             f"{anneal_strategy}")
        self._anneal_func_type = anneal_strategy
        highest = per_group("max_lr", optimizer, max_lr)
        if last_epoch == -1:
            for group, high in zip(optimizer.param_groups, highest):
                group["initial_lr"] = high / div_factor
                group["max_lr"] = high
                group["min_lr"] = group["initial_lr"] / final_div_factor
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self._choose_momentum()
            most = per_group("max_momentum", optimizer, max_momentum)
            least = per_group("base_momentum", optimizer, base_momentum)
            if last_epoch == -1:
                self._begin_momentum(least, most)
        super().__init__(optimizer, last_epoch)

    def _between(self, group, phase, of, part):
        start, end = group[phase["start_" + of]], group[phase["end_" + of]]
        if self._anneal_func_type == "linear":
            return (end - start) * part + start
        return end + (start - end) / 2.0 * (math.cos(math.pi * part) + 1)

    def get_lr(self):
        if self.last_epoch > self.total_steps:
            raise ValueError(f"Tried to step {self.last_epoch} times. The specified number of "
                             f"total steps is {self.total_steps}")
        begin = 0.0
        for phase in self._schedule_phases:
            end = phase["end_step"]
            if self.last_epoch <= end or phase is self._schedule_phases[-1]:
                part = (self.last_epoch - begin) / (end - begin)
                break
            begin = end
        rates = []
        for group in self.optimizer.param_groups:
            rates.append(self._between(group, phase, "lr", part))
            if self.cycle_momentum:
                self._write_momentum(group, self._between(group, phase, "momentum", part))
        return rates


def _count_of_steps(total_steps, epochs, steps_per_epoch):
    def checked(name, value):
        if not isinstance(value, int) or value <= 0:
            raise ValueError(f"Expected positive integer {name}, but got {value}")
        return value

    if total_steps is not None:
        return checked("total_steps", total_steps)
    if epochs is None or steps_per_epoch is None:
        raise ValueError("You must define either total_steps OR (epochs AND steps_per_epoch)")
    return checked("epochs", epochs) * checked("steps_per_epoch", steps_per_epoch)


def _phases(total_steps, pct_start, three_phase):
    """Where each phase ends, and between which of a group's options it goes."""
    def phase(end, start_lr, end_lr, start_momentum, end_momentum):
        return {"end_step": end, "start_lr": start_lr, "end_lr": end_lr,
                "start_momentum": start_momentum, "end_momentum": end_momentum}

    up = phase(float(pct_start * total_steps) - 1, "initial_lr", "max_lr", "max_momentum",
               "base_momentum")
    if not three_phase:
        return [up, phase(total_steps - 1, "max_lr", "min_lr", "base_momentum", "max_momentum")]
    return [up,
            phase(float(2 * pct_start * total_steps) - 2, "max_lr", "initial_lr", "base_momentum",
                  "max_momentum"),
            phase(total_steps - 1, "initial_lr", "min_lr", "max_momentum", "max_momentum")]


class CyclicLR(_MomentumCycle):
    """Between two rates, up and down again and again; the momentum goes the other way."""

    def __init__(self, optimizer, base_lr, max_lr, step_size_up=2000, step_size_down=None,
                 mode="triangular", gamma=1.0, scale_fn=None, scale_mode="cycle",
                 cycle_momentum=True, base_momentum=0.8, max_momentum=0.9, last_epoch=-1):
        self._attach(optimizer)
        lowest = per_group("base_lr", optimizer, base_lr)
        if last_epoch == -1:
            for group, rate in zip(optimizer.param_groups, lowest):
                group["lr"] = rate
        self.max_lrs = per_group("max_lr", optimizer, max_lr)
        up = float(step_size_up)
        self.total_size = up + (up if step_size_down is None else float(step_size_down))
        self.step_ratio = up / self.total_size
        if mode not in ["triangular", "triangular2", "exp_range"] and scale_fn is None:
            raise ValueError("mode is invalid and scale_fn is None")
        self.mode = mode
        self.gamma = gamma
        self._scale_fn_custom = scale_fn
        self.scale_mode = scale_mode
        if scale_fn is None:
            self.scale_mode = "iterations" if mode == "exp_range" else "cycle"
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self._choose_momentum()
            self.base_momentums = per_group("base_momentum", optimizer, base_momentum)
            self.max_momentums = per_group("max_momentum", optimizer, max_momentum)
            if last_epoch == -1:
                self._begin_momentum(self.base_momentums, self.max_momentums)
        super().__init__(optimizer, last_epoch)
        self.base_lrs = lowest

    def scale_fn(self, x):
        """The height of a cycle, or of an iteration, as a part of the first one's."""
        if self._scale_fn_custom is not None:
            return self._scale_fn_custom(x)
        if self.mode == "triangular":
            return 1.0
        return 1 / (2.0 ** (x - 1)) if self.mode == "triangular2" else self.gamma ** x

    def get_lr(self):
        cycle = math.floor(1 + self.last_epoch / self.total_size)
        place = 1.0 + self.last_epoch / self.total_size - cycle
        if place <= self.step_ratio:
            height = place / self.step_ratio
        else:
            height = (place - 1) / (self.step_ratio - 1)

        def share(low, high):
            counted = cycle if self.scale_mode == "cycle" else self.last_epoch
            return (high - low) * height * self.scale_fn(counted)

        if self.cycle_momentum:
            for group, low, high in zip(self.optimizer.param_groups, self.base_momentums,
                                        self.max_momentums):
                self._write_momentum(group, high - share(low, high))
        return [low + share(low, high) for low, high in zip(self.base_lrs, self.max_lrs)]

    def state_dict(self):
        """A function stays behind; of an object that can be called, its attributes are saved."""
        state = super().state_dict()
        scale = state.pop("_scale_fn_custom")
        state["_scale_fn_custom"] = attributes_of_callable(scale)
        return state

    def load_state_dict(self, state_dict):
        scale = state_dict.pop("_scale_fn_custom")
        super().load_state_dict(state_dict)
        if scale is not None:
            self._scale_fn_custom.__dict__.update(scale)
