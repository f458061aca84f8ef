"""Files and folders for a while, under names that nobody else has.

    with tempfile.TemporaryDirectory() as folder:
        ...                                        gone behind the block
"""
import _os
import errno
import os
import random as _random
import shutil

__all__ = ["NamedTemporaryFile", "TemporaryDirectory", "gettempdir", "mkdtemp", "mktemp", "template"]

template = "tmp"
tempdir = None
_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789_"
# Its own, so that a script's random numbers are what they would be.
_names = _random.Random()
_ATTEMPTS = 100


def gettempdir():
    global tempdir
    if tempdir is None:
        wanted = [os.environ.get(name) for name in ("TMPDIR", "TEMP", "TMP")]
        usable = [folder for folder in [*wanted, "/tmp", "/var/tmp", "/usr/tmp"] if folder and os.path.isdir(folder)]
        tempdir = os.path.abspath(usable[0] if usable else os.getcwd())
    return tempdir


def gettempprefix():
    return template


def _paths(suffix, prefix, dir):
    folder = gettempdir() if dir is None else dir
    for _ in range(_ATTEMPTS):
        name = "".join([_names.choice(_LETTERS) for _ in range(8)])
        yield os.path.join(folder, (template if prefix is None else prefix) + name + (suffix or ""))


def mkdtemp(suffix=None, prefix=None, dir=None):
    for path in _paths(suffix, prefix, dir):
        try:
            os.mkdir(path, 0o700)
        except FileExistsError:
            continue
        return path
    raise FileExistsError(errno.EEXIST, "No usable temporary directory name found")


def mktemp(suffix="", prefix=template, dir=None):
    for path in _paths(suffix, prefix, dir):
        if not os.path.lexists(path):
            return path
    raise FileExistsError(errno.EEXIST, "No usable temporary filename found")


def _unless_gone(function, path, error):
    if not isinstance(error[1], FileNotFoundError):
        raise error[1]


class TemporaryDirectory:
    def __init__(self, suffix=None, prefix=None, dir=None, ignore_cleanup_errors=False):
        self.name = mkdtemp(suffix, prefix, dir)
        self._ignores, self._is_there = ignore_cleanup_errors, True

    def __repr__(self):
        return f"<TemporaryDirectory {self.name!r}>"

    def __enter__(self):
        return self.name

    def __exit__(self, kind, value, traceback):
        self.cleanup()

    def __del__(self):
        if getattr(self, "_is_there", False):
            shutil.rmtree(self.name, ignore_errors=True)

    def cleanup(self):
        if self._is_there or os.path.exists(self.name):
            self._is_there = False
            shutil.rmtree(self.name, ignore_errors=self._ignores, onerror=None if self._ignores else _unless_gone)


class _TemporaryFileWrapper:
    """A file that goes away when it is closed, unless `delete` is false."""

    def __init__(self, file, name, delete):
        self.file, self.name, self.delete = file, name, delete

    def __getattr__(self, name):
        return getattr(self.file, name)

    def __iter__(self):
        return iter(self.file)

    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        self.close()

    def __del__(self):
        self.close()

    def close(self):
        if not self.file.closed:
            self.file.close()
            if self.delete:
                os.unlink(self.name)


def NamedTemporaryFile(mode="w+b", buffering=-1, encoding=None, newline=None, suffix=None, prefix=None, dir=None, delete=True, *, errors=None):
    for path in _paths(suffix, prefix, dir):
        path = os.path.abspath(path)
        try:
            _os.create(path, 0o600)
        except FileExistsError:
            continue
        try:
            return _TemporaryFileWrapper(open(path, mode, buffering, encoding, errors, newline), path, delete)
        except ValueError:
            os.unlink(path)
            raise
    raise FileExistsError(errno.EEXIST, "No usable temporary file name found")
