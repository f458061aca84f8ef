"""Attention in `torch.nn.functional`: one head, and several beside each other.

    scaled_dot_product_attention(q, k, v)    softmax(q @ k.T / sqrt(width)) @ v
"""
import torch
from torch._output import cpp_name

# Which of PyTorch's kernels a script allows (`torch.nn.attention.sdpa_kernel`, `torch.backends.cuda`).
_allowed = {"flash": True, "mem_efficient": True, "math": True, "cudnn": True, "overrideable": True}


def _check_kernels(query, key, value, attn_mask, dropout_p):
    """Refuses what no allowed kernel of PyTorch's computes, where the one for all cases is not."""
    if not (any(_allowed.values()) if query.is_cuda else _allowed["flash"]):
        raise RuntimeError("No viable backend for scaled_dot_product_attention was found. This is "
                           "likely due to turning off both the math kernel and the fused kernels.")
    if query.is_cuda:
        return
    rows = all(each.stride(-1) == 1 for each in (query, key, value))
    width = query.size(-1) == key.size(-1) == value.size(-1)
    if dropout_p > 0.0 or not rows or not width or (attn_mask is not None and attn_mask.requires_grad):
        raise RuntimeError("No available kernel.  Aborting execution.")


def _is_one_call(query, key, value, attn_mask, dropout_p):
    """Whether attention is one operator: of PyTorch's kernels, the one that it would take is."""
    if query.is_cuda or dropout_p > 0.0 or not _allowed["flash"]:
        return False
    if not query.dim() == key.dim() == value.dim() == 4:
        return False
    if not query.is_floating_point():
        return False
    if query.shape[:2] != key.shape[:2] or key.shape != value.shape:
        return False
    if query.size(-1) != key.size(-1) or query.numel() == 0 or key.numel() == 0:
        return False
    if not query.stride(-1) == key.stride(-1) == value.stride(-1) == 1:
        return False
    return attn_mask is None or _spreads(attn_mask, query, key)


def _spreads(mask, query, key):
    """Whether a mask has no gradient, and two or four dimensions that fit the scores."""
    if mask.requires_grad or mask.dim() not in (2, 4):
        return False
    sizes = (query.size(0), query.size(1), query.size(2), key.size(2))
    return all(mine in (1, theirs) for mine, theirs in zip(mask.shape, sizes[4 - mask.dim():]))


def _check_dtypes(query, key, value, attn_mask):
    if torch.is_autocast_enabled(query.device.type):
        return  # they become of one dtype
    if not query.dtype == key.dtype == value.dtype:
        raise RuntimeError("Expected query, key, and value to have the same dtype, but got "
                           f"query.dtype: {cpp_name(query.dtype)} key.dtype: {cpp_name(key.dtype)} and "
                           f"value.dtype: {cpp_name(value.dtype)} instead.")
    if attn_mask is not None and attn_mask.dtype not in (torch.bool, torch.float32, query.dtype):
        raise RuntimeError("Expected attn_mask dtype to be bool or float or to match query dtype, but "
                           f"got attn_mask.dtype: {cpp_name(attn_mask.dtype)} and  query.dtype: "
                           f"{cpp_name(query.dtype)} instead.")


def _check_mask(mask, query, key, dropout_p):
    """A mask is added to the scores where they lie, so that it spreads over them and not they over it."""
    alike = query.dim() == 4 and query.shape[:-2] == key.shape[:-2]
    if mask.dim() < 2 and alike and not mask.requires_grad and dropout_p == 0.0:
        raise IndexError("Dimension specified as -2 but tensor has no dimensions" if mask.dim() == 0 else
                         "Dimension out of range (expected to be in range of [-1, 0], but got -2)")
    scores = [*query.shape[:-1], key.size(-2)]
    if len(scores) == 3:
        scores = [1] + scores
    both = max(len(scores), mask.dim())
    theirs = [1] * (both - len(scores)) + scores
    mine = [1] * (both - mask.dim()) + list(mask.shape)
    for place in reversed(range(both)):
        if theirs[place] != mine[place] and theirs[place] != 1 and mine[place] != 1:
            raise RuntimeError(f"The size of tensor a ({theirs[place]}) must match the size of tensor b "
                               f"({mine[place]}) at non-singleton dimension {place}")
    spread = [theirs[place] if mine[place] == 1 else mine[place] for place in range(both)]
    if spread != scores:
        raise RuntimeError(f"output with shape {scores} doesn't match the broadcast shape {spread}")


def scaled_dot_product_attention(query, key, value, attn_mask=None, dropout_p=0.0,
                                 is_causal=False, scale=None, enable_gqa=False):
    """softmax(query @ key.T * scale) @ value, with a mask and dropout."""
    if attn_mask is not None and not isinstance(attn_mask, torch.Tensor):
        from torch.nn.attention.bias import CausalBias
        if not isinstance(attn_mask, CausalBias):
            raise TypeError("scaled_dot_product_attention(): argument 'attn_mask' (position 4) must be "
                            f"Tensor, not {type(attn_mask).__name__}")
        attn_mask, is_causal = attn_mask._as_arguments(query.device, is_causal)
    _check_dtypes(query, key, value, attn_mask)
    if not _allowed["math"]:
        _check_kernels(query, key, value, attn_mask, dropout_p)
    if scale is None:
        scale = query.size(-1) ** -0.5
    if is_causal and attn_mask is not None:
        raise RuntimeError("_scaled_dot_product_attention: Explicit attn_mask should not be set "
                           "when is_causal=True")
    if enable_gqa:
        key = key.repeat_interleave(query.size(-3) // key.size(-3), -3)
        value = value.repeat_interleave(query.size(-3) // value.size(-3), -3)
    if attn_mask is not None:
        _check_mask(attn_mask, query, key, dropout_p)
        if query.dim() == 3 and attn_mask.dim() == 4:
            attn_mask = attn_mask[0]
    if _is_one_call(query, key, value, attn_mask, dropout_p):
        return torch._attention(query, key, value, attn_mask, is_causal, scale).output
    scores = query @ key.transpose(-2, -1) * scale
    if is_causal:
        attn_mask = torch.ones(query.size(-2), key.size(-2), dtype=torch.bool,
                               device=query.device).tril()
    if attn_mask is not None:
        if attn_mask.dtype == torch.bool:
            scores = scores.masked_fill(~attn_mask, -float("inf"))
        else:
            scores = scores + attn_mask
    if attn_mask is None:
        weights = scores.softmax(-1)
    else:  # who sees nothing gets zeros
        nothing = (scores == -float("inf")).all(-1, keepdim=True)
        weights = scores.masked_fill(nothing, 0.0).softmax(-1).masked_fill(nothing, 0.0)
    if dropout_p > 0.0:
        weights = torch.nn.functional.dropout(weights, dropout_p)
    return weights @ value


def _projected(query, key, value, in_weight, in_bias, weights):
    """The three projections; by one product where all are made of one tensor."""
    linear = torch.nn.functional.linear
    biases = in_bias.chunk(3) if in_bias is not None else (None, None, None)
    if weights is not None:
        given = zip((query, key, value), weights, biases)
        return [linear(each, weight, bias) for each, weight, bias in given]
    if query is key and key is value:
        return linear(query, in_weight, in_bias).chunk(3, -1)
    given = zip((query, key, value), in_weight.chunk(3), biases)
    return [linear(each, weight, bias) for each, weight, bias in given]


def _additive(mask, name, dtype):
    """A mask as numbers to add: what is masked is -inf."""
    if mask is None or mask.is_floating_point():
        return mask
    if mask.dtype != torch.bool:
        raise AssertionError(f"only bool and floating types of {name} are supported")
    zeros = torch.zeros(mask.shape, dtype=dtype, device=mask.device)
    return zeros.masked_fill_(mask, float("-inf"))


def _check_ranks(query, key, value, key_padding_mask):
    rank = query.dim()
    if rank not in (2, 3):
        raise AssertionError("query should be unbatched 2D or batched 3D tensor but received "
                             f"{rank}-D query tensor")
    named = "batched (3-D)" if rank == 3 else "unbatched (2-D)"
    if key.dim() != rank or value.dim() != rank:
        raise AssertionError(f"For {named} `query`, expected `key` and `value` to be {rank}-D but "
                             f"found {key.dim()}-D and {value.dim()}-D tensors respectively")
    if key_padding_mask is not None and key_padding_mask.dim() != rank - 1:
        raise AssertionError(f"For {named} `query`, expected `key_padding_mask` to be `None` or "
                             f"{rank - 1}-D but found {key_padding_mask.dim()}-D tensor instead")


def _check_sizes(query, key, value, embed_dim, key_padding_mask):
    if query.size(-1) != embed_dim:
        raise AssertionError(f"was expecting embedding dimension of {embed_dim}, but got "
                             f"{query.size(-1)}")
    if key.shape[:2] != value.shape[:2]:
        raise AssertionError(f"key shape {key.shape} does not match value shape {value.shape}")
    if key_padding_mask is None:
        return
    for i, size in enumerate((key.size(1), key.size(0))):
        if key_padding_mask.size(i) != size:
            raise AssertionError(f"Expected key_padded_mask.shape[{i}] to be {size}, but got "
                                 f"{key_padding_mask.size(i)}")


def _one_mask(attn_mask, key_padding_mask, heads, batch, targets, sources, dtype):
    """Both masks as one to add, for [batch * heads, targets, sources]."""
    mask = _additive(attn_mask, "attn_mask", dtype)
    if mask is not None and mask.dim() == 2:
        if mask.shape != (targets, sources):
            raise RuntimeError(f"The shape of the 2D attn_mask is {mask.shape}, but should be "
                               f"{(targets, sources)}.")
        mask = mask.unsqueeze(0)
    elif mask is not None and mask.shape != (batch * heads, targets, sources):
        raise RuntimeError(f"The shape of the 3D attn_mask is {mask.shape}, but should be "
                           f"{(batch * heads, targets, sources)}.")
    if key_padding_mask is None:
        return mask
    padding = _additive(key_padding_mask, "key_padding_mask", dtype)
    padding = padding.view(batch, 1, 1, sources).expand(-1, heads, -1, -1)
    padding = padding.reshape(batch * heads, 1, sources)
    return padding if mask is None else mask + padding


def _attend(heads, mask, dropout_p, batch, need_weights):
    """What each place sees, [batch * heads, targets, size], and by which weights."""
    q, k, v = heads
    if need_weights:
        scores = (q * q.size(-1) ** -0.5).bmm(k.transpose(-2, -1))
        weights = (scores if mask is None else scores + mask).softmax(-1)
        if dropout_p > 0.0:
            weights = torch.nn.functional.dropout(weights, dropout_p)
        return weights.bmm(v), weights
    count = q.size(0) // batch if batch else 1
    q, k, v = [each.view(batch, count, each.size(1), each.size(2)) for each in heads]
    if mask is not None:
        mask = mask.expand(batch * count, -1, -1).view(batch, count, mask.size(1), mask.size(2))
    seen = scaled_dot_product_attention(q, k, v, mask, dropout_p)
    return seen.reshape(batch * count, seen.size(2), seen.size(3)), None


def multi_head_attention_forward(
        query, key, value, embed_dim_to_check, num_heads, in_proj_weight, in_proj_bias, bias_k,
        bias_v, add_zero_attn, dropout_p, out_proj_weight, out_proj_bias, training=True,
        key_padding_mask=None, need_weights=True, attn_mask=None, use_separate_proj_weight=False,
        q_proj_weight=None, k_proj_weight=None, v_proj_weight=None, static_k=None, static_v=None,
        average_attn_weights=True, is_causal=False):
    """Attention of [targets, batch, width] to [sources, batch, width], each head in its part."""
    if bias_k is not None or bias_v is not None or add_zero_attn:
        raise NotImplementedError("attention with bias_k, bias_v or add_zero_attn is not available")
    if static_k is not None or static_v is not None:
        raise NotImplementedError("attention with static_k or static_v is not available")
    _check_ranks(query, key, value, key_padding_mask)
    if is_causal and attn_mask is None:
        raise RuntimeError("Need attn_mask if specifying the is_causal hint. You may use the "
                           "Transformer module method `generate_square_subsequent_mask` to create "
                           "this mask.")
    batched = query.dim() == 3
    if not batched:
        same = query is key and key is value
        query = query.unsqueeze(1)
        key, value = (query, query) if same else (key.unsqueeze(1), value.unsqueeze(1))
        if key_padding_mask is not None:
            key_padding_mask = key_padding_mask.unsqueeze(0)
    _check_sizes(query, key, value, embed_dim_to_check, key_padding_mask)
    targets, batch, width = query.shape
    sources, size = key.size(0), width // num_heads
    separate = (q_proj_weight, k_proj_weight, v_proj_weight) if use_separate_proj_weight else None
    # A head of an example after the other: [batch * heads, places, size].
    heads = [each.reshape(each.size(0), batch * num_heads, size).transpose(0, 1)
             for each in _projected(query, key, value, in_proj_weight, in_proj_bias, separate)]
    mask = _one_mask(attn_mask, key_padding_mask, num_heads, batch, targets, sources,
                     heads[0].dtype)
    seen, weights = _attend(heads, mask, dropout_p if training else 0.0, batch, need_weights)
    joined = seen.transpose(0, 1).reshape(targets * batch, width)
    result = torch.nn.functional.linear(joined, out_proj_weight, out_proj_bias)
    result = result.view(targets, batch, out_proj_weight.size(0))
    if need_weights:
        weights = weights.view(batch, num_heads, targets, sources)
        weights = weights.mean(1) if average_attn_weights else weights
    if batched:
        return result, weights
    return result.squeeze(1), None if weights is None else weights.squeeze(0)
