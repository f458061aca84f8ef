"""Paths as they are written: their parts, their names, and how they come together."""
import fnmatch
import os


def split_root(text):
    """The slashes that a path begins with, and what is behind: of two POSIX leaves open what they mean."""
    behind = text.lstrip("/")
    slashes = len(text) - len(behind)
    return ("//" if slashes == 2 else "/" if slashes else ""), behind


def split_parts(behind):
    """Of what stands behind the root."""
    return [part for part in behind.split("/") if part and part != "."]


class PurePath(os.PathLike):
    """A path without a file: `root` is "", "/" or "//", `_tail` holds the names behind it."""

    def __new__(cls, *args):
        return cls._read(PurePosixPath if cls is PurePath else cls, args)

    def __init__(self, *args):
        pass  # `__new__` has read them: a subclass may do with them what it likes

    @classmethod
    def _read(cls, made, args):
        """A path of the class `made`, of these segments."""
        self = object.__new__(made)
        root, tail = "", []
        for text in map(cls._text_of, args):
            own_root, behind = split_root(text)
            if own_root:
                root, tail = own_root, []
            tail.extend(split_parts(behind))
        self._set(root, tail)
        return self

    @staticmethod
    def _text_of(segment):
        if isinstance(segment, PurePath):
            return str(segment)
        text = os.fspath(segment)
        if not isinstance(text, str):
            raise TypeError(f"argument should be a str object or an os.PathLike object returning str, not {type(text)}")
        return text

    def _set(self, root, tail):
        self.root, self._tail = root, tail
        self._text = root + "/".join(tail) or "."

    def _like(self, root, tail):
        """A path of the same class."""
        path = object.__new__(type(self))
        path._set(root, tail)
        return path

    # ---- What it is ----

    def __str__(self):
        return self._text

    def __fspath__(self):
        return self._text

    def __reduce__(self):
        return type(self), self.parts

    def __repr__(self):
        return f"{type(self).__name__}({self._text!r})"

    def __bytes__(self):
        return self._text.encode()

    def as_posix(self):
        return self._text

    def as_uri(self):
        if not self.root:
            raise ValueError("relative path can't be expressed as a file URI")
        kept = "-._~/"
        quoted = [c if c.isascii() and c.isalnum() or c in kept else "".join([f"%{byte:02X}" for byte in c.encode()]) for c in self._text]
        return "file://" + "".join(quoted)

    def __hash__(self):
        return hash(self._text)

    def __eq__(self, other):
        if not isinstance(other, PurePath):
            return NotImplemented
        return self._text == other._text

    def _order(self):
        return [*([self.root] if self.root else []), *self._tail]

    def __lt__(self, other):
        if not isinstance(other, PurePath):
            return NotImplemented
        return self._order() < other._order()

    def __le__(self, other):
        if not isinstance(other, PurePath):
            return NotImplemented
        return self._order() <= other._order()

    def __gt__(self, other):
        if not isinstance(other, PurePath):
            return NotImplemented
        return self._order() > other._order()

    def __ge__(self, other):
        if not isinstance(other, PurePath):
            return NotImplemented
        return self._order() >= other._order()

    # ---- Its parts ----

    @property
    def drive(self):
        return ""

    @property
    def anchor(self):
        return self.root

    @property
    def parts(self):
        return tuple(self._order())

    @property
    def name(self):
        return self._tail[-1] if self._tail else ""

    @property
    def suffix(self):
        name = self.name
        dot = name.rfind(".")
        return name[dot:] if 0 < dot < len(name) - 1 else ""

    @property
    def suffixes(self):
        name = self.name
        if name.endswith("."):
            return []
        return ["." + part for part in name.lstrip(".").split(".")[1:]]

    @property
    def stem(self):
        name = self.name
        dot = name.rfind(".")
        return name[:dot] if 0 < dot < len(name) - 1 else name

    @property
    def parent(self):
        return self._like(self.root, self._tail[:-1]) if self._tail else self

    @property
    def parents(self):
        return _Parents(self)

    def is_absolute(self):
        return self.root != ""

    def is_reserved(self):
        return False

    # ---- Others made of it ----

    def joinpath(self, *args):
        return type(self)(self, *args)

    def __truediv__(self, key):
        try:
            return type(self)(self, key)
        except TypeError:
            return NotImplemented

    def __rtruediv__(self, key):
        try:
            return type(self)(key, self)
        except TypeError:
            return NotImplemented

    def with_name(self, name):
        if not self.name:
            raise ValueError(f"{self!r} has an empty name")
        if not name or "/" in name or name == ".":
            raise ValueError(f"Invalid name {name!r}")
        return self._like(self.root, [*self._tail[:-1], name])

    def with_stem(self, stem):
        return self.with_name(stem + self.suffix)

    def with_suffix(self, suffix):
        if "/" in suffix or suffix == "." or suffix and not suffix.startswith("."):
            raise ValueError(f"Invalid suffix {suffix!r}")
        name = self.name
        if not name:
            raise ValueError(f"{self!r} has an empty name")
        return self._like(self.root, [*self._tail[:-1], name[:len(name) - len(self.suffix)] + suffix])

    def relative_to(self, *other):
        if not other:
            raise TypeError("need at least one argument")
        base = PurePosixPath(*other)
        mine, theirs = self._order(), base._order()
        if mine[:len(theirs)] != theirs:
            raise ValueError(f"{str(self)!r} is not in the subpath of {str(base)!r} OR one path is relative and the other is absolute.")
        return self._like("" if base.root else self.root, self._tail[len(base._tail):])

    def is_relative_to(self, *other):
        try:
            self.relative_to(*other)
        except ValueError:
            return False
        return True

    def match(self, path_pattern):
        root, behind = split_root(path_pattern)
        wanted = split_parts(behind)
        if not wanted and not root:
            raise ValueError("empty pattern")
        if root:
            if self.root != root or len(wanted) != len(self._tail):
                return False
        elif len(wanted) > len(self.parts):
            return False
        there = self.parts[len(self.parts) - len(wanted):]
        return all([fnmatch.fnmatchcase(part, pattern) for part, pattern in zip(there, wanted)])


class PurePosixPath(PurePath):
    pass


class _Parents:
    """The folders above a path, the nearest first."""

    def __init__(self, path):
        self._path = path

    def __len__(self):
        return len(self._path._tail)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return tuple([self[i] for i in range(*index.indices(len(self)))])
        if not -len(self) <= index < len(self):
            raise IndexError(index)
        above = index + 1 if index >= 0 else len(self) + index + 1
        return self._path._like(self._path.root, self._path._tail[:len(self) - above])

    def __repr__(self):
        return f"<{type(self._path).__name__}.parents>"
