# `json.loads`: texts that are plain, that are not, and that are wrong.
import json

TEXTS = ["{}", "[]", " [ ] ", '{"a": 1, "b": [1.5, -2e3, true, false, null], "a": 2}', "0", "-0", "-0.0", "1E5", "1e-7", "12345678901234567890",
         "123456789012345678", "-9223372036854775808", "1e400", "0.1", "5e-324", '"caf\\u00e9 \\ud83d\\ude00 \\/ \\b\\f\\n\\r\\t \\" \\\\"',
         '"\u00e9\U0001F600"', '{"\u00e9": {"": []}}', "NaN", "[-Infinity, Infinity]", "\t[1 ,\n2\r]", '"\\u0041\\u00DF"', '"\\ud83d\\u0041 \\ud83d \\ude00"']
WRONG = ["", " ", "[1,]", "[1 2]", "{", '{"a"', '{"a":', '{"a": 1,}', '{"a": 1', "{'a': 1}", "{a: 1}", "[1", "nul", "tru", "01", "1.", ".5", "-", "+1", "1e",
         '"abc', '"a\nb"', '"\\x"', '"\x01"', "[1]]", "{} {}", "\ufeff[]", "[,1]", '{"a" 1}', "1 2", '"\\u00"', "--1", '"\\u00zz"', '"\\u+123"', '"\\u"']
for text in TEXTS:
    value = json.loads(text)
    print(ascii(text), ascii(value), type(value).__name__)
for text in WRONG:
    try:
        print(ascii(text), json.loads(text))
    except json.JSONDecodeError as error:
        print(ascii(text), "|", error.msg, error.pos, error.lineno, error.colno)
deep = "[" * 300 + "]" * 300
value, depth = json.loads(deep), 0
while value:
    value, depth = value[0], depth + 1
print(depth)
rows = [{"id": i, "box": [i / 3, i * 1e20, -i], "name": f"n{i}é", "ok": i % 2 == 0, "none": None} for i in range(200)]
text = json.dumps(rows)
print(json.loads(text) == rows, json.loads(text.encode()) == rows, json.loads(json.dumps(rows, ensure_ascii=False, indent=1)) == rows)
print(json.loads("[1, 2.5]", parse_float=str, parse_int=lambda digits: digits + "!"), json.loads('{"a": {"b": 1}}', object_hook=sorted),
      json.loads('{"a": 1, "a": 2}', object_pairs_hook=list), json.loads("[NaN]", parse_constant=lambda name: name))
first, second = json.loads("[[], {}]"), json.loads("[[], {}]")
first[0].append(1)
first[1]["k"] = 2
print(first, second)
