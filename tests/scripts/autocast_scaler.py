# tolerance: 1e-4
# torch.amp.GradScaler: scaled losses, steps that are left out, and the scale that follows.
import torch


def attempt(what, run):
    try:
        print(what, run())
    except BaseException as error:
        print(f"{what}: {type(error).__name__}: {error}")


w = torch.nn.Parameter(torch.tensor([1.0, 2.0]))
optimizer = torch.optim.SGD([w], lr=0.1)
scaler = torch.amp.GradScaler("cpu", init_scale=8.0, growth_interval=2)
print(scaler.is_enabled(), scaler.get_scale(), scaler.state_dict())
attempt("step", lambda: scaler.step(optimizer))
attempt("update", lambda: scaler.update())
attempt("unscale_", lambda: scaler.unscale_(optimizer))
for factor in (1.0, 1.0, float("inf"), 1.0, float("nan"), 1.0, 1.0):
    optimizer.zero_grad()
    loss = (w * w).sum() * factor
    scaled = scaler.scale(loss)
    scaled.backward()
    result = scaler.step(optimizer)
    scaler.update()
    print(factor, scaled.item(), result, w.detach(), w.grad, scaler.get_scale(),
          scaler.state_dict()["_growth_tracker"])

# By hand, with clipping in between.
optimizer.zero_grad()
scaler.scale((w * w).sum()).backward()
scaler.unscale_(optimizer)
print(w.grad)
attempt("unscale_ twice", lambda: scaler.unscale_(optimizer))
print(torch.nn.utils.clip_grad_norm_([w], 1.0))
scaler.step(optimizer)
attempt("step twice", lambda: scaler.step(optimizer))
attempt("unscale_ after step", lambda: scaler.unscale_(optimizer))
attempt("closure", lambda: scaler.step(optimizer, closure=lambda: 0))
scaler.update()
print(w.detach(), scaler.get_scale())
attempt("nothing checked", lambda: scaler.update())
scaler.update(32.0)
print(scaler.get_scale())
scaler.update(torch.tensor(16.0))
print(scaler.get_scale())
attempt("two scales", lambda: scaler.update(torch.ones(2)))

# Several outputs, several optimizers.
print(scaler.scale([torch.ones(1), torch.ones(2)]), scaler.scale((torch.ones(1),)))
print(list(scaler.scale(torch.ones(1) for _ in range(2))))
attempt("a number", lambda: scaler.scale(3))
v = torch.nn.Parameter(torch.ones(2))
other = torch.optim.SGD([v], lr=0.1)
for factor in (1.0, float("inf")):
    w.grad = v.grad = None
    losses = scaler.scale([(w * w).sum(), (v * v).sum() * factor])
    losses[0].backward()
    losses[1].backward()
    for each in (optimizer, other):
        scaler.step(each)
    scaler.update()
    print(w.detach(), v.detach(), scaler.get_scale())

# Its state.
state = scaler.state_dict()
print(state)
fresh = torch.amp.GradScaler("cpu")
print(fresh.get_scale(), fresh.get_growth_factor(), fresh.get_backoff_factor(),
      fresh.get_growth_interval())
fresh.load_state_dict(state)
print(fresh.state_dict() == state)
attempt("empty", lambda: fresh.load_state_dict({}))
fresh.set_growth_factor(3.0)
fresh.set_backoff_factor(0.25)
fresh.set_growth_interval(7)
print(fresh.state_dict())
attempt("growth", lambda: torch.amp.GradScaler("cpu", growth_factor=1.0))
attempt("backoff", lambda: torch.amp.GradScaler("cpu", backoff_factor=1.0))
off = torch.amp.GradScaler("cpu", enabled=False)
print(off.is_enabled(), off.get_scale(), off.state_dict(), off.scale(torch.ones(1)), off.update())
w.grad = torch.ones(2)
off.unscale_(optimizer)
off.step(optimizer)
print(w.detach())

# float16, whose gradients the scale saves from being 0.
torch.manual_seed(0)
model = torch.nn.Linear(4, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
x = torch.rand(8, 4)
for _ in range(3):
    optimizer.zero_grad()
    with torch.autocast("cpu", dtype=torch.float16):
        loss = model(x).float().pow(2).mean() * 1e-3
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    print(f"{loss.item():.2e}", bool((model.weight.grad != 0).all()), scaler.get_scale())
