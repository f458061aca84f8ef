"""Functions of functions: `partial`, `reduce`, `lru_cache`, `wraps`, `total_ordering`.

    add3 = partial(add, 3)
    reduce(add, [1, 2, 3], 0)        # 6
"""

WRAPPER_ASSIGNMENTS = ("__module__", "__name__", "__qualname__", "__doc__", "__annotations__")
WRAPPER_UPDATES = ("__dict__",)

_missing = object()


def update_wrapper(wrapper, wrapped, assigned=WRAPPER_ASSIGNMENTS, updated=WRAPPER_UPDATES):
    for name in assigned:
        value = getattr(wrapped, name, _missing)
        if value is not _missing:
            setattr(wrapper, name, value)
    for name in updated:
        for key, value in getattr(wrapped, name, {}).items():
            setattr(wrapper, key, value)
    wrapper.__wrapped__ = wrapped
    return wrapper


def wraps(wrapped, assigned=WRAPPER_ASSIGNMENTS, updated=WRAPPER_UPDATES):
    def decorate(wrapper):
        return update_wrapper(wrapper, wrapped, assigned, updated)

    return decorate


class partial:
    def __init__(self, func, /, *args, **keywords):
        if not callable(func):
            raise TypeError("the first argument must be callable")
        if isinstance(func, partial):
            args = func.args + args
            keywords = {**func.keywords, **keywords}
            func = func.func
        self.func = func
        self.args = args
        self.keywords = keywords

    def __call__(self, /, *args, **keywords):
        return self.func(*self.args, *args, **{**self.keywords, **keywords})

    def __reduce__(self):
        return type(self), (self.func,), (self.func, self.args, self.keywords, None)

    def __setstate__(self, state):
        self.func, self.args, self.keywords, attributes = state
        self.__dict__.update(attributes or {})

    def __repr__(self):
        parts = [repr(self.func)]
        parts.extend(repr(arg) for arg in self.args)
        parts.extend(f"{key}={value!r}" for key, value in self.keywords.items())
        return f"functools.partial({', '.join(parts)})"


def reduce(function, iterable, initial=_missing):
    iterator = iter(iterable)
    if initial is _missing:
        try:
            total = next(iterator)
        except StopIteration:
            raise TypeError("reduce() of empty iterable with no initial value") from None
    else:
        total = initial
    for item in iterator:
        total = function(total, item)
    return total


class _CacheInfo:
    def __init__(self, hits, misses, maxsize, currsize):
        self.hits = hits
        self.misses = misses
        self.maxsize = maxsize
        self.currsize = currsize

    def __repr__(self):
        return (f"CacheInfo(hits={self.hits}, misses={self.misses}, "
                f"maxsize={self.maxsize}, currsize={self.currsize})")


def _key_of(args, keywords, typed):
    key = args
    if keywords:
        key += (_missing,)
        for item in keywords.items():
            key += item
    if typed:
        key += tuple([type(arg) for arg in args])
    return key


def _cached(function, maxsize, typed):
    entries = {}
    counts = [0, 0]

    def wrapper(*args, **keywords):
        key = _key_of(args, keywords, typed)
        result = entries.get(key, _missing)
        if result is not _missing:
            counts[0] += 1
            if maxsize is not None:
                del entries[key]
                entries[key] = result
            return result
        counts[1] += 1
        result = function(*args, **keywords)
        if maxsize == 0:
            return result
        if maxsize is not None and len(entries) >= maxsize:
            del entries[next(iter(entries))]
        entries[key] = result
        return result

    def cache_info():
        return _CacheInfo(counts[0], counts[1], maxsize, len(entries))

    def cache_clear():
        entries.clear()
        counts[0] = counts[1] = 0

    wrapper.cache_info = cache_info
    wrapper.cache_clear = cache_clear
    wrapper.cache_parameters = lambda: {"maxsize": maxsize, "typed": typed}
    return update_wrapper(wrapper, function)


def lru_cache(maxsize=128, typed=False):
    if callable(maxsize):
        return _cached(maxsize, 128, False)

    def decorate(function):
        return _cached(function, maxsize, typed)

    return decorate


def cache(function, /):
    return _cached(function, None, False)


class cached_property:
    def __init__(self, func):
        self.func = func
        self.attrname = None
        self.__doc__ = func.__doc__

    def __set_name__(self, owner, name):
        self.attrname = name

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        name = self.attrname or self.func.__name__
        value = self.func(instance)
        instance.__dict__[name] = value
        return value


def cmp_to_key(mycmp):
    class K:
        def __init__(self, obj):
            self.obj = obj

        def __lt__(self, other):
            return mycmp(self.obj, other.obj) < 0

        def __gt__(self, other):
            return mycmp(self.obj, other.obj) > 0

        def __eq__(self, other):
            return mycmp(self.obj, other.obj) == 0

        def __le__(self, other):
            return mycmp(self.obj, other.obj) <= 0

        def __ge__(self, other):
            return mycmp(self.obj, other.obj) >= 0

    return K


def total_ordering(cls):
    """Fills in the comparisons that follow from `__eq__` and the one that the class has."""
    defined = [name for name in ("__lt__", "__le__", "__gt__", "__ge__") if name in cls.__dict__]
    if not defined:
        raise ValueError("must define at least one ordering operation: < > <= >=")
    root = defined[0]

    def less(a, b):
        if root == "__lt__":
            return a.__lt__(b)
        if root == "__gt__":
            return not a.__gt__(b) and not a == b
        if root == "__le__":
            return a.__le__(b) and not a == b
        return not a.__ge__(b)

    made = {
        "__lt__": less,
        "__le__": lambda a, b: less(a, b) or a == b,
        "__gt__": lambda a, b: not less(a, b) and not a == b,
        "__ge__": lambda a, b: not less(a, b),
    }
    for name, function in made.items():
        if name not in defined:
            setattr(cls, name, function)
    return cls


def _classes_of(annotation):
    """The classes that a union names, a class alone, or None for what is neither."""
    classes = getattr(annotation, "__args__", None) or (annotation,)
    return classes if all(isinstance(cls, type) for cls in classes) else None


def _annotated(function):
    """The name and the annotation of the function's first annotated parameter."""
    annotations = getattr(function, "__annotations__", {})
    if not annotations:
        raise TypeError(f"Invalid first argument to `register()`: {function!r}. "
                        "Use either `@register(some_class)` or plain `@register` on an annotated "
                        "function.")
    name, annotation = next(iter(annotations.items()))
    if isinstance(annotation, str):
        annotation = eval(annotation, function.__globals__)
    return name, annotation


def singledispatch(func):
    """A function that chooses its implementation by the class of its first argument."""
    registry = {object: func}

    def dispatch(cls):
        for base in cls.__mro__:
            if base in registry:
                return registry[base]
        return func

    def register(cls, func=None):
        classes = _classes_of(cls)
        if func is None:
            if classes:
                return lambda f: register(cls, f)
            func = cls
            name, cls = _annotated(func)
            classes = _classes_of(cls)
            if not classes:
                raise TypeError(f"Invalid annotation for {name!r}. {cls!r} is not a class.")
        elif not classes:
            raise TypeError("Invalid first argument to `register()`. "
                            f"{cls!r} is not a class or union type.")
        for each in classes:
            registry[each] = func
        return func

    def wrapper(*args, **keywords):
        if not args:
            raise TypeError(f"{wrapper.__name__} requires at least 1 positional argument")
        return dispatch(args[0].__class__)(*args, **keywords)

    update_wrapper(wrapper, func)
    wrapper.register = register
    wrapper.dispatch = dispatch
    wrapper.registry = registry
    return wrapper
