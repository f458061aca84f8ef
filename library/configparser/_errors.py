"""What can be wrong with a configuration, in CPython's words."""

MAX_INTERPOLATION_DEPTH = 10


class Error(Exception):
    def __init__(self, msg=""):
        self.message = msg
        super().__init__(msg)

    def __repr__(self):
        return self.message

    __str__ = __repr__


class NoSectionError(Error):
    def __init__(self, section):
        super().__init__(f"No section: {section!r}")
        self.section = section
        self.args = (section,)


def _already_there(what, rest, source, lineno):
    if source is None:
        return f"{what.capitalize()} {rest} already exists"
    line = "" if lineno is None else f" [line {lineno:2d}]"
    return f"While reading from {source!r}{line}: {what} {rest} already exists"


class DuplicateSectionError(Error):
    def __init__(self, section, source=None, lineno=None):
        super().__init__(_already_there("section", repr(section), source, lineno))
        self.section, self.source, self.lineno = self.args = section, source, lineno


class DuplicateOptionError(Error):
    def __init__(self, section, option, source=None, lineno=None):
        super().__init__(_already_there("option", f"{option!r} in section {section!r}", source, lineno))
        self.section, self.option, self.source, self.lineno = self.args = section, option, source, lineno


class NoOptionError(Error):
    def __init__(self, option, section):
        super().__init__(f"No option {option!r} in section: {section!r}")
        self.option, self.section = self.args = option, section


class InterpolationError(Error):
    def __init__(self, option, section, msg):
        super().__init__(msg)
        self.option, self.section = option, section
        self.args = (option, section, msg)


class InterpolationMissingOptionError(InterpolationError):
    def __init__(self, option, section, rawval, reference):
        super().__init__(option, section, f"Bad value substitution: option {option!r} in section {section!r} contains "
                                          f"an interpolation key {reference!r} which is not a valid option name. "
                                          f"Raw value: {rawval!r}")
        self.reference = reference
        self.args = (option, section, rawval, reference)


class InterpolationSyntaxError(InterpolationError):
    """What stands behind a `%` or `$` means nothing."""


class InterpolationDepthError(InterpolationError):
    def __init__(self, option, section, rawval):
        super().__init__(option, section, f"Recursion limit exceeded in value substitution: option {option!r} in "
                                          f"section {section!r} contains an interpolation key which cannot be "
                                          f"substituted in {MAX_INTERPOLATION_DEPTH} steps. Raw value: {rawval!r}")
        self.args = (option, section, rawval)


class ParsingError(Error):
    def __init__(self, source):
        super().__init__(f"Source contains parsing errors: {source!r}")
        self.source, self.errors = source, []
        self.args = (source,)

    def append(self, lineno, line):
        self.errors.append((lineno, line))
        self.message += f"\n\t[line {lineno:2d}]: {line}"


class MissingSectionHeaderError(ParsingError):
    def __init__(self, filename, lineno, line):
        Error.__init__(self, f"File contains no section headers.\nfile: {filename!r}, line: {lineno}\n{line!r}")
        self.source, self.lineno, self.line = self.args = filename, lineno, line
