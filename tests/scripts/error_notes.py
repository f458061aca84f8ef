# Notes of exceptions: made by add_note, set and changed by hand.
first = ValueError("a")
first.add_note("one\ntwo")
first.add_note("three")
print(first.__notes__)
try:
    first.add_note(1)
except TypeError as error:
    print(error)
first.__notes__.append("four")
first.__notes__.append(5)
second = KeyError("k")
second.__notes__ = ["five"]
print(hasattr(KeyError("x"), "__notes__"))
try:
    raise second
except KeyError as error:
    raise first from error
