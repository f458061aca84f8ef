"""Tables as text: reading, writing, dialects, and what is wrong with them."""
import csv
import os
import sys


class Lines:
    """A file that keeps what is written."""

    def __init__(self):
        self.text = ""

    def write(self, text):
        self.text += text
        return len(text)


# ---- Reading ----
for lines in (["a,b,c"], ["a,b,c\n", "1,2,3\r\n"], ['"x, y",z'], ['"a ""quoted"" word",b'], ['"two\n', 'lines",c\n'], ["", "a", "\n", ",", ",,"], ['a"b,c', '"a"b,c'], ["  a , b"], ['"",x'], ['"open'], ["ä,ö\n", "日,本"], ["'a,b',c"], ['a,"b\n'], ["a,b\r", "c"], ["x,\"\"\"\"\n"], [" \"a\",b"]):
    print(lines, list(csv.reader(lines)))
print(list(csv.reader(["a;b;'c;d'"], delimiter=";", quotechar="'")), list(csv.reader(["a\tb"], dialect="excel-tab")), list(csv.reader(["a\tb"], csv.excel_tab)))
print(list(csv.reader(["a, b, \"c, d\""], skipinitialspace=True)), list(csv.reader(['1,"2",3.5,"x"'], quoting=csv.QUOTE_NONNUMERIC)), list(csv.reader(['"a",b'], quoting=csv.QUOTE_NONE)))
print(list(csv.reader(["a\\,b,c\\\\d"], escapechar="\\")), list(csv.reader(['"a\\"b",c'], escapechar="\\", doublequote=False)))
rows = csv.reader(iter(["h1,h2\n", '"1\n', '2",3\n', "4,5\n"]))
print(next(rows), rows.line_num, next(rows), rows.line_num, list(rows), rows.line_num)
for lines, settings in ((["a\nb,c"], {}), ([b"a,b"], {}), (['"a"b'], {"strict": True}), (['"a'], {"strict": True}), (['1,x'], {"quoting": csv.QUOTE_NONNUMERIC})):
    try:
        print(list(csv.reader(lines, **settings)))
    except (csv.Error, ValueError) as e:
        print(type(e).__name__, e)
for settings in ({"delimiter": ""}, {"delimiter": ",,"}, {"delimiter": 5}, {"quotechar": None}, {"quotechar": "ab"}, {"quoting": 9}, {"dialect": "nosuch"}, {"nosuch": 1}):
    try:
        csv.reader([], **settings)
        print("fine")
    except (csv.Error, TypeError) as e:
        print(type(e).__name__, e)

table = ["name,lr,steps\n", "small,0.1,10\n", "\n", "big,0.01\n", "odd,1,2,3,4\n"]
for row in csv.DictReader(table):
    print(row)
for row in csv.DictReader(table[1:], fieldnames=["n", "l"], restkey="rest", restval="-"):
    print(row)
reader = csv.DictReader(table)
print(reader.fieldnames, next(reader)["name"], reader.line_num, sum(float(row["lr"]) for row in reader))
print(list(csv.DictReader([])), csv.DictReader([]).fieldnames)

# ---- Writing ----
for settings in ({}, {"quoting": csv.QUOTE_ALL}, {"quoting": csv.QUOTE_NONNUMERIC}, {"delimiter": ";", "lineterminator": "\n"}, {"quoting": csv.QUOTE_NONE, "escapechar": "\\"}, {"doublequote": False, "escapechar": "\\"}, {"dialect": "unix"}, {"quotechar": "'"}):
    file = Lines()
    writer = csv.writer(file, **settings)
    print(writer.writerow([1, 2.5, "x, y", 'say "hi"', None, True, "", "it's", "a;b", "two\nlines", 1e-7, "back\\slash", " pad "]))
    writer.writerows([["a", "b"], (1, 2), "xyz", [], [""] if settings.get("quoting") != csv.QUOTE_NONE else ["e"]])
    print(repr(file.text))
for row, settings in (([","], {"quoting": csv.QUOTE_NONE}), (['"'], {"doublequote": False}), (5, {}), ([""], {"quoting": csv.QUOTE_NONE})):
    try:
        csv.writer(Lines(), **settings).writerow(row)
    except csv.Error as e:
        print("Error:", e)
file = Lines()
writer = csv.DictWriter(file, fieldnames=["epoch", "loss"], restval="?")
writer.writeheader()
writer.writerow({"epoch": 1, "loss": 0.25})
writer.writerows([{"epoch": 2}, {"loss": 0.125, "epoch": 3}])
print(repr(file.text))
try:
    writer.writerow({"epoch": 1, "lr": 2, "x": 3})
except ValueError as e:
    print("ValueError:", e)
csv.DictWriter(sys.stdout, ["a"], extrasaction="ignore", lineterminator="\n").writerow({"a": 1, "b": 2})
csv.writer(sys.stdout, lineterminator="\n").writerow(["to", "stdout", 1])


# ---- Dialects and files ----
class Pipes(csv.Dialect):
    delimiter = "|"
    quotechar = '"'
    lineterminator = "\n"
    quoting = csv.QUOTE_MINIMAL


csv.register_dialect("pipes", Pipes)
csv.register_dialect("semicolons", delimiter=";")
print(csv.list_dialects(), csv.get_dialect("pipes").delimiter, list(csv.reader(["a|b"], "pipes")), list(csv.reader(["a;b"], "semicolons")))
csv.unregister_dialect("pipes")
try:
    csv.get_dialect("pipes")
except csv.Error as e:
    print("Error:", e)
path = f"/tmp/glint_csv_table_{os.getpid()}.csv"
with open(path, "w", newline="") as file:
    writer = csv.writer(file)
    writer.writerow(["step", "note"])
    for step in range(3):
        writer.writerow([step, f"line one\nof {step}, two"])
with open(path, newline="") as file:
    for row in csv.DictReader(file):
        print(row)
os.remove(path)
big = [f"{i},{i * 2},word{i}" for i in range(5000)]
print(sum(int(row[1]) for row in csv.reader(big)))
