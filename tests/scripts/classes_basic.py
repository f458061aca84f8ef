# Classes: attributes of class and instance, methods, inheritance, super.
class Animal:
    legs = 4
    names = []

    def __init__(self, name, sound="..."):
        self.name = name
        self.sound = sound
        Animal.names.append(name)

    def speak(self):
        return f"{self.name} says {self.sound}"

    def __repr__(self):
        return f"{type(self).__name__}({self.name!r})"


class Dog(Animal):
    def __init__(self, name):
        super().__init__(name, "woof")

    def speak(self):
        return super().speak() + "!"


class Bird(Animal):
    legs = 2


rex, tweety = Dog("Rex"), Bird("Tweety", sound="tweet")
print(rex, rex.speak(), rex.legs, tweety, tweety.speak(), tweety.legs, Animal.names)
rex.legs = 3
print(rex.legs, Dog.legs, Animal.legs)
print(isinstance(rex, Animal), isinstance(rex, Bird), issubclass(Dog, Animal), issubclass(Dog, (int, Animal)))
print(type(rex) is Dog, type(rex).__name__, Dog.__bases__ == (Animal,), rex.__class__.__name__)
print(hasattr(rex, "name"), hasattr(rex, "age"), getattr(rex, "age", None))
setattr(rex, "age", 7)
print(rex.age, sorted(vars(rex)))
del rex.age
try:
    rex.age
except AttributeError as error:
    print(error)
try:
    Animal()
except TypeError as error:
    print(error)
speak = tweety.speak
print(speak(), Animal.speak(rex))
Animal.fly = lambda self: self.name + " flies"
print(tweety.fly())


class Empty:
    pass


e = Empty()
e.a, e.b = 1, 2
print(e.__dict__, Empty.__name__, Empty.__module__)


class Nested:
    class Inner:
        value = 42

    def make(self):
        return self.Inner()


print(Nested().make().value, Nested.Inner.__qualname__)
