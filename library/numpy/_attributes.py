"""Small objects that an array has as attributes: its elements one by one, and how it lies in memory."""
from numpy._array import wrap



class flatiter:
    """`a.flat`: the elements in order; written through to the array."""

    __module__ = "numpy"

    def __init__(self, base):
        self.base, self._next = base, 0

    def __iter__(self):
        return self

    def __next__(self):
        if self._next >= self.base.size:
            raise StopIteration
        self._next += 1
        return self[self._next - 1]

    def __len__(self):
        return self.base.size

    def __getitem__(self, index):
        return wrap(self.base._tensor.reshape(-1))[index]

    def __setitem__(self, index, value):
        place = self.base.writable_tensor()
        flat = wrap(place.reshape(-1).clone())
        flat[index] = value
        place.copy_(flat._tensor.reshape(place.shape))

    def copy(self):
        return self.base.flatten()


class flagsobj:
    """`a.flags`: by name or as an item, `a.flags["C_CONTIGUOUS"]`."""

    __module__ = "numpy"

    def __init__(self, array):
        tensor = array._tensor
        self.c_contiguous = tensor.is_contiguous()
        self.f_contiguous = tensor.permute(tuple(reversed(range(tensor.dim())))).is_contiguous()
        self.contiguous, self.fnc = self.c_contiguous, self.f_contiguous and not self.c_contiguous
        self.writeable, self.aligned = not array._locked, True

    def __getitem__(self, name):
        names = {"C": "c_contiguous", "F": "f_contiguous", "W": "writeable", "A": "aligned"}
        found = getattr(self, names.get(name, name.lower()), None)
        if found is None:
            raise KeyError("Unknown flag")
        return found


    def __repr__(self):
        rows = {"C_CONTIGUOUS": self.c_contiguous, "F_CONTIGUOUS": self.f_contiguous, "WRITEABLE": self.writeable,
                "ALIGNED": self.aligned}
        return "".join([f"  {name} : {value}\n" for name, value in rows.items()])


_flat, _flags = flatiter, flagsobj
