# tolerance: 1e-4
# First and second derivatives of what factorises matrices, and where there are none.
import torch

linalg = torch.linalg
torch.manual_seed(0)


def weighted(x):
    return (x * torch.cos(torch.arange(x.numel(), dtype=x.dtype).reshape(x.shape))).sum()


def show(name, function, A):
    A = A.clone().requires_grad_()
    result = function(A)
    first, = torch.autograd.grad(weighted(result), A, create_graph=True)
    second, = torch.autograd.grad(weighted(first), A)
    print(name, first.detach(), second)


# Of vectors, what does not depend on their signs.
def singular(A, **how):
    U, S, Vh = linalg.svd(A, **how)
    inner = S.size(-1)
    return U[..., :inner].square() @ Vh[..., :inner, :].square() + S.sum()


def eigen(A, UPLO="L"):
    values, V = linalg.eigh(A, UPLO)
    return V.square() + values.unsqueeze(-2)


def triangular(A):
    Q, R = linalg.qr(A)
    return Q.square() @ R.square()


random = torch.randn(3, 3, dtype=torch.float64)
square = random @ random.mT + torch.diag(torch.arange(1.0, 4.0, dtype=torch.float64))
tall = torch.randn(4, 2, dtype=torch.float64)
wide = torch.randn(2, 2, 3, dtype=torch.float64)
for name, A in (("square", square), ("general", random), ("tall", tall), ("wide", wide)):
    show(name + " svd", singular, A)
    show(name + " thin svd", lambda A: singular(A, full_matrices=False), A)
    show(name + " svdvals", linalg.svdvals, A)
    show(name + " qr", triangular, A)
    show(name + " pinv", linalg.pinv, A)
for name, A in (("square", square), ("batch", torch.stack([square, square * 2 + square[0]]))):
    show(name + " eigh", eigen, A)
    show(name + " upper eigh", lambda A: eigen(A, "U"), A)
    show(name + " eigvalsh", linalg.eigvalsh, A)
    show(name + " pinv", lambda A: linalg.pinv(A, hermitian=True), A)
    show(name + " nuclear", lambda A: linalg.matrix_norm(A, "nuc"), A)
    show(name + " cond", linalg.cond, A)

A = square.clone().requires_grad_()
for results in (linalg.svd(A), linalg.eigh(A), linalg.qr(A), [linalg.pinv(A), linalg.svdvals(A), linalg.eigvalsh(A)]):
    print([type(each.grad_fn).__name__ for each in results])

# Where values are equal, vectors have no derivative, and values have one.
for function in (lambda A: linalg.eigh(A)[1].abs(), lambda A: linalg.svd(A)[0].abs(), linalg.eigvalsh, linalg.svdvals):
    A = torch.eye(2, requires_grad=True)
    function(A).sum().backward()
    print(A.grad)

# What has none says so on the way back.
for mode in ("r", "complete"):
    A = tall.clone().requires_grad_()
    Q, R = linalg.qr(A, mode)
    print(Q.shape, R.shape, Q.requires_grad, R.requires_grad)
    try:
        R.sum().backward()
    except RuntimeError as error:
        print(error)

# What changes what a derivative needs is told.
for function in (linalg.svdvals, linalg.eigvalsh, lambda A: linalg.qr(A).R):
    result = function(square.clone().requires_grad_())
    with torch.no_grad():
        result.mul_(2)
    try:
        result.sum().backward()
        print("as before")
    except RuntimeError as error:
        print(str(error)[:60])

# Matrices without elements.
for shape in ((0, 0), (0, 3), (2, 0, 0)):
    A = torch.empty(shape, dtype=torch.float64, requires_grad=True)
    results = (linalg.svd(A, full_matrices=False)[1], linalg.qr(A)[1], linalg.pinv(A), linalg.matrix_norm(A, 2).detach(), linalg.cond(A).detach())
    print([(result.shape, torch.autograd.grad(result.sum(), A)[0].shape) for result in results[:3]], results[3:])

# The determinant of singular matrices.
singular = torch.ones(3, 3, dtype=torch.float64)
singular[2, 2] = 4
for name, A in (("one", singular), ("batch", torch.stack([singular, square])), ("of two", torch.ones(2, 2, dtype=torch.float64)),
                ("exact", torch.diag(torch.tensor([2.0, 0.0, 3.0], dtype=torch.float64)))):
    show(name, linalg.det, A)
