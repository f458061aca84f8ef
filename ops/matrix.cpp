// Matrix products: `mm` and `bmm` are library steps; products of other ranks come down to them.
//
//     matmul([s, m, k], [k, n])      mm of [s*m, k] and [k, n], then a reshape
//     matmul([s, m, k], [t, k, n])   bmm, the batch sizes broadcast
#include <fmt/format.h>

#include <algorithm>

#include "core/platform/gemm.h"
#include "core/tensor/copy.h"
#include "ops/call.h"
#include "ops/families.h"
#include "ops/gradient.h"
#include "ops/infer.h"
#include "ops/layout.h"
#include "ops/library.h"
#include "ops/rows/row_kernels.h"
#include "ops/samples.h"
#include "ops/scalar/elementwise_kernels.h"

namespace glint::ops {

namespace {

void check_same_dtype(const TensorType& a, const TensorType& b) {
  if (a.dtype != b.dtype)
    throw OpError{"RuntimeError",
                  fmt::format("expected m1 and m2 to have the same dtype, but got: {} != {}",
                              message_dtype(a.dtype), message_dtype(b.dtype))};
}

void check_matrices(const char* name, const TensorType& a, const TensorType& b) {
  for (const auto& [side, what] : {std::pair(&a, "self"), std::pair(&b, "mat2")})
    if (side->rank() != 2)
      throw OpError{"RuntimeError", fmt::format("{}: {} must be a matrix, got {}-D tensor", name,
                                                what, side->rank())};
  if (!decide_equal(a.sizes[1], b.sizes[0]))
    throw OpError{
        "RuntimeError",
        fmt::format("{}: mat1 and mat2 shapes cannot be multiplied ({}x{} and {}x{})", name,
                    a.sizes[0].text(), a.sizes[1].text(), b.sizes[0].text(), b.sizes[1].text())};
  check_same_dtype(a, b);
}

std::vector<TensorType> infer_mm(const OpEntry& entry, InferArguments arguments) {
  const TensorType& a = arguments[0].tensor();
  const TensorType& b = arguments[1].tensor();
  check_matrices("mm", a, b);
  return {TensorType::tensor(a.dtype, {a.sizes[0], b.sizes[1]})};
}

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
  check_same_dtype(a, b);
  return {TensorType::tensor(a.dtype, {a.sizes[0], a.sizes[1], b.sizes[2]})};
}

/// A matrix that the library reads: one of its last two strides is 1. Others are copied.
Tensor readable(const Tensor& tensor) {
  int64_t row = tensor.stride(-2), column = tensor.stride(-1);
  bool plain = (column == 1 && row >= tensor.size(-1)) || (row == 1 && column >= tensor.size(-2));
  bool batches = tensor.rank() < 3 || tensor.stride(0) >= 0;
  return plain && batches ? tensor : contiguous(tensor);
}

GemmMatrix as_matrix(const Tensor& tensor) {
  return {tensor.raw_data(), tensor.stride(-2), tensor.stride(-1),
          tensor.rank() == 3 ? tensor.stride(0) : 0};
}

/// Integers multiply in plain loops.
template <class T>
void multiply_integers(const Tensor& a, const Tensor& b, const Tensor& out) {
  int64_t batches = out.rank() == 3 ? out.size(0) : 1;
  int64_t m = out.size(-2), n = out.size(-1), k = a.size(-1);
  for (int64_t p = 0; p < batches; ++p) {
    const T* left = a.data<T>() + (a.rank() == 3 ? p * a.stride(0) : 0);
    const T* right = b.data<T>() + (b.rank() == 3 ? p * b.stride(0) : 0);
    T* to = out.data<T>() + p * m * n;
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        T sum = 0;
        for (int64_t l = 0; l < k; ++l)
          sum = T(sum + left[i * a.stride(-2) + l * a.stride(-1)] *
                            right[l * b.stride(-2) + j * b.stride(-1)]);
        to[i * n + j] = sum;
      }
  }
}

constexpr std::string_view kActivations[] = {"none",      "relu",    "gelu",
                                             "gelu_tanh", "sigmoid", "tanh"};

/// The function that the product runs on its results; empty where it has its own.
GemmActivation gemm_activation(std::string_view name, DType dtype) {
  if (name == "none" || name == "relu") return nullptr;
  DType kept = dtype == DType::kFloat64 ? DType::kFloat64 : DType::kFloat32;
  if (name == "gelu" || name == "gelu_tanh") {
    ActivationLoop loop =
        activation_loop(name == "gelu" ? Activation::kGelu : Activation::kGeluTanh, kept);
    return [loop](void* values, int64_t n) { loop(values, values, n, 0.0, 0.0); };
  }
  auto function = name == "tanh" ? ScalarFunction::kTanh : ScalarFunction::kSigmoid;
  scalar::UnaryLoop loop = scalar::elementwise_loops(function, kept)->unary;
  return [loop](void* values, int64_t n) { loop(values, values, n); };
}

void multiply(const Tensor& first, const Tensor& second, const Tensor* bias, const Tensor& out,
              std::string_view activation = "none") {
  if (out.numel() == 0) return;
  if (!is_floating(out.dtype())) {
    return visit_dtype(out.dtype(), [&]<class T>() {
      if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
        multiply_integers<T>(first, second, out);
      else
        throw OpError{"NotImplementedError", "\"addmm_impl_cpu_\" not implemented for 'Bool'"};
    });
  }
  Tensor a = readable(first), b = readable(second);
  gemm({.dtype = out.dtype(),
        .m = out.size(-2),
        .n = out.size(-1),
        .k = a.size(-1),
        .batches = out.rank() == 3 ? out.size(0) : 1,
        .a = as_matrix(a),
        .b = as_matrix(b),
        .c = as_matrix(out),
        .bias = bias ? bias->raw_data() : nullptr,
        .relu = activation == "relu",
        .activation = gemm_activation(activation, out.dtype())});
}

std::vector<TensorType> infer_mm_epilogue(const OpEntry& entry, InferArguments arguments) {
  auto types = infer_mm(entry, arguments);
  if (!is_floating(types[0].dtype))
    throw OpError{"RuntimeError", "mm_epilogue(): the matrices are of floating point"};
  if (arguments.size() > 2 && arguments[2].is_value()) {
    const TensorType& bias = arguments[2].tensor();
    if (bias.rank() != 1 || bias.dtype != types[0].dtype ||
        !decide_equal(bias.sizes[0], types[0].sizes[1]))
      throw OpError{"RuntimeError", "mm_epilogue(): the bias has one element for each column"};
  }
  const std::string* activation =
      arguments.size() > 3 ? arguments[3].get_if<std::string>() : nullptr;
  if (activation && std::ranges::find(kActivations, *activation) == std::end(kActivations))
    throw OpError{"ValueError",
                  "mm_epilogue(): the activation is none, relu, gelu, gelu_tanh, sigmoid or tanh"};
  return types;
}

void run_mm_epilogue(Arguments arguments, const Tensor& out) {
  const Tensor* given = arguments.size() > 2 ? arguments[2].get_if<Tensor>() : nullptr;
  Tensor bias = given ? contiguous(*given) : Tensor();
  std::string_view activation = "none";
  if (arguments.size() > 3) activation = *arguments[3].get_if<std::string>();
  multiply(arguments[0].tensor(), arguments[1].tensor(), given ? &bias : nullptr, out, activation);
}

Outputs eager_mm_epilogue(const OpEntry& entry, Arguments arguments) {
  std::vector<InferArgument> types = infer_arguments(arguments);
  Tensor out = empty_of(infer_mm_epilogue(entry, types)[0]);
  run_mm_epilogue(arguments, out);
  return out;
}

Outputs eager_mm(const OpEntry& entry, Arguments arguments) {
  InferArgument types[] = {infer_argument(arguments[0]), infer_argument(arguments[1])};
  Tensor out = empty_of(entry.infer(entry, types)[0]);
  multiply(arguments[0].tensor(), arguments[1].tensor(), nullptr, out);
  return out;
}

/// With a bias, one `addmm` of the rows of x, where they lie as one dimension.
std::vector<OpValue> linear(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor(), weight = arguments[1].tensor();
  if (b.rank(weight) != 2 || b.rank(x) == 0) {
    OpValue product = b.call("matmul", {x, b.call("t", {weight})});
    return {arguments[2].is_none() ? product : b.add(product, arguments[2])};
  }
  OpValue transposed = b.call("t", {weight});
  bool has_bias = !arguments[2].is_none();
  if (has_bias && b.rank(x) > 1 && b.dtype(x) != b.dtype(weight))
    throw OpError{"RuntimeError",
                  fmt::format("mat1 and mat2 must have the same dtype, but got {} and {}",
                              scalar_type_name(b.dtype(x)), scalar_type_name(b.dtype(weight)))};
  if (has_bias && b.dtype(arguments[2].tensor()) != b.dtype(weight))
    throw OpError{"RuntimeError",
                  fmt::format("self and mat2 must have the same dtype, but got {} and {}",
                              scalar_type_name(b.dtype(arguments[2].tensor())),
                              scalar_type_name(b.dtype(weight)))};
  bool flat = has_bias && b.rank(arguments[2].tensor()) == 1 && b.dtype(x) == b.dtype(weight) &&
              (b.rank(x) == 2 || b.type(x).contiguous());
  if (!flat) {
    OpValue product = b.call("matmul", {x, transposed});
    return {has_bias ? b.add(product, arguments[2]) : product};
  }
  if (b.rank(x) == 2) return {b.call("addmm", {arguments[2], x, transposed})};
  auto sizes = b.sizes(x);
  SymInt inner = sizes.back();
  sizes.pop_back();
  OpValue rows = b.reshape(x, {product(sizes), inner});
  sizes.push_back(b.sizes(weight)[0]);
  return {b.call("unsafe_view", {b.call("addmm", {arguments[2], rows, transposed}), sizes})};
}

Outputs eager_linear(const OpEntry& entry, Arguments arguments) {
  const Tensor& x = arguments[0].tensor();
  const Tensor& weight = arguments[1].tensor();
  const Tensor* bias = arguments.size() > 2 ? arguments[2].get_if<Tensor>() : nullptr;
  bool plain = x.rank() >= 1 && weight.rank() == 2 && is_floating(x.dtype()) &&
               x.dtype() == weight.dtype() && x.is_contiguous() && x.numel() > 0 &&
               x.size(-1) == weight.size(1) &&
               (!bias || (bias->rank() == 1 && bias->dtype() == x.dtype() &&
                          bias->is_contiguous() && bias->numel() == weight.size(0)));
  if (!plain) {
    std::vector<OpArgument> converted;
    for (const Argument& argument : arguments)
      converted.push_back(map_argument<OpValue>(argument, eager_value));
    converted.resize(3);
    return eager_tensor(linear(eager_builder(), converted)[0]);
  }
  int64_t rows = x.numel() / x.size(-1);
  Dims sizes(x.sizes());
  sizes.back() = weight.size(0);
  Tensor out = Tensor::empty(sizes, x.dtype());
  Tensor flat = Tensor::view_of(x, {rows, x.size(-1)}, {x.size(-1), 1}, x.offset());
  Tensor turned = Tensor::view_of(weight, {weight.size(1), weight.size(0)},
                                  {weight.stride(1), weight.stride(0)}, weight.offset());
  Tensor target = Tensor::view_of(out, {rows, weight.size(0)}, {weight.size(0), 1}, 0);
  multiply(flat, turned, bias, target);
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
    return {b.squeeze(product, -2)};
  }
  if (right == 1) return {b.squeeze(b.call("matmul", {x, b.unsqueeze(y, 1)}), -1)};
  if (left == 2 && right == 2) return {b.call("mm", {x, y})};
  if (right == 2) {
    auto sizes = b.sizes(x);
    SymInt inner = sizes.back();
    sizes.pop_back();
    OpValue flat = b.reshape(x, {product(sizes), inner});
    OpValue result = b.call("mm", {flat, y});
    sizes.push_back(b.sizes(y)[1]);
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

bool is_one(const OpArgument& number) {
  return as_float(number) == 1.0;
}

/// beta * input + alpha * product.
OpValue scaled_sum(OpBuilder& b, OpArguments arguments, OpValue product) {
  if (!is_one(arguments[4])) product = b.multiply(product, arguments[4]);
  OpValue input = arguments[0].tensor();
  if (as_float(arguments[3]) == 0.0) return b.expand(product, b.sizes(product));
  if (!is_one(arguments[3])) input = b.multiply(input, arguments[3]);
  return b.add(product, input);
}

std::vector<OpValue> addmm(OpBuilder& b, OpArguments arguments) {
  check_matrices("addmm", b.type(arguments[1].tensor()), b.type(arguments[2].tensor()));
  return {scaled_sum(b, arguments, b.call("mm", {arguments[1], arguments[2]}))};
}

/// A vector added to each row is added as the product is written.
Outputs eager_addmm(const OpEntry& entry, Arguments arguments) {
  const Tensor& input = arguments[0].tensor();
  const Tensor& mat1 = arguments[1].tensor();
  const Tensor& mat2 = arguments[2].tensor();
  auto scale = [&](const char* name) { return as_float(argument(entry, arguments, name)); };
  bool plain = input.rank() == 1 && mat1.rank() == 2 && mat2.rank() == 2 &&
               is_floating(input.dtype()) && input.dtype() == mat1.dtype() &&
               input.dtype() == mat2.dtype() && mat1.size(1) == mat2.size(0) &&
               input.size(0) == mat2.size(1) && scale("beta") == 1.0 && scale("alpha") == 1.0;
  if (!plain) return run_decomposition(entry, arguments);
  Tensor bias = contiguous(input);
  Tensor out = Tensor::empty({mat1.size(0), mat2.size(1)}, input.dtype());
  multiply(mat1, mat2, &bias, out);
  return out;
}

std::vector<OpValue> baddbmm(OpBuilder& b, OpArguments arguments) {
  return {scaled_sum(b, arguments, b.call("bmm", {arguments[1], arguments[2]}))};
}

std::vector<OpValue> outer(OpBuilder& b, OpArguments arguments) {
  constexpr std::string_view kNames[] = {"self", "vec2"};
  for (size_t i = 0; i < 2; ++i)
    if (size_t rank = b.sizes(arguments[i].tensor()).size(); rank != 1)
      throw OpError{"RuntimeError",
                    fmt::format("outer: Expected 1-D argument {}, but got {}-D", kNames[i], rank)};
  return {b.multiply(b.unsqueeze(arguments[0].tensor(), 1), b.unsqueeze(arguments[1].tensor(), 0))};
}

std::vector<Sample> mm_epilogue_samples(const OpEntry& entry) {
  std::vector<Sample> samples;
  for (const Sample& sample : addmm_samples(*find_op("addmm"))) {
    const auto& given = sample.arguments;  // input, mat1, mat2
    bool plain = !sample.error && given.size() >= 3 && given[0].is_value() &&
                 given[0].tensor().rank() == 1 && is_floating(given[0].tensor().dtype()) &&
                 given[0].tensor().size(0) == given[2].tensor().size(1);
    if (!plain) continue;
    for (const char* activation : {"none", "relu", "gelu", "gelu_tanh", "sigmoid", "tanh"})
      samples.push_back({{given[1], given[2], given[0], activation}});
  }
  return samples;
}

// ---- gradients ---------------------------------------------------------------------------------

/// A saved matrix, or batch of them, transposed.
OpValue turned(GradientCall& g, const char* parameter) {
  if (g.type(parameter).rank() == 2) return g.b.call("t", {g[parameter]});
  return g.b.call("transpose", {g[parameter], 1, 2});
}

/// The gradient of the second of two matrices. One that is a transpose (a layer's weight) gets the
/// transpose of a product, so that the gradient of what was transposed lies in order.
OpValue second_gradient(GradientCall& g, const char* first) {
  const TensorType& type = g.type("mat2");
  bool transposed = type.strides.size() == 2 && decide_equal(type.strides[0], 1) &&
                    decide_equal(type.strides[1], type.sizes[0]);
  if (!transposed) return g.b.call("mm", {turned(g, first), g.out()});
  return g.b.call("t", {g.b.call("mm", {g.b.call("t", {g.out()}), g[first]})});
}
OpValue scaled(GradientCall& g, OpValue gradient, const char* factor) {
  return is_one(g[factor]) ? gradient : g.b.multiply(gradient, g[factor]);
}

constexpr Tolerance kProducts = {.relative = 1e-4, .absolute = 1e-5};

constexpr OpEntry kEntries[] = {
    {
        .name = "mm",
        .signature = "mm(input: Tensor, mat2: Tensor) -> Tensor",
        .torch = "mm",
        .method = "mm",
        .doc = "The product of two matrices.",
        .infer = infer_mm,
        .eager = eager_mm,
        .lowering = Library{},
        .gradients =
            {{"input", "mat2",
              [](GradientCall& g) { return g.b.call("mm", {g.out(), turned(g, "mat2")}); }},
             {"mat2", "input", [](GradientCall& g) { return second_gradient(g, "input"); }}},
        .grad_name = "MmBackward0",
        .forms = Forms::kOut,
        .tolerance = kProducts,
        .samples = mm_samples,
    },
    {
        .name = "mm_epilogue",
        .signature = "mm_epilogue(input: Tensor, mat2: Tensor, bias: Tensor | None = None, "
                     "activation: str = \"none\") -> Tensor",
        .doc = "activation(input @ mat2 + bias) in one step; the compiler writes it for what "
               "follows a product.",
        .infer = infer_mm_epilogue,
        .eager = eager_mm_epilogue,
        .lowering = Library{},
        .tolerance = kProducts,
        .samples = mm_epilogue_samples,
    },
    {
        .name = "bmm",
        .signature = "bmm(input: Tensor, mat2: Tensor) -> Tensor",
        .torch = "bmm",
        .method = "bmm",
        .doc = "The products of two batches of matrices.",
        .infer = infer_bmm,
        .eager = eager_mm,
        .lowering = Library{},
        .gradients =
            {{"input", "mat2",
              [](GradientCall& g) { return g.b.call("bmm", {g.out(), turned(g, "mat2")}); }},
             {"mat2", "input",
              [](GradientCall& g) { return g.b.call("bmm", {turned(g, "input"), g.out()}); }}},
        .grad_name = "BmmBackward0",
        .forms = Forms::kOut,
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
    {
        .name = "addmm",
        .signature = "addmm(input: Tensor, mat1: Tensor, mat2: Tensor, *, beta: Number = 1, "
                     "alpha: Number = 1) -> Tensor",
        .torch = "addmm",
        .method = "addmm",
        .doc = "beta * input + alpha * (mat1 @ mat2).",
        .eager = eager_addmm,
        .decomposition = addmm,
        .gradients = {{"input", "", [](GradientCall& g) { return scaled(g, g.out(), "beta"); }},
                      {"mat1", "mat2",
                       [](GradientCall& g) {
                         return scaled(g, g.b.call("mm", {g.out(), turned(g, "mat2")}), "alpha");
                       }},
                      {"mat2", "mat1",
                       [](GradientCall& g) {
                         return scaled(g, second_gradient(g, "mat1"), "alpha");
                       }}},
        .grad_name = "AddmmBackward0",
        .forms = Forms::kOut,
        .tolerance = kProducts,
        .samples = addmm_samples,
    },
    {
        .name = "baddbmm",
        .signature = "baddbmm(input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: Number = 1, "
                     "alpha: Number = 1) -> Tensor",
        .torch = "baddbmm",
        .method = "baddbmm",
        .doc = "beta * input + alpha * (batch1 @ batch2), batch by batch.",
        .decomposition = baddbmm,
        .gradients = {{"input", "", [](GradientCall& g) { return scaled(g, g.out(), "beta"); }},
                      {"batch1", "batch2",
                       [](GradientCall& g) {
                         return scaled(g, g.b.call("bmm", {g.out(), turned(g, "batch2")}), "alpha");
                       }},
                      {"batch2", "batch1",
                       [](GradientCall& g) {
                         return scaled(g, g.b.call("bmm", {turned(g, "batch1"), g.out()}), "alpha");
                       }}},
        .grad_name = "BaddbmmBackward0",
        .forms = Forms::kOut,
        .tolerance = kProducts,
        .samples = baddbmm_samples,
    },
    {
        .name = "linear",
        .signature = "linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor",
        .functional = "linear",
        .doc = "input @ weight.T + bias.",
        .eager = eager_linear,
        .decomposition = linear,
        .tolerance = kProducts,
        .samples = linear_samples,
    },
};

static_assert(complete(kEntries));

}  // namespace

bool run_into(const OpEntry& entry, Arguments arguments, std::span<const Tensor> outputs) {
  std::string_view name = entry.name;
  if (name == "mm_epilogue") {
    run_mm_epilogue(arguments, outputs[0]);
  } else if (name == "mm" || name == "bmm") {
    multiply(arguments[0].tensor(), arguments[1].tensor(), nullptr, outputs[0]);
  } else {
    return false;
  }
  return true;
}

std::span<const OpEntry> matrix_entries() {
  return kEntries;
}

}  // namespace glint::ops
