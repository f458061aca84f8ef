"""Several arrays in one file: `savez("a.npz", a, labels=b)`, and what `load` gives of it.

    with np.load("a.npz") as arrays:
        arrays.files                 ['labels', 'arr_0']
        arrays["labels"]             read when it is asked for

A `.npz` file is a zip archive of `.npy` files.
"""
import io

from numpy._files import file_bytes, read_array
from torch._archive import Reader, Writer

_SHOWN = 5  # names in what is printed of an archive


class BadZipFile(Exception):
    __module__ = "zipfile"


def _save(file, arrays, named, compressed):
    for number, each in enumerate(arrays):
        name = f"arr_{number}"
        if name in named:
            raise ValueError(f"Cannot use un-named variables and keyword {name}")
        named[name] = each
    own = not hasattr(file, "write")
    name = str(file)
    opened = open(name if name.endswith(".npz") else name + ".npz", "wb") if own else file
    try:
        writer = Writer(opened)
        for name, each in named.items():
            add = writer.add_compressed if compressed else writer.add
            add(name + ".npy", file_bytes(each))
        writer.close()
    finally:
        if own:
            opened.close()


def savez(file, *args, allow_pickle=True, **kwds):
    _save(file, args, kwds, compressed=False)


def savez_compressed(file, *args, allow_pickle=True, **kwds):
    _save(file, args, kwds, compressed=True)


class _Attributes:
    """`archive.f.labels`, for `archive["labels"]`."""

    def __init__(self, archive):
        self._archive = archive

    def __getattr__(self, name):
        try:
            return self._archive[name]
        except KeyError:
            raise AttributeError(name) from None


class NpzFile:
    """The arrays of an archive, by their names; each is read anew when it is asked for."""

    __module__ = "numpy.lib.npyio"

    def __init__(self, file, own):
        try:
            self.zip = Reader(file)
        except RuntimeError:
            if own:
                file.close()
            raise BadZipFile("File is not a zip file") from None
        self.fid = file if own else None
        self._name = getattr(file, "name", "object") if own else "object"
        self._entries = self.zip.names()
        self.files = [name.removesuffix(".npy") for name in self._entries]
        self.f = _Attributes(self)

    def __getitem__(self, key):
        name = key if key in self._entries else f"{key}.npy"
        if name not in self._entries:
            raise KeyError(f"{key} is not a file in the archive")
        if self.zip is None:
            raise AttributeError("'NoneType' object has no attribute 'open'")
        try:
            data = self.zip.read(name)
        except RuntimeError:
            raise BadZipFile(f"Bad CRC-32 for file {name!r}") from None
        return read_array(io.BytesIO(data)) if data[:6] == b"\x93NUMPY" else data

    def __contains__(self, key):
        return key in self._entries or key in self.files

    def __iter__(self):
        return iter(self.files)

    def __len__(self):
        return len(self.files)

    def get(self, key, default=None):
        return self[key] if key in self else default

    def keys(self):
        return list(self.files)

    def values(self):
        return [self[key] for key in self.files]

    def items(self):
        return [(key, self[key]) for key in self.files]

    def close(self):
        if self.fid is not None:
            self.fid.close()
        self.zip = self.fid = None

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()

    def __repr__(self):
        names = ", ".join(self.files[:_SHOWN]) + ("..." if len(self.files) > _SHOWN else "")
        return f"NpzFile {self._name!r} with keys: {names}"
