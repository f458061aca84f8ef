"""The instructions of a pickle, by the names that CPython's `pickletools` gives them.

A pickle is a program for a machine with a stack and a memo: `_writer.py` puts one together, `_reader.py`
runs it.
"""

PROTO, FRAME, STOP = b"\x80", b"\x95", b"."
MARK, POP, POP_MARK = b"(", b"0", b"1"

NONE, NEWTRUE, NEWFALSE = b"N", b"\x88", b"\x89"
BININT, BININT1, BININT2, LONG1, LONG4, BINFLOAT = b"J", b"K", b"M", b"\x8a", b"\x8b", b"G"
SHORT_BINUNICODE, BINUNICODE = b"\x8c", b"X"
SHORT_BINBYTES, BINBYTES = b"C", b"B"

EMPTY_LIST, APPEND, APPENDS, LIST = b"]", b"a", b"e", b"l"
EMPTY_DICT, SETITEM, SETITEMS, DICT = b"}", b"s", b"u", b"d"
EMPTY_TUPLE, TUPLE1, TUPLE2, TUPLE3, TUPLE = b")", b"\x85", b"\x86", b"\x87", b"t"
EMPTY_SET, ADDITEMS, FROZENSET = b"\x8f", b"\x90", b"\x91"

GLOBAL, STACK_GLOBAL = b"c", b"\x93"
REDUCE, NEWOBJ, NEWOBJ_EX, BUILD, BINPERSID = b"R", b"\x81", b"\x92", b"b", b"Q"

BINPUT, LONG_BINPUT, MEMOIZE, BINGET, LONG_BINGET = b"q", b"r", b"\x94", b"h", b"j"

# What modules and names were called when protocol 2 was made.
OLD_MODULES = {"builtins": "__builtin__", "copyreg": "copy_reg"}
NEW_MODULES = {"__builtin__": "builtins", "copy_reg": "copyreg", "exceptions": "builtins"}
NEW_NAMES = {"__builtin__": {"xrange": "range", "long": "int", "unicode": "str", "unichr": "chr"}}
