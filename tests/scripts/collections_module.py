# collections: Counter, defaultdict, deque, namedtuple, OrderedDict.
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple

d = defaultdict(list)
for k, v in [("a", 1), ("b", 2), ("a", 3)]:
    d[k].append(v)
print(dict(d), d["none"], len(d), d)
n = defaultdict(int)
for c in "hello":
    n[c] += 1
print(dict(n))
c = Counter("mississippi")
print(c.most_common(2), c["s"], c["z"], sum(c.values()), c)
q = deque([1, 2, 3], maxlen=3)
q.append(4)
q.appendleft(0)
print(q, q.pop(), q.popleft(), len(q), list(q), q[0])
Point = namedtuple("Point", ["x", "y"])
p = Point(1, y=2)
print(p, p.x, p[1], p._replace(x=5), p == (1, 2), tuple(p), p._fields)
x, y = p
print(x, y, Point._make([3, 4]), p._asdict())
o = OrderedDict([("a", 1), ("b", 2)])
o.move_to_end("a")
print(list(o.items()))
