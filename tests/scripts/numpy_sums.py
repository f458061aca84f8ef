# Sums of floats to the last digit: the order in which they are added depends on how an array lies in memory.
import numpy as np


def numbers(count):
    return np.array([((i * 7919 + 13) % 10007) / 997.0 - 5.0 for i in range(count)])


for count in (0, 1, 7, 8, 9, 15, 16, 127, 128, 129, 255, 256, 1000, 4097):
    x = numbers(count)
    print(count, x.sum(), x.astype(np.float32).sum(), x.astype(np.float16).sum(), (x * x).sum())
    if count > 1:
        print(x.mean(), x.std(), x.var(ddof=1), x[::3].sum(), x.astype(np.float32).mean(), x.astype(np.float32).std(),
              x.astype(np.float16).mean())

m = numbers(3000).reshape(30, 100)
for axis in (None, 0, 1, (0, 1)):
    for each in (m, m.T, m[:, ::2], m[::2], m.reshape(10, 3, 100)[:, 1], m.astype(np.float32)):
        print(axis, np.sum(each, axis=axis).tolist() if axis is None else np.sum(each, axis=axis)[:2].tolist()
              if axis in (0, 1) else np.sum(each, axis=axis).item())
k = numbers(2400).reshape(20, 12, 10)
for axis in (0, 1, 2, (0, 1), (0, 2), (1, 2), (0, 1, 2)):
    print(axis, k.sum(axis).ravel()[:2].tolist(), k.mean(axis).ravel()[:2].tolist(), k.std(axis).ravel()[:2].tolist(),
          k.transpose(2, 0, 1).sum(axis).ravel()[:2].tolist())
p = 1 + numbers(300) / 1000
print(p.prod(), p.cumprod()[-1], p.astype(np.float32).prod(), p.astype(np.float32).cumsum()[-3:], p.cumsum()[-1],
      p.reshape(30, 10).prod(axis=0)[:2].tolist(), p.reshape(30, 10).cumsum(axis=0)[-1, :2].tolist())
print(np.average(m, axis=0, weights=numbers(30) + 6)[:2].tolist(), np.nanmean(np.where(m > 2, np.nan, m)),
      np.trapezoid(numbers(50)), np.median(m), np.percentile(m, [10, 50.5, 99]).tolist(), np.cov(m[:2, :5]).shape)
