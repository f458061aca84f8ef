"""Sequences of different lengths without padding: all first places, then all second ones, ...

    packed = pack_padded_sequence(batch, lengths, batch_first=True, enforce_sorted=False)
    packed.batch_sizes      of [4, 2]: 2, 2, 1, 1; so many sequences have a first place, a second one, ...

The longest sequence comes first, so that those which go on are always the first ones. A recurrent
module steps through such a batch, and what has ended takes no part.
"""
from collections import namedtuple

import torch
from torch.nn.utils.rnn import pad_sequence, unpad_sequence

_Parts = namedtuple("PackedSequence", "data batch_sizes sorted_indices unsorted_indices",
                    defaults=(None, None, None))
_NOT_SORTED = (
    "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You can pass "
    "`enforce_sorted=False` to pack_padded_sequence and/or pack_sequence to sidestep this requirement if "
    "you do not need ONNX exportability.")


def invert_permutation(permutation):
    if permutation is None:
        return None
    result = torch.empty_like(permutation)
    result[permutation] = torch.arange(permutation.numel(), device=permutation.device)
    return result


class PackedSequence(_Parts):
    def __new__(cls, data, batch_sizes=None, sorted_indices=None, unsorted_indices=None):
        if batch_sizes is None:
            assert isinstance(data, (list, tuple)) and len(data) == 2, (
                "Expected data to be a list or tuple of length 2")
            data, batch_sizes = data
        if unsorted_indices is None:
            unsorted_indices = invert_permutation(sorted_indices)
        if batch_sizes.device.type != "cpu":
            raise ValueError("batch_sizes should always be on CPU. Instances of PackedSequence should never "
                             "be created manually. They should be instantiated by functions like "
                             "pack_sequence and pack_padded_sequences in nn.utils.rnn. "
                             "https://pytorch.org/docs/stable/nn.html#torch.nn.utils.rnn.pack_sequence")
        return super().__new__(cls, data, batch_sizes, sorted_indices, unsorted_indices)

    def _with(self, data):
        if data is self.data:
            return self
        moved = [None if each is None else each.to(data.device)
                 for each in (self.sorted_indices, self.unsorted_indices)]
        return PackedSequence(data, self.batch_sizes, *moved)

    def to(self, *args, **kwargs):
        return self._with(self.data.to(*args, **kwargs))

    def cuda(self, *args, **kwargs):
        return self._with(self.data.cuda(*args, **kwargs))

    def cpu(self):
        return self._with(self.data.cpu())

    def pin_memory(self):
        return self._with(self.data.pin_memory())

    @property
    def is_cuda(self):
        return self.data.is_cuda

    def is_pinned(self):
        return self.data.is_pinned()


def _conversion(dtype):
    return lambda self: self.to(dtype)


for _name, _dtype in (("double", torch.float64), ("float", torch.float32), ("half", torch.float16),
                      ("long", torch.int64), ("int", torch.int32), ("short", torch.int16),
                      ("char", torch.int8), ("byte", torch.uint8)):
    setattr(PackedSequence, _name, _conversion(_dtype))

# Its class is called as the tuple of its parts is: only the text of that shows the name.
PackedSequence.__module__ = "torch.nn.utils.rnn"


def _lengths_of(batch_sizes):
    """How long each sequence is: so many batches are larger than its number."""
    sizes = batch_sizes.tolist()
    return [sum([size > i for size in sizes]) for i in range(sizes[0])]


def pack_padded_sequence(input, lengths, batch_first=False, enforce_sorted=True):
    lengths = torch.as_tensor(lengths, dtype=torch.int64, device="cpu")
    sorted_indices = None
    if not enforce_sorted:
        lengths, sorted_indices = torch.sort(lengths, descending=True)
        sorted_indices = sorted_indices.to(input.device)
        input = input.index_select(0 if batch_first else 1, sorted_indices)
    rows = input.transpose(0, 1) if batch_first else input
    sizes = lengths.tolist()
    if input.numel() == 0:
        raise RuntimeError("Cannot pack empty tensors.")
    if len(sizes) != rows.size(1):
        raise RuntimeError(f"Expected `len(lengths)` to be equal to batch_size, but got {len(sizes)} "
                           f"(batch_size={rows.size(1)})")
    if any([size <= 0 for size in sizes]):
        raise RuntimeError("Length of all samples has to be greater than 0, but found an element in "
                           "'lengths' that is <= 0")
    if any([after > size for size, after in zip(sizes, sizes[1:])]):
        raise RuntimeError(_NOT_SORTED)
    if sizes[0] > rows.size(0):
        raise RuntimeError(f"a sequence of {sizes[0]} places in a batch of {rows.size(0)}")
    batch_sizes = [sum([size > place for size in sizes]) for place in range(sizes[0])]
    data = torch.cat([rows[place, :count] for place, count in enumerate(batch_sizes)])
    return PackedSequence(data, torch.tensor(batch_sizes), sorted_indices, None)


def pad_packed_sequence(sequence, batch_first=False, padding_value=0.0, total_length=None):
    """The batch with padding, and the lengths."""
    lengths = _lengths_of(sequence.batch_sizes)
    longest = lengths[0]
    if total_length is not None:
        if total_length < longest:
            raise ValueError("Expected total_length to be at least the length of the longest sequence in "
                             f"input, but got total_length={total_length} and max sequence length being "
                             f"{longest}")
        longest = total_length
    data = sequence.data
    places = list(data.split(sequence.batch_sizes.tolist()))
    places += [data[:0]] * (longest - len(places))
    result = torch.stack([_filled(place, len(lengths), padding_value) for place in places])
    result = result.transpose(0, 1) if batch_first else result
    lengths = torch.as_tensor(lengths)
    if sequence.unsorted_indices is not None:
        result = result.index_select(0 if batch_first else 1, sequence.unsorted_indices)
        lengths = lengths[sequence.unsorted_indices.cpu()]
    return result, lengths


def _filled(rows, count, value):
    """As many rows as asked for; those that are missing are the value."""
    if rows.size(0) == count:
        return rows
    return torch.cat([rows, rows.new_full((count - rows.size(0), *rows.shape[1:]), value)])


def pack_sequence(sequences, enforce_sorted=True):
    lengths = [sequence.size(0) for sequence in sequences]
    return pack_padded_sequence(pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)


def unpack_sequence(packed_sequences):
    padded, lengths = pad_packed_sequence(packed_sequences, batch_first=True)
    return unpad_sequence(padded, lengths, batch_first=True)
