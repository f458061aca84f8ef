# exit: 1
# "Did you mean" where a script's own code says that there is no such attribute.
import torch


class Hooked:
    def __init__(self):
        self.weight = 1

    def __getattr__(self, name):
        raise AttributeError(f"there is no {name}")


class Derived(Hooked):
    def __getattr__(self, name):
        return super().__getattr__(name)


class First(Hooked):
    def __getattribute__(self, name):
        if name == "wieght":
            raise AttributeError("not " + name)
        return super().__getattribute__(name)


class Getter:
    weight = 1

    @property
    def wieght(self):
        raise AttributeError("a getter's own")

    @property
    def inner(self):
        return self.wigth


class Silent:
    weight = 1

    def __getattr__(self, name):
        raise AttributeError


class Chained:
    weight = 1

    def __getattr__(self, name):
        try:
            return self.__dict__[name]
        except KeyError as error:
            raise AttributeError(name) from error


class Meta(type):
    def __getattr__(cls, name):
        raise AttributeError("no " + name)


class OfMeta(metaclass=Meta):
    weight = 1


class Other:
    weight = 1

    def __getattr__(self, name):
        raise KeyError(name)


class Descriptor:
    def __get__(self, instance, owner):
        raise AttributeError("a descriptor's own")


class WithDescriptor:
    weight = 1
    wight = Descriptor()


class OwnName(AttributeError):
    def __init__(self, name):
        super().__init__(name)
        self.name = "waight"
        self.obj = Getter()


class Named:
    height = 1

    def __getattr__(self, name):
        raise OwnName(name)


class Through:
    wight = 1

    def __getattr__(self, name):
        return Hooked().wieght


def augmented():
    hooked = Hooked()
    hooked.wieght += 1


def deleted():
    del Hooked().wieght


def entered():
    with Hooked().wieght:
        pass


def raised_again():
    try:
        Hooked().wieght
    except AttributeError as error:
        raise error


def without_words():
    raise AttributeError(name="wieght", obj=Getter())


def matched():
    match Hooked():
        case Hooked(wieght=1):
            pass


def of_module(read):
    try:
        read(torch.nn.Linear(3, 2))
    except AttributeError as error:
        print(error, error.name, type(error.obj).__name__)


last = None
for action in (
    lambda: Hooked().wieght,
    lambda: Hooked().wieght(),
    lambda: Derived().wieght,
    lambda: First().wieght,
    lambda: First().wieght(),
    lambda: Getter().wieght,
    lambda: Getter().wieght(),
    lambda: Getter().inner,
    lambda: Silent().wieght,
    lambda: Chained().wieght,
    lambda: OfMeta.wieght,
    lambda: OfMeta.wieght(),
    lambda: Other().wieght,
    lambda: WithDescriptor().wight,
    lambda: WithDescriptor().wight(),
    lambda: Named().heigth,
    lambda: Through().weigh,
    lambda: getattr(Hooked(), "wieght"),
    lambda: getattr(Hooked(), "wieght", 5),
    lambda: hasattr(Hooked(), "wieght"),
    lambda: Hooked().__getattr__("wieght"),
    lambda: [each.wieght for each in [Hooked()]],
    lambda: list(map(lambda each: each.wieght, [Hooked()])),
    lambda: Hooked().wieght.b.c,
    augmented,
    deleted,
    entered,
    raised_again,
    matched,
    without_words,
):
    try:
        action()
    except Exception as error:
        error.__context__, last = last, error
        print(getattr(error, "name", None), type(getattr(error, "obj", None)).__name__)
of_module(lambda layer: layer.wieght)
of_module(lambda layer: layer.wieght())
of_module(lambda layer: layer.wieght.data)
raise last
