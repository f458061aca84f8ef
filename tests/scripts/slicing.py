# Slices with every combination of absent, negative and far-out bounds.
s = "abcdefghij"
for start, stop, step in [(None, None, None), (2, None, None), (None, 4, None), (None, None, 3), (None, None, -1), (7, 2, -2), (-3, None, None), (None, -3, None),
                          (-100, 3, None), (3, 100, None), (5, 5, None), (8, 3, None), (None, None, -4), (-1, -5, -1), (0, 10, 9)]:
    k = slice(start, stop, step)
    print(k, s[k], list(range(10))[k], tuple(s)[k] == tuple(s[k]), range(10)[k])
a = list(range(6))
a[1:3] = []
a[len(a):] = [10, 11]
a[:0] = [-1]
print(a)
a[::-1] = range(len(a))
print(a)
del a[::2]
print(a)


class Show:
    def __getitem__(self, key):
        return key


show = Show()
print(show[1], show[1:2], show[1, 2], show[:, ::2], show[...], show[..., None, 1:], show[-1:], show["k"], show[(1, 2)], show[()])
try:
    s[::0]
except ValueError as error:
    print(error)
try:
    s["a":]
except TypeError as error:
    print(error)
