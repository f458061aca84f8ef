# Operators whose sizes depend on values: compiled as eager, for every backend and for other values.
import torch
import torch.nn.functional as F

bodies = [
    ("nonzero", lambda x: torch.nonzero(x) * 2),
    ("argwhere", lambda x: torch.argwhere(x) * 2),
    ("masked_select", lambda x: torch.masked_select(x, x > 0) * 2),
    ("mask", lambda x: x[x > 0] * 2),
    ("bincount", lambda x: torch.bincount(x) * 2),
    ("one_hot", lambda x: F.one_hot(x) * 2),
    ("one_hot -1", lambda x: F.one_hot(x, -1) * 2),
    ("one_hot 5", lambda x: F.one_hot(x, 5) * 2),
    ("one_hot 2", lambda x: F.one_hot(x, 2)),
    ("one_hot of negatives", lambda x: F.one_hot(x - 1, 5)),
    ("one_hot of none", lambda x: F.one_hot(x[:0])),
    ("one_hot of none, 5", lambda x: F.one_hot(x[:0], 5)),
]
for name, body in bodies:
    for backend in ["eager", "aot_eager", "inductor"]:
        compiled = torch.compile(body, backend=backend)
        for values in [[0, 1, 3], [1, 1, 0], [2, 4, 2]]:
            results = []
            for run in [body, compiled]:
                try:
                    results.append(run(torch.tensor(values)).tolist())
                except RuntimeError as error:
                    results.append("RuntimeError")
                    if run is body:
                        print(name, values, error)
            assert results[0] == results[1], (name, backend, values, results)
    print(name, results[0])
