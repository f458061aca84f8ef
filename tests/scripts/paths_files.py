"""Files and folders: pathlib, os, glob, shutil and tempfile in a folder of their own."""
import csv
import errno
import glob
import json
import os
import shutil
import tempfile
from pathlib import Path

import torch


def tried(call):
    try:
        return call()
    except Exception as error:
        return f"{type(error).__name__}: {error}".replace(str(root), "ROOT")


def below(paths):
    return sorted([str(path).replace(str(root), "ROOT") for path in paths])


temporary = tempfile.TemporaryDirectory(prefix="paths_")
root = Path(temporary.name)
print(root.is_dir(), root.name.startswith("paths_"), len(root.name), root.parent == Path(tempfile.gettempdir()))

# ---- Made, written and read ----
folder = root / "runs" / "first"
print(tried(lambda: folder.mkdir()))
print(folder.mkdir(parents=True), folder.exists(), tried(lambda: folder.mkdir()), folder.mkdir(exist_ok=True))
log = folder / "log.txt"
print(log.exists(), log.write_text("one\ntwo ü\n"), log.read_text(), log.stat().st_size, os.path.getsize(log), log.read_bytes(), log.is_file(), log.is_dir())
print((folder / "raw.bin").write_bytes(b"\x00\x01"), (folder / "raw.bin").read_bytes(), tried(lambda: log.write_text(b"x")), tried(lambda: folder.read_text()), tried(lambda: (root / "no").read_text()))
with log.open("a") as file:
    file.write("three\n")
with open(log) as file:
    print(file.read().split(), file.name == str(log))
with (root / "table.csv").open("w", newline="") as file:
    csv.writer(file).writerows([["a", "b"], [1, 2]])
(root / "settings.json").write_text(json.dumps({"lr": 0.1}))
print((root / "table.csv").read_text().split(), json.loads((root / "settings.json").read_text()))
torch.save({"w": torch.arange(3)}, root / "model.pt")
print(torch.load(root / "model.pt"), (root / "model.pt").suffix)
(root / "empty").touch()
print(tried(lambda: (root / "empty").touch(exist_ok=False)), (root / "empty").stat().st_size, (root / "file" / "x").exists())
print(tried(lambda: (log / "x").mkdir()), tried(lambda: log.mkdir(exist_ok=True)), tried(lambda: (root / "a\0b").exists()), tried(lambda: os.mkdir("a\0b")))

# ---- Found ----
for name in ("second/deep/er", "second/.hidden", "third"):
    (root / "runs" / name).mkdir(parents=True)
for name in ("a.py", "second/b.py", "second/deep/c.py", "second/deep/er/d.txt", "second/.hidden/e.py", ".f.py", "third/[x].py"):
    (root / "runs" / name).write_text(name)
runs = root / "runs"
print(below(runs.iterdir()), below(root.iterdir()), tried(lambda: list(log.iterdir())), tried(lambda: list((root / "no").iterdir())))
for pattern in ("*", "*.py", "**/*.py", "*/*.py", "**", "second/*", "*/deep/c.py", "**/deep", "nothing*", "second/", "*/", "**/*/", "[!s]*", "../*.csv", "second/**/*.txt", "third/[[]x].py"):
    print(pattern, below(runs.glob(pattern)))
print(below(runs.rglob("*.py")), below(runs.rglob("deep")), below(runs.rglob("*.t?t")))
for pattern in ("", "/a", "**a", "a**/b"):
    print(repr(pattern), tried(lambda: list(runs.glob(pattern))))
os.chdir(runs)
print(Path.cwd() == runs.resolve(), os.getcwd() == str(runs.resolve()), Path("a.py").exists(), Path("a.py").absolute() == runs.resolve() / "a.py", Path("second/../a.py").resolve() == runs.resolve() / "a.py")
for pattern in ("*", "*.py", ".*", "**", "**/*.py", "*/*.py", "second/deep/*", "second/*/", "./*.py", "no/*", "a.py", "no", "", "third/" + glob.escape("[x].py"), "[ab].py", "**/deep/**"):
    print(repr(pattern), sorted(glob.glob(pattern)), sorted(glob.glob(pattern, recursive=True)))
print(sorted(glob.glob("*.py", root_dir=root / "runs" / "second")), sorted(glob.glob("*", include_hidden=True)), glob.has_magic("a*"), glob.escape("a[1]*?"), list(glob.iglob("a*")))
for place, folders, files in sorted(os.walk(".")):
    print(place, sorted(folders), sorted(files))
print([place for place, _, _ in os.walk("second/deep", topdown=False)], list(os.walk("no")), sorted(os.listdir()), sorted(os.listdir(Path("third"))))

# ---- Copied, moved, removed ----
print(shutil.copy("a.py", "z.py"), shutil.copy(Path("a.py"), Path("third")), shutil.copyfile("a.py", "y.py"), Path("third/a.py").read_text(), tried(lambda: shutil.copyfile("a.py", "a.py")), tried(lambda: shutil.copy("no", "x")))
print(shutil.copytree("second", "fourth"), sorted(os.listdir("fourth/deep")), tried(lambda: shutil.copytree("second", "fourth")), shutil.copytree("second", "fourth", dirs_exist_ok=True), shutil.copytree("second", "fifth", ignore=shutil.ignore_patterns("*.py", ".*")), below(Path("fifth").rglob("*")))
print(shutil.move("z.py", "third"), shutil.move("y.py", "x.py"), sorted(os.listdir("third")), tried(lambda: shutil.move("a.py", "third")), shutil.move("fifth", "sixth"))
print(Path("x.py").rename("w.py"), Path("w.py").replace(Path("v.py")), Path("v.py").exists(), tried(lambda: Path("no").rename("no2")), tried(lambda: os.rename("no", "no2")))
print(Path("v.py").unlink(), tried(lambda: Path("v.py").unlink()), Path("v.py").unlink(missing_ok=True), tried(lambda: Path("sixth").rmdir()), tried(lambda: os.remove("sixth")))
print(shutil.rmtree("sixth"), os.path.exists("sixth"), tried(lambda: shutil.rmtree("sixth")), shutil.rmtree("sixth", ignore_errors=True), shutil.rmtree(Path("fourth")))
os.makedirs("m/n/o")
os.makedirs("m/n/o", exist_ok=True)
print(tried(lambda: os.makedirs("m/n/o")), os.removedirs("m/n/o"), os.path.exists("m"), tried(lambda: os.makedirs("a.py", exist_ok=True)))

# ---- Links and times ----
Path("link").symlink_to("second")
Path("nowhere").symlink_to("gone")
print(Path("link").is_symlink(), Path("link").is_dir(), Path("link").readlink(), os.path.islink("second"), Path("link/b.py").resolve() == Path("second/b.py").resolve(), Path("nowhere").exists(), os.path.lexists("nowhere"), Path("nowhere").resolve() == Path("gone").resolve(), tried(lambda: Path("no").resolve(strict=True)).replace(str(runs.resolve()), "RUNS"))
print(sorted(glob.glob("link/*.py")), below(Path(".").glob("**/c.py")), Path("link").samefile("second"), tried(lambda: Path("nowhere").stat()))
os.utime("a.py", (1000, 2000.5))
print(os.path.getmtime("a.py"), os.stat("a.py").st_atime, os.stat("a.py").st_mtime_ns, len(os.stat("a.py")), os.stat(Path("a.py"))[6:9], oct(os.stat("a.py").st_mode & 0o170000))
os.chmod("a.py", 0o600)
print(oct(Path("a.py").stat().st_mode), tried(lambda: os.stat("no")), tried(lambda: os.chdir("no")))

# ---- What is no path ----
for function in (os.mkdir, os.listdir, os.remove, os.stat, os.path.exists, os.path.isdir, os.path.getsize, os.rmdir, os.chdir):
    print(tried(lambda: function(5.5)), end="; ")
print(tried(lambda: os.rename("a", None)), tried(lambda: open(Path("no"))), tried(lambda: os.mkdir(None)))

# ---- For a while ----
with tempfile.TemporaryDirectory() as kept:
    Path(kept, "x").write_text("x")
    print(os.listdir(kept), os.path.dirname(kept) == tempfile.gettempdir())
print(os.path.exists(kept))
with tempfile.NamedTemporaryFile("w+", suffix=".txt") as file:
    file.write("text")
    file.flush()
    print(Path(file.name).read_text(), file.name.endswith(".txt"), os.path.exists(file.name))
print(os.path.exists(file.name))
made = tempfile.mkdtemp(dir=root, prefix="in_")
print(Path(made).parent == root, os.path.basename(made)[:3], os.rmdir(made))

# ---- What does not work out ----
work = root / "work"
work.mkdir()
os.chdir(work)
for name in ("tree/a/x", "tree/b/y"):
    Path(name).parent.mkdir(parents=True)
    Path(name).write_text(name)
Path("tree/dangling").symlink_to("gone")
print(tried(lambda: shutil.move("no", "x")), tried(lambda: shutil.move("tree/a/x", "no/x")), tried(lambda: shutil.move("tree", "tree/a")), shutil.move("tree/dangling", "moved"), os.path.islink("moved"), shutil.move("moved", "tree/dangling"))
print(tried(lambda: shutil.copytree("tree", "copy")), sorted(os.listdir("copy")), shutil.copytree("tree", "links", symlinks=True), os.path.islink("links/dangling"), shutil.copytree("tree", "some", ignore_dangling_symlinks=True), sorted(os.listdir("some")))
print(shutil.copy("tree/dangling", "lone", follow_symlinks=False), os.path.islink("lone"), tried(lambda: shutil.copy("tree/dangling", "alone")))
heard = []
Path("linked").symlink_to("tree")
print(shutil.rmtree("no", onerror=lambda function, path, error: heard.append((path, error[0].__name__))), heard, tried(lambda: shutil.rmtree("linked")), tried(lambda: shutil.rmtree("tree/a/x")))
Path("turn").symlink_to("turn")
print(tried(lambda: Path("turn").resolve()).replace(os.getcwd(), "CWD"), tried(lambda: Path("a\0b").resolve()), tried(lambda: os.path.realpath("turn") == os.path.join(os.getcwd(), "turn")))
os.mkdir("named", mode=0o700)
os.chmod(path="named", mode=0o755)
os.rename(src="named", dst="other")
print(os.listdir(path="other"), os.path.exists(path="other"), os.rmdir(path="other"), os.access("tree", os.R_OK), os.access("no", os.F_OK), oct(Path("private").touch(mode=0o600) or os.stat("private").st_mode))
print(tried(lambda: os.utime("private", (1,))), tried(lambda: os.utime("private", 5)), errno.ENOENT, errno.errorcode[17], tried(lambda: open("no")) == "FileNotFoundError: [Errno 2] No such file or directory: 'no'")
for mode in ("q", "rw", "bt", "rr", "b", "rbt"):
    print(tried(lambda: tempfile.NamedTemporaryFile(mode, dir=".")), [name for name in os.listdir() if name.startswith("tmp")])
with tempfile.NamedTemporaryFile(dir=".") as file:
    print(oct(os.stat(file.name).st_mode), type(file).__name__, file.write(b"x"))
with tempfile.TemporaryDirectory() as gone:
    shutil.rmtree(gone)
made = tempfile.mkdtemp(dir=".")
print(made.startswith("./tmp"), oct(os.stat(made).st_mode))
os.mkdir("removed")
os.chdir("removed")
os.rmdir("../removed")
print(tried(os.getcwd), tried(Path.cwd), tried(lambda: os.path.abspath("x")))
os.chdir("/")
temporary.cleanup()
print(root.exists())
