"""Iterators made of iterators, each a generator.

    list(chain([1, 2], [3]))         # [1, 2, 3]
    list(islice(count(10), 3))       # [10, 11, 12]
"""


def count(start=0, step=1):
    while True:
        yield start
        start += step


def cycle(iterable):
    saved = []
    for item in iterable:
        yield item
        saved.append(item)
    while saved:
        for item in saved:
            yield item


def repeat(object, times=None):
    if times is None:
        while True:
            yield object
    for _ in range(times):
        yield object


def accumulate(iterable, func=None, *, initial=None):
    iterator = iter(iterable)
    total = initial
    if initial is None:
        try:
            total = next(iterator)
        except StopIteration:
            return
    yield total
    for item in iterator:
        total = total + item if func is None else func(total, item)
        yield total


class chain:
    def __init__(self, *iterables):
        self._source = iter(iterables)
        self._current = iter(())

    @classmethod
    def from_iterable(cls, iterables):
        made = cls()
        made._source = iter(iterables)
        return made

    def __iter__(self):
        return self

    def __next__(self):
        while True:
            try:
                return next(self._current)
            except StopIteration:
                self._current = iter(next(self._source))


def compress(data, selectors):
    for item, selected in zip(data, selectors):
        if selected:
            yield item


def dropwhile(predicate, iterable):
    iterator = iter(iterable)
    for item in iterator:
        if not predicate(item):
            yield item
            break
    for item in iterator:
        yield item


def takewhile(predicate, iterable):
    for item in iterable:
        if not predicate(item):
            break
        yield item


def filterfalse(predicate, iterable):
    for item in iterable:
        if not (item if predicate is None else predicate(item)):
            yield item


def groupby(iterable, key=None):
    iterator = iter(iterable)
    end = object()
    state = [end, end]  # the item that waits and its key

    def advance():
        item = next(iterator, end)
        state[0] = item
        if item is not end:
            state[1] = item if key is None else key(item)

    def group(wanted):
        while state[0] is not end and state[1] == wanted:
            item = state[0]
            advance()
            yield item

    advance()
    while state[0] is not end:
        current = state[1]
        members = group(current)
        yield current, members
        for _ in members:
            pass


def islice(iterable, *args):
    bounds = slice(*args)
    start = 0 if bounds.start is None else bounds.start
    step = 1 if bounds.step is None else bounds.step
    stop = bounds.stop
    if start < 0 or (stop is not None and stop < 0):
        if len(args) == 1:
            raise ValueError("Stop argument for islice() must be None or an integer: "
                             "0 <= x <= sys.maxsize.")
        raise ValueError(
            "Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize.")
    if step < 1:
        raise ValueError("Step for islice() must be a positive integer or None.")
    return _islice(iterable, start, stop, step)


def _islice(iterable, start, stop, step):
    if stop is not None and start >= stop:
        return
    wanted = start
    position = 0
    for item in iterable:
        if position == wanted:
            yield item
            wanted += step
        position += 1
        if stop is not None and (position >= stop or wanted >= stop):
            return


def pairwise(iterable):
    iterator = iter(iterable)
    try:
        previous = next(iterator)
    except StopIteration:
        return
    for item in iterator:
        yield previous, item
        previous = item


def starmap(function, iterable):
    for args in iterable:
        yield function(*args)


def tee(iterable, n=2):
    iterator = iter(iterable)
    queues = [[] for _ in range(n)]

    def branch(mine):
        while True:
            if not mine:
                try:
                    item = next(iterator)
                except StopIteration:
                    return
                for queue in queues:
                    queue.append(item)
            yield mine.pop(0)

    return tuple(branch(queue) for queue in queues)


def zip_longest(*iterables, fillvalue=None):
    end = object()
    iterators = [iter(iterable) for iterable in iterables]
    while iterators:
        row = [next(iterator, end) for iterator in iterators]
        live = False
        for item in row:
            if item is not end:
                live = True
        if not live:
            return
        yield tuple([fillvalue if item is end else item for item in row])


def product(*iterables, repeat=1):
    if repeat < 0:
        raise ValueError("repeat argument cannot be negative")
    return _product([tuple(iterable) for iterable in iterables] * repeat)


def _product(pools):
    for pool in pools:
        if not pool:
            return
    indices = [0] * len(pools)
    while True:
        yield tuple([pool[i] for pool, i in zip(pools, indices)])
        place = len(pools) - 1
        while place >= 0:
            indices[place] += 1
            if indices[place] < len(pools[place]):
                break
            indices[place] = 0
            place -= 1
        if place < 0:
            return


def _checked(r):
    if r < 0:
        raise ValueError("r must be non-negative")
    return r


def permutations(iterable, r=None):
    pool = tuple(iterable)
    return _permutations(pool, len(pool) if r is None else _checked(r))


def _permutations(pool, r):
    n = len(pool)
    if r > n:
        return
    indices = list(range(n))
    cycles = list(range(n, n - r, -1))
    yield tuple([pool[i] for i in indices[:r]])
    while n:
        for i in reversed(range(r)):
            cycles[i] -= 1
            if cycles[i] == 0:
                indices[i:] = indices[i + 1:] + indices[i:i + 1]
                cycles[i] = n - i
            else:
                j = cycles[i]
                indices[i], indices[-j] = indices[-j], indices[i]
                yield tuple([pool[k] for k in indices[:r]])
                break
        else:
            return


def combinations(iterable, r):
    return _combinations(tuple(iterable), _checked(r))


def _combinations(pool, r):
    n = len(pool)
    if r > n:
        return
    indices = list(range(r))
    yield tuple([pool[i] for i in indices])
    while True:
        for i in reversed(range(r)):
            if indices[i] != i + n - r:
                break
        else:
            return
        indices[i] += 1
        for j in range(i + 1, r):
            indices[j] = indices[j - 1] + 1
        yield tuple([pool[k] for k in indices])


def combinations_with_replacement(iterable, r):
    return _combinations_with_replacement(tuple(iterable), _checked(r))


def _combinations_with_replacement(pool, r):
    n = len(pool)
    if not n and r:
        return
    indices = [0] * r
    yield tuple([pool[i] for i in indices])
    while True:
        for i in reversed(range(r)):
            if indices[i] != n - 1:
                break
        else:
            return
        indices[i:] = [indices[i] + 1] * (r - i)
        yield tuple([pool[k] for k in indices])
