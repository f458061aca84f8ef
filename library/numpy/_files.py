"""Arrays in files: `save("a.npy", a)`, `load("a.npy")`, `loadtxt`, `savetxt`; and their bytes.

A `.npy` file is a line of text, a Python dict that says dtype and shape, and the elements as they lie in
memory, the least byte first.
"""
import io
import json

import _storage
from numpy._array import wrap
from numpy._dtypes import dtype_of
from numpy._mapped import tofile
from numpy._values import array, asarray

_MAGIC = b"\x93NUMPY"


def bytes_of(a):
    """The elements in order, as they lie in memory."""
    file = io.BytesIO()
    tofile(asarray(a)._tensor, file)
    return file.getvalue()


def frombuffer(buffer, dtype=float, count=-1, offset=0, *, like=None):
    """The array of bytes; a copy, which may not be written."""
    from numpy._array import locked

    wanted = dtype_of(dtype)
    data = bytes(buffer)[offset:]
    if len(data) % wanted.itemsize and count < 0:
        raise ValueError("buffer size must be a multiple of element size")
    count = len(data) // wanted.itemsize if count < 0 else count
    if count * wanted.itemsize > len(data):
        raise ValueError("buffer is smaller than requested size")
    return locked(_storage.read(io.BytesIO(data), count, wanted._torch)[0])


def _header(a, backwards):
    text = f"{{'descr': '{a.dtype.str}', 'fortran_order': {backwards}, 'shape': {a.shape}, }}"
    room = -(len(_MAGIC) + 4 + len(text) + 1) % 64
    text += " " * room + "\n"
    return _MAGIC + b"\x01\x00" + len(text).to_bytes(2, "little") + text.encode("latin-1")


def file_bytes(arr):
    """What stands in a `.npy` file."""
    a = asarray(arr)
    # The order of axes in memory is kept where it is one of the two that a file can say.
    backwards = a.flags.fnc
    return _header(a, backwards) + bytes_of(a.T if backwards else a)


def save(file, arr, allow_pickle=True):
    data = file_bytes(arr)
    if hasattr(file, "write"):
        file.write(data)
        return
    name = str(file)
    with open(name if name.endswith(".npy") else name + ".npy", "wb") as opened:
        opened.write(data)


def load(file, mmap_mode=None, allow_pickle=False, fix_imports=True, encoding="ASCII"):
    if mmap_mode is not None:
        raise NotImplementedError("mmap_mode is not there")
    own = not hasattr(file, "read")
    opened = open(file, "rb") if own else file
    begin = opened.tell()
    start = opened.read(8)
    opened.seek(begin)
    if start[:2] == b"PK":
        from numpy._archives import NpzFile
        return NpzFile(opened, own)
    try:
        return read_array(opened)
    finally:
        if own:
            opened.close()


def read_array(file):
    """The array of a `.npy` file that stands at its beginning."""
    start = file.read(8)
    if not start:
        raise EOFError("No data left in file")
    if start[:6] != _MAGIC:
        raise ValueError("This file contains pickled (object) data. If you trust the file you can load it unsafely "
                         "using the `allow_pickle=` keyword argument or `pickle.load()`.")
    size = int.from_bytes(file.read(2 if start[6] == 1 else 4), "little")
    header = _parsed(file.read(size).decode("latin-1"))
    count = 1
    for each in header["shape"]:
        count *= each
    wanted = dtype_of(header["descr"])
    flat = _storage.read(io.BytesIO(file.read(count * wanted.itemsize)), count, wanted._torch)[0]
    if header["fortran_order"]:
        rank = len(header["shape"])
        return wrap(flat.reshape(tuple(reversed(header["shape"]))).permute(tuple(reversed(range(rank)))))
    return wrap(flat.reshape(header["shape"]))


def _parsed(text):
    """The dict that a header is, of texts, bools and tuples of ints: read as JSON, so that nothing runs."""
    for python, plain in (("'", '"'), ("False", "false"), ("True", "true"), ("(", "["), (")", "]"), (", }", "}"),
                          (",]", "]")):
        text = text.replace(python, plain)
    header = json.loads(text.strip())
    if sorted(header) != ["descr", "fortran_order", "shape"]:
        raise ValueError(f"Header does not contain the correct keys: {list(header)}")
    return header


def savetxt(fname, X, fmt="%.18e", delimiter=" ", newline="\n", header="", footer="", comments="# ", encoding=None):
    """Rows of numbers as lines of text."""
    a = asarray(X)
    rows = a.reshape(-1, 1) if a.ndim == 1 else a
    lines = [comments + header] if header else []
    for row in rows.tolist():
        formats = [fmt] * len(row) if isinstance(fmt, str) else fmt
        lines.append(delimiter.join([each % value for each, value in zip(formats, row)]))
    lines += [comments + footer] if footer else []
    text = "".join([line + newline for line in lines])
    if hasattr(fname, "write"):
        fname.write(text)
        return
    with open(fname, "w") as opened:
        opened.write(text)


def _lines_of(fname):
    """The lines of a file by its name or path, of an open one, or of a list of them."""
    return list(fname) if not isinstance(fname, str) and hasattr(fname, "__iter__") else open(fname).readlines()


def loadtxt(fname, dtype=float, comments="#", delimiter=None, converters=None, skiprows=0, usecols=None, unpack=False,
            ndmin=0, encoding=None, max_rows=None):
    """Numbers of lines of text."""
    if converters is not None:
        raise NotImplementedError("converters are not there")
    rows = []
    for line in _lines_of(fname)[skiprows:]:
        text = line.split(comments)[0].strip() if comments else line.strip()
        if text and (max_rows is None or len(rows) < max_rows):
            cells = text.split(delimiter)
            chosen = cells if usecols is None else [cells[each] for each in
                                                    ([usecols] if isinstance(usecols, int) else usecols)]
            rows.append([float(each) for each in chosen])
    made = array(rows).astype(dtype).squeeze()
    while made.ndim < ndmin:
        made = made.reshape(1, *made.shape)
    return made.T if unpack else made


def _number(text, parse, missing):
    try:
        return parse(text)
    except ValueError:
        return missing


def genfromtxt(fname, dtype=float, comments="#", delimiter=None, skip_header=0, skip_footer=0, converters=None,
               missing_values=None, filling_values=None, usecols=None, names=None, *, unpack=False, max_rows=None,
               encoding=None, ndmin=0):
    """Numbers of lines of text; where there is none, NaN, -1 among ints, or `filling_values`."""
    if dtype is None or names is not None or converters is not None or missing_values is not None:
        raise NotImplementedError("genfromtxt() has no columns of several types here, and no names and converters: "
                                  "read them with `csv`")
    is_whole = not array([]).astype(dtype)._tensor.is_floating_point()
    parse = int if is_whole else float
    missing = filling_values if filling_values is not None else -1 if is_whole else float("nan")
    rows, wrong = [], []
    lines = _lines_of(fname)[skip_header:]
    for place, line in enumerate(lines[:len(lines) - skip_footer]):
        text = (line.split(comments)[0] if comments else line).strip("\r\n" if delimiter else None)
        if not text.strip() or (max_rows is not None and len(rows) == max_rows):
            continue
        cells = text.split(delimiter)
        if rows and len(cells) != len(rows[0]):
            wrong.append(f"    Line #{place + skip_header + 1} (got {len(cells)} columns instead of {len(rows[0])})")
        rows.append(cells)
    if wrong:
        raise ValueError("Some errors were detected !\n" + "\n".join(wrong))
    if usecols is not None:
        usecols = [usecols] if isinstance(usecols, int) else usecols
        rows = [[row[each] for each in usecols] for row in rows]
    made = array([[_number(cell.strip(), parse, missing) for cell in row] for row in rows]).astype(dtype).squeeze()
    while made.ndim < ndmin:
        made = made.reshape(1, *made.shape)
    return made.T if unpack else made
