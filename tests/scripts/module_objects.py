# Modules that a script makes: types.ModuleType, importlib.
import gc
import importlib
import importlib.util
import os
import platform
import sys
import tempfile
import types

import torch

module = types.ModuleType("settings", "its doc")
exec("b = [1]\ndef g():\n    global b\n    b = b + [2]\n    return b\nclass K:\n    def h(self): return b\n", module.__dict__)
g, K = module.g, module.K
print(module, module.__doc__, vars(module)["__name__"], g(), K().h(), K.__module__, module.b)
module.b = []
print(g(), module.__dict__["b"], types.ModuleType("empty").__spec__)
sys.modules["settings"] = module
import settings

print(settings is module, importlib.import_module("settings") is module)
del module, settings, sys.modules["settings"]
gc.collect()
print(g(), K().h())


def told(call):
    try:
        print(call())
    except Exception as error:
        print(type(error).__name__, str(error).split(";")[0])


told(lambda: types.ModuleType())
told(lambda: types.ModuleType(3))
told(lambda: types.ModuleType("m").missing)

# What a module does is traced as any other's.
made = types.ModuleType("made")
exec("import torch\nw = torch.ones(2)\ndef f(x): return x * w", made.__dict__)
f = torch.compile(made.f, backend="eager")
print(f(torch.arange(2.0)))
made.w = torch.zeros(2)
print(f(torch.arange(2.0)))

# Imports by a name that is computed.
print(importlib.import_module("os.path") is os.path, importlib.import_module(".nn", "torch") is torch.nn)
print(importlib.import_module("torch.optim").SGD is torch.optim.SGD)
told(lambda: importlib.import_module("no_such_module"))
told(lambda: importlib.import_module(".nn"))
print(importlib.util.find_spec("no_such_module"), importlib.util.find_spec("json").name, importlib.util.find_spec("torch.nn") is not None)
print(importlib.util.resolve_name("..a", "p.q.r"), importlib.util.resolve_name(".", "p"), importlib.util.resolve_name("x", None))
told(lambda: importlib.util.resolve_name("...a", "p.q"))

with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "extra.py")
    with open(path, "w") as file:
        file.write("import sys\nvalue = 1\nname = __name__\nplace = __file__\n")
    spec = importlib.util.spec_from_file_location("extra_module", path)
    extra = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(extra)
    print(extra.value, extra.name, extra.place == path, spec.name, spec.origin == path)
    sys.path.insert(0, folder)
    import extra as found

    print(found.value, found.name, found is extra)
    with open(path, "w") as file:
        file.write("value = 'changed'\n")
    os.utime(path, (1, 1))
    print(importlib.reload(found).value, found.value)
    importlib.invalidate_caches()

from importlib.metadata import PackageNotFoundError, version

print(version("torch").split("+")[0] == torch.__version__.split("+")[0])
try:
    version("no-such-package")
except PackageNotFoundError as error:
    print(error, isinstance(error, ModuleNotFoundError))
print(platform.system(), platform.machine(), platform.python_version() == ".".join(map(str, sys.version_info[:3])))
print(platform.platform().startswith("Linux-"), platform.python_version_tuple()[0], len(platform.node()) > 0)

# A module that makes its attributes: what it says is not there cannot be imported; what else goes wrong is told.
with tempfile.TemporaryDirectory() as folder:
    with open(os.path.join(folder, "making.py"), "w") as file:
        file.write("def __getattr__(name):\n    if name == 'made':\n        return 5\n    if name == 'broken':\n        return 1 / 0\n"
                   "    raise AttributeError(f'no {name}')\n")
    sys.path.insert(0, folder)
    from making import made

    print(made)
    for name in ("absent", "broken"):
        try:
            exec(f"from making import {name}")
        except (ImportError, ZeroDivisionError) as error:
            print(type(error).__name__, str(error).split(" (")[0], error.__context__)
    try:
        from typing_extensions import nonsense
    except ImportError as error:
        print(str(error).split(" (")[0])
