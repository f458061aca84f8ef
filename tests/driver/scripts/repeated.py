# A short kernel that comes often goes as a graph of itself: its sizes, its streams, and its end.
import torch

step = torch.compile(lambda x, y: torch.relu(x * 2 - y).sum(), dynamic=False)
x, y = torch.arange(1000.0).cuda(), torch.ones(1000).cuda()
kept = []
with torch.no_grad():
    for i in range(100):
        kept.append(step(x, y))
        y += 1
print([float(each) for each in kept[::9]])

# Other sizes, in turns.
total = torch.zeros(1).cuda()
small, large = torch.ones(10).cuda(), torch.ones(1000).cuda()
for i in range(20):
    total += small.sum() + large.sum()
print(total)

# Other streams: each has what was written in it before.
side = torch.cuda.Stream()
for i in range(40):
    x = x + 1
with torch.cuda.stream(side):
    side.wait_stream(torch.cuda.default_stream())
    for i in range(40):
        x = x + 1
torch.cuda.default_stream().wait_stream(side)
for i in range(40):
    x = x + 1
print(x[:3], x.sum())

# A kernel that is gone takes its graph with it.
for width in range(3, 6):
    torch._dynamo.reset()
    z = torch.ones(width).cuda()
    scaled = torch.compile(lambda z: z * 2 + width, dynamic=False)
    for i in range(30):
        out = scaled(z)
    print(out)
