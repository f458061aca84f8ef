# tolerance: 1e-4
# Averages of models, Adafactor and Muon.
import torch
import torch.nn as nn
from torch.optim.swa_utils import SWALR, AveragedModel, get_ema_multi_avg_fn, update_bn

torch.manual_seed(0)
data = [(torch.randn(8, 4), torch.randn(8, 2)) for _ in range(3)]


def build():
    torch.manual_seed(1)
    return nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 2))


def train(model, optimizer, epochs, behind=lambda: None):
    for _ in range(epochs):
        for x, y in data:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x), y)
            loss.backward()
            optimizer.step()
        behind()
    return loss


model = build()
optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
swa, ema = AveragedModel(model), AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(0.9))
own = AveragedModel(model, avg_fn=lambda averaged, current, count: 0.5 * averaged + 0.5 * current, use_buffers=True)
schedule = SWALR(optimizer, swa_lr=0.05, anneal_epochs=3)
rates = []


def behind():
    for each in (swa, ema, own):
        each.update_parameters(model)
    schedule.step()
    rates.append(optimizer.param_groups[0]["lr"])


print(train(model, optimizer, 5, behind))
print(rates, swa.n_averaged, schedule.get_last_lr())
x = data[0][0]
for each in (swa, ema, own):
    print(each.module[0].weight.sum(), each.eval()(x).sum())
update_bn(data, swa)
print(swa.module[1].running_mean, swa(x).sum(), swa)
print(list(swa.state_dict())[:3])
linear = SWALR(torch.optim.SGD(model.parameters(), lr=1.0), swa_lr=[0.1], anneal_strategy="linear", anneal_epochs=4)
for _ in range(6):
    linear.optimizer.step()
    linear.step()
    print(linear.get_last_lr())

model = build()
print(train(model, torch.optim.Adafactor(model.parameters(), lr=0.05, weight_decay=0.01), 6))
model = build()
matrices = [each for each in model.parameters() if each.ndim == 2]
print(train(model, torch.optim.Muon(matrices, lr=0.05), 3).item() < 3.0)
for wrong in (lambda: torch.optim.Muon(model.parameters()), lambda: torch.optim.Adafactor(model.parameters(), d=0.5),
              lambda: get_ema_multi_avg_fn(2.0)):
    try:
        wrong()
    except ValueError as error:
        print(error)
