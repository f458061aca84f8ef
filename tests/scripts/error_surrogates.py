# Half of a character cannot be written.
text = "a\ud800b"
print(len(text), repr(text), ascii(text))
for action in (lambda: text.encode(), lambda: "\ud800\udfff".encode(), lambda: "éé".encode("ascii")):
    try:
        action()
    except UnicodeEncodeError as error:
        print(error)
try:
    print("before", text, "after")
except UnicodeEncodeError as error:
    print("and", error)
raise ValueError("in the message: \udc80")
