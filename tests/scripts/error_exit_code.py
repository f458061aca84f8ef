# exit: 3
# sys.exit sets the exit code; finally still runs.
import sys

try:
    print("leaving")
    sys.exit(3)
finally:
    print("finally")
