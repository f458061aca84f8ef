# `bytes % values`.
print(b"%d" % 5, b"%s-%x|%5.1f|%r" % (b"a", 255, 2.25, "ä"), b"%b%%" % b"\xff\x00")
print(b"%c%c" % (65, b"B"), b"[%5s][%-5s][%.2s]" % (b"ab", b"ab", b"abcd"), b"%(k)d" % {b"k": 3})
print(b"%05d|%+d|%-4d|%#x|%o" % (42, 7, 3, 255, 8), b"%a" % "é", b"%e" % 12345.678, b"" % ())


def show(call):
    try:
        print(call())
    except Exception as error:
        print(type(error).__name__, error)


show(lambda: b"%s" % "text")
show(lambda: b"%d" % "text")
show(lambda: b"%c" % 256)
show(lambda: b"%c" % b"ab")
show(lambda: b"%d %d" % (1,))
show(lambda: b"%d" % (1, 2))
show(lambda: b"%y" % 1)
show(lambda: "%b" % 1)
