"""Paths as text: pathlib's parts and joins, os.path, and patterns of file names."""
import fnmatch
import os
from pathlib import Path, PosixPath, PurePath, PurePosixPath


def tried(call):
    try:
        return call()
    except Exception as error:
        return f"{type(error).__name__}: {error}"


# ---- What a path is ----
for text in ("", ".", "a", "a/b.txt", "./a//b/./c/", "/", "//", "///", "//a/b", "///a", "/usr/lib/x.tar.gz", "..", "../a", "a/../b", ".hidden", ".hidden.txt", "a.", "a..b", "...", "x/.config", "ä/日.txt", " "):
    p = PurePosixPath(text)
    print(repr(text), p, p.parts, repr(p.root), repr(p.anchor), repr(p.name), repr(p.suffix), p.suffixes, repr(p.stem), p.parent, p.is_absolute())
p = Path("runs") / "first" / "log.txt"
print(repr(p), str(p), f"{p}", p.as_posix(), os.fspath(p), bytes(p), type(p).__name__, type(PurePath("a")).__name__)
print(isinstance(p, Path), isinstance(p, PosixPath), isinstance(p, PurePosixPath), isinstance(p, PurePath), isinstance(p, os.PathLike), isinstance(PurePath("a"), Path))
print(Path("a", "b", "c"), Path("a", "/b", "c"), Path(Path("a"), "b"), Path(), "root" / Path("x"), "/etc" / Path("/x"), Path("/a") / "b/c", Path("a").joinpath("b", "../c"))
print(list(p.parents), p.parents[0], p.parents[-1], len(p.parents), repr(p.parents), p.parents[:2], p.parent.parent.parent.parent, list(Path("/a/b").parents))
print(tried(lambda: p.parents[5]), tried(lambda: Path("a") / 5), tried(lambda: 5 / Path("a")), tried(lambda: Path(5)), tried(lambda: Path(None)))

# ---- Names exchanged ----
print(p.with_name("model.pt"), p.with_suffix(".json"), p.with_suffix(""), Path("a").with_suffix(".py"), p.with_stem("out"), Path("x.tar.gz").with_suffix(".zip"), Path("/a/b.c").with_name("d"))
for call in (lambda: p.with_suffix("json"), lambda: p.with_suffix("."), lambda: p.with_suffix("a/b"), lambda: Path("/").with_name("a"), lambda: p.with_name(""), lambda: p.with_name("a/b"), lambda: Path("").with_suffix(".a")):
    print(tried(call))

# ---- One below another ----
print(Path("/a/b/c").relative_to("/a"), Path("/a/b").relative_to("/a/b"), Path("a/b/c").relative_to("a", "b"), Path("a").relative_to(""))
print(tried(lambda: Path("/a/b").relative_to("/x")), tried(lambda: Path("a").relative_to("/a")), tried(lambda: Path("a").relative_to()))
print(Path("/a/b").is_relative_to("/a"), Path("/a/b").is_relative_to("/ab"), Path("a/b").is_relative_to("a/b/c"))

# ---- Compared, counted, sorted ----
print(Path("a/b") == Path("a") / "b", Path("a") == "a", Path("a") != Path("A"), hash(Path("a/b")) == hash(Path("a//b")), Path("a") < Path("b"), Path("a/b") < Path("a.b"), Path("a") >= Path("a"))
print(sorted([Path("b"), Path("a/c"), Path("a"), Path("/z"), Path("a/b")]), {Path("a"): 1}[Path("./a")], len({Path("x"), Path("x/"), Path("y")}))
print(tried(lambda: Path("a") < "b"), PurePath("a") == Path("a"))

# ---- Patterns ----
for text, pattern in (("a/b.py", "*.py"), ("/a/b/c.py", "b/*.py"), ("/a/b/c.py", "/a/*.py"), ("/a.py", "/*.py"), ("a.py", "A.PY"), ("a/b", "a/b/c"), ("x.tar.gz", "*.gz"), ("b", "[ab]"), (".a", "*")):
    print(text, pattern, Path(text).match(pattern))
print(tried(lambda: Path("a").match("")), tried(lambda: Path("a").as_uri()), Path("/a b/ü").as_uri())
for pattern in ("*.py", "a*b*c*", "a**b", "?x", "[!abc]", "[]x]", "[!]x]", "[c-a]", "[!c-a]", "[a-]", "[a-c-e]", "[^a]", "[[a]", "[", "x.[ch]", "[a&&b]", "[\\w]", ""):
    names = [name for name in ("a.py", "abc", "b", "]", "-", "^", "[a", "ax", "x.c", "", "\\", "w") if fnmatch.fnmatch(name, pattern)]
    print(repr(pattern), fnmatch.translate(pattern), names)
print(fnmatch.filter(["a.py", "b.txt", "C.PY"], "*.py"), fnmatch.fnmatchcase("a\nb", "a*b"))

# ---- os.path, of texts and of what stands for a path ----
class Place:
    def __fspath__(self):
        return "here/it.is"


for function in (os.path.basename, os.path.dirname, os.path.split, os.path.splitext, os.path.isabs, os.path.normpath, os.path.expanduser, os.fspath):
    print(function.__name__, [tried(lambda: function(path)) for path in ("/a/b.c", "a//b/", "..", "//x/../y", "/../a", "", p, Place(), 5, None)])
print(os.path.join("a", Path("b"), "c"), os.path.join(Place(), "x"), os.path.join("a", "/b"), os.path.join("a/", ""), tried(lambda: os.path.join(5, "a")))
print(os.path.commonpath(["/a/b/c", "/a/b/d", "/a/b"]), os.path.commonpath(["a/b", "a/c/"]), tried(lambda: os.path.commonpath([])), tried(lambda: os.path.commonpath(["/a", "b"])))
print(os.path.commonprefix(["abc", "abd", "ab"]), os.path.relpath("/a/b/c", "/a/d"), os.path.relpath(Path("/a"), "/a"), tried(lambda: os.path.relpath("")))

# ---- Errors of the system ----
for number in (1, 2, 3, 4, 10, 103, 104, 111, 11, 13, 17, 20, 21, 32, 110, 39, 5):
    print(number, type(OSError(number, "words")).__name__, end=" ")
print()
for error in (OSError(), OSError("words"), OSError(2, "words"), OSError(2, "words", "a"), OSError(2, "words", None), OSError(2, "words", "a", None, "b"), OSError(2, "words", "a", None, "b", 6), OSError("two", "words"), FileExistsError(2, "words"), PermissionError("words")):
    print(repr(error), "|", error, "|", error.errno, error.strerror, error.filename, error.filename2, error.args)


class Named(OSError):
    def __init__(self, operation, file):
        self.operation = operation
        super().__init__(f"{operation} failed")


class Silent(OSError):
    def __init__(self, operation, file):
        self.operation = operation


class Filed(OSError):
    def __init__(self, file):
        self.filename = file
        super().__init__("bad")


class Plain(FileNotFoundError):
    pass


class Early(OSError):
    def __new__(cls, *arguments):
        return super().__new__(cls, *arguments)

    def __init__(self, *arguments):
        self.count = len(arguments)


for error in (Named("read", "f"), Silent("read", "f"), Filed("f.txt"), Plain(2, "words", "f"), Early(2, "words", "f"), Plain("words")):
    print(repr(error), "|", str(error), "|", error.args, error.errno, error.strerror, error.filename, sorted(vars(error)))
error = OSError(2, "words", "f")
error.__init__(3, "other")
print(error, vars(error))
error.args = (9, "changed")
print(error, repr(error), error.errno)
error.errno, error.filename2 = 5, "g"
print(error, error.filename2)
error.filename = None
print(error)


class Run(type(Path())):
    def __init__(self, *segments):
        self.count = len(segments)


print(repr(Run("a", "b")), Run("a", "b").count, repr(Run("a") / "b"), Path | None, Path.__module__, repr(Path))
print(tried(lambda: os.path.join("a", None)), tried(lambda: os.path.join("a", "b", 5)), os.path.relpath("a/b", None), os.path.normcase("A/b"))
