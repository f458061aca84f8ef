# tolerance: 1e-6
# Schedules that cycle, several at once, and what their state dicts hold.
import torch
from torch import optim
from torch.optim import lr_scheduler


def attempt(what, run):
    try:
        print(what, run())
    except Exception as error:
        print(f"{what}: {type(error).__name__}: {error}")


def shown(group):
    names = ("lr", "momentum", "betas", "initial_lr", "max_momentum")
    parts = {name: group[name] for name in names if name in group}
    return {name: tuple([round(v, 7) for v in value]) if isinstance(value, tuple)
            else round(value, 7) for name, value in parts.items()}


def run(name, make, steps=9, optimizer=None):
    a, b = torch.ones(1, requires_grad=True), torch.ones(1, requires_grad=True)
    if optimizer is None:
        optimizer = optim.SGD([{"params": [a]}, {"params": [b], "lr": 0.01}], lr=0.1, momentum=0.5)
    scheduler = make(optimizer)
    print(name, scheduler.get_last_lr(), [shown(group) for group in optimizer.param_groups])
    for _ in range(steps):
        optimizer.step()
        scheduler.step()
        print("   ", [shown(group) for group in optimizer.param_groups])
    print("   ", list(scheduler.state_dict()))
    return scheduler


def one(kind, **options):
    return kind([torch.ones(1, requires_grad=True)], lr=0.1, **options)


run("triangular", lambda o: lr_scheduler.CyclicLR(o, 0.01, 0.1, step_size_up=2))
run("triangular2", lambda o: lr_scheduler.CyclicLR(o, 0.01, [0.1, 0.2], step_size_up=2,
                                                   step_size_down=1, mode="triangular2"))
run("exp_range", lambda o: lr_scheduler.CyclicLR(o, 0.01, 0.1, step_size_up=3, mode="exp_range",
                                                 gamma=0.9, cycle_momentum=False))
run("scale_fn", lambda o: lr_scheduler.CyclicLR(o, 0.01, 0.1, step_size_up=2,
                                                scale_fn=lambda x: 1 / x))
run("adam", lambda o: lr_scheduler.CyclicLR(o, 0.01, 0.1, step_size_up=2),
    optimizer=one(optim.Adam), steps=4)
run("one cycle, no momentum yet", lambda o: lr_scheduler.OneCycleLR(o, 0.5, total_steps=5),
    optimizer=one(optim.SGD), steps=4)
run("one cycle, three phases", lambda o: lr_scheduler.OneCycleLR(
    o, [0.5, 0.1], total_steps=9, three_phase=True, anneal_strategy="linear"), steps=8)
run("one cycle, adam", lambda o: lr_scheduler.OneCycleLR(o, 0.5, epochs=2, steps_per_epoch=3),
    optimizer=one(optim.Adam), steps=5)
run("chained", lambda o: lr_scheduler.ChainedScheduler(
    [lr_scheduler.ConstantLR(o, factor=0.1, total_iters=3), lr_scheduler.ExponentialLR(o, 0.9)]))
for late in (lambda o: lr_scheduler.MultiStepLR(o, [1, 2]),
             lambda o: lr_scheduler.LinearLR(o, total_iters=2),
             lambda o: lr_scheduler.ConstantLR(o, total_iters=2),
             lambda o: lr_scheduler.PolynomialLR(o, total_iters=3),
             lambda o: lr_scheduler.CosineAnnealingLR(o, T_max=3),
             lambda o: lr_scheduler.MultiplicativeLR(o, lambda epoch: 0.5),
             lambda o: lr_scheduler.LambdaLR(o, lambda epoch: 1 / (epoch + 1))):
    s = run("sequential", lambda o: lr_scheduler.SequentialLR(
        o, [lr_scheduler.LinearLR(o, start_factor=0.5, total_iters=2), late(o)], [3]), steps=6)

saved = s.state_dict()
print({name: value for name, value in saved["_schedulers"][1].items() if name != "_last_lr"})
optimizer = one(optim.SGD)
again = lr_scheduler.SequentialLR(optimizer, [lr_scheduler.LinearLR(optimizer), lr_scheduler.LambdaLR(
    optimizer, lambda epoch: 1 / (epoch + 1))], [3])
again.load_state_dict(saved)
print(again.last_epoch, again._schedulers[1].last_epoch)
for step in (lambda o: lr_scheduler.StepLR(o, 3), lambda o: lr_scheduler.MultiStepLR(o, [1, 1, 4]),
             lambda o: lr_scheduler.LinearLR(o), lambda o: lr_scheduler.PolynomialLR(o),
             lambda o: lr_scheduler.CyclicLR(o, 0.01, 0.1, step_size_up=2),
             lambda o: lr_scheduler.ReduceLROnPlateau(o)):
    print(step(one(optim.SGD, momentum=0.9)).state_dict())


class Halved(lr_scheduler.LRScheduler):
    def get_lr(self):
        if not self._get_lr_called_within_step:
            print("called by someone else")
        if self._is_initial:
            return [group["lr"] for group in self.optimizer.param_groups]
        return [group["lr"] / 2 for group in self.optimizer.param_groups]


s = run("a script's own", Halved, steps=2)
print(s.get_lr(), s._get_lr_called_within_step)
attempt("mode", lambda: lr_scheduler.CyclicLR(optimizer, 0.1, 0.2, mode="round"))
attempt("lengths", lambda: lr_scheduler.CyclicLR(optimizer, [0.1, 0.2], 0.2))
attempt("momentum", lambda: lr_scheduler.CyclicLR(one(optim.Adagrad), 0.1, 0.2))
attempt("momentum", lambda: lr_scheduler.OneCycleLR(one(optim.Adagrad), 0.1, total_steps=3))
attempt("steps", lambda: lr_scheduler.OneCycleLR(optimizer, 0.1))
attempt("steps", lambda: lr_scheduler.OneCycleLR(optimizer, 0.1, total_steps=0))
attempt("anneal", lambda: lr_scheduler.OneCycleLR(optimizer, 0.1, 5, anneal_strategy="x"))
attempt("none", lambda: lr_scheduler.ChainedScheduler([]))
attempt("plateau", lambda: lr_scheduler.ChainedScheduler(
    [lr_scheduler.ReduceLROnPlateau(optimizer)]))
attempt("no scheduler", lambda: lr_scheduler.ChainedScheduler([3], optimizer))
attempt("min_lr", lambda: lr_scheduler.ReduceLROnPlateau(optimizer, min_lr=[0.1, 0.2]))
attempt("resumed", lambda: lr_scheduler.StepLR(one(optim.SGD), 2, last_epoch=3))
