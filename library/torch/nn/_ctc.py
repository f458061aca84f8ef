"""The loss of a sequence of labels whose places are not known (Graves and others, 2006).

    ctc_loss(log_probs, targets, input_lengths, target_lengths)

The labels stand between blanks, each of which may last or be left out: `blank a blank b blank`. `alpha`
sums over all ways to be at one of them at a time, from the first time on, `beta` from the last one back;
what passes through a label, of all that there is, is the label's share of the gradient. As PyTorch's,
the gradient is that of the logits before a `log_softmax`.
"""
import torch
from torch.autograd import Function
from torch.nn.functional import _reduced

_NEVER = -torch.inf


def _shifted(row, by):
    """What stands `by` places before, and nothing before the first."""
    return torch.cat([row.new_full((row.size(0), by), _NEVER), row[:, :row.size(1) - by]], 1)


def _shifted_back(row, by):
    return torch.cat([row[:, by:], row.new_full((row.size(0), by), _NEVER)], 1)


def _joined(stays, moves, skips):
    return torch.logsumexp(torch.stack([stays, moves, skips]), 0)


class _Paths:
    """Labels between blanks, a row for each example, and what is possible there."""

    def __init__(self, log_probs, labels, input_lengths, target_lengths, blank):
        self.times, self.count = log_probs.size(0), labels.size(0)
        self.labels = labels.new_full((self.count, 2 * labels.size(1) + 1), blank)
        self.labels[:, 1::2] = labels
        places = torch.arange(self.labels.size(1), device=labels.device)
        different = torch.ones_like(self.labels, dtype=torch.bool)
        different[:, 2:] = self.labels[:, 2:] != self.labels[:, :-2]
        self.may_skip = different & (places % 2 == 1) & (places >= 2)
        self.lengths = input_lengths
        self.last = (2 * target_lengths).unsqueeze(1)
        self.is_end = (places == self.last) | (places == self.last - 1)
        self.is_inside = places <= self.last
        self.emitted = log_probs.gather(2, self.labels.expand(self.times, -1, -1))

    def forward(self):
        """alpha for each time, example and place."""
        first = torch.full_like(self.emitted[0], _NEVER)
        first[:, :2] = self.emitted[0, :, :2]
        rows = [torch.where(self.is_inside, first, _NEVER)]
        for time in range(1, self.times):
            row = rows[-1]
            skips = torch.where(self.may_skip, _shifted(row, 2), _NEVER)
            reached = _joined(row, _shifted(row, 1), skips) + self.emitted[time]
            rows.append(torch.where(self.is_inside, reached, _NEVER))
        return torch.stack(rows)

    def loss(self, alpha):
        last = alpha.gather(0, (self.lengths - 1).clamp(min=0).reshape(1, -1, 1).expand(1, -1, alpha.size(2)))[0]
        result = -torch.logsumexp(torch.where(self.is_end, last, _NEVER), 1)
        empty = torch.where(self.last.squeeze(1) == 0, -0.0, torch.inf).to(result.dtype)
        return torch.where(self.lengths == 0, empty, result)

    def backward(self):
        """beta, with the place's own probability, as alpha has it."""
        row = torch.full_like(self.emitted[0], _NEVER)
        rows = []
        for time in range(self.times - 1, -1, -1):
            skips = torch.where(_shifted_back(self.may_skip.to(row.dtype), 2) == 1, _shifted_back(row, 2), _NEVER)
            reached = _joined(row, _shifted_back(row, 1), skips) + self.emitted[time]
            ends = torch.where(self.is_end, self.emitted[time], _NEVER)
            left = (self.lengths - 1 - time).unsqueeze(1)
            row = torch.where(left == 0, ends, torch.where(left > 0, reached, _NEVER))
            rows.append(row)
        return torch.stack(rows[::-1])


class _CtcLoss(Function):
    _node_name = "CtcLossBackward0"

    @staticmethod
    def forward(ctx, log_probs, labels, input_lengths, target_lengths, blank, zero_infinity):
        paths = _Paths(log_probs.detach(), labels, input_lengths, target_lengths, blank)
        alpha = paths.forward()
        loss = paths.loss(alpha)
        ctx.save_for_backward(log_probs, loss, alpha)
        ctx.paths, ctx.zero_infinity = paths, zero_infinity
        return loss

    @staticmethod
    def backward(ctx, gradient):
        log_probs, loss, alpha = ctx.saved_tensors
        paths = ctx.paths
        shares = (alpha + paths.backward() - paths.emitted + loss.reshape(1, -1, 1)).exp()
        shares = torch.where(alpha == _NEVER, 0.0, shares)
        by_class = torch.zeros_like(log_probs).scatter_add(2, paths.labels.expand(paths.times, -1, -1), shares)
        result = (log_probs.exp() - by_class) * gradient.reshape(1, -1, 1)
        beyond = torch.arange(paths.times, device=loss.device).reshape(-1, 1, 1) >= paths.lengths.reshape(1, -1, 1)
        result = result.masked_fill(beyond, 0.0)
        if ctx.zero_infinity:
            result = result.masked_fill((loss == torch.inf).reshape(1, -1, 1), 0.0)
        return result, None, None, None, None, None


def _lengths(given, device):
    return torch.as_tensor(given, dtype=torch.int64).to(device)


def _check_count(lengths, count, what):
    if lengths.numel() != count:
        raise RuntimeError(f"{what} must be of size batch_size")


def _rows(targets, target_lengths, blank):
    """Targets that stand one behind the other as rows that end with blanks."""
    if targets.dim() == 2:
        return targets[:, :int(target_lengths.max())] if target_lengths.numel() else targets
    longest = int(target_lengths.max()) if target_lengths.numel() else 0
    rows = targets.new_full((target_lengths.numel(), longest), blank)
    inside = torch.arange(longest, device=targets.device) < target_lengths.unsqueeze(1)
    rows[inside] = targets[:int(target_lengths.sum())]
    return rows


def ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, reduction="mean", zero_infinity=False):
    """The negative logarithm of the probability of the labels, wherever they stand."""
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(f"{reduction} is not a valid value for reduction")
    if not log_probs.is_floating_point():
        raise RuntimeError("log_probs must be floating point")
    if targets.is_floating_point():
        raise RuntimeError("targets must be integral")
    is_batch = log_probs.dim() == 3
    batch = log_probs if is_batch else log_probs.unsqueeze(1)
    times, count, classes = batch.shape
    if not 0 <= blank < classes:
        raise RuntimeError("blank must be in label range")
    if not is_batch and targets.dim() == 1:
        targets = targets.unsqueeze(0)
    device = log_probs.device
    inputs, labels = _lengths(input_lengths, device).reshape(-1), _lengths(target_lengths, device).reshape(-1)
    _check_count(inputs, count, "input_lengths")
    _check_count(labels, count, "target_lengths")
    if bool((inputs > times).any()):
        wrong = int((inputs > times).nonzero()[0, 0])
        raise RuntimeError(f"Expected input_lengths to have value at most {times}, but got value "
                           f"{int(inputs[wrong])} (while checking arguments for ctc_loss_allocate_outputs)")
    rows = _rows(targets.to(device).long(), labels, blank)
    loss = _CtcLoss.apply(batch, rows, inputs, labels, blank, zero_infinity)
    if zero_infinity:
        loss = torch.where(loss == torch.inf, 0.0, loss)
    if reduction == "mean":
        return (loss / labels.clamp(min=1)).mean()
    return _reduced(loss if is_batch else loss.squeeze(0), reduction)
