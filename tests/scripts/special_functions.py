# tolerance: 1e-4
# torch.special and its relatives: values, gradients, dtypes, in place, compiled.
import torch
from torch import special

x = torch.tensor([-2.5, -1.0, -0.3, 0.0, 0.1, 0.5, 1.0, 2.0, 3.7, 25.0])
unit = torch.tensor([-1.0, -0.99, -0.5, 0.0, 0.3, 0.99, 1.0])
share = torch.tensor([0.0, 0.01, 0.3, 0.5, 0.99, 1.0])
for name in ("lgamma", "digamma", "asinh", "arcsinh", "erfc", "acosh", "arccosh", "i0"):
    print(name, getattr(torch, name)(x), getattr(x.double(), name)())
for name in ("erfinv", "atanh", "arctanh"):
    print(name, getattr(torch, name)(unit), getattr(unit.double(), name)())
for name in ("gammaln", "psi", "expit", "entr", "erfcx", "ndtr", "log_ndtr", "i0e", "i1", "i1e", "exp2", "expm1", "sinc"):
    print(name, getattr(special, name)(x))
print(special.ndtri(share), special.logit(share), special.log1p(share))
for n in range(4):
    print(n, special.polygamma(n, x[4:]), x[[0, 2]].polygamma(n))
print(special.xlog1py(torch.tensor([0.0, 1.0, 2.0]), torch.tensor([-1.0, 0.5, 3.0])), special.xlogy(x[4:], x[4:]))
print(special.multigammaln(x[6:] + 2, 3), torch.mvlgamma(x[8:], 2))
print(special.softmax(x, 0), special.log_softmax(x, dim=0), special.logsumexp(x, 0), special.round(x * 1.234, decimals=1))
a = torch.tensor([0.5, 1.0, 5.0, 50.0, 0.0])
for y in (0.1, 1.0, 6.0, 60.0):
    print(special.gammainc(a, torch.full_like(a, y)), torch.igammac(a, torch.full_like(a, y)))
print(torch.gcd(torch.tensor([12, 18, 0, -7]), torch.tensor([8, 27, 5, 21])), torch.lcm(torch.tensor([4, 6]), torch.tensor(10)))
print(torch.nextafter(torch.tensor([1.0, 0.0, -2.0]), torch.tensor([2.0, -1.0, 0.0])) - torch.tensor([1.0, 0.0, -2.0]))
print(torch.frexp(torch.tensor([8.0, -0.3, 0.0, 5.5e-40])))

points = torch.tensor([0.3, 0.7, 0.9], requires_grad=True)
for name in ("lgamma", "digamma", "asinh", "erfc", "erfinv", "atanh", "acosh", "i0"):
    shift = 1.0 if name == "acosh" else 0.0
    points.grad = None
    result = getattr(torch, name)(points + shift)
    result.sum().backward()
    print(name, result, points.grad)
for function in (special.entr, special.erfcx, special.ndtr, special.log_ndtr, special.ndtri, special.i0e, special.i1, special.i1e,
                 lambda z: special.polygamma(2, z), lambda z: special.gammainc(torch.tensor(2.0), z)):
    points.grad = None
    function(points).sum().backward()
    print(points.grad)
print(torch.tensor([1, 2, 5]).lgamma(), torch.tensor([True, False]).erfc(), torch.ones(2, dtype=torch.bfloat16).asinh())
y = torch.tensor([0.3, 0.6])
y.erfinv_()
y.asinh_().arctanh_()
print(y, torch.lgamma(y, out=torch.empty(2)), y.polygamma_(1), torch.special.digamma(y, out=y))


@torch.compile
def mixed(z):
    return torch.lgamma(z) + torch.digamma(z) * torch.erfc(z) - torch.asinh(z) + torch.special.ndtr(z) + torch.polygamma(1, z)


print(mixed(x[4:]))
z = x[4:].clone().requires_grad_()
mixed(z).sum().backward()
print(z.grad)

# Windows.
for name in ("hann_window", "hamming_window", "blackman_window", "bartlett_window", "kaiser_window"):
    window = getattr(torch, name)
    print(name, window(6), window(5, periodic=False, dtype=torch.float64), window(1), window(0))
print(torch.kaiser_window(4, True, 5.0), torch.hamming_window(4, True, 0.5, 0.5))
for wrong in (lambda: torch.hann_window(-1), lambda: torch.gcd(torch.ones(2), torch.ones(2)), lambda: torch.mvlgamma(y, 0),
              lambda: torch.polygamma(-1, y), lambda: torch.empty(2).cauchy_(0.0, -1.0), lambda: torch.empty(2).geometric_(1.5),
              lambda: torch.empty(2, dtype=torch.int64).log_normal_(), lambda: torch.poisson(torch.tensor([-1.0])),
              lambda: torch.poisson(torch.tensor([1]))):
    try:
        print(wrong())
    except (RuntimeError, NotImplementedError) as error:
        print(type(error).__name__, error)

torch.manual_seed(3)
print(torch.poisson(torch.tensor([0.5, 3.0, 12.0, 100.0, 0.0])), torch.poisson(torch.full((3, 4), 20.0, dtype=torch.float64)))
print(torch.binomial(torch.tensor([10.0, 100.0, 5.0, 1000.0]), torch.tensor([0.3, 0.5, 0.9, 0.99])))
print(torch.empty(5).cauchy_(), torch.empty(3).log_normal_(), torch.empty(4).geometric_(0.2), torch.empty(3, dtype=torch.int64).geometric_(0.3))
