"""Classes that are mostly fields.

    @dataclass
    class Point:
        x: float
        y: float = 0.0

    Point(1.0)                       # Point(x=1.0, y=0.0)

The special methods are written as source text and compiled by `exec`, so a wrong call raises just
what it would for a method written by hand.
"""

MISSING = type("_MISSING_TYPE", (), {"__repr__": lambda self: "MISSING"})()
KW_ONLY = type("_KW_ONLY_TYPE", (), {})()


class FrozenInstanceError(AttributeError):
    pass


class Field:
    def __init__(self, default, default_factory, init, repr, hash, compare, metadata, kw_only):
        self.name = None
        self.type = None
        self.default = default
        self.default_factory = default_factory
        self.init = init
        self.repr = repr
        self.hash = hash
        self.compare = compare
        self.metadata = metadata if metadata is not None else {}
        self.kw_only = kw_only

    def __repr__(self):
        return (f"Field(name={self.name!r},type={self.type!r},default={self.default!r},"
                f"default_factory={self.default_factory!r},init={self.init!r},"
                f"repr={self.repr!r},hash={self.hash!r},compare={self.compare!r},"
                f"metadata={self.metadata!r},kw_only={self.kw_only!r})")


def field(*, default=MISSING, default_factory=MISSING, init=True, repr=True, hash=None,
          compare=True, metadata=None, kw_only=MISSING):
    if default is not MISSING and default_factory is not MISSING:
        raise ValueError("cannot specify both default and default_factory")
    return Field(default, default_factory, init, repr, hash, compare, metadata, kw_only)


def _is_class_variable(annotation):
    text = annotation if isinstance(annotation, str) else repr(annotation)
    return text.startswith("ClassVar") or text.startswith("typing.ClassVar")


def _own_fields(cls, kw_only):
    annotations = cls.__dict__.get("__annotations__", {})
    fields = []
    for name, annotation in annotations.items():
        if annotation is KW_ONLY or annotation == "KW_ONLY":
            kw_only = True
            continue
        if _is_class_variable(annotation):
            continue
        default = cls.__dict__.get(name, MISSING)
        made = default if isinstance(default, Field) else field(default=default)
        made.name = name
        made.type = annotation
        if made.kw_only is MISSING:
            made.kw_only = kw_only
        if isinstance(made.default, (list, dict, set)):
            raise ValueError(f"mutable default {type(made.default)} for field {name} is not "
                             "allowed: use default_factory")
        if isinstance(default, Field):
            if default.default is MISSING:
                delattr(cls, name)
            else:
                setattr(cls, name, default.default)
        fields.append(made)
    return fields


def _all_fields(cls, kw_only):
    fields = {}
    for base in reversed(cls.__mro__[1:]):
        for name, inherited in base.__dict__.get("__dataclass_fields__", {}).items():
            fields[name] = inherited
    for own in _own_fields(cls, kw_only):
        fields[own.name] = own
    return fields


def _make(cls, name, text, scope):
    exec(text, scope)
    function = scope[name]
    function.__qualname__ = f"{cls.__qualname__}.{name}"
    return function


def _init_text(fields, frozen, has_post_init, scope):
    positional = [f for f in fields if f.init and not f.kw_only]
    keyword = [f for f in fields if f.init and f.kw_only]
    parameters = ["self"]
    seen_default = None
    for f in positional:
        has_default = f.default is not MISSING or f.default_factory is not MISSING
        if has_default:
            seen_default = f
        elif seen_default is not None:
            raise TypeError(f"non-default argument {f.name!r} follows default argument")
        parameters.append(_parameter(f, scope))
    if keyword:
        parameters.append("*")
        parameters.extend([_parameter(f, scope) for f in keyword])
    lines = [f"def __init__({', '.join(parameters)}):"]
    for f in fields:
        value = f.name
        if f.default_factory is not MISSING:
            scope[f"_factory_{f.name}"] = f.default_factory
            made = f"_factory_{f.name}()"
            value = f"{made} if {f.name} is _missing else {f.name}" if f.init else made
        elif not f.init:
            if f.default is MISSING:
                continue
            scope[f"_default_{f.name}"] = f.default
            value = f"_default_{f.name}"
        if frozen:
            lines.append(f"    _set(self, {f.name!r}, {value})")
        else:
            lines.append(f"    self.{f.name} = {value}")
    if has_post_init:
        lines.append("    self.__post_init__()")
    if len(lines) == 1:
        lines.append("    pass")
    return "\n".join(lines) + "\n"


def _parameter(f, scope):
    if f.default is not MISSING:
        scope[f"_default_{f.name}"] = f.default
        return f"{f.name}=_default_{f.name}"
    if f.default_factory is not MISSING:
        return f"{f.name}=_missing"
    return f.name


def _tuple_text(owner, fields):
    return "(" + "".join([f"{owner}.{f.name}, " for f in fields]) + ")"


def _frozen_set(self, name, value):
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _frozen_delete(self, name):
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _process(cls, init, repr, eq, order, unsafe_hash, frozen, match_args, kw_only):
    fields = _all_fields(cls, kw_only)
    cls.__dataclass_fields__ = fields
    listed = list(fields.values())
    own = cls.__dict__
    scope = {"_missing": MISSING, "_set": object.__setattr__}
    if init:
        text = _init_text(listed, frozen, hasattr(cls, "__post_init__"), scope)
        cls.__init__ = _make(cls, "__init__", text, scope)
    if repr and "__repr__" not in own:
        shown = ", ".join([f"{f.name}={{self.{f.name}!r}}" for f in listed if f.repr])
        text = ("def __repr__(self):\n"
                f"    return f\"{{type(self).__qualname__}}({shown})\"\n")
        cls.__repr__ = _make(cls, "__repr__", text, scope)
        cls.__repr__._of_dataclass = True  # `pprint` asks
    compared = [f for f in listed if f.compare]
    mine = _tuple_text("self", compared)
    theirs = _tuple_text("other", compared)
    defines_eq = "__eq__" in own
    # None beside `__eq__` is what the class statement put there.
    defines_hash = "__hash__" in own and not (own["__hash__"] is None and defines_eq)
    if eq and not defines_eq:
        _add_comparison(cls, "__eq__", "==", mine, theirs, scope)
    if order:
        if not eq:
            raise ValueError("eq must be true if order is true")
        for name, sign in (("__lt__", "<"), ("__le__", "<="), ("__gt__", ">"), ("__ge__", ">=")):
            if name in own:
                raise TypeError(f"Cannot overwrite attribute {name} in class {cls.__name__}. "
                                "Consider using functools.total_ordering")
            _add_comparison(cls, name, sign, mine, theirs, scope)
    if frozen:
        cls.__setattr__ = _frozen_set
        cls.__delattr__ = _frozen_delete
    hashed = _tuple_text("self", [f for f in listed if (f.compare if f.hash is None else f.hash)])
    if unsafe_hash and defines_hash:
        raise TypeError(f"Cannot overwrite attribute __hash__ in class {cls.__name__}")
    if not defines_hash and (unsafe_hash or (eq and frozen)):
        text = f"def __hash__(self):\n    return hash({hashed})\n"
        cls.__hash__ = _make(cls, "__hash__", text, scope)
    elif eq and not defines_hash:
        cls.__hash__ = None
    if match_args:
        cls.__match_args__ = tuple([f.name for f in listed if f.init and not f.kw_only])
    return cls


def _add_comparison(cls, name, sign, mine, theirs, scope):
    text = (f"def {name}(self, other):\n"
            "    if other.__class__ is self.__class__:\n"
            f"        return {mine} {sign} {theirs}\n"
            "    return NotImplemented\n")
    setattr(cls, name, _make(cls, name, text, scope))


def _slots_state(self):
    return [getattr(self, name) for name in self.__dataclass_fields__]


def _set_slots_state(self, state):
    """Of a frozen one too."""
    for name, value in zip(self.__dataclass_fields__, state):
        object.__setattr__(self, name, value)


def _with_slots(cls):
    if "__slots__" in cls.__dict__:
        raise TypeError(f"{cls.__name__} already specifies __slots__")
    body = dict(cls.__dict__)
    inherited = getattr(cls.__base__, "__slots__", ())
    body["__slots__"] = tuple(name for name in cls.__dataclass_fields__ if name not in inherited)
    body.setdefault("__getstate__", _slots_state)
    body.setdefault("__setstate__", _set_slots_state)
    for name in cls.__dataclass_fields__:
        body.pop(name, None)
    made = type(cls)(cls.__name__, cls.__bases__, body)
    made.__qualname__ = cls.__qualname__
    return made


def dataclass(cls=None, /, *, init=True, repr=True, eq=True, order=False, unsafe_hash=False,
              frozen=False, match_args=True, kw_only=False, slots=False, weakref_slot=False):
    def wrap(cls):
        made = _process(cls, init, repr, eq, order, unsafe_hash, frozen, match_args, kw_only)
        return _with_slots(made) if slots else made

    return wrap if cls is None else wrap(cls)


def is_dataclass(obj):
    cls = obj if isinstance(obj, type) else type(obj)
    return hasattr(cls, "__dataclass_fields__")


def fields(class_or_instance):
    if not is_dataclass(class_or_instance):
        raise TypeError("must be called with a dataclass type or instance")
    return tuple(class_or_instance.__dataclass_fields__.values())


def _convert(value, dict_factory, as_tuple):
    if is_dataclass(value) and not isinstance(value, type):
        return _as_tuple(value) if as_tuple else asdict(value, dict_factory=dict_factory)
    if isinstance(value, (list, tuple)):
        items = [_convert(item, dict_factory, as_tuple) for item in value]
        if hasattr(value, "_fields"):
            return type(value)(*items)
        return type(value)(items)
    if isinstance(value, dict):
        return {_convert(key, dict_factory, as_tuple): _convert(item, dict_factory, as_tuple)
                for key, item in value.items()}
    return value


def asdict(obj, *, dict_factory=dict):
    if not is_dataclass(obj) or isinstance(obj, type):
        raise TypeError("asdict() should be called on dataclass instances")
    return dict_factory([(f.name, _convert(getattr(obj, f.name), dict_factory, False))
                         for f in fields(obj)])


def _as_tuple(obj):
    return tuple([_convert(getattr(obj, f.name), dict, True) for f in fields(obj)])


def astuple(obj, *, tuple_factory=tuple):
    if not is_dataclass(obj) or isinstance(obj, type):
        raise TypeError("astuple() should be called on dataclass instances")
    return tuple_factory(_as_tuple(obj))


def replace(obj, /, **changes):
    if not is_dataclass(obj) or isinstance(obj, type):
        raise TypeError("replace() should be called on dataclass instances")
    for f in fields(obj):
        if not f.init:
            if f.name in changes:
                raise ValueError(f"field {f.name} is declared with init=False, it cannot be "
                                 "specified with replace()")
            continue
        if f.name not in changes:
            changes[f.name] = getattr(obj, f.name)
    return obj.__class__(**changes)
