"""`torch.save` and `torch.load`: checkpoints in PyTorch's own file format.

    torch.save({"epoch": 3, "model": model.state_dict()}, "model.pt")
    checkpoint = torch.load("model.pt", map_location="cpu")

What else is in it is pickled: `weights_only=False` reads whole modules, and objects of a script's
classes, and runs what the file names.

A file is a zip archive (_archive.py): `data.pkl` says what was saved (_pickle.py), `data/0`, `data/1`
... are the memory of its tensors. Tensors that share memory share it again. Files go both ways between
Glint and PyTorch, where `torch.load` reads them with `weights_only=True`.
"""
import os

import torch
from torch._archive import Reader, Writer
from torch import _pickle
from torch._pickle import UnpicklingError

_NO_GPU = (
    "Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False. If you "
    "are running on a CPU-only machine, please use torch.load with map_location=torch.device('cpu') to "
    "map your storages to the CPU.")


def save(obj, f, pickle_module=None, pickle_protocol=2, _use_new_zipfile_serialization=True):
    """Writes tensors, and containers of them, to a file: a path, or one that is open for writing."""
    if hasattr(f, "write"):
        _write_archive(obj, f, "archive")
        return
    if not isinstance(f, str) and not hasattr(f, "__fspath__"):
        raise AttributeError("expected 'f' to be string, path, or a file-like object with a 'write' "
                             "attribute")
    path = os.fspath(f)
    folder = os.path.dirname(path)
    if folder and not os.path.isdir(folder):
        raise RuntimeError(f"Parent directory {folder} does not exist.")
    if os.path.isdir(path):
        raise RuntimeError(f"File {path} cannot be opened.")
    text, storages = _pickle.write(obj)  # before a file of that name loses what it has
    with open(path, "wb") as file:
        _put_entries(file, os.path.splitext(os.path.basename(path))[0], text, storages)


def _write_archive(obj, file, name):
    _put_entries(file, name, *_pickle.write(obj))


def _put_entries(file, name, text, storages):
    writer = Writer(file)
    writer.add(name + "/data.pkl", text)
    writer.add(name + "/byteorder", b"little")
    for number, flat in storages.items():
        writer.add(f"{name}/data/{number}", flat.cpu())
    writer.add(name + "/version", b"3\n")
    writer.close()


def load(f, map_location=None, pickle_module=None, *, weights_only=True, mmap=None, **pickle_load_args):
    """Reads what `save` wrote, or PyTorch's. `map_location` says which device tensors come to."""
    weights_only = weights_only is None or bool(weights_only)
    if hasattr(f, "read"):
        return _read_archive(f, map_location, weights_only)
    with open(f, "rb") as file:
        return _read_archive(file, map_location, weights_only)


def _read_archive(file, map_location, weights_only):
    start = file.read(4)
    if not start:
        raise EOFError
    if start[:2] == b"\x80\x02":
        raise RuntimeError("the file is of PyTorch before 1.6: load it there, and save it again")
    archive = Reader(file)
    found = [name for name in archive.names() if name.endswith("/data.pkl")]
    if not found:
        raise RuntimeError("PytorchStreamReader failed locating file data.pkl: file not found")
    folder = found[0][:-len("data.pkl")]
    if folder + "byteorder" in archive.names() and archive.read(folder + "byteorder") != b"little":
        raise ValueError("the file was written on a machine of the other byte order")
    storages = {}

    def storage_of(dtype, number, location, count):
        if number not in storages:
            flat = archive.tensor(f"{folder}data/{number}", dtype)
            storages[number] = _moved(flat, location, map_location)
        flat = storages[number]
        if flat.dtype != dtype:
            raise NotImplementedError(f"tensors of {flat.dtype} and {dtype} share memory in the file")
        return flat

    return _pickle.read(archive.read(folder + "data.pkl"), storage_of, weights_only)


def _moved(flat, location, map_location):
    """A storage on the device that it was saved from, or that is asked for."""
    if callable(map_location):
        moved = map_location(flat, location)
        if moved is not None:
            return moved
    elif isinstance(map_location, dict):
        location = map_location.get(location, location)
    elif map_location is not None:
        location = map_location
    device = torch.device(location)
    if device.type == "cuda" and not torch.cuda.is_available():
        raise RuntimeError(_NO_GPU)
    return flat.to(device)


# ---- What `weights_only=True` may make besides ----


def add_safe_globals(safe_globals):
    _pickle.add(safe_globals)


def get_safe_globals():
    return _pickle.added()


def clear_safe_globals():
    _pickle.clear_added()


class safe_globals:
    """These only inside a `with`."""

    def __init__(self, safe_globals):
        self._given = safe_globals

    def __enter__(self):
        self._before = get_safe_globals()
        add_safe_globals(self._given)

    def __exit__(self, kind, value, traceback):
        clear_safe_globals()
        add_safe_globals(self._before)
