"""What the parts of argparse share: how many arguments an option takes, its errors, `Namespace`.

    args = Namespace(lr=0.1)
    args.lr, vars(args), "lr" in args        0.1, {'lr': 0.1}, True
"""
SUPPRESS = "==SUPPRESS=="
OPTIONAL = "?"
ZERO_OR_MORE = "*"
ONE_OR_MORE = "+"
PARSER = "A..."
REMAINDER = "..."

UNRECOGNIZED = "_unrecognized_args"  # where a sub-parser leaves what it does not know


def described(thing, pairs):
    """`Name(a=1, **{'not a name': 2})`."""
    shown = [f"{name}={value!r}" for name, value in pairs if name.isidentifier()]
    rest = {name: value for name, value in pairs if not name.isidentifier()}
    if rest:
        shown.append(f"**{rest!r}")
    return f"{type(thing).__name__}({', '.join(shown)})"


class Namespace:
    __module__ = "argparse"

    def __init__(self, **kwargs):
        for name, value in kwargs.items():
            setattr(self, name, value)

    def __repr__(self):
        return described(self, list(self.__dict__.items()))

    def __eq__(self, other):
        if not isinstance(other, Namespace):
            return NotImplemented
        return vars(self) == vars(other)

    __hash__ = None

    def __contains__(self, key):
        return key in self.__dict__


def name_of(action):
    """How errors call an action; None where it has no name."""
    if action is None:
        return None
    if action.option_strings:
        return "/".join(action.option_strings)
    for name in (action.metavar, action.dest):
        if name is not None and name != SUPPRESS:
            return name
    if action.choices:
        return "{" + ",".join([str(choice) for choice in action.choices]) + "}"
    return None


class ArgumentError(Exception):
    """A command line that does not fit an argument."""

    __module__ = "argparse"

    def __init__(self, argument, message):
        super().__init__(argument, message)
        self.argument_name = name_of(argument)
        self.message = message

    def __str__(self):
        if self.argument_name is None:
            return self.message
        return f"argument {self.argument_name}: {self.message}"


class ArgumentTypeError(Exception):
    """What a function given as `type` raises to choose the error's words."""

    __module__ = "argparse"


class FileType:
    """A `type` that opens the file of that name; `-` is standard input or output."""

    __module__ = "argparse"

    def __init__(self, mode="r", bufsize=-1, encoding=None, errors=None):
        self._mode = mode
        self._encoding = encoding

    def __call__(self, string):
        if string == "-":
            import sys
            if "r" in self._mode:
                return sys.stdin
            if any([letter in self._mode for letter in "wax"]):
                return sys.stdout
            raise ValueError(f"argument \"-\" with mode {self._mode!r}")
        try:
            return open(string, self._mode, encoding=self._encoding)
        except OSError as error:
            raise ArgumentTypeError(f"can't open '{string}': {error}")

    def __repr__(self):
        named = [] if self._encoding is None else [f"encoding={self._encoding!r}"]
        return f"FileType({', '.join([repr(self._mode)] + named)})"
