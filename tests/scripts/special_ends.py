# tolerance: 1e-5
# Functions of elements at the ends of their domains: zeros with a sign, infinities, NaN, the least and the
# greatest numbers, poles; of two numbers, all pairs of those; transforms of many lengths.
import torch
from torch import special

torch.set_printoptions(precision=5)
inf, nan = torch.inf, torch.nan
for dtype in (torch.float32, torch.float64):
    tiny, most = torch.finfo(dtype).tiny, torch.finfo(dtype).max
    ends = torch.tensor([0.0, -0.0, inf, -inf, nan, 1.0, -1.0, 2.0, -2.0, 0.5, -0.5, tiny, -tiny, most, -most, 1e-9, 30.0, -30.0,
                         104.0, 171.7, 1e10], dtype=dtype)
    for function in (torch.erf, torch.erfc, torch.erfinv, special.erfcx, torch.lgamma, torch.digamma, torch.i0, special.i0e,
                     special.i1, special.i1e, torch.asinh, torch.acosh, torch.atanh, torch.tan, torch.atan, torch.asin,
                     torch.acos, torch.sinh, torch.cosh, torch.log1p, torch.frac, torch.nan_to_num,
                     torch.nn.functional.softshrink, torch.nn.functional.hardshrink):
        if function is torch.tan:
            result = function(ends[ends.abs() != most])
        else:
            result = function(ends)
        print(function.__name__.replace("special_", "").lstrip("_"), [f"{each:.5g}" for each in result.tolist()])
    left, right = torch.meshgrid(ends[:15], ends[:15], indexing="ij")
    for function in (torch.atan2, torch.hypot, torch.logaddexp, torch.copysign, torch.nextafter):
        print(function.__name__, [f"{each:.5g}" for each in function(left, right).flatten().tolist()])
    print(torch.special.polygamma(1, torch.tensor([0.0, inf, 0.5, -0.5, 1e-5, 12.0], dtype=dtype)))
    for n in (2, 3, 6):
        print(n, torch.polygamma(n, torch.tensor([0.3, 1.5, 8.0, 40.0], dtype=dtype)))
x = torch.tensor([nan, inf, -inf, 1.0])
print(x.nan_to_num(2.0, 3.0, -3.0), x.nan_to_num(posinf=0.0, neginf=0.0), x.nan_to_num(1.0, 5.0, 7.0), x.nan_to_num(posinf=-1.0))
print(torch.nextafter(torch.tensor([1.0, 0.0, 5.0]), torch.tensor([2.0, -1.0, 5.0])) == torch.tensor([1.0000001192092896, -1.401298464324817e-45, 5.0]))

for wrong in (lambda: torch.hypot(torch.arange(3), torch.arange(3)), lambda: torch.frac(torch.arange(3)),
              lambda: torch.nextafter(torch.arange(3), torch.arange(3)), lambda: torch.logaddexp2(torch.arange(3), torch.arange(3)),
              lambda: special.erfcx(torch.ones(2).half()), lambda: torch.frac(torch.tensor([True]))):
    try:
        print(wrong())
    except NotImplementedError as error:
        print(error)
print(special.i0e(torch.arange(3)), special.erfcx(torch.arange(3)), torch.i0(torch.ones(2).bfloat16()))

points = torch.tensor([-1.5, 0.0, 0.7], requires_grad=True)
others = torch.tensor([2.0, 0.0, -0.5], requires_grad=True)
for function in (torch.i0, special.i0e, special.i1, special.i1e, special.erfcx, torch.frac):
    points.grad = None
    function(points).sum().backward()
    print(points.grad)
for function in (torch.nextafter, torch.copysign, torch.logaddexp, torch.logaddexp2):
    points.grad = others.grad = None
    function(points, others).sum().backward()
    print(points.grad, others.grad)
print(torch.nextafter(points, others).grad_fn.name(), special.i1e(points).grad_fn.name())
print(torch.trapezoid(torch.tensor([[1.0, 2.0, 4.0], [0.0, 1.0, 8.0]])), torch.trapezoid(torch.ones(2, 0)), torch.trapezoid(torch.tensor([1, 2, 4])),
      torch.trapezoid(torch.tensor([1.0, 2.0, 4.0]), dx=0.5, dim=0))

wide = torch.sin(torch.arange(40 * 64, dtype=torch.float64)**1.5).reshape(40, 64)
for length in (1, 2, 3, 8, 9, 15, 16, 24, 37, 40, 49, 64):
    for rows in (1, 5, 17, 40):
        part = wide[:rows, :length]
        full, half = torch.fft.fft(part), torch.fft.rfft(part)
        print(length, rows, f"{full.abs().sum():.5f} {half.real.sum() + half.imag.sum():.5f}",
              torch.allclose(torch.fft.ifft(full).real, part), torch.allclose(torch.fft.irfft(half, length), part),
              torch.allclose(torch.fft.fft(part.float()).real.double(), full.real, atol=1e-4))
