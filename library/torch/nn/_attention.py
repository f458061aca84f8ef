"""Attention in `torch.nn.functional`: one head, and several beside each other.

    scaled_dot_product_attention(q, k, v)    softmax(q @ k.T / sqrt(width)) @ v
"""
import torch


def scaled_dot_product_attention(query, key, value, attn_mask=None, dropout_p=0.0,
                                 is_causal=False, scale=None, enable_gqa=False):
    """softmax(query @ key.T * scale) @ value, with a mask and dropout."""
    if scale is None:
        scale = query.size(-1) ** -0.5
    if is_causal and attn_mask is not None:
        raise RuntimeError("_scaled_dot_product_attention: Explicit attn_mask should not be set "
                           "when is_causal=True")
    if enable_gqa:
        key = key.repeat_interleave(query.size(-3) // key.size(-3), -3)
        value = value.repeat_interleave(query.size(-3) // value.size(-3), -3)
    scores = query @ key.transpose(-2, -1) * scale
    if is_causal:
        attn_mask = torch.ones(query.size(-2), key.size(-2), dtype=torch.bool,
                               device=query.device).tril()
    if attn_mask is not None:
        if attn_mask.dtype == torch.bool:
            scores = scores.masked_fill(~attn_mask, -float("inf"))
        else:
            scores = scores + attn_mask
    weights = scores.softmax(-1)
    if attn_mask is not None and attn_mask.dtype == torch.bool:
        weights = weights.masked_fill(~attn_mask.any(-1, keepdim=True), 0.0)
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


def _additive(mask, dtype):
    """A mask as numbers to add: what is masked is -inf."""
    if mask is None or mask.dtype != torch.bool:
        return mask
    return torch.zeros(mask.shape, dtype=dtype, device=mask.device).masked_fill_(mask, float("-inf"))


def _check_shapes(query, key, value, embed_dim):
    if query.size(-1) != embed_dim:
        raise AssertionError(f"was expecting embedding dimension of {embed_dim}, but got "
                             f"{query.size(-1)}")
    if key.shape[:2] != value.shape[:2]:
        raise AssertionError(f"key's sequence and batch dims {key.shape[:2]} do not match value's "
                             f"{value.shape[:2]}")


def _one_mask(attn_mask, key_padding_mask, heads, batch, targets, sources, dtype):
    """Both masks as one to add, for [batch * heads, targets, sources]."""
    mask = _additive(attn_mask, dtype)
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
    padding = _additive(key_padding_mask, dtype).view(batch, 1, 1, sources)
    padding = padding.expand(-1, heads, -1, -1).reshape(batch * heads, 1, sources)
    return padding if mask is None else mask + padding


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
    if is_causal and attn_mask is None:
        raise RuntimeError("Need attn_mask if specifying the is_causal hint. You may use the "
                           "Transformer module method `generate_square_subsequent_mask` to create "
                           "this mask.")
    batched = query.dim() == 3
    if not batched:
        if query is key and key is value:
            query = key = value = query.unsqueeze(1)
        else:
            query, key, value = query.unsqueeze(1), key.unsqueeze(1), value.unsqueeze(1)
        if key_padding_mask is not None:
            key_padding_mask = key_padding_mask.unsqueeze(0)
    _check_shapes(query, key, value, embed_dim_to_check)
    targets, batch, width = query.shape
    sources = key.size(0)
    separate = (q_proj_weight, k_proj_weight, v_proj_weight) if use_separate_proj_weight else None
    parts = _projected(query, key, value, in_proj_weight, in_proj_bias, separate)
    size = width // num_heads
    # A head of an example after the other: [batch * heads, places, size].
    q, k, v = [each.reshape(each.size(0), batch * num_heads, size).transpose(0, 1) for each in parts]
    mask = _one_mask(attn_mask, key_padding_mask, num_heads, batch, targets, sources, q.dtype)
    rate = dropout_p if training else 0.0
    if need_weights:
        scores = (q * size ** -0.5).bmm(k.transpose(-2, -1))
        weights = (scores if mask is None else scores + mask).softmax(-1)
        if rate > 0.0:
            weights = torch.nn.functional.dropout(weights, rate)
        seen = weights.bmm(v)
    else:
        shown = [each.view(batch, num_heads, each.size(1), size) for each in (q, k, v)]
        if mask is not None:
            mask = mask.expand(batch * num_heads, -1, -1) if mask.size(0) == 1 else mask
            mask = mask.view(batch, num_heads, mask.size(1), sources)
        seen = scaled_dot_product_attention(*shown, mask, rate).reshape(-1, targets, size)
    joined = seen.transpose(0, 1).reshape(targets * batch, width)
    result = torch.nn.functional.linear(joined, out_proj_weight, out_proj_bias)
    result = result.view(targets, batch, out_proj_weight.size(0))
    if need_weights:
        weights = weights.view(batch, num_heads, targets, sources)
        weights = weights.mean(1) if average_attn_weights else weights
    else:
        weights = None
    if batched:
        return result, weights
    return result.squeeze(1), None if weights is None else weights.squeeze(0)
