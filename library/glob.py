"""Files by patterns of the shell, as texts.

    glob.glob("runs/*.pt")                          ["runs/a.pt", "runs/b.pt"], in no order
    glob.glob("**/*.py", recursive=True)            those in folders below too

Names that begin with a dot match only a pattern that does so too, unless `include_hidden` is true.
"""
import fnmatch
import os
import re

__all__ = ["escape", "glob", "iglob"]

_WILD = re.compile("([*?[])")


def has_magic(s):
    return _WILD.search(s) is not None


def escape(pathname):
    return _WILD.sub(r"[\1]", pathname)


def glob(pathname, *, root_dir=None, dir_fd=None, recursive=False, include_hidden=False):
    return list(iglob(pathname, root_dir=root_dir, dir_fd=dir_fd, recursive=recursive, include_hidden=include_hidden))


def iglob(pathname, *, root_dir=None, dir_fd=None, recursive=False, include_hidden=False):
    if dir_fd is not None:
        raise NotImplementedError("dir_fd unavailable on this platform")
    root = "" if root_dir is None else os.fspath(root_dir)
    search = _Search(root, recursive, include_hidden)
    pathname = os.fspath(pathname)
    # "**" is also the folder where it starts, which has no name.
    unnamed = not pathname or recursive and pathname[:2] == "**"
    for path in search.find(pathname, False):
        if path or not unnamed:
            yield path


class _Search:
    def __init__(self, root, recursive, include_hidden):
        self.root, self.recursive, self.include_hidden = root, recursive, include_hidden

    def at(self, path):
        return os.path.join(self.root, path)

    def names(self, folder, folders_only):
        try:
            names = os.listdir(self.at(folder) or ".")
        except OSError:
            return []
        return [name for name in names if not folders_only or os.path.isdir(os.path.join(self.at(folder), name))]

    def shown(self, names):
        return names if self.include_hidden else [name for name in names if not name.startswith(".")]

    def find(self, pathname, folders_only):
        head, last = os.path.split(pathname)
        if not has_magic(pathname):
            if last:
                if os.path.lexists(self.at(pathname)):
                    yield pathname
            elif os.path.isdir(self.at(head)):
                yield pathname
            return
        if head and head != pathname and has_magic(head):
            folders = self.find(head, True)
        else:
            folders = [head]
        for folder in folders:
            for name in self.matches(folder, last, folders_only):
                yield os.path.join(folder, name)

    def matches(self, folder, pattern, folders_only):
        """The names, or ways below, in one folder."""
        if not has_magic(pattern):
            path = os.path.join(self.at(folder), pattern)
            return [pattern] if (os.path.lexists(path) if pattern else os.path.isdir(self.at(folder))) else []
        if self.recursive and pattern == "**":
            return ["", *self.below(folder, folders_only)] if not folder or os.path.isdir(self.at(folder)) else []
        names = self.names(folder, folders_only)
        return fnmatch.filter(names if pattern.startswith(".") else self.shown(names), pattern)

    def below(self, folder, folders_only):
        for name in self.shown(self.names(folder, folders_only)):
            yield name
            for deeper in self.below(os.path.join(folder, name), folders_only):
                yield os.path.join(name, deeper)
