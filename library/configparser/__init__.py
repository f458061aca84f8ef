"""Configurations: sections of options, as `.ini` files hold them.

    config = ConfigParser()
    config.read("train.ini")
    config["model"].getint("layers", fallback=2), config.getfloat("optimizer", "lr")
    with open("train.ini", "w") as file: config.write(file)
"""
import os as _os
from collections.abc import MutableMapping as _MutableMapping

from configparser._errors import (MAX_INTERPOLATION_DEPTH, DuplicateOptionError, DuplicateSectionError, Error,
                                  InterpolationDepthError, InterpolationError, InterpolationMissingOptionError,
                                  InterpolationSyntaxError, MissingSectionHeaderError, NoOptionError, NoSectionError,
                                  ParsingError)
from configparser._interpolation import BasicInterpolation, ExtendedInterpolation, Interpolation
from configparser._reading import Reading as _Reading, option_pattern as _option_pattern

__all__ = ["NoSectionError", "DuplicateOptionError", "DuplicateSectionError", "NoOptionError", "InterpolationError",
           "InterpolationDepthError", "InterpolationMissingOptionError", "InterpolationSyntaxError", "ParsingError",
           "MissingSectionHeaderError", "ConfigParser", "RawConfigParser", "Interpolation", "BasicInterpolation",
           "ExtendedInterpolation", "SectionProxy", "DEFAULTSECT", "MAX_INTERPOLATION_DEPTH"]

DEFAULTSECT = "DEFAULT"
_UNSET = object()


class RawConfigParser(_MutableMapping):
    BOOLEAN_STATES = {"1": True, "yes": True, "true": True, "on": True,
                      "0": False, "no": False, "false": False, "off": False}
    _DEFAULT_INTERPOLATION = Interpolation()

    def __init__(self, defaults=None, dict_type=dict, allow_no_value=False, *, delimiters=("=", ":"),
                 comment_prefixes=("#", ";"), inline_comment_prefixes=None, strict=True, empty_lines_in_values=True,
                 default_section=DEFAULTSECT, interpolation=_UNSET, converters=_UNSET):
        self._dict, self._sections, self._defaults = dict_type, dict_type(), dict_type()
        self._converters = {"int": int, "float": float, "boolean": self._convert_to_boolean}
        if converters is not _UNSET:
            self._converters.update(converters)
        for name, convert in self._converters.items():
            if name not in ("int", "float", "boolean"):
                setattr(self, "get" + name, self._getter(convert))
        self._delimiters, self._comment_prefixes = tuple(delimiters), tuple(comment_prefixes or ())
        self._inline_comment_prefixes = tuple(inline_comment_prefixes or ())
        self._option_pattern = _option_pattern(self._delimiters, allow_no_value)
        self._strict, self._allow_no_value = strict, allow_no_value
        self._empty_lines_in_values, self.default_section = empty_lines_in_values, default_section
        self._interpolation = self._DEFAULT_INTERPOLATION if interpolation is _UNSET else interpolation
        if self._interpolation is None:
            self._interpolation = Interpolation()
        self._proxies = {default_section: SectionProxy(self, default_section)}
        if defaults:
            self._read_defaults(defaults)

    def _read_defaults(self, defaults):
        for key, value in defaults.items():
            self._defaults[self.optionxform(key)] = value

    def _getter(self, convert):
        return lambda section, option, **keywords: self._get_conv(section, option, convert, **keywords)

    def _add(self, section):
        self._sections[section] = self._dict()
        self._proxies[section] = SectionProxy(self, section)

    def optionxform(self, optionstr):
        return optionstr.lower()

    # ---- Sections ----

    def defaults(self):
        return self._defaults

    def sections(self):
        return list(self._sections)

    def add_section(self, section):
        if section == self.default_section:
            raise ValueError(f"Invalid section name: {section!r}")
        if section in self._sections:
            raise DuplicateSectionError(section)
        self._add(section)

    def has_section(self, section):
        return section in self._sections

    def remove_section(self, section):
        existed = section in self._sections
        if existed:
            del self._sections[section], self._proxies[section]
        return existed

    def _options_of(self, section):
        if not section or section == self.default_section:
            return self._defaults
        if section not in self._sections:
            raise NoSectionError(section)
        return self._sections[section]

    def options(self, section):
        if section not in self._sections:
            raise NoSectionError(section)
        return list({**self._sections[section], **self._defaults})

    # ---- Reading and writing ----

    def read(self, filenames, encoding=None):
        """Files that cannot be opened are passed over; gives those that were read."""
        if isinstance(filenames, (str, bytes, _os.PathLike)) or hasattr(filenames, "__fspath__"):
            filenames = [filenames]
        done = []
        for filename in filenames:
            try:
                with open(filename, encoding=encoding) as file:
                    self.read_file(file, filename)
            except OSError:
                continue
            done.append(_os.fspath(filename))
        return done

    def read_file(self, f, source=None):
        reading = _Reading(self, getattr(f, "name", "<???>") if source is None else source)
        for number, line in enumerate(f, start=1):
            reading.line(number, line)
        reading.end()

    def read_string(self, string, source="<string>"):
        self.read_file(string.splitlines(keepends=True), source)

    def read_dict(self, dictionary, source="<dict>"):
        seen = set()
        for section, options in dictionary.items():
            section = str(section)
            try:
                self.add_section(section)
            except (DuplicateSectionError, ValueError):
                if self._strict and section in seen:
                    raise
            seen.add(section)
            for key, value in options.items():
                key = self.optionxform(str(key))
                if self._strict and (section, key) in seen:
                    raise DuplicateOptionError(section, key, source)
                seen.add((section, key))
                self.set(section, key, value if value is None else str(value))

    def write(self, fp, space_around_delimiters=True):
        delimiter = f" {self._delimiters[0]} " if space_around_delimiters else self._delimiters[0]
        sections = list(self._sections.items())
        if self._defaults:
            sections.insert(0, (self.default_section, self._defaults))
        for section, options in sections:
            fp.write(f"[{section}]\n")
            for key, value in options.items():
                value = self._interpolation.before_write(self, section, key, value)
                there = value is not None or not self._allow_no_value
                text = delimiter + str(value).replace("\n", "\n\t") if there else ""
                fp.write(f"{key}{text}\n")
            fp.write("\n")

    # ---- Values ----

    def _values(self, section, vars):
        if section not in self._sections and section != self.default_section:
            raise NoSectionError(section)
        values = {**self._defaults, **self._sections.get(section, {})}
        for key, value in (vars or {}).items():
            values[self.optionxform(key)] = value if value is None else str(value)
        return values

    def get(self, section, option, *, raw=False, vars=None, fallback=_UNSET):
        try:
            values = self._values(section, vars)
        except NoSectionError:
            if fallback is _UNSET:
                raise
            return fallback
        option = self.optionxform(option)
        if option not in values:
            if fallback is _UNSET:
                raise NoOptionError(option, section)
            return fallback
        value = values[option]
        return value if raw or value is None else self._interpolation.before_get(self, section, option, value, values)

    def _get_conv(self, section, option, conv, *, raw=False, vars=None, fallback=_UNSET):
        try:
            value = self.get(section, option, raw=raw, vars=vars)
        except (NoSectionError, NoOptionError):
            if fallback is _UNSET:
                raise
            return fallback
        return conv(value)

    def getint(self, section, option, **keywords):
        return self._get_conv(section, option, int, **keywords)

    def getfloat(self, section, option, **keywords):
        return self._get_conv(section, option, float, **keywords)

    def getboolean(self, section, option, **keywords):
        return self._get_conv(section, option, self._convert_to_boolean, **keywords)

    def _convert_to_boolean(self, value):
        if value.lower() not in self.BOOLEAN_STATES:
            raise ValueError(f"Not a boolean: {value}")
        return self.BOOLEAN_STATES[value.lower()]

    def items(self, section=_UNSET, raw=False, vars=None):
        if section is _UNSET:
            return super().items()
        values = {**self._defaults, **self._options_of(section)}
        names = list(values)
        for key, value in (vars or {}).items():
            values[self.optionxform(key)] = value
        if raw:
            return [(name, values[name]) for name in names]
        return [(name, self._interpolation.before_get(self, section, name, values[name], values)) for name in names]

    def has_option(self, section, option):
        option = self.optionxform(option)
        if not section or section == self.default_section:
            return option in self._defaults
        return section in self._sections and (option in self._sections[section] or option in self._defaults)

    def set(self, section, option, value=None):
        if value:
            value = self._interpolation.before_set(self, section, option, value)
        self._options_of(section)[self.optionxform(option)] = value

    def remove_option(self, section, option):
        options, option = self._options_of(section), self.optionxform(option)
        existed = option in options
        if existed:
            del options[option]
        return existed

    # ---- As a mapping of sections ----

    def __getitem__(self, key):
        if key not in self:
            raise KeyError(key)
        return self._proxies[key]

    def __setitem__(self, key, value):
        if key in self and self[key] is value:
            return
        if key == self.default_section:
            self._defaults.clear()
        elif key in self._sections:
            self._sections[key].clear()
        self.read_dict({key: value})

    def __delitem__(self, key):
        if key == self.default_section:
            raise ValueError("Cannot remove the default section.")
        if not self.remove_section(key):
            raise KeyError(key)

    def __contains__(self, key):
        return key == self.default_section or self.has_section(key)

    def __len__(self):
        return len(self._sections) + 1

    def __iter__(self):
        return iter([self.default_section, *self._sections])

    def popitem(self):
        for key in self.sections():
            value = self[key]
            del self[key]
            return key, value
        raise KeyError


class ConfigParser(RawConfigParser):
    """Whose values are texts, and say `%(name)s` of one another."""

    _DEFAULT_INTERPOLATION = BasicInterpolation()

    def _read_defaults(self, defaults):
        held, self._interpolation = self._interpolation, Interpolation()
        try:
            self.read_dict({self.default_section: defaults})
        finally:
            self._interpolation = held

    def _check(self, option, value):
        if not isinstance(option, str):
            raise TypeError("option keys must be strings")
        if (not self._allow_no_value or value) and not isinstance(value, str):
            raise TypeError("option values must be strings")

    def set(self, section, option, value=None):
        self._check(option, value)
        super().set(section, option, value)

    def add_section(self, section):
        if not isinstance(section, str):
            raise TypeError("section names must be strings")
        super().add_section(section)


class SectionProxy(_MutableMapping):
    """One section, as a mapping of its options."""

    def __init__(self, parser, name):
        self._parser, self._name = parser, name
        for kind in parser._converters:
            setattr(self, "get" + kind, self._getter(kind))

    def _getter(self, kind):
        def get(option, fallback=None, *, raw=False, vars=None, **keywords):
            convert = getattr(self._parser, "get" + kind)
            return convert(self._name, option, raw=raw, vars=vars, fallback=fallback, **keywords)
        return get

    def __repr__(self):
        return f"<Section: {self._name}>"

    def __getitem__(self, key):
        if not self._parser.has_option(self._name, key):
            raise KeyError(key)
        return self._parser.get(self._name, key)

    def __setitem__(self, key, value):
        if not isinstance(key, str):
            raise TypeError("option keys must be strings")
        if (not self._parser._allow_no_value or value) and not isinstance(value, str):
            raise TypeError("option values must be strings")
        self._parser.set(self._name, key, value)

    def __delitem__(self, key):
        if not (self._parser.has_option(self._name, key) and self._parser.remove_option(self._name, key)):
            raise KeyError(key)

    def __contains__(self, key):
        return self._parser.has_option(self._name, key)

    def _names(self):
        if self._name == self._parser.default_section:
            return list(self._parser.defaults())
        return self._parser.options(self._name)

    def __len__(self):
        return len(self._names())

    def __iter__(self):
        return iter(self._names())

    @property
    def parser(self):
        return self._parser

    @property
    def name(self):
        return self._name

    def get(self, option, fallback=None, *, raw=False, vars=None, **keywords):
        return self._parser.get(self._name, option, raw=raw, vars=vars, fallback=fallback, **keywords)
