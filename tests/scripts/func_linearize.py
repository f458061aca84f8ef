# tolerance: 1e-4
"""`torch.func.linearize`: the Jacobian at one place, times many vectors."""
import warnings

import torch
from torch.func import linearize

warnings.simplefilter("ignore")


def f(x, y):
    return (x * y).sin(), x.sum()


x, y = torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0])
output, product = linearize(f, x, y)
print(output, product(torch.ones(2), torch.zeros(2)))
print(product(torch.zeros(2), torch.ones(2)))
output, product = linearize(lambda table: {"square": table["x"] ** 2}, {"x": torch.tensor(3.0)})
print(output, product({"x": torch.tensor(1.0)}))
for tangent in (torch.ones(2), torch.tensor(1.0, dtype=torch.float64)):
    try:
        product({"x": tangent})
    except RuntimeError as error:
        print(error)
