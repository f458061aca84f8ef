# io.StringIO and io.BytesIO: what print, csv, json and torch.save write to memory; types.SimpleNamespace.
import contextlib
import csv
import io
import json
import types
from io import BytesIO, StringIO

import torch
import torch.nn as nn

text = StringIO()
print("one", 2, file=text)
text.write("three\n")
text.writelines(["four\n", "five"])
print(repr(text.getvalue()), text.tell(), text.read(), text.seek(0), repr(text.readline()), text.readlines())
text.seek(4)
text.write("2nd")
print(repr(text.getvalue()), text.tell(), repr(text.read(3)))
text.seek(0, 2)
text.write("!")
print(repr(text.getvalue()[-6:]), text.truncate(3), repr(text.getvalue()))
with StringIO("a\nb\n\nc") as lines:
    print([line.strip() for line in lines], lines.closed)
print(lines.closed)
try:
    lines.read()
except ValueError as error:
    print(error)
try:
    text.write(b"bytes")
except TypeError as error:
    print(error)

captured = io.StringIO()
with contextlib.redirect_stdout(captured):
    print("hidden", torch.ones(2))
    print(nn.Linear(2, 1, bias=False))
print(captured.getvalue().splitlines())

table = StringIO()
writer = csv.writer(table)
writer.writerow(["epoch", "loss"])
writer.writerow([1, 0.5])
print(repr(table.getvalue()), list(csv.DictReader(StringIO(table.getvalue()))))
dumped = StringIO()
json.dump({"a": [1, 2]}, dumped)
print(dumped.getvalue(), json.load(StringIO('{"b": null}')))

data = BytesIO()
print(data.write(b"abc"), data.write(b"defg"), data.getvalue(), data.seek(-3, 2), data.read(), data.read(), data.seek(2))
data.write(b"XY")
print(data.getvalue(), data.tell(), BytesIO(b"x\ny").readlines(), data.seek(10), data.write(b"!"), data.getvalue())
try:
    data.write("text")
except TypeError as error:
    print(error)

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))
buffer = io.BytesIO()
torch.save({"model": model.state_dict(), "epoch": 3, "mask": torch.tensor([True, False])}, buffer)
buffer.seek(0)
loaded = torch.load(buffer)
again = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))
print(again.load_state_dict(loaded["model"]), loaded["epoch"], loaded["mask"])
print(torch.equal(again(torch.ones(1, 3)), model(torch.ones(1, 3))), len(buffer.getvalue()) > 500)
try:
    torch.load(io.BytesIO(buffer.getvalue()[:400]))
except RuntimeError as error:
    print("RuntimeError", str(error)[:30])

config = types.SimpleNamespace(lr=0.1, layers=[1, 2])
config.name = "net"
print(config, config.lr, config == types.SimpleNamespace(lr=0.1, layers=[1, 2], name="net"), vars(config))
print(isinstance(len, types.BuiltinFunctionType), isinstance(lambda: 0, types.FunctionType))
print(isinstance((i for i in ()), types.GeneratorType), isinstance(model.forward, types.MethodType))
