"""How a command line is read.

    python main.py --lr 0.1 data -v more          letters: O A A O A

1. Each string becomes a letter: `O` for an option, `A` for an argument, `-` for the `--` behind
   which all are arguments.
2. Before an option the positionals take what stands there, as many of them as it suffices for, each
   as much as its `nargs` lets it.
3. An option takes the arguments behind it that its `nargs` wants, or what is joined to it
   (`--lr=0.1`, `-n3`); flags may be joined (`-xvf`).
4. What nobody took is left over. Then comes what is required and was not there.
"""
from argparse._container import looks_negative
from argparse._values import (ArgumentError, ArgumentTypeError, ONE_OR_MORE, OPTIONAL, PARSER,
                              REMAINDER, SUPPRESS, ZERO_OR_MORE, name_of)


def _bounds(nargs):
    """The least and the most arguments, and whether options may be among them."""
    if nargs is None:
        return 1, 1, False
    many = 1 << 60
    known = {OPTIONAL: (0, 1, False), ZERO_OR_MORE: (0, many, False), ONE_OR_MORE: (1, many, False),
             REMAINDER: (0, many, True), PARSER: (1, many, True), SUPPRESS: (0, 0, False)}
    return known[nargs] if nargs in known else (nargs, nargs, False)


def _reach(action, letters, at):
    """How far an action may go from `at`: the ends that its `nargs` allows, the farthest first."""
    least, most, options_too = _bounds(action.nargs)
    ends, taken, end = [], 0, at
    while True:
        if least <= taken <= most:
            ends.insert(0, end)
        if end == len(letters):
            return ends
        letter = letters[end]
        if letter == "-":
            if action.option_strings:
                return ends
        elif letter == "O" and not (options_too and taken >= min(least, 1)):
            return ends
        else:
            taken += 1
            if taken > most:
                return ends
        end += 1


def _match(actions, letters, at):
    """Where each action ends, so that all of them get enough; None where that cannot be."""
    if not actions:
        return []
    for end in _reach(actions[0], letters, at):
        others = _match(actions[1:], letters, end)
        if others is not None:
            return [end] + others
    return None


class Reading:
    def __init__(self, parser, strings, namespace):
        self.parser = parser
        self.strings = strings
        self.namespace = namespace
        self.extras = []
        self.positionals = parser._get_positional_actions()
        self.seen = []
        self.seen_non_default = []
        self.options = {}  # by place: action, option, what is joined to it
        self.letters = self._classify()

    # ---- 1: letters ----

    def _classify(self):
        letters, only_arguments = "", False
        for at, string in enumerate(self.strings):
            option = None if only_arguments or string == "--" else self._option_of(string)
            if option is not None:
                self.options[at] = option
            if string == "--" and not only_arguments:
                letters += "-"
                only_arguments = True
            else:
                letters += "A" if option is None else "O"
        return letters

    def _option_of(self, string):
        parser = self.parser
        known = parser._option_string_actions
        if not string or string[0] not in parser.prefix_chars:
            return None
        if string in known:
            return known[string], string, None
        if len(string) == 1:
            return None
        option, equals, joined = string.partition("=")
        if equals and option in known:
            return known[option], option, joined
        found = self._beginnings(string)
        if len(found) > 1:
            options = ", ".join([option for action, option, joined in found])
            parser.error(f"ambiguous option: {string} could match {options}")
        if found:
            return found[0]
        if looks_negative(string) and not parser._has_negative_number_optionals:
            return None
        return None if " " in string else (None, string, None)

    def _beginnings(self, string):
        """The options that `string` is the beginning of, or that it begins with."""
        parser = self.parser
        options = parser._option_string_actions.items()
        if string[1] in parser.prefix_chars:
            begin, equals, joined = string.partition("=")
            return [(action, option, joined if equals else None) for option, action in options
                    if parser.allow_abbrev and option.startswith(begin)]
        found = []
        for option, action in options:
            if option == string[:2]:
                found.append((action, option, string[2:]))
            elif option.startswith(string):
                found.append((action, option, None))
        return found

    # ---- 2 to 4: who takes what ----

    def read(self):
        at, last = 0, max(self.options, default=-1)
        while at <= last:
            following = min([place for place in self.options if place >= at])
            if at != following:
                end = self._take_positionals(at)
                if end > at:
                    at = end
                    continue
            if at not in self.options:
                self.extras.extend(self.strings[at:following])
                at = following
            at = self._take_option(at)
        end = self._take_positionals(at)
        self.extras.extend(self.strings[end:])
        self._check_required()
        return self.namespace, self.extras

    def _take_positionals(self, at):
        for count in range(len(self.positionals), 0, -1):
            ends = _match(self.positionals[:count], self.letters, at)
            if ends is not None:
                break
        else:
            return at
        taken, self.positionals = self.positionals[:count], self.positionals[count:]
        for action, end in zip(taken, ends):
            strings, at = self.strings[at:end], end
            self._act(action, strings, None)
        return at

    def _take_option(self, at):
        action, option, joined = self.options[at]
        if action is None:
            self.extras.append(self.strings[at])
            return at + 1
        calls = []
        while joined is not None:
            count = self._count(action, "A")
            if count == 1:
                calls.append((action, [joined], option))
                break
            following = option[0] + joined[:1]
            flags = option[1] not in self.parser.prefix_chars and joined
            if count != 0 or not flags or following not in self.parser._option_string_actions:
                raise ArgumentError(action, f"ignored explicit argument {joined!r}")
            calls.append((action, [], option))
            action = self.parser._option_string_actions[following]
            option, joined = following, joined[1:] or None
        end = at + 1
        if joined is None:
            end += self._count(action, self.letters[end:])
            calls.append((action, self.strings[at + 1:end], option))
        for action, strings, option in calls:
            self._act(action, strings, option)
        return end

    def _count(self, action, letters):
        ends = _reach(action, letters, 0)
        if ends:
            return ends[0]
        words = {None: "expected one argument", OPTIONAL: "expected at most one argument",
                 ONE_OR_MORE: "expected at least one argument"}
        plural = "argument" if action.nargs == 1 else "arguments"
        raise ArgumentError(action, words.get(action.nargs, f"expected {action.nargs} {plural}"))

    def _act(self, action, strings, option):
        self.seen.append(action)
        values = self._values(action, strings)
        if values is not action.default:
            self.seen_non_default.append(action)
            for group in self.parser._mutually_exclusive_groups:
                if action in group._group_actions:
                    self._check_alone(action, group._group_actions)
        if values is not SUPPRESS:
            action(self.parser, self.namespace, values, option)

    def _check_alone(self, action, members):
        at = members.index(action)
        for other in members[:at] + members[at + 1:]:
            if other in self.seen_non_default:
                raise ArgumentError(action, f"not allowed with argument {name_of(other)}")

    def _check_required(self):
        missing = []
        for action in self.parser._actions:
            if action in self.seen:
                continue
            if action.required:
                missing.append(name_of(action))
            elif isinstance(action.default, str) and \
                    getattr(self.namespace, action.dest, None) is action.default:
                setattr(self.namespace, action.dest, self._value(action, action.default))
        if missing:
            self.parser.error(f"the following arguments are required: {', '.join(missing)}")
        for group in self.parser._mutually_exclusive_groups:
            members = group._group_actions
            if group.required and not [one for one in members if one in self.seen_non_default]:
                names = [name_of(one) for one in members if one.help is not SUPPRESS]
                self.parser.error(f"one of the arguments {' '.join(names)} is required")

    # ---- Values ----

    def _values(self, action, strings):
        nargs = action.nargs
        if nargs not in (PARSER, REMAINDER) and "--" in strings:
            strings.remove("--")
        if not strings and nargs == OPTIONAL:
            value = action.const if action.option_strings else action.default
            if isinstance(value, str):
                value = self._value(action, value)
                self._check(action, value)
            return value
        if not strings and nargs == ZERO_OR_MORE and not action.option_strings:
            value = strings if action.default is None else action.default
            self._check(action, value)
            return value
        if nargs == SUPPRESS:
            return SUPPRESS
        values = [self._value(action, string) for string in strings]
        if nargs == PARSER:
            self._check(action, values[0])
        elif nargs != REMAINDER:
            for value in values:
                self._check(action, value)
        return values[0] if nargs in (None, OPTIONAL) and len(values) == 1 else values

    def _value(self, action, string):
        convert = self.parser._registered("type", action.type)
        if not callable(convert):
            raise ArgumentError(action, f"{convert!r} is not callable")
        try:
            return convert(string)
        except ArgumentTypeError as error:
            message = str(error)
        except (TypeError, ValueError):
            name = getattr(action.type, "__name__", repr(action.type))
            message = f"invalid {name} value: {string!r}"
        raise ArgumentError(action, message)

    def _check(self, action, value):
        if action.choices is not None and value not in action.choices:
            choices = ", ".join([repr(choice) for choice in action.choices])
            raise ArgumentError(action, f"invalid choice: {value!r} (choose from {choices})")
