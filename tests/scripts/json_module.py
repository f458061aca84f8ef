# json: both ways.
import json

data = {"name": "Ann", "age": 30, "tags": ["x", "y"], "nested": {"pi": 3.14, "ok": True, "none": None}, "text": "quote \" and \\ and \n é"}
text = json.dumps(data)
print(text)
print(json.loads(text) == data, json.loads("[1, 2.5, -3e2, \"a\\u00e9\", null, true]"), json.dumps([1, "a"], indent=2), json.dumps({"b": 1, "a": 2}, sort_keys=True))
try:
    json.loads("{bad}")
except ValueError as error:
    print(type(error).__name__)
