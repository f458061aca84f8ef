# Imports of a script that lies beside this one.
import helper_module
import helper_module as again
from helper_module import VALUE, Counter, double as twice

print(helper_module.VALUE, again is helper_module, VALUE, twice(21), helper_module.__name__, __name__)
c = Counter()
c.step()
c.step()
print(c.n, helper_module.calls)
helper_module.calls = 100
print(again.calls, helper_module.describe())
try:
    import no_such_module
except ModuleNotFoundError as error:
    print(error)
try:
    from helper_module import nothing
except ImportError as error:
    print(str(error).split(" (")[0])
if __name__ == "__main__":
    print("main")
