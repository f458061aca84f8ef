"""Paths as objects.

    folder = Path("runs") / "first"                PosixPath('runs/first')
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "log.txt").write_text("loss 0.1\\n")
    sorted(folder.glob("*.txt"))                   [PosixPath('runs/first/log.txt')]

`_pure.py` holds what is text alone, `_files.py` what asks the system, `_search.py` finds by patterns.
"""
from pathlib._files import Path, PosixPath
from pathlib._pure import PurePath, PurePosixPath

__all__ = ["PurePath", "PurePosixPath", "Path", "PosixPath"]

for _class in (PurePath, PurePosixPath, Path, PosixPath):
    _class.__module__ = __name__
