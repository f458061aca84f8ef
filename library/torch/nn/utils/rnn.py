"""Sequences of different lengths as one tensor.

    pad_sequence([torch.ones(3), torch.ones(1)], batch_first=True)   # [[1, 1, 1], [1, 0, 0]]
    pack_sequence([torch.ones(3), torch.ones(1)])                    # [1, 1, 1, 1] by 2, 1, 1
"""
import sys

import torch
from torch import _native

# Packed sequences are in a file of their own, which is read when one of its names is asked for.
_PACKING = ("PackedSequence", "invert_permutation", "pack_padded_sequence", "pad_packed_sequence",
            "pack_sequence", "unpack_sequence")
__all__ = [*_PACKING, "pad_sequence", "unpad_sequence"]


def _packing(name):
    if name not in _PACKING:
        return None
    import torch.nn.utils._packing as file
    return getattr(file, name)


_native.set_late_names(sys.modules[__name__], _packing)


def pad_sequence(sequences, batch_first=False, padding_value=0.0, padding_side="right"):
    """One tensor of all; what a sequence lacks to the longest is the padding value."""
    if isinstance(sequences, torch.Tensor):
        sequences = list(sequences.unbind(0))
    if not hasattr(sequences, "__iter__"):
        raise RuntimeError("pad_sequence: Expected iterable for input sequences, but got arg of "
                           f"type: {type(sequences)}")
    sequences = list(sequences)
    if len(sequences) == 0:
        raise RuntimeError("received an empty list of sequences")
    if padding_side not in ("left", "right"):
        raise RuntimeError(f"Expected padding_side to be one of left or right, but got "
                           f"{padding_side}.")
    longest = max([sequence.size(0) for sequence in sequences])
    count, rest = len(sequences), list(sequences[0].shape[1:])
    sizes = [count, longest] if batch_first else [longest, count]
    result = sequences[0].new_full(sizes + rest, padding_value)
    for i, sequence in enumerate(sequences):
        row = result[i] if batch_first else result[:, i]
        length = sequence.size(0)
        first = longest - length if padding_side == "left" else 0
        row[first:first + length].copy_(sequence)
    return result


def unpad_sequence(padded_sequences, lengths, batch_first=False):
    """The sequences of a padded tensor, each as long as it was."""
    rows = padded_sequences if batch_first else padded_sequences.transpose(0, 1)
    places = torch.arange(rows.size(1), device=lengths.device)
    return [row[places < length] for row, length in zip(rows, lengths)]
