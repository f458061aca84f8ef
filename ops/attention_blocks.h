// Attention on the processor, float32: a block of queries at a time.
//
// The scores of a block against all keys that it sees are one product, which stays in the cache
// while its rows become weights (ops/rows) and until a second product has made the block's results
// of them: the whole matrix of scores is never in memory. Under a causal mask a block is multiplied
// with the keys up to its last query alone. The way back computes the weights again, from the
// logarithm of their sum.
//
//     query 4 x 8 x 1024 x 64, in blocks of 64      scores 64 x 64, 64 x 128, ... 64 x 1024
#pragma once

#include "core/tensor/tensor.h"

namespace glint::ops {

/// What attention is called with, [batch, heads, places, width] of float32. Rows are dense, and do
/// not overlap.
struct AttentionCall {
  Tensor query, key, value;
  Tensor mask;  ///< [batch, heads, queries, keys], rows dense, added to the scores; or undefined
  bool causal = false;  ///< query i sees the keys up to i
  float scale = 1.0F;

  int64_t batch() const { return query.size(0); }
  int64_t heads() const { return query.size(1); }
  int64_t queries() const { return query.size(2); }
  int64_t keys() const { return key.size(2); }
  int64_t width() const { return query.size(3); }
};

/// Writes what each query sees into `output`, of the query's sizes and with rows as it has. Gives
/// the logarithm of the sum of the exponentials of its scores, [batch, heads, queries]; infinity
/// where it sees no key.
Tensor attend(const AttentionCall& call, const Tensor& output);

/// They lie as [batch, places, heads, width] in memory, as the projections before them read them.
struct AttentionGradients {
  Tensor query, key, value;
};
AttentionGradients attend_back(const AttentionCall& call, const Tensor& gradient,
                               const Tensor& output, const Tensor& logarithms);

}  // namespace glint::ops
