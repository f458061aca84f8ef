"""What arguments are added to: a parser, a group of its help, arguments that exclude one another.

    group = parser.add_argument_group("model")
    group.add_argument("--width", type=int)

A group shares the lists of the parser that it belongs to, so that its arguments are the parser's;
it keeps its own besides, which help shows under its title.
"""
from argparse._actions import ACTIONS
from argparse._values import ArgumentError, FileType, OPTIONAL, ZERO_OR_MORE


def _same(string):
    return string


def looks_negative(string):
    """`-1`, `-1.5`, `-.5`: a number, unless the parser has options that look so."""
    whole, dot, fraction = string[1:].partition(".")
    digits = string.startswith("-") and (whole + fraction).isdecimal()
    return digits and bool(fraction if dot else whole)


class Container:
    def __init__(self, description, prefix_chars, argument_default, conflict_handler):
        self.description = description
        self.argument_default = argument_default
        self.prefix_chars = prefix_chars
        self.conflict_handler = conflict_handler
        if conflict_handler not in ("error", "resolve"):
            raise ValueError(f"invalid conflict_resolution value: {conflict_handler!r}")
        self._registries = {"action": dict(ACTIONS), "type": {None: _same}}
        self._actions = []
        self._option_string_actions = {}
        self._action_groups = []
        self._mutually_exclusive_groups = []
        self._defaults = {}
        self._has_negative_number_optionals = []

    def register(self, registry_name, value, object):
        self._registries[registry_name][value] = object

    def _registered(self, registry_name, value):
        try:
            return self._registries[registry_name].get(value, value)
        except TypeError:  # it has no hash, so it is not the name of anything
            return value

    def set_defaults(self, **kwargs):
        self._defaults.update(kwargs)
        for action in self._actions:
            if action.dest in kwargs:
                action.default = kwargs[action.dest]

    def get_default(self, dest):
        for action in self._actions:
            if action.dest == dest and action.default is not None:
                return action.default
        return self._defaults.get(dest)

    def add_argument(self, *args, **kwargs):
        if not args or len(args) == 1 and args[0][0] not in self.prefix_chars:
            if args and "dest" in kwargs:
                raise ValueError("dest supplied twice for positional argument")
            kwargs = self._positional(*args, **kwargs)
        else:
            kwargs = self._optional(*args, **kwargs)
        if "default" not in kwargs:
            if kwargs["dest"] in self._defaults:
                kwargs["default"] = self._defaults[kwargs["dest"]]
            elif self.argument_default is not None:
                kwargs["default"] = self.argument_default

        named = kwargs.pop("action", None)
        kind = self._registered("action", named)
        if not callable(kind):
            raise ValueError(f"unknown action \"{kind}\"")
        action = kind(**kwargs)
        convert = self._registered("type", action.type)
        if not callable(convert):
            raise ValueError(f"{convert!r} is not callable")
        if convert is FileType:
            raise ValueError(f"{convert!r} is a FileType class object, instance of it must be "
                             "passed")
        if hasattr(self, "_get_formatter"):
            try:
                self._get_formatter()._format_args(action, None)
            except TypeError:
                raise ValueError("length of metavar tuple does not match nargs")
        return self._add_action(action)

    def _positional(self, dest, **kwargs):
        if "required" in kwargs:
            raise TypeError("'required' is an invalid argument for positionals")
        nargs = kwargs.get("nargs")
        may_lack = nargs == OPTIONAL or nargs == ZERO_OR_MORE and "default" in kwargs
        if not may_lack:
            kwargs["required"] = True
        return dict(kwargs, dest=dest, option_strings=[])

    def _optional(self, *args, **kwargs):
        for option in args:
            if option[0] not in self.prefix_chars:
                raise ValueError(f"invalid option string {option!r}: must start with a character "
                                 f"{self.prefix_chars!r}")
        dest = kwargs.pop("dest", None)
        if dest is None:
            long = [option for option in args if len(option) > 1 and option[1] in self.prefix_chars]
            dest = (long or args)[0].lstrip(self.prefix_chars)
            if not dest:
                raise ValueError(f"dest= is required for options like {(long or args)[0]!r}")
            dest = dest.replace("-", "_")
        return dict(kwargs, dest=dest, option_strings=list(args))

    def add_argument_group(self, *args, **kwargs):
        group = _ArgumentGroup(self, *args, **kwargs)
        self._action_groups.append(group)
        return group

    def add_mutually_exclusive_group(self, **kwargs):
        group = _MutuallyExclusiveGroup(self, **kwargs)
        self._mutually_exclusive_groups.append(group)
        return group

    def _add_action(self, action):
        self._settle_conflicts(action)
        self._actions.append(action)
        action.container = self
        for option in action.option_strings:
            self._option_string_actions[option] = action
            if looks_negative(option) and not self._has_negative_number_optionals:
                self._has_negative_number_optionals.append(True)
        return action

    def _remove_action(self, action):
        self._actions.remove(action)

    def _settle_conflicts(self, action):
        known = self._option_string_actions
        taken = [option for option in action.option_strings if option in known]
        if taken and self.conflict_handler == "error":
            plural = "string" if len(taken) == 1 else "strings"
            raise ArgumentError(action, f"conflicting option {plural}: {', '.join(taken)}")
        for option in taken:
            older = known.pop(option)
            older.option_strings.remove(option)
            if not older.option_strings:
                older.container._remove_action(older)

    def _take_over(self, container):
        """Adds the arguments of a parent, each to the group that has its group's title."""
        own = {group.title: group for group in self._action_groups}
        place = {}
        for group in container._action_groups:
            if group.title not in own:
                own[group.title] = self.add_argument_group(
                    title=group.title, description=group.description,
                    conflict_handler=group.conflict_handler)
            for action in group._group_actions:
                place[action] = own[group.title]
        for group in container._mutually_exclusive_groups:
            made = self.add_mutually_exclusive_group(required=group.required)
            for action in group._group_actions:
                place[action] = made
        for action in container._actions:
            place.get(action, self)._add_action(action)


class _ArgumentGroup(Container):
    def __init__(self, container, title=None, description=None, **kwargs):
        super().__init__(description, kwargs.get("prefix_chars", container.prefix_chars),
                         kwargs.get("argument_default", container.argument_default),
                         kwargs.get("conflict_handler", container.conflict_handler))
        self.title = title
        self._group_actions = []
        self._registries = container._registries
        self._actions = container._actions
        self._option_string_actions = container._option_string_actions
        self._defaults = container._defaults
        self._has_negative_number_optionals = container._has_negative_number_optionals
        self._mutually_exclusive_groups = container._mutually_exclusive_groups

    def _add_action(self, action):
        super()._add_action(action)
        self._group_actions.append(action)
        return action

    def _remove_action(self, action):
        super()._remove_action(action)
        self._group_actions.remove(action)


class _MutuallyExclusiveGroup(_ArgumentGroup):
    def __init__(self, container, required=False):
        super().__init__(container)
        self.required = required
        self._container = container

    def _add_action(self, action):
        if action.required:
            raise ValueError("mutually exclusive arguments must be optional")
        action = self._container._add_action(action)
        self._group_actions.append(action)
        return action

    def _remove_action(self, action):
        self._container._remove_action(action)
        self._group_actions.remove(action)
