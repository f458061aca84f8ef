"""The command line of a script, as Python's argparse reads it.

    parser = argparse.ArgumentParser(description="MNIST")
    parser.add_argument("--lr", type=float, default=0.01, help="learning rate (default: 0.01)")
    args = parser.parse_args()
    args.lr                                  0.01

A parser is a `_container` of arguments (`_actions`), which `_reading` finds in the strings of the
command line and `_formatter` (with `_usage`) writes the help of. `_subparsers` are commands. Not
there: `parse_intermixed_args`.
"""
import os as _os
import sys as _sys

from argparse._actions import Action, BooleanOptionalAction
from argparse._container import Container as _Container
from argparse._formatter import (ArgumentDefaultsHelpFormatter, HelpFormatter,
                                 MetavarTypeHelpFormatter, RawDescriptionHelpFormatter,
                                 RawTextHelpFormatter)
from argparse._reading import Reading as _Reading
from argparse._subparsers import _SubParsersAction
from argparse._values import (ArgumentError, ArgumentTypeError, FileType, Namespace, ONE_OR_MORE,
                              OPTIONAL, PARSER, REMAINDER, SUPPRESS, UNRECOGNIZED as _UNRECOGNIZED,
                              ZERO_OR_MORE, described as _described)


class ArgumentParser(_Container):
    def __init__(self, prog=None, usage=None, description=None, epilog=None, parents=[],
                 formatter_class=HelpFormatter, prefix_chars="-", fromfile_prefix_chars=None,
                 argument_default=None, conflict_handler="error", add_help=True, allow_abbrev=True,
                 exit_on_error=True):
        super().__init__(description, prefix_chars, argument_default, conflict_handler)
        self.prog = _os.path.basename(_sys.argv[0]) if prog is None else prog
        self.usage = usage
        self.epilog = epilog
        self.formatter_class = formatter_class
        self.fromfile_prefix_chars = fromfile_prefix_chars
        self.add_help = add_help
        self.allow_abbrev = allow_abbrev
        self.exit_on_error = exit_on_error
        self._positionals = self.add_argument_group("positional arguments")
        self._optionals = self.add_argument_group("options")
        self._subparsers = None
        self.register("action", "parsers", _SubParsersAction)
        if add_help:
            mark = "-" if "-" in prefix_chars else prefix_chars[0]
            self.add_argument(f"{mark}h", f"{mark}{mark}help", action="help", default=SUPPRESS,
                              help="show this help message and exit")
        for parent in parents:
            self._take_over(parent)
            self._defaults.update(parent._defaults)

    def __repr__(self):
        names = ("prog", "usage", "description", "formatter_class", "conflict_handler", "add_help")
        return _described(self, [(name, getattr(self, name)) for name in names])

    # ---- Arguments ----

    def add_subparsers(self, **kwargs):
        if self._subparsers is not None:
            self.error("cannot have multiple subparser arguments")
        kwargs.setdefault("parser_class", type(self))
        if "title" in kwargs or "description" in kwargs:
            title = kwargs.pop("title", "subcommands")
            self._subparsers = self.add_argument_group(title, kwargs.pop("description", None))
        else:
            self._subparsers = self._positionals
        if kwargs.get("prog") is None:
            formatter = self._get_formatter()
            formatter.add_usage(self.usage, self._get_positional_actions(),
                                self._mutually_exclusive_groups, "")
            kwargs["prog"] = formatter.format_help().strip()
        kind = self._registered("action", kwargs.pop("action", "parsers"))
        action = kind(option_strings=[], **kwargs)
        self._subparsers._add_action(action)
        return action

    def _add_action(self, action):
        (self._optionals if action.option_strings else self._positionals)._add_action(action)
        return action

    def _get_optional_actions(self):
        return [action for action in self._actions if action.option_strings]

    def _get_positional_actions(self):
        return [action for action in self._actions if not action.option_strings]

    # ---- Reading ----

    def parse_args(self, args=None, namespace=None):
        args, rest = self.parse_known_args(args, namespace)
        if rest:
            self.error(f"unrecognized arguments: {' '.join(rest)}")
        return args

    def parse_known_args(self, args=None, namespace=None):
        strings = list(_sys.argv[1:] if args is None else args)
        if namespace is None:
            namespace = Namespace()
        for action in self._actions:
            if action.dest is not SUPPRESS and action.default is not SUPPRESS and \
                    not hasattr(namespace, action.dest):
                setattr(namespace, action.dest, action.default)
        for dest, value in self._defaults.items():
            if not hasattr(namespace, dest):
                setattr(namespace, dest, value)
        try:
            namespace, rest = self._parse_known_args(strings, namespace)
        except ArgumentError as error:
            if not self.exit_on_error:
                raise
            self.error(str(error))
        if hasattr(namespace, _UNRECOGNIZED):
            rest.extend(getattr(namespace, _UNRECOGNIZED))
            delattr(namespace, _UNRECOGNIZED)
        return namespace, rest

    def _parse_known_args(self, arg_strings, namespace):
        if self.fromfile_prefix_chars is not None:
            arg_strings = self._read_args_from_files(arg_strings)
        return _Reading(self, arg_strings, namespace).read()

    def _read_args_from_files(self, arg_strings):
        strings = []
        for string in arg_strings:
            if not string or string[0] not in self.fromfile_prefix_chars:
                strings.append(string)
                continue
            try:
                with open(string[1:]) as file:
                    inside = [word for line in file.read().splitlines()
                              for word in self.convert_arg_line_to_args(line)]
            except OSError as error:
                self.error(str(error))
            strings.extend(self._read_args_from_files(inside))
        return strings

    def convert_arg_line_to_args(self, arg_line):
        return [arg_line]

    # ---- Help and errors ----

    def _get_formatter(self):
        return self.formatter_class(prog=self.prog)

    def format_usage(self):
        formatter = self._get_formatter()
        formatter.add_usage(self.usage, self._actions, self._mutually_exclusive_groups)
        return formatter.format_help()

    def format_help(self):
        formatter = self._get_formatter()
        formatter.add_usage(self.usage, self._actions, self._mutually_exclusive_groups)
        formatter.add_text(self.description)
        for group in self._action_groups:
            formatter.start_section(group.title)
            formatter.add_text(group.description)
            formatter.add_arguments(group._group_actions)
            formatter.end_section()
        formatter.add_text(self.epilog)
        return formatter.format_help()

    def print_usage(self, file=None):
        self._print_message(self.format_usage(), _sys.stdout if file is None else file)

    def print_help(self, file=None):
        self._print_message(self.format_help(), _sys.stdout if file is None else file)

    def _print_message(self, message, file=None):
        if message:
            (_sys.stderr if file is None else file).write(message)

    def exit(self, status=0, message=None):
        if message:
            self._print_message(message, _sys.stderr)
        _sys.exit(status)

    def error(self, message):
        self.print_usage(_sys.stderr)
        self.exit(2, f"{self.prog}: error: {message}\n")
