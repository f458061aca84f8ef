# A backward that is not recorded: its results end in an error where they are differentiated.
import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable


def attempt(what, run):
    try:
        print(what, run())
    except Exception as error:
        print(f"{what}: {type(error).__name__}: {error}")


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        """Twice the argument."""
        x, = ctx.saved_tensors
        print("recorded:", torch.is_grad_enabled())
        return g * 2 * x


class Product(Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return x * y

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        return g * y, None


x = torch.ones(2, requires_grad=True)
print(Square.backward.__doc__, Square.backward.__name__)
Square.apply(x).sum().backward()
print(x.grad)
for f in (lambda: Square.apply(x), lambda: Product.apply(x, x * 2)):
    g, = torch.autograd.grad(f().sum(), x, create_graph=True)
    print(g)
    g, = torch.autograd.grad((f() ** 2).sum(), x, create_graph=True)
    print(g)
    attempt("grad", lambda: torch.autograd.grad(g.sum(), x, retain_graph=True))
    attempt("backward", lambda: (g ** 2).sum().backward())
    attempt("grad of all", lambda: torch.autograd.grad(g.sum() + x.sum(), x))

# Where the derivative of an operator is not known.
w = torch.tensor([1.0, 0.0, -1.0], requires_grad=True)
v = torch.ones(3, requires_grad=True)
for f in (lambda: w.heaviside(v), lambda: torch.heaviside(w, v.detach()),
          lambda: torch.heaviside(w.detach(), v)):
    y = f()
    print(y, y.requires_grad, y.grad_fn.name())
    attempt("backward", lambda: y.sum().backward())
    attempt("sum", lambda: (y + w).sum().backward())
