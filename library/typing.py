"""Names for annotations. They mean nothing when a program runs; they can be subscripted."""
from abc import ABCMeta


class _Form:
    def __init__(self, name, parameters=()):
        self._name = name
        self.__args__ = parameters

    def __getitem__(self, parameters):
        if not isinstance(parameters, tuple):
            parameters = (parameters,)
        return _Form(self._name, parameters)

    def __call__(self, *args, **keywords):
        raise TypeError(f"Type {self._name} cannot be instantiated")

    def __or__(self, other):
        return Union[self, other]

    def __ror__(self, other):
        return Union[other, self]

    def __eq__(self, other):
        return (isinstance(other, _Form) and self._name == other._name
                and self.__args__ == other.__args__)

    def __hash__(self):
        return hash((self._name, self.__args__))

    def __repr__(self):
        if not self.__args__:
            return f"typing.{self._name}"
        names = [_name_of(parameter) for parameter in self.__args__]
        return f"typing.{self._name}[{', '.join(names)}]"


def _name_of(parameter):
    if parameter is Ellipsis:
        return "..."
    if isinstance(parameter, list):
        return "[" + ", ".join([_name_of(each) for each in parameter]) + "]"
    if isinstance(parameter, type):
        if parameter.__module__ == "builtins":
            return parameter.__qualname__
        return f"{parameter.__module__}.{parameter.__qualname__}"
    return repr(parameter)


Any = _Form("Any")
Union = _Form("Union")
Optional = _Form("Optional")
Callable = _Form("Callable")
Type = _Form("Type")
List = _Form("List")
Dict = _Form("Dict")
Set = _Form("Set")
FrozenSet = _Form("FrozenSet")
Tuple = _Form("Tuple")
Iterable = _Form("Iterable")
Iterator = _Form("Iterator")
Generator = _Form("Generator")
Sequence = _Form("Sequence")
MutableSequence = _Form("MutableSequence")
Mapping = _Form("Mapping")
MutableMapping = _Form("MutableMapping")
Collection = _Form("Collection")
Container = _Form("Container")
Hashable = _Form("Hashable")
Sized = _Form("Sized")
Deque = _Form("Deque")
DefaultDict = _Form("DefaultDict")
Counter = _Form("Counter")
OrderedDict = _Form("OrderedDict")
Literal = _Form("Literal")
Final = _Form("Final")
ClassVar = _Form("ClassVar")
Annotated = _Form("Annotated")
Concatenate = _Form("Concatenate")
TypeAlias = _Form("TypeAlias")
TypeGuard = _Form("TypeGuard")
NoReturn = _Form("NoReturn")
Never = _Form("Never")
Self = _Form("Self")
Required = _Form("Required")
NotRequired = _Form("NotRequired")
Unpack = _Form("Unpack")
LiteralString = _Form("LiteralString")
IO = _Form("IO")
TextIO = _Form("TextIO")
BinaryIO = _Form("BinaryIO")
Pattern = _Form("Pattern")
Match = _Form("Match")
ContextManager = _Form("ContextManager")
SupportsFloat = _Form("SupportsFloat")
SupportsInt = _Form("SupportsInt")
SupportsIndex = _Form("SupportsIndex")
KeysView = _Form("KeysView")
ValuesView = _Form("ValuesView")
ItemsView = _Form("ItemsView")
Awaitable = _Form("Awaitable")
Coroutine = _Form("Coroutine")
Text = str
AnyStr = _Form("AnyStr")
TYPE_CHECKING = False


class TypeVar:
    def __init__(self, name, *constraints, bound=None, covariant=False, contravariant=False):
        self.__name__ = name

    def __repr__(self):
        return f"~{self.__name__}"


class ParamSpec:
    def __init__(self, name):
        self.__name__ = name
        self.args = None
        self.kwargs = None

    def __repr__(self):
        return f"~{self.__name__}"


class TypeVarTuple:
    def __init__(self, name):
        self.__name__ = name

    def __iter__(self):
        yield Unpack[self]

    def __repr__(self):
        return self.__name__


class Generic:
    def __class_getitem__(cls, parameters):
        return cls


class _ProtocolMeta(ABCMeta):
    """Of what is derived from Protocol itself, whatever has its attributes is an instance."""

    def __instancecheck__(cls, value):
        if Protocol not in cls.__bases__:
            return False
        if not vars(cls).get("_is_runtime_protocol", False):
            raise TypeError("Instance and class checks can only be used with @runtime_checkable protocols")
        return all([hasattr(value, name) for name in cls._wanted()])

    def _wanted(cls):
        names = []
        for each in cls.__mro__:
            if each is Protocol:
                break
            names += [*vars(each), *vars(each).get("__annotations__", {})]
        return [name for name in names if name not in _OF_ANY_CLASS]


_OF_ANY_CLASS = ("__module__", "__qualname__", "__doc__", "__annotations__", "__abstractmethods__", "__init__",
                 "__slots__", "__dict__", "__weakref__", "_is_runtime_protocol")


class Protocol(metaclass=_ProtocolMeta):
    def __class_getitem__(cls, parameters):
        return cls


class _TypedDictMeta(type):
    """A dict with annotations: what is called makes a plain dict."""

    def __new__(metacls, name, bases, namespace, total=True):
        return super().__new__(metacls, name, bases, {**namespace, "__total__": total})

    def __call__(cls, *args, **keywords):
        return dict(*args, **keywords)

    def __instancecheck__(cls, value):
        raise TypeError("TypedDict does not support instance and class checks")


class TypedDict(metaclass=_TypedDictMeta):
    pass


def NewType(name, tp):
    return tp


class NamedTuple(tuple):
    """The base of a class whose annotations name the fields; or called, as `namedtuple` is."""

    def __new__(cls, typename, fields=()):
        from collections import namedtuple
        made = namedtuple(typename, [name for name, _ in fields])
        made.__annotations__ = dict(fields)
        return made

    def __init_subclass__(cls, **keywords):
        from collections import namedtuple
        if NamedTuple not in cls.__bases__:
            return
        fields = list(cls.__dict__.get("__annotations__", {}))
        defaults = []
        for name in fields:
            if name in cls.__dict__:
                defaults.append(cls.__dict__[name])
            elif defaults:
                raise TypeError(f"Non-default namedtuple field {name} cannot follow default field "
                                f"{fields[fields.index(name) - 1]}")
        made = namedtuple(cls.__name__, fields, defaults=defaults)
        for name, value in list(made.__dict__.items()):
            if name in fields or name not in cls.__dict__:
                setattr(cls, name, value)


def cast(typ, val):
    return val


def overload(func):
    return func


def final(f):
    return f


def assert_type(val, typ, /):
    return val


def assert_never(arg, /):
    raise AssertionError(f"Expected code to be unreachable, but got: {arg!r}")


def no_type_check(f):
    return f


def runtime_checkable(cls):
    cls._is_runtime_protocol = True
    return cls


_ORIGINS = {"List": list, "Dict": dict, "Set": set, "FrozenSet": frozenset, "Tuple": tuple, "Type": type}


def get_origin(tp):
    """`list` of `List[int]`, `Union` of `Optional[int]`; None of what is not subscripted."""
    if not isinstance(tp, _Form) or not tp.__args__:
        return None
    return Union if tp._name == "Optional" else _ORIGINS.get(tp._name, globals().get(tp._name))


def get_args(tp):
    if not isinstance(tp, _Form):
        return getattr(tp, "__args__", ())
    return (*tp.__args__, type(None)) if tp._name == "Optional" else tp.__args__


def get_type_hints(obj, globalns=None, localns=None, include_extras=False):
    return dict(getattr(obj, "__annotations__", {}))
