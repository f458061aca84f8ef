# exit: 1
# Exceptions that take what they are about by name.
for call in (
    lambda: AttributeError("m", name="n", obj=3),
    lambda: AttributeError(name="n"),
    lambda: AttributeError("m"),
    lambda: NameError("m", name="n"),
    lambda: UnboundLocalError("m", name="n"),
    lambda: ImportError("m", name="n", path="p"),
    lambda: ModuleNotFoundError("m", name="n"),
    lambda: AttributeError("m", foo=1),
    lambda: NameError("m", obj=1),
    lambda: ImportError(foo=2),
    lambda: ValueError(name=1),
):
    try:
        error = call()
        print(repr(error), error.args, *[getattr(error, name, "-") for name in ("name", "obj", "path")])
    except TypeError as error:
        print(error)


class Own(AttributeError):
    pass


class Thing:
    colour = 1

    def __getattr__(self, name):
        raise Own("no " + name)


try:
    Thing().color
except AttributeError as error:
    print(error.name, type(error.obj).__name__)
raise AttributeError("of a script", name="colur", obj=Thing())
