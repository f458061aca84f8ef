# A script as they are pasted: data and metrics in NumPy, a model in PyTorch.
import random

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, TensorDataset

torch.manual_seed(0)
random.seed(0)


def moons(count):
    angle = np.linspace(0, np.pi, count // 2)
    outer = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    inner = np.column_stack([1 - np.cos(angle), 0.5 - np.sin(angle)])
    points = np.concatenate([outer, inner]).astype(np.float32)
    labels = np.hstack([np.zeros(count // 2), np.ones(count // 2)]).astype(np.int64)
    return points, labels


class Points(Dataset):
    def __init__(self, points, labels):
        self.points = (points - points.mean(axis=0)) / points.std(axis=0)
        self.labels = labels

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, place):
        return self.points[place], self.labels[place]


points, labels = moons(64)
print(points.shape, points.dtype, labels.dtype, np.bincount(labels), points.min(axis=0), points.max(axis=0).round(3))
data = Points(points, labels)
loader = DataLoader(data, batch_size=16)
first_points, first_labels = next(iter(loader))
print(first_points.shape, first_points.dtype, first_labels.dtype, first_labels.sum())
model = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 2))
optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
history = []
for epoch in range(15):
    losses = []
    for batch, target in loader:
        loss = nn.functional.cross_entropy(model(batch), target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    history.append(np.mean(losses))
history = np.array(history)
print(history.shape, history[0] > history[-1], bool(np.all(np.isfinite(history))))
with torch.no_grad():
    scores = model(torch.from_numpy(data.points)).numpy()
predicted = scores.argmax(axis=1)
print(f"accuracy {(predicted == labels).mean():.2f}", type((predicted == labels).mean()).__name__)
confusion = np.zeros((2, 2), dtype=int)
for true, guess in zip(labels, predicted):
    confusion[true, guess] += 1
print(confusion.sum(), confusion.trace() >= 60)
probabilities = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
print(np.allclose(probabilities.sum(axis=1), 1), np.argsort(-probabilities[:, 1])[:1].shape)
one_hot = np.eye(2)[labels]
print(one_hot[:2], one_hot.shape, torch.tensor(one_hot).dtype)
split = TensorDataset(torch.from_numpy(points[:4]), torch.from_numpy(labels[:4]))
print(len(split), split[1])
mean_image = np.transpose(np.arange(24, dtype=np.uint8).reshape(2, 3, 4), (2, 0, 1)) / 255.0
print(mean_image.dtype, mean_image.shape, torch.from_numpy(mean_image).float().mean())
