"""L-BFGS: steps along the gradient as the last gradients bend it, all parameters as one vector (Liu
and Nocedal, 1989). A step asks its closure for the loss many times:

    def closure():
        optimizer.zero_grad()
        loss = loss_of(model(x), y)
        loss.backward()
        return loss

    optimizer = torch.optim.LBFGS(model.parameters(), line_search_fn="strong_wolfe")
    optimizer.step(closure)

Whether to go on depends on losses, so a compiled function that calls `step` has a graph break at
each of them; the operators between are compiled, but for those of the bending.
"""
import torch
from torch.optim._line_search import Point, strong_wolfe
from torch.optim.optimizer import Optimizer, check_rate

# What a step hands to the next one, in the order of the state.
_KEPT = ("d", "t", "old_dirs", "old_stps", "ro", "H_diag", "prev_flat_grad", "prev_loss")


class LBFGS(Optimizer):
    def __init__(self, params, lr=1, max_iter=20, max_eval=None, tolerance_grad=1e-7,
                 tolerance_change=1e-9, history_size=100, line_search_fn=None, *, maximize=False):
        check_rate(lr)
        if max_eval is None:
            max_eval = max_iter * 5 // 4
        super().__init__(params, {
            "lr": lr, "max_iter": max_iter, "max_eval": max_eval, "tolerance_grad": tolerance_grad,
            "tolerance_change": tolerance_change, "history_size": history_size,
            "line_search_fn": line_search_fn, "maximize": maximize})
        if len(self.param_groups) != 1:
            raise ValueError("LBFGS doesn't support per-parameter options (parameter groups)")
        self._params = self.param_groups[0]["params"]

    @torch.no_grad()
    def step(self, closure):
        closure = torch.enable_grad()(closure)
        if len(self._params) == 0:
            return closure()
        state = self.state[self._params[0]]
        state.setdefault("func_evals", 0)
        state.setdefault("n_iter", 0)
        first = closure()
        state["func_evals"] += 1
        loss, gradient = self._signed(first), self._gradient()
        if not gradient.abs().max() <= self.param_groups[0]["tolerance_grad"]:
            kept = {name: state.get(name) for name in _KEPT}
            self._descend(closure, loss, gradient, state, kept)
            state.update(kept)
        return first

    def _descend(self, closure, loss, gradient, state, kept):
        group = self.param_groups[0]
        tolerance, evaluations = group["tolerance_change"], 1
        for iteration in range(1, group["max_iter"] + 1):
            state["n_iter"] += 1
            kept["d"] = direction = self._direction(gradient, state, kept)
            kept["prev_loss"] = loss
            if kept["prev_flat_grad"] is None:
                kept["prev_flat_grad"] = gradient.clone()
            else:
                kept["prev_flat_grad"].copy_(gradient)
            kept["t"] = self._first_try(gradient, state)
            slope = gradient.dot(direction)
            if slope > -tolerance:
                break
            last = iteration == group["max_iter"]
            if group["line_search_fn"] is None:
                self._move(kept["t"], direction)
                if not last:
                    loss, gradient, looks = self._signed(closure()), self._gradient(), 1
                else:
                    looks = 0
            else:
                start = Point(0, loss, gradient, slope)
                found, looks = self._search(closure, start, kept["t"], direction,
                                            group["max_eval"] - evaluations)
                kept["t"], loss, gradient = found.step, found.loss, found.gradient
                self._move(kept["t"], direction)
            evaluations += looks
            state["func_evals"] += looks
            if last or evaluations >= group["max_eval"]:
                break
            if gradient.abs().max() <= group["tolerance_grad"]:
                break
            if (direction * kept["t"]).abs().max() <= tolerance:
                break
            if abs(loss - kept["prev_loss"]) < tolerance:
                break

    def _first_try(self, gradient, state):
        lr = self.param_groups[0]["lr"]
        if isinstance(lr, torch.Tensor):
            lr = lr.squeeze()
        return min(1.0, 1.0 / gradient.abs().sum()) * lr if state["n_iter"] == 1 else lr

    @torch.compiler.disable  # as many operators as steps are remembered, so never the same
    def _direction(self, gradient, state, kept):
        """Where to go: down the gradient, as the steps and changes of gradients so far bend it."""
        if state["n_iter"] == 1:
            kept["old_dirs"], kept["old_stps"], kept["ro"], kept["H_diag"] = [], [], [], 1
            return gradient.neg()
        self._note_change(gradient, kept)
        changes, steps, inverses = kept["old_dirs"], kept["old_stps"], kept["ro"]
        if "al" not in state:
            state["al"] = [None] * self.param_groups[0]["history_size"]
        shares = state["al"]
        bent = gradient.neg()
        for i in range(len(changes) - 1, -1, -1):
            shares[i] = steps[i].dot(bent) * inverses[i]
            bent.add_(changes[i], alpha=-shares[i])
        bent = bent * kept["H_diag"]
        for i in range(len(changes)):
            share = changes[i].dot(bent) * inverses[i]
            bent.add_(steps[i], alpha=shares[i] - share)
        return bent

    def _note_change(self, gradient, kept):
        """Remembers the last step and how the gradient changed, if that says how it bends."""
        change, step = gradient - kept["prev_flat_grad"], kept["d"] * kept["t"]
        both = change.dot(step)
        if not both > 1e-10:
            return
        history = kept["old_dirs"], kept["old_stps"], kept["ro"]
        for items, item in zip(history, (change, step, 1.0 / both)):
            if len(items) == self.param_groups[0]["history_size"]:
                items.pop(0)
            items.append(item)
        kept["H_diag"] = both / change.dot(change)

    def _search(self, closure, start, step, direction, most):
        if self.param_groups[0]["line_search_fn"] != "strong_wolfe":
            raise RuntimeError("only 'strong_wolfe' is supported")
        places = [param.clone() for param in self._params]

        def look(step):
            self._move(step, direction)
            loss, gradient = self._signed(closure()), self._gradient()
            for param, place in zip(self._params, places):
                param.copy_(place)
            return Point(step, loss, gradient, gradient.dot(direction))

        return strong_wolfe(look, start, step, direction.abs().max(), 1e-9, most)

    def _signed(self, loss):
        return -float(loss) if self.param_groups[0]["maximize"] else float(loss)

    def _gradient(self):
        parts = [torch.zeros_like(param).view(-1) if param.grad is None else param.grad.view(-1)
                 for param in self._params]
        gradient = torch.cat(parts)
        return gradient.neg_() if self.param_groups[0]["maximize"] else gradient

    def _move(self, step, direction):
        first = 0
        for param in self._params:
            count = param.numel()
            param.add_(direction[first:first + count].view_as(param), alpha=step)
            first += count
