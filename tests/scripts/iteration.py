# itertools and iterator protocols.
import itertools
from itertools import chain, islice, product

print(list(islice(itertools.count(5, 2), 4)), list(chain([1], "ab")), list(product("ab", [1, 2])), list(itertools.repeat(0, 3)))
print(list(itertools.permutations([1, 2, 3], 2)), list(itertools.combinations("abc", 2)), list(itertools.accumulate([1, 2, 3])), list(chain.from_iterable([[1], [2, 3]])))
print(list(islice(itertools.cycle("ab"), 5)), list(itertools.zip_longest([1, 2], "a", fillvalue="-")), list(itertools.takewhile(lambda x: x < 3, range(10))), list(itertools.dropwhile(lambda x: x < 3, range(5))))
print([(k, list(g)) for k, g in itertools.groupby("aabbc")], list(itertools.starmap(pow, [(2, 3), (3, 2)])), list(itertools.pairwise([1, 2, 3])) if hasattr(itertools, "pairwise") else "")
a = iter([1, 2, 3, 4])
print(list(zip(a, a)), list(a))
e = enumerate("xy")
print(next(e), list(e), iter(e) is e)
z = zip("ab", itertools.count())
print(dict(z), list(map(lambda *a: a, "ab", "cd", [1, 2])))

for iterable in ({1}, {1: 2}, [1], (1,), range(1)):
    it = iter(iterable)
    print(type(it).__name__, list(it), type(it).__name__)
