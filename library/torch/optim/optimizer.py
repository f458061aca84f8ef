"""`Optimizer`: the groups of parameters, their options, and the state that a step keeps for each.

    optimizer = SGD([{"params": body}, {"params": head, "lr": 0.1}], lr=0.01)
    optimizer.param_groups[1]["lr"]       0.1; what a group does not say comes from the defaults

    optimizer.register_step_post_hook(lambda optimizer, args, kwargs: print("stepped"))

A subclass gives `defaults` and `step`; of a `PerParameterOptimizer`, `_update` instead. Everything
here is ordinary code: capture traces it.
"""
from collections import defaultdict
from copy import deepcopy
from functools import wraps

import torch
from torch._hooks import RemovableHandle
from torch.nn.parameter import clear_gradient


class _RequiredParameter:
    """What older optimisers have as the default of an option that must be given."""

    def __repr__(self):
        return "<required parameter>"


required = _RequiredParameter()


class Optimizer:
    def __init__(self, params, defaults):
        self.defaults = defaults
        self._optimizer_step_pre_hooks = {}
        self._optimizer_step_post_hooks = {}
        if isinstance(params, torch.Tensor):
            raise TypeError("params argument given to the optimizer should be an iterable of "
                            f"Tensors or dicts, but got {params.type()}")
        self.state = defaultdict(dict)
        self.param_groups = []
        groups = list(params)
        if len(groups) == 0:
            raise ValueError("optimizer got an empty parameter list")
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        for group in groups:
            self.add_param_group(group)

    def __getstate__(self):
        """All but the hooks, as PyTorch's."""
        return {name: value for name, value in self.__dict__.items() if not name.endswith("_hooks")}

    def __setstate__(self, state):
        self.__dict__.update(state)
        self._optimizer_step_pre_hooks = {}
        self._optimizer_step_post_hooks = {}

    def add_param_group(self, param_group):
        if not isinstance(param_group, dict):
            raise TypeError(f"param_group must be a dict, but got {type(param_group)}")
        params = param_group["params"]
        params = [params] if isinstance(params, torch.Tensor) else list(params)
        param_group["params"] = [_tensor_of(param) for param in params]
        for param in param_group["params"]:
            if not isinstance(param, torch.Tensor):
                raise TypeError("optimizer can only optimize Tensors, but one of the params is "
                                + type(param).__name__)
            if not self.defaults.get("differentiable") and not param.is_leaf:
                raise ValueError("can't optimize a non-leaf Tensor")
        for name, default in self.defaults.items():
            if default is required and name not in param_group:
                raise ValueError("parameter group didn't specify a value of required optimization parameter "
                                 f"{name}")
            param_group.setdefault(name, default)
        known = {id(param) for group in self.param_groups for param in group["params"]}
        if any(id(param) in known for param in param_group["params"]):
            raise ValueError("some parameters appear in more than one parameter group")
        self.param_groups.append(param_group)

    def zero_grad(self, set_to_none=True):
        for group in self.param_groups:
            for param in group["params"]:
                clear_gradient(param, set_to_none)

    def step(self, closure=None):
        raise NotImplementedError

    def register_step_pre_hook(self, hook):
        """`hook(optimizer, args, kwargs)` before each step; it may give other arguments."""
        self._let_step_call_hooks()
        return RemovableHandle(self._optimizer_step_pre_hooks, hook)

    def register_step_post_hook(self, hook):
        """`hook(optimizer, args, kwargs)` behind each step."""
        self._let_step_call_hooks()
        return RemovableHandle(self._optimizer_step_post_hooks, hook)

    def _let_step_call_hooks(self):
        # From the first hook on: the steps of a class without any are called as they are.
        cls = type(self)
        if not getattr(cls.step, "hooked", False):
            cls.step = _with_hooks(cls.step)

    def _loss_of(self, closure):
        if closure is None:
            return None
        with torch.enable_grad():
            return closure()

    def state_dict(self):
        numbers = {}
        groups = []
        for group in self.param_groups:
            packed = {name: value for name, value in group.items() if name != "params"}
            for param in group["params"]:
                numbers.setdefault(id(param), len(numbers))
            packed["params"] = [numbers[id(param)] for param in group["params"]]
            groups.append(packed)
        state = {numbers[id(param)]: _as_saved(kept, param) for param, kept in self.state.items()}
        return {"state": state, "param_groups": groups}

    def load_state_dict(self, state_dict):
        groups = state_dict["param_groups"]
        if len(groups) != len(self.param_groups):
            raise ValueError("loaded state dict has a different number of parameter groups")
        for group, saved in zip(self.param_groups, groups):
            if len(group["params"]) != len(saved["params"]):
                raise ValueError("loaded state dict contains a parameter group that doesn't match "
                                 "the size of optimizer's group")
        self.state = defaultdict(dict)
        for group, saved in zip(self.param_groups, groups):
            for param, number in zip(group["params"], saved["params"]):
                if number in state_dict["state"]:
                    self.state[param] = _as_kept(state_dict["state"][number], param)
            for name, value in saved.items():
                if name != "params":
                    group[name] = deepcopy(value)

    def __repr__(self):
        text = type(self).__name__ + " ("
        for number, group in enumerate(self.param_groups):
            text += f"\nParameter Group {number}\n"
            for name in sorted(group):
                if name != "params":
                    text += f"    {name}: {group[name]}\n"
        return text + ")"


class PerParameterOptimizer(Optimizer):
    """Updates each parameter on its own: `_update(param, group)`."""

    @torch.no_grad()
    def step(self, closure=None):
        loss = self._loss_of(closure)
        for group in self.param_groups:
            for param in group["params"]:
                if param.grad is not None:
                    self._update(param, group)
        return loss


def _with_hooks(step):
    """`step` between the hooks of its optimiser. The optimiser is the first of the arguments."""
    @wraps(step)
    def hooked(*args, **kwargs):
        optimizer = args[0]
        for hook in list(optimizer._optimizer_step_pre_hooks.values()):
            changed = hook(optimizer, args, kwargs)
            if changed is None:
                continue
            if not isinstance(changed, tuple) or len(changed) != 2:
                raise RuntimeError(f"{step} must return None or a tuple of (new_args, new_kwargs), "
                                   f"but got {changed}.")
            args, kwargs = changed
        loss = step(*args, **kwargs)
        for hook in list(optimizer._optimizer_step_post_hooks.values()):
            hook(optimizer, args, kwargs)
        return loss

    hooked.hooked = True
    return hooked


def check_rate(lr):
    if isinstance(lr, torch.Tensor) and lr.numel() != 1:
        raise ValueError("Tensor lr must be 1-element")
    if not 0.0 <= lr:
        raise ValueError(f"Invalid learning rate: {lr}")


def gradient_of(param, group, weight_decay):
    """The gradient to go down: of the loss, or up it for `maximize`, with the decay added."""
    gradient = -param.grad if group["maximize"] else param.grad
    if weight_decay != 0:
        gradient = gradient.add(param, alpha=weight_decay)
    return gradient


def _tensor_of(param):
    # `named_parameters()` may be passed as they are.
    param = param[1] if isinstance(param, tuple) else param
    if not isinstance(param, torch.Tensor) or not param.is_complex():
        return param
    # A complex parameter is learned as the pairs of its parts.
    param._pairs._of_complex = True
    return param._pairs


# Numbers here, and tensors where PyTorch saves them.
_NUMBERS = ("step", "eta", "mu", "mu_product")


def _as_saved(kept, param):
    def saved(name, value):
        # A script's own optimiser may count its steps in an int, which stays one.
        if name in _NUMBERS and isinstance(value, float):
            return torch.tensor(value)
        pairs = isinstance(value, torch.Tensor) and value.shape == param.shape and hasattr(param, "_of_complex")
        return torch.view_as_complex(value) if pairs else value

    return {name: saved(name, value) for name, value in kept.items()}


def _as_kept(saved, param):
    # Tensors are shared with who saved them, as in PyTorch; in another dtype they are copies.
    def kept(name, value):
        if name in _NUMBERS and isinstance(value, torch.Tensor):
            return float(value)
        if isinstance(value, torch.Tensor) and value.is_complex():
            value = torch.view_as_real(value)
        if isinstance(value, torch.Tensor) and param.is_floating_point():
            return value.to(device=param.device, dtype=param.dtype)
        if isinstance(value, list):
            return [kept(None, each) for each in value]
        return value

    return {name: kept(name, value) for name, value in saved.items()}
