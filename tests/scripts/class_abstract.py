# Classes with abstract methods cannot have instances.
from abc import ABC, abstractmethod


class Shape(ABC):
    @abstractmethod
    def area(self):
        ...

    @property
    @abstractmethod
    def name(self):
        ...

    @classmethod
    @abstractmethod
    def make(cls):
        ...

    def describe(self):
        return f"{self.name} of {self.area()}"


class Named(Shape):
    name = "thing"


class Square(Named):
    def __init__(self, side):
        self.side = side

    def area(self):
        return self.side ** 2

    @classmethod
    def make(cls):
        return cls(1)


class Again(Square):
    @abstractmethod
    def describe(self):
        ...


def attempt(action):
    try:
        print(action())
    except TypeError as error:
        print(error)


attempt(Shape)
attempt(lambda: Named(1))
attempt(lambda: Again(1))
attempt(lambda: object.__new__(Shape))
print(Square(3).describe(), Square.make().describe())
print(sorted(Shape.__abstractmethods__), sorted(Named.__abstractmethods__), Square.__abstractmethods__)


class Free:
    @abstractmethod
    def f(self):
        return 1


print(Free().f())
for i in range(3):
    attempt(lambda: (Square(i) if i else Shape()).area())


class Base(ABC):
    pass


print(isinstance(Base(), ABC), issubclass(Square, Shape))
Again(2)
