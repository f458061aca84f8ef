# What pasted scripts do with arrays: encodings, masks, replay buffers, metrics, grids, images, files.
import json, math, os, tempfile
import numpy as np, torch
from torch import nn
from collections import deque
np.set_printoptions(precision=4, suppress=True)
net = nn.Linear(int(np.prod((2, 2))), np.prod([1, 3]))
print(net)
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda e: 0.5 * (1 + np.cos(np.pi * e / 4)))
for e in range(4):
    x = torch.from_numpy(np.arange(8, dtype=np.float32).reshape(2, 4) / 8 + e)
    loss = net(x).pow(2).mean(); opt.zero_grad(); loss.backward()
    opt.step(); sched.step()
    print(e, sched.get_last_lr(), opt.param_groups[0]["lr"])
def encoding(n, d):
    t = np.array([[pos / np.power(10000, 2 * (i // 2) / d) for i in range(d)] for pos in range(n)])
    t[:, 0::2] = np.sin(t[:, 0::2]); t[:, 1::2] = np.cos(t[:, 1::2])
    return torch.FloatTensor(t).unsqueeze(0)
print(encoding(3, 4))
mask = np.triu(np.ones((1, 3, 3)), k=1).astype('uint8')
print(torch.from_numpy(mask) == 0, mask.dtype)
buf = deque(maxlen=3)
for i in range(5): buf.append((np.array([i, i + 1.], dtype=np.float32), i % 2, np.float32(i * .5), np.array([i + 1, i + 2.]), i == 4))
s, a, r, s2, done = zip(*buf)
print(torch.tensor(np.array(s)), torch.tensor(a), torch.tensor(r), torch.from_numpy(np.stack(s2)).float(), torch.tensor(done, dtype=torch.float32))
eps = 0.05 + (0.9 - 0.05) * np.exp(-1. * 100 / 1000); print(eps, f"{eps:.4f}", type(eps).__name__)
y = np.array([0, 1, 1, 2]); p = torch.tensor([[2., 1, 0], [0, 3, 1], [1, 0, 2], [0, 1, 5]])
pred = p.argmax(1).cpu().numpy().flatten(); print(pred, (pred == y).mean(), np.sum(pred == y) / len(y), dict(zip(*np.unique(pred, return_counts=True))))
accs = [float(np.mean(pred == y)), 0.5]; print("acc: %.3f +- %.3f" % (np.mean(accs), np.std(accs)), json.dumps({"acc": np.mean(accs), "n": int(np.sum(y))}))
xx, yy = np.meshgrid(np.arange(0, 1, 0.5), np.arange(0, 1.5, 0.5)); grid = np.c_[xx.ravel(), yy.ravel()]; print(grid, grid.shape)
z = torch.sigmoid(torch.from_numpy(grid).float().sum(1)).numpy().reshape(xx.shape); print(z, z.max(), np.unravel_index(z.argmax(), z.shape))
img = np.arange(12, dtype=np.uint8).reshape(2, 2, 3); t = torch.from_numpy(img.transpose(2, 0, 1)).float().div(255); print(t.shape, np.transpose(t.numpy(), (1, 2, 0)).max())
print(np.mean([torch.tensor(1.5).item(), 2]), np.array([torch.tensor(1.), torch.tensor(2.)]).mean(), np.isnan(float('nan')), np.argsort(-p.numpy(), axis=1)[:, :2], math.isclose(np.float32(0.1), 0.1, rel_tol=1e-6))
rewards = [1, 0, 2]; G = np.zeros(3); run = 0
for i in reversed(range(3)): run = rewards[i] + 0.9 * run; G[i] = run
print((G - G.mean()) / (G.std() + np.finfo(np.float32).eps), np.linalg.norm(G), G @ G, torch.as_tensor(G, dtype=torch.float32))
print(net(torch.as_tensor(np.ones(4), dtype=torch.float32)).detach().numpy().shape, int(np.ceil(7 / 2)), np.ceil(7 / 2).astype(int), np.log2(8), list(map(int, np.linspace(0, 10, 3))))
with tempfile.TemporaryDirectory() as d:
    np.save(os.path.join(d, "x.npy"), G); print(np.load(os.path.join(d, "x.npy")))
    torch.save({"w": torch.from_numpy(G)}, os.path.join(d, "w.pt")); print(torch.load(os.path.join(d, "w.pt"))["w"].numpy())
