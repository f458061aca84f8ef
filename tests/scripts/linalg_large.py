# tolerance: 1e-4
# torch.linalg on matrices of more than a few rows: what is made of them gives them back, and what has to be
# orthogonal, ordered or a triangle is; in both precisions, batches, every layout; derivatives.
import math

import torch

torch.manual_seed(0)


def close(x, y, size=1.0):
    tolerance = (2e-3 if x.dtype == torch.float32 else 1e-9) * size
    return x.shape == y.shape and bool((x - y).abs().max() <= tolerance) if x.numel() else x.shape == y.shape


def orthogonal(Q):
    return close(Q.mT @ Q, torch.eye(Q.size(-1), dtype=Q.dtype).expand(Q.shape[:-2] + (Q.size(-1),) * 2))


def layouts(A):
    wide = torch.zeros(A.shape[:-1] + (2 * A.size(-1),), dtype=A.dtype)
    wide[..., ::2] = A
    return {"rows": A, "columns": A.mT.contiguous().mT, "gaps": wide[..., ::2], "flipped": A.flip(-1, -2).flip(-1, -2),
            "batch last": A.movedim(0, -1).contiguous().movedim(-1, 0) if A.dim() > 2 else A}


for dtype in (torch.float32, torch.float64):
    for shape in ((3, 30, 30), (2, 2, 9, 9), (1, 1), (100, 100)):
        size = shape[-1]
        given = torch.randn(shape, dtype=dtype) + 2 * torch.eye(size, dtype=dtype)
        right = torch.randn(shape[:-1] + (5,), dtype=dtype)
        for name, A in layouts(given).items():
            if size > 40 and name not in ("rows", "columns"):
                continue
            eye = torch.eye(size, dtype=dtype).expand(shape)
            X = torch.linalg.solve(A, right)
            Y = torch.linalg.solve(A, right.mT, left=False)
            scale = 10 * float(torch.linalg.inv(A).abs().max())
            print(dtype, shape, name, close(A @ X, right, scale), close(Y @ A, right.mT, scale),
                  close(A @ torch.linalg.inv(A), eye, scale), close(torch.linalg.inv(A) @ A, eye, scale))
            P, L, U = torch.linalg.lu(A)
            packed, pivots = torch.linalg.lu_factor(A)
            print(" lu", close(P @ L @ U, A), close(packed.triu(), U), close(packed.tril(-1), L.tril(-1)),
                  bool((L.abs() <= 1).all()), pivots.shape, pivots.dtype, bool((pivots >= 1).all()))
            sign, logarithm = torch.linalg.slogdet(A)
            direct = U.diagonal(0, -2, -1).abs().log().sum(-1)
            print(" det", close(logarithm, direct), close(sign * sign, torch.ones_like(sign)),
                  close((torch.linalg.det(A.double() / 8) * sign).log(), logarithm.double() - size * math.log(8), 1e7))
            S = A @ A.mT + eye
            L = torch.linalg.cholesky(S)
            print(" cholesky", close(L @ L.mT, S, 100), bool((L.triu(1) == 0).all()),
                  close(torch.linalg.cholesky(S.triu(), upper=True), L.mT, 10),
                  close(torch.linalg.cholesky(S.tril()), L), torch.linalg.cholesky_ex(S).info.sum())
            Q, R = torch.linalg.qr(A)
            print(" qr", close(Q @ R, A), orthogonal(Q), bool((R.tril(-1) == 0).all()))
            U, s, Vh = torch.linalg.svd(A)
            print(" svd", close(U * s.unsqueeze(-2) @ Vh, A), orthogonal(U), orthogonal(Vh.mT),
                  bool((s.diff() <= 0).all()), bool((s >= 0).all()), close(torch.linalg.svdvals(A), s))
            values, vectors = torch.linalg.eigh(A + A.mT)
            print(" eigh", close(vectors * values.unsqueeze(-2) @ vectors.mT, A + A.mT), orthogonal(vectors),
                  bool((values.diff() >= 0).all()), close(torch.linalg.eigvalsh((A + A.mT).tril()), values),
                  close(torch.linalg.eigvalsh((A + A.mT).triu(), UPLO="U"), values))

# Not square.
for dtype in (torch.float32, torch.float64):
    for shape in ((50, 20), (20, 50), (2, 30, 20), (2, 20, 30), (1, 9), (9, 1)):
        for name, A in layouts(torch.randn(shape, dtype=dtype)).items():
            P, L, U = torch.linalg.lu(A)
            Q, R = torch.linalg.qr(A)
            whole, long = torch.linalg.qr(A, "complete")
            only = torch.linalg.qr(A, "r").R
            U1, s, V1 = torch.linalg.svd(A, full_matrices=False)
            U2, s2, V2 = torch.linalg.svd(A)
            inner = min(shape[-2:])
            print(dtype, shape, name, close(P @ L @ U, A), close(Q @ R, A), close(whole @ long, A), close(only, R),
                  orthogonal(Q), orthogonal(whole), close(U1 * s.unsqueeze(-2) @ V1, A), U1.shape, V1.shape,
                  close(U2[..., :inner] * s2.unsqueeze(-2) @ V2[..., :inner, :], A), orthogonal(U2), orthogonal(V2.mT),
                  U2.shape, V2.shape, close(torch.linalg.svdvals(A), s))
            if shape[-2] > shape[-1]:
                b = torch.randn(shape[:-1] + (2,), dtype=dtype)
                X = torch.linalg.lstsq(A, b).solution
                print(" least squares", close(A.mT @ (A @ X - b), torch.zeros_like(X), 10))
            Z = torch.linalg.pinv(A)
            print(" pinv", close(A @ Z @ A, A, 10), close(Z @ A @ Z, Z, 10), torch.linalg.matrix_rank(A))

# Triangles, broadcast against right sides.
A = torch.randn(3, 1, 25, 25, dtype=torch.float64) + 6 * torch.eye(25, dtype=torch.float64)
B = torch.randn(4, 25, 6, dtype=torch.float64)
for upper in (False, True):
    for unit in (False, True):
        # As with 1 on it, the triangle has to be far from singular.
        M = A / 20 if unit else A
        T = M.triu() if upper else M.tril()
        if unit:
            T = T - torch.diag_embed(T.diagonal(0, -2, -1)) + torch.eye(25, dtype=torch.float64)
        X = torch.linalg.solve_triangular(M, B, upper=upper, unitriangular=unit)
        Y = torch.linalg.solve_triangular(M, B.mT, upper=upper, unitriangular=unit, left=False)
        print(upper, unit, X.shape, close(T @ X, B.expand(X.shape)), close(Y @ T, B.mT.expand(Y.shape)))
X = torch.linalg.solve(A, B)
print(X.shape, close(A @ X, B.expand(X.shape)), close(A[0, 0] @ torch.linalg.solve(A[0, 0], B), B))
L = torch.linalg.cholesky(A[0, 0] @ A[0, 0].mT)
print(close(A[0, 0] @ (A[0, 0].mT @ torch.cholesky_solve(B, L)), B, 100),
      close(torch.cholesky_inverse(L) @ L @ L.mT, torch.eye(25, dtype=torch.float64), 100))

# Derivatives: first against differences of the function, second of gradients; what is asked of both.
torch.manual_seed(1)
A = torch.randn(2, 8, 8, dtype=torch.float64) + 3 * torch.eye(8, dtype=torch.float64)
S = A @ A.mT
B = torch.randn(2, 8, 3, dtype=torch.float64)
b = torch.randn(8, 2, dtype=torch.float64)
functions = {
    "solve": lambda x, y: torch.linalg.solve(x, y), "solve right": lambda x, y: torch.linalg.solve(x, y.mT, left=False),
    "solve turned": lambda x, y: torch.linalg.solve(x.mT, y), "solve one": lambda x, y: torch.linalg.solve(x[0], y),
    "solve vector": lambda x, y: torch.linalg.solve(x[0], y[0, :, 0]), "solve many": lambda x, y: torch.linalg.solve(x, b * y.sum()),
    "inv": lambda x, y: torch.linalg.inv(x) * y.sum(), "inv_ex": lambda x, y: torch.linalg.inv_ex(x).inverse,
    "solve_ex": lambda x, y: torch.linalg.solve_ex(x, y).result,
    "det": lambda x, y: torch.linalg.det(x / 3), "slogdet": lambda x, y: torch.linalg.slogdet(x).logabsdet,
    "logdet": lambda x, y: torch.logdet(x @ x.mT),
    "lower": lambda x, y: torch.linalg.solve_triangular(x, y, upper=False),
    "upper": lambda x, y: torch.linalg.solve_triangular(x, y, upper=True),
    "lower of ones": lambda x, y: torch.linalg.solve_triangular(x / 9, y, upper=False, unitriangular=True),
    "upper right": lambda x, y: torch.linalg.solve_triangular(x, y.mT, upper=True, left=False),
    "upper of many": lambda x, y: torch.linalg.solve_triangular(x[0], y, upper=True),
    "cholesky": lambda x, y: torch.linalg.cholesky(x @ x.mT), "cholesky upper": lambda x, y: torch.linalg.cholesky(x @ x.mT, upper=True),
    "cholesky_solve": lambda x, y: torch.cholesky_solve(y, torch.linalg.cholesky(x @ x.mT)),
    "lu": lambda x, y: torch.linalg.lu(x).U * 0.5, "lu_factor": lambda x, y: torch.linalg.lu_factor(x).LU,
    "eigvalsh": lambda x, y: torch.linalg.eigvalsh(x + x.mT), "svdvals": lambda x, y: torch.linalg.svdvals(x),
}
for name, function in functions.items():
    x, y = A.clone().requires_grad_(), B.clone().requires_grad_()
    out = function(x, y)
    weights = torch.randn(out.shape, dtype=torch.float64)
    found = torch.autograd.grad((out * weights).sum(), (x, y), create_graph=True, materialize_grads=True)
    towards = [torch.randn_like(each) for each in (x, y)]
    second = torch.autograd.grad(sum((f * t).sum() for f, t in zip(found, towards)), (x, y), materialize_grads=True)
    step = 1e-5

    def moved(by):
        return [(each + by * t).detach().requires_grad_() for each, t in zip((x, y), towards)]

    above, below = moved(step), moved(-step)
    values = [(function(*each) * weights).sum() for each in (above, below)]
    slope = (values[0] - values[1]) / (2 * step)
    print(name, bool(((slope - sum((f * t).sum() for f, t in zip(found, towards))).abs() < 1e-5 * (1 + slope.abs()))))
    gradients = [torch.autograd.grad(value, each, materialize_grads=True, allow_unused=True)
                 for value, each in zip(values, (above, below))]
    for above_, below_, expected in zip(gradients[0], gradients[1], second):
        change = (above_ - below_) / (2 * step)
        print("  second", bool((change - expected).abs().max() < 1e-4 * (1 + change.abs().max())))
    print(" ", *[f.detach().sum() for f in found])

for function in (torch.linalg.inv, torch.linalg.cholesky, torch.linalg.det):
    x = S.clone().requires_grad_()
    print(type(function(x).grad_fn).__name__, torch.autograd.grad(function(x)[-1].sum(), x)[0])
print(torch.autograd.functional.jvp(torch.linalg.inv, A[0], A[1])[1].sum(), torch.func.vmap(torch.linalg.det)(A),
      torch.autograd.functional.hessian(torch.linalg.det, A[0] / 3).abs().sum())

# What stands in for nothing, and what cannot be done.
for shape in ((0, 5, 5), (2, 0, 0), (0, 0)):
    empty = torch.zeros(shape)
    print(torch.linalg.solve(empty, torch.zeros(shape[:-1] + (3,))).shape, torch.linalg.slogdet(empty),
          torch.linalg.lu(empty).P.shape, torch.linalg.eigvalsh(empty).shape, torch.linalg.cholesky(empty).shape)
print(torch.linalg.solve(torch.eye(4), torch.zeros(4, 0)).shape)
singular = torch.randn(3, 40, 40)
singular[1, :, 7] = 0


def attempt(f):
    try:
        print(f())
    except RuntimeError as error:
        print(type(error).__name__, error)


attempt(lambda: torch.linalg.inv(singular))
attempt(lambda: torch.linalg.solve(singular, singular))
attempt(lambda: torch.linalg.cholesky(-torch.eye(40)))
attempt(lambda: torch.linalg.cholesky(torch.diag(torch.arange(20.0, -20.0, -1.0))))
attempt(lambda: torch.linalg.cholesky(torch.eye(40).index_put((torch.tensor(30), torch.tensor(3)), torch.tensor(float("nan")))))
attempt(lambda: torch.linalg.svd(torch.full((30, 30), float("nan"))))
print(torch.linalg.inv_ex(singular).info > 0, torch.linalg.det(singular)[1], torch.linalg.slogdet(singular).logabsdet[1])
print(torch.linalg.cholesky_ex(torch.diag(torch.arange(20.0, -20.0, -1.0))).info)
