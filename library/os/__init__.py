"""The part of `os` that scripts use: the environment, the working folder, paths."""
import _os
from os import path

name = "posix"
sep = "/"
linesep = "\n"
environ = _os.environ
getcwd = _os.getcwd
listdir = _os.listdir
mkdir = _os.mkdir
remove = _os.remove
unlink = _os.remove
rmdir = _os.rmdir
rename = _os.rename
getpid = _os.getpid
_exit = _os._exit
cpu_count = _os.cpu_count


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


def getenv(key, default=None):
    return environ.get(key, default)


def makedirs(name, mode=0o777, exist_ok=False):
    head, tail = path.split(name)
    if not tail:
        head, tail = path.split(head)
    if head and tail and not path.exists(head):
        makedirs(head, mode, True)
    if path.isdir(name):
        if exist_ok:
            return
    mkdir(name, mode)


def fspath(p):
    if isinstance(p, (str, bytes)):
        return p
    return p.__fspath__()
