# Imports by relative names: inside a package, of its parents, and where there is no package.
import helper_package
from helper_package import inner, measure

print(helper_package.measure(2, 3), measure is helper_package.shapes.area)
print(inner.FACTOR, inner.outer is helper_package.shapes, inner.__package__)
print(helper_package.__package__, helper_package.shapes.__package__, helper_package.units.__name__)
try:
    inner.late()
except ImportError as error:
    print(type(error).__name__, error)
try:
    from . import inner
except ImportError as error:
    print(error)
try:
    from .units import FACTOR
except ImportError as error:
    print(error)
try:
    exec("from .nothing import x", {"__package__": "helper_package", "__name__": "helper_package.x"})
except ModuleNotFoundError as error:
    print(error)
try:
    exec("from .units import nothing", {"__package__": "helper_package", "__name__": "x"})
except ImportError as error:
    print(str(error).split(" (")[0])
