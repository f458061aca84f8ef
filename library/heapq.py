"""A list kept as a heap: the least item is first."""


def heappush(heap, item):
    heap.append(item)
    _sift_down(heap, 0, len(heap) - 1)


def heappop(heap):
    if not heap:
        raise IndexError("index out of range")
    last = heap.pop()
    if not heap:
        return last
    least = heap[0]
    heap[0] = last
    _sift_up(heap, 0)
    return least


def heapreplace(heap, item):
    least = heap[0]
    heap[0] = item
    _sift_up(heap, 0)
    return least


def heappushpop(heap, item):
    if heap and heap[0] < item:
        item, heap[0] = heap[0], item
        _sift_up(heap, 0)
    return item


def heapify(x):
    for i in reversed(range(len(x) // 2)):
        _sift_up(x, i)


def _sift_down(heap, start, place):
    item = heap[place]
    while place > start:
        parent = (place - 1) >> 1
        if not item < heap[parent]:
            break
        heap[place] = heap[parent]
        place = parent
    heap[place] = item


def _sift_up(heap, place):
    end = len(heap)
    start = place
    item = heap[place]
    child = 2 * place + 1
    while child < end:
        if child + 1 < end and not heap[child] < heap[child + 1]:
            child += 1
        heap[place] = heap[child]
        place = child
        child = 2 * place + 1
    heap[place] = item
    _sift_down(heap, start, place)


def nsmallest(n, iterable, key=None):
    return sorted(iterable, key=key)[:n]


def nlargest(n, iterable, key=None):
    return sorted(iterable, key=key, reverse=True)[:n]


def merge(*iterables, key=None, reverse=False):
    """The items of sorted iterables as one sorted iterator; equal ones in the iterables' order."""
    return _merged([iter(iterable) for iterable in iterables], key, reverse)


def _merged(iterators, key, reverse):
    end = object()
    heads = []
    for iterator in iterators:
        item = next(iterator, end)
        if item is not end:
            heads.append([item if key is None else key(item), item, iterator])
    while heads:
        first = heads[0]
        for head in heads:
            if first[0] < head[0] if reverse else head[0] < first[0]:
                first = head
        yield first[1]
        item = next(first[2], end)
        if item is end:
            heads = [head for head in heads if head is not first]
        else:
            first[0] = item if key is None else key(item)
            first[1] = item
