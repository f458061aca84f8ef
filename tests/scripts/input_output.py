# Reading standard input, writing files, sys.
# arguments: one two
import os
import sys

name = input()
number = int(input("a number? "))
print(f"hello {name}", number + 1)
rest = [input().split(), input()]
print(rest, sys.argv[1:], len(sys.argv))
sys.stdout.write("written\n")
try:
    input()
except EOFError as error:
    print(type(error).__name__)
path = os.path.join("/tmp", f"glint-script-{os.getpid()}.txt")
with open(path, "w") as f:
    f.write("line 1\nline 2\n")
    print("line", 3, file=f)
with open(path) as f:
    print(f.read().splitlines())
with open(path) as f:
    for line in f:
        print(line.strip())
with open(path, "a") as f:
    f.write("more")
print(open(path).readlines()[-1], os.path.exists(path), os.path.basename("/a/b.txt"), os.path.splitext("x.tar.gz"))
os.remove(path)
try:
    open(path)
except FileNotFoundError as error:
    print(type(error).__name__, error.errno)
