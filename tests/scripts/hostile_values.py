# Values that nearly fit: refused where CPython and PyTorch refuse them, in their words.
import torch
import collections
import heapq


def attempt(*functions):
    for f in functions:
        try:
            print(f())
        except Exception as error:
            print(type(error).__name__, "|", str(error).splitlines()[0] if str(error) else "")


# Encodings.
attempt(lambda: "é".encode("ascii"), lambda: "é€".encode("latin-1"), lambda: "é€".encode("ascii", "ignore"), lambda: "é€".encode("ascii", "replace"), lambda: "é€😀".encode("ascii", "backslashreplace"), lambda: "é".encode("latin-1"), lambda: "é".encode("UTF-8"), lambda: "a".encode("nope"), lambda: "é".encode("ascii", "nope"),
        lambda: "\ud800".encode(), lambda: b"\xff".decode(), lambda: b"a\xffb".decode("utf-8", "replace"), lambda: b"a\xffb".decode(errors="ignore"), lambda: b"\xe9".decode("latin-1"), lambda: b"\xe9".decode("ascii"), lambda: b"\xe2\x82".decode(), lambda: b"\xe2(\xa1".decode(), lambda: b"a".decode("nope"), lambda: str(b"\xc3\xa9", "utf-8"),
        lambda: str(b"\xff", "utf-8"), lambda: bytes("é", "latin-1"), lambda: bytes("é", "ascii"), lambda: b"\xff\xfe".decode("ascii", "backslashreplace"))
# Objects.


class Thing:
    def __float__(self):
        return 1


class Other:
    pass


def set_class():
    thing = Other()
    thing.__class__ = 5


def swap_keys():
    d = {1: 2, 3: 4}
    for k in d:
        del d[k]
        d[k + 100] = 1


attempt(lambda: float(Thing()), set_class, swap_keys, lambda: heapq.heappop([]), lambda: [1, 2, 3][::0], lambda: torch.ones(3)[::0])
# Tensors.
x = torch.arange(6.0)
attempt(lambda: torch.zeros(10**12), lambda: torch.ones(2).repeat(10**12), lambda: torch.ones(1).expand(10**12).clone(), lambda: torch.arange(10**13), lambda: torch.ones(2, device="nope"), lambda: torch.zeros(2, device="cpu:0").shape, lambda: "a" in x, lambda: None in x, lambda: 3 in x, lambda: torch.tensor(3.0) in x,
        lambda: torch.outer(torch.ones(2, 2), x), lambda: torch.outer(x, torch.tensor(1.0)), lambda: torch.compile(5), lambda: torch.nn.Sequential(5), lambda: torch.nn.ModuleList([5]), lambda: torch.ones(2) @ 5, lambda: 5 @ torch.ones(2), lambda: x @ None)
# Masks and indices that do not fit.
w, mask = torch.arange(24).reshape(2, 3, 4), torch.tensor([True, False, False, True])
attempt(lambda: w[mask], lambda: w[:, mask], lambda: w[0, mask], lambda: x[mask], lambda: w[:, [5]], lambda: w[[5], :, [0]], lambda: w[:, [0, 1], [0, 1, 2]])
# Index tensors of every type.
for dtype in (torch.int64, torch.int32, torch.int16, torch.int8, torch.float32, torch.float64, torch.bool):
    index = torch.tensor([1, 0, 1, 0, 1, 1]).to(dtype)
    attempt(lambda: x[index], lambda: x.reshape(2, 3)[:, index[:3]], lambda: x.index_select(0, index), lambda: x.gather(0, index))
    try:
        print(torch.nn.functional.embedding(index, x.reshape(3, 2)).shape)
    except RuntimeError as error:
        print("RuntimeError")

    def assign():
        y = x.clone()
        y[index] = -1.0
        return y

    attempt(assign)
