"""The lines of a configuration: sections in brackets, options, values that go on in lines that are indented."""
import re
import sys

from configparser._errors import DuplicateOptionError, DuplicateSectionError, MissingSectionHeaderError, ParsingError

_SECTION = re.compile(r"\[(?P<header>.+)\]")


def option_pattern(delimiters, allow_no_value):
    any_of = "|".join([re.escape(each) for each in delimiters])
    if allow_no_value:
        return re.compile(rf"(?P<option>.*?)\s*(?:(?P<delimiter>{any_of})\s*(?P<value>.*))?$")
    return re.compile(rf"(?P<option>.*?)\s*(?:(?P<delimiter>{any_of})\s*(?P<value>.*))$")


class Reading:
    """One text on its way into a parser."""

    def __init__(self, parser, source):
        self.parser, self.source = parser, source
        self.seen = set()
        self.section = self.name = self.option = self.problem = None
        self.indent = 0

    def _comment_start(self, line):
        """Where a comment begins; None without one."""
        if any([line.strip().startswith(prefix) for prefix in self.parser._comment_prefixes]):
            return 0
        starts = []
        for prefix in self.parser._inline_comment_prefixes:
            at = line.find(prefix)
            while at > 0 and not line[at - 1].isspace():
                at = line.find(prefix, at + 1)
            if at >= 0:
                starts.append(at)
        return min(starts) if starts else None

    def line(self, number, line):
        comment = self._comment_start(line)
        value = line[:comment].strip()
        if not value:
            self._empty(comment)
            return
        indent = len(line) - len(line.lstrip())
        if self.section is not None and self.option and indent > self.indent:
            self.section[self.option].append(value)
            return
        self.indent = indent
        header = _SECTION.match(value)
        if header:
            self._begin(header.group("header"), number)
        elif self.section is None:
            raise MissingSectionHeaderError(self.source, number, line)
        else:
            self._take(value, number, line)

    def _empty(self, comment):
        if not self.parser._empty_lines_in_values:
            self.indent = sys.maxsize  # it ends a value
        elif comment is None and self.section is not None and self.option and self.section[self.option] is not None:
            self.section[self.option].append("")

    def _begin(self, name, number):
        parser = self.parser
        self.name, self.option = name, None
        if name == parser.default_section:
            self.section = parser._defaults
            return
        if name not in parser._sections:
            parser._add(name)
        elif parser._strict and name in self.seen:
            raise DuplicateSectionError(name, self.source, number)
        self.section = parser._sections[name]
        self.seen.add(name)

    def _take(self, value, number, line):
        match = self.parser._option_pattern.match(value)
        if not match or not match.group("option"):
            self.problem = self.problem or ParsingError(self.source)
            self.problem.append(number, repr(line))
            if not match:
                return
        option = self.parser.optionxform(match.group("option").rstrip())
        if self.parser._strict and (self.name, option) in self.seen:
            raise DuplicateOptionError(self.name, option, self.source, number)
        self.seen.add((self.name, option))
        text = match.group("value")
        self.option = option
        self.section[option] = None if text is None else [text.strip()]

    def end(self):
        parser = self.parser
        for section, options in ((parser.default_section, parser._defaults), *parser._sections.items()):
            for name, value in options.items():
                text = "\n".join(value).rstrip() if isinstance(value, list) else value
                options[name] = parser._interpolation.before_read(parser, section, name, text)
        if self.problem:
            raise self.problem
