"""Optimisers that set each element's step by its own history, beside Adam and RMSprop.

    Adadelta    by the size of past steps to past gradients (Zeiler, 2012)
    Adamax      Adam with the greatest gradient in place of the mean (Kingma and Ba, 2015)
    NAdam       Adam that looks ahead along its momentum (Dozat, 2016)
    RAdam       Adam that waits until its variance is known (Liu et al., 2020)
"""
import torch
from torch.optim.adam import MomentsOptimizer
from torch.optim.optimizer import PerParameterOptimizer, gradient_of


def _check(lr, eps, betas, weight_decay):
    if not 0.0 <= lr:
        raise ValueError(f"Invalid learning rate: {lr}")
    if not 0.0 <= eps:
        raise ValueError(f"Invalid epsilon value: {eps}")
    for index, beta in enumerate(betas):
        if not 0.0 <= beta < 1.0:
            raise ValueError(f"Invalid beta parameter at index {index}: {beta}")
    if not 0.0 <= weight_decay:
        raise ValueError(f"Invalid weight_decay value: {weight_decay}")


class Adadelta(PerParameterOptimizer):
    def __init__(self, params, lr=1.0, rho=0.9, eps=1e-6, weight_decay=0, foreach=None, *,
                 capturable=False, maximize=False, differentiable=False):
        if not 0.0 <= lr:
            raise ValueError(f"Invalid learning rate: {lr}")
        if not 0.0 <= rho <= 1.0:
            raise ValueError(f"Invalid rho value: {rho}")
        _check(lr, eps, (), weight_decay)
        super().__init__(params, {
            "lr": lr, "rho": rho, "eps": eps, "weight_decay": weight_decay, "maximize": maximize,
            "capturable": capturable, "foreach": foreach, "differentiable": differentiable})

    def _update(self, param, group):
        state = self.state[param]
        if len(state) == 0:
            state["step"] = 0.0
            state["square_avg"] = torch.zeros_like(param)
            state["acc_delta"] = torch.zeros_like(param)
        state["step"] += 1
        rho, eps = group["rho"], group["eps"]
        gradient = gradient_of(param, group, group["weight_decay"])
        square, steps = state["square_avg"], state["acc_delta"]
        square.mul_(rho).addcmul_(gradient, gradient, value=1 - rho)
        step = steps.add(eps).sqrt_().div_(square.add(eps).sqrt_()).mul_(gradient)
        steps.mul_(rho).addcmul_(step, step, value=1 - rho)
        param.add_(step, alpha=-group["lr"])


class Adamax(PerParameterOptimizer):
    def __init__(self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, foreach=None,
                 *, maximize=False, differentiable=False, capturable=False):
        _check(lr, eps, betas, weight_decay)
        super().__init__(params, {
            "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "foreach": foreach,
            "maximize": maximize, "differentiable": differentiable, "capturable": capturable})

    def _update(self, param, group):
        state = self.state[param]
        if len(state) == 0:
            state["step"] = 0.0
            state["exp_avg"] = torch.zeros_like(param)
            state["exp_inf"] = torch.zeros_like(param)
        state["step"] += 1
        beta1, beta2 = group["betas"]
        gradient = gradient_of(param, group, group["weight_decay"])
        first, greatest = state["exp_avg"], state["exp_inf"]
        first.lerp_(gradient, 1 - beta1)
        greatest.copy_(torch.maximum(greatest.mul(beta2), gradient.abs().add_(group["eps"])))
        param.addcdiv_(first, greatest, value=-group["lr"] / (1 - beta1 ** state["step"]))


class NAdam(MomentsOptimizer):
    def __init__(self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0,
                 momentum_decay=4e-3, decoupled_weight_decay=False, *, foreach=None, maximize=False,
                 capturable=False, differentiable=False):
        _check(lr, eps, betas, weight_decay)
        if not 0.0 <= momentum_decay:
            raise ValueError(f"Invalid momentum_decay value: {momentum_decay}")
        super().__init__(params, {
            "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay,
            "momentum_decay": momentum_decay, "decoupled_weight_decay": decoupled_weight_decay,
            "maximize": maximize, "foreach": foreach, "capturable": capturable,
            "differentiable": differentiable})

    def _further_state(self):
        return {"mu_product": 1.0}

    def _update(self, param, group):
        state, gradient, first, second = self._moments(param, group)
        step, (beta1, beta2) = state["step"], group["betas"]
        decay = group["momentum_decay"]
        ahead = beta1 * (1.0 - 0.5 * 0.96 ** (step * decay))
        further = beta1 * (1.0 - 0.5 * 0.96 ** ((step + 1) * decay))
        state["mu_product"] *= ahead
        product = state["mu_product"]
        spread = (second / (1 - beta2 ** step)).sqrt_().add_(group["eps"])
        param.addcdiv_(gradient, spread, value=-group["lr"] * (1.0 - ahead) / (1.0 - product))
        param.addcdiv_(first, spread, value=-group["lr"] * further / (1.0 - product * further))


class RAdam(MomentsOptimizer):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0,
                 decoupled_weight_decay=False, *, foreach=None, maximize=False, capturable=False,
                 differentiable=False):
        _check(lr, eps, betas, weight_decay)
        super().__init__(params, {
            "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay,
            "maximize": maximize, "foreach": foreach, "capturable": capturable,
            "decoupled_weight_decay": decoupled_weight_decay, "differentiable": differentiable})

    def _update(self, param, group):
        state, _, first, second = self._moments(param, group)
        step, (beta1, beta2) = state["step"], group["betas"]
        known = 1 - beta2 ** step
        mean = first / (1 - beta1 ** step)
        longest = 2 / (1 - beta2) - 1
        length = longest - 2 * step * beta2 ** step / known
        if length <= 5.0:
            param.add_(mean, alpha=-group["lr"])
            return
        rectified = ((length - 4) * (length - 2) * longest
                     / ((longest - 4) * (longest - 2) * length)) ** 0.5
        scale = known ** 0.5 / second.sqrt().add_(group["eps"])
        param.add_(mean * group["lr"] * scale * rectified, alpha=-1.0)
