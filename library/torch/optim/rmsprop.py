"""RMSprop: steps divided by a running mean of the gradient's size (Tieleman and Hinton, 2012)."""
import torch
from torch.optim.optimizer import PerParameterOptimizer, gradient_of


class RMSprop(PerParameterOptimizer):
    def __init__(self, params, lr=1e-2, alpha=0.99, eps=1e-8, weight_decay=0, momentum=0,
                 centered=False, capturable=False, foreach=None, maximize=False,
                 differentiable=False):
        for value, name in ((lr, "learning rate"), (eps, "epsilon value"),
                            (momentum, "momentum value"), (weight_decay, "weight_decay value"),
                            (alpha, "alpha value")):
            if not 0.0 <= value:
                raise ValueError(f"Invalid {name}: {value}")
        super().__init__(params, {
            "lr": lr, "momentum": momentum, "alpha": alpha, "eps": eps, "centered": centered,
            "weight_decay": weight_decay, "capturable": capturable, "foreach": foreach,
            "maximize": maximize, "differentiable": differentiable})

    def _update(self, param, group):
        state = self.state[param]
        if len(state) == 0:
            state["step"] = 0.0
            state["square_avg"] = torch.zeros_like(param)
            if group["momentum"] > 0:
                state["momentum_buffer"] = torch.zeros_like(param)
            if group["centered"]:
                state["grad_avg"] = torch.zeros_like(param)
        state["step"] += 1
        alpha = group["alpha"]
        gradient = gradient_of(param, group, group["weight_decay"])
        square = state["square_avg"]
        square.mul_(alpha).addcmul_(gradient, gradient, value=1 - alpha)
        if group["centered"]:
            mean = state["grad_avg"]
            mean.lerp_(gradient, 1 - alpha)
            spread = square.addcmul(mean, mean, value=-1).sqrt_().add_(group["eps"])
        else:
            spread = square.sqrt().add_(group["eps"])
        if group["momentum"] > 0:
            buffer = state["momentum_buffer"]
            buffer.mul_(group["momentum"]).addcdiv_(gradient, spread)
            param.add_(buffer, alpha=-group["lr"])
        else:
            param.addcdiv_(gradient, spread, value=-group["lr"])
