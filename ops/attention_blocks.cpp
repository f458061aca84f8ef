#include "ops/attention_blocks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "core/platform/gemm.h"
#include "core/support/thread_pool.h"
#include "core/tensor/views.h"
#include "ops/rows/row_kernels.h"

namespace glint::ops {

namespace {

/// Multiply-adds below which a thread is not woken.
constexpr int64_t kLeastWork = 1 << 18;

/// The rows of one head.
struct Head {
  float* data;
  int64_t stride;
  float* row(int64_t i) const { return data + i * stride; }
};
Head head_of(const Tensor& tensor, int64_t index, int64_t heads) {
  const int64_t place = index / heads * tensor.stride(0) + index % heads * tensor.stride(1);
  return {tensor.data<float>() + place, tensor.stride(2)};
}

/// Queries [first, last) of one head, and the keys that the last of them sees.
struct Block {
  int64_t head, first, last, keys;
  int64_t rows() const { return last - first; }
};

/// How queries are cut: so that the scores of a block stay in the cache.
class Blocks {
 public:
  explicit Blocks(const AttentionCall& call) : call_(call) {
    constexpr int64_t kScores = 1 << 17, kFewest = 16, kMost = 64;
    rows_ = std::clamp(kScores / std::max<int64_t>(call.keys(), 1), kFewest, kMost);
    count_ = (call.queries() + rows_ - 1) / rows_;
  }
  int64_t count() const { return count_; }
  int64_t heads() const { return call_.batch() * call_.heads(); }
  Block at(int64_t head, int64_t block) const {
    const int64_t first = block * rows_, last = std::min(first + rows_, call_.queries());
    return {head, first, last, call_.causal ? std::min(last, call_.keys()) : call_.keys()};
  }
  /// Elements between the rows of scores: whole vectors, and no power of two, whose rows would
  /// meet in the cache.
  int64_t stride() const { return (call_.keys() + 15) / 16 * 16 + 16; }
  std::unique_ptr<float[]> room() const {
    return std::make_unique_for_overwrite<float[]>(size_t(rows_ * stride()));
  }
  int64_t work() const { return rows_ * call_.keys() * call_.width() * 2; }

 private:
  const AttentionCall& call_;
  int64_t rows_, count_;
};

/// scores = rows * keys^T.
void multiply_with_keys(const Head& rows, const Head& keys, const Block& block, int64_t width,
                        float* scores, int64_t stride) {
  gemm_step({.m = block.rows(),
             .n = block.keys,
             .k = width,
             .a = {rows.row(block.first), rows.stride, 1},
             .b = {keys.data, 1, keys.stride},
             .c = {scores, stride, 1},
             .activation = nullptr});
}

/// rows = weights * values.
void multiply_weights(const float* weights, int64_t stride, const Head& values, const Block& block,
                      int64_t width, const Head& rows) {
  gemm_step({.m = block.rows(),
             .n = width,
             .k = block.keys,
             .a = {const_cast<float*>(weights), stride, 1},
             .b = {values.data, values.stride, 1},
             .c = {rows.row(block.first), rows.stride, 1},
             .activation = nullptr});
}

/// values += weights^T * rows.
void add_transposed(const float* weights, int64_t stride, const Head& rows, const Block& block,
                    int64_t width, const Head& values) {
  gemm_step({.m = block.keys,
             .n = width,
             .k = block.rows(),
             .a = {const_cast<float*>(weights), 1, stride},
             .b = {rows.row(block.first), rows.stride, 1},
             .c = {values.data, values.stride, 1},
             .activation = nullptr},
            /*accumulate=*/true);
}

AttentionRow row_of(const AttentionCall& call, const Block& block, int64_t query) {
  const int64_t seen = call.causal ? std::min(query + 1, block.keys) : block.keys;
  const bool masked = call.mask.defined();
  return {seen, block.keys, call.scale,
          masked ? head_of(call.mask, block.head, call.heads()).row(query) : nullptr};
}

void attend_block(const AttentionCall& call, const Block& block, int64_t stride, float* scores,
                  const Tensor& output, const Tensor& logarithms) {
  const int64_t heads = call.heads(), width = call.width();
  const Head rows = head_of(output, block.head, heads);
  multiply_with_keys(head_of(call.query, block.head, heads), head_of(call.key, block.head, heads),
                     block, width, scores, stride);
  const AttentionLoops& loops = attention_loops();
  float factors[64];
  float* logarithm = logarithms.data<float>() + block.head * call.queries() + block.first;
  for (int64_t i = 0; i < block.rows(); ++i) {
    const int64_t query = block.first + i;
    const auto [shift, sum] = loops.weigh(row_of(call, block, query), scores + i * stride);
    const bool nothing = sum == 0.0F;
    factors[i] = nothing ? 0.0F : 1.0F / sum;
    logarithm[i] = nothing ? std::numeric_limits<float>::infinity() : shift + std::log(sum);
  }
  multiply_weights(scores, stride, head_of(call.value, block.head, heads), block, width, rows);
  for (int64_t i = 0; i < block.rows(); ++i)
    loops.multiply(rows.row(block.first + i), width, factors[i]);
}

/// New memory that lies as [batch, places, heads, width], seen as [batch, heads, places, width].
Tensor by_place(const Tensor& like) {
  return transpose(
      Tensor::empty({like.size(0), like.size(2), like.size(1), like.size(3)}, DType::kFloat32), 1,
      2);
}

/// The way back through one head, block by block.
class HeadBack {
 public:
  HeadBack(const AttentionCall& call, const Tensor& gradient, const Tensor& output,
           const Tensor& logarithms, const AttentionGradients& made)
      : call_(call),
        gradient_(gradient),
        output_(output),
        logarithms_(logarithms),
        made_(made),
        blocks_(call) {}

  void run(int64_t head) {
    const Head of_key = here(made_.key, head), of_value = here(made_.value, head);
    for (int64_t i = 0; i < call_.keys(); ++i) {
      std::fill_n(of_key.row(i), call_.width(), 0.0F);
      std::fill_n(of_value.row(i), call_.width(), 0.0F);
    }
    for (int64_t i = 0; i < blocks_.count(); ++i) back(blocks_.at(head, i));
  }

 private:
  Head here(const Tensor& tensor, int64_t head) const {
    return head_of(tensor, head, call_.heads());
  }

  void back(const Block& block) {
    const int64_t width = call_.width();
    const Head query = here(call_.query, block.head), key = here(call_.key, block.head),
               gradient = here(gradient_, block.head);
    multiply_with_keys(query, key, block, width, scores_.get(), stride_);
    multiply_with_keys(gradient, here(call_.value, block.head), block, width, of_weights_.get(),
                       stride_);
    weigh_rows(block);
    add_transposed(scores_.get(), stride_, gradient, block, width, here(made_.value, block.head));
    add_transposed(of_weights_.get(), stride_, query, block, width, here(made_.key, block.head));
    multiply_weights(of_weights_.get(), stride_, key, block, width, here(made_.query, block.head));
  }

  /// The mean of a query's gradients of weights, by weight, is that of its results by gradient.
  void weigh_rows(const Block& block) {
    const AttentionLoops& loops = attention_loops();
    const Head gradient = here(gradient_, block.head), output = here(output_, block.head);
    const float* logarithms = logarithms_.data<float>() + block.head * call_.queries();
    for (int64_t i = 0; i < block.rows(); ++i) {
      const int64_t query = block.first + i;
      const float mean = loops.dot(gradient.row(query), output.row(query), call_.width());
      loops.weigh_back(row_of(call_, block, query), logarithms[query], mean,
                       scores_.get() + i * stride_, of_weights_.get() + i * stride_);
    }
  }

  const AttentionCall& call_;
  const Tensor& gradient_;
  const Tensor &output_, &logarithms_;
  const AttentionGradients& made_;
  Blocks blocks_;
  int64_t stride_ = blocks_.stride();
  std::unique_ptr<float[]> scores_ = blocks_.room(), of_weights_ = blocks_.room();
};

}  // namespace

Tensor attend(const AttentionCall& call, const Tensor& output) {
  const Blocks blocks(call);
  const Tensor logarithms =
      Tensor::empty({call.batch(), call.heads(), call.queries()}, DType::kFloat32);
  const int64_t grain = std::max<int64_t>(1, kLeastWork / std::max<int64_t>(blocks.work(), 1));
  parallel_for(0, blocks.heads() * blocks.count(), grain, [&](int64_t begin, int64_t end) {
    const std::unique_ptr<float[]> scores = blocks.room();
    for (int64_t i = begin; i < end; ++i)
      attend_block(call, blocks.at(i / blocks.count(), i % blocks.count()), blocks.stride(),
                   scores.get(), output, logarithms);
  });
  return logarithms;
}

AttentionGradients attend_back(const AttentionCall& call, const Tensor& gradient,
                               const Tensor& output, const Tensor& logarithms) {
  const Blocks blocks(call);
  AttentionGradients made = {by_place(call.query), by_place(call.key), by_place(call.value)};
  const int64_t work = std::max<int64_t>(blocks.work() * blocks.count(), 1);
  const int64_t grain = std::max<int64_t>(1, kLeastWork / work);
  parallel_for(0, blocks.heads(), grain, [&](int64_t begin, int64_t end) {
    HeadBack back(call, gradient, output, logarithms, made);
    for (int64_t head = begin; head < end; ++head) back.run(head);
  });
  return made;
}

}  // namespace glint::ops
