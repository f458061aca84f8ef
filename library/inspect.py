"""What a script can ask of functions, classes and modules: signatures, kinds, members.

    inspect.signature(f).parameters["lr"].default
    "fused" in inspect.signature(torch.optim.AdamW).parameters

Of the library's own functions and of natives the signatures are Glint's, which name what a script can pass.
"""
import collections
import enum
import sys
import types

_VARARGS, _VARKEYWORDS, _GENERATOR = 0x04, 0x08, 0x20


class _empty:
    """Marks what a parameter or signature does not have."""


class _ParameterKind(enum.IntEnum):
    POSITIONAL_ONLY = 0
    POSITIONAL_OR_KEYWORD = 1
    VAR_POSITIONAL = 2
    KEYWORD_ONLY = 3
    VAR_KEYWORD = 4

    def __str__(self):
        return self.name

    @property
    def description(self):
        return {0: "positional-only", 1: "positional or keyword", 2: "variadic positional",
                3: "keyword-only", 4: "variadic keyword"}[self.value]


def formatannotation(annotation, base_module=None):
    """An annotation as a signature shows it: a class by its module and name."""
    if isinstance(annotation, type):
        if annotation.__module__ in ("builtins", base_module):
            return annotation.__qualname__
        return annotation.__module__ + "." + annotation.__qualname__
    return repr(annotation)


class Parameter:
    """One parameter of a signature."""
    empty = _empty
    POSITIONAL_ONLY = _ParameterKind.POSITIONAL_ONLY
    POSITIONAL_OR_KEYWORD = _ParameterKind.POSITIONAL_OR_KEYWORD
    VAR_POSITIONAL = _ParameterKind.VAR_POSITIONAL
    KEYWORD_ONLY = _ParameterKind.KEYWORD_ONLY
    VAR_KEYWORD = _ParameterKind.VAR_KEYWORD

    def __init__(self, name, kind, *, default=_empty, annotation=_empty):
        self._kind = kind
        if default is not _empty and kind in (self.VAR_POSITIONAL, self.VAR_KEYWORD):
            raise ValueError(f"{kind.description} parameters cannot have default values")
        self._default = default
        self._annotation = annotation
        self._name = name

    @property
    def name(self):
        return self._name

    @property
    def kind(self):
        return self._kind

    @property
    def default(self):
        return self._default

    @property
    def annotation(self):
        return self._annotation

    def replace(self, *, name=None, kind=None, annotation=_empty, default=_empty):
        return Parameter(self.name if name is None else name, self.kind if kind is None else kind,
                         default=self.default if default is _empty else default,
                         annotation=self.annotation if annotation is _empty else annotation)

    def __str__(self):
        text = self.name
        if self.annotation is not _empty:
            text += ": " + formatannotation(self.annotation)
        if self.default is not _empty:
            text += (" = " if self.annotation is not _empty else "=") + repr(self.default)
        if self.kind is self.VAR_POSITIONAL:
            return "*" + text
        return "**" + text if self.kind is self.VAR_KEYWORD else text

    def __repr__(self):
        return f'<Parameter "{self}">'

    def __eq__(self, other):
        if not isinstance(other, Parameter):
            return NotImplemented
        return (self.name, self.kind, self.default, self.annotation) == (
            other.name, other.kind, other.default, other.annotation)

    def __hash__(self):
        return hash((self.name, self.kind, self.annotation, self.default))


class BoundArguments:
    """The arguments of one call, by the names of the parameters that take them."""

    def __init__(self, signature, arguments):
        self.arguments = arguments
        self._signature = signature

    @property
    def signature(self):
        return self._signature

    @property
    def args(self):
        args = []
        for name, parameter in self._signature.parameters.items():
            if parameter.kind in (Parameter.VAR_KEYWORD, Parameter.KEYWORD_ONLY):
                break
            if name not in self.arguments:
                break
            if parameter.kind is Parameter.VAR_POSITIONAL:
                args.extend(self.arguments[name])
            else:
                args.append(self.arguments[name])
        return tuple(args)

    @property
    def kwargs(self):
        kwargs, by_keyword = {}, False
        for name, parameter in self._signature.parameters.items():
            if parameter.kind in (Parameter.VAR_KEYWORD, Parameter.KEYWORD_ONLY):
                by_keyword = True
            elif name not in self.arguments:
                by_keyword = True
                continue
            if not by_keyword or name not in self.arguments:
                continue
            if parameter.kind is Parameter.VAR_KEYWORD:
                kwargs.update(self.arguments[name])
            else:
                kwargs[name] = self.arguments[name]
        return kwargs

    def apply_defaults(self):
        """Takes the defaults for what the call left out."""
        arguments = {}
        for name, parameter in self._signature.parameters.items():
            if name in self.arguments:
                arguments[name] = self.arguments[name]
            elif parameter.default is not _empty:
                arguments[name] = parameter.default
            elif parameter.kind is Parameter.VAR_POSITIONAL:
                arguments[name] = ()
            elif parameter.kind is Parameter.VAR_KEYWORD:
                arguments[name] = {}
        self.arguments = arguments

    def __repr__(self):
        shown = ", ".join([f"{name}={value!r}" for name, value in self.arguments.items()])
        return f"<BoundArguments ({shown})>"


class Signature:
    """How something is called: its parameters in order, and what it says it returns."""
    empty = _empty

    def __init__(self, parameters=None, *, return_annotation=_empty):
        self._parameters = {each.name: each for each in parameters or ()}
        self._return_annotation = return_annotation

    @classmethod
    def from_callable(cls, obj, *, follow_wrapped=True):
        return signature(obj, follow_wrapped=follow_wrapped)

    @property
    def parameters(self):
        return self._parameters

    @property
    def return_annotation(self):
        return self._return_annotation

    def replace(self, *, parameters=None, return_annotation=None):
        kept = list(self.parameters.values()) if parameters is None else parameters
        returned = self.return_annotation if return_annotation is None else return_annotation
        return Signature(kept, return_annotation=returned)

    def bind(self, *args, **kwargs):
        """The arguments of a call; TypeError if it could not be made."""
        return BoundArguments(self, self._bound(args, dict(kwargs), False))

    def bind_partial(self, *args, **kwargs):
        return BoundArguments(self, self._bound(args, dict(kwargs), True))

    def _bound(self, args, kwargs, partial):
        arguments, rest, takes_keywords = {}, list(args), None
        kinds = [each.kind for each in self.parameters.values()]
        places = sum([kind <= Parameter.POSITIONAL_OR_KEYWORD for kind in kinds])
        if len(rest) > places and Parameter.VAR_POSITIONAL not in kinds:
            raise TypeError("too many positional arguments")
        for name, parameter in self.parameters.items():
            if parameter.kind is Parameter.VAR_POSITIONAL:
                if rest:
                    arguments[name], rest = tuple(rest), []
            elif parameter.kind is Parameter.VAR_KEYWORD:
                takes_keywords = name
            elif rest and parameter.kind is not Parameter.KEYWORD_ONLY:
                if name in kwargs and parameter.kind is not Parameter.POSITIONAL_ONLY:
                    raise TypeError(f"multiple values for argument {name!r}")
                arguments[name] = rest.pop(0)
            elif name in kwargs and parameter.kind is not Parameter.POSITIONAL_ONLY:
                arguments[name] = kwargs.pop(name)
            elif parameter.default is _empty and not partial:
                raise TypeError(f"missing a required argument: {name!r}")
        if kwargs and takes_keywords is None:
            raise TypeError(f"got an unexpected keyword argument {next(iter(kwargs))!r}")
        if kwargs:
            arguments[takes_keywords] = kwargs
        return arguments

    def __str__(self):
        shown, slash, star = [], False, True
        for parameter in self.parameters.values():
            if parameter.kind is Parameter.POSITIONAL_ONLY:
                slash = True
            elif slash:
                shown.append("/")
                slash = False
            if parameter.kind is Parameter.VAR_POSITIONAL:
                star = False
            elif parameter.kind is Parameter.KEYWORD_ONLY and star:
                shown.append("*")
                star = False
            shown.append(str(parameter))
        if slash:
            shown.append("/")
        text = "(" + ", ".join(shown) + ")"
        if self.return_annotation is not _empty:
            text += " -> " + formatannotation(self.return_annotation)
        return text

    def __repr__(self):
        return f"<Signature {self}>"

    def __eq__(self, other):
        if not isinstance(other, Signature):
            return NotImplemented
        return (list(self.parameters.values()), self.return_annotation) == (
            list(other.parameters.values()), other.return_annotation)

    def __hash__(self):
        return hash((tuple(self.parameters.values()), self.return_annotation))


# ---- Signatures ---------------------------------------------------------------------------------

def _of_function(function):
    code = function.__code__
    names = code.co_varnames
    annotations = getattr(function, "__annotations__", None) or {}
    defaults = function.__defaults__ or ()
    keyword_defaults = function.__kwdefaults__ or {}
    positional = code.co_argcount
    parameters = []

    def add(name, kind, default=_empty):
        parameters.append(Parameter(name, kind, default=default,
                                    annotation=annotations.get(name, _empty)))

    for i in range(positional):
        only = i < code.co_posonlyargcount
        from_end = i - (positional - len(defaults))
        add(names[i], Parameter.POSITIONAL_ONLY if only else Parameter.POSITIONAL_OR_KEYWORD,
            defaults[from_end] if from_end >= 0 else _empty)
    at = positional + code.co_kwonlyargcount
    if code.co_flags & _VARARGS:
        add(names[at], Parameter.VAR_POSITIONAL)
        at += 1
    for name in names[positional:positional + code.co_kwonlyargcount]:
        add(name, Parameter.KEYWORD_ONLY, keyword_defaults.get(name, _empty))
    if code.co_flags & _VARKEYWORDS:
        add(names[at], Parameter.VAR_KEYWORD)
    return Signature(parameters, return_annotation=annotations.get("return", _empty))


def _without_first(whole):
    parameters = list(whole.parameters.values())
    if not parameters:
        raise ValueError("invalid method signature")
    if parameters[0].kind is not Parameter.VAR_POSITIONAL:
        parameters = parameters[1:]
    return whole.replace(parameters=parameters)


def unwrap(func, *, stop=None):
    """What decorators that keep `__wrapped__` were put around."""
    while hasattr(func, "__wrapped__") and not (stop is not None and stop(func)):
        func = func.__wrapped__
    return func


def signature(obj, *, follow_wrapped=True, globals=None, locals=None, eval_str=False):
    """How a function, method, class or object with `__call__` is called."""
    if not callable(obj):
        raise TypeError(f"{obj!r} is not a callable object")
    if ismethod(obj):
        return _without_first(signature(obj.__func__, follow_wrapped=follow_wrapped))
    if follow_wrapped and not isinstance(obj, type):
        obj = unwrap(obj, stop=lambda f: hasattr(f, "__signature__"))
        if ismethod(obj):
            return signature(obj)
    own = getattr(obj, "__signature__", None)
    if own is not None:
        return own
    if isfunction(obj):
        return _of_function(obj)
    if isinstance(obj, type):
        return _of_class(obj)
    call = getattr(type(obj), "__call__", None)
    if isfunction(call):
        return _without_first(_of_function(call))
    raise ValueError(f"no signature found for builtin {obj!r}")


def _of_class(cls):
    for base in cls.__mro__:
        for name in ("__new__", "__init__"):
            made_by = base.__dict__.get(name)
            if isinstance(made_by, staticmethod):
                made_by = made_by.__func__
            if isfunction(made_by):
                return _without_first(_of_function(made_by))
    if cls.__module__ == "builtins":
        raise ValueError(f"no signature found for builtin type {cls!r}")
    return Signature()


FullArgSpec = collections.namedtuple("FullArgSpec", "args, varargs, varkw, defaults, kwonlyargs, "
                                                    "kwonlydefaults, annotations")


def getfullargspec(func):
    """The parameters by their kinds."""
    whole = signature(func, follow_wrapped=False)
    if ismethod(func):
        whole = signature(func.__func__)
    args, varargs, varkw, defaults, keyword_only, keyword_defaults = [], None, None, [], [], {}
    annotations = {}
    if whole.return_annotation is not _empty:
        annotations["return"] = whole.return_annotation
    for name, parameter in whole.parameters.items():
        if parameter.kind is Parameter.VAR_POSITIONAL:
            varargs = name
        elif parameter.kind is Parameter.VAR_KEYWORD:
            varkw = name
        elif parameter.kind is Parameter.KEYWORD_ONLY:
            keyword_only.append(name)
            if parameter.default is not _empty:
                keyword_defaults[name] = parameter.default
        else:
            args.append(name)
            if parameter.default is not _empty:
                defaults.append(parameter.default)
        if parameter.annotation is not _empty:
            annotations[name] = parameter.annotation
    return FullArgSpec(args, varargs, varkw, tuple(defaults) or None, keyword_only,
                       keyword_defaults or None, annotations)


# ---- Kinds --------------------------------------------------------------------------------------

def isclass(object):
    return isinstance(object, type)


def isfunction(object):
    return isinstance(object, types.FunctionType)


def ismethod(object):
    return isinstance(object, types.MethodType)


def isbuiltin(object):
    return isinstance(object, types.BuiltinFunctionType)


def isroutine(object):
    return isbuiltin(object) or isfunction(object) or ismethod(object)


def ismodule(object):
    return isinstance(object, types.ModuleType)


def isgenerator(object):
    return isinstance(object, types.GeneratorType)


def isgeneratorfunction(obj):
    obj = obj.__func__ if ismethod(obj) else obj
    return isfunction(obj) and bool(obj.__code__.co_flags & _GENERATOR)


def iscoroutinefunction(obj):
    return False


def isabstract(object):
    """Whether it is a class with abstract methods left."""
    return isinstance(object, type) and bool(getattr(object, "__abstractmethods__", None))


# ---- Members ------------------------------------------------------------------------------------

def getmembers(object, predicate=None):
    """The names and values of what an object has, sorted by name."""
    members = []
    for name in sorted(dir(object)):
        try:
            value = getattr(object, name)
        except AttributeError:
            continue
        if predicate is None or predicate(value):
            members.append((name, value))
    return members


def getmro(cls):
    return cls.__mro__


def getmodule(object):
    """The module that something was defined in; None where that is not known."""
    if ismodule(object):
        return object
    return sys.modules.get(getattr(object, "__module__", None))


def cleandoc(doc):
    """A docstring without the indentation that it has in the source."""
    lines = doc.expandtabs().split("\n")
    margins = [len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()]
    margin = min(margins) if margins else 0
    lines = [lines[0].lstrip()] + [line[margin:] for line in lines[1:]]
    while lines and not lines[-1]:
        lines.pop()
    while lines and not lines[0]:
        lines.pop(0)
    return "\n".join(lines)


def getdoc(object):
    """The documentation of something, without indentation; None: it has none."""
    doc = getattr(object, "__doc__", None)
    return cleandoc(doc) if isinstance(doc, str) else None
