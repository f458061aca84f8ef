"""A number from outside beside a tensor, in a function that writes another one: gradients of the first call too."""
import torch
G = 0.25
def check(name, f, *args):
    torch._dynamo.reset()
    x = torch.tensor([0.5, 1.0, 2.0], requires_grad=True); w = torch.tensor([2.0, 3.0, 4.0], requires_grad=True)
    c = torch.compile(f)
    for call in range(3):
        s = torch.zeros(2)
        x.grad = w.grad = None
        r = c(x, w, s, 1.5 + call)
        r.sum().backward()
        print(name, call, s, x.grad, w.grad)
def outside(f):
    def g(x, w, s, k):
        s.add_(1)
        return f(x, w, k)
    return g
for name, f in {
    "k*x": lambda x, w, k: k * x, "k+x": lambda x, w, k: k + x, "k-x": lambda x, w, k: k - x,
    "x*k": lambda x, w, k: x * k, "k*mean": lambda x, w, k: k * x.mean(), "k*x*w": lambda x, w, k: k * x * w,
    "where": lambda x, w, k: torch.where(x > 0.7, k, x) * w, "where2": lambda x, w, k: torch.where(x > 0.7, x, k) * w,
    "clamp": lambda x, w, k: (k * x).clamp(max=k), "sum": lambda x, w, k: sum(k * q for q in (x, w)),
    "blend": lambda x, w, k: (k * 2) * x + (1 - k) * w, "global": lambda x, w, k: G * x + x.sin(),
    "k/x": lambda x, w, k: k / x, "k**x": lambda x, w, k: k ** x, "lerp": lambda x, w, k: torch.lerp(x, w, k),
    "addcmul": lambda x, w, k: torch.addcmul(x, x, w, value=k), "power": lambda x, w, k: torch.pow(k, x) * w,
}.items():
    check(name, outside(f))
class M(torch.nn.Module):
    def __init__(s):
        super().__init__(); s.w = torch.nn.Parameter(torch.ones(2))
        s.register_buffer('n', torch.zeros(())); s.scale = 0.5
    def forward(s, x):
        s.n.add_(1)
        return (s.scale * s.w) * x
m = M(); torch.compile(m)(torch.ones(2)).sum().backward(); print(m.w.grad, m.n)
