"""Paths as text."""
import _os

sep = "/"
exists = _os.exists
isfile = _os.isfile
isdir = _os.isdir
getsize = _os.getsize
getmtime = _os.getmtime


def isabs(s):
    return s.startswith("/")


def join(a, *p):
    path = a
    for part in p:
        if part.startswith("/"):
            path = part
        elif not path or path.endswith("/"):
            path += part
        else:
            path += "/" + part
    return path


def split(p):
    i = p.rfind("/") + 1
    head = p[:i]
    if head and head != "/" * len(head):
        head = head.rstrip("/")
    return head, p[i:]


def basename(p):
    return p[p.rfind("/") + 1:]


def dirname(p):
    return split(p)[0]


def splitext(p):
    start = p.rfind("/") + 1
    dot = p.rfind(".")
    if dot > start and p[start:dot].strip("."):
        return p[:dot], p[dot:]
    return p, ""


def normpath(path):
    if not path:
        return "."
    rooted = path.startswith("/")
    parts = []
    for part in path.split("/"):
        if part in ("", "."):
            continue
        if part != ".." or (not rooted and not parts) or (parts and parts[-1] == ".."):
            parts.append(part)
        elif parts:
            parts.pop()
    return ("/" if rooted else "") + "/".join(parts) or "."


def abspath(path):
    return normpath(path if isabs(path) else join(_os.getcwd(), path))


def realpath(path):
    return abspath(path)


def expanduser(path):
    if path == "~" or path.startswith("~/"):
        return _os.environ.get("HOME", "~") + path[1:]
    return path


def commonprefix(m):
    if not m:
        return ""
    low, high = min(m), max(m)
    for i, c in enumerate(low):
        if c != high[i]:
            return low[:i]
    return low


def relpath(path, start="."):
    here = [part for part in abspath(start).split("/") if part]
    there = [part for part in abspath(path).split("/") if part]
    shared = 0
    while shared < len(here) and shared < len(there) and here[shared] == there[shared]:
        shared += 1
    return "/".join([".."] * (len(here) - shared) + there[shared:]) or "."
