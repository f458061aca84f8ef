// Attention: what each query sees of the values, by how its key fits.
//
//     output, logsumexp = attention(query, key, value, mask, is_causal, scale)
//     output            = softmax(query @ key.T * scale + mask) @ value
//
// On the processor it is one call, in a graph too, for which the matrix of scores is never in
// memory (attention_blocks.h); elsewhere, and in float64, it is made of operators. `logsumexp`, of
// each query's scores, is kept for the way back.
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/tensor/copy.h"
#include "core/tensor/views.h"
#include "ops/attention_blocks.h"
#include "ops/builders.h"
#include "ops/call.h"
#include "ops/families.h"
#include "ops/gradient.h"
#include "ops/infer.h"
#include "ops/layout.h"
#include "ops/samples.h"

namespace glint::ops {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Of the way back: the gradient stands before query, key, value and mask, the results behind them.
constexpr size_t kOutput = 5, kLogarithms = 6;

/// A call's tensors and numbers, wherever they stand among the arguments.
template <class Given>
struct Call {
  const Given &query, &key, &value, &mask, &is_causal, &scale;
};
template <class Given>
Call<Given> forward_call(std::span<const Given> arguments) {
  return {arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]};
}
template <class Given>
Call<Given> backward_call(std::span<const Given> arguments) {
  return {arguments[1], arguments[2], arguments[3], arguments[4], arguments[7], arguments[8]};
}

// ---- types -------------------------------------------------------------------------------------

[[noreturn]] void refuse(std::string_view what) {
  throw OpError{"RuntimeError", fmt::format("attention(): {}", what)};
}

void check_same(const TensorType& query, const TensorType& other, const char* name) {
  if (other.dtype != query.dtype || !is_floating(query.dtype))
    refuse(fmt::format("query and {} of one floating dtype were expected, got {} and {}", name,
                       scalar_type_name(query.dtype), scalar_type_name(other.dtype)));
  bool fits = other.rank() == 4;
  for (size_t dim : {0, 1, 3}) fits = fits && decide_equal(other.sizes[dim], query.sizes[dim]);
  if (!fits)
    refuse(fmt::format("{} of size {} does not fit the query's size {}", name,
                       ints_text(other.sizes), ints_text(query.sizes)));
}

/// The sizes that a mask spreads to: those of the scores.
std::vector<SymInt> score_sizes(const TensorType& query, const TensorType& key) {
  return {query.sizes[0], query.sizes[1], query.sizes[2], key.sizes[2]};
}

void check_mask(const TensorType& mask, const std::vector<SymInt>& scores) {
  bool fits = mask.rank() <= scores.size();
  for (size_t i = 0; fits && i < mask.rank(); ++i) {
    const SymInt& size = mask.sizes[mask.rank() - 1 - i];
    fits = decide_equal(size, 1) || decide_equal(size, scores[scores.size() - 1 - i]);
  }
  if (!fits)
    refuse(fmt::format("a mask of size {} does not spread to {}", ints_text(mask.sizes),
                       ints_text(scores)));
}

void check_call(const Call<InferArgument>& call) {
  const TensorType& query = call.query.tensor();
  if (query.rank() != 4) refuse("query, key and value have four dimensions");
  check_same(query, call.key.tensor(), "key");
  check_same(query, call.value.tensor(), "value");
  if (!decide_equal(call.key.tensor().sizes[2], call.value.tensor().sizes[2]))
    refuse("there are as many keys as values");
  if (!call.mask.is_none()) check_mask(call.mask.tensor(), score_sizes(query, call.key.tensor()));
}

/// Of a tensor that lies as [batch, places, heads, width].
TensorType by_place(const TensorType& like) {
  TensorType type = TensorType::tensor(like.dtype, like.sizes, like.device);
  const SymInt row = like.sizes[1] * like.sizes[3];
  type.strides = {like.sizes[2] * row, like.sizes[3], row, 1};
  type.normalise();
  return type;
}

DType dtype_of_sums(DType dtype) {
  return dtype == DType::kFloat64 ? dtype : DType::kFloat32;
}

std::vector<TensorType> infer_attention(const OpEntry& entry, InferArguments arguments) {
  const auto call = forward_call<InferArgument>(arguments);
  check_call(call);
  const TensorType& query = call.query.tensor();
  return {like_type(query, query.dtype),
          TensorType::tensor(dtype_of_sums(query.dtype),
                             {query.sizes[0], query.sizes[1], query.sizes[2]}, query.device)};
}

std::vector<TensorType> infer_backward(const OpEntry& entry, InferArguments arguments) {
  const auto call = backward_call<InferArgument>(arguments);
  check_call(call);
  return {by_place(call.query.tensor()), by_place(call.key.tensor()),
          by_place(call.value.tensor())};
}

// ---- of operators ------------------------------------------------------------------------------

/// What broadcasts with the scores: true where a query sees a key; empty if each sees all.
OpValue visible(OpBuilder& b, const Call<OpArgument>& call) {
  if (as_bool(call.is_causal)) {
    const SymInt queries = b.sizes(call.query.tensor())[2], keys = b.sizes(call.key.tensor())[2];
    return b.call("less_equal", {b.call("arange_sized", {keys}),
                                 b.unsqueeze(b.call("arange_sized", {queries}), 1)});
  }
  const bool truth = !call.mask.is_none() && is_bool(b.dtype(call.mask.tensor()));
  return truth ? call.mask.tensor() : OpValue();
}

/// What 16-bit floats are computed in, here as in the loop.
OpValue wide(OpBuilder& b, const OpArgument& tensor) {
  return widened(b, tensor.tensor());
}

/// Each query's weights, and the logarithm of the sum that they were divided by.
struct Weights {
  OpValue weights, logarithm_of_sum;
};
Weights weights_of(OpBuilder& b, const Call<OpArgument>& call) {
  const OpValue key = b.call("transpose", {wide(b, call.key), -2, -1});
  OpValue scores = b.multiply(b.call("matmul", {wide(b, call.query), key}), as_float(call.scale));
  const OpValue seen = visible(b, call);
  const bool added = !call.mask.is_none() && !is_bool(b.dtype(call.mask.tensor()));
  if (added) scores = b.add(scores, wide(b, call.mask));
  if (!(seen == OpValue{})) scores = b.where(seen, scores, -kInfinity);
  if (seen == OpValue{} && !added)
    return {b.call("softmax", {scores, -1}), b.call("logsumexp", {scores, -1})};
  // Who sees nothing weighs nothing.
  const OpValue nothing = b.call("all", {b.equal(scores, -kInfinity), -1, true});
  scores = b.where(nothing, 0.0, scores);
  return {b.where(nothing, 0.0, b.call("softmax", {scores, -1})),
          b.where(b.squeeze(nothing, -1), kInfinity, b.call("logsumexp", {scores, -1}))};
}

/// A gradient as it lies on the processor.
OpValue lying_by_place(OpBuilder& b, const OpValue& x, DType dtype) {
  const OpValue dense = b.call("copy", {b.call("transpose", {b.to(x, dtype), 1, 2})});
  return b.call("transpose", {dense, 1, 2});
}

std::vector<OpValue> attention_steps(OpBuilder& b, OpArguments arguments) {
  const auto call = forward_call<OpArgument>(arguments);
  const DType dtype = b.dtype(call.query.tensor());
  const Weights made = weights_of(b, call);
  const OpValue output = b.to(b.call("matmul", {made.weights, wide(b, call.value)}), dtype);
  // It lies as the query does: as the first operand of a sum.
  return {b.add(b.call("zeros_like", {call.query}), output), made.logarithm_of_sum};
}

/// `kAgain`: from the arguments of the call alone, what the forward pass has computed is computed
/// again, so that derivatives of this know what it depends on.
template <bool kAgain>
std::vector<OpValue> attention_backward_steps(OpBuilder& b, OpArguments arguments) {
  const auto call = backward_call<OpArgument>(arguments);
  const DType dtype = b.dtype(call.query.tensor());
  const OpValue gradient = wide(b, arguments[0]);
  const OpValue weights = weights_of(b, call).weights;
  const auto transposed = [&](const OpValue& x) { return b.call("transpose", {x, -2, -1}); };
  const OpValue of_weights = b.call("matmul", {gradient, transposed(wide(b, call.value))});
  // The mean of the weights' gradients, by weight, is that of the output's elements, by gradient.
  const OpValue mean = kAgain
                           ? b.sum(b.multiply(of_weights, weights), {-1}, true)
                           : b.sum(b.multiply(gradient, wide(b, arguments[kOutput])), {-1}, true);
  const OpValue slope = b.multiply(weights, b.subtract(of_weights, mean));
  const OpValue of_scores = b.multiply(slope, as_float(call.scale));
  const OpValue parts[] = {b.call("matmul", {of_scores, wide(b, call.key)}),
                           b.call("matmul", {transposed(of_scores), wide(b, call.query)}),
                           b.call("matmul", {transposed(weights), gradient})};
  std::vector<OpValue> results;
  for (const OpValue& part : parts) results.push_back(lying_by_place(b, part, dtype));
  return results;
}

// ---- eager -------------------------------------------------------------------------------------

bool has_loop(DType dtype, Device device) {
  return dtype != DType::kFloat64 && device.is_cpu();
}

/// What has no loop is made of operators.
template <Decomposition kSteps>
std::vector<OpValue> without_loop(OpBuilder& b, OpArguments arguments) {
  const TensorType type = b.type(arguments[0].tensor());
  if (has_loop(type.dtype, type.device)) return {};
  return kSteps(b, arguments);
}
constexpr Decomposition kForwardSteps = without_loop<attention_steps>;
constexpr Decomposition kBackwardSteps = without_loop<attention_backward_steps<false>>;

/// Whether rows are dense and do not overlap.
bool has_rows(const Tensor& tensor) {
  return tensor.stride(3) == 1 && tensor.stride(2) >= tensor.size(3);
}
Tensor with_rows(const Argument& argument) {
  const Tensor tensor = convert(argument.tensor(), DType::kFloat32);
  return has_rows(tensor) ? tensor : row_major(contiguous(tensor));
}

/// A mask as numbers to add, spread to the sizes of the scores.
Tensor added_mask(const Argument& mask, const std::vector<int64_t>& scores) {
  if (mask.is_none()) return {};
  const bool truth = is_bool(mask.tensor().dtype());
  Tensor added = truth ? call_eager("where", {mask.tensor(), 0.0, -kInfinity}) : mask.tensor();
  added = expand(convert(added, DType::kFloat32), scores);
  return added.stride(3) == 1 || scores[3] == 1 ? added : contiguous(added);
}

AttentionCall loop_call(const Call<Argument>& call) {
  AttentionCall made = {.query = with_rows(call.query),
                        .key = with_rows(call.key),
                        .value = with_rows(call.value),
                        .mask = {},
                        .causal = as_bool(call.is_causal),
                        .scale = float(as_float(call.scale))};
  made.mask = added_mask(call.mask, {made.batch(), made.heads(), made.queries(), made.keys()});
  return made;
}

/// A result, as its type says that it lies.
Tensor laid_out(const Tensor& made, const TensorType& type) {
  const Dims strides = constant_dims(type.full_strides());
  if (made.dtype() == type.dtype && std::ranges::equal(made.strides(), strides)) return made;
  const Tensor result = empty_of(type);
  copy(result, made);
  return result;
}

Outputs eager_attention(const OpEntry& entry, Arguments arguments) {
  const auto types = infer_attention(entry, infer_arguments(arguments));
  if (!has_loop(types[0].dtype, types[0].device)) return run_decomposition(entry, arguments);
  TensorType wide = types[0];
  wide.dtype = DType::kFloat32;
  Tensor output = empty_of(wide);
  if (!has_rows(output)) output = Tensor::empty(output.sizes(), DType::kFloat32);
  const Tensor logarithms = attend(loop_call(forward_call<Argument>(arguments)), output);
  return Outputs(std::vector<Tensor>{laid_out(output, types[0]), logarithms});
}

Outputs eager_backward(const OpEntry& entry, Arguments arguments) {
  const auto types = infer_backward(entry, infer_arguments(arguments));
  if (!has_loop(types[0].dtype, types[0].device)) return run_decomposition(entry, arguments);
  const AttentionGradients made = attend_back(
      loop_call(backward_call<Argument>(arguments)), with_rows(arguments[0]),
      with_rows(arguments[kOutput]), row_major(contiguous(arguments[kLogarithms].tensor())));
  return Outputs({laid_out(made.query, types[0]), laid_out(made.key, types[1]),
                  laid_out(made.value, types[2])});
}

/// Multiply-adds as two, of the two products; under a causal mask too.
SymInt products(const Call<InferArgument>& call) {
  return call.query.tensor().numel() * call.key.tensor().sizes[2] * 4;
}
SymInt attention_operations(InferArguments arguments, const TensorType& output) {
  return products(forward_call<InferArgument>(arguments));
}
/// The scores once more, and four products of the same size.
SymInt backward_operations(InferArguments arguments, const TensorType& output) {
  return floor_divide(products(backward_call<InferArgument>(arguments)) * 5, 2);
}

// ---- gradients ---------------------------------------------------------------------------------

constexpr const char* kSaved = "query key value mask output logsumexp";

template <size_t kPlace>
OpValue of_argument(GradientCall& g) {
  return g.shared([&] {
    return g.b.call_all("attention_backward",
                        {g.out(0), g["query"], g["key"], g["value"], g["mask"], g.result(0),
                         g.result(1), g["is_causal"], g["scale"]},
                        {});
  })[kPlace];
}

// ---- samples -----------------------------------------------------------------------------------

/// Batch, heads, queries, keys, width.
using Sizes = std::array<int64_t, 5>;

std::vector<Argument> call_arguments(const Sizes& s, DType dtype, Argument mask, bool causal) {
  return {sample_tensor({s[0], s[1], s[2], s[4]}, dtype),
          sample_tensor({s[0], s[1], s[3], s[4]}, dtype),
          sample_tensor({s[0], s[1], s[3], s[4]}, dtype),
          std::move(mask),
          causal,
          0.125};
}

/// Calls `add` with the arguments of calls of every kind.
template <class Add>
void for_calls(Add&& add) {
  for (DType dtype : {DType::kFloat32, DType::kFloat64, DType::kBFloat16, DType::kFloat16}) {
    add(call_arguments({2, 3, 4, 5, 8}, dtype, {}, false));
    add(call_arguments({1, 2, 5, 5, 3}, dtype, {}, true));
    add(call_arguments({1, 1, 7, 20, 4}, dtype, sample_tensor({7, 20}, dtype), false));
  }
  const Tensor lower = call_eager("tril", {Tensor::full({4, 6}, 1, DType::kBool), -1});
  add(call_arguments({2, 2, 4, 6, 4}, DType::kFloat32, lower, false));
  add(call_arguments({2, 1, 3, 1, 1}, DType::kFloat32, sample_tensor({2, 1, 1, 1}, DType::kFloat32),
                     false));
  add(call_arguments({1, 2, 70, 90, 4}, DType::kFloat32, {}, true));
  add(call_arguments({1, 2, 90, 70, 4}, DType::kFloat32, {}, true));
  add(call_arguments({1, 2, 0, 3, 4}, DType::kFloat32, {}, false));
  std::vector<Argument> strided = call_arguments({2, 4, 4, 4, 4}, DType::kFloat32, {}, false);
  for (size_t i = 0; i < 3; ++i) strided[i] = transpose(strided[i].tensor(), 1, int64_t(i) + 1);
  strided[0] = expand(sample_tensor({2, 1, 1, 4}), IntSpan(strided[0].tensor().sizes()));
  add(strided);
}

std::vector<Sample> attention_samples(const OpEntry& entry) {
  std::vector<Sample> samples;
  for_calls([&](std::vector<Argument> arguments) { samples.push_back({std::move(arguments)}); });
  return samples;
}

std::vector<Sample> backward_samples(const OpEntry& entry) {
  std::vector<Sample> samples;
  for_calls([&](const std::vector<Argument>& call) {
    const auto made = call_eager(*find_op("attention"), call).to_vector();
    std::vector<Argument> arguments = {sample_tensor(made[0].sizes(), made[0].dtype())};
    arguments.insert(arguments.end(), call.begin(), call.begin() + 4);
    arguments.insert(arguments.end(), {made[0], made[1], call[4], call[5]});
    samples.push_back({std::move(arguments)});
  });
  return samples;
}

constexpr OpEntry kEntries[] = {
    {
        .name = "attention",
        .signature = "_attention(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None, "
                     "is_causal: bool, scale: float) -> Tensors",
        .torch = "_attention",
        .doc =
            "softmax(query @ key.T * scale + mask) @ value of [batch, heads, places, width], and "
            "the logarithm of the sum of each query's weights, for the way back.",
        .infer = infer_attention,
        .eager = eager_attention,
        .lowering = Library{attention_operations},
        .decomposition = kForwardSteps,
        .gradients = {{"query", kSaved, of_argument<0>},
                      {"key", kSaved, of_argument<1>},
                      {"value", kSaved, of_argument<2>}},
        .grad_name = "ScaledDotProductFlashAttentionForCpuBackward0",
        .differentiable_results = 1,
        .output_form = OutputForm::kNamedTuple,
        .output_names = "output logsumexp",
        .tolerance = {.relative = 1e-4, .absolute = 1e-5},
        .samples = attention_samples,
    },
    {
        .name = "attention_backward",
        .signature = "attention_backward(grad: Tensor, query: Tensor, key: Tensor, value: Tensor, "
                     "mask: Tensor | None, output: Tensor, logsumexp: Tensor, is_causal: bool, "
                     "scale: float) -> Tensors",
        .doc = "The gradients of query, key and value from that of the output.",
        .infer = infer_backward,
        .eager = eager_backward,
        .lowering = Library{backward_operations},
        .decomposition = kBackwardSteps,
        .recorded = attention_backward_steps<true>,
        .output_form = OutputForm::kTuple,
        .tolerance = {.relative = 1e-4, .absolute = 1e-5},
        .samples = backward_samples,
    },
};

static_assert(complete(kEntries));

}  // namespace

std::span<const OpEntry> attention_entries() {
  return kEntries;
}

}  // namespace glint::ops
