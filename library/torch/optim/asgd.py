"""ASGD: gradient descent whose steps shrink, beside the mean of where it has been from step `t0` on
(Polyak and Juditsky, 1992). The mean is `optimizer.state[param]["ax"]`.

    eta = lr / (1 + lambd * lr * step) ** alpha         how far the next step goes
    mu = 1 / max(1, step - t0)                          how much of the mean the next place is
"""
import torch
from torch.optim.optimizer import PerParameterOptimizer, check_rate, gradient_of


class ASGD(PerParameterOptimizer):
    def __init__(self, params, lr=1e-2, lambd=1e-4, alpha=0.75, t0=1e6, weight_decay=0,
                 foreach=None, maximize=False, differentiable=False, capturable=False):
        check_rate(lr)
        for value, name in ((lambd, "lambd value"), (alpha, "alpha value"),
                            (weight_decay, "weight_decay value")):
            if not 0.0 <= value:
                raise ValueError(f"Invalid {name}: {value}")
        super().__init__(params, {
            "lr": lr, "lambd": lambd, "alpha": alpha, "t0": t0, "weight_decay": weight_decay,
            "foreach": foreach, "maximize": maximize, "differentiable": differentiable,
            "capturable": capturable})

    def _update(self, param, group):
        state, lr = self.state[param], group["lr"]
        if isinstance(lr, torch.Tensor):
            lr = lr.item()
        if len(state) == 0:
            state["step"] = 0.0
            state["eta"] = _as_stored(lr)
            state["mu"] = 1.0
            state["ax"] = torch.zeros_like(param)
        state["step"] += 1
        step, eta, mean = state["step"], state["eta"], state["ax"]
        gradient = gradient_of(param, group, group["weight_decay"])
        param.mul_(1 - group["lambd"] * eta)
        param.add_(gradient, alpha=-eta)
        if state["mu"] != 1:
            mean.add_(param.sub(mean).mul_(state["mu"]))
        else:
            mean.copy_(param)
        state["eta"] = _as_stored(lr / (1 + group["lambd"] * lr * step) ** group["alpha"])
        state["mu"] = _as_stored(1 / max(1, step - group["t0"]))


def _as_stored(value):
    """The number as a tensor of the default dtype keeps it, which is where PyTorch has it."""
    if torch.get_default_dtype() == torch.float64:
        return value
    # Adding and taking away a multiple leaves the 24 leading bits (Veltkamp, 1968).
    multiple = value * 536870913.0
    return multiple - (multiple - value)
