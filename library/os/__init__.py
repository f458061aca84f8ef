"""The part of `os` that scripts use: the environment, the working folder, files and folders."""
import _os
from os import path
from os.path import altsep, curdir, extsep, pardir, pathsep, sep

name = "posix"
linesep = "\n"
devnull = "/dev/null"
environ = _os.environ
fspath = _os.fspath
getcwd = _os.getcwd
chdir = _os.chdir
listdir = _os.listdir
mkdir = _os.mkdir
chmod = _os.chmod
remove = _os.remove
unlink = _os.remove
rmdir = _os.rmdir
rename = _os.rename
replace = _os.rename
link = _os.link
symlink = _os.symlink
readlink = _os.readlink
access = _os.access
F_OK, R_OK, W_OK, X_OK = 0, 4, 2, 1
error = OSError
getpid = _os.getpid
_exit = _os._exit
cpu_count = _os.cpu_count


def urandom(size, /):
    """Bytes that nobody can foretell."""
    import _hashing
    return _hashing.random_bytes(size)


class PathLike:
    """What stands for a path: its `__fspath__` gives the text."""

    def __fspath__(self):
        raise NotImplementedError


class terminal_size(tuple):
    """Columns and lines."""

    @property
    def columns(self):
        return self[0]

    @property
    def lines(self):
        return self[1]

    def __repr__(self):
        return f"os.terminal_size(columns={self.columns}, lines={self.lines})"


def get_terminal_size(fd=1):
    return terminal_size(_os.get_terminal_size(fd))


_STAT_FIELDS = ("st_mode", "st_ino", "st_dev", "st_nlink", "st_uid", "st_gid", "st_size", "st_atime", "st_mtime", "st_ctime")
_NANOSECONDS = ("st_atime_ns", "st_mtime_ns", "st_ctime_ns")


class stat_result(tuple):
    """What the system knows of a file: ten numbers, of which the times are whole seconds."""

    def __new__(cls, known):
        self = tuple.__new__(cls, [int(number) for number in known[:len(_STAT_FIELDS)]])
        for field, number in zip(_STAT_FIELDS + _NANOSECONDS, known):
            setattr(self, field, number)
        return self

    def __repr__(self):
        shown = [f"{field}={number}" for field, number in zip(_STAT_FIELDS, self)]
        return f"os.stat_result({', '.join(shown)})"


def stat(path, *, follow_symlinks=True):
    return stat_result(_os.stat(path, follow_symlinks))


def lstat(path):
    return stat_result(_os.stat(path, False))


def utime(path, times=None):
    if times is None:
        _os.utime(path)
    elif isinstance(times, tuple) and len(times) == 2:
        _os.utime(path, *times)
    else:
        raise TypeError("utime: 'times' must be either a tuple of two ints or None")


def getenv(key, default=None):
    return environ.get(key, default)


def makedirs(name, mode=0o777, exist_ok=False):
    head, tail = path.split(name)
    if not tail:
        head, tail = path.split(head)
    if head and tail and not path.exists(head):
        makedirs(head, 0o777, True)
        if tail == ".":
            return
    try:
        mkdir(name, mode)
    except OSError:
        if not exist_ok or not path.isdir(name):
            raise


def removedirs(name):
    rmdir(name)
    head, tail = path.split(fspath(name).rstrip("/"))
    while head and tail:
        try:
            rmdir(head)
        except OSError:
            return
        head, tail = path.split(head)


def walk(top, topdown=True, onerror=None, followlinks=False):
    """(folder, names of folders, names of files) of the folder and all below it."""
    top = fspath(top)
    try:
        names = listdir(top)
    except OSError as error:
        if onerror is not None:
            onerror(error)
        return
    folders, files = [], []
    for name in names:
        (folders if path.isdir(path.join(top, name)) else files).append(name)
    if topdown:
        yield top, folders, files
    for name in folders:
        below = path.join(top, name)
        if followlinks or not path.islink(below):
            yield from walk(below, topdown, onerror, followlinks)
    if not topdown:
        yield top, folders, files
