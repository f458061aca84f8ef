"""`Enum` and its kin: classes whose attributes are the only instances they have.

    class Color(Enum):
        RED = 1
        GREEN = auto()

    Color.GREEN, Color(2), Color["GREEN"]        three ways to the same member
    list(Color)                                  members in the order of their definition

A metaclass makes the members when a class statement ends.
"""
import operator

property = property  # part of the module's names, as in CPython


class auto:
    """A value that follows those before it; what operators make of it is known when the members are."""

    def __init__(self, operation=None, operands=()):
        self._operation, self._operands, self._value = operation, operands, None

    def __repr__(self):
        return "auto()"

    def __or__(self, other):
        return auto(operator.or_, (self, other))

    def __and__(self, other):
        return auto(operator.and_, (self, other))

    def __xor__(self, other):
        return auto(operator.xor, (self, other))

    def __ror__(self, other):
        return auto(operator.or_, (other, self))

    def _settle(self, following):
        if self._value is None and self._operation is None:
            self._value = following()
        elif self._value is None:
            values = [each._settle(following) if isinstance(each, auto) else each for each in self._operands]
            self._value = self._operation(*values)
        return self._value


class nonmember:
    """Keeps a value from becoming a member."""

    def __init__(self, value):
        self.value = value


class member:
    """Makes a member of what would not become one, as a function."""

    def __init__(self, value):
        self.value = value


Flag = ReprEnum = None  # not yet: the classes before them are no such

_FUNCTION = type(lambda: None)
_NO_MEMBERS = (_FUNCTION, property, classmethod, staticmethod, nonmember)


def _is_member(name, value):
    hidden = name.startswith("_") and (name.endswith("_") or name.startswith("__"))
    descriptor = isinstance(value, _NO_MEMBERS) or any(
        [hasattr(type(value), each) for each in ("__get__", "__set__", "__delete__")])
    return not hidden and not descriptor


def _data_type(bases):
    """The type beside Enum that members are of, `object` where there is none."""
    for base in bases:
        for each in base.__mro__:
            if each is not object and not isinstance(each, EnumType) and "__new__" in vars(each):
                return each
    return object


def _owner_of(cls, name):
    return [each for each in cls.__mro__ if name in vars(each)][0]


class EnumType(type):
    def __new__(metacls, cls, bases, classdict, **keywords):
        enums = [base for base in bases if isinstance(base, EnumType)]
        for base in enums:
            if base._member_names_:
                raise TypeError(f"<enum {cls!r}> cannot extend {base!r}")
        ignored = classdict.get("_ignore_", [])
        ignored = ignored.replace(",", " ").split() if isinstance(ignored, str) else ignored
        names = [name for name, value in classdict.items()
                 if _is_member(name, value) and name not in ignored and not name.startswith(f"_{cls}__")]
        plain = {name: value.value if isinstance(value, nonmember) else value
                 for name, value in classdict.items() if name not in names}
        data_type = _data_type(bases)
        plain["_member_names_"] = []
        plain["_member_map_"] = {}
        plain["_value2member_map_"] = {}
        plain["_member_type_"] = data_type
        enum_class = super().__new__(metacls, cls, bases, plain, **keywords)
        if ReprEnum in bases and data_type is not object:
            enum_class._text_as_value(data_type, classdict)
        if enums:
            enum_class._text_as_enum(enums[-1], data_type, classdict)
        if Flag is not None and issubclass(enum_class, Flag):
            enum_class._operators_of_flag(classdict)
        values = []
        for name in names:
            value = classdict[name]
            if isinstance(value, auto):
                value = value._settle(lambda: enum_class._generate_next_value_(name, 1, len(values), values[:]))
            values.append(enum_class._add_member(name, value.value if isinstance(value, member) else value))
        return enum_class

    def _text_as_enum(cls, enum, data_type, classdict):
        # Where the data type comes before Enum, its texts would.
        for name in ("__repr__", "__str__", "__format__"):
            if name not in classdict and _owner_of(cls, name) in (data_type, object):
                type.__setattr__(cls, name, getattr(enum, name))

    def _text_as_value(cls, data_type, classdict):
        text = data_type.__repr__ if data_type.__str__ is object.__str__ else data_type.__str__
        if "__str__" not in classdict:
            type.__setattr__(cls, "__str__", lambda self: text(self))
        if "__format__" not in classdict:
            type.__setattr__(cls, "__format__", lambda self, spec: data_type.__format__(self, spec))

    def _operators_of_flag(cls, classdict):
        # Where the data type comes before Flag, its operators would.
        for name in ("__or__", "__and__", "__xor__", "__ror__", "__rand__", "__rxor__", "__invert__"):
            if name not in classdict:
                type.__setattr__(cls, name, getattr(Flag, name))

    def _add_member(cls, name, value):
        arguments = value if isinstance(value, tuple) else (value,)
        data_type = cls._member_type_
        if isinstance(vars(_owner_of(cls, "__new__"))["__new__"], staticmethod):
            made = cls.__new__(cls, *arguments)  # a script's own
        elif data_type is object:
            made = object.__new__(cls)
        else:
            made = data_type.__new__(cls, *arguments)
        if not hasattr(made, "_value_"):
            made._value_ = value if data_type is object else data_type(*arguments)
        value = made._value_
        for known in cls._member_map_.values():
            if known._value_ == value:
                cls._member_map_[name] = known
                type.__setattr__(cls, name, known)
                return value
        made._name_ = name
        made.__objclass__ = cls
        made._sort_order_ = len(cls._member_names_)
        if _owner_of(cls, "__init__") is not object:
            made.__init__(*arguments)
        if cls._is_listed(value):
            cls._member_names_.append(name)
        cls._member_map_[name] = made
        try:
            cls._value2member_map_[value] = made
        except TypeError:
            pass  # a value without a hash is looked for one by one
        type.__setattr__(cls, name, made)
        return value

    def _is_listed(cls, value):
        return True

    def __call__(cls, value, names=None, *, module=None, qualname=None, type=None, start=1):
        if names is None:
            return cls._of_value(value)
        return cls._made_of(value, names, type, start)

    def _of_value(cls, value):
        if value.__class__ is cls:
            return value
        try:
            if value in cls._value2member_map_:
                return cls._value2member_map_[value]
        except TypeError:
            for each in cls._member_map_.values():
                if each._value_ == value:
                    return each
        found = cls._missing_(value)
        if isinstance(found, cls):
            return found
        if found is None:
            raise ValueError(f"{value!r} is not a valid {cls.__qualname__}")
        raise TypeError(f"error in {cls.__name__}._missing_: returned {found!r} instead of None or a valid member")

    def _made_of(cls, name, names, mixed, start):
        if isinstance(names, str):
            names = names.replace(",", " ").split()
        if isinstance(names, (tuple, list)) and names and isinstance(names[0], str):
            values = []
            for count, each in enumerate(names):
                values.append(cls._generate_next_value_(each, start, count, values[:]))
            names = list(zip(names, values))
        members = dict(names)
        bases = (cls,) if mixed is None else (mixed, cls)
        return cls.__class__(name, bases, {"__module__": "__main__", **members})

    def __contains__(cls, member):
        if not isinstance(member, Enum):
            raise TypeError(f"unsupported operand type(s) for 'in': '{type(member).__qualname__}' and "
                            f"'{cls.__class__.__qualname__}'")
        return isinstance(member, cls) and member._name_ in cls._member_map_

    def __iter__(cls):
        return iter([cls._member_map_[name] for name in cls._member_names_])

    def __reversed__(cls):
        return iter([cls._member_map_[name] for name in reversed(cls._member_names_)])

    def __len__(cls):
        return len(cls._member_names_)

    def __bool__(cls):
        return True

    def __getitem__(cls, name):
        return cls._member_map_[name]

    def __getattr__(cls, name):
        raise AttributeError(name)

    def __setattr__(cls, name, value):
        if name in vars(cls).get("_member_map_", {}):
            raise AttributeError(f"cannot reassign member {name!r}")
        super().__setattr__(name, value)

    def __delattr__(cls, name):
        if name in cls._member_map_:
            raise AttributeError(f"{cls.__name__!r} cannot delete member {name!r}.")
        super().__delattr__(name)

    def __repr__(cls):
        return f"<{'flag' if issubclass(cls, Flag) else 'enum'} {cls.__name__!r}>"

    @property
    def __members__(cls):
        return dict(cls._member_map_)


EnumMeta = EnumType


class Enum(metaclass=EnumType):
    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        if not last_values:
            return start
        try:
            return max(last_values) + 1
        except TypeError:
            raise TypeError("unable to sort non-numeric values") from None

    @classmethod
    def _missing_(cls, value):
        return None

    def __repr__(self):
        return f"<{self.__class__.__name__}.{self._name_}: {self._value_!r}>"

    def __str__(self):
        return f"{self.__class__.__name__}.{self._name_}"

    def __format__(self, spec):
        return format(str(self), spec)

    def __hash__(self):
        return hash(self._name_)

    def __reduce_ex__(self, protocol):
        return type(self), (self._value_,)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    @property
    def name(self):
        return self._name_

    @property
    def value(self):
        return self._value_


class ReprEnum(Enum):
    """Members whose text is that of their value."""


class StrEnum(str, ReprEnum):
    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        return name.lower()

    def __str__(self):
        return self._value_

    def __format__(self, spec):
        return format(self._value_, spec)


class IntEnum(int, ReprEnum):
    """Members that are ints; their text is their value's."""


class Flag(Enum):
    """Members that are bits, and what `|`, `&`, `^` and `~` make of them."""
    _keeps_other_bits_ = False

    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        if not last_values:
            return start if start is not None else 1
        return 1 << max(last_values).bit_length()

    @classmethod
    def _is_listed(cls, value):
        return value > 0 and value & (value - 1) == 0

    @classmethod
    def _all_bits(cls):
        bits = 0
        for each in cls._member_map_.values():
            bits |= each._value_
        return bits

    @classmethod
    def _missing_(cls, value):
        if not isinstance(value, int):
            return None
        bits = cls._all_bits()
        if value < 0:
            value &= bits
        unknown = value & ~bits
        if unknown and not cls._keeps_other_bits_:
            width = max(value.bit_length(), bits.bit_length())
            raise ValueError(f"{cls!r} invalid value {value}\n    given 0b0 {value:0{width}b}\n"
                             f"  allowed 0b0 {bits:0{width}b}")
        made = object.__new__(cls) if cls._member_type_ is object else cls._member_type_.__new__(cls, value)
        made._value_ = value
        parts = [each._name_ for each in made._parts()]
        made._name_ = "|".join(parts + [str(unknown)] if parts and unknown else parts) or None
        cls._value2member_map_[value] = made
        return made

    def _parts(self):
        listed = [self.__class__._member_map_[name] for name in self.__class__._member_names_]
        return [each for each in listed if each._value_ & self._value_]

    def __iter__(self):
        return iter(self._parts())

    def __len__(self):
        return len(self._parts())

    def __bool__(self):
        return self._value_ != 0

    def __contains__(self, other):
        if not isinstance(other, self.__class__):
            raise TypeError(f"unsupported operand type(s) for 'in': '{type(other).__qualname__}' and "
                            f"'{self.__class__.__qualname__}'")
        return other._value_ & self._value_ == other._value_

    def __repr__(self):
        if self._name_ is None:
            return f"<{self.__class__.__name__}: {self._value_}>"
        return f"<{self.__class__.__name__}.{self._name_}: {self._value_}>"

    def __str__(self):
        if self._name_ is None:
            return f"{self.__class__.__name__}({self._value_})"
        return f"{self.__class__.__name__}.{self._name_}"

    def __hash__(self):
        return hash(self._value_)

    def _with(self, other, operation):
        if isinstance(other, self.__class__):
            other = other._value_
        elif self._member_type_ is object or not isinstance(other, self._member_type_):
            return NotImplemented
        return self.__class__(operation(self._value_, other))

    def __or__(self, other):
        return self._with(other, operator.or_)

    def __and__(self, other):
        return self._with(other, operator.and_)

    def __xor__(self, other):
        return self._with(other, operator.xor)

    __ror__, __rand__, __rxor__ = __or__, __and__, __xor__

    def __invert__(self):
        return self.__class__(self.__class__._all_bits() & ~self._value_)


class IntFlag(int, ReprEnum, Flag):
    """Flags that are ints too: their text is their value's, and any number is one."""
    _keeps_other_bits_ = True


def unique(enumeration):
    """Refuses an enumeration in which two names have one value."""
    doubles = [(name, each.name) for name, each in enumeration.__members__.items() if name != each.name]
    if doubles:
        listed = ", ".join([f"{alias} -> {name}" for alias, name in doubles])
        raise ValueError(f"duplicate values found in {enumeration!r}: {listed}")
    return enumeration
