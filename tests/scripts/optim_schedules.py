# tolerance: 1e-6
# Learning-rate schedules, step by step.
import torch
from torch import optim
from torch.optim import lr_scheduler


def attempt(what, run):
    try:
        print(what, run())
    except Exception as error:
        print(f"{what}: {type(error).__name__}: {error}")


def run(name, make, steps=8):
    a, b = torch.ones(1, requires_grad=True), torch.ones(1, requires_grad=True)
    optimizer = optim.SGD([{"params": [a]}, {"params": [b], "lr": 0.01}], lr=0.1)
    scheduler = make(optimizer)
    rates = [scheduler.get_last_lr()]
    for _ in range(steps):
        optimizer.step()
        scheduler.step()
        rates.append(scheduler.get_last_lr())
    print(name, [[round(rate, 8) for rate in each] for each in rates], scheduler.last_epoch)
    return scheduler


s = run("step", lambda o: lr_scheduler.StepLR(o, step_size=3, gamma=0.5))
print(s.base_lrs, s.state_dict()["step_size"])
run("multi step", lambda o: lr_scheduler.MultiStepLR(o, [2, 5], gamma=0.1))
run("exponential", lambda o: lr_scheduler.ExponentialLR(o, 0.9))
run("cosine", lambda o: lr_scheduler.CosineAnnealingLR(o, T_max=5, eta_min=0.001))
run("lambda", lambda o: lr_scheduler.LambdaLR(o, lambda epoch: 0.95 ** epoch))
run("lambdas", lambda o: lr_scheduler.LambdaLR(o, [lambda e: 1 / (e + 1), lambda e: 0.5 ** e]))
run("multiplicative", lambda o: lr_scheduler.MultiplicativeLR(o, lambda epoch: 0.9))
run("constant", lambda o: lr_scheduler.ConstantLR(o, factor=0.5, total_iters=3))
run("linear", lambda o: lr_scheduler.LinearLR(o, start_factor=0.25, total_iters=4))
run("polynomial", lambda o: lr_scheduler.PolynomialLR(o, total_iters=4, power=2.0))
run("one cycle", lambda o: lr_scheduler.OneCycleLR(o, max_lr=0.5, total_steps=9))
run("warm restarts", lambda o: lr_scheduler.CosineAnnealingWarmRestarts(o, T_0=3))
run("sequential", lambda o: lr_scheduler.SequentialLR(
    o, [lr_scheduler.ConstantLR(o, factor=0.1, total_iters=2), lr_scheduler.ExponentialLR(o, 0.9)], milestones=[3]))

a = torch.ones(1, requires_grad=True)
optimizer = optim.SGD([a], lr=0.1)
plateau = lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, patience=1)
for metric in (1.0, 0.9, 0.95, 0.96, 0.97, 0.5, 0.6, 0.7, 0.8):
    optimizer.step()
    plateau.step(metric)
    print(optimizer.param_groups[0]["lr"], plateau.num_bad_epochs)
first = lr_scheduler.StepLR(optimizer, 2)
for _ in range(3):
    optimizer.step()
    first.step()
saved = first.state_dict()
second = lr_scheduler.StepLR(optim.SGD([a], lr=0.1), 5)
second.load_state_dict(saved)
print(second.step_size, second.last_epoch, second.get_last_lr())
attempt("not an optimiser", lambda: lr_scheduler.StepLR(3, 2))
attempt("lambdas", lambda: lr_scheduler.LambdaLR(optimizer, [lambda e: 1, lambda e: 2]))
