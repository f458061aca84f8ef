# Lists: methods, slices, sorting, aliasing.
a = [3, 1, 2]
a.append(4)
a.extend([5, 6])
a.insert(0, 0)
a.insert(-1, 99)
print(a, len(a), a[0], a[-1], a.pop(), a.pop(0), a, a.index(99), a.count(1))
a.remove(99)
a.reverse()
print(a, sorted(a), sorted(a, reverse=True), a.sort(), a, a.copy() == a, a.copy() is a)
b = list(range(10))
print(b[2:5], b[:3], b[7:], b[::2], b[::-1], b[-3:], b[5:2], b[8:2:-2], b[:], b[100:], b[-100:2])
b[2:5] = ["x"]
print(b)
b[::2] = [0] * len(b[::2])
print(b)
del b[0], b[1:3]
print(b)
b[1:1] = [7, 7, 7]
print(b, [1, 2] + [3], [0] * 3, 2 * [1, 2], [1, 2] == [1, 2], [1, 2] < [1, 3], [1] < [1, 0], [] or "empty")
c = d = [1]
c += [2]
c *= 2
print(c, d, c is d)
d = d + [5]
print(c, d)
words = ["banana", "kiwi", "apple", "fig"]
words.sort(key=len)
print(words)
words.sort(key=lambda w: (w[-1], w), reverse=True)
print(words, sorted([(2, "b"), (1, "z"), (2, "a")]), sorted([3, 1, 2], key=lambda x: -x))
print(list("abc"), list((1, 2)), list({"k": 1}), [x for x in reversed([1, 2, 3])], [1, [2, [3]]][1][1][0])
print(any([0, 0, 1]), all([]), sum([1, 2, 3]), sum([[1], [2]], []), min(3, 1, 2), max([1, 5], default=0), max([], default=0))
a.clear()
print(a, not a, 1 in [1, 2], 3 not in [1, 2], [1, 2, 3].__contains__(2) if False else True)
nested = [[0] * 2] * 2
nested[0][0] = 1
print(nested, [None] * 2, [1, 2, 3][True])
try:
    [1, 2, 3][3]
except IndexError as error:
    print(error)
try:
    b[::2] = [1]
except ValueError as error:
    print(error)
try:
    [1].remove(2)
except ValueError as error:
    print(error)
a = [1, 2, 3]
for x in a:
    if x < 3:
        a.append(x + 10)
    if len(a) > 6:
        break
print(a)
