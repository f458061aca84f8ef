"""Variables whose values belong to a context.

    level = ContextVar("level", default=0)
    token = level.set(1); level.get(); level.reset(token)
    copy_context().run(work)             what `work` sets is not seen outside
"""
__all__ = ["Context", "ContextVar", "Token", "copy_context"]

_NOTHING = object()


class Token:
    MISSING = type("Token.MISSING", (), {"__repr__": lambda self: "<Token.MISSING>"})()

    def __init__(self, context, var, old_value):
        self._context, self.var, self.old_value, self._used = context, var, old_value, False

    def __repr__(self):
        used = " used" if self._used else ""
        return f"<Token{used} var={self.var!r} at {id(self):#x}>"


class ContextVar:
    def __init__(self, name, *, default=_NOTHING):
        if not isinstance(name, str):
            raise TypeError("context variable name must be a str")
        self.name, self._default = name, default

    def get(self, default=_NOTHING, /):
        values = _contexts[-1]._values
        if self in values:
            return values[self]
        if default is not _NOTHING:
            return default
        if self._default is not _NOTHING:
            return self._default
        raise LookupError(self)

    def set(self, value, /):
        context = _contexts[-1]
        token = Token(context, self, context._values.get(self, Token.MISSING))
        context._values[self] = value
        return token

    def reset(self, token, /):
        if token._used:
            raise RuntimeError(f"{token!r} has already been used once")
        if token.var is not self:
            raise ValueError(f"{token!r} was created by a different ContextVar")
        if token._context is not _contexts[-1]:
            raise ValueError(f"{token!r} was created in a different Context")
        token._used = True
        if token.old_value is Token.MISSING:
            del _contexts[-1]._values[self]
        else:
            _contexts[-1]._values[self] = token.old_value

    def __repr__(self):
        default = "" if self._default is _NOTHING else f" default={self._default!r}"
        return f"<ContextVar name={self.name!r}{default} at {id(self):#x}>"


class Context:
    def __init__(self):
        self._values, self._entered = {}, False

    def run(self, callable, /, *args, **kwargs):
        if self._entered:
            raise RuntimeError(f"cannot enter context: {self!r} is already entered")
        self._entered = True
        _contexts.append(self)
        try:
            return callable(*args, **kwargs)
        finally:
            _contexts.pop()
            self._entered = False

    def copy(self):
        made = Context()
        made._values = dict(self._values)
        return made

    def __getitem__(self, var):
        return self._values[var]

    def __contains__(self, var):
        return var in self._values

    def __iter__(self):
        return iter(self._values)

    def __len__(self):
        return len(self._values)

    def get(self, var, default=None):
        return self._values.get(var, default)

    def keys(self):
        return self._values.keys()

    def values(self):
        return self._values.values()

    def items(self):
        return self._values.items()

    def __eq__(self, other):
        return self._values == other._values if isinstance(other, Context) else NotImplemented

    __hash__ = None


_contexts = [Context()]
_contexts[0]._entered = True


def copy_context():
    return _contexts[-1].copy()
