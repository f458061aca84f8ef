# torch.autograd.Function: a user's own forward and backward.
import torch


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x ** 3

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * 3 * x ** 2


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor, bias=None):
        ctx.factor = factor
        ctx.has_bias = bias is not None
        return x * factor + (bias if bias is not None else 0)

    @staticmethod
    def backward(ctx, grad_output):
        print(ctx.needs_input_grad)
        return grad_output * ctx.factor, None, grad_output if ctx.has_bias else None


class Pair(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a + b, a * b

    @staticmethod
    def backward(ctx, first, second):
        a, b = ctx.saved_tensors
        return first + second * b, first + second * a


class Straight(torch.autograd.Function):
    "Rounds; the gradient passes as if it had not."

    @staticmethod
    def forward(ctx, x):
        return x.round()

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output


class Wrong(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        return a + b

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output


class NoBackward(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        return a * 1


class Later(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return x.exp()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(output)

    @staticmethod
    def backward(ctx, grad_output):
        (y,) = ctx.saved_tensors
        return grad_output * y


x = torch.tensor([1.0, -2.0, 0.4], requires_grad=True)
y = Cube.apply(x)
print(y, y.grad_fn.name())
y.sum().backward()
print(x.grad)
(g,) = torch.autograd.grad(Cube.apply(x).sum(), x, create_graph=True)
(h,) = torch.autograd.grad(g.sum(), x)
print(g, h)
b = torch.ones(3, requires_grad=True)
print(torch.autograd.grad(Scale.apply(x, 3.0).sum(), x))
print(torch.autograd.grad(Scale.apply(x, 3.0, b).sum(), (x, b)))
first, second = Pair.apply(x, b)
print(first, second)
print(torch.autograd.grad((first + second * 2).sum(), (x, b)))
print(torch.autograd.grad(Pair.apply(x, b)[1].sum(), x))
print(torch.autograd.grad(Straight.apply(x * 2).sum(), x), Later.apply(x))
print(torch.autograd.grad(Later.apply(x).sum(), x))
with torch.no_grad():
    print(Cube.apply(x).requires_grad)
print(Cube.apply(torch.ones(2)))


def attempt(what, run):
    try:
        print(what, run())
    except Exception as error:
        print(f"{what}: {type(error).__name__}: {error}")


attempt("wrong number", lambda: Wrong.apply(x, b).sum().backward())
attempt("no backward", lambda: NoBackward.apply(x).sum().backward())


def twice():
    y = Cube.apply(x).sum()
    y.backward()
    y.backward()


attempt("twice", twice)
print(torch.autograd.gradcheck(Cube.apply, torch.tensor([0.5, 2.0], dtype=torch.float64, requires_grad=True)))
