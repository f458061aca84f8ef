"""Python's patterns as PCRE2's, which differ in what may be written, not in what it means.

    translated = translate(r"(?P<key>\\w+)=\\1 \\Z", 0)
    translated.text           # "(\\w+)\\=\\g{1}\\ \\z"
    translated.names          # {"key": 1}

Everything that is itself is written so that PCRE2 takes it for nothing else, comments and space of a
verbose pattern are gone, and what Python refuses is refused here, in its words.
"""
from re._flags import (ASCII, DOTALL, IGNORECASE, LOCALE, MULTILINE, RegexFlag, UNICODE, VERBOSE)
from re._source import CONTROLS, DIGITS, HEX_DIGITS, LETTERS, OCTAL_DIGITS, Source, error

# More than any text has characters; so many of them a few million times are an int still.
_MANY = 1 << 40
# PCRE2 counts repetitions up to here.
_MOST_REPETITIONS = 65535
_SPACE = " \t\n\r\v\f"
_SORTS = ("\\d", "\\D", "\\s", "\\S", "\\w", "\\W")
_PLACES = {"\\A": "\\A", "\\b": "\\b", "\\B": "\\B", "\\Z": "\\z"}
_FLAGS = {"i": IGNORECASE, "L": LOCALE, "m": MULTILINE, "s": DOTALL, "x": VERBOSE, "a": ASCII,
          "u": UNICODE}
_WIDE_DIGITS = {"x": 2, "u": 4, "U": 8}


class Translated:
    def __init__(self, text, flags, names, groups, closing):
        self.text = text
        self.flags = flags
        self.names = names
        self.groups = groups
        # The groups in the order in which they end.
        self.closing = closing


class _Item:
    """A piece of a pattern: its text, and how many characters it may match."""

    def __init__(self, text, least=0, most=0, kind="item"):
        self.text = text
        self.least = least
        self.most = most
        # "place" and "repeat" cannot be repeated, "flags" stand for nothing.
        self.kind = kind


def _is_plain(c):
    return c in LETTERS or c in DIGITS or c == "_"


def _literal(c):
    if _is_plain(c):
        return c
    if ord(c) < 128 and c > " ":
        return "\\" + c
    return f"\\x{{{ord(c):x}}}"


class _Reader:
    def __init__(self, given, flags):
        self.source = Source(given)
        self.flags = flags
        self.names = {}
        # By its number: how many characters a group may match; None while it is open.
        self.widths = [None]
        self.closing = []
        # Of the lookbehinds around: groups from this number on are inside.
        self.behind = None
        # Groups that were asked for before they stood anywhere, and where.
        self.later = []

    # ---- Alternatives, sequences, repetitions ----

    def read(self):
        whole = self.alternatives(bool(self.flags & VERBOSE), True)
        if self.source.next() is not None:
            raise self.source.error("unbalanced parenthesis")
        for group, at in self.later:
            if group >= len(self.widths):
                raise self.source.error(f"invalid group reference {group}", at)
        return whole.text

    def alternatives(self, verbose, first=False):
        branches = [self.sequence(verbose, first)]
        while self.source.skip("|"):
            branches.append(self.sequence(verbose or (first and bool(self.flags & VERBOSE))))
        return _Item("|".join([each.text for each in branches]), min([each.least for each in branches]),
                     max([each.most for each in branches]))

    def sequence(self, verbose, first=False):
        source, items = self.source, []
        while True:
            token = source.next()
            if token is None or token in "|)":
                break
            begin = source.at
            source.take()
            if verbose and token in _SPACE:
                continue
            if verbose and token == "#":
                while source.next() is not None and source.take() != "\n":
                    pass
                continue
            bounds = self.repetition(token) if token in "*+?{" else None
            if bounds:
                items[-1:] = [self.repeated(items, bounds, begin)]
                continue
            item = self.item(token, begin, verbose, first and not items)
            if item.kind == "flags":
                verbose = verbose or bool(self.flags & VERBOSE)
            elif item.text:
                items.append(item)
        return _Item("".join([each.text for each in items]),
                     min(sum([each.least for each in items]), _MANY),
                     min(sum([each.most for each in items]), _MANY))

    def repetition(self, token):
        """The least and the most; None if the brace is only a brace."""
        if token != "{":
            return {"*": (0, _MANY), "+": (1, _MANY), "?": (0, 1)}[token]
        source, begin = self.source, self.source.at
        if source.next() == "}":
            return None
        least = source.take_while(_MANY, DIGITS)
        most = least
        if source.skip(","):
            most = source.take_while(_MANY, DIGITS)
        if not source.skip("}"):
            source.at = begin
            return None
        bounds = int(least or 0), int(most) if most else _MANY
        for bound in bounds:
            if _MOST_REPETITIONS < bound < _MANY:
                raise OverflowError("the repetition number is too large")
        if bounds[1] < bounds[0]:
            raise source.error("min repeat greater than max repeat", begin)
        return bounds

    def repeated(self, items, bounds, begin):
        if not items or items[-1].kind == "place":
            raise self.source.error("nothing to repeat", begin)
        item = items[-1]
        if item.kind == "repeat":
            raise self.source.error("multiple repeat", begin)
        least, most = bounds
        text = item.text + f"{{{least},{'' if most == _MANY else most}}}"
        for how in "?+":
            if self.source.skip(how):
                text += how
                break
        if item.most and most == _MANY:
            longest = _MANY
        else:
            longest = min(item.most * most, _MANY)
        return _Item(text, min(item.least * least, _MANY), longest, "repeat")

    # ---- What is not made of others ----

    def item(self, token, begin, verbose, first):
        if token == "(":
            return self.group(begin, verbose, first)
        if token == "[":
            return self.set_of(begin)
        if token == ".":
            return _Item(".", 1, 1)
        if token in "^$":
            return _Item(token, kind="place")
        if len(token) == 1:
            return _Item(_literal(token), 1, 1)
        if token in _PLACES:
            return _Item(_PLACES[token], kind="place")
        if token in _SORTS:
            return _Item(token, 1, 1)
        if token[1] in "123456789":
            return self.reference_or_octal(token, begin)
        return _Item(_literal(self.escaped(token, begin)), 1, 1)

    def escaped(self, token, begin):
        """The character that an escape stands for."""
        source, c = self.source, token[1]
        if c in CONTROLS and c != "b":
            return CONTROLS[c]
        if c == "x" or (c in "uU" and source.is_text):
            digits = source.take_while(_WIDE_DIGITS[c], HEX_DIGITS)
            if len(digits) < _WIDE_DIGITS[c]:
                raise source.error(f"incomplete escape \\{c}{digits}", begin)
            code = int(digits, 16)
            if code > 0x10ffff:
                raise source.error(f"bad escape \\{c}{digits}", begin)
            return chr(code)
        if c == "N" and source.is_text:
            if not source.skip("{"):
                raise source.error("missing {")
            raise source.error("characters by their names are not supported, write \\u or \\U", begin)
        if c == "0":
            return chr(int("0" + source.take_while(2, OCTAL_DIGITS), 8))
        if c in LETTERS:
            raise source.error(f"bad escape {token}", begin)
        return c

    def octal(self, digits, begin):
        if int(digits, 8) > 0o377:
            raise self.source.error(f"octal escape value \\{digits} outside of range 0-0o377", begin)
        return chr(int(digits, 8))

    def reference_or_octal(self, token, begin):
        source, digits = self.source, token[1]
        digits += source.take_while(1, DIGITS)
        octal = len(digits) == 2 and digits[0] in OCTAL_DIGITS and digits[1] in OCTAL_DIGITS
        if octal and source.next() is not None and source.next() in OCTAL_DIGITS:
            return _Item(_literal(self.octal(digits + source.take(), begin)), 1, 1)
        group = int(digits)
        if group >= len(self.widths):
            raise source.error(f"invalid group reference {group}", begin + 1)
        return self.reference(group, begin)

    def reference(self, group, begin):
        if self.widths[group] is None:
            raise self.source.error("cannot refer to an open group", begin)
        self.check_behind(group)
        return _Item(f"\\g{{{group}}}", self.widths[group][0], self.widths[group][1])

    def check_behind(self, group):
        if self.behind is not None and group >= self.behind:
            raise self.source.error("cannot refer to group defined in the same lookbehind subpattern")

    def set_of(self, begin):
        """`[...]`: one of these characters, or none of them."""
        source = self.source
        text = "[^" if source.skip("^") else "["
        empty = True
        while True:
            at = source.at
            token = source.take()
            if token is None:
                raise source.error("unterminated character set", begin)
            if token == "]" and not empty:
                break
            empty = False
            low = self.member(token, at)
            if not source.skip("-"):
                text += low if low in _SORTS else _literal(low)
                continue
            at_other = source.at
            other = source.take()
            if other is None:
                raise source.error("unterminated character set", begin)
            if other == "]":
                text += (low if low in _SORTS else _literal(low)) + "\\-"
                break
            high = self.member(other, at_other)
            if low in _SORTS or high in _SORTS or ord(high) < ord(low):
                raise source.error(f"bad character range {token}-{other}",
                                   source.at - len(token) - 1 - len(other))
            text += f"{_literal(low)}-{_literal(high)}"
        return _Item(text + "]", 1, 1)

    def member(self, token, begin):
        """A character of a set, or a sort of characters as it is written."""
        if len(token) == 1 or token in _SORTS:
            return token
        if token == "\\b":
            return "\b"
        if token[1] in OCTAL_DIGITS:
            return self.octal(token[1] + self.source.take_while(2, OCTAL_DIGITS), begin)
        if token[1] in DIGITS:
            raise self.source.error(f"bad escape {token}", begin)
        return self.escaped(token, begin)

    # ---- Groups ----

    def group(self, begin, verbose, first):
        source = self.source
        if not source.skip("?"):
            return self.capturing(None, begin, verbose)
        kind = source.take()
        if kind is None:
            raise source.error("unexpected end of pattern")
        if kind == "P":
            return self.named(begin, verbose)
        if kind == "#":
            while source.take() != ")":
                if source.next() is None:
                    raise source.error("missing ), unterminated comment", begin)
            return _Item("")
        if kind in ":>":
            return self.enclosed("(?" + kind, begin, verbose)
        if kind in "=!":
            return _Item(self.enclosed("(?" + kind, begin, verbose).text)
        if kind == "<":
            return self.looking_behind(begin, verbose)
        if kind == "(":
            return self.conditional(begin, verbose)
        if kind in _FLAGS or kind == "-":
            return self.with_flags(kind, begin, verbose, first)
        raise source.error(f"unknown extension ?{kind}", source.at - len(kind) - 1)

    def enclosed(self, opening, begin, verbose):
        inside = self.alternatives(verbose)
        if not self.source.skip(")"):
            raise self.source.error("missing ), unterminated subpattern", begin)
        return _Item(f"{opening}{inside.text})", inside.least, inside.most)

    def capturing(self, name, begin, verbose):
        group = len(self.widths)
        if name is not None:
            if name in self.names:
                raise self.source.error(f"redefinition of group name {name!r} as group {group}; "
                                        f"was group {self.names[name]}",
                                        self.source.at - len(name) - 1)
            self.names[name] = group
        self.widths.append(None)
        item = self.enclosed("(", begin, verbose)
        self.widths[group] = item.least, item.most
        self.closing.append(group)
        return item

    def named(self, begin, verbose):
        source = self.source
        if source.skip("<"):
            name = source.take_name(">")
            source.check_name(name)
            return self.capturing(name, begin, verbose)
        if source.skip("="):
            at = source.at
            name = source.take_name(")")
            source.check_name(name)
            if name not in self.names:
                raise source.error(f"unknown group name {name!r}", at)
            return self.reference(self.names[name], at)
        kind = source.take()
        if kind is None:
            raise source.error("unexpected end of pattern")
        raise source.error("unknown extension ?P" + kind, source.at - len(kind) - 2)

    def looking_behind(self, begin, verbose):
        source = self.source
        kind = source.take()
        if kind is None:
            raise source.error("unexpected end of pattern")
        if kind not in "=!":
            raise source.error("unknown extension ?<" + kind, source.at - len(kind) - 2)
        outer = self.behind
        if outer is None:
            self.behind = len(self.widths)
        item = self.enclosed("(?<" + kind, begin, verbose)
        self.behind = outer
        if item.least != item.most:
            raise error("look-behind requires fixed-width pattern")
        return _Item(item.text)

    def conditional(self, begin, verbose):
        """`(?(1)yes|no)`, by whether a group took part."""
        source, at = self.source, self.source.at
        name = source.take_name(")")
        if name.isidentifier():
            if name not in self.names:
                raise source.error(f"unknown group name {name!r}", at)
            group = self.names[name]
        elif name.isdigit():
            group = int(name)
            if group == 0:
                raise source.error("bad group number", at)
        else:
            raise source.error(f"bad character in group name {name!r}", at)
        self.check_behind(group)
        yes, no = self.sequence(verbose), _Item("")
        if source.skip("|"):
            no = self.sequence(verbose)
            if source.next() == "|":
                raise source.error("conditional backref with more than two branches")
        if not source.skip(")"):
            raise source.error("missing ), unterminated subpattern", begin)
        self.later.append((group, at))
        return _Item(f"(?({group}){yes.text}|{no.text})", min(yes.least, no.least),
                     max(yes.most, no.most))

    def with_flags(self, kind, begin, verbose, first):
        """`(?i)` for all of the pattern, `(?i-s:...)` for a part."""
        source = self.source
        on, off = RegexFlag(0), RegexFlag(0)
        token = kind
        while token != "-":
            if token in ("a", "u", "L"):
                self.check_sort(token, on)
            on |= _FLAGS[token]
            token = source.take()
            if token is None:
                raise source.error("missing -, : or )")
            if token in ")-:":
                break
            if token not in _FLAGS:
                raise source.error("unknown flag" if token.isalpha() else "missing -, : or )",
                                   source.at - len(token))
        if token == ")":
            if not first:
                raise source.error("global flags not at the start of the expression", begin)
            self.flags |= on
            return _Item("", kind="flags")
        if on & (ASCII | LOCALE | UNICODE):
            raise source.error("flags `a`, `u` and `L` of a part are not supported, only those of "
                               "the whole pattern", begin)
        if token == "-":
            off = self.flags_off(on)
        text = "".join([letter for letter in "ims" if on & _FLAGS[letter]])
        without = "".join([letter for letter in "ims" if off & _FLAGS[letter]])
        verbose = bool((verbose or on & VERBOSE) and not off & VERBOSE)
        return self.enclosed(f"(?{text}{'-' + without if without else ''}:", begin, verbose)

    def check_sort(self, token, on):
        source = self.source
        if token == "L" and source.is_text:
            raise source.error("bad inline flags: cannot use 'L' flag with a str pattern")
        if token == "u" and not source.is_text:
            raise source.error("bad inline flags: cannot use 'u' flag with a bytes pattern")
        if on & (ASCII | LOCALE | UNICODE) & ~_FLAGS[token]:
            raise source.error("bad inline flags: flags 'a', 'u' and 'L' are incompatible")

    def flags_off(self, on):
        source, off = self.source, RegexFlag(0)
        token = source.take()
        if token is None:
            raise source.error("missing flag")
        if token not in _FLAGS:
            raise source.error("unknown flag" if token.isalpha() else "missing flag",
                               source.at - len(token))
        while True:
            if _FLAGS[token] & (ASCII | LOCALE | UNICODE):
                raise source.error("bad inline flags: cannot turn off flags 'a', 'u' and 'L'")
            off |= _FLAGS[token]
            token = source.take()
            if token is None:
                raise source.error("missing :")
            if token == ":":
                break
            if token not in _FLAGS:
                raise source.error("unknown flag" if token.isalpha() else "missing :",
                                   source.at - len(token))
        if on & off:
            raise source.error("bad inline flags: flag turned on and off", source.at - 1)
        return off


def translate(given, flags):
    """The pattern for PCRE2; raises `error` for what Python refuses."""
    reader = _Reader(given, flags)
    text = reader.read()
    flags = reader.flags
    if isinstance(given, str):
        if flags & LOCALE:
            raise ValueError("cannot use LOCALE flag with a str pattern")
        if flags & ASCII and flags & UNICODE:
            raise ValueError("ASCII and UNICODE flags are incompatible")
        if not flags & ASCII:
            flags |= UNICODE
    elif flags & UNICODE:
        raise ValueError("cannot use UNICODE flag with a bytes pattern")
    return Translated(text, flags, reader.names, len(reader.widths) - 1, reader.closing)
