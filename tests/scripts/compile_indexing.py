# Index tensors and masks at any place of the index: compiled functions give what eager ones give.
import torch

w = torch.arange(24).reshape(2, 3, 4)
m2, m3, m4 = torch.tensor([False, True]), torch.tensor([True, False, True]), torch.tensor([True, False, False, True])
m34 = torch.tensor([[True, False, False, True]] * 3)
i, j = torch.tensor([0, 2]), torch.tensor([[1], [3]])


def assigned(key):
    def f(x):
        y = x.clone()
        y[key] = -1
        y[key] += 100
        return y

    return f


cases = [lambda x: x[:, m3], lambda x: x[..., m4], lambda x: x[:, m34], lambda x: x[m2, :, [3]], lambda x: x[m2], lambda x: x[m2, 1], lambda x: x[0, :, m4], lambda x: x[:, i, [1, 3]], lambda x: x[[0, 1], :, i], lambda x: x[:, i],
         lambda x: x[:, :, j], lambda x: x[:, i, j], lambda x: x[[[0], [1]], :, i], lambda x: x[:, None, i], lambda x: x[0, i], lambda x: x[:, 1, [0, -1]], lambda x: x[..., i.int()]]
cases += [assigned((slice(None), m3)), assigned((..., m4)), assigned((slice(None), i, [1, 3])), assigned(([0, 1], slice(None), i)), assigned(m2), assigned((0, slice(None), m4))]
for number, f in enumerate(cases):
    for run in (f, torch.compile(f)):
        print(number, run(w).tolist())
