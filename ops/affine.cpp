// Sums with a product of matrices in them: a layer's weights and bias, and BLAS's forms.
//
//     addmm(b, x, y)          x @ y + b; a vector b is added to each row as the product is written
//     linear(x, w, b)         addmm(b, x, w.t()), for x of any rank
//     mm_epilogue(x, y, b, "relu")   what the compiler makes of a product and what follows it
#include <fmt/format.h>

#include "core/tensor/copy.h"
#include "ops/call.h"
#include "ops/families.h"
#include "ops/infer.h"
#include "ops/layout.h"
#include "ops/matrix.h"
#include "ops/multiply.h"
#include "ops/samples.h"

namespace glint::ops {

namespace {

// ---- a product and what follows it -------------------------------------------------------------

std::vector<TensorType> infer_mm_epilogue(const OpEntry& entry, InferArguments arguments) {
  auto types = infer_mm(entry, arguments);
  if (!is_floating(types[0].dtype))
    throw OpError{"RuntimeError", "mm_epilogue(): the matrices are of floating point"};
  if (arguments.size() > 2 && arguments[2].is_value()) {
    const TensorType& bias = arguments[2].tensor();
    const bool is_row = bias.rank() == 1 && decide_equal(bias.sizes[0], types[0].sizes[1]);
    const bool is_matrix = bias.rank() == 2 && bias.sizes == types[0].sizes;
    if (!(is_row || is_matrix) || bias.dtype != types[0].dtype)
      throw OpError{"RuntimeError",
                    "mm_epilogue(): the bias has one element for each column, or one for each of "
                    "the product"};
  }
  const std::string* activation =
      arguments.size() > 3 ? arguments[3].get_if<std::string>() : nullptr;
  if (activation && !is_activation(*activation))
    throw OpError{"ValueError",
                  "mm_epilogue(): the activation is none, relu, gelu, gelu_tanh, sigmoid or tanh"};
  return types;
}

/// A whole matrix is added behind the product; a device's kernels do it in one step.
void add_matrix(const Tensor& out, const Tensor& matrix, std::string_view activation) {
  Tensor sum = call_eager("add", {out, matrix});
  if (activation.starts_with("gelu"))
    sum = call_eager("gelu", {sum, activation == "gelu" ? "none" : "tanh"});
  else if (activation != "none")
    sum = call_eager(activation, {sum});
  copy(out, sum);
}

}  // namespace

void run_mm_epilogue(Arguments arguments, const Tensor& out) {
  const Tensor* given = arguments.size() > 2 ? arguments[2].get_if<Tensor>() : nullptr;
  std::string_view activation = "none";
  if (arguments.size() > 3) activation = *arguments[3].get_if<std::string>();
  if (given && given->rank() == 2) {
    multiply(arguments[0].tensor(), arguments[1].tensor(), nullptr, out);
    return add_matrix(out, *given, activation);
  }
  Tensor bias = given ? contiguous(*given) : Tensor();
  multiply(arguments[0].tensor(), arguments[1].tensor(), given ? &bias : nullptr, out, activation);
}

namespace {

Outputs eager_mm_epilogue(const OpEntry& entry, Arguments arguments) {
  std::vector<InferArgument> types = infer_arguments(arguments);
  Tensor out = empty_of(infer_mm_epilogue(entry, types)[0]);
  run_mm_epilogue(arguments, out);
  return out;
}

std::vector<Sample> mm_epilogue_samples(const OpEntry& entry) {
  std::vector<Sample> samples;
  for (const Sample& sample : addmm_samples(*find_op("addmm"))) {
    const auto& given = sample.arguments;  // input, mat1, mat2
    if (sample.error || given.size() < 3 || !given[0].is_value()) continue;
    const Tensor &bias = given[0].tensor(), &left = given[1].tensor(), &right = given[2].tensor();
    const bool is_row = same_dims(bias.sizes(), Dims{right.size(1)});
    const bool is_matrix = same_dims(bias.sizes(), Dims{left.size(0), right.size(1)});
    if (!is_floating(bias.dtype()) || !(is_row || is_matrix)) continue;
    for (const char* activation : {"none", "relu", "gelu", "gelu_tanh", "sigmoid", "tanh"})
      samples.push_back({{given[1], given[2], given[0], activation}});
  }
  return samples;
}

// ---- sums with a product -----------------------------------------------------------------------

bool is_one(const OpArgument& number) {
  return as_float(number) == 1.0;
}

/// A vector meets each row as it is; anything else is spread over the product first, which says so
/// where it cannot be.
OpValue spread_over(OpBuilder& b, OpValue input, const std::vector<SymInt>& sizes) {
  auto given = b.sizes(input);
  bool fits = given == sizes || (given.size() == 1 && decide_equal(given[0], sizes.back()));
  return fits ? input : b.expand(std::move(input), sizes);
}

/// beta * input + alpha * product; the numbers are of the product's dtype.
OpValue scaled_sum(OpBuilder& b, OpArguments arguments, OpValue product) {
  // Products of 16-bit matrices are scaled in float32.
  const DType dtype = b.dtype(product);
  const DType scales = is_narrow_float(dtype) && b.rank(product) > 1 ? DType::kFloat32 : dtype;
  const OpArgument beta = without_fraction(scales, arguments[3]);
  const OpArgument alpha = without_fraction(scales, arguments[4]);
  OpValue input = spread_over(b, arguments[0].tensor(), b.sizes(product));
  if (!is_one(alpha)) product = b.multiply(product, alpha);
  if (as_float(beta) == 0.0) return b.expand(product, b.sizes(product));
  if (!is_one(beta)) input = b.multiply(input, beta);
  return b.add(product, input);
}

void check_same(OpBuilder& b, const char* name, const OpValue& one, const OpValue& other) {
  if (b.dtype(one) == b.dtype(other)) return;
  throw OpError{"RuntimeError",
                fmt::format("{} must have the same dtype, but got {} and {}", name,
                            scalar_type_name(b.dtype(one)), scalar_type_name(b.dtype(other)))};
}

std::vector<OpValue> addmm(OpBuilder& b, OpArguments arguments) {
  OpValue first = arguments[1].tensor(), second = arguments[2].tensor();
  check_shapes("addmm", b.type(first), b.type(second));
  check_same(b, "mat1 and mat2", first, second);
  check_same(b, "self and mat2", arguments[0].tensor(), second);
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

std::vector<OpValue> addbmm(OpBuilder& b, OpArguments arguments) {
  OpValue first = arguments[1].tensor(), second = arguments[2].tensor();
  auto left = b.sizes(first), right = b.sizes(second);
  bool batches = left.size() == 3 && right.size() == 3;
  if (batches && !decide_equal(left[0], right[0]))
    throw OpError{"RuntimeError",
                  fmt::format("batch1 and batch2 must have same number of batches, got {} and {}",
                              left[0].text(), right[0].text())};
  if (batches && !decide_equal(left[2], right[1]))
    throw OpError{"RuntimeError",
                  fmt::format("Incompatible matrix sizes for bmm ({}x{} and {}x{})", left[1].text(),
                              left[2].text(), right[1].text(), right[2].text())};
  check_same(b, "self and mat2", arguments[0].tensor(), second);
  return {scaled_sum(b, arguments, b.sum(b.call("bmm", {first, second}), {0}))};
}

std::vector<OpValue> addmv(OpBuilder& b, OpArguments arguments) {
  OpValue input = arguments[0].tensor(), mat = arguments[1].tensor(), vec = arguments[2].tensor();
  auto of_input = b.sizes(input), of_mat = b.sizes(mat), of_vec = b.sizes(vec);
  if (of_mat.size() != 2 || of_vec.size() != 1 || of_input.size() > 1)
    throw OpError{"RuntimeError", fmt::format("vector + matrix @ vector expected, got {}, {}, {}",
                                              of_input.size(), of_mat.size(), of_vec.size())};
  SymInt count = of_input.empty() ? SymInt(1) : of_input[0];
  if (!decide_equal(of_mat[1], of_vec[0]) ||
      !(decide_equal(count, of_mat[0]) || decide_equal(count, 1)))
    throw OpError{"RuntimeError",
                  fmt::format("size mismatch, got input ({}), mat ({}x{}), vec ({})", count.text(),
                              of_mat[0].text(), of_mat[1].text(), of_vec[0].text())};
  if (b.dtype(input) != b.dtype(vec) || b.dtype(mat) != b.dtype(vec))
    throw OpError{
        "RuntimeError",
        fmt::format("addmv input tensors must have the same dtype, but got {}, {}, and {}",
                    scalar_type_name(b.dtype(input)), scalar_type_name(b.dtype(mat)),
                    scalar_type_name(b.dtype(vec)))};
  if (is_bool(b.dtype(mat)))
    throw OpError{"NotImplementedError", "\"addmv_impl_cpu\" not implemented for 'Bool'"};
  return {scaled_sum(b, arguments, b.call("mv", {mat, vec}))};
}

/// `addr` cuts no number to fit: all is computed in the dtype that its three tensors promote to.
void check_addr_number(std::string_view name, DType result, const OpArgument& number) {
  if (number.get_if<bool>() && !is_bool(result))
    throw OpError{"RuntimeError",
                  fmt::format("Boolean {} only supported for Boolean results.", name)};
  if (number.get_if<double>() && !is_floating(result))
    throw OpError{"RuntimeError", fmt::format("For integral input tensors, argument {} must not be "
                                              "a floating point number.",
                                              name)};
}

std::vector<OpValue> addr(OpBuilder& b, OpArguments arguments) {
  constexpr std::string_view kNames[] = {"vec1", "vec2"};
  for (size_t i = 0; i < 2; ++i)
    if (size_t rank = b.rank(arguments[i + 1].tensor()); rank != 1)
      throw OpError{"RuntimeError",
                    fmt::format("addr: Expected 1-D argument {}, but got {}-D", kNames[i], rank)};
  OpValue first = arguments[1].tensor(), second = arguments[2].tensor();
  const DType dtype =
      promote_types(b.dtype(arguments[0].tensor()), promote_types(b.dtype(first), b.dtype(second)));
  check_addr_number("beta", dtype, arguments[3]);
  check_addr_number("alpha", dtype, arguments[4]);
  check_holds(dtype, arguments[3]);
  check_holds(dtype, arguments[4]);
  OpArgument same[] = {b.to(arguments[0].tensor(), dtype), first, second, arguments[3],
                       arguments[4]};
  return {scaled_sum(b, same, b.call("outer", {b.to(first, dtype), b.to(second, dtype)}))};
}

// ---- layers -------------------------------------------------------------------------------------

/// Without a bias, or with one that is no vector, the sum of both is not one step.
std::vector<OpValue> plain_linear(OpBuilder& b, OpArguments arguments, const OpValue& transposed) {
  OpValue product = b.call("matmul", {arguments[0], transposed});
  return {arguments[2].is_none() ? product : b.add(product, arguments[2])};
}

/// With a bias, one `addmm` of the rows of x, where they lie as one dimension.
std::vector<OpValue> linear(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor(), weight = arguments[1].tensor();
  size_t rank = b.rank(x), of_weight = b.rank(weight);
  if (rank == 0 || of_weight == 0)
    throw OpError{"RuntimeError",
                  fmt::format("both arguments to linear need to be at least 1D, but they are {}D "
                              "and {}D",
                              rank, of_weight)};
  OpValue transposed = b.call("t", {weight});
  size_t of_bias = arguments[2].is_none() ? 0 : b.rank(arguments[2].tensor());
  bool one_step =
      !arguments[2].is_none() && (rank == 2 || (of_bias == 1 && b.type(x).contiguous()));
  if (!one_step) return plain_linear(b, arguments, transposed);
  if (of_weight == 1) throw OpError{"RuntimeError", "addmm: mat2 must be a matrix, got 1-D tensor"};
  if (rank == 2) return {b.call("addmm", {arguments[2], x, transposed})};
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

// ---- gradients ---------------------------------------------------------------------------------

OpValue scaled(GradientCall& g, OpValue gradient, const char* factor) {
  return is_one(g[factor]) ? gradient : g.b.multiply(gradient, g[factor]);
}
OpValue of_input(GradientCall& g) {
  return scaled(g, g.out(), "beta");
}

/// The gradient of a sum over the batch, for each product of it.
OpValue for_each_product(GradientCall& g) {
  std::vector<SymInt> sizes = {g.sizes("batch1")[0]};
  for (SymInt size : g.b.sizes(g.out())) sizes.push_back(size);
  return g.b.expand(g.out(), sizes);
}

std::vector<Sample> addbmm_samples(const OpEntry& entry) {
  Tensor first = sample_tensor({2, 3, 4}), second = sample_tensor({2, 4, 5});
  return {{{sample_tensor({3, 5}), first, second, 0.5, 2.0}},
          {{sample_tensor({5}), first, second, 1, 1}},
          {{sample_tensor({}), first, second, 0, 1}}};
}
std::vector<Sample> addmv_samples(const OpEntry& entry) {
  Tensor mat = sample_tensor({3, 4}), vec = sample_tensor({4});
  return {{{sample_tensor({3}), mat, vec, 1, 1}},
          {{sample_tensor({1}), mat, vec, 0.5, 2.0}},
          {{sample_tensor({}), mat, vec, 0, 1}}};
}
std::vector<Sample> addr_samples(const OpEntry& entry) {
  Tensor rows = sample_tensor({3}), columns = sample_tensor({4});
  return {{{sample_tensor({3, 4}), rows, columns, 1, 1}},
          {{sample_tensor({4}), rows, columns, 0.5, 2.0}},
          {{sample_tensor({}), rows, columns, 1, 1}},
          {{sample_tensor({3, 1}), rows, columns, 0, 1}}};
}

constexpr OpEntry kEntries[] = {
    {
        .name = "mm_epilogue",
        .signature = "mm_epilogue(input: Tensor, mat2: Tensor, bias: Tensor | None = None, "
                     "activation: str = \"none\") -> Tensor",
        .doc = "activation(input @ mat2 + bias) in one step, of a bias for each column or for "
               "each element; the compiler writes it for what follows a product.",
        .infer = infer_mm_epilogue,
        .eager = eager_mm_epilogue,
        .lowering = Library{.operations = product_operations},
        .tolerance = kProducts,
        .samples = mm_epilogue_samples,
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
        .gradients = {{"input", "", of_input},
                      {"mat1", "mat2",
                       [](GradientCall& g) {
                         return scaled(g, g.b.call("mm", {g.out(), turned(g, "mat2")}), "alpha");
                       }},
                      {"mat2", "mat1",
                       [](GradientCall& g) {
                         return scaled(g, second_gradient(g, "mat1"), "alpha");
                       }}},
        .grad_name = "AddmmBackward0",
        .forms = Forms::kInPlaceAndOut,
        .output_dtype = kExpectedDType,
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
        .gradients = {{"input", "", of_input},
                      {"batch1", "batch2",
                       [](GradientCall& g) {
                         return scaled(g, g.b.call("bmm", {g.out(), turned(g, "batch2")}), "alpha");
                       }},
                      {"batch2", "batch1",
                       [](GradientCall& g) {
                         return scaled(g, g.b.call("bmm", {turned(g, "batch1"), g.out()}), "alpha");
                       }}},
        .grad_name = "BaddbmmBackward0",
        .forms = Forms::kInPlaceAndOut,
        .output_dtype = kExpectedDType,
        .tolerance = kProducts,
        .samples = baddbmm_samples,
    },
    {
        .name = "addbmm",
        .signature = "addbmm(input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: Number = 1, "
                     "alpha: Number = 1) -> Tensor",
        .torch = "addbmm",
        .method = "addbmm",
        .doc = "beta * input + alpha * the sum of a batch's products.",
        .decomposition = addbmm,
        .gradients = {{"input", "", of_input},
                      {"batch1", "batch2",
                       [](GradientCall& g) {
                         OpValue each = for_each_product(g);
                         return scaled(g, g.b.call("bmm", {each, turned(g, "batch2")}), "alpha");
                       }},
                      {"batch2", "batch1",
                       [](GradientCall& g) {
                         OpValue each = for_each_product(g);
                         return scaled(g, g.b.call("bmm", {turned(g, "batch1"), each}), "alpha");
                       }}},
        .grad_name = "AddbmmBackward0",
        .forms = Forms::kInPlaceAndOut,
        .output_dtype = {"self and mat2 must have the same dtype, but got {1} and {0}", true},
        .tolerance = kProducts,
        .samples = addbmm_samples,
    },
    {
        .name = "addmv",
        .signature = "addmv(input: Tensor, mat: Tensor, vec: Tensor, *, beta: Number = 1, alpha: "
                     "Number = 1) -> Tensor",
        .torch = "addmv",
        .method = "addmv",
        .doc = "beta * input + alpha * (mat @ vec), for a vector vec.",
        .decomposition = addmv,
        .gradients = {{"input", "", of_input},
                      {"mat", "vec",
                       [](GradientCall& g) {
                         return scaled(g, g.b.call("outer", {g.out(), g["vec"]}), "alpha");
                       }},
                      {"vec", "mat",
                       [](GradientCall& g) {
                         return scaled(g, g.b.call("mv", {turned(g, "mat"), g.out()}), "alpha");
                       }}},
        .grad_name = "AddmvBackward0",
        .forms = Forms::kInPlaceAndOut,
        .output_dtype = kExpectedDType,
        .tolerance = kProducts,
        .samples = addmv_samples,
    },
    {
        .name = "addr",
        .signature = "addr(input: Tensor, vec1: Tensor, vec2: Tensor, *, beta: Number = 1, alpha: "
                     "Number = 1) -> Tensor",
        .torch = "addr",
        .method = "addr",
        .doc = "beta * input + alpha * all products of an element of vec1 and one of vec2.",
        .decomposition = addr,
        .gradients = {{"input", "", of_input},
                      {"vec1", "vec2",
                       [](GradientCall& g) {
                         return scaled(g, g.b.call("mv", {g.out(), g["vec2"]}), "alpha");
                       }},
                      {"vec2", "vec1",
                       [](GradientCall& g) {
                         OpValue columns = g.b.call("t", {g.out()});
                         return scaled(g, g.b.call("mv", {columns, g["vec1"]}), "alpha");
                       }}},
        .grad_name = "AddrBackward0",
        .forms = Forms::kInPlaceAndOut,
        .tolerance = kProducts,
        .samples = addr_samples,
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

std::span<const OpEntry> affine_entries() {
  return kEntries;
}

}  // namespace glint::ops
