"""Text in lines of a width.

    wrap("the quick brown fox", 10)      ['the quick', 'brown fox']
    fill("the quick brown fox", 10)      the same, as one text
    dedent("    a\\n      b")             'a\\n  b'

1. `_chunks` cuts the text where a line may end: at spaces, behind hyphens, around long dashes.
2. `_lines` fills one line after the other with chunks. A chunk that is wider than a line is broken.
"""
_WHITESPACE = "\t\n\x0b\x0c\r "
_ENDS_WORD = "!\"'&.,?"


def _is_letter(text, at):
    return 0 <= at < len(text) and (text[at].isalpha() or text[at] == "_")


def _is_word(text, at):
    return at < len(text) and (text[at].isalnum() or text[at] == "_")


def _long_dash(text, at):
    """Where the dashes at `at` end, if they stand between two words; 0 otherwise."""
    end = at
    while text[end:end + 1] == "-":
        end += 1
    between = at > 0 and (_is_word(text, at - 1) or text[at - 1] in _ENDS_WORD)
    return end if end - at > 1 and between and _is_word(text, end) else 0


def _breaks_behind(text, at):
    """Whether a line may end behind the hyphen at `at`: there are two letters on both sides."""
    before = _is_letter(text, at - 1) and (
        _is_letter(text, at - 2) or text[at - 2:at - 1] == "-" and _is_letter(text, at - 3))
    second = at + 3 if text[at + 2:at + 3] == "-" else at + 2
    return before and _is_letter(text, at + 1) and _is_letter(text, second)


def _word_end(text, start, on_hyphens):
    end = start + 1
    while end < len(text) and text[end] not in _WHITESPACE:
        if on_hyphens and text[end] == "-":
            if _breaks_behind(text, end):
                return end + 1
            if _long_dash(text, end):
                return end
        end += 1
    return end


def _chunks(text, on_hyphens):
    chunks, start = [], 0
    while start < len(text):
        end = start
        while end < len(text) and text[end] in _WHITESPACE:
            end += 1
        if end == start:
            dash = _long_dash(text, start) if on_hyphens and text[start] == "-" else 0
            end = dash or _word_end(text, start, on_hyphens)
        chunks.append(text[start:end])
        start = end
    return chunks


class TextWrapper:
    def __init__(self, width=70, initial_indent="", subsequent_indent="", expand_tabs=True,
                 replace_whitespace=True, fix_sentence_endings=False, break_long_words=True,
                 drop_whitespace=True, break_on_hyphens=True, tabsize=8, *, max_lines=None,
                 placeholder=" [...]"):
        if fix_sentence_endings:
            raise NotImplementedError("textwrap: there is no `fix_sentence_endings`")
        self.width = width
        self.initial_indent = initial_indent
        self.subsequent_indent = subsequent_indent
        self.expand_tabs = expand_tabs
        self.replace_whitespace = replace_whitespace
        self.break_long_words = break_long_words
        self.drop_whitespace = drop_whitespace
        self.break_on_hyphens = break_on_hyphens
        self.tabsize = tabsize
        self.max_lines = max_lines
        self.placeholder = placeholder

    def wrap(self, text):
        if self.width <= 0:
            raise ValueError(f"invalid width {self.width!r} (must be > 0)")
        if self.expand_tabs:
            text = text.expandtabs(self.tabsize)
        if self.replace_whitespace:
            for space in _WHITESPACE[:-1]:
                text = text.replace(space, " ")
        return self._lines(_chunks(text, self.break_on_hyphens))

    def fill(self, text):
        return "\n".join(self.wrap(text))

    def _indent(self, lines):
        return self.subsequent_indent if lines else self.initial_indent

    def _lines(self, chunks):
        if self.max_lines is not None:
            indent = self.subsequent_indent if self.max_lines > 1 else self.initial_indent
            if len(indent) + len(self.placeholder.lstrip()) > self.width:
                raise ValueError("placeholder too large for max width")
        lines, at = [], 0
        while at < len(chunks):
            if self.drop_whitespace and lines and not chunks[at].strip():
                at += 1
                continue
            line, at = self._next_line(chunks, at, self.width - len(self._indent(lines)))
            if not line:
                continue
            last = self.max_lines is not None and len(lines) + 1 >= self.max_lines
            if last and any([chunk.strip() for chunk in chunks[at:]]):
                self._cut_short(lines, line)
                break
            lines.append(self._indent(lines) + "".join(line))
        return lines

    def _next_line(self, chunks, at, room):
        """The chunks of the next line, and where the one behind it begins."""
        line, size = [], 0
        while at < len(chunks) and size + len(chunks[at]) <= room:
            line.append(chunks[at])
            size += len(chunks[at])
            at += 1
        if at < len(chunks) and len(chunks[at]) > room:
            if self.break_long_words:  # none of it, too: then a space in front stays, as in CPython
                part = self._part(chunks[at], room - size if room > 0 else 1)
                line.append(chunks[at][:part])
                chunks[at] = chunks[at][part:]
            elif not line:
                line.append(chunks[at])
                at += 1
        if self.drop_whitespace and line and not line[-1].strip():
            line.pop()
        return line, at

    def _part(self, chunk, room):
        """How much of a chunk that no line holds goes into this one."""
        hyphen = chunk.rfind("-", 0, room) if self.break_on_hyphens else -1
        return hyphen + 1 if hyphen > 0 and chunk[:hyphen].strip("-") else room

    def _cut_short(self, lines, line):
        room = self.width - len(self._indent(lines))
        while line:
            if line[-1].strip() and len("".join(line)) + len(self.placeholder) <= room:
                lines.append(self._indent(lines) + "".join(line) + self.placeholder)
                return
            line.pop()
        if lines and len(lines[-1].rstrip()) + len(self.placeholder) <= self.width:
            lines[-1] = lines[-1].rstrip() + self.placeholder
        else:
            lines.append(self._indent(lines) + self.placeholder.lstrip())


def wrap(text, width=70, **options):
    return TextWrapper(width=width, **options).wrap(text)


def fill(text, width=70, **options):
    return TextWrapper(width=width, **options).fill(text)


def shorten(text, width, **options):
    return TextWrapper(width=width, max_lines=1, **options).fill(" ".join(text.strip().split()))


def _common(one, other):
    size = 0
    while size < min(len(one), len(other)) and one[size] == other[size]:
        size += 1
    return one[:size]


def dedent(text):
    lines = [line if line.strip(" \t") else "" for line in text.split("\n")]
    margin = None
    for line in lines:
        if line:
            indent = line[:len(line) - len(line.lstrip(" \t"))]
            margin = indent if margin is None else _common(margin, indent)
    return "\n".join([line[len(margin or ""):] for line in lines])


def indent(text, prefix, predicate=None):
    chosen = predicate or str.strip
    return "".join([prefix + line if chosen(line) else line
                    for line in text.splitlines(keepends=True)])
