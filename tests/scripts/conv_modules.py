# Modules of convolutions and pooling: values, gradients, texts, errors.
import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(2, 4, 9)
for layer in (
    nn.Conv1d(4, 6, 3),
    nn.Conv1d(4, 6, 3, stride=2, padding=1, bias=False),
    nn.Conv1d(4, 8, 3, padding="same", dilation=2, groups=2),
    nn.Conv1d(4, 2, 2, padding="valid"),
    nn.Conv1d(4, 2, 3, padding=1, padding_mode="circular"),
    nn.Conv1d(4, 2, 4, padding="same", padding_mode="reflect"),
    nn.MaxPool1d(3),
    nn.MaxPool1d(2, stride=1, padding=1),
    nn.AvgPool1d(3, 2, 1),
):
    y = layer(x)
    print(layer, tuple(y.shape), round(y.abs().sum().item(), 3))

model = nn.Sequential(
    nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
    nn.Conv2d(8, 8, (3, 1), stride=(1, 2), padding=(1, 0), groups=4), nn.AvgPool2d((2, 1)),
    nn.Flatten(), nn.Linear(16, 5),
)
print(model)
print(nn.Conv3d(2, 4, 2, dtype=torch.float64), nn.Conv3d(2, 4, 2)(torch.randn(2, 4, 4, 4)).shape)
images = torch.randn(4, 3, 6, 6)
print(sorted((name, tuple(p.shape)) for name, p in model.named_parameters()))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
step = torch.compile(lambda x: model(x).pow(2).mean(), backend="eager")
for _ in range(3):
    optimizer.zero_grad()
    loss = step(images)
    loss.backward()
    optimizer.step()
    print(round(loss.item(), 4), round(model[0].weight.grad.norm().item(), 4))
print(torch.allclose(model(images[0:1])[0], model(images)[0], atol=1e-5))


def attempt(make):
    try:
        print(make())
    except (ValueError, RuntimeError) as error:
        print(type(error).__name__, error)


attempt(lambda: nn.Conv2d(3, 4, 3, groups=0))
attempt(lambda: nn.Conv2d(3, 4, 3, groups=2))
attempt(lambda: nn.Conv2d(4, 3, 3, groups=2))
attempt(lambda: nn.Conv2d(4, 4, 3, padding="same", stride=2))
attempt(lambda: nn.Conv2d(3, 4, 3)(torch.ones(1, 2, 5, 5)))
