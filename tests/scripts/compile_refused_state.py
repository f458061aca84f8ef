# A function that must be one graph and is not: what it had changed is as it was.
import torch

torch.manual_seed(0)
state = [1]


@torch.compile(fullgraph=True, backend="eager")
def refused(x):
    state.append(2)
    with torch.no_grad():
        y = x * torch.rand(3)
        print(y.sum())
    return x


for i in range(2):
    try:
        refused(torch.ones(3))
    except Exception as error:
        print(type(error).__name__)
    print(torch.is_grad_enabled(), state)

w = torch.ones(3, requires_grad=True)
optimizer = torch.optim.Adam([w], lr=0.1, amsgrad=True)


@torch.compile(fullgraph=True, backend="eager")
def step(x):
    optimizer.zero_grad()
    loss = ((w - x) ** 2).sum()
    loss.backward()
    optimizer.step()
    return loss.detach()


try:
    for i in range(4):
        print(step(torch.zeros(3)).item())
except Exception as error:  # PyTorch ends the graph at backward
    for i in range(4):
        optimizer.zero_grad()
        loss = ((w - 0) ** 2).sum()
        loss.backward()
        optimizer.step()
        print(loss.item())
print(w)
