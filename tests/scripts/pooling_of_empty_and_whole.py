# Pooling and group_norm of images without elements, and of integers.
import torch
import torch.nn.functional as F
def tell(f):
    try:
        r = f()
        print(list(r.shape), r.flatten().tolist()[:4])
    except Exception as e:
        print(type(e).__name__, e)
tell(lambda: F.adaptive_avg_pool1d(torch.zeros(2, 0), 2))
tell(lambda: F.adaptive_avg_pool1d(torch.zeros(0, 2, 3), 2))
tell(lambda: F.adaptive_avg_pool1d(torch.zeros(1, 0, 3), 2))
tell(lambda: F.adaptive_avg_pool2d(torch.zeros(2, 0, 3), 2))
tell(lambda: F.adaptive_avg_pool2d(torch.zeros(0, 2, 3), 2))
tell(lambda: F.adaptive_avg_pool2d(torch.zeros(1, 0, 0, 3), 2))
tell(lambda: F.adaptive_avg_pool2d(torch.zeros(2, 2, 3, 0), (None, 2)))
tell(lambda: F.adaptive_avg_pool2d(torch.zeros(2, 2, 3, 4), (None, 2)))
tell(lambda: F.adaptive_avg_pool1d(torch.zeros(3), 1))
tell(lambda: F.adaptive_avg_pool1d(torch.zeros(2, 3), -2))
tell(lambda: F.adaptive_avg_pool2d(torch.zeros(2, 3, 3), (2, -2)))
for dt in [torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool, torch.float16, torch.bfloat16, torch.float64]:
    tell(lambda: F.adaptive_avg_pool2d(torch.ones(1, 2, 3, dtype=dt), 1))
    tell(lambda: F.adaptive_avg_pool1d(torch.ones(1, 2, 3, dtype=dt), 1))
    tell(lambda: F.avg_pool2d(torch.ones(1, 2, 4, dtype=dt) * 3, 2))
    tell(lambda: F.avg_pool1d(torch.ones(1, 2, 4, dtype=dt) * 3, 2))
    tell(lambda: F.max_pool2d(torch.ones(1, 2, 4, dtype=dt) * 3, 2))
    tell(lambda: F.max_pool1d(torch.ones(1, 2, 4, dtype=dt) * 3, 2))
x = torch.tensor([[[-5, -2, 7, 8, 3], [4, -9, 3, 3, 3], [1, 2, 3, 4, 5]]])
tell(lambda: F.avg_pool2d(x, 2))
tell(lambda: F.avg_pool2d(x, 2, padding=1))
tell(lambda: F.avg_pool2d(x, 2, padding=1, count_include_pad=False))
tell(lambda: F.avg_pool2d(x, 2, divisor_override=3))
tell(lambda: F.avg_pool1d(x, 2))
for s in [(1, 2, 0, 4), (0, 2, 4, 4), (1, 0, 4, 4), (2, 0, 4), (0, 4, 4), (2, 4, 0)]:
    tell(lambda: F.avg_pool2d(torch.zeros(s), 2))
    tell(lambda: F.max_pool2d(torch.zeros(s), 2))
for s in [(1, 2, 0), (0, 2, 4), (1, 0, 4), (2, 0), (0, 4), (4,), (1, 1, 1, 1)]:
    tell(lambda: F.avg_pool1d(torch.zeros(s), 2))
    tell(lambda: F.max_pool1d(torch.zeros(s), 2))
for s in [(2, 4, 0), (2, 4, 0, 3), (0, 4, 0), (2, 4), (2, 4, 1), (0, 4), (2, 0, 3)]:
    tell(lambda: F.group_norm(torch.zeros(s), 2))
tell(lambda: F.adaptive_avg_pool2d(torch.ones(2,4), 1))
tell(lambda: F.adaptive_avg_pool2d(torch.ones(1,1,2,3,3), 1))
tell(lambda: F.adaptive_avg_pool2d(torch.ones(2,3,0), 1))
tell(lambda: F.adaptive_avg_pool1d(torch.ones(2,3,0), 1))
tell(lambda: F.adaptive_avg_pool2d(torch.ones(1,3,4, dtype=torch.int64), (0, 2)))
tell(lambda: F.adaptive_avg_pool2d(torch.ones(1,3,4, dtype=torch.int64), (1, 2)))
tell(lambda: F.adaptive_avg_pool1d(torch.ones(1,3,4), -1))
