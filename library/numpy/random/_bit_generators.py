"""Seeds and sources of random bits: `SeedSequence`, `MT19937`, `PCG64`.

    SeedSequence(42).generate_state(2)       two words of 32 bits
    PCG64(42).state["state"]                 {'state': 274674114334540486603088602300644985544, ...}

State lives in the native part; what of it is wider than an int is shown by `Wide`.
"""
import operator

import _numpy_random
from numpy._array import ndarray
from numpy._values import asarray

_WORD = 1 << 32


class Wide:
    """An int of 128 bits, to be shown, compared and given back."""

    __slots__ = ("words",)

    def __init__(self, words):
        self.words = tuple(words)      # of 32 bits, the highest first

    def __eq__(self, other):
        return isinstance(other, Wide) and self.words == other.words

    def __hash__(self):
        return hash(self.words)

    def __repr__(self):
        # Long division by a power of ten, until nothing is left.
        words, parts = list(self.words), []
        while any(words):
            rest = 0
            for i, word in enumerate(words):
                words[i], rest = divmod(rest * _WORD + word, 10 ** 9)
            parts.append(rest)
        if not parts:
            return "0"
        return str(parts[-1]) + "".join(f"{part:09}" for part in reversed(parts[:-1]))


def _wide_words(number):
    """Four words, of a `Wide` or an int."""
    if isinstance(number, Wide):
        return list(number.words)
    return [0, 0, number >> 32, number % _WORD]


def _entropy_words(entropy):
    """The words of 32 bits of an int or of a sequence of ints, the lowest first."""
    if isinstance(entropy, Wide):
        return list(reversed(entropy.words))
    if isinstance(entropy, ndarray):
        entropy = entropy.tolist()
    if isinstance(entropy, (list, tuple, range)):
        return [word for part in entropy for word in _entropy_words(part)]
    try:
        number = operator.index(entropy)
    except TypeError:
        raise TypeError(f"SeedSequence expects int or sequence of ints for entropy not {entropy}") from None
    if number < 0:
        raise ValueError("expected non-negative integer")
    words = [number % _WORD]
    while number >= _WORD:
        number >>= 32
        words.append(number % _WORD)
    return words


class SeedSequence:
    """Mixes entropy to as many words as are wanted; `spawn` makes others that are independent."""

    def __init__(self, entropy=None, *, spawn_key=(), pool_size=4, n_children_spawned=0):
        if pool_size != 4:
            raise NotImplementedError("a pool has four words here")
        self.entropy = Wide(_numpy_random.entropy()) if entropy is None else entropy
        self.spawn_key = tuple(spawn_key)
        self.pool_size = pool_size
        self.n_children_spawned = n_children_spawned
        self._words = _entropy_words(self.entropy)
        if self.spawn_key:
            self._words += [0] * (pool_size - len(self._words)) + _entropy_words(self.spawn_key)

    def generate_state(self, n_words, dtype=None):
        if dtype is not None and getattr(dtype, "__name__", dtype) != "uint32":
            raise NotImplementedError("a state has words of 32 bits here")
        return asarray(list(_numpy_random.mixed_words(self._words, n_words)), dtype="int64")

    def spawn(self, n_children):
        first = self.n_children_spawned
        self.n_children_spawned += n_children
        return [SeedSequence(self.entropy, spawn_key=(*self.spawn_key, i))
                for i in range(first, self.n_children_spawned)]

    @property
    def state(self):
        return {name: getattr(self, name)
                for name in ("entropy", "spawn_key", "pool_size", "n_children_spawned")}

    def __repr__(self):
        lines = [f"    entropy={self.entropy},"]
        if self.spawn_key:
            lines.append(f"    spawn_key={self.spawn_key},")
        if self.n_children_spawned:
            lines.append(f"    n_children_spawned={self.n_children_spawned},")
        return "\n".join(["SeedSequence(", *lines, ")"])


class BitGenerator:
    """The base of the sources; `_source` is the native one."""

    def __init__(self, seed=None):
        if type(self) is BitGenerator:
            raise NotImplementedError("BitGenerator is a base class and cannot be instantized")
        self.seed_seq = seed if isinstance(seed, SeedSequence) else SeedSequence(seed)
        self._source = _numpy_random.Source(type(self).__name__)
        self._source.seed(self.seed_seq._words)

    def spawn(self, n_children):
        return [type(self)(child) for child in self.seed_seq.spawn(n_children)]

    @property
    def state(self):
        return {"bit_generator": type(self).__name__, **self._parts()}

    @state.setter
    def state(self, value):
        if not isinstance(value, dict):
            raise TypeError("state must be a dict")
        name = type(self).__name__
        if value.get("bit_generator", "") != name:
            raise ValueError(f"state must be for a {name} RNG" if name == "PCG64" else
                             f"state must be for a {name} PRNG")
        self._source.set_state(self._words_of(value))


class MT19937(BitGenerator):
    def _parts(self):
        words = self._source.state()
        return {"state": {"key": asarray(list(words[:-1]), dtype="int64"), "pos": words[-1]}}

    def _words_of(self, value):
        state = value["state"]
        return list(asarray(state["key"]).tolist()) + [state["pos"]]

    def _legacy_seeding(self, seed):
        """As `RandomState` seeds: by one word of an int, by all of an array's."""
        if seed is None:
            self._source.seed(_numpy_random.entropy())
            return
        try:
            words = operator.index(seed)
            fits = 0 <= words < _WORD
        except TypeError:
            words = _seed_array(seed)
            fits = all(0 <= word < _WORD for word in words)
        if not fits:
            raise ValueError("Seed must be between 0 and 2**32 - 1")
        self._source.legacy_seed(words)


def _seed_array(seed):
    if isinstance(seed, (float, str)):
        dtype = "float64" if isinstance(seed, float) else f"<U{len(seed)}"
        raise TypeError(f"Cannot cast scalar from dtype('{dtype}') to dtype('int64') according to the rule "
                        "'safe'")
    tensor = asarray(seed)._tensor
    if tensor.numel() == 0:
        raise ValueError("Seed must be non-empty")
    if tensor.dtype.is_floating_point:
        raise TypeError(f"Cannot cast array data from dtype('{str(tensor.dtype)[6:]}') to dtype('int64') "
                        "according to the rule 'safe'")
    if tensor.dim() != 1:
        raise ValueError("Seed array must be 1-d")
    return tensor.tolist()


class PCG64(BitGenerator):
    def _parts(self):
        words = self._source.state()
        return {"state": {"state": Wide(words[:4]), "inc": Wide(words[4:8])},
                "has_uint32": words[8], "uinteger": words[9]}

    def _words_of(self, value):
        state = value["state"]
        return [*_wide_words(state["state"]), *_wide_words(state["inc"]), value["has_uint32"],
                value["uinteger"]]
