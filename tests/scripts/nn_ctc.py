# tolerance: 1e-4
# The loss of labels without places: padded and joined targets, lengths, reductions, gradients, what is impossible.
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
T, N, C, S = 12, 3, 6, 5
logits = torch.randn(T, N, C, requires_grad=True)
targets = torch.randint(1, C, (N, S))
targets[0, 1] = targets[0, 0]
lengths, wanted = torch.tensor([12, 10, 7]), torch.tensor([5, 3, 2])
for reduction in ("none", "mean", "sum"):
    logits.grad = None
    loss = F.ctc_loss(logits.log_softmax(2), targets, lengths, wanted, reduction=reduction)
    print(loss)
    (loss * torch.arange(1.0, 4.0)).sum().backward()
    print(logits.grad[:, 1], logits.grad.sum().abs() < 1e-5)
joined = torch.cat([targets[i, :n] for i, n in enumerate(wanted.tolist())])
print(nn.CTCLoss(reduction="sum")(logits.log_softmax(2), joined, (12, 10, 7), (5, 3, 2)))

log_probs = logits.detach().log_softmax(2).requires_grad_()
F.ctc_loss(log_probs, targets, lengths, wanted).backward()
print(log_probs.grad[0])

# A blank of another number, more labels than times, no labels.
print(F.ctc_loss(log_probs, targets - 1, lengths, wanted, blank=C - 1, reduction="none"))
short = torch.tensor([3, 10, 0])
none = torch.tensor([5, 0, 0])
print(F.ctc_loss(log_probs, targets, short, none, reduction="none"))
criterion = nn.CTCLoss(zero_infinity=True, reduction="none")
logits.grad = None
loss = criterion(logits.log_softmax(2), targets, short, none)
print(loss, criterion)
loss.sum().backward()
print(logits.grad[:4].abs().sum((0, 2)))
print(F.ctc_loss(log_probs[:, 0], targets[0], torch.tensor(12), torch.tensor(5), reduction="none"))
print(F.ctc_loss(log_probs.double(), targets, lengths, wanted))

compiled = torch.compile(lambda x: F.ctc_loss(x.log_softmax(2), targets, lengths, wanted))
logits.grad = None
compiled(logits).backward()
print(compiled(logits).detach(), logits.grad[2, 0])
for wrong in (lambda: F.ctc_loss(log_probs, targets, torch.tensor([13, 1, 1]), wanted),
              lambda: F.ctc_loss(log_probs, targets, lengths, wanted, blank=7),
              lambda: F.ctc_loss(log_probs, targets, lengths[:2], wanted)):
    try:
        wrong()
    except RuntimeError as error:
        print(error)
