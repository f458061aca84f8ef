# Classes of classes: calls, iteration, attributes, construction; and dicts whose items are attributes.
import abc


class Singleton(type):
    _instances = {}

    def __call__(cls, *args, **kwargs):
        if cls not in cls._instances:
            cls._instances[cls] = super().__call__(*args, **kwargs)
        return cls._instances[cls]


class Config(metaclass=Singleton):
    def __init__(self, name="default", *, debug=False):
        print("made", name, debug)
        self.name = name


class SubConfig(Config):
    pass


print(Config("a", debug=True) is Config("b"), Config().name, SubConfig().name, SubConfig() is Config())
print(type(Config).__name__, type(SubConfig) is Singleton, isinstance(Config, Singleton), isinstance(Config, type))
print(Config.__class__.__name__, issubclass(Singleton, type), repr(Config), Singleton.__mro__[1] is type)


class Registry(type):
    known = {}

    def __new__(mcs, name, bases, namespace, **options):
        cls = super().__new__(mcs, name, bases, namespace)
        cls.options = options
        mcs.known[name] = cls
        return cls

    def __init__(cls, name, bases, namespace, **options):
        super().__init__(name, bases, namespace)
        cls.made = f"{name} with {sorted(options)}"

    def __iter__(cls):
        return iter(sorted(k for k in vars(cls) if not k.startswith("_")))

    def __len__(cls):
        return 3

    def __getitem__(cls, key):
        return f"{cls.__name__}[{key}]"

    def __contains__(cls, key):
        return key in cls.options

    def __repr__(cls):
        return f"<registered {cls.__name__}>"

    def __getattr__(cls, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return f"{cls.__name__} lacks {name}"

    def __lt__(cls, other):
        return cls.__name__ < other.__name__

    def __add__(cls, other):
        return cls.__name__ + "+" + other.__name__

    @property
    def shouted(cls):
        return cls.__name__.upper()

    def method(cls):
        return "method of " + cls.__name__


class Zeta(metaclass=Registry, depth=3):
    attribute = 1


class Alpha(Zeta, width=2):
    def method(self):
        return "of an instance"


print(list(Registry.known), Zeta.made, Alpha.made, Zeta.options, list(Zeta), len(Zeta), Zeta["x"])
print("depth" in Zeta, "width" in Zeta, repr(Zeta), str(Alpha), f"{Alpha}", sorted([Zeta, Alpha]), Zeta + Alpha)
print(Zeta.shouted, Zeta.method(), Alpha().method(), Zeta.nothing, hasattr(Zeta(), "nothing"), Zeta().attribute)
print({Zeta: 1}[Zeta], Zeta == Zeta, Zeta != Alpha, bool(Zeta))
try:
    Zeta().shouted
except AttributeError as error:
    print(error)
try:
    Zeta.__nothing
except AttributeError as error:
    print("AttributeError", error)


class Checked(type):
    def __instancecheck__(cls, value):
        return hasattr(value, "quack")

    def __setattr__(cls, name, value):
        print("set", name)
        super().__setattr__(name, value)


class Duck(metaclass=Checked):
    pass


class Robot:
    quack = "beep"


Duck.legs = 2
print(isinstance(Robot(), Duck), isinstance(3, Duck), Duck.legs)

Made = Registry("Made", (Alpha,), {"x": 5}, extra=True)
print(Made, Made.x, Made.options, type(Made).__name__)
print(type("Plain", (Zeta,), {}).__class__.__name__)


class Shape(metaclass=abc.ABCMeta):
    @abc.abstractmethod
    def area(self): ...

    @property
    @abc.abstractmethod
    def name(self): ...


class Square(Shape):
    name = "square"

    def area(self):
        return 4


try:
    Shape()
except TypeError as error:
    print(error)
print(Square().area(), Square().name, isinstance(Square(), Shape), type(Shape).__name__)


class Other(type):
    pass


class WithOther(metaclass=Other):
    pass


try:
    type("Mixed", (Zeta, WithOther), {})
except TypeError as error:
    print(error)


def upper_names(name, bases, namespace):
    return type(name, bases, {k.upper() if not k.startswith("__") else k: v for k, v in namespace.items()})


class Upper(metaclass=upper_names):
    value = 7


print(Upper.VALUE, hasattr(Upper, "value"))


# dicts whose items are attributes
class AttrDict(dict):
    __getattr__ = dict.__getitem__
    __setattr__ = dict.__setitem__
    __delattr__ = dict.__delitem__


attrs = AttrDict(a=1)
attrs.b = 2
attrs["c"] = 3
del attrs.a
print(attrs, attrs.b, attrs.c, sorted(attrs))


class Namespace(dict):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.__dict__ = self


space = Namespace(a=1)
space.b = 2
space["c"] = 3
print(space, space.a, space["b"], space.c, vars(space) is space)


# a metaclass that changes after its classes were used, eagerly and by what was compiled
import torch


class Scaled(type):
    scale = 2
    calls = 0

    @property
    def shown(cls):
        return cls.factor

    @shown.setter
    def shown(cls, value):
        cls.factor = value + 1

    def __len__(cls):
        return 3

    def __call__(cls, *args):
        Scaled.calls += 1
        return super().__call__(*args)


class Layer(metaclass=Scaled):
    factor = 1

    def __init__(self, k):
        self.k = k


@torch.compile
def apply(x):
    return x * Layer.scale + Layer.shown + len(Layer) + Layer(10).k + Layer.calls


ones = torch.ones(2)
print(apply(ones), apply(ones), Layer.calls)
Scaled.scale = 5
print(apply(ones))
Layer.shown = 7
print(apply(ones), Layer.factor)
Scaled.__len__ = lambda cls: 100
print(apply(ones))
Scaled.shown = property(lambda cls: -1)
Layer.scale = 1000
print(apply(ones))


class Loud(type):
    pass


class Quiet(metaclass=Loud):
    def __init__(self, x):
        self.x = x


total = 0
for i in range(6):
    if i == 3:
        Loud.__call__ = lambda cls, *args: type.__call__(cls, 0)
    total += Quiet(i).x
print(total, type.__new__(type, "Late", (Quiet,), {}).__class__ is Loud)


class OfInts(type):
    def __subclasscheck__(cls, kind):
        return kind is int or super().__subclasscheck__(kind)

    def __instancecheck__(cls, value):
        return super().__instancecheck__(value) or value == 3


class Whole(metaclass=OfInts):
    pass


class Part(Whole):
    pass


print(issubclass(int, Whole), issubclass(str, (Whole, bytes)), issubclass(Part, Whole), isinstance(3, Whole), isinstance(4, Whole))


class Base:
    def __init__(self, **options):
        super().__init__(**options)


def with_keyword():
    class C(x=5):
        pass


for wrong in (lambda: Base(z=3), with_keyword, lambda: Base() and 1):
    try:
        print(wrong())
    except TypeError as error:
        print(error)


class Hidden(metaclass=Loud):
    pass


@torch.compile
def through_super(x):
    return x * len(Deeper)


class Deep(type):
    def __len__(cls):
        return 2


class Deepest(Deep):
    def __len__(cls):
        return super().__len__() + 1


class Deeper(metaclass=Deepest):
    pass


print(through_super(ones))
