# What lies across the rows of a kernel, or along its columns: as the processor has it.
import torch
import torch.nn.functional as F

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)


def check(name, f, *inputs):
    near = f(*inputs).double()
    far = [each.to(device) for each in inputs]
    for g in (f, torch.compile(f, dynamic=True), torch.compile(f, dynamic=False)):
        made = g(*far).cpu().double()
        if made.shape != near.shape or not torch.allclose(near, made, rtol=1e-2, atol=1e-2):
            print(name, tuple(inputs[0].shape), inputs[0].dtype, (near - made).abs().max().item())


for rows, columns, dtype in ((37, 1000, torch.float32), (129, 131, torch.bfloat16), (3, 5000, torch.float32),
                             (20000, 3, torch.float32), (600, 40, torch.float64)):
    x = torch.randn(rows, columns).to(dtype)
    y = torch.randn(columns, rows).to(dtype)
    check("softmax", lambda x: torch.softmax(x.t(), 1), x)
    check("both", lambda x: torch.softmax(x.t(), 0), x)
    check("layer norm", lambda x: F.layer_norm(x.t(), (x.shape[0],)), x)
    check("sum", lambda x, y: (x * y.t()).sum(1), x, y)
    check("sum of columns", lambda x, y: (x * y.t()).sum(0), x, y)
    check("columns", lambda x, y: torch.softmax(x + y.t(), 0), x, y)
    check("itself", lambda x: torch.softmax(x.t(), 1) * x.t(), x)
for shape in ((3, 40, 500), (5, 16, 8, 33)):
    x = torch.randn(shape)
    check("channels", lambda x: F.layer_norm(x.movedim(1, -1), (x.shape[1],)), x)
    check("normal", lambda x: F.normalize(x.movedim(1, -1), dim=-1), x)
    check("inner", lambda x: torch.softmax(x.transpose(1, 2), 1), x)

# One copy for two readers; what is written in place is copied before.
x = torch.randn(200, 300, device=device)
f = torch.compile(lambda x: (torch.softmax(x.t(), 1), F.layer_norm(x.t(), (x.shape[0],))))
print([torch.allclose(a, b, atol=1e-5) for a, b in zip(f(x), (torch.softmax(x.t(), 1), F.layer_norm(x.t(), (200,))))])
y = torch.randn(200, 200, device=device)
near = torch.softmax(y.cpu().t(), 1)
torch.softmax(y.t(), 1, out=y)
print(torch.allclose(y.cpu(), near, atol=1e-6))
print("done")
