# Where masks are true: places, elements and rows, of all kinds of shapes and strides, as the processor has them.
import torch
import glint.cuda


def found(shape, dtype, turned, device):
    torch.manual_seed(3)
    x = torch.randint(0, 3, shape).to(dtype).to(device)
    if turned and len(shape) > 1:
        x = x.transpose(0, -1)
    results = [x.nonzero(), x[x > 0], torch.masked_select(x, x > 0), *torch.where(x > 0)]
    if len(shape) > 1:
        results.append(x[x.sum(tuple(range(1, len(shape)))) > 1])
    return results


for shape in ((), (1,), (5,), (0,), (3, 4), (0, 3), (3, 0), (2, 3, 4), (1000,), (33, 65), (2, 1, 5, 3)):
    for dtype in (torch.bool, torch.float32, torch.int64, torch.uint8, torch.bfloat16):
        for turned in (False, True):
            near, far = (found(shape, dtype, turned, device) for device in ("cpu", "cuda"))
            same = all(torch.equal(a, b.cpu()) and a.stride() == b.stride() for a, b in zip(near, far))
            if not same or len(near) != len(far):
                print("other", shape, dtype, turned)
x = torch.arange(12.0, device="cuda").reshape(3, 4) % 3
for run in (lambda: x.nonzero(), lambda: x[x > 0]):
    run()
    before = glint.cuda.launches()
    print(run().shape, glint.cuda.launches() - before)
