"""`torch.nn.attention.bias`: causal masks of queries and keys that are not equally many.

    causal_lower_right(2, 3)      # the last query sees the last key
    tensor([[ True,  True, False],
            [ True,  True,  True]])

In PyTorch such a mask is a tensor of a class of its own; here it is an object that
`scaled_dot_product_attention` takes for its mask.
"""
import enum
import warnings

import torch


class CausalVariant(enum.IntEnum):
    UPPER_LEFT = 1
    LOWER_RIGHT = 2


class CausalBias:
    """A mask that is made where it is used."""

    def __init__(self, variant, seq_len_q, seq_len_kv):
        if not isinstance(variant, CausalVariant):
            raise AssertionError(f"variant must be a CausalVariant, got {type(variant).__name__}")
        self.variant = variant
        self.seq_len_q = seq_len_q
        self.seq_len_kv = seq_len_kv
        if seq_len_q > seq_len_kv and variant is CausalVariant.LOWER_RIGHT:
            warnings.warn("Lower right causal bias will produce NaNs in the output when seq_len_q > "
                          "seq_len_kv!", stacklevel=2)

    def _materialize(self, device=None):
        """The mask as a tensor."""
        lower = self.variant is CausalVariant.LOWER_RIGHT
        diagonal = self.seq_len_kv - self.seq_len_q if lower else 0
        return torch.ones(self.seq_len_q, self.seq_len_kv, dtype=torch.bool,
                          device=device).tril(diagonal)

    def _as_arguments(self, device, is_causal):
        """What stands for it among attention's arguments: `attn_mask` and `is_causal`."""
        if is_causal:
            raise ValueError("CausalBias should not be used with causal=True")
        if self.seq_len_q == self.seq_len_kv or self.variant is CausalVariant.UPPER_LEFT:
            return None, True
        return self._materialize(device), False

    def __repr__(self):
        return repr(self._materialize())


def _biases(name, variant):
    def bias(*size):
        if len(size) != 2:
            raise AssertionError(f"{name} only supports 2D tensors")
        return CausalBias(variant, *size)
    bias.__name__ = bias.__qualname__ = name
    return bias


causal_upper_left = _biases("causal_upper_left", CausalVariant.UPPER_LEFT)
causal_lower_right = _biases("causal_lower_right", CausalVariant.LOWER_RIGHT)
