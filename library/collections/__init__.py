"""Containers beyond list and dict.

    Point = namedtuple("Point", "x y")
    groups = defaultdict(list)
    Counter("abca").most_common(1)   # [("a", 2)]
"""

from _counting import counts as _counts

_KEYWORDS = frozenset(
    ["False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
     "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import",
     "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
     "with", "yield"])


def _field(index):
    return property(lambda self: self[index])


def namedtuple(typename, field_names, *, rename=False, defaults=None, module=None):
    if isinstance(field_names, str):
        field_names = field_names.replace(",", " ").split()
    field_names = [str(name) for name in field_names]
    if not typename.isidentifier():
        raise ValueError(f"Type names and field names must be valid identifiers: {typename!r}")
    if typename in _KEYWORDS:
        raise ValueError(f"Type names and field names cannot be a keyword: {typename!r}")
    for i, name in enumerate(field_names):
        bad = (not name.isidentifier() or name in _KEYWORDS or name.startswith("_")
               or name in field_names[:i])
        if bad and rename:
            field_names[i] = f"_{i}"
        elif not name.isidentifier():
            raise ValueError(f"Type names and field names must be valid identifiers: {name!r}")
        elif name in _KEYWORDS:
            raise ValueError(f"Type names and field names cannot be a keyword: {name!r}")
        elif name.startswith("_"):
            raise ValueError(f"Field names cannot start with an underscore: {name!r}")
        elif name in field_names[:i]:
            raise ValueError(f"Encountered duplicate field name: {name!r}")
    fields = tuple(field_names)
    count = len(fields)
    field_defaults = {}
    if defaults is not None:
        defaults = tuple(defaults)
        if len(defaults) > count:
            raise TypeError("Got more default values than field names")
        field_defaults = dict(zip(fields[count - len(defaults):], defaults))

    scope = {"_tuple_new": tuple.__new__, "_defaults": field_defaults}
    params = []
    for name in fields:
        params.append(f"{name}=_defaults[{name!r}]" if name in field_defaults else name)
    comma = "," if count == 1 else ""
    exec(f"def __new__(_cls{''.join([', ' + p for p in params])}):\n"
         f"    return _tuple_new(_cls, ({', '.join(fields)}{comma}))\n", scope)

    scope["__new__"].__qualname__ = f"{typename}.__new__"

    def _make(cls, iterable):
        result = tuple.__new__(cls, iterable)
        if len(result) != count:
            raise TypeError(f"Expected {count} arguments, got {len(result)}")
        return result

    def _replace(self, /, **keywords):
        result = self._make([keywords.pop(name, value) for name, value in zip(fields, self)])
        if keywords:
            raise ValueError(f"Got unexpected field names: {list(keywords)!r}")
        return result

    def _asdict(self):
        return dict(zip(fields, self))

    def __repr__(self):
        parts = [f"{name}={value!r}" for name, value in zip(fields, self)]
        return f"{type(self).__name__}({', '.join(parts)})"

    def __getnewargs__(self):
        return tuple(self)

    namespace = {
        "__doc__": f"{typename}({', '.join(fields)})",
        "__slots__": (),
        "_fields": fields,
        "_field_defaults": field_defaults,
        "__new__": scope["__new__"],
        "_make": classmethod(_make),
        "_replace": _replace,
        "_asdict": _asdict,
        "__repr__": __repr__,
        "__getnewargs__": __getnewargs__,
        "__match_args__": fields,
    }
    for index, name in enumerate(fields):
        namespace[name] = _field(index)
    return type(typename, (tuple,), namespace)


class defaultdict(dict):
    def __init__(self, default_factory=None, /, *args, **keywords):
        if default_factory is not None and not callable(default_factory):
            raise TypeError("first argument must be callable or None")
        super().__init__(*args, **keywords)
        self.default_factory = default_factory

    def __missing__(self, key):
        if self.default_factory is None:
            raise KeyError(key)
        value = self.default_factory()
        self[key] = value
        return value

    def copy(self):
        return defaultdict(self.default_factory, self)

    def __reduce__(self):
        made_with = () if self.default_factory is None else (self.default_factory,)
        return type(self), made_with, None, None, iter(self.items())

    def __repr__(self):
        return f"defaultdict({self.default_factory!r}, {dict(self)!r})"


class OrderedDict(dict):
    def move_to_end(self, key, last=True):
        value = self.pop(key)
        if last:
            self[key] = value
            return
        others = list(self.items())
        self.clear()
        self[key] = value
        for name, item in others:
            self[name] = item

    def popitem(self, last=True):
        if not self:
            raise KeyError("dictionary is empty")
        key = list(self)[-1] if last else next(iter(self))
        return key, self.pop(key)

    def copy(self):
        return OrderedDict(self)

    def __eq__(self, other):
        if isinstance(other, OrderedDict):
            return list(self.items()) == list(other.items())
        return dict.__eq__(self, other)

    def __reduce__(self):
        return type(self), (), self.__dict__ or None, None, iter(self.items())

    def __repr__(self):
        if not self:
            return "OrderedDict()"
        return f"OrderedDict({list(self.items())!r})"


class Counter(dict):
    def __init__(self, iterable=None, /, **keywords):
        super().__init__()
        self.update(iterable, **keywords)

    def __missing__(self, key):
        return 0

    @classmethod
    def fromkeys(cls, iterable, v=None):
        raise NotImplementedError(
            "Counter.fromkeys() is undefined.  Use Counter(iterable) instead.")

    def update(self, iterable=None, /, **keywords):
        if iterable is not None:
            if isinstance(iterable, dict):
                for key, count in iterable.items():
                    self[key] = self.get(key, 0) + count
            elif not self:
                super().update(_counts(iterable))
            else:
                for key, count in _counts(iterable).items():
                    self[key] = self.get(key, 0) + count
        for key, count in keywords.items():
            self[key] = self.get(key, 0) + count

    def subtract(self, iterable=None, /, **keywords):
        if iterable is not None:
            if isinstance(iterable, dict):
                for key, count in iterable.items():
                    self[key] = self.get(key, 0) - count
            else:
                for key in iterable:
                    self[key] = self.get(key, 0) - 1
        for key, count in keywords.items():
            self[key] = self.get(key, 0) - count

    def most_common(self, n=None):
        ordered = sorted(self.items(), key=lambda item: item[1], reverse=True)
        return ordered if n is None else ordered[:n]

    def elements(self):
        for key, count in self.items():
            for _ in range(count):
                yield key

    def total(self):
        return sum(self.values())

    def copy(self):
        return Counter(self)

    def _combined(self, other, combine):
        result = Counter()
        for key in list(self) + [key for key in other if key not in self]:
            count = combine(self[key], other[key])
            if count > 0:
                result[key] = count
        return result

    def __add__(self, other):
        return self._combined(other, lambda a, b: a + b)

    def __sub__(self, other):
        return self._combined(other, lambda a, b: a - b)

    def __or__(self, other):
        return self._combined(other, lambda a, b: a if a > b else b)

    def __and__(self, other):
        return self._combined(other, lambda a, b: a if a < b else b)

    def __iadd__(self, other):
        for key, count in other.items():
            self[key] = self[key] + count
        for key in [key for key, count in self.items() if count <= 0]:
            del self[key]
        return self

    def __pos__(self):
        return self._combined(Counter(), lambda a, b: a)

    def __reduce__(self):
        return type(self), (dict(self),)

    def __repr__(self):
        if not self:
            return "Counter()"
        parts = [f"{key!r}: {count!r}" for key, count in self.most_common()]
        return f"Counter({{{', '.join(parts)}}})"


class deque:
    def __init__(self, iterable=(), maxlen=None):
        if maxlen is not None and maxlen < 0:
            raise ValueError("maxlen must be non-negative")
        self.maxlen = maxlen
        self._items = []
        self._head = 0  # the items before it have been taken out on the left
        self.extend(iterable)

    def _compact(self):
        if self._head:
            del self._items[:self._head]
            self._head = 0

    def append(self, item):
        self._items.append(item)
        if self.maxlen is not None and len(self) > self.maxlen:
            self.popleft()

    def appendleft(self, item):
        if self._head:
            self._head -= 1
            self._items[self._head] = item
        elif len(self._items) <= 64:
            self._items.insert(0, item)
        else:
            room = len(self._items) + 8
            self._items[:0] = [None] * room
            self._head = room - 1
            self._items[self._head] = item
        if self.maxlen is not None and len(self) > self.maxlen:
            self.pop()

    def extend(self, iterable):
        for item in iterable:
            self.append(item)

    def extendleft(self, iterable):
        for item in iterable:
            self.appendleft(item)

    def pop(self):
        if not len(self):
            raise IndexError("pop from an empty deque")
        return self._items.pop()

    def popleft(self):
        head = self._head
        items = self._items
        if head == len(items):
            raise IndexError("pop from an empty deque")
        if head == 0 and len(items) <= 64:
            return items.pop(0)
        item = items[head]
        items[head] = None
        self._head = head + 1
        if head > 64 and head * 2 > len(items):
            self._compact()
        return item

    def clear(self):
        self._items.clear()
        self._head = 0

    def copy(self):
        return deque(self, self.maxlen)

    def count(self, item):
        self._compact()
        return self._items.count(item)

    def index(self, item, *bounds):
        self._compact()
        try:
            return self._items.index(item, *bounds)
        except ValueError:
            raise ValueError(f"{item!r} is not in deque") from None

    def insert(self, index, item):
        if self.maxlen is not None and len(self) >= self.maxlen:
            raise IndexError("deque already at its maximum size")
        self._compact()
        self._items.insert(index, item)

    def remove(self, item):
        self._compact()
        try:
            self._items.remove(item)
        except ValueError:
            raise ValueError("deque.remove(x): x not in deque") from None

    def reverse(self):
        self._compact()
        self._items.reverse()

    def rotate(self, n=1):
        self._compact()
        if self._items:
            n %= len(self._items)
            self._items[:] = self._items[-n:] + self._items[:-n] if n else self._items

    def _place(self, index):
        size = len(self)
        if index < 0:
            index += size
        if not 0 <= index < size:
            raise IndexError("deque index out of range")
        return self._head + index

    def __len__(self):
        return len(self._items) - self._head

    def __bool__(self):
        return len(self._items) > self._head

    def __getitem__(self, index):
        return self._items[self._place(index)]

    def __setitem__(self, index, item):
        self._items[self._place(index)] = item

    def __delitem__(self, index):
        del self._items[self._place(index)]

    def __iter__(self):
        size = len(self)
        for i in range(size):
            if len(self) != size:
                raise RuntimeError("deque mutated during iteration")
            yield self._items[self._head + i]

    def __reversed__(self):
        for i in range(len(self) - 1, -1, -1):
            yield self[i]

    def __contains__(self, item):
        self._compact()
        return item in self._items

    def __eq__(self, other):
        return isinstance(other, deque) and list(self) == list(other)

    __hash__ = None

    def __lt__(self, other):
        return list(self) < list(other)

    def __add__(self, other):
        result = self.copy()
        result.extend(other)
        return result

    def __iadd__(self, other):
        self.extend(other)
        return self

    def __reduce__(self):
        return type(self), () if self.maxlen is None else ((), self.maxlen), None, iter(self)

    def __repr__(self):
        if self.maxlen is None:
            return f"deque({list(self)!r})"
        return f"deque({list(self)!r}, maxlen={self.maxlen})"


class ChainMap:
    def __init__(self, *maps):
        self.maps = list(maps) or [{}]

    def __getitem__(self, key):
        for mapping in self.maps:
            if key in mapping:
                return mapping[key]
        raise KeyError(key)

    def get(self, key, default=None):
        return self[key] if key in self else default

    def __setitem__(self, key, value):
        self.maps[0][key] = value

    def __delitem__(self, key):
        del self.maps[0][key]

    def __contains__(self, key):
        return any([key in mapping for mapping in self.maps])

    def _merged(self):
        merged = {}
        for mapping in reversed(self.maps):
            merged.update(mapping)
        return merged

    def __iter__(self):
        return iter(self._merged())

    def __len__(self):
        return len(self._merged())

    def keys(self):
        return self._merged().keys()

    def values(self):
        return self._merged().values()

    def items(self):
        return self._merged().items()

    def new_child(self, m=None):
        return ChainMap({} if m is None else m, *self.maps)

    def __repr__(self):
        return f"ChainMap({', '.join([repr(mapping) for mapping in self.maps])})"
