"""Rprop: each element's own step, which grows while its gradient keeps its sign and shrinks where the
sign turns; how great the gradient is does not matter (Riedmiller and Braun, 1993).

    optimizer = torch.optim.Rprop(model.parameters(), lr=0.01)     the first step of every element
"""
import torch
from torch.optim.optimizer import PerParameterOptimizer, check_rate, gradient_of


class Rprop(PerParameterOptimizer):
    def __init__(self, params, lr=1e-2, etas=(0.5, 1.2), step_sizes=(1e-6, 50), *,
                 capturable=False, foreach=None, maximize=False, differentiable=False):
        check_rate(lr)
        if not 0.0 < etas[0] < 1.0 < etas[1]:
            raise ValueError(f"Invalid eta values: {etas[0]}, {etas[1]}")
        super().__init__(params, {
            "lr": lr, "etas": etas, "step_sizes": step_sizes, "foreach": foreach,
            "maximize": maximize, "differentiable": differentiable, "capturable": capturable})

    def _update(self, param, group):
        state = self.state[param]
        if len(state) == 0:
            state["step"] = 0.0
            state["prev"] = torch.zeros_like(param)
            state["step_size"] = torch.full_like(param, group["lr"])
        state["step"] += 1
        shrink, grow = group["etas"]
        gradient = gradient_of(param, group, 0)
        before, sizes = state["prev"], state["step_size"]
        turn = gradient * before
        factor = torch.where(turn > 0, grow, torch.ones_like(turn))
        factor = torch.where(turn < 0, shrink, factor)
        sizes.mul_(factor).clamp_(*group["step_sizes"])
        # Where the sign turns, this step waits and the next one is not taken for a turn.
        gradient = gradient.masked_fill(turn < 0, 0.0)
        param.addcmul_(gradient.sign(), sizes, value=-1)
        before.copy_(gradient)
