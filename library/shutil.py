"""Whole files and folders: copied, moved, removed.

    shutil.copy("model.pt", "runs/")              'runs/model.pt'
    shutil.rmtree("runs", ignore_errors=True)
"""
import fnmatch
import os
from os import get_terminal_size as _size_of_terminal

_BUFFER = 1 << 20


class Error(OSError):
    pass


class SameFileError(Error):
    pass


def copyfileobj(fsrc, fdst, length=_BUFFER):
    while True:
        part = fsrc.read(length)
        if not part:
            return
        fdst.write(part)


def copyfile(src, dst, *, follow_symlinks=True):
    if os.path.exists(src) and os.path.exists(dst) and os.path.samefile(src, dst):
        raise SameFileError(f"{src!r} and {dst!r} are the same file")
    if not follow_symlinks and os.path.islink(src):
        os.symlink(os.readlink(src), dst)
        return dst
    with open(src, "rb") as source, open(dst, "wb") as target:
        copyfileobj(source, target)
    return dst


def _are_links(src, dst):
    """Links of their own have neither mode nor times that matter."""
    return os.path.islink(src) and os.path.islink(dst)


def copymode(src, dst, *, follow_symlinks=True):
    if follow_symlinks or not _are_links(src, dst):
        os.chmod(dst, os.stat(src).st_mode & 0o7777)


def copystat(src, dst, *, follow_symlinks=True):
    if not follow_symlinks and _are_links(src, dst):
        return
    known = os.stat(src)
    os.utime(dst, (known.st_atime, known.st_mtime))
    copymode(src, dst)


def _within(dst, src):
    """Where a copy goes: into a folder, by its own name."""
    return os.path.join(dst, os.path.basename(src)) if os.path.isdir(dst) else dst


def copy(src, dst, *, follow_symlinks=True):
    dst = _within(dst, src)
    copyfile(src, dst, follow_symlinks=follow_symlinks)
    copymode(src, dst, follow_symlinks=follow_symlinks)
    return dst


def copy2(src, dst, *, follow_symlinks=True):
    dst = _within(dst, src)
    copyfile(src, dst, follow_symlinks=follow_symlinks)
    copystat(src, dst, follow_symlinks=follow_symlinks)
    return dst


def ignore_patterns(*patterns):
    def ignore(path, names):
        return {name for pattern in patterns for name in fnmatch.filter(names, pattern)}

    return ignore


def copytree(src, dst, symlinks=False, ignore=None, copy_function=copy2, ignore_dangling_symlinks=False, dirs_exist_ok=False):
    names = os.listdir(src)
    left_out = ignore(os.fspath(src), names) if ignore is not None else ()
    os.makedirs(dst, exist_ok=dirs_exist_ok)
    errors = []  # what could be copied is

    def copied(source, target):
        if os.path.islink(source) and symlinks:
            os.symlink(os.readlink(source), target)
        elif os.path.isdir(source):
            copytree(source, target, symlinks, ignore, copy_function, ignore_dangling_symlinks, dirs_exist_ok)
        elif os.path.exists(source) or not (os.path.islink(source) and ignore_dangling_symlinks):
            copy_function(source, target)

    for name in names:
        if name in left_out:
            continue
        source, target = os.path.join(src, name), os.path.join(dst, name)
        try:
            copied(source, target)
        except Error as error:
            errors.extend(error.args[0])
        except OSError as error:
            errors.append((source, target, str(error)))
    try:
        copystat(src, dst)
    except OSError as error:
        errors.append((src, dst, str(error)))
    if errors:
        raise Error(errors)
    return dst


def rmtree(path, ignore_errors=False, onerror=None):
    def failed(function, path, error):
        if ignore_errors:
            return
        if onerror is None:
            raise error
        onerror(function, path, (type(error), error, None))

    try:
        os.lstat(path)
    except OSError as error:
        failed(os.lstat, path, error)
        return
    if os.path.islink(path):
        failed(os.path.islink, path, OSError("Cannot call rmtree on a symbolic link"))
        return
    _remove(os.fspath(path), failed)


def _remove(folder, failed):
    """The folder and all below it; of what stays `failed` hears, and may raise."""
    try:
        names = os.listdir(folder)
    except OSError as error:
        failed(os.listdir, folder, error)
        names = []
    for name in names:
        path = os.path.join(folder, name)
        if os.path.isdir(path) and not os.path.islink(path):
            _remove(path, failed)
            continue
        try:
            os.unlink(path)
        except OSError as error:
            failed(os.unlink, path, error)
    try:
        os.rmdir(folder)
    except OSError as error:
        failed(os.rmdir, folder, error)


def _is_within(dst, src):
    return (os.path.abspath(dst) + "/").startswith(os.path.abspath(src) + "/")


def move(src, dst, copy_function=copy2):
    target = dst
    if os.path.isdir(dst):
        if os.path.samefile(src, dst):
            os.rename(src, dst)
            return
        target = os.path.join(dst, os.path.basename(os.fspath(src).rstrip("/")))
        if os.path.exists(target):
            raise Error(f"Destination path '{target}' already exists")
    try:
        os.rename(src, target)
    except OSError:  # another file system, say; what else it was shows again
        if os.path.islink(src):
            os.symlink(os.readlink(src), target)
            os.unlink(src)
        elif os.path.isdir(src):
            if _is_within(dst, src):
                raise Error(f"Cannot move a directory '{src}' into itself '{dst}'.")
            copytree(src, target, symlinks=True, copy_function=copy_function)
            rmtree(src)
        else:
            copy_function(src, target)
            os.unlink(src)
    return target


def which(cmd, mode=1, path=None):
    folders = os.environ.get("PATH", "") if path is None else path
    for file in [cmd] if "/" in cmd else [os.path.join(folder, cmd) for folder in folders.split(os.pathsep)]:
        if os.path.isfile(file) and os.stat(file).st_mode & 0o111:
            return file
    return None


def get_terminal_size(fallback=(80, 24)):
    columns, lines = [int(os.environ.get(name, "0") or 0) for name in ("COLUMNS", "LINES")]
    if columns <= 0 or lines <= 0:
        try:
            size = _size_of_terminal()
        except OSError:
            size = os.terminal_size(fallback)
        columns, lines = columns if columns > 0 else size.columns or fallback[0], lines if lines > 0 else size.lines or fallback[1]
    return os.terminal_size((columns, lines))
