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
