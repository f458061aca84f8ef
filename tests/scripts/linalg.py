# torch.linalg: norms, factorisations, solving, singular values, eigenvalues; derivatives; errors. Signs
# of singular vectors and eigenvectors are not asked for.
import torch

torch.manual_seed(0)
A = torch.tensor([[4.0, 7.0], [2.0, 6.0]])
B = torch.tensor([[2.0, -1.0, 0.5], [1.0, 3.0, 2.0], [-1.5, 2.0, 4.0]], dtype=torch.float64)
T = torch.randn(4, 3, dtype=torch.float64)
batch = torch.randn(2, 3, 4, 4, dtype=torch.float64)
positive = batch @ batch.mT + torch.eye(4, dtype=torch.float64)


def attempt(f):
    try:
        print(f())
    except Exception as error:
        print(f"{type(error).__module__}.{type(error).__name__}: {error}")


# Norms.
for order in (None, "fro", "nuc", 2, -2, 1, -1, float("inf"), -float("inf")):
    print(order, torch.linalg.norm(B, order), torch.linalg.norm(batch, order, (0, 2)).shape)
for order in (0, 1, 2, 3.5, float("inf"), -float("inf")):
    print(torch.linalg.norm(T[:, 0], order), torch.linalg.vector_norm(T, order),
          torch.linalg.vector_norm(T, order, dim=1, keepdim=True).flatten())
print(torch.linalg.matrix_norm(batch, "nuc", keepdim=True).shape, torch.linalg.matrix_norm(T, 1))
print(torch.linalg.norm(A, dim=1), torch.linalg.norm(A, dim=(0, 1)), torch.linalg.norm(A, 1, dim=0))
print(torch.linalg.norm(A, dtype=torch.float64), torch.linalg.cond(B), torch.linalg.cond(A, "fro"))
print(torch.linalg.cond(A, 1), torch.linalg.matrix_rank(torch.ones(3, 3)), torch.linalg.matrix_rank(T))
print(torch.linalg.multi_dot([T, B, T.mT, T[:, 0]]), torch.linalg.vecdot(T, T))
print(torch.linalg.cross(B[0], B[1]), torch.linalg.diagonal(batch)[0, 0], torch.linalg.vander(B[0]))
print(torch.linalg.matrix_power(B, 3), torch.linalg.matrix_power(B, -2), torch.linalg.matmul(A, A))


def plain(x, decimals=12):
    """Without what is rounding alone, in which libraries and processors differ."""
    return x.round(decimals=decimals) + 0


# Factorisations.
print(torch.linalg.cholesky(positive)[0, 1], torch.linalg.cholesky(positive, upper=True)[1, 2])
print(torch.linalg.qr(T), torch.linalg.qr(A), torch.linalg.qr(T.mT))
print(torch.linalg.qr(T, "complete"), torch.linalg.qr(T, mode="r").R)
Q, R = torch.linalg.qr(batch)
print(torch.allclose(Q @ R, batch), (R.diagonal(0, -2, -1) < 0).sum())
print(torch.linalg.lu(B), torch.linalg.lu_factor(B), torch.linalg.lu(T).L)
print(torch.linalg.cholesky_ex(positive[0, 0]), torch.linalg.inv_ex(B))

# Solving.
print(torch.linalg.inv(B), torch.inverse(A), plain(B.inverse() @ B[:, 0]), torch.linalg.inv(batch)[1, 2])
print(torch.linalg.solve(B, torch.arange(3.0, dtype=torch.float64)), torch.linalg.solve(A, A.mT))
print(torch.linalg.solve(batch, batch[..., 1].sin())[0], torch.linalg.solve(A, A.mT, left=False))
print(torch.linalg.solve_triangular(B, B[:, :2], upper=True))
print(torch.linalg.solve_triangular(B, B[:2], upper=False, left=False, unitriangular=True))
print(torch.linalg.det(B), torch.det(A), A.det(), torch.linalg.det(batch)[1], torch.ones(3, 3).det())
print(torch.linalg.slogdet(B), torch.slogdet(-A), torch.logdet(A), torch.logdet(A.flip(0)))
print(torch.linalg.lstsq(T, batch[0, 0, :, :2]).solution, torch.linalg.lstsq(T, T[:, :1]).rank)
print(torch.linalg.pinv(T), torch.pinverse(T.mT), torch.linalg.pinv(torch.ones(2, 3)))
print(torch.cholesky_solve(B[:, :1], torch.linalg.cholesky(positive[0, 0, :3, :3])))
print(torch.linalg.tensorsolve(torch.eye(6).reshape(2, 3, 6), torch.ones(2, 3)),
      torch.linalg.tensorinv(torch.eye(6).reshape(2, 3, 6)).shape)

# Singular values and eigenvalues.
print(torch.linalg.svdvals(T), torch.linalg.svdvals(A), torch.linalg.svdvals(batch)[1, 0])
U, S, Vh = torch.linalg.svd(T)
print(U.shape, Vh.shape, torch.allclose(U[:, :3] * S @ Vh, T), torch.allclose(U.mT @ U, torch.eye(4).double()))
U, S, V = torch.svd(T.mT)
print(U.shape, V.shape, torch.allclose(U * S @ V.mT, T.mT), S)
U, S, Vh = torch.linalg.svd(torch.ones(3, 2), full_matrices=False)
print(plain(S, 6), torch.allclose(U.mT @ U, torch.eye(2), atol=1e-6), U.abs()[:, 0])
print(torch.linalg.eigvalsh(positive)[0, 1], torch.linalg.eigvalsh(torch.tensor([[2.0, 9.0], [1.0, -3.0]])))
values, vectors = torch.linalg.eigh(positive)
print(torch.allclose(vectors * values.unsqueeze(-2) @ vectors.mT, positive), values[1, 2])
print(torch.linalg.eigh(torch.diag(torch.tensor([3.0, -1.0, 2.0]))).eigenvectors.abs())
large = torch.randn(40, 40, dtype=torch.float64)
print(torch.linalg.eigvalsh(large + large.mT)[::8], torch.linalg.svdvals(large)[::8], torch.linalg.det(large))

# Derivatives.
weights = torch.randn(3, 3, dtype=torch.float64)


def gradient(f, x):
    x = x.clone().requires_grad_()
    (f(x) * weights[: f(x).shape[0], : f(x).shape[-1]] if f(x).dim() else f(x)).sum().backward()
    print(plain(x.grad))


gradient(torch.linalg.inv, B)
gradient(torch.linalg.det, B)
gradient(torch.logdet, B)
gradient(lambda x: torch.linalg.slogdet(x).logabsdet, B)
gradient(lambda x: torch.linalg.solve(x, B[:, :2] * x[0, 0])[:, :2], B)
gradient(torch.linalg.cholesky, positive[0, 0, :3, :3])
gradient(lambda x: torch.linalg.qr(x).R, T)
gradient(lambda x: torch.linalg.qr(x).Q[:3], T)
gradient(lambda x: torch.linalg.svdvals(x), T)
gradient(lambda x: torch.linalg.svd(x, full_matrices=False).U[:3] ** 2, T)
gradient(lambda x: torch.linalg.svd(x, full_matrices=False).Vh ** 2, T)
gradient(torch.linalg.eigvalsh, positive[0, 0, :3, :3])
gradient(lambda x: torch.linalg.eigh(x).eigenvectors ** 2, positive[0, 0, :3, :3])
gradient(lambda x: torch.linalg.pinv(x)[:, :3], T)
gradient(lambda x: torch.linalg.norm(x), B)
gradient(lambda x: torch.linalg.matrix_norm(x, "nuc"), B)
gradient(lambda x: torch.linalg.lstsq(x, T[:, :1] ** 2).solution, T)

# What is nearly or wholly singular, large, small, empty, triangular already.
one = torch.outer(torch.tensor([1.0, 1.0, 1.0]), torch.tensor([1.0, 1.0, 2.0]))
for matrix in (one, torch.zeros(3, 3), torch.eye(3)[:, :2] * 2, torch.ones(7, 7) * 1e-3):
    U, S, Vh = torch.linalg.svd(matrix)
    print([torch.allclose(x.mT @ x, torch.eye(len(x)), atol=1e-5) for x in (U, Vh.mT)], S[0], (S > 1e-5).sum())
for scale in (1e-30, 1e-12, 1.0, 1e10, 1e25):
    small = torch.tensor([[1.0, 1.0], [0.0, 1.0]]) * scale
    print(torch.linalg.svdvals(small), torch.linalg.eigvalsh((small.mT + small) * 0.7), torch.linalg.qr(small.mT).R.abs())
for size in ((0, 0), (0, 3, 3), (3, 0), (2, 0, 0)):
    empty = torch.zeros(size)
    print(torch.linalg.svdvals(empty).shape, torch.linalg.pinv(empty).shape, torch.linalg.qr(empty).Q.shape,
          torch.linalg.matrix_rank(empty), torch.linalg.svd(empty).U.shape)
    if size[-1] == size[-2]:
        print(torch.linalg.det(empty), torch.linalg.inv(empty).shape, torch.linalg.eigh(empty).eigenvectors.shape,
              torch.linalg.cholesky(empty).shape)
print(torch.linalg.cond(torch.ones(3, 3), "fro"), torch.linalg.cond(torch.ones(2, 2), 1))
print(torch.linalg.pinv(torch.tensor([[1.0, 5.0], [2.0, 3.0]]), hermitian=True), torch.svd(A, compute_uv=False).V)
upper = torch.tensor([[2.0, 1.0, -1.0], [0.0, 3.0, 0.5], [0.0, 0.0, 1.5]], dtype=torch.float64)
gradient(lambda x: torch.linalg.qr(x).R, upper)
gradient(lambda x: torch.linalg.qr(x).Q, upper)
gradient(lambda x: torch.linalg.qr(x[:2]).R[:, :3], upper)
flat = torch.tensor([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [1.0, 0.0, 1.0]], dtype=torch.float64, requires_grad=True)
torch.linalg.det(flat).backward()
print((flat.grad * 1e6).round().abs())
gradient(lambda x: torch.linalg.svd(x).S, T)
for function in (torch.linalg.eigvalsh, torch.linalg.svdvals, torch.linalg.det, torch.linalg.inv):
    x = positive[0, 0, :3, :3].clone().requires_grad_()
    (first,) = torch.autograd.grad(function(x).square().sum(), x, create_graph=True)
    print(torch.autograd.grad(first.square().sum(), x)[0])

# In compiled code.
compiled = torch.compile(lambda x: torch.linalg.solve(x @ x.mT + torch.eye(3).double(), x * 2) + 1)
print(compiled(B), torch.compile(lambda x: torch.linalg.norm(x * 2, dim=1))(B))

# Errors.
ones = torch.ones(3, 3)
attempt(lambda: torch.linalg.inv(ones))
attempt(lambda: torch.linalg.inv(torch.ones(2, 3)))
attempt(lambda: torch.linalg.inv(torch.ones(3)))
attempt(lambda: torch.linalg.inv(torch.ones(3, 3, dtype=torch.int64)))
attempt(lambda: torch.linalg.inv(torch.stack([torch.eye(2), torch.zeros(2, 2)])))
attempt(lambda: torch.linalg.solve(ones, torch.ones(3)))
attempt(lambda: torch.linalg.solve(torch.eye(3), torch.ones(2)))
attempt(lambda: torch.linalg.solve(torch.eye(3), torch.ones(2, 2)))
attempt(lambda: torch.linalg.solve_triangular(A, torch.ones(2), upper=True))
attempt(lambda: torch.linalg.cholesky(-torch.eye(3)))
attempt(lambda: torch.linalg.cholesky(torch.ones(2, 3)))
attempt(lambda: torch.linalg.cholesky(torch.stack([torch.eye(2), -torch.eye(2)])))
attempt(lambda: torch.linalg.det(torch.ones(2, 3)))
attempt(lambda: torch.linalg.det(torch.ones(2, 2).half()))
attempt(lambda: torch.linalg.svd(torch.ones(3)))
attempt(lambda: torch.linalg.qr(torch.ones(3)))
attempt(lambda: torch.linalg.qr(A, mode="foo"))
attempt(lambda: torch.linalg.eigh(torch.ones(2, 3)))
attempt(lambda: torch.linalg.eigh(torch.eye(2), UPLO="X"))
attempt(lambda: torch.linalg.norm(ones, "foo"))
attempt(lambda: torch.linalg.norm(torch.ones(2, 3, 4), "fro"))
attempt(lambda: torch.linalg.vector_norm(torch.ones(3, dtype=torch.int64)))
attempt(lambda: torch.linalg.matrix_norm(torch.ones(3)))
attempt(lambda: torch.linalg.multi_dot([A]))
attempt(lambda: torch.linalg.cross(torch.ones(2), torch.ones(2)))
attempt(lambda: torch.linalg.cond(ones, 3))
attempt(lambda: torch.linalg.norm(torch.ones(2, 3, 4), 2, (0, 1, 2)))
attempt(lambda: torch.linalg.matrix_norm(ones, 2, (0, 5)))
attempt(lambda: torch.linalg.inv(torch.ones(2, 2).half()))
attempt(lambda: torch.linalg.solve(A, A.double()))
attempt(lambda: torch.linalg.lstsq(A, A, driver="foo"))
attempt(lambda: torch.linalg.svdvals(torch.stack([A, A * float("nan")])))
attempt(lambda: torch.linalg.inv_ex(torch.ones(2, 3)))
try:
    torch.linalg.inv(ones)
except torch.linalg.LinAlgError as error:
    print("LinAlgError", isinstance(error, RuntimeError))

# What a factorisation by LU cannot be used for, and whose dtypes which function lacks.
for singular in (torch.zeros(2, 2), torch.ones(3, 2), torch.stack([torch.eye(2), torch.ones(2, 2)])):
    attempt(lambda: torch.linalg.lu_factor(singular))
    attempt(lambda: torch.linalg.lu_factor_ex(singular, check_errors=True))
    print(torch.linalg.lu_factor_ex(singular).info)
print(torch.linalg.lu_factor_ex(B))
functions = [torch.linalg.svd, torch.linalg.svdvals, torch.linalg.pinv, torch.linalg.eigh, torch.linalg.cholesky,
             torch.linalg.qr, torch.linalg.lu, torch.linalg.lu_factor, torch.linalg.slogdet, torch.linalg.cond,
             lambda x: torch.linalg.solve(x, x), lambda x: torch.linalg.solve_triangular(x, x, upper=True),
             lambda x: torch.linalg.matrix_norm(x, "nuc"), lambda x: torch.linalg.cond(x, 2)]
for x in (torch.ones(2, 2, dtype=torch.int64), torch.ones(2, 2).bfloat16(), torch.ones(2)):
    for function in functions:
        attempt(lambda: function(x))
attempt(lambda: torch.linalg.matrix_rank(torch.ones(2)))
attempt(lambda: torch.linalg.cond(torch.ones(2, 3), "nuc"))
attempt(lambda: torch.linalg.pinv(torch.ones(2, 3), hermitian=True))
for shape in ((0, 0), (0, 3), (2, 0, 0)):
    empty = torch.empty(shape)
    print([torch.linalg.matrix_norm(empty, order) for order in ("fro", "nuc", 2)], torch.linalg.cond(empty), torch.linalg.cond(empty, 1))
