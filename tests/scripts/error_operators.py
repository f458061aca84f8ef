# The caret points at the operator within a longer expression.
values = {"a": 1, "b": "two"}
result = values["a"] * 2 + values["b"] * 3 + (values["a"] - values["b"])
