"""Objects as bytes, and back: CPython's format, protocols 2 to 5.

    data = pickle.dumps({"epoch": 3, "names": ["a", "b"]})
    pickle.loads(data)                       # the same again

Files go both ways between Glint and CPython. Who reads a pickle runs what it names: of a file from
elsewhere `torch.load` reads what is data.
"""
import io

from pickle._errors import PickleError, PicklingError, UnpicklingError
from pickle._reader import Unpickler
from pickle._writer import DEFAULT_PROTOCOL, HIGHEST_PROTOCOL, Pickler


def dump(obj, file, protocol=None, *, fix_imports=True, buffer_callback=None):
    Pickler(file, protocol, fix_imports=fix_imports).dump(obj)


def dumps(obj, protocol=None, *, fix_imports=True, buffer_callback=None):
    file = io.BytesIO()
    Pickler(file, protocol, fix_imports=fix_imports).dump(obj)
    return file.getvalue()


def load(file, *, fix_imports=True, encoding="ASCII", errors="strict", buffers=None):
    return Unpickler(file, fix_imports=fix_imports).load()


def loads(data, /, *, fix_imports=True, encoding="ASCII", errors="strict", buffers=None):
    return load(io.BytesIO(data), fix_imports=fix_imports)
