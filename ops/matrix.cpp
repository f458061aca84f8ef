// Matrix products: `mm` and `bmm` are library steps; products of other ranks come down to them.
//
//     matmul([s, m, k], [k, n])      mm of [s*m, k] and [k, n], then a reshape
//     matmul([s, m, k], [t, k, n])   bmm, the batch sizes broadcast
#include "ops/matrix.h"

#include <fmt/format.h>

#include "ops/call.h"
#include "ops/families.h"
#include "ops/infer.h"
#include "ops/layout.h"
#include "ops/multiply.h"
#include "ops/samples.h"

namespace glint::ops {

static void check_same_dtype(const TensorType& a, const TensorType& b) {
  if (a.dtype != b.dtype)
    throw OpError{"RuntimeError",
                  fmt::format("expected m1 and m2 to have the same dtype, but got: {} != {}",
                              message_dtype(a.dtype), message_dtype(b.dtype))};
}

void check_shapes(const char* name, const TensorType& a, const TensorType& b) {
  for (const auto& [side, what] : {std::pair(&a, "self"), std::pair(&b, "mat2")})
    if (side->rank() != 2)
      throw OpError{"RuntimeError", fmt::format("{}: {} must be a matrix, got {}-D tensor", name,
                                                what, side->rank())};
  if (!decide_equal(a.sizes[1], b.sizes[0]))
    throw OpError{
        "RuntimeError",
        fmt::format("{}: mat1 and mat2 shapes cannot be multiplied ({}x{} and {}x{})", name,
                    a.sizes[0].text(), a.sizes[1].text(), b.sizes[0].text(), b.sizes[1].text())};
}

/// The product's type: of one dtype, in which there are products, unless it has no elements.
TensorType product_type(const TensorType& a, const TensorType& b, std::vector<SymInt> sizes,
                        const char* kernel) {
  check_same_dtype(a, b);
  TensorType type = TensorType::tensor(a.dtype, std::move(sizes));
  if (is_bool(a.dtype) && !type.numel().is(0))
    throw OpError{"NotImplementedError", fmt::format("\"{}\" not implemented for 'Bool'", kernel)};
  return type;
}

std::vector<TensorType> infer_mm(const OpEntry& entry, InferArguments arguments) {
  const TensorType& a = arguments[0].tensor();
  const TensorType& b = arguments[1].tensor();
  check_shapes("mm", a, b);
  return {product_type(a, b, {a.sizes[0], b.sizes[1]}, "addmm_impl_cpu_")};
}

SymInt product_operations(InferArguments arguments, const TensorType& result) {
  return 2 * result.numel() * arguments[0].tensor().sizes.back();
}

OpValue turned(GradientCall& g, const char* parameter) {
  if (g.type(parameter).rank() == 2) return g.b.call("t", {g[parameter]});
  return g.b.call("transpose", {g[parameter], 1, 2});
}

OpValue second_gradient(GradientCall& g, const char* first) {
  const TensorType& type = g.type("mat2");
  bool transposed = type.strides.size() == 2 && decide_equal(type.strides[0], 1) &&
                    decide_equal(type.strides[1], type.sizes[0]);
  if (!transposed) return g.b.call("mm", {turned(g, first), g.out()});
  return g.b.call("t", {g.b.call("mm", {g.b.call("t", {g.out()}), g[first]})});
}

namespace {

std::vector<TensorType> infer_bmm(const OpEntry& entry, InferArguments arguments) {
  const TensorType& a = arguments[0].tensor();
  const TensorType& b = arguments[1].tensor();
  if (a.rank() != 3) throw OpError{"RuntimeError", "batch1 must be a 3D tensor"};
  if (b.rank() != 3) throw OpError{"RuntimeError", "batch2 must be a 3D tensor"};
  if (!decide_equal(a.sizes[0], b.sizes[0]) || !decide_equal(a.sizes[2], b.sizes[1]))
    throw OpError{
        "RuntimeError",
        fmt::format(
            "Expected size for first two dimensions of batch2 tensor to be: [{}, {}] but got: "
            "[{}, {}].",
            a.sizes[0].text(), a.sizes[2].text(), b.sizes[0].text(), b.sizes[1].text())};
  return {product_type(a, b, {a.sizes[0], a.sizes[1], b.sizes[2]}, "bmm")};
}

Outputs eager_mm(const OpEntry& entry, Arguments arguments) {
  InferArgument types[] = {infer_argument(arguments[0]), infer_argument(arguments[1])};
  Tensor out = empty_of(entry.infer(entry, types)[0]);
  multiply(arguments[0].tensor(), arguments[1].tensor(), nullptr, out);
  return out;
}

/// Batched on both sides: the batch sizes broadcast and become one dimension.
OpValue batched(OpBuilder& b, const OpValue& x, const OpValue& y) {
  auto left = b.sizes(x), right = b.sizes(y);
  auto batch =
      broadcast(std::span(left).first(left.size() - 2), std::span(right).first(right.size() - 2));
  auto spread = [&](const OpValue& value, const std::vector<SymInt>& sizes) {
    std::vector<SymInt> wanted = batch;
    wanted.insert(wanted.end(), sizes.end() - 2, sizes.end());
    OpValue expanded = wanted == sizes ? value : b.expand(value, wanted);
    return b.reshape(expanded, {product(batch), sizes[sizes.size() - 2], sizes.back()});
  };
  OpValue result = b.call("bmm", {spread(x, left), spread(y, right)});
  batch.push_back(left[left.size() - 2]);
  batch.push_back(right.back());
  return b.call("unsafe_view", {result, batch});
}

std::vector<OpValue> matmul(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor(), y = arguments[1].tensor();
  size_t left = b.rank(x), right = b.rank(y);
  if (left == 0 || right == 0)
    throw OpError{"RuntimeError",
                  fmt::format("both arguments to matmul need to be at least 1D, but they are "
                              "{}D and {}D",
                              left, right)};
  if (left == 1 && right == 1) return {b.call("dot", {x, y})};
  if (left == 2 && right == 1) return {b.call("mv", {x, y})};
  if (left == 1) {
    OpValue product = b.call("matmul", {b.unsqueeze(x, 0), y});
    return {b.call("squeeze_last", {product, -2})};
  }
  if (left == 2 && right == 2) return {b.call("mm", {x, y})};
  if (right <= 2) {
    auto sizes = b.sizes(x);
    SymInt inner = sizes.back();
    sizes.pop_back();
    OpValue flat = b.reshape(x, {product(sizes), inner});
    OpValue result = b.call(right == 1 ? "mv" : "mm", {flat, y});
    if (right == 2) sizes.push_back(b.sizes(y)[1]);
    return {b.call("unsafe_view", {result, sizes})};
  }
  return {batched(b, x, y)};
}

Outputs eager_matmul(const OpEntry& entry, Arguments arguments) {
  static const OpEntry& mm = *find_op("mm");
  bool matrices = arguments[0].tensor().rank() == 2 && arguments[1].tensor().rank() == 2;
  return matrices ? eager_mm(mm, arguments) : run_decomposition(entry, arguments);
}

std::vector<OpValue> mv(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor(), y = arguments[1].tensor();
  auto left = b.sizes(x), right = b.sizes(y);
  if (left.size() != 2 || right.size() != 1)
    throw OpError{"RuntimeError", fmt::format("vector + matrix @ vector expected, got 1, {}, {}",
                                              left.size(), right.size())};
  if (!decide_equal(left[1], right[0]))
    throw OpError{"RuntimeError",
                  fmt::format("size mismatch, got input ({}), mat ({}x{}), vec ({})",
                              left[0].text(), left[0].text(), left[1].text(), right[0].text())};
  return {b.squeeze(b.call("mm", {x, b.unsqueeze(y, 1)}), 1)};
}

std::vector<OpValue> dot(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor(), y = arguments[1].tensor();
  auto left = b.sizes(x), right = b.sizes(y);
  if (left.size() != 1 || right.size() != 1)
    throw OpError{"RuntimeError", fmt::format("1D tensors expected, but got {}D and {}D tensors",
                                              left.size(), right.size())};
  if (!decide_equal(left[0], right[0]))
    throw OpError{"RuntimeError",
                  fmt::format("inconsistent tensor size, expected tensor [{}] and src [{}] to "
                              "have the same number of elements, but got {} and {} elements "
                              "respectively",
                              left[0].text(), right[0].text(), left[0].text(), right[0].text())};
  if (b.dtype(x) != b.dtype(y))
    throw OpError{"RuntimeError",
                  fmt::format("dot : expected both vectors to have same dtype, but found {} and {}",
                              scalar_type_name(b.dtype(x)), scalar_type_name(b.dtype(y)))};
  return {b.call("sum", {b.multiply(x, y)}, {{Name("dtype"), b.dtype(x)}})};
}

std::vector<OpValue> outer(OpBuilder& b, OpArguments arguments) {
  constexpr std::string_view kNames[] = {"self", "vec2"};
  for (size_t i = 0; i < 2; ++i)
    if (size_t rank = b.sizes(arguments[i].tensor()).size(); rank != 1)
      throw OpError{"RuntimeError",
                    fmt::format("outer: Expected 1-D argument {}, but got {}-D", kNames[i], rank)};
  OpValue column = b.reshape(arguments[0].tensor(), {b.sizes(arguments[0].tensor())[0], 1});
  return {b.multiply(column, arguments[1].tensor())};
}

constexpr OpEntry kEntries[] = {
    {
        .name = "mm",
        .signature = "mm(input: Tensor, mat2: Tensor) -> Tensor",
        .torch = "mm",
        .method = "mm",
        .doc = "The product of two matrices.",
        .infer = infer_mm,
        .eager = eager_mm,
        .lowering = Library{.operations = product_operations},
        .gradients =
            {{"input", "mat2",
              [](GradientCall& g) { return g.b.call("mm", {g.out(), turned(g, "mat2")}); }},
             {"mat2", "input", [](GradientCall& g) { return second_gradient(g, "input"); }}},
        .grad_name = "MmBackward0",
        .forms = Forms::kOut,
        .output_dtype = kExpectedDType,
        .tolerance = kProducts,
        .samples = mm_samples,
    },
    {
        .name = "bmm",
        .signature = "bmm(input: Tensor, mat2: Tensor) -> Tensor",
        .torch = "bmm",
        .method = "bmm",
        .doc = "The products of two batches of matrices.",
        .infer = infer_bmm,
        .eager = eager_mm,
        .lowering = Library{.operations = product_operations},
        .gradients =
            {{"input", "mat2",
              [](GradientCall& g) { return g.b.call("bmm", {g.out(), turned(g, "mat2")}); }},
             {"mat2", "input",
              [](GradientCall& g) { return g.b.call("bmm", {turned(g, "input"), g.out()}); }}},
        .grad_name = "BmmBackward0",
        .forms = Forms::kOut,
        .output_dtype = kExpectedDType,
        .tolerance = kProducts,
        .samples = bmm_samples,
    },
    {
        .name = "matmul",
        .signature = "matmul(input: Tensor, other: Tensor) -> Tensor",
        .torch = "matmul",
        .method = "matmul",
        .operators = "__matmul__",
        .doc =
            "The product of vectors, matrices or batches of matrices, the batch sizes broadcast.",
        .eager = eager_matmul,
        .decomposition = matmul,
        .forms = Forms::kOut,
        .output_dtype = kExpectedDType,
        .tolerance = kProducts,
        .samples = matmul_samples,
    },
    {
        .name = "mv",
        .signature = "mv(input: Tensor, vec: Tensor) -> Tensor",
        .torch = "mv",
        .method = "mv",
        .doc = "The product of a matrix and a vector.",
        .decomposition = mv,
        .gradients = {{"input", "vec",
                       [](GradientCall& g) { return g.b.call("outer", {g.out(), g["vec"]}); }},
                      {"vec", "input",
                       [](GradientCall& g) {
                         return g.b.call("mv", {turned(g, "input"), g.out()});
                       }}},
        .grad_name = "MvBackward0",
        .forms = Forms::kOut,
        .output_dtype = kExpectedDType,
        .tolerance = kProducts,
        .samples = mv_samples,
    },
    {
        .name = "dot",
        .signature = "dot(input: Tensor, tensor: Tensor) -> Tensor",
        .torch = "dot",
        .method = "dot",
        .doc = "The sum of products of two vectors.",
        .decomposition = dot,
        .gradients = {{"input", "tensor",
                       [](GradientCall& g) { return g.b.multiply(g.out(), g["tensor"]); }},
                      {"tensor", "input",
                       [](GradientCall& g) { return g.b.multiply(g.out(), g["input"]); }}},
        .grad_name = "DotBackward0",
        .forms = Forms::kOut,
        .output_dtype = {"result dtype {1} does not match input dtype {0}", true},
        .tolerance = kProducts,
        .samples = vector_samples,
    },
    {
        .name = "outer",
        .signature = "outer(input: Tensor, vec2: Tensor) -> Tensor",
        .torch = "outer ger",
        .method = "outer ger",
        .doc = "All products of an element of one vector and one of the other.",
        .decomposition = outer,
        .forms = Forms::kOut,
        .samples = vector_samples,
    },
};

static_assert(complete(kEntries));

}  // namespace

std::span<const OpEntry> matrix_entries() {
  return kEntries;
}

}  // namespace glint::ops
