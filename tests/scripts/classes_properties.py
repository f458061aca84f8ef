# property, staticmethod, classmethod, __slots__, class-level state.
class Temperature:
    count = 0
    __slots__ = ("_celsius",)

    def __init__(self, celsius):
        self._celsius = celsius
        type(self).count += 1

    @property
    def fahrenheit(self):
        "degrees"
        return self._celsius * 9 / 5 + 32

    @fahrenheit.setter
    def fahrenheit(self, value):
        if value < -459.67:
            raise ValueError("below absolute zero")
        self._celsius = (value - 32) * 5 / 9

    @property
    def fixed(self):
        return 1

    @staticmethod
    def parse(text):
        return float(text.rstrip("C"))

    @classmethod
    def from_text(cls, text):
        return cls(cls.parse(text))


t = Temperature.from_text("100C")
print(t.fahrenheit, Temperature.count, Temperature.parse("5C"), t.parse("6C"))
t.fahrenheit = 32
print(t._celsius)
for attempt in ("t.fahrenheit = -1000", "t.fixed = 2"):
    try:
        if "fixed" in attempt:
            t.fixed = 2
        else:
            t.fahrenheit = -1000
    except (ValueError, AttributeError) as error:
        print(type(error).__name__, error)


class Base:
    registry = {}

    @classmethod
    def add(cls, f):
        cls.registry[f.__name__] = f
        return f


@Base.add
def one():
    return 1


print(Base.registry["one"](), list(Base.registry))


class Level:
    """One place writes an attribute of an object that has one more, then of one that has not."""

    def __init__(self, level):
        self.level = level
        self.tags = []

    def set_level(self, level):
        self.level = level


higher, lower = Level(1), Level(3)
higher.extra = 3
for each in (higher, lower, higher, lower):
    each.set_level(7)
    print(vars(each))
