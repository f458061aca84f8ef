# exit: 4
# exit and quit end the program as sys.exit does.
import sys

for end in (exit, quit, sys.exit):
    for arguments in ((), (3,), ("words",), (None,)):
        try:
            end(*arguments)
        except SystemExit as error:
            print(error.code)
try:
    exit(4)
finally:
    print("finally")
