"""Commands of a program, each with a parser of its own: `main.py train --lr 0.1`.

    commands = parser.add_subparsers(dest="command", required=True)
    train = commands.add_parser("train", help="trains the model")
    train.add_argument("--lr", type=float)
"""
from argparse._actions import Action
from argparse._values import ArgumentError, PARSER, SUPPRESS, UNRECOGNIZED


class _ChoicesPseudoAction(Action):
    """A command's row in the help."""

    def __init__(self, name, aliases, help):
        metavar = f"{name} ({', '.join(aliases)})" if aliases else name
        super().__init__([], name, help=help, metavar=metavar)


class _SubParsersAction(Action):
    def __init__(self, option_strings, prog, parser_class, dest=SUPPRESS, required=False, help=None,
                 metavar=None):
        self._prog_prefix = prog
        self._parser_class = parser_class
        self._name_parser_map = {}
        self._choices_actions = []
        super().__init__(option_strings, dest, nargs=PARSER, choices=self._name_parser_map,
                         required=required, help=help, metavar=metavar)

    def add_parser(self, name, **kwargs):
        if kwargs.get("prog") is None:
            kwargs["prog"] = f"{self._prog_prefix} {name}"
        aliases = kwargs.pop("aliases", ())
        if name in self._name_parser_map:
            raise ArgumentError(self, f"conflicting subparser: {name}")
        for alias in aliases:
            if alias in self._name_parser_map:
                raise ArgumentError(self, f"conflicting subparser alias: {alias}")
        if "help" in kwargs:
            self._choices_actions.append(_ChoicesPseudoAction(name, aliases, kwargs.pop("help")))
        parser = self._parser_class(**kwargs)
        for each in [name, *aliases]:
            self._name_parser_map[each] = parser
        return parser

    def _get_subactions(self):
        return self._choices_actions

    def __call__(self, parser, namespace, values, option_string=None):
        name, strings = values[0], values[1:]
        if self.dest is not SUPPRESS:
            setattr(namespace, self.dest, name)
        if name not in self._name_parser_map:
            known = ", ".join(self._name_parser_map)
            raise ArgumentError(self, f"unknown parser {name!r} (choices: {known})")
        inner, rest = self._name_parser_map[name].parse_known_args(strings, None)
        for key, value in vars(inner).items():
            setattr(namespace, key, value)
        if rest:
            vars(namespace).setdefault(UNRECOGNIZED, [])
            getattr(namespace, UNRECOGNIZED).extend(rest)
