# Dicts: order, methods, views, keys of many types.
d = {"one": 1, "two": 2}
d["three"] = 3
d["one"] = 10
print(d, len(d), d["two"], d.get("x"), d.get("x", 0), "one" in d, 1 in d, list(d), list(d.values()), list(d.items()))
print(d.pop("two"), d.pop("none", None), d, d.setdefault("four", 4), d.setdefault("one", 0), d)
d.update({"five": 5}, six=6)
d.update([("seven", 7)])
print(d, d.popitem(), dict(a=1, b=2), dict([(1, 2)]), dict(zip("ab", [1, 2])), dict({"x": 1}, y=2))
del d["one"]
print(d, {**d, "five": 0}, d | {"z": 26}, {1: "a", 1.0: "b", True: "c"}, {(1, 2): "t", None: 0, "s": 1})
keys = d.keys()
d["new"] = 0
print(keys, d.values(), d.items(), len(keys), "new" in keys, sorted(keys))
for k, v in d.items():
    print(k, v, end="; ")
print()
print({k: v for k, v in sorted(d.items(), key=lambda kv: kv[1])}, d == dict(d), {"a": 1, "b": 2} == {"b": 2, "a": 1})
d |= {"w": 1}
print(d, d.copy() is d, dict.fromkeys("ab", 0), dict.fromkeys([1]), list(reversed({"a": 1, "b": 2})))
d.clear()
print(d, not d, {}.get(1), {1: {2: {3: 4}}}[1][2][3])
try:
    {}["missing"]
except KeyError as error:
    print(repr(error), error)
try:
    for k in {"a": 1, "b": 2} if False else (loop := {"a": 1}):
        loop["b"] = 2
except RuntimeError as error:
    print(error)
try:
    {[1]: 2}
except TypeError as error:
    print(error)
count = {}
for c in "mississippi":
    count[c] = count.get(c, 0) + 1
print(count, max(count, key=count.get), sum(count.values()), hash("a") == hash("a"), hash(1) == hash(1.0) == hash(True))
big = {i: i * i for i in range(1000)}
for i in range(0, 1000, 2):
    del big[i]
print(len(big), big[999], 998 in big, list(big)[:3])
print({1, 2}.isdisjoint(big.keys()), {"a": 1}.keys() & {"a", "b"}, {"a": 1}.items() == {"a": 1}.items())
