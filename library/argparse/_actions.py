"""What an argument does when the command line has it: each `action=` is a class here.

    parser.add_argument("--verbose", "-v", action="count", default=0)

makes a `_CountAction`; reading `-vv` calls it twice, and it writes `verbose` in the namespace. A
script's own action is a subclass of `Action` with a `__call__`.
"""
import sys as _sys

from argparse._values import OPTIONAL, SUPPRESS, described


class Action:
    __module__ = "argparse"

    def __init__(self, option_strings, dest, nargs=None, const=None, default=None, type=None,
                 choices=None, required=False, help=None, metavar=None):
        self.option_strings = option_strings
        self.dest = dest
        self.nargs = nargs
        self.const = const
        self.default = default
        self.type = type
        self.choices = choices
        self.required = required
        self.help = help
        self.metavar = metavar

    def __repr__(self):
        names = ("option_strings", "dest", "nargs", "const", "default", "type", "choices",
                 "required", "help", "metavar")
        return described(self, [(name, getattr(self, name)) for name in names])

    def format_usage(self):
        return self.option_strings[0]

    def __call__(self, parser, namespace, values, option_string=None):
        raise NotImplementedError(".__call__() not defined")


class BooleanOptionalAction(Action):
    """`--flag` and `--no-flag`."""

    __module__ = "argparse"

    def __init__(self, option_strings, dest, default=None, type=None, choices=None, required=False,
                 help=None, metavar=None):
        both = []
        for option in option_strings:
            both.append(option)
            if option.startswith("--"):
                both.append("--no-" + option[2:])
        super().__init__(both, dest, nargs=0, default=default, type=type, choices=choices,
                         required=required, help=help, metavar=metavar)

    def __call__(self, parser, namespace, values, option_string=None):
        if option_string in self.option_strings:
            setattr(namespace, self.dest, not option_string.startswith("--no-"))

    def format_usage(self):
        return " | ".join(self.option_strings)


def _check_counts(nargs, const, kind, otherwise):
    if nargs == 0:
        raise ValueError(f"nargs for {kind} actions must be != 0; if {otherwise}")
    if const is not None and nargs != OPTIONAL:
        raise ValueError(f"nargs must be {OPTIONAL!r} to supply const")


class _StoreAction(Action):
    def __init__(self, option_strings, dest, nargs=None, const=None, default=None, type=None,
                 choices=None, required=False, help=None, metavar=None):
        _check_counts(nargs, const, "store", "you have nothing to store, actions such as store "
                      "true or store const may be more appropriate")
        super().__init__(option_strings, dest, nargs, const, default, type, choices, required,
                         help, metavar)

    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, values)


class _StoreConstAction(Action):
    def __init__(self, option_strings, dest, const=None, default=None, required=False, help=None,
                 metavar=None):
        super().__init__(option_strings, dest, nargs=0, const=const, default=default,
                         required=required, help=help)

    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, self.const)


class _StoreTrueAction(_StoreConstAction):
    def __init__(self, option_strings, dest, default=False, required=False, help=None):
        super().__init__(option_strings, dest, True, default, required, help)


class _StoreFalseAction(_StoreConstAction):
    def __init__(self, option_strings, dest, default=True, required=False, help=None):
        super().__init__(option_strings, dest, False, default, required, help)


def _items(namespace, dest):
    """A copy of the list that is there: a default is not written to."""
    there = getattr(namespace, dest, None)
    if there is None:
        return []
    return there[:] if type(there) is list else there.copy()


class _AppendAction(Action):
    def __init__(self, option_strings, dest, nargs=None, const=None, default=None, type=None,
                 choices=None, required=False, help=None, metavar=None):
        _check_counts(nargs, const, "append", "arg strings are not supplying the value to append, "
                      "the append const action may be more appropriate")
        super().__init__(option_strings, dest, nargs, const, default, type, choices, required,
                         help, metavar)

    def __call__(self, parser, namespace, values, option_string=None):
        items = _items(namespace, self.dest)
        items.append(values)
        setattr(namespace, self.dest, items)


class _ExtendAction(_AppendAction):
    def __call__(self, parser, namespace, values, option_string=None):
        items = _items(namespace, self.dest)
        items.extend(values)
        setattr(namespace, self.dest, items)


class _AppendConstAction(Action):
    def __init__(self, option_strings, dest, const=None, default=None, required=False, help=None,
                 metavar=None):
        super().__init__(option_strings, dest, nargs=0, const=const, default=default,
                         required=required, help=help, metavar=metavar)

    def __call__(self, parser, namespace, values, option_string=None):
        items = _items(namespace, self.dest)
        items.append(self.const)
        setattr(namespace, self.dest, items)


class _CountAction(Action):
    def __init__(self, option_strings, dest, default=None, required=False, help=None):
        super().__init__(option_strings, dest, nargs=0, default=default, required=required,
                         help=help)

    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, (getattr(namespace, self.dest, None) or 0) + 1)


class _HelpAction(Action):
    def __init__(self, option_strings, dest=SUPPRESS, default=SUPPRESS, help=None):
        super().__init__(option_strings, dest, nargs=0, default=default, help=help)

    def __call__(self, parser, namespace, values, option_string=None):
        parser.print_help()
        parser.exit()


class _VersionAction(Action):
    def __init__(self, option_strings, version=None, dest=SUPPRESS, default=SUPPRESS,
                 help="show program's version number and exit"):
        super().__init__(option_strings, dest, nargs=0, default=default, help=help)
        self.version = version

    def __call__(self, parser, namespace, values, option_string=None):
        version = parser.version if self.version is None else self.version
        formatter = parser._get_formatter()
        formatter.add_text(version)
        _sys.stdout.write(formatter.format_help())
        parser.exit()


ACTIONS = {None: _StoreAction, "store": _StoreAction, "store_const": _StoreConstAction,
           "store_true": _StoreTrueAction, "store_false": _StoreFalseAction,
           "append": _AppendAction, "append_const": _AppendConstAction, "count": _CountAction,
           "help": _HelpAction, "version": _VersionAction, "extend": _ExtendAction}
