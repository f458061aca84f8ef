"""Paths as text."""
import _os

sep = "/"
altsep = None
curdir = "."
pardir = ".."
extsep = "."
pathsep = ":"
exists = _os.exists
lexists = _os.lexists
isfile = _os.isfile
isdir = _os.isdir
islink = _os.islink
_fspath = _os.fspath


def getsize(filename):
    return _os.stat(filename)[6]


def getatime(filename):
    return _os.stat(filename)[7]


def getmtime(filename):
    return _os.stat(filename)[8]


def getctime(filename):
    return _os.stat(filename)[9]


def samefile(f1, f2):
    return _os.stat(f1)[1:3] == _os.stat(f2)[1:3]


def isabs(s):
    return _fspath(s).startswith("/")


def join(a, *p):
    path = _fspath(a)
    for part in p:
        if not isinstance(part, (str, bytes)) and not hasattr(type(part), "__fspath__"):
            raise TypeError(f"join() argument must be str, bytes, or os.PathLike object, not {type(part).__name__!r}")
        part = _fspath(part)
        if part.startswith("/"):
            path = part
        elif not path or path.endswith("/"):
            path += part
        else:
            path += "/" + part
    return path


def split(p):
    p = _fspath(p)
    i = p.rfind("/") + 1
    head = p[:i]
    if head and head != "/" * len(head):
        head = head.rstrip("/")
    return head, p[i:]


def basename(p):
    p = _fspath(p)
    return p[p.rfind("/") + 1:]


def dirname(p):
    return split(p)[0]


def splitext(p):
    p = _fspath(p)
    start = p.rfind("/") + 1
    dot = p.rfind(".")
    if dot > start and p[start:dot].strip("."):
        return p[:dot], p[dot:]
    return p, ""


def splitdrive(p):
    return "", _fspath(p)


def normcase(s):
    return _fspath(s)


def normpath(path):
    path = _fspath(path)
    if not path:
        return "."
    slashes = len(path) - len(path.lstrip("/"))
    rooted = slashes > 0
    parts = []
    for part in path.split("/"):
        if part in ("", "."):
            continue
        if part != ".." or (not rooted and not parts) or (parts and parts[-1] == ".."):
            parts.append(part)
        elif parts:
            parts.pop()
    # POSIX leaves open what two slashes mean.
    return ("//" if slashes == 2 else "/" if rooted else "") + "/".join(parts) or "."


def abspath(path):
    return normpath(path if isabs(path) else join(_os.getcwd(), path))


def realpath(filename, *, strict=False):
    filename = _fspath(filename)
    return abspath(_without_links("/" if isabs(filename) else "", filename, strict, {}))


def _without_links(base, path, strict, known):
    """The path from the base, which has no links, to where links lead; `known` has where those that were
    met lead, None while that is being found out."""
    for part in path.split("/"):
        if part == "..":
            base = dirname(base) if basename(base) not in ("", "..") or base == "/" else join(base, "..")
        elif part not in ("", "."):
            base = join(base, part)
            if islink(base) and known.get(base, "") is not None:
                if base not in known:
                    known[base] = None
                    target = _os.readlink(base)
                    known[base] = _without_links("/" if isabs(target) else dirname(base), target, strict, known)
                base = known[base]
            elif strict:
                _os.stat(base)  # raises where nothing is there, or a link leads to itself
    return base


def expanduser(path):
    path = _fspath(path)
    if path == "~" or path.startswith("~/"):
        home = _os.environ.get("HOME")
        return path if home is None else home.rstrip("/") + path[1:] or "/"
    return path


def commonprefix(m):
    if not m:
        return ""
    if not isinstance(m[0], (list, tuple)):
        m = [_fspath(path) for path in m]
    low, high = min(m), max(m)
    for i, c in enumerate(low):
        if c != high[i]:
            return low[:i]
    return low


def commonpath(paths):
    paths = [_fspath(path) for path in paths]
    if not paths:
        raise ValueError("commonpath() arg is an empty sequence")
    rooted = [path.startswith("/") for path in paths]
    if any(rooted) != all(rooted):
        raise ValueError("Can't mix absolute and relative paths")
    split = [[part for part in path.split("/") if part not in ("", ".")] for path in paths]
    first, last = min(split), max(split)
    shared = 0
    while shared < len(first) and shared < len(last) and first[shared] == last[shared]:
        shared += 1
    return ("/" if rooted[0] else "") + "/".join(first[:shared])


def relpath(path, start=None):
    if not _fspath(path):
        raise ValueError("no path specified")
    here = [part for part in abspath(curdir if start is None else start).split("/") if part]
    there = [part for part in abspath(path).split("/") if part]
    shared = 0
    while shared < len(here) and shared < len(there) and here[shared] == there[shared]:
        shared += 1
    return "/".join([".."] * (len(here) - shared) + there[shared:]) or "."
