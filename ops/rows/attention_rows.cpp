// What attention does with the scores of one query, between the products: it weighs the keys, and
// takes the gradients of the weights back to the scores.
//
//     weights    exp(scores * scale + mask - most)          not yet divided by their sum
//     the way    of_scores = weights * (of_weights - mean) * scale
//     back
//
// A row has room for whole vectors; what lies behind the keys that are seen becomes zero.
#include <cmath>

#include "ops/rows/row_kernels.h"
#include "ops/rows/row_vectors.h"
#include "ops/scalar/apply.h"

namespace glint::ops::GLINT_INSTRUCTION_SET {
namespace {

struct Tag {};
using Vector = scalar::Lanes<float, 16, Tag>;
constexpr int64_t kLanes = Vector::kLanes;
using Float = Vector::Float;

/// Calls `visit(place, count)` for each vector of the keys that are seen, and clears the others.
template <class F>
[[gnu::always_inline]] inline void for_seen(const AttentionRow& row, float* cleared, F&& visit) {
  int64_t at = 0;
  for (; at + kLanes <= row.seen; at += kLanes) visit(at, kLanes);
  if (at < row.seen) {
    visit(at, row.seen - at);
    at += kLanes;
  }
  for (; at < row.keys; at += kLanes) Vector().store(cleared + at, Vector().real(0.0));
}

/// The scores from a place on, scaled and masked; `filler` where there is no key.
[[gnu::always_inline]] inline Float masked_scores(const AttentionRow& row, const float* scores,
                                                  int64_t at, int64_t count, Float filler) {
  const Vector b;
  Float x = b.load(scores + at) * b.real(row.scale);
  if (count == kLanes) return row.mask ? x + b.load(row.mask + at) : x;
  if (row.mask) x += load_first<Float>(row.mask + at, count, 0.0F);
  Float place;
  for (int lane = 0; lane < kLanes; ++lane) place[lane] = float(lane);
  return b.select(b.less(place, b.real(double(count))), x, filler);
}

float greatest_lane(const Float& x) {
  float greatest = x[0];
  for (int lane = 1; lane < kLanes; ++lane)
    if (x[lane] > greatest || x[lane] != x[lane]) greatest = x[lane];
  return greatest;
}

AttentionWeights weigh(const AttentionRow& row, float* scores) {
  const Vector b;
  const Float lowest = b.real(-INFINITY);
  Float greatest = lowest, sum = b.real(0.0);
  for_seen(row, scores, [&](int64_t at, int64_t count) {
    const Float x = masked_scores(row, scores, at, count, lowest);
    b.store(scores + at, x);
    greatest = scalar::maximum(b, greatest, x);
  });
  // Who sees nothing weighs nothing.
  const float most = greatest_lane(greatest);
  const Float shift = b.real(most == -INFINITY ? 0.0F : most);
  for_seen(row, scores, [&](int64_t at, int64_t count) {
    const Float weight = scalar::exp(b, b.load(scores + at) - shift);
    b.store(scores + at, weight);
    sum += weight;
  });
  return {shift[0], sum_lanes(sum)};
}

void weigh_back(const AttentionRow& row, float logarithm_of_sum, float mean, float* scores,
                float* of_weights) {
  const Vector b;
  const Float lowest = b.real(-INFINITY), shift = b.real(logarithm_of_sum);
  for_seen(row, scores, [&](int64_t at, int64_t count) {
    const Float x = masked_scores(row, scores, at, count, lowest);
    const Float weight = scalar::exp(b, x - shift);
    b.store(scores + at, weight);
    const Float slope = weight * (b.load(of_weights + at) - b.real(mean)) * b.real(row.scale);
    // Beyond the last key there is anything in `of_weights`.
    b.store(of_weights + at, b.select(b.less(b.real(0.0), weight), slope, weight));
  });
  for (int64_t at = (row.seen + kLanes - 1) / kLanes * kLanes; at < row.keys; at += kLanes)
    b.store(of_weights + at, b.real(0.0));
}

void multiply_row(float* row, int64_t n, float factor) {
  for (int64_t i = 0; i < n; ++i) row[i] *= factor;
}

float dot(const float* x, const float* y, int64_t n) {
  const Vector b;
  Float sum = b.real(0.0);
  int64_t at = 0;
  for (; at + kLanes <= n; at += kLanes) sum += b.load(x + at) * b.load(y + at);
  if (at < n)
    sum += load_first<Float>(x + at, n - at, 0.0F) * load_first<Float>(y + at, n - at, 0.0F);
  return sum_lanes(sum);
}

}  // namespace

void fill_attention(RowTables& tables) {
  tables.attention = {weigh, weigh_back, multiply_row, dot};
}

}  // namespace glint::ops::GLINT_INSTRUCTION_SET
