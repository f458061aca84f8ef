# Slices whose bounds are 0-dim tensors made in the region: each run cuts at its own values.
import torch


class Row:
    def __init__(self, values): self.values = values
    def cut(self, bounds): return self.values[bounds] * 2


bodies = [
    lambda x: (x + 1)[:x[1]],
    lambda x: (x + 1)[x[0] + 1:],
    lambda x: (x + 1)[x[0]:x[1] + 1],
    lambda x: (x * 2)[:: x[0] + 1] + 1,
    lambda x: [10, 20, 30][: x[1]],
    lambda x: Row(x + 1).cut(slice(None, x[1] + 1)),
    lambda x: (x + 1)[None, x[0]:],
]
for number, body in enumerate(bodies):
    for backend in ["inductor", "eager"]:
        compiled = torch.compile(body, backend=backend)
        for values in [[0, 1, 3], [1, 2, 0], [0, 3, 5], [0, 1, 3]]:
            x = torch.tensor(values)
            results = [r.tolist() if torch.is_tensor(r) else r for r in (body(x), compiled(x))]
            assert results[0] == results[1], (number, values, results)
            print(number, values, results[0])
