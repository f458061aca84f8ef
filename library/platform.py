"""The machine and the system, as texts."""
import sys


def _kernel(name):
    with open(f"/proc/sys/kernel/{name}") as file:
        return file.read().strip()


def system():
    return "Linux"


def machine():
    return "x86_64"


def processor():
    return ""


def node():
    return _kernel("hostname")


def release():
    return _kernel("osrelease")


def version():
    return _kernel("version")


def architecture():
    return "64bit", "ELF"


def platform(aliased=False, terse=False):
    return f"{system()}-{release()}-{machine()}"


def python_version():
    return ".".join([str(part) for part in sys.version_info[:3]])


def python_version_tuple():
    return tuple(python_version().split("."))


def python_implementation():
    return "CPython"
