# configparser: sections of options.
import io
import os
from configparser import (ConfigParser, DuplicateOptionError, Error, ExtendedInterpolation, NoOptionError,
                          NoSectionError, RawConfigParser)

TEXT = """
# a comment
[DEFAULT]
root = /data
lr = 0.1

[model]
layers = 3
; another
name : resnet
path = %(root)s/%(name)s
tall =
    first line
    second line

    third
use_bias = yes
percent = 50%%
[empty]
[Optimizer]
LR = 1e-3
"""
config = ConfigParser()
config.read_string(TEXT)
print(config.sections(), list(config), len(config), "model" in config, "nothing" in config, config.has_section("DEFAULT"))
print(config["model"]["layers"], config.getint("model", "layers"), config["model"].getint("layers") + 1, config.getfloat("Optimizer", "lr"), config["model"].getfloat("lr"), config["model"].getboolean("use_bias"))
print(config["model"]["path"], config.get("model", "path", raw=True), repr(config["model"]["tall"]), config["model"]["percent"], config["empty"]["root"])
print(config["model"].get("missing"), config["model"].get("missing", "else"), config.get("model", "missing", fallback=3), config["model"].getint("missing", 7), config.getint("none", "missing", fallback=8))
print(config.options("model"), list(config["empty"]), dict(config["Optimizer"]), config.items("Optimizer"), config.items("model", raw=True)[-1], config.defaults())
print(config["model"], config["model"].name, config["model"].parser is config, len(config["model"]), "LAYERS" in config["model"], config.has_option("model", "root"), config.has_option("empty", "layers"))
config["new"] = {"a": 1, "B": "two"}
config["model"]["layers"] = "5"
config.set("empty", "x", "y")
config.add_section("last")
del config["model"]["tall"]
print(config.remove_option("model", "percent"), config.remove_option("model", "percent"), config.remove_section("Optimizer"), config.remove_section("Optimizer"))
out = io.StringIO()
config.write(out)
print(out.getvalue())
again = ConfigParser()
again.read_string(out.getvalue())
print(again == config, again["model"]["path"])
path = f"/tmp/glint_configurations_{os.getpid()}.ini"
with open(path, "w") as file:
    config.write(file, space_around_delimiters=False)
print(ConfigParser().read([path, path + ".none"]) == [path])
with open(path) as file:
    read = RawConfigParser()
    read.read_file(file)
    print(read["model"]["path"], read.sections())
os.remove(path)
extended = ConfigParser(interpolation=ExtendedInterpolation(), inline_comment_prefixes=("#",), defaults={"base": "/b"})
extended.read_string("[a]\nx = ${base}/x # here\ny = ${b:z}\ncost = $$5\n[b]\nz = ${x}\nx = 9\n")
print(extended["a"]["x"], extended["a"]["y"], extended["a"]["cost"], extended["b"]["x"])
free = ConfigParser(allow_no_value=True, delimiters=("=",), strict=False)
free.optionxform = str
free.read_string("[s]\nFlag\nKey=v:w\nKey=again\n[s]\nmore=1\n")
print(dict(free["s"]), free["s"]["Flag"])
lists = ConfigParser(converters={"list": lambda text: text.split(",")})
lists.read_string("[s]\nitems = a,b,c\n")
print(lists.getlist("s", "items"), lists["s"].getlist("items"), lists["s"].getlist("none", []))
for action in (lambda: config.get("nope", "x"), lambda: config.get("model", "x"), lambda: config["nope"], lambda: config["model"]["nope"], lambda: config.add_section("model"), lambda: config.add_section("DEFAULT"), lambda: ConfigParser().read_string("x = 1"), lambda: ConfigParser().read_string("[a]\nx\n"), lambda: ConfigParser().read_string("[a]\nx=1\nx=2"), lambda: ConfigParser().read_string("[a]\n[a]"), lambda: config.set("model", "x", 3), lambda: config.set("model", "x", "5%"), lambda: config.getboolean("model", "name"), lambda: config.getint("model", "name"), lambda: config.options("nope")):
    try:
        print(action())
    except (Error, KeyError, ValueError, TypeError) as error:
        print(type(error).__name__, error)
loop = ConfigParser()
loop.read_string("[a]\nx = %(y)s\ny = %(x)s\nbad = %(none)s\nodd = %d\n")
for option in ("x", "bad", "odd"):
    try:
        loop["a"][option]
    except Error as error:
        print(type(error).__name__, error)
