"""Parts of arrays, read and written: `a[1]`, `a[:, ::2]`, `a[a > 0]`, `a[[0, 2], :, None]`.

1. An index is a tuple of parts; `...` stands for whole axes.
2. Ints, slices and None give a view of the same memory.
3. Arrays and lists of ints or bools (a mask counts as the places where it holds) choose elements: those
   axes go to the front of the view, where PyTorch indexes them; what they are broadcast to takes their
   place, in front where something stands between them. An int beside them counts as one of them.
"""
import operator

import torch
from numpy import _memory, _scalars
from numpy._array import _view, locked, ndarray, wrap, wrap_result
from numpy._dtypes import converted
from numpy._quick import fitting
from numpy._scalars import generic, of_tensor
from numpy._values import check_fits, operand

_WHOLE = slice(None)


def _plain_places(index):
    """An index of ints alone as ints, None for any other: `a[i, j]` in a loop is worth a way of its own."""
    for each in index:
        if type(each) is not int:
            break
    else:
        return index
    for each in index:
        if type(each) is not int and not isinstance(each, _scalars.integer):
            return None
    return tuple([each if type(each) is int else each._number for each in index])


def _at_places(array, tensor, index):
    """What lies at ints; None where the index has another form, or does not fit."""
    places = _plain_places(index)
    if not places or len(places) > tensor.dim():
        return None
    try:
        found = tensor[places]
    except IndexError:
        return None  # said in NumPy's words by who looks closer
    return _scalars.make(tensor.dtype, found.item()) if len(places) == tensor.dim() else _view(array, found)


def _put_at_places(tensor, index, value):
    """Writes a number of the array's own kind at ints; whether that was it."""
    if isinstance(value, generic):
        if value._torch_dtype is not tensor.dtype:
            return False
        value = value._number
    if type(value) is not _PUT_PLAINLY.get(tensor.dtype):
        return False
    places = _plain_places(index if type(index) is tuple else (index,))
    if not places or len(places) != tensor.dim():
        return False
    try:
        tensor[places] = value
    except (IndexError, OverflowError, RuntimeError):
        return False
    return True


_PUT_PLAINLY = {torch.float64: float, torch.int64: int}


def _is_plain(part):
    """Whether it is an int, or a slice by ints that goes forwards: PyTorch's are the same."""
    kind = type(part)
    if kind is slice:
        step = part.step
        return ((step is None or type(step) is int and step > 0) and type(part.start) in _BOUNDS
                and type(part.stop) in _BOUNDS)
    return kind is int


_BOUNDS = (int, type(None))


def _is_plain_view(index, tensor):
    """Whether it is made of such parts, and what it chooses has dimensions."""
    if type(index) is not tuple:
        return _is_plain(index) and (type(index) is slice or tensor.dim() > 1)
    sliced = False
    for part in index:
        if not _is_plain(part):
            return False
        sliced = sliced or type(part) is slice
    return sliced


def _plain_choice(index):
    """Arrays of int64, and ints among them, as what PyTorch's index takes; None for any other index."""
    if type(index) is ndarray:
        return index._tensor if index._tensor.dtype is torch.int64 else None
    if type(index) is not tuple:
        return None
    parts, chooses = [], False
    for part in index:
        if type(part) is ndarray and part._tensor.dtype is torch.int64:
            parts.append(part._tensor)
            chooses = True
        elif type(part) is int:
            parts.append(part)
        else:
            return None
    return tuple(parts) if chooses else None


def _put_plainly(tensor, index, value):
    """Writes a number or an array of the array's own kind into a view or at places; whether that was it."""
    source = fitting(value, tensor.dtype)
    if source is None:
        return False
    if not _is_plain_view(index, tensor):
        index = _plain_choice(index)
        if index is None:
            return False
    if type(source) is torch.Tensor:
        source = source.clone()  # what is read may be what is written
    try:
        tensor[index] = source
    except (IndexError, RuntimeError, OverflowError):
        return False
    return True


def _get(array, index):
    tensor = array._tensor
    if type(index) is int:
        if tensor.dim() == 1:
            try:
                number = tensor[index].item()
            except IndexError:
                number = _selected(tensor, 0, index, 0).item()
            made = object.__new__(_scalars.class_of(tensor.dtype))
            made._number = number
            return made
        if tensor.dim() > 1:
            return _view(array, _selected(tensor, 0, index, 0))
    if _is_plain_view(index, tensor):
        try:
            return _view(array, tensor[index])
        except IndexError:
            pass  # said in NumPy's words by who looks closer
    choice = _plain_choice(index)
    if choice is not None:
        try:
            return wrap_result(tensor[choice])
        except IndexError:
            pass
    if type(index) is tuple:
        found = _at_places(array, tensor, index)
        if found is not None:
            return found
    if type(index) is ndarray and index._tensor.dtype is torch.bool and index._tensor.shape == tensor.shape:
        return wrap(tensor.reshape(-1)[index._tensor.reshape(-1)])
    chosen = _Chosen(tensor, index)
    if chosen.places:
        chosen.turned_around()
        return wrap_result(chosen.read())
    if chosen.whole_number:
        return of_tensor(chosen.view)
    return locked(chosen.view) if chosen.turned_around() else _view(array, chosen.view)


def _set(array, index, value):
    tensor = array.writable_tensor()
    if _put_at_places(tensor, index, value) or _put_plainly(tensor, index, value):
        return
    values = operand(value)
    if values.dtype is not tensor.dtype:
        check_fits(value, values, tensor.dtype)
        values = converted(values, tensor.dtype)
    elif values.dim() > 0:
        values = values.clone()  # what is read may be what is written
    if type(index) is ndarray and index._tensor.dtype is torch.bool and index._tensor.shape == tensor.shape:
        _fill_mask(tensor, index._tensor, values)
        return
    chosen = _Chosen(tensor, index)
    if chosen.places:
        chosen.write(values)
    else:
        chosen.fill(values)


def _text(shape):
    return str(tuple(shape)).replace(" ", "")


def _without_leading_ones(values, rank):
    return values.reshape(tuple(values.shape)[values.dim() - rank:]) if values.dim() > rank else values


def _fits(values, shape):
    sizes, wanted = list(values.shape), list(shape)
    while len(sizes) > len(wanted) and sizes[0] == 1:
        sizes = sizes[1:]
    if len(sizes) > len(wanted):
        return False
    return all([size == 1 or size == want for size, want in zip(reversed(sizes), reversed(wanted))])


def _fill_mask(tensor, mask, values):
    if values.dim() == 0:
        tensor.masked_fill_(mask, values)
        return
    count = int(mask.sum())
    if values.dim() > 1:
        raise ValueError("NumPy boolean array indexing assignment requires a 0 or 1-dimensional input, input has "
                         f"{values.dim()} dimensions")
    if values.numel() not in (1, count):
        raise ValueError(f"NumPy boolean array indexing assignment cannot assign {values.numel()} input values to "
                         f"the {count} output values where the mask is true")
    tensor[mask] = values.expand(count)


def _selected(tensor, dim, place, axis):
    size = tensor.size(dim)
    if not -size <= place < size:
        raise IndexError(f"index {place} is out of bounds for axis {axis} with size {size}")
    return tensor.select(dim, place)


_NO_INDEX = ("only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays "
             "are valid indices")


def _index_tensor(part):
    """An index array as a tensor of int64 or bool."""
    tensor = operand(part)
    if isinstance(part, (list, tuple)) and tensor.numel() == 0:
        tensor = tensor.to(torch.int64)
    if tensor.dtype.is_floating_point:
        raise IndexError(_NO_INDEX if isinstance(part, (list, tuple, float, generic))
                         else "arrays used as indices must be of integer (or boolean) type")
    return tensor if tensor.dtype is torch.bool else tensor.to(torch.int64)


def _as_part(part):
    """A part as an int, a slice, None, `...`, or a tensor."""
    if part is None or part is Ellipsis or type(part) is int or type(part) is slice:
        return part
    if isinstance(part, (bool, _scalars.bool_)):
        return _memory.tensor(bool(part))
    if isinstance(part, _scalars.integer):
        return part._number
    if isinstance(part, (list, tuple, range, ndarray, torch.Tensor)):
        return _index_tensor(part)
    if hasattr(part, "__index__"):
        return operator.index(part)
    raise IndexError(_NO_INDEX)


def _axes_of(part):
    if part is None or part is Ellipsis:
        return 0
    return part.dim() if isinstance(part, torch.Tensor) and part.dtype is torch.bool else 1


class _Chosen:
    """What an index chooses of a tensor: a view, and the places in some of its axes."""

    def __init__(self, tensor, index):
        given = [_as_part(each) for each in index] if type(index) is tuple else [_as_part(index)]
        parts = _with_whole_axes(given, tensor.dim())
        self.view = tensor
        self.places = []   # (axis of the view, index tensor of int64)
        self._turned = []  # axes of the view along which a slice goes backwards
        self._separated = self._ended = False
        advanced = any([isinstance(each, torch.Tensor) for each in parts])
        # All axes taken by ints: what is left is an element, no array.
        self.whole_number = tensor.dim() == len(given) and all([type(each) is int for each in given])
        self._axis = self._dim = 0   # in the tensor, in the view
        for part in parts:
            self._apply(part, advanced)

    def turned_around(self):
        """Whether a slice goes backwards; then the view becomes a copy."""
        if self._turned:
            self.view = self.view.flip(tuple(self._turned))
        return len(self._turned) > 0

    def fill(self, values):
        """Writes values into a view."""
        if self.whole_number and values.dim() > 0 and (values.numel() != 1 or values.dtype is not torch.bool):
            raise ValueError("setting an array element with a sequence.")
        if not _fits(values, self.view.shape):
            sizes = tuple(values.shape)
            while len(sizes) > self.view.dim() and sizes[0] == 1:
                sizes = sizes[1:]
            raise ValueError(f"could not broadcast input array from shape {_text(sizes)} into shape "
                             f"{_text(self.view.shape)}")
        values = _without_leading_ones(values, self.view.dim())
        if self._turned:
            values = values.expand(self.view.shape).flip(tuple(self._turned))
        self.view.copy_(values)

    def _apply(self, part, advanced):
        if part is None:
            self.view = self.view.unsqueeze(self._dim)
            self._pass_by(0)
        elif type(part) is slice:
            self._slice(part)
            self._pass_by(1)
        elif type(part) is int and not advanced:
            self.view = _selected(self.view, self._dim, part, self._axis)
            self._axis += 1
        elif type(part) is int:
            _selected(self.view, self._dim, part, self._axis)
            self._choose(_memory.tensor(part))
        elif part.dtype is torch.bool:
            self._mask(part)
        else:
            self._check_places(part)
            self._choose(part)

    def _pass_by(self, axes):
        self._ended = self._ended or len(self.places) > 0
        self._axis += axes
        self._dim += 1

    def _choose(self, places):
        self._separated = self._separated or self._ended
        self.places.append((self._dim, places))
        self._axis += 1
        self._dim += 1

    def _slice(self, part):
        if part == _WHOLE:
            return
        size = self.view.size(self._dim)
        start, stop, step = part.indices(size)
        if step > 0:
            stop = max(start, stop)
            if step == 1:
                self.view = self.view.narrow(self._dim, start, stop - start)
            else:
                self._narrow(slice(start, stop, step))
            return
        count = len(range(start, stop, step))
        first = start + step * (count - 1)
        self._narrow(slice(0, 0) if count == 0 else slice(first, start + 1, -step))
        self._turned.append(self._dim)

    def _narrow(self, part):
        self.view = self.view[(*(_WHOLE,) * self._dim, part)]

    def _mask(self, mask):
        if mask.dim() == 0:
            self.view = self.view.unsqueeze(self._dim)
            self._choose(_memory.zeros(int(mask), dtype=torch.int64))
            self._axis -= 1
            return
        for i, size in enumerate(mask.shape):
            if size != self.view.size(self._dim + i):
                raise IndexError(f"boolean index did not match indexed array along axis {self._axis + i}; size of "
                                 f"axis is {self.view.size(self._dim + i)} but size of corresponding boolean axis "
                                 f"is {size}")
        for places in mask.nonzero().unbind(1):
            self._choose(places)

    def _check_places(self, places):
        size = self.view.size(self._dim)
        if places.numel() == 0:
            return
        for worst in (places.min().item(), places.max().item()):
            if not -size <= worst < size:
                bad = places[(places < -size) | (places >= size)].reshape(-1)[0].item()
                raise IndexError(f"index {bad} is out of bounds for axis {self._axis} with size {size}")

    # ---- Chosen places ----

    def _in_front(self):
        """The view with the chosen axes in front, and one index tensor for each, broadcast."""
        chosen = [dim for dim, _ in self.places]
        rest = [dim for dim in range(self.view.dim()) if dim not in chosen]
        try:
            places = torch.broadcast_tensors(*[each for _, each in self.places])
        except RuntimeError:
            shapes = " ".join([_text(each.shape) for _, each in self.places])
            raise IndexError("shape mismatch: indexing arrays could not be broadcast together with shapes "
                             f"{shapes} ") from None
        self._rank = places[0].dim()
        if self._rank == 0:
            places = [each.unsqueeze(0) for each in places]
        self._front = 0 if self._separated else chosen[0]
        return self.view.permute((*chosen, *rest)), tuple(places)

    def read(self):
        view, places = self._in_front()
        result = view[places]
        if self._rank == 0:
            return result.squeeze(0)
        count = self._rank
        if self._front == 0:
            return result
        order = [*range(count, count + self._front), *range(count), *range(count + self._front, result.dim())]
        return result.permute(order).contiguous()

    def write(self, values):
        view, places = self._in_front()
        count = self._rank
        rest = tuple(view.shape)[len(places):]
        chosen = tuple(places[0].shape) if count else ()
        shape = rest[:self._front] + chosen + rest[self._front:]
        if not _fits(values, shape):
            raise ValueError(f"shape mismatch: value array of shape {_text(values.shape)} could not be broadcast to "
                             f"indexing result of shape {_text(shape)}")
        values = _without_leading_ones(values, len(shape)).expand(shape)
        front = self._front
        if self._turned:
            chosen_dims = [dim for dim, _ in self.places]
            rest_dims = [dim for dim in range(self.view.dim()) if dim not in chosen_dims]
            turned = [rest_dims.index(dim) for dim in self._turned]
            values = values.flip(tuple([place if place < front else place + count for place in turned]))
        order = [*range(front, front + count), *range(front), *range(front + count, len(shape))]
        values = values.permute(order)
        if view.dtype is torch.int64:
            places = tuple([each.clone() for each in places])  # they may lie in what is written
        view[places] = values if count else values.unsqueeze(0)


def _with_whole_axes(parts, rank):
    """The parts with `...` spelled out, and slices for the axes behind them."""
    dots = [i for i, each in enumerate(parts) if each is Ellipsis]
    if len(dots) > 1:
        raise IndexError("an index can only have a single ellipsis ('...')")
    taken = sum([_axes_of(each) for each in parts if not (isinstance(each, torch.Tensor) and each.dim() == 0
                                                          and each.dtype is torch.bool)])
    if taken > rank:
        raise IndexError(f"too many indices for array: array is {rank}-dimensional, but {taken} were indexed")
    whole = [_WHOLE] * (rank - taken)
    if not dots:
        return parts + whole
    return parts[:dots[0]] + whole + parts[dots[0] + 1:]


ndarray.__getitem__ = _get
ndarray.__setitem__ = _set
