# sys.exit with a message prints it on standard error and exits with 1.
import sys

print("before")
sys.exit("something is wrong")
