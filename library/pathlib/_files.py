"""Paths of files and folders that are there, or will be."""
import _os
import errno
import os
from pathlib._pure import PurePosixPath, split_parts, split_root
from pathlib._search import find


class Path(PurePosixPath):
    """A path that asks the system, and changes what it finds there."""

    def __new__(cls, *args):
        return cls._read(PosixPath if cls is Path else cls, args)

    @classmethod
    def cwd(cls):
        return cls(os.getcwd())

    @classmethod
    def home(cls):
        return cls("~").expanduser()

    # ---- What is there ----

    def stat(self, *, follow_symlinks=True):
        return os.stat(self, follow_symlinks=follow_symlinks)

    def lstat(self):
        return os.lstat(self)

    def exists(self):
        return os.path.exists(self)

    def is_file(self):
        return os.path.isfile(self)

    def is_dir(self):
        return os.path.isdir(self)

    def is_symlink(self):
        return os.path.islink(self)

    def samefile(self, other_path):
        return os.path.samefile(self, other_path)

    def iterdir(self):
        for name in os.listdir(self):
            yield self / name

    def glob(self, pattern):
        yield from find(self, self._steps(pattern))

    def rglob(self, pattern):
        yield from find(self, ["**", *self._steps(pattern)])

    @staticmethod
    def _steps(pattern):
        if not pattern:
            raise ValueError(f"Unacceptable pattern: {pattern!r}")
        root, behind = split_root(pattern)
        if root:
            raise NotImplementedError("Non-relative patterns are unsupported")
        steps = split_parts(behind)
        for step in steps:
            if "**" in step and step != "**":
                raise ValueError("Invalid pattern: '**' can only be an entire path component")
        return [*steps, ""] if pattern.endswith("/") else steps

    # ---- Where it leads ----

    def absolute(self):
        return self if self.root else type(self)(os.getcwd(), self)

    def resolve(self, strict=False):
        whole = os.path.realpath(self, strict=strict)
        try:
            os.stat(whole)
        except OSError as error:
            if error.errno == errno.ELOOP:
                raise RuntimeError(f"Symlink loop from {error.filename!r}") from None
        return type(self)(whole)

    def expanduser(self):
        if self.root or not self._tail or self._tail[0][:1] != "~":
            return self
        home = os.path.expanduser(self._tail[0])
        if home[:1] == "~":
            raise RuntimeError("Could not determine home directory.")
        return type(self)(home, *self._tail[1:])

    def readlink(self):
        return type(self)(os.readlink(self))

    # ---- What it holds ----

    def open(self, mode="r", buffering=-1, encoding=None, errors=None, newline=None):
        return open(self, mode, buffering, encoding, errors, newline)

    def read_text(self, encoding=None, errors=None):
        with self.open("r", -1, encoding, errors) as file:
            return file.read()

    def read_bytes(self):
        with self.open("rb") as file:
            return file.read()

    def write_text(self, data, encoding=None, errors=None, newline=None):
        if not isinstance(data, str):
            raise TypeError(f"data must be str, not {type(data).__name__}")
        with self.open("w", -1, encoding, errors, newline) as file:
            return file.write(data)

    def write_bytes(self, data):
        with self.open("wb") as file:
            return file.write(data)

    # ---- What changes it ----

    def touch(self, mode=0o666, exist_ok=True):
        if exist_ok:
            try:
                os.utime(self)
                return
            except OSError:
                pass  # it is to be made
        _os.create(self, mode, not exist_ok)

    def mkdir(self, mode=0o777, parents=False, exist_ok=False):
        try:
            os.mkdir(self, mode)
        except FileNotFoundError:
            if not parents or self.parent == self:
                raise
            self.parent.mkdir(0o777, True, True)
            self.mkdir(mode, False, exist_ok)
        except OSError:
            if not exist_ok or not self.is_dir():
                raise

    def chmod(self, mode):
        os.chmod(self, mode)

    def unlink(self, missing_ok=False):
        try:
            os.unlink(self)
        except FileNotFoundError:
            if not missing_ok:
                raise

    def rmdir(self):
        os.rmdir(self)

    def rename(self, target):
        os.rename(self, target)
        return type(self)(target)

    def replace(self, target):
        os.replace(self, target)
        return type(self)(target)

    def symlink_to(self, target, target_is_directory=False):
        os.symlink(target, self)

    def hardlink_to(self, target):
        os.link(target, self)


class PosixPath(Path):
    pass
