// Random numbers: PyTorch's own for the same seed (core/tensor/generator.h).
//
//     torch.manual_seed(0); torch.rand(2)      [0.4963, 0.7682]
//
// Drawing is a library step: it happens in order, once for each call, in eager and compiled code
// alike. These are the processor's draws; a GPU's are in runtime/device/draws.cpp.
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "core/tensor/copy.h"
#include "ops/families.h"
#include "ops/gradient.h"
#include "ops/infer.h"
#include "ops/layout.h"
#include "ops/random.h"
#include "ops/samples.h"

namespace glint::ops {

namespace {

template <class V>
DType wanted_dtype(const OpEntry& entry, std::span<const BasicArgument<V>> arguments,
                   DType otherwise) {
  auto given = argument(entry, arguments, "dtype");
  const DType* dtype = given.template get_if<DType>();
  return dtype ? *dtype : otherwise;
}

Tensor make_output(const OpEntry& entry, Arguments arguments) {
  std::vector<InferArgument> types = infer_arguments(arguments);
  return empty_of(infer(entry, types)[0]);
}

[[noreturn]] void throw_not_implemented(std::string_view kernel, DType dtype) {
  throw OpError{"NotImplementedError",
                fmt::format("\"{}\" not implemented for '{}'", kernel, scalar_type_name(dtype))};
}

bool has_no_elements(std::span<const SymInt> sizes) {
  return std::ranges::any_of(sizes, [](SymInt size) { return decide_equal(size, 0); });
}

/// Uniform numbers are floating point, even where none is drawn.
void check_uniform_dtype(const TensorType& type) {
  if (!is_floating(type.dtype)) throw_not_implemented("check_uniform_bounds", type.dtype);
}

void check_normal_dtype(const TensorType& type) {
  if (!is_floating(type.dtype) && !has_no_elements(type.sizes))
    throw_not_implemented("normal_kernel_cpu", type.dtype);
}

/// rand, randn: the sizes come first.
TensorType sized_type(const OpEntry& entry, InferArguments arguments) {
  DType dtype = wanted_dtype(entry, arguments, default_dtype());
  auto sizes = as_ints(arguments[0]);
  for (SymInt size : sizes)
    if (decide_less(size, 0))
      throw OpError{"RuntimeError",
                    fmt::format("Trying to create tensor with negative dimension {}: {}",
                                size.text(), ints_text(sizes))};
  return TensorType::tensor(dtype, sizes);
}

/// *_like and the functional forms of in-place draws: the input's type.
TensorType type_like_input(const OpEntry& entry, InferArguments arguments) {
  const TensorType& input = arguments[0].tensor();
  return like_type(input, wanted_dtype(entry, arguments, input.dtype));
}

using TypeRule = TensorType (*)(const OpEntry& entry, InferArguments arguments);
using TypeCheck = void (*)(const TensorType& type);

/// The type that a rule gives, if its dtype can be drawn.
template <TypeRule kRule, TypeCheck kCheck>
std::vector<TensorType> infer_drawn(const OpEntry& entry, InferArguments arguments) {
  TensorType type = kRule(entry, arguments);
  kCheck(type);
  return {type};
}

std::vector<TensorType> infer_uniform(const OpEntry& entry, InferArguments arguments) {
  TensorType type = type_like_input(entry, arguments);
  check_uniform_dtype(type);
  double from = as_float(argument(entry, arguments, "from"));
  double to = as_float(argument(entry, arguments, "to"));
  if (from > to)
    throw OpError{"RuntimeError",
                  fmt::format("uniform_ expects to return a [from, to) range, but found "
                              "from={} > to={}",
                              from, to)};
  return {type};
}

std::vector<TensorType> infer_normal(const OpEntry& entry, InferArguments arguments) {
  TensorType type = type_like_input(entry, arguments);
  double deviation = as_float(argument(entry, arguments, "std"));
  if (deviation < 0)
    throw OpError{"RuntimeError",
                  fmt::format("normal expects std >= 0.0, but found std {}", deviation)};
  check_normal_dtype(type);
  return {type};
}

std::vector<TensorType> infer_exponential(const OpEntry& entry, InferArguments arguments) {
  TensorType type = type_like_input(entry, arguments);
  double rate = as_float(argument(entry, arguments, "lambd"));
  if (!(rate > 0))
    throw OpError{"RuntimeError",
                  fmt::format("exponential_ expects lambda > 0.0, but found lambda={}", rate)};
  if (!is_floating(type.dtype) && !has_no_elements(type.sizes))
    throw OpError{"RuntimeError",
                  fmt::format("Exponential distribution is a continuous probability distribution. "
                              "dtype must be a floating point but you specified {}",
                              scalar_type_name(type.dtype))};
  return {type};
}

void check_bernoulli_probability(double p) {
  if (p >= 0 && p <= 1) return;
  throw OpError{"RuntimeError",
                fmt::format("bernoulli_ expects p to be in [0, 1], but got p={}", p)};
}

std::vector<TensorType> infer_bernoulli_fill(const OpEntry& entry, InferArguments arguments) {
  check_bernoulli_probability(as_float(argument(entry, arguments, "p")));
  return {type_like_input(entry, arguments)};
}

Outputs eager_rand(const OpEntry& entry, Arguments arguments) {
  Tensor out = make_output(entry, arguments);
  fill_uniform(out, 0.0, 1.0, generator_for(Device::cpu()));
  return out;
}

Outputs eager_randn(const OpEntry& entry, Arguments arguments) {
  Tensor out = make_output(entry, arguments);
  if (out.numel() == 0) return out;  // of whatever dtype
  fill_normal(out, 0.0, 1.0, generator_for(Device::cpu()));
  return out;
}

Outputs eager_uniform(const OpEntry& entry, Arguments arguments) {
  Tensor out = make_output(entry, arguments);
  double from = as_float(argument(entry, arguments, "from"));
  double to = as_float(argument(entry, arguments, "to"));
  fill_uniform(out, from, to, generator_for(Device::cpu()));
  return out;
}

Outputs eager_normal(const OpEntry& entry, Arguments arguments) {
  Tensor out = make_output(entry, arguments);
  double mean = as_float(argument(entry, arguments, "mean"));
  if (out.numel() == 0) return out;
  fill_normal(out, mean, as_float(argument(entry, arguments, "std")), generator_for(Device::cpu()));
  return out;
}

Outputs eager_exponential(const OpEntry& entry, Arguments arguments) {
  Tensor out = make_output(entry, arguments);
  if (out.numel() == 0) return out;
  fill_exponential(out, as_float(argument(entry, arguments, "lambd")),
                   generator_for(Device::cpu()));
  return out;
}

Outputs eager_bernoulli_fill(const OpEntry& entry, Arguments arguments) {
  const Tensor& input = arguments[0].tensor();
  const double p = as_float(argument(entry, arguments, "p"));
  // What dropout draws at every call needs no look at each rule.
  const bool plain = input.is_contiguous() && is_floating(input.dtype()) && p >= 0.0 && p <= 1.0;
  Tensor out = plain ? Tensor::empty(input.sizes(), input.dtype()) : make_output(entry, arguments);
  fill_bernoulli(out, p, generator_for(Device::cpu()));
  return out;
}

/// Unlike the others, laid out row by row. The input is the probabilities unless one is given.
std::vector<TensorType> infer_bernoulli(const OpEntry& entry, InferArguments arguments) {
  const TensorType& input = arguments[0].tensor();
  auto p = argument(entry, arguments, "p");
  if (!p.is_none())
    check_bernoulli_probability(as_float(p));
  else if (!is_floating(input.dtype) && !has_no_elements(input.sizes))
    throw_not_implemented("bernoulli_tensor_cpu_p_", input.dtype);
  return {TensorType::tensor(input.dtype, input.sizes)};
}

void check_probabilities(const Tensor& tensor) {
  Tensor dense = contiguous(convert_copy(tensor, DType::kFloat64));
  for (int64_t i = 0; i < dense.numel(); ++i)
    if (double p = dense.data<double>()[i]; !(p >= 0 && p <= 1))
      throw OpError{"RuntimeError",
                    "Expected p_in >= 0 && p_in <= 1 to be true, but got false.  (Could this error "
                    "message be improved?  If so, please report an enhancement request to "
                    "PyTorch.)"};
}

Outputs eager_bernoulli(const OpEntry& entry, Arguments arguments) {
  Tensor out = make_output(entry, arguments);
  if (auto p = argument(entry, arguments, "p"); !p.is_none()) {
    fill_bernoulli(out, as_float(p), generator_for(Device::cpu()));
  } else if (out.numel() > 0) {
    check_probabilities(arguments[0].tensor());
    fill_bernoulli(out, arguments[0].tensor(), generator_for(Device::cpu()));
  }
  return out;
}

/// The integers of a dtype, in the words of PyTorch's messages.
struct IntegerRange {
  std::string_view name;
  int64_t least, most;
};

/// None where every int64 has a place.
std::optional<IntegerRange> integer_range(DType dtype) {
  switch (dtype) {
    case DType::kBool:
      return IntegerRange{"bool", 0, 1};
    case DType::kUInt8:
      return IntegerRange{"unsigned char", 0, UINT8_MAX};
    case DType::kInt8:
      return IntegerRange{"signed char", INT8_MIN, INT8_MAX};
    case DType::kInt16:
      return IntegerRange{"short int", INT16_MIN, INT16_MAX};
    case DType::kInt32:
      return IntegerRange{"int", INT32_MIN, INT32_MAX};
    case DType::kFloat16:
      return IntegerRange{"c10::Half", -65504, 65504};
    default:
      return std::nullopt;
  }
}

void check_integer_range(SymInt low, SymInt high, DType dtype) {
  if (!decide_less(low, high))
    throw OpError{"RuntimeError",
                  fmt::format("random_ expects 'from' to be less than 'to', but got "
                              "from={} >= to={}",
                              low.text(), high.text())};
  auto range = integer_range(dtype);
  if (!range) return;
  auto has = [&](SymInt value) {
    return !decide_less(value, range->least) && !decide_less(range->most, value);
  };
  auto refuse = [&](std::string_view which) {
    throw OpError{"RuntimeError", fmt::format("{} is out of bounds for {}", which, range->name)};
  };
  if (!has(low)) refuse("from");
  if (!has(high - 1)) refuse("to - 1");
}

std::vector<TensorType> infer_randint(const OpEntry& entry, InferArguments arguments) {
  DType dtype = wanted_dtype(entry, arguments, DType::kInt64);
  check_integer_range(as_int(arguments[0]), as_int(arguments[1]), dtype);
  return {TensorType::tensor(dtype, as_ints(arguments[2]))};
}

Outputs eager_randint(const OpEntry& entry, Arguments arguments) {
  int64_t low = as_constant(arguments[0]);
  int64_t high = as_constant(arguments[1]);
  Tensor out = make_output(entry, arguments);
  fill_random_integers(out, low, high, generator_for(Device::cpu()));
  return out;
}

/// What `random_` draws to without a bound: the largest integer up to which all are in the dtype.
int64_t largest_drawn(DType dtype) {
  switch (dtype) {
    case DType::kFloat16:
      return int64_t(1) << 11;
    case DType::kBFloat16:
      return int64_t(1) << 8;
    case DType::kFloat32:
      return int64_t(1) << 24;
    case DType::kFloat64:
      return int64_t(1) << 53;
    default:
      auto range = integer_range(dtype);
      return range ? range->most : INT64_MAX;
  }
}

}  // namespace

RandomIntegers random_integers(const OpEntry& entry, Arguments arguments, DType dtype) {
  auto from = argument(entry, arguments, "from"), to = argument(entry, arguments, "to");
  if (to.is_none() && from.is_none())  // of int64 all of 2^63
    return {0, uint64_t(largest_drawn(dtype)) + 1, false};
  const int64_t low = to.is_none() || from.is_none() ? 0 : as_constant(from);
  const int64_t high = as_constant(to.is_none() ? from : to);
  return {low, uint64_t(high) - uint64_t(low), true};
}

std::optional<Device> given_generator;

Generator& generator_for(Device device) {
  if (given_generator && given_generator->is_cpu() != device.is_cpu())
    throw OpError{"RuntimeError",
                  fmt::format("Expected a '{}' device type for generator but found '{}'",
                              device.is_cpu() ? "cpu" : "cuda", device.is_cpu() ? "cuda" : "cpu")};
  return default_generator();
}

namespace {

/// random_(), random_(high) and random_(low, high).
std::vector<TensorType> infer_random_fill(const OpEntry& entry, InferArguments arguments) {
  TensorType type = type_like_input(entry, arguments);
  auto from = argument(entry, arguments, "from"), to = argument(entry, arguments, "to");
  if (!to.is_none())
    check_integer_range(from.is_none() ? SymInt(0) : as_int(from), as_int(to), type.dtype);
  else if (!from.is_none())
    check_integer_range(0, as_int(from), type.dtype);
  return {type};
}

/// PyTorch names its three forms.
const char* random_fill_name(Arguments arguments) {
  if (!arguments[2].is_none()) return "RandomBackward0";
  return arguments[1].is_none() ? "RandomBackward2" : "RandomBackward1";
}

Outputs eager_random_fill(const OpEntry& entry, Arguments arguments) {
  Tensor out = make_output(entry, arguments);
  const RandomIntegers drawn = random_integers(entry, arguments, out.dtype());
  Generator& generator = generator_for(Device::cpu());
  if (!drawn.is_bounded && out.dtype() == DType::kInt32) {
    // One draw each, where a range as large would take two.
    for (int64_t i = 0; i < out.numel(); ++i)
      out.data<int32_t>()[i] = int32_t(generator.next32() % uint32_t(drawn.range));
  } else {
    fill_random_integers(out, drawn.low, int64_t(uint64_t(drawn.low) + drawn.range), generator);
  }
  return out;
}

/// randint(high, size) and randint(low, high, size), with any of them named: two numbers are low
/// and high, one is high.
std::vector<OpValue> randint(OpBuilder& b, OpArguments arguments) {
  const bool is_positional = arguments[2].is_none();
  const OpArgument& size = arguments[is_positional ? 1 : 2];
  const bool has_one = is_positional || arguments[0].is_none() || arguments[1].is_none();
  OpArgument low = has_one ? OpArgument(0) : arguments[0];
  const OpArgument& high = arguments[is_positional || arguments[1].is_none() ? 0 : 1];
  if (high.is_none() || high.is_list() || !size.is_list())
    throw OpError{"TypeError", "randint() received an invalid combination of arguments"};
  return {b.call("randint_sized", {low, high, size}, {{Name("dtype"), arguments[3]}})};
}

std::vector<TensorType> infer_randperm(const OpEntry& entry, InferArguments arguments) {
  DType dtype = wanted_dtype(entry, arguments, DType::kInt64);
  if (dtype == DType::kBool) throw_not_implemented("randperm", dtype);
  if (decide_less(as_int(arguments[0]), 0))
    throw OpError{"RuntimeError",
                  fmt::format("Trying to create tensor with negative dimension {0}: [{0}]",
                              as_int(arguments[0]).text())};
  return {TensorType::tensor(dtype, {as_int(arguments[0])})};
}

Outputs eager_randperm(const OpEntry& entry, Arguments arguments) {
  Tensor out = make_output(entry, arguments);
  fill_permutation(out, generator_for(Device::cpu()));
  return out;
}

constexpr Effects kDraws = {.random = true};

constexpr OpEntry kEntries[] = {
    {
        .name = "rand",
        .signature =
            "rand(*size: int, dtype: dtype | None = None, device: device | str | None = None, "
            "requires_grad: bool = False) -> Tensor",
        .torch = "rand",
        .doc = "Uniform random numbers in [0, 1).",
        .infer = infer_drawn<sized_type, check_uniform_dtype>,
        .eager = eager_rand,
        .lowering = Library{},
        .effects = kDraws,
        .samples = sizes_samples,
    },
    {
        .name = "randn",
        .signature =
            "randn(*size: int, dtype: dtype | None = None, device: device | str | None = None, "
            "requires_grad: bool = False) -> Tensor",
        .torch = "randn",
        .doc = "Normal random numbers of mean 0 and standard deviation 1.",
        .infer = infer_drawn<sized_type, check_normal_dtype>,
        .eager = eager_randn,
        .lowering = Library{},
        .effects = kDraws,
        .samples = sizes_samples,
    },
    {
        .name = "rand_like",
        .signature = "rand_like(input: Tensor, *, dtype: dtype | None = None, "
                     "device: device | str | None = None, requires_grad: bool = False) -> Tensor",
        .torch = "rand_like",
        .doc = "Uniform random numbers in [0, 1), with the sizes and dtype of the input.",
        .infer = infer_drawn<type_like_input, check_uniform_dtype>,
        .eager = eager_rand,
        .lowering = Library{},
        .differentiable = false,
        .reads_only_type = true,
        .effects = kDraws,
        .samples = float_unary_samples,
    },
    {
        .name = "randn_like",
        .signature = "randn_like(input: Tensor, *, dtype: dtype | None = None, "
                     "device: device | str | None = None, requires_grad: bool = False) -> Tensor",
        .torch = "randn_like",
        .doc = "Normal random numbers, with the sizes and dtype of the input.",
        .infer = infer_drawn<type_like_input, check_normal_dtype>,
        .eager = eager_randn,
        .lowering = Library{},
        .differentiable = false,
        .reads_only_type = true,
        .effects = kDraws,
        .samples = float_unary_samples,
    },
    {
        .name = "randint_sized",
        .signature =
            "randint(low: int, high: int, size: Size, *, dtype: dtype | None = None) -> Tensor",
        .doc = "Random integers from low to below high.",
        .infer = infer_randint,
        .eager = eager_randint,
        .lowering = Library{},
        .effects = kDraws,
        .samples = randint_samples,
    },
    {
        .name = "randint",
        .signature = "randint(low: int | None = None, high: Size | None = None, size: Size | None "
                     "= None, *, dtype: dtype | None = None, device: device | str | None = None, "
                     "requires_grad: bool = False) -> Tensor",
        .torch = "randint",
        .doc = "Random integers from low (0 if left out) to below high.",
        .decomposition = randint,
        .effects = kDraws,
        .samples = randint_samples,
    },
    {
        .name = "randperm",
        .signature = "randperm(n: int, *, dtype: dtype | None = None, "
                     "device: device | str | None = None) -> Tensor",
        .torch = "randperm",
        .doc = "The integers 0 to n - 1 in random order.",
        .infer = infer_randperm,
        .eager = eager_randperm,
        .lowering = Library{},
        .effects = kDraws,
        .samples = count_samples,
    },
    {
        .name = "uniform",
        .signature = "uniform(input: Tensor, from: Number = 0.0, to: Number = 1.0) -> Tensor",
        .doc = "Uniform random numbers in [from, to), with the sizes and dtype of the input.",
        .infer = infer_uniform,
        .eager = eager_uniform,
        .lowering = Library{},
        .gradients = {{"input", "", [](GradientCall& g) { return g.zeros_like("input"); }}},
        .grad_name = "UniformBackward0",
        .effects = kDraws,
        .forms = Forms::kInPlace,
        .in_place = "uniform_",
        .samples = float_unary_samples,
    },
    {
        .name = "normal",
        .signature = "normal(input: Tensor, mean: Number = 0.0, std: Number = 1.0) -> Tensor",
        .doc = "Normal random numbers, with the sizes and dtype of the input.",
        .infer = infer_normal,
        .eager = eager_normal,
        .lowering = Library{},
        .gradients = {{"input", "", [](GradientCall& g) { return g.zeros_like("input"); }}},
        .grad_name = "NormalBackward0",
        .effects = kDraws,
        .forms = Forms::kInPlace,
        .in_place = "normal_",
        .samples = float_unary_samples,
    },
    {
        .name = "exponential",
        .signature = "exponential(input: Tensor, lambd: Number = 1.0) -> Tensor",
        .doc = "Exponentially distributed random numbers, with the sizes and dtype of the input.",
        .infer = infer_exponential,
        .eager = eager_exponential,
        .lowering = Library{},
        .gradients = {{"input", "", [](GradientCall& g) { return g.zeros_like("input"); }}},
        .grad_name = "ExponentialBackward0",
        .effects = kDraws,
        .forms = Forms::kInPlace,
        .in_place = "exponential_",
        .samples = float_unary_samples,
    },
    {
        .name = "bernoulli_fill",
        .signature = "bernoulli(input: Tensor, p: Number = 0.5) -> Tensor",
        .doc = "Ones with probability p, else zeros, with the sizes and dtype of the input.",
        .infer = infer_bernoulli_fill,
        .eager = eager_bernoulli_fill,
        .lowering = Library{},
        .gradients = {{"input", "", [](GradientCall& g) { return g.zeros_like("input"); }}},
        .grad_name = "BernoulliBackward2",
        .reads_only_type = true,
        .effects = kDraws,
        .forms = Forms::kInPlace,
        .in_place = "bernoulli_",
        .samples = float_unary_samples,
    },
    {
        .name = "random_fill",
        .signature =
            "random_(input: Tensor, from: int | None = None, to: int | None = None) -> Tensor",
        .doc = "Random integers from 0, or `from`, to below `to`, or one bound that is given "
               "alone; without one, all that the dtype has from 0.",
        .infer = infer_random_fill,
        .eager = eager_random_fill,
        .lowering = Library{},
        .gradients = {{"input", "", [](GradientCall& g) { return g.zeros_like("input"); }}},
        .grad_name_of = random_fill_name,
        .reads_only_type = true,
        .effects = kDraws,
        .forms = Forms::kInPlace,
        .in_place = "random_",
        .samples = float_unary_samples,
    },
    {
        .name = "bernoulli",
        .signature = "bernoulli(input: Tensor, p: Number | None = None) -> Tensor",
        .torch = "bernoulli",
        .method = "bernoulli",
        .doc = "Ones, each with the probability p or, without p, its element of the input; else "
               "zeros.",
        .infer = infer_bernoulli,
        .eager = eager_bernoulli,
        .lowering = Library{},
        .gradients = {{"input", "", [](GradientCall& g) { return g.zeros_like("input"); }}},
        .grad_name = "BernoulliBackward0",
        .effects = {.random = true, .may_fail = true},
        .samples = probability_samples,
    },
};

static_assert(complete(kEntries));

}  // namespace

std::span<const OpEntry> random_entries() {
  return kEntries;
}

}  // namespace glint::ops
