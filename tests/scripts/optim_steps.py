# tolerance: 1e-5
# Optimisers: their numbers, options, groups, state, and what they refuse.
import torch
from torch import nn, optim


def attempt(what, run):
    try:
        print(what, run())
    except Exception as error:
        print(f"{what}: {type(error).__name__}: {error}")


def run(name, make, steps=4):
    a = torch.tensor([1.0, -2.0, 3.0], requires_grad=True)
    b = torch.tensor([[0.5]], requires_grad=True)
    optimizer = make([a, b])
    for _ in range(steps):
        optimizer.zero_grad()
        ((a ** 2).sum() * b + a.sum() + (b ** 4).sum()).sum().backward()
        optimizer.step()
    print(name, a.detach(), b.detach())


run("sgd", lambda p: optim.SGD(p, lr=0.1))
run("momentum", lambda p: optim.SGD(p, lr=0.05, momentum=0.9))
run("dampening", lambda p: optim.SGD(p, lr=0.05, momentum=0.9, dampening=0.5, weight_decay=0.1))
run("nesterov", lambda p: optim.SGD(p, lr=0.05, momentum=0.9, nesterov=True))
run("sgd maximize", lambda p: optim.SGD(p, lr=0.01, maximize=True))
run("adam", lambda p: optim.Adam(p, lr=0.1))
run("adam decay", lambda p: optim.Adam(p, lr=0.1, betas=(0.8, 0.99), eps=1e-6, weight_decay=0.1))
run("amsgrad", lambda p: optim.Adam(p, lr=0.1, amsgrad=True))
run("adam maximize", lambda p: optim.Adam(p, lr=0.1, maximize=True))
run("adam foreach", lambda p: optim.Adam(p, lr=0.1, foreach=True))
run("adam fused", lambda p: optim.Adam(p, lr=0.1, fused=True))
run("adamw", lambda p: optim.AdamW(p, lr=0.1))
run("adamw decay", lambda p: optim.AdamW(p, lr=0.1, weight_decay=0.5, amsgrad=True))
run("rmsprop", lambda p: optim.RMSprop(p, lr=0.05))
run("rmsprop centered", lambda p: optim.RMSprop(p, lr=0.05, momentum=0.9, centered=True, weight_decay=0.1))
run("adagrad", lambda p: optim.Adagrad(p, lr=0.5, lr_decay=0.1))

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
optimizer = optim.SGD([{"params": model[0].parameters()}, {"params": model[2].parameters(), "lr": 0.01}],
                      lr=0.1, momentum=0.9)
print(optimizer)
x, y = torch.randn(8, 3), torch.randn(8, 1)


def closure():
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    return loss


for _ in range(3):
    print(optimizer.step(closure))
print([group["lr"] for group in optimizer.param_groups], [len(g["params"]) for g in optimizer.param_groups])
optimizer.param_groups[0]["lr"] = 0.02
state = optimizer.state_dict()
print(state["param_groups"])
print(sorted(state["state"]), list(state["state"][0]))
again = optim.SGD([{"params": model[0].parameters()}, {"params": model[2].parameters()}], lr=1.0)
again.load_state_dict(state)
print([group["lr"] for group in again.param_groups], again.param_groups[1]["momentum"])
print(torch.equal(again.state[model[0].weight]["momentum_buffer"], optimizer.state[model[0].weight]["momentum_buffer"]))
adam = optim.Adam(model.parameters(), lr=1e-2)
loss = nn.functional.mse_loss(model(x), y)
loss.backward()
adam.step()
print(adam)
print(adam.state_dict()["state"][3], list(adam.state_dict()["param_groups"][0]))
adam.add_param_group({"params": torch.ones(2, requires_grad=True), "lr": 0.5})
print(len(adam.param_groups), adam.param_groups[1]["betas"], adam.defaults["lr"])
adam.zero_grad()
print(model[0].weight.grad)
print(nn.utils.clip_grad_norm_(model.parameters(), 1.0))
nn.functional.mse_loss(model(x) * 10, y).backward()
print(nn.utils.clip_grad_norm_(model.parameters(), 0.5), model[2].bias.grad)
print(nn.utils.clip_grad_norm_(model.parameters(), 0.1, norm_type=float("inf")), model[2].bias.grad)
nn.utils.clip_grad_value_(model.parameters(), 0.01)
print(model[2].weight.grad)
print(nn.utils.parameters_to_vector(model[2].parameters()))
optimizer.zero_grad(set_to_none=False)
print(model[2].weight.grad)

attempt("empty", lambda: optim.SGD([], lr=0.1))
attempt("negative", lambda: optim.SGD(model.parameters(), lr=-1))
attempt("momentum", lambda: optim.SGD(model.parameters(), lr=0.1, momentum=-1))
attempt("nesterov", lambda: optim.SGD(model.parameters(), lr=0.1, nesterov=True))
attempt("beta", lambda: optim.Adam(model.parameters(), betas=(1.0, 0.9)))
attempt("eps", lambda: optim.Adam(model.parameters(), eps=-1.0))
attempt("tensor", lambda: optim.SGD(torch.ones(2, requires_grad=True), lr=0.1))
attempt("not a tensor", lambda: optim.SGD([1, 2], lr=0.1))
attempt("non-leaf", lambda: optim.SGD([torch.ones(2, requires_grad=True) * 2], lr=0.1))
attempt("both", lambda: optim.Adam(model.parameters(), foreach=True, fused=True))
attempt("twice", lambda: optimizer.add_param_group({"params": model[0].weight}))
attempt("load", lambda: again.load_state_dict(adam.state_dict()))
attempt("option", lambda: optim.SGD(model.parameters(), lr=0.1, speed=2))
