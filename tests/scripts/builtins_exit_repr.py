# exit and quit alone say how they are meant; sys.exit is a function like others.
import sys

print(exit)
print(repr(quit), f"{exit!r}")
print(sys.exit)
