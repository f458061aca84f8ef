"""Help as text: usage, paragraphs, and the arguments in two columns.

    formatter = HelpFormatter("main.py")
    formatter.start_section("options")
    formatter.add_arguments(actions)
    formatter.end_section()
    formatter.format_help()

What is added is kept as functions and written at the end, since the second column begins behind the
widest argument of all. The methods with an underscore are what scripts override, CPython's names.
"""
import os as _os
import sys as _sys
import textwrap as _textwrap

from argparse import _usage
from argparse._values import (ONE_OR_MORE, OPTIONAL, PARSER, REMAINDER, SUPPRESS, ZERO_OR_MORE)


def _columns():
    """The terminal's width, as `shutil.get_terminal_size` finds it."""
    told = _os.environ.get("COLUMNS", "")
    if told.isdecimal() and int(told) > 0:
        return int(told)
    try:
        return _os.get_terminal_size(1).columns or 80
    except OSError:
        return 80


class _Section:
    def __init__(self, parent, heading):
        self.parent = parent
        self.heading = heading
        self.items = []


class HelpFormatter:
    __module__ = "argparse"

    def __init__(self, prog, indent_increment=2, max_help_position=24, width=None):
        if width is None:
            width = _columns() - 2
        self._prog = prog
        self._indent_increment = indent_increment
        self._max_help_position = min(max_help_position, max(width - 20, indent_increment * 2))
        self._width = width
        self._current_indent = 0
        self._action_max_length = 0
        self._root_section = self._current_section = _Section(None, None)

    def _indent(self):
        self._current_indent += self._indent_increment

    def _dedent(self):
        self._current_indent -= self._indent_increment

    # ---- What is added ----

    def _add_item(self, write, args):
        self._current_section.items.append(lambda: write(*args))

    def start_section(self, heading):
        self._indent()
        section = _Section(self._current_section, heading)
        self._add_item(self._format_section, [section])
        self._current_section = section

    def end_section(self):
        self._current_section = self._current_section.parent
        self._dedent()

    def add_text(self, text):
        if text is not SUPPRESS and text is not None:
            self._add_item(self._format_text, [text])

    def add_usage(self, usage, actions, groups, prefix=None):
        if usage is not SUPPRESS:
            self._add_item(self._format_usage, [usage, actions, groups, prefix])

    def add_argument(self, action):
        if action.help is SUPPRESS:
            return
        widths = [len(self._format_action_invocation(action)) + self._current_indent]
        self._indent()
        for inner in self._inner_actions(action):
            widths.append(len(self._format_action_invocation(inner)) + self._current_indent)
        self._dedent()
        self._action_max_length = max(self._action_max_length, max(widths))
        self._add_item(self._format_action, [action])

    def add_arguments(self, actions):
        for action in actions:
            self.add_argument(action)

    # ---- What is written ----

    def format_help(self):
        text = self._format_section(self._root_section)
        while "\n\n\n" in text:
            text = text.replace("\n\n\n", "\n\n")
        return text.strip("\n") + "\n" if text else text

    def _format_section(self, section):
        inside = section.parent is not None
        if inside:
            self._indent()
        text = "".join([part for part in [item() for item in section.items]
                        if part and part is not SUPPRESS])
        if inside:
            self._dedent()
        if not text:
            return ""
        heading = ""
        if section.heading is not SUPPRESS and section.heading is not None:
            heading = " " * self._current_indent + section.heading + ":\n"
        return f"\n{heading}{text}\n"

    def _format_usage(self, usage, actions, groups, prefix):
        if prefix is None:
            prefix = "usage: "
        program = str(self._prog)
        if usage is not None:
            usage = usage % {"prog": self._prog}
        elif not actions:
            usage = program
        else:
            usage = _usage.in_lines(self, program, actions, groups, prefix)
        return f"{prefix}{usage}\n\n"

    def _format_text(self, text):
        if "%(prog)" in text:
            text = text % {"prog": self._prog}
        width = max(self._width - self._current_indent, 11)
        return self._fill_text(text, width, " " * self._current_indent) + "\n\n"

    def _format_action(self, action):
        position = min(self._action_max_length + 2, self._max_help_position)
        width = max(self._width - position, 11)
        room = position - self._current_indent - 2
        margin = " " * self._current_indent
        header = self._format_action_invocation(action)
        beside = bool(action.help) and len(header) <= room
        parts = [margin + header.ljust(room) + "  " if beside else f"{margin}{header}\n"]
        if action.help and action.help.strip():
            help_text = self._expand_help(action)
            if help_text:
                lines = self._split_lines(help_text, width)
                parts.append(("" if beside else " " * position) + lines[0] + "\n")
                parts.extend([" " * position + line + "\n" for line in lines[1:]])
        elif not parts[0].endswith("\n"):
            parts.append("\n")
        self._indent()
        parts.extend([self._format_action(inner) for inner in self._inner_actions(action)])
        self._dedent()
        return "".join(parts)

    def _inner_actions(self, action):
        return action._get_subactions() if hasattr(action, "_get_subactions") else []

    def _format_action_invocation(self, action):
        if not action.option_strings:
            default = self._get_default_metavar_for_positional(action)
            return self._metavar_formatter(action, default)(1)[0]
        if action.nargs == 0:
            return ", ".join(action.option_strings)
        default = self._get_default_metavar_for_optional(action)
        shown = self._format_args(action, default)
        return ", ".join([f"{option} {shown}" for option in action.option_strings])

    def _metavar_formatter(self, action, default_metavar):
        if action.metavar is not None:
            name = action.metavar
        elif action.choices is not None:
            name = "{" + ",".join([str(choice) for choice in action.choices]) + "}"
        else:
            name = default_metavar
        return lambda count: name if isinstance(name, tuple) else (name,) * count

    def _format_args(self, action, default_metavar):
        metavar = self._metavar_formatter(action, default_metavar)
        nargs = action.nargs
        if nargs is None:
            return "%s" % metavar(1)
        if nargs == OPTIONAL:
            return "[%s]" % metavar(1)
        if nargs == ZERO_OR_MORE:
            names = metavar(1)
            return "[%s [%s ...]]" % names if len(names) == 2 else "[%s ...]" % names
        if nargs == ONE_OR_MORE:
            return "%s [%s ...]" % metavar(2)
        if nargs == REMAINDER:
            return "..."
        if nargs == PARSER:
            return "%s ..." % metavar(1)
        if nargs == SUPPRESS:
            return ""
        if not isinstance(nargs, int):
            raise ValueError("invalid nargs value")
        return " ".join(["%s"] * nargs) % metavar(nargs)

    def _expand_help(self, action):
        values = {"prog": self._prog}
        for name, value in dict(vars(action), prog=self._prog).items():
            if value is not SUPPRESS:
                values[name] = value.__name__ if hasattr(value, "__name__") else value
        if values.get("choices") is not None:
            values["choices"] = ", ".join([str(choice) for choice in values["choices"]])
        return self._get_help_string(action) % values

    # ---- What subclasses change ----

    def _split_lines(self, text, width):
        return _textwrap.wrap(" ".join(text.split()), width)

    def _fill_text(self, text, width, indent):
        return _textwrap.fill(" ".join(text.split()), width, initial_indent=indent,
                              subsequent_indent=indent)

    def _get_help_string(self, action):
        return action.help

    def _get_default_metavar_for_optional(self, action):
        return action.dest.upper()

    def _get_default_metavar_for_positional(self, action):
        return action.dest


class RawDescriptionHelpFormatter(HelpFormatter):
    """Description and epilog keep their lines."""

    __module__ = "argparse"

    def _fill_text(self, text, width, indent):
        return "".join([indent + line for line in text.splitlines(keepends=True)])


class RawTextHelpFormatter(RawDescriptionHelpFormatter):
    """All texts keep their lines."""

    __module__ = "argparse"

    def _split_lines(self, text, width):
        return text.splitlines()


class ArgumentDefaultsHelpFormatter(HelpFormatter):
    """Help says what the default is."""

    __module__ = "argparse"

    def _get_help_string(self, action):
        text = action.help or ""
        may_lack = action.option_strings or action.nargs in (OPTIONAL, ZERO_OR_MORE)
        if "%(default)" not in text and action.default is not SUPPRESS and may_lack:
            text += " (default: %(default)s)"
        return text


class MetavarTypeHelpFormatter(HelpFormatter):
    """An argument's type stands for its value."""

    __module__ = "argparse"

    def _get_default_metavar_for_optional(self, action):
        return action.type.__name__

    def _get_default_metavar_for_positional(self, action):
        return action.type.__name__
