"""Where a module comes from, and modules of files that are in no folder of `sys.path`.

    spec = spec_from_file_location("settings", "/tmp/settings.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
"""
import sys
import types


class ModuleSpec:
    def __init__(self, name, loader, *, origin=None, is_package=None):
        self.name, self.loader, self.origin = name, loader, origin
        self.has_location = origin is not None

    def __repr__(self):
        return f"ModuleSpec(name={self.name!r}, loader={self.loader!r}, origin={self.origin!r})"


class _FileLoader:
    def __init__(self, path):
        self.path = path

    def exec_module(self, module):
        with open(self.path) as file:
            exec(compile(file.read(), str(self.path), "exec"), module.__dict__)


def resolve_name(name, package):
    """The full name of one that begins with dots."""
    if not name.startswith("."):
        return name
    if not package:
        raise ImportError(f"no package specified for {name!r} (required for relative module names)")
    rest = name.lstrip(".")
    parts = package.split(".")
    above = len(name) - len(rest) - 1
    if above >= len(parts):
        raise ImportError("attempted relative import beyond top-level package")
    base = ".".join(parts[:len(parts) - above])
    return f"{base}.{rest}" if rest else base


def find_spec(name, package=None):
    """None where there is no module of that name; one that is there is imported."""
    name = resolve_name(name, package)
    try:
        __import__(name)
    except ModuleNotFoundError as error:
        if f"'{name}'" in str(error):
            return None
        raise
    path = getattr(sys.modules[name], "__file__", None)
    return ModuleSpec(name, _FileLoader(path), origin=path)


def spec_from_file_location(name, location=None, *, loader=None, submodule_search_locations=None):
    return ModuleSpec(name, loader or _FileLoader(location), origin=str(location))


def module_from_spec(spec):
    module = types.ModuleType(spec.name)
    module.__file__ = spec.origin
    return module
