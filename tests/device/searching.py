# Places among sorted elements: as on the processor, for each pair of dtypes, in one launch.
import torch
import glint.cuda

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)
nan = float("nan")
DTYPES = (torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.int32,
          torch.int16, torch.int8, torch.uint8)


def compare(rows, values, **options):
    near = torch.searchsorted(rows, values, **options)
    far = torch.searchsorted(rows.to(device), values.to(device), **options)
    if near.dtype != far.dtype or near.stride() != far.stride() or not torch.equal(near, far.cpu()):
        print(rows, values, options, near, far)


for row_dtype in DTYPES:
    for dtype in DTYPES:
        row = torch.tensor([0, 1, 1, 3, 4]).to(row_dtype)
        values = torch.tensor([[0, 1, 2], [3, 4, 5]]).to(dtype)
        for right in (False, True):
            compare(row, values.t(), right=right, out_int32=right)
            compare(row[::2], values[:, 1], right=right)
for length in (0, 1, 2, 1000):
    row = torch.randn(length).sort()[0]
    for shape in ((), (0,), (1,), (700,)):
        compare(row, torch.randn(shape))
compare(torch.tensor([1.0, nan, nan]), torch.tensor([nan, 2.0, 0.0]))
compare(torch.tensor([1.0, nan, nan]), torch.tensor([nan, 2.0, 0.0]), side="right")
rows, values = torch.randn(2, 3, 9).sort(-1)[0], torch.randn(2, 3, 4)
compare(rows, values)
compare(rows.transpose(0, 1), values.transpose(0, 1))
compare(rows.expand(2, 3, 9), values[..., ::2])
shuffled = torch.tensor([3.0, 1.0, 2.0])
compare(shuffled, torch.tensor([1.5, 2.5]))
found = torch.searchsorted(shuffled.to(device), torch.tensor([1.5, 2.5], device=device),
                           sorter=torch.tensor([1, 2, 0], device=device))
print(found)


def launches(run):
    run()
    before = glint.cuda.launches()
    run()
    return glint.cuda.launches() - before


x, row = torch.randn(20, 30, device=device), torch.linspace(-1.0, 1.0, 9, device=device)
for run in (lambda: torch.bucketize(x, row), lambda: torch.searchsorted(row, x.t()[::2]),
            lambda: torch.searchsorted(row, 0.25), lambda: torch.bucketize(2, row, right=True),
            lambda: torch.searchsorted(x[:, ::3], x[:, 1:])):
    print(launches(run) <= 1, end=" ")
print(torch.bucketize(2, row), torch.searchsorted(row, torch.tensor(0.1)))
compiled = torch.compile(lambda x: torch.bucketize(x * 2, row) + 1)
print(compiled(torch.tensor([[-0.6, 0.1], [0.3, 7.0]], device=device)))
