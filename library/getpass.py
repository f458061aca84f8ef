"""Who runs the script.

    getpass.getuser()

A password is asked for where what is typed shows: a script has no terminal of its own.
"""
import os as _os
import sys as _sys
import warnings as _warnings

__all__ = ["getpass", "getuser", "GetPassWarning"]


class GetPassWarning(UserWarning):
    pass


def getpass(prompt="Password: ", stream=None):
    _warnings.warn("Can not control echo on the terminal.", GetPassWarning, stacklevel=2)
    print("Warning: Password input may be echoed.", file=_sys.stderr)
    return input(prompt)


def getuser():
    for name in ("LOGNAME", "USER", "LNAME", "USERNAME"):
        user = _os.environ.get(name)
        if user:
            return user
    return _os.path.basename(_os.path.expanduser("~"))
