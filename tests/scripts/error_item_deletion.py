# What `del x[k]` says where nothing can be deleted: CPython has two wordings.
class Readable:
    def __getitem__(self, key):
        return 1


class Place:
    def __index__(self):
        return 0


class Failure(Exception):
    pass


refusing = [Readable(), (1, 2), "ab", b"a", 5, 1.5, True, 1j, None, range(3), {1}, frozenset(), {}.keys(), {}.values(),
            iter([]), slice(1), int, len, lambda: 0, (i for i in ()), Failure(), ValueError(), ..., enumerate([])]
for refused in refusing:
    for key in (0, "a", Place(), slice(1)):
        try:
            del refused[key]
        except TypeError as error:
            print(type(key).__name__, "|", error)
