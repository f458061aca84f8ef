"""Adam, and AdamW with its decoupled weight decay (Kingma and Ba, 2015; Loshchilov and Hutter, 2019).

    m = beta1 * m + (1 - beta1) * g                 exp_avg
    v = beta2 * v + (1 - beta2) * g * g             exp_avg_sq
    p = p - lr / (1 - beta1**t) * m / (sqrt(v) / sqrt(1 - beta2**t) + eps)
"""
import torch
from torch.optim.optimizer import PerParameterOptimizer, gradient_of


class MomentsOptimizer(PerParameterOptimizer):
    """Keeps running means of the gradient and of its square."""

    def _moments(self, param, group):
        state = self.state[param]
        if len(state) == 0:
            state["step"] = 0.0
            state.update(self._further_state())
            state["exp_avg"] = torch.zeros_like(param)
            state["exp_avg_sq"] = torch.zeros_like(param)
        state["step"] += 1
        beta1, beta2 = group["betas"]
        decay = group["weight_decay"]
        if group["decoupled_weight_decay"] and decay != 0:
            param.mul_(1 - group["lr"] * decay)
            decay = 0
        gradient = gradient_of(param, group, decay)
        first, second = state["exp_avg"], state["exp_avg_sq"]
        first.lerp_(gradient, 1 - beta1)
        second.mul_(beta2).addcmul_(gradient, gradient, value=1 - beta2)
        return state, gradient, first, second

    def _further_state(self):
        """What is kept beside the means, before them."""
        return {}


class Adam(MomentsOptimizer):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, amsgrad=False,
                 *, foreach=None, maximize=False, capturable=False, differentiable=False, fused=None,
                 decoupled_weight_decay=False):
        if not 0.0 <= lr:
            raise ValueError(f"Invalid learning rate: {lr}")
        if not 0.0 <= eps:
            raise ValueError(f"Invalid epsilon value: {eps}")
        for index in range(2):
            if not 0.0 <= betas[index] < 1.0:
                raise ValueError(f"Invalid beta parameter at index {index}: {betas[index]}")
        if not 0.0 <= weight_decay:
            raise ValueError(f"Invalid weight_decay value: {weight_decay}")
        if fused and foreach:
            raise RuntimeError("`fused` and `foreach` cannot be `True` together.")
        super().__init__(params, {
            "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "amsgrad": amsgrad,
            "maximize": maximize, "foreach": foreach, "capturable": capturable,
            "differentiable": differentiable, "fused": fused,
            "decoupled_weight_decay": decoupled_weight_decay})

    def _update(self, param, group):
        state, _, first, second = self._moments(param, group)
        step, (beta1, beta2) = state["step"], group["betas"]
        step_size = group["lr"] / (1 - beta1 ** step)
        correction = (1 - beta2 ** step) ** 0.5
        if group["amsgrad"]:
            if "max_exp_avg_sq" not in state:
                state["max_exp_avg_sq"] = torch.zeros_like(param)
            largest = state["max_exp_avg_sq"]
            second = largest.copy_(torch.maximum(largest, second))
        denominator = (second.sqrt() / correction).add_(group["eps"])
        param.addcdiv_(first, denominator, value=-step_size)


class AdamW(Adam):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=1e-2,
                 amsgrad=False, *, maximize=False, foreach=None, capturable=False,
                 differentiable=False, fused=None):
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, foreach=foreach,
                         maximize=maximize, capturable=capturable, differentiable=differentiable,
                         fused=fused, decoupled_weight_decay=True)
