"""Adagrad: steps divided by the root of all squared gradients so far (Duchi and others, 2011)."""
import torch
from torch.optim.optimizer import PerParameterOptimizer, gradient_of


class Adagrad(PerParameterOptimizer):
    def __init__(self, params, lr=1e-2, lr_decay=0, weight_decay=0, initial_accumulator_value=0,
                 eps=1e-10, foreach=None, *, maximize=False, differentiable=False, fused=None):
        for value, name in ((lr, "learning rate"), (lr_decay, "lr_decay value"),
                            (weight_decay, "weight_decay value"),
                            (initial_accumulator_value, "initial_accumulator_value value"),
                            (eps, "epsilon value")):
            if not 0.0 <= value:
                raise ValueError(f"Invalid {name}: {value}")
        super().__init__(params, {
            "lr": lr, "lr_decay": lr_decay, "eps": eps, "weight_decay": weight_decay,
            "initial_accumulator_value": initial_accumulator_value, "foreach": foreach,
            "maximize": maximize, "differentiable": differentiable, "fused": fused})

    def _update(self, param, group):
        state = self.state[param]
        if len(state) == 0:
            state["step"] = 0.0
            state["sum"] = torch.full_like(param, group["initial_accumulator_value"])
        state["step"] += 1
        gradient = gradient_of(param, group, group["weight_decay"])
        rate = group["lr"] / (1 + (state["step"] - 1) * group["lr_decay"])
        state["sum"].addcmul_(gradient, gradient, value=1)
        param.addcdiv_(gradient, state["sum"].sqrt().add_(group["eps"]), value=-rate)
