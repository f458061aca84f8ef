# Views whose sizes are expressions of symbols, and are 1 in some calls: they lie in order then, and
# what is written to them is written to what they show.
import torch


def written(view, way):
    def f(x):
        v = view(x)
        w = way(v)
        w.add_(1)
        w[torch.arange(2) * 0] = 3
        return w.is_contiguous(), w * 2, x + 0

    return f


views = (
    lambda x: x[0, 1::3, :1],
    lambda x: x[::4, :, :1],
    lambda x: x[:1, ::5],
    lambda x: x[1::7, :, ::4],
    lambda x: x[:, 2::9, ::6],
)
ways = (
    lambda v: v.contiguous(),
    lambda v: v.flatten(),
    lambda v: v.reshape(-1, 1),
    lambda v: v.transpose(0, 1).contiguous(),
)
for view in views:
    for way in ways:
        found = []
        for dynamic in (True, None):
            f = torch.compile(written(view, way), dynamic=dynamic)
            for sizes in ((2, 4, 1), (3, 4, 5), (5, 5, 5), (2, 7, 4), (2, 12, 8)):
                x = torch.arange(float(sizes[0] * sizes[1] * sizes[2])).reshape(sizes)
                try:
                    in_order, doubled, after = f(x)
                    found.append((in_order, int(doubled.sum()), int(after.sum()), int((x * x).sum())))
                except IndexError as error:
                    found.append(str(error)[:40])
        print(found)

truth = torch.compile(lambda x: [int(y.sum()) for y in (x.all(-2), x.any(0), x.all(1), x.all(0, keepdim=True))])
for sizes in ((1, 1), (1, 3), (3, 1), (2, 2)):
    print(truth(torch.full(sizes, 10, dtype=torch.uint8)))


# Sizes behind an index are those of each call.
def put(x, i):
    x[i] = 3
    x[:, i] = 4
    x[i, i] = x[i, i] + 1
    return x.sum()


for dynamic in (True, None):
    f = torch.compile(put, dynamic=dynamic)
    for sizes in ((2, 7), (3, 12), (5, 4, 3), (4, 9, 5), (4, 2, 8), (4, 2, 3, 5), (3, 4, 5, 6)):
        x = torch.ones(sizes)
        print(f(x, torch.arange(2)), x.flatten()[:: sizes[-1] - 1])
