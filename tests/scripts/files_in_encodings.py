# Files of text: encodings, the ends of lines, numbers of characters.
import csv
import os
from pathlib import Path

path = f"/tmp/glint_files_in_encodings_{os.getpid()}.txt"
with open(path, "wb") as file:
    file.write("eins\r\nzw\u00f6i\rdrei\nvier".encode())
for newline in (None, "", "\n", "\r", "\r\n"):
    with open(path, newline=newline) as file:
        print(repr(newline), repr(file.read()))
    with open(path, newline=newline) as file:
        print(file.readlines(), file.readline() == "")
    with open(path, newline=newline) as file:
        print([line for line in file])
with open(path) as file:
    print(repr(file.read(5)), repr(file.read(4)), repr(file.read(1)), repr(file.readline()), repr(file.read()), repr(file.read(3)))
with open(path, "rb") as file:
    print(file.read(7), file.readline(), file.read())
for encoding in ("latin-1", "ISO-8859-1", "utf-8", "UTF8"):
    with open(path, encoding=encoding) as file:
        print(file.encoding, repr(file.read()))
try:
    open(path, encoding="ascii").read()
except UnicodeDecodeError as error:
    print(error)
print(repr(open(path, encoding="ascii", errors="replace").read()), repr(open(path, encoding="ascii", errors="ignore").readline()))
for encoding in ("latin-1", "utf-8", "utf-8-sig", "ascii"):
    try:
        with open(path, "w", encoding=encoding) as file:
            print(file.write("\u00fcber\n"), end=" ")
        print(encoding, open(path, "rb").read(), repr(open(path, encoding=encoding).read()))
    except UnicodeEncodeError as error:
        print(error)
with open(path, "w", encoding="ascii", errors="backslashreplace", newline="\r\n") as file:
    file.write("\u00fc\n")
    file.writelines(["a\n", "b"])
    print("c", file=file)
print(open(path, "rb").read())
with open(path, "w", newline="") as file:
    csv.writer(file).writerows([["a", "b"], [1, "x\ny"]])
print(open(path, "rb").read())
with open(path, newline="") as file:
    print(list(csv.reader(file)))
with open(path, "w", encoding="utf-8-sig") as file:
    file.write("id,name\n1,x\n")
with open(path, "a", encoding="utf-8-sig") as file:
    file.write("2,y\n")
with open(path, encoding="utf-8-sig") as file:
    print(list(csv.DictReader(file)))
with open(path) as file:
    print(repr(file.readline()))
print(repr(Path(path).read_text(encoding="utf-8-sig")))
with open(path, "wb") as file:
    file.write(b"ab\xff\n")
for action in (lambda: open(path).read(), lambda: open(path, encoding="nothing"), lambda: open(path, "rb", encoding="utf-8"), lambda: open(path, "rb", newline=""), lambda: open(path, "rb", errors="strict"), lambda: open(path, newline="x")):
    try:
        print(action())
    except (ValueError, LookupError) as error:
        print(type(error).__name__, error)
print(repr(open(path, errors="replace").read()), repr(open(path, encoding="latin-1").read()))
os.remove(path)
