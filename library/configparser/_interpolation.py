"""What values say of other values: `%(name)s`, or `${section:name}`."""
import re

from configparser._errors import (MAX_INTERPOLATION_DEPTH, InterpolationDepthError, InterpolationMissingOptionError,
                                  InterpolationSyntaxError)


class Interpolation:
    """None: values are what they are."""

    def before_get(self, parser, section, option, value, defaults):
        return value

    def before_set(self, parser, section, option, value):
        return value

    def before_read(self, parser, section, option, value):
        return value

    def before_write(self, parser, section, option, value):
        return value


class _Marked(Interpolation):
    """References that begin with a mark, which stands for itself where it is doubled."""

    def before_get(self, parser, section, option, value, defaults):
        return self._expanded(parser, option, value, section, defaults, 1)

    def before_set(self, parser, section, option, value):
        rest = self._reference.sub("", value.replace(self._mark * 2, ""))
        if self._mark in rest:
            raise ValueError(f"invalid interpolation syntax in {value!r} at position {rest.find(self._mark)}")
        return value

    def _expanded(self, parser, option, rest, section, values, depth):
        raw = parser.get(section, option, raw=True, fallback=rest)
        if depth > MAX_INTERPOLATION_DEPTH:
            raise InterpolationDepthError(option, section, raw)
        parts = []
        while rest:
            text, mark, behind = rest.partition(self._mark)
            parts.append(text)
            if not mark:
                break
            following, rest = behind[:1], self._mark + behind
            if following == self._mark:
                parts.append(self._mark)
                rest = rest[2:]
                continue
            if following != self._opening:
                raise InterpolationSyntaxError(option, section, self._unknown(rest))
            match = self._reference.match(rest)
            if match is None:
                raise InterpolationSyntaxError(option, section, f"bad interpolation variable reference {rest!r}")
            rest = rest[match.end():]
            parts.append(self._value(parser, option, section, values, match.group(1), raw, depth, rest))
        return "".join(parts)


class BasicInterpolation(_Marked):
    _mark, _opening = "%", "("
    _reference = re.compile(r"%\(([^)]+)\)s")

    def _unknown(self, rest):
        return f"'%' must be followed by '%' or '(', found: {rest!r}"

    def _value(self, parser, option, section, values, name, raw, depth, rest):
        name = parser.optionxform(name)
        if name not in values:
            raise InterpolationMissingOptionError(option, section, raw, name)
        value = values[name]
        return self._expanded(parser, option, value, section, values, depth + 1) if "%" in value else value


class ExtendedInterpolation(_Marked):
    _mark, _opening = "$", "{"
    _reference = re.compile(r"\$\{([^}]+)\}")

    def _unknown(self, rest):
        return f"'$' must be followed by '$' or '{{', found: {rest!r}"

    def _value(self, parser, option, section, values, reference, raw, depth, rest):
        path = reference.split(":")
        if len(path) > 2:
            raise InterpolationSyntaxError(option, section, f"More than one ':' found: {rest!r}")
        name = parser.optionxform(path[-1])
        owner = section if len(path) == 1 else path[0]
        known = name in values if len(path) == 1 else parser.has_section(owner) and parser.has_option(owner, name)
        if not known:
            raise InterpolationMissingOptionError(option, section, raw, reference)
        value = values[name] if len(path) == 1 else parser.get(owner, name, raw=True)
        if "$" not in value:
            return value
        return self._expanded(parser, name, value, owner, dict(parser.items(owner, raw=True)), depth + 1)
