# exit: 2
# arguments: --epochs ten
# A wrong command line ends the script: usage and error go to standard error.
import argparse
import os

os.environ["COLUMNS"] = "80"
parser = argparse.ArgumentParser(description="trains")
parser.add_argument("--epochs", type=int, default=3)
print("before")
parser.parse_args()
print("never")
