# option: --compile
# Objects that are keys, items looked for or operands of `==`: which of them are the same is
# guarded, since another call may come with one object under two names.
import torch


class Thing:
    pass


a, b, c = Thing(), Thing(), Thing()
s, t = torch.tensor([1.0]), torch.tensor([1.0])


def show(f, *several):
    print(f.__name__, [f(*each).item() for each in several])


def in_set(x, p, q):
    return x + 1 if p in {q} else x + 2


def in_list(x, p, q):
    return x + 1 if p in [0, q] else x + 2


def in_tuple(x, p, q):
    return x + 1 if p not in (q,) else x + 2


def keys(x, p, q):
    return x + len({p: 1, q: 2})


def read_back(x, p, q):
    kept = {p: 1}
    kept[q] = 2
    return x + kept[p]


def got(x, p, q):
    return x + {p: 5}.get(q, 0)


def equal(x, p, q):
    return x + (p == q)


def lists_equal(x, p, q):
    return x + ([p, 1] == [q, 1])


def position(x, p, q):
    return x + [p, q].index(q)


def how_often(x, p, q):
    return x + [p, q].count(p)


def sizes(x, p, q):
    return x + len(set([p, q])) + len({p} | {q}) + len({p} & {q})


def pairs(x, p, q):
    return x + ((p, 1) in {(q, 1)})


x = torch.tensor(0.0)
for f in (in_set, in_list, in_tuple, keys, read_back, got, equal, lists_equal, position, how_often,
          sizes, pairs):
    show(f, (x, a, b), (x, a, a), (x, c, b), (x, b, b))
for f in (in_set, keys, read_back, got, sizes):
    show(f, (x, s, t), (x, s, s), (x, t, s))

outside = {a: 1.0}


def entry(x, p, q):
    outside[p] = 2.0
    outside[q] = 3.0
    return x + outside[p] + len(outside)


show(entry, (x, a, b), (x, a, a), (x, b, b), (x, c, a))

by_tensor = {s: 1.0}


def state(x, p, q):
    if p not in by_tensor:
        by_tensor[p] = 0.0
    by_tensor[p] = by_tensor[p] + 1
    return x + by_tensor.get(q, -1) + by_tensor[p]


print([state(x, *each).item() for each in ((s, t), (s, t), (t, t), (t, s), (s, s), (s, t))])
print(list(by_tensor.values()))
