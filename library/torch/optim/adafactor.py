"""Adafactor: of a matrix's squared gradients only the means of rows and columns are kept (Shazeer and
Stern, 2018).

    optimizer = torch.optim.Adafactor(model.parameters(), lr=1e-2)      the greatest relative step
"""
import torch
from torch.optim.optimizer import PerParameterOptimizer, gradient_of


def _mean_of_squares(x, dim):
    return torch.linalg.vector_norm(x, dim=dim, keepdim=True).square().div(x.size(dim))


def _root_of_mean_square(x):
    return x.norm(2).item() / x.numel() ** 0.5


class Adafactor(PerParameterOptimizer):
    def __init__(self, params, lr=1e-2, beta2_decay=-0.8, eps=(None, 1e-3), d=1.0, weight_decay=0.0, *,
                 foreach=None, maximize=False):
        if isinstance(lr, torch.Tensor) and lr.numel() != 1:
            raise ValueError("Tensor lr must be 1-element")
        for holds, text in ((0.0 <= lr, f"Learning rate should be >= 0 but is: {lr}"),
                            (0.0 >= beta2_decay, f"beta2_decay should be <= 0 but is: {beta2_decay}"),
                            (eps[0] is None or 0.0 <= eps[0], f"epsilon1 should be >= 0 but is: {eps[0]}"),
                            (0.0 <= eps[1], f"epsilon2 should be >= 0 but is: {eps[1]}"),
                            (1.0 <= d, f"Clipping threshold d should be >= 1 but is: {d}"),
                            (0.0 <= weight_decay, f"weight_decay should be >= 0 but is: {weight_decay}")):
            if not holds:
                raise ValueError(text)
        super().__init__(params, {"lr": lr, "beta2_decay": beta2_decay, "eps": eps, "d": d,
                                  "weight_decay": weight_decay, "foreach": foreach, "maximize": maximize})

    def _first_state(self, param):
        gradient = param.grad
        if gradient.dim() <= 1:
            return {"step": 0.0, "variance": torch.zeros_like(gradient)}
        shape = tuple(gradient.shape)
        return {"step": 0.0, "row_var": gradient.new_zeros(shape[:-1] + (1,)),
                "col_var": gradient.new_zeros(shape[:-2] + (1, shape[-1]))}

    def _update(self, param, group):
        state = self.state[param]
        if len(state) == 0:
            state.update(self._first_state(param))
        gradient = gradient_of(param, group, 0)
        eps1, eps2 = group["eps"]
        eps1 = torch.finfo(param.dtype).eps if eps1 is None else eps1
        state["step"] += 1
        share = state["step"] ** group["beta2_decay"]
        rate = max(eps2, _root_of_mean_square(param)) * min(group["lr"], 1 / state["step"] ** 0.5)
        if group["weight_decay"] != 0:
            param.mul_(1 - group["lr"] * group["weight_decay"])
        if gradient.dim() > 1:
            rows, columns = state["row_var"], state["col_var"]
            rows.lerp_(_mean_of_squares(gradient, -1), share)
            columns.lerp_(_mean_of_squares(gradient, -2), share)
            variance = (rows @ columns).div(rows.mean(dim=-2, keepdim=True).clamp(min=eps1))
        else:
            variance = state["variance"].lerp_(gradient * gradient, share)
        update = variance.clamp(min=eps1 * eps1).rsqrt().mul(gradient)
        param.add_(update, alpha=-rate / max(1.0, _root_of_mean_square(update) / group["d"]))
