# What json.loads and json.dumps are told beside the text.
import json
import operator


def told(call):
    try:
        print(repr(call()))
    except Exception as error:
        print(f"{type(error).__name__}: {error}")


text = '{"a": [1, 2.5, {"b": -0.0}], "c": NaN, "a": {"d": -Infinity}}'
told(lambda: json.loads(text, object_hook=lambda items: sorted(items)))
told(lambda: json.loads(text, object_pairs_hook=lambda pairs: [key for key, _ in pairs]))
told(lambda: json.loads(text, parse_float=str, parse_int=lambda digits: digits + "!", parse_constant=str.lower))
told(lambda: json.loads(text))
told(lambda: json.loads("{}", object_hook=lambda items: "none", object_pairs_hook=None))
for wrong in ("01", "-01", "00", "0.5", "-0", "0e3", "[01]", "1.", "-", "\ufeff1"):
    told(lambda: json.loads(wrong))
for data in (b'{"a": "\xc3\xa9"}', b"\xef\xbb\xbf[2]", b"\xff", b""):
    told(lambda: json.loads(data))
told(lambda: json.loads(None))
told(lambda: json.loads(3))
odd = {(1, 2): 3, "a": {b"b": 4, None: 5}, 1.5: 6, True: 7}
told(lambda: json.dumps(odd))
told(lambda: json.dumps(odd, skipkeys=True))
told(lambda: json.dumps(odd, skipkeys=True, indent=1))

told(lambda: operator.index(7))
told(lambda: operator.index(1.5))
told(lambda: operator.index("1"))
told(lambda: open("p\0q"))
told(lambda: open("p\0q", "w"))
