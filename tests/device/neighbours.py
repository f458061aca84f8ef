# Elements that threads take several of: tensors that begin within a vector, rows that are looked
# up, biases; of lengths that vectors divide and of others. As the processor has them.
import torch
import torch.nn.functional as F

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)


def check(name, f, *inputs):
    near = f(*inputs).double()
    far = [each.to(device) for each in inputs]
    for g in (f, torch.compile(f, dynamic=True), torch.compile(f, dynamic=False)):
        made = g(*far).cpu().double()
        if made.shape != near.shape or not torch.equal(near, made):
            print(name, tuple(inputs[0].shape), inputs[0].dtype, (near - made).abs().max().item())


add = lambda x, y: x + y
twice = torch.compile(add, dynamic=True)
for count in (5000, 5001, 7, 300000):
    for dtype in (torch.float32, torch.bfloat16, torch.int64, torch.bool):
        x = (torch.randn(count + 3) * 9).to(dtype)
        y = (torch.randn(count) * 9).to(dtype)
        far = x.to(device), y.to(device)
        for begin in (0, 1, 3):
            near = x[begin:begin + count] + y
            for f in (add, twice):
                if not torch.equal(f(far[0][begin:begin + count], far[1]).cpu(), near):
                    print("begins at", begin, count, dtype)
for rows, width in ((50, 64), (50, 63), (9, 4), (300, 1), (20, 1000)):
    for dtype in (torch.float32, torch.bfloat16):
        w = torch.randn(rows, width).to(dtype)
        bias = torch.randn(width).to(dtype)
        for i in (torch.randint(0, rows, (40,)), torch.randint(-rows, rows, (3, 17))):
            check("index", lambda w, i: w[i], w, i)
            check("sum", lambda w, i: w[i] * 2 + 1, w, i)
            check("add", lambda w, i, bias: F.embedding(i % 3, w) + bias, w, i, bias)
            check("index_select", lambda w, i: torch.index_select(w, 0, i.flatten() % 3), w, i)
        check("bias", lambda w, bias: torch.relu(w + bias), w, bias)
        check("column", lambda w: w * w[:, :1], w)
        check("batches", lambda w: w.unsqueeze(0) + w.unsqueeze(1), w[:9])
        check("begins within a row", lambda w, bias: w[:, 1:] + bias[1:], w, bias)

# An index out of range fails, wherever vectors begin.
for width in (64, 63):
    try:
        F.embedding(torch.tensor([3, 50], device=device), torch.randn(50, width, device=device)).cpu()
    except (RuntimeError, IndexError):
        print("refused")
print("done")
