"""Tables as text: `reader` and `writer`, `DictReader` and `DictWriter`.

    list(csv.reader(["a,b", '1,"x, y"']))        # [["a", "b"], ["1", "x, y"]]
    csv.writer(file).writerow([1, "x, y"])       # 1,"x, y"

`reader` takes any iterable of lines, a file too, and is a generator; a quoted field may go over
several of them.
"""

QUOTE_MINIMAL, QUOTE_ALL, QUOTE_NONNUMERIC, QUOTE_NONE = range(4)


class Error(Exception):
    pass


class Dialect:
    delimiter = ","
    quotechar = '"'
    escapechar = None
    doublequote = True
    skipinitialspace = False
    lineterminator = "\r\n"
    quoting = QUOTE_MINIMAL
    strict = False


class excel(Dialect):
    pass


class excel_tab(excel):
    delimiter = "\t"


class unix_dialect(Dialect):
    lineterminator = "\n"
    quoting = QUOTE_ALL


_SETTINGS = ("delimiter", "quotechar", "escapechar", "doublequote", "skipinitialspace",
             "lineterminator", "quoting", "strict")
_dialects = {"excel": excel, "excel-tab": excel_tab, "unix": unix_dialect}


def register_dialect(name, dialect=excel, **settings):
    _dialects[name] = _dialect_of(dialect, settings)


def unregister_dialect(name):
    get_dialect(name)
    del _dialects[name]


def get_dialect(name):
    if name not in _dialects:
        raise Error("unknown dialect")
    return _dialects[name]


def list_dialects():
    return list(_dialects)


def _dialect_of(dialect, settings):
    """A dialect with settings of its own, each of a type that makes sense."""
    made = Dialect()
    given = get_dialect(dialect) if isinstance(dialect, str) else dialect
    for name in _SETTINGS:
        setattr(made, name, getattr(given, name, getattr(Dialect, name)))
    for name, value in settings.items():
        if name not in _SETTINGS:
            raise TypeError(f"{name!r} is an invalid keyword argument for this function")
        setattr(made, name, value)
    if made.quotechar is None and "quoting" not in settings:
        made.quoting = QUOTE_NONE
    _check(made)
    return made


def _check(dialect):
    for name in ("delimiter", "quotechar", "escapechar"):
        value = getattr(dialect, name)
        if value is None and name != "delimiter":
            continue
        if not isinstance(value, str):
            kind = "string" if name == "delimiter" else "string or None"
            raise TypeError(f'"{name}" must be {kind}, not {type(value).__name__}')
        if len(value) != 1:
            raise TypeError(f'"{name}" must be a 1-character string')
    if dialect.quoting not in (QUOTE_MINIMAL, QUOTE_ALL, QUOTE_NONNUMERIC, QUOTE_NONE):
        raise TypeError('bad "quoting" value')
    if dialect.quotechar is None and dialect.quoting != QUOTE_NONE:
        raise TypeError("quotechar must be set if quoting enabled")


# ---- Reading -----------------------------------------------------------------------------------


class _Row:
    """A row as it is read, over as many lines as its quoted fields take."""

    def __init__(self, dialect):
        self.dialect = dialect
        self.fields = []
        self.field = ""
        self.was_quoted = False
        self.in_quotes = False

    def end_field(self):
        numeric = self.dialect.quoting == QUOTE_NONNUMERIC and not self.was_quoted
        self.fields.append(float(self.field) if numeric and self.field else self.field)
        self.field = ""
        self.was_quoted = False

    def read(self, line):
        """Whether the row ends with this line."""
        if not self.in_quotes and not self.fields and not self.field and self.is_plain(line):
            self.fields = line.rstrip("\r\n").split(self.dialect.delimiter)
            return True
        at = 0
        is_empty = not (line or self.fields or self.field or self.was_quoted)
        while at < len(line):
            at = self.read_quoted(line, at) if self.in_quotes else self.read_bare(line, at)
            if at < 0:
                return True
        if self.in_quotes:
            return False
        if not is_empty:
            self.end_field()
        return True

    def is_plain(self, line):
        """Whether it is nothing but delimiters and what stands between them."""
        dialect = self.dialect
        text = line.rstrip("\r\n")
        return (text != "" and dialect.quoting != QUOTE_NONNUMERIC and not dialect.skipinitialspace
                and (dialect.quotechar is None or dialect.quotechar not in text)
                and (dialect.escapechar is None or dialect.escapechar not in text)
                and "\r" not in text and "\n" not in text)

    def read_quoted(self, line, at):
        dialect, c = self.dialect, line[at]
        if c == dialect.escapechar:
            self.field += line[at + 1:at + 2]
            return at + 2
        if c != dialect.quotechar:
            self.field += c
            return at + 1
        if dialect.doublequote and line[at + 1:at + 2] == c:
            self.field += c
            return at + 2
        self.in_quotes = False
        after = line[at + 1:at + 2]
        if dialect.strict and after not in ("", dialect.delimiter, "\r", "\n"):
            raise Error(f"'{dialect.delimiter}' expected after '{dialect.quotechar}'")
        return at + 1

    def read_bare(self, line, at):
        """Where it goes on; -1 where the row ends."""
        dialect, c = self.dialect, line[at]
        if c in "\r\n":
            if line[at:].strip("\r\n"):
                raise Error("new-line character seen in unquoted field - do you need to open the file "
                            "in universal-newline mode?")
            if self.fields or self.field or self.was_quoted:
                self.end_field()
            return -1
        if c == dialect.delimiter:
            self.end_field()
        elif c == dialect.escapechar:
            self.field += line[at + 1:at + 2] or "\n"
            return at + 2
        elif c == dialect.quotechar and dialect.quoting != QUOTE_NONE and not (self.field or self.was_quoted):
            self.in_quotes = self.was_quoted = True
        elif not (c == " " and dialect.skipinitialspace and not (self.field or self.was_quoted)):
            self.field += c
        return at + 1


class _Reader:
    def __init__(self, lines, dialect):
        self.dialect = dialect
        self.line_num = 0
        self._lines = iter(lines)

    def __iter__(self):
        return self

    def __next__(self):
        row = _Row(self.dialect)
        while True:
            line = next(self._lines, None)
            if line is None:
                return self._at_end(row)
            if not isinstance(line, str):
                raise Error(f"iterator should return strings, not {type(line).__name__} (the file should "
                            "be opened in text mode)")
            self.line_num += 1
            if row.read(line):
                return row.fields

    def _at_end(self, row):
        if not row.in_quotes:
            raise StopIteration
        if self.dialect.strict:
            raise Error("unexpected end of data")
        row.end_field()
        return row.fields


def reader(csvfile, dialect="excel", **fmtparams):
    """The rows of a table, each a list of texts."""
    return _Reader(csvfile, _dialect_of(dialect, fmtparams))


class DictReader:
    """The rows of a table as dicts; the keys are the first row, if nothing else is said."""

    def __init__(self, f, fieldnames=None, restkey=None, restval=None, dialect="excel", *args, **kwds):
        self._fieldnames = None if fieldnames is None else list(fieldnames)
        self.restkey = restkey
        self.restval = restval
        self.reader = reader(f, dialect, *args, **kwds)
        self.dialect = dialect

    @property
    def line_num(self):
        return self.reader.line_num

    @property
    def fieldnames(self):
        if self._fieldnames is None:
            self._fieldnames = next(self.reader, None)
        return self._fieldnames

    def __iter__(self):
        return self

    def __next__(self):
        names = self.fieldnames
        row = next(self.reader)
        while not row:
            row = next(self.reader)
        made = dict(zip(names, row))
        if len(row) > len(names):
            made[self.restkey] = row[len(names):]
        for name in names[len(row):]:
            made[name] = self.restval
        return made


# ---- Writing -----------------------------------------------------------------------------------


class _Writer:
    def __init__(self, file, dialect):
        self.dialect = dialect
        self._special = [c for c in (dialect.delimiter, dialect.quotechar, dialect.escapechar) if c]
        self._special += list(dialect.lineterminator)
        self._write = file.write

    def writerow(self, row):
        try:
            fields = list(row)
        except TypeError:
            raise Error(f"iterable expected, not {type(row).__name__}") from None
        quoting = self.dialect.quoting
        texts = [self._text(field) for field in fields]
        if len(texts) == 1 and texts[0] == "":
            if quoting == QUOTE_NONE:
                raise Error("single empty field record must be quoted")
            texts[0] = self.dialect.quotechar * 2
        return self._write(self.dialect.delimiter.join(texts) + self.dialect.lineterminator)

    def writerows(self, rows):
        for row in rows:
            self.writerow(row)

    def _text(self, field):
        dialect = self.dialect
        text = "" if field is None else repr(field) if isinstance(field, float) else str(field)
        quotes = dialect.quoting == QUOTE_ALL or (dialect.quoting == QUOTE_NONNUMERIC
                                                  and not isinstance(field, (int, float)))
        if any([c in text for c in self._special]):
            quotes = self._wants_quotes(text) or quotes
            text = "".join([self._before(c) + c for c in text])
        return dialect.quotechar + text + dialect.quotechar if quotes else text

    def _is_escaped(self, c):
        dialect = self.dialect
        return (dialect.quoting == QUOTE_NONE or c == dialect.escapechar
                or (c == dialect.quotechar and not dialect.doublequote))

    def _wants_quotes(self, text):
        return any([c in self._special and not self._is_escaped(c) for c in text])

    def _before(self, c):
        """What stands before a character so that it is only itself."""
        if c in self._special and self._is_escaped(c):
            if not self.dialect.escapechar:
                raise Error("need to escape, but no escapechar set")
            return self.dialect.escapechar
        return c if c == self.dialect.quotechar else ""


def writer(csvfile, dialect="excel", **fmtparams):
    """What writes rows to a file."""
    return _Writer(csvfile, _dialect_of(dialect, fmtparams))


class DictWriter:
    """What writes dicts to a file, their values in the order of the names."""

    def __init__(self, f, fieldnames, restval="", extrasaction="raise", dialect="excel", *args, **kwds):
        self.fieldnames = list(fieldnames)
        self.restval = restval
        if extrasaction.lower() not in ("raise", "ignore"):
            raise ValueError(f"extrasaction ({extrasaction}) must be 'raise' or 'ignore'")
        self.extrasaction = extrasaction
        self.writer = writer(f, dialect, *args, **kwds)

    def writeheader(self):
        return self.writerow(dict(zip(self.fieldnames, self.fieldnames)))

    def _row(self, rowdict):
        if self.extrasaction == "raise":
            wrong = [name for name in rowdict if name not in self.fieldnames]
            if wrong:
                raise ValueError("dict contains fields not in fieldnames: "
                                 + ", ".join([repr(name) for name in wrong]))
        return [rowdict.get(name, self.restval) for name in self.fieldnames]

    def writerow(self, rowdict):
        return self.writer.writerow(self._row(rowdict))

    def writerows(self, rowdicts):
        return self.writer.writerows([self._row(rowdict) for rowdict in rowdicts])
