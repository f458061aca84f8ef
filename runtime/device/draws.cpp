#include "runtime/device/draws.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "backends/cuda/kernels/draw_kernels.h"
#include "backends/cuda/kernels/sort_kernels.h"
#include "core/tensor/accelerator.h"
#include "core/tensor/copy.h"
#include "ops/call.h"
#include "ops/device_calls.h"
#include "ops/infer.h"
#include "ops/layout.h"
#include "ops/random.h"

namespace glint::device {
namespace {

using ops::Arguments;
using ops::OpEntry;
using ops::Outputs;

/// What a kernel is asked for: outputs fill their memory.
struct Draw {
  const OpEntry& entry;
  Arguments arguments;
  std::span<const Tensor> outputs;
  DeviceGenerator& generator;

  const Tensor& out() const { return outputs[0]; }
  double number(std::string_view name) const {
    return ops::as_float(ops::argument(entry, arguments, name));
  }
};

void uniform(const Draw& draw) {
  cuda::draw_uniform(draw.out(), 0.0, 1.0, draw.generator);
}
void uniform_between(const Draw& draw) {
  cuda::draw_uniform(draw.out(), draw.number("from"), draw.number("to"), draw.generator);
}
void normal(const Draw& draw) {
  cuda::draw_normal(draw.out(), 0.0, 1.0, draw.generator);
}
void normal_around(const Draw& draw) {
  cuda::draw_normal(draw.out(), draw.number("mean"), draw.number("std"), draw.generator);
}
void exponential(const Draw& draw) {
  cuda::draw_exponential(draw.out(), draw.number("lambd"), draw.generator);
}

/// Where a remainder of 32 bits would prefer small numbers too much.
constexpr uint64_t kLongRange = uint64_t{1} << 28;

void integers(const Draw& draw) {
  const int64_t low = ops::as_constant(draw.arguments[0]);
  const uint64_t range = uint64_t(ops::as_constant(draw.arguments[1])) - uint64_t(low);
  cuda::draw_integers(draw.out(), low, range, range >= kLongRange, draw.generator);
}

void random_fill(const Draw& draw) {
  const DType dtype = draw.out().dtype();
  const ops::RandomIntegers drawn = ops::random_integers(draw.entry, draw.arguments, dtype);
  const bool is_long = dtype == DType::kInt64 || dtype == DType::kFloat64;
  cuda::draw_integers(draw.out(), drawn.low, drawn.range,
                      drawn.is_bounded ? drawn.range >= kLongRange : is_long, draw.generator);
}

void bernoulli_fill(const Draw& draw) {
  cuda::draw_bernoulli(draw.out(), draw.number("p"), draw.generator);
}

void bernoulli(const Draw& draw) {
  if (!ops::argument(draw.entry, draw.arguments, "p").is_none()) return bernoulli_fill(draw);
  const Tensor probabilities = contiguous(draw.arguments[0].tensor());
  cuda::draw_bernoulli(draw.out(), probabilities, draw.generator);
}

/// Places in the order of random keys, of as many bits as make equal ones rare; those are shuffled.
void permutation(const Draw& draw) {
  const int64_t count = draw.out().numel();
  if (count == 0) return;
  const auto n = static_cast<double>(count);
  const double bits_wanted = std::log2(n - (6 * n * n + 1) / (12 * std::log(0.9)));
  const int bits = std::min(64, static_cast<int>(std::ceil(bits_wanted)));
  const Device device = draw.out().device();
  const Tensor keys = Tensor::empty(Dims{count}, DType::kInt64, device);
  const Tensor sorted = Tensor::empty(Dims{count}, DType::kInt64, device);
  const Tensor places = Tensor::empty(Dims{count}, DType::kInt64, device);
  cuda::draw_keys(keys, bits, draw.generator);
  cuda::sort_along(keys, 0, false, {&sorted, &places});
  cuda::shuffle_equals(sorted, places, draw.generator);
  copy(draw.out(), places);
}

void dropout(const Draw& draw) {
  const Tensor& given = draw.arguments[0].tensor();
  const bool alike = same_dims(given.strides(), draw.out().strides());
  Tensor x = given;
  if (!alike) {
    x = Tensor::empty_strided(given.sizes(), draw.out().strides(), given.dtype(), given.device());
    copy(x, given);
  }
  cuda::draw_dropout(x, draw.out(), draw.outputs[1], 1.0 - draw.number("p"), draw.generator);
}

/// Of numbers that were drawn into the output: what a function makes of them.
void write_over(const Draw& draw, const Tensor& values) {
  copy(draw.out(), values);
}
void log_normal(const Draw& draw) {
  normal_around(draw);
  write_over(draw, ops::call_eager("exp", {draw.out()}));
}
/// Numbers from 0 to 1, of a dtype that has them between.
Tensor uniform_floats(const Draw& draw) {
  const DType dtype = draw.out().dtype();
  const Tensor drawn = Tensor::empty(
      draw.out().sizes(), is_floating(dtype) ? dtype : DType::kFloat32, draw.out().device());
  cuda::draw_uniform(drawn, 0.0, 1.0, draw.generator);
  return drawn;
}
void cauchy(const Draw& draw) {
  Tensor turned = ops::call_eager("subtract", {uniform_floats(draw), 0.5});
  turned = ops::call_eager("tan", {ops::call_eager("multiply", {turned, std::numbers::pi})});
  turned = ops::call_eager("multiply", {turned, draw.number("sigma")});
  write_over(draw, ops::call_eager("add", {turned, draw.number("median")}));
}
/// How many trials until one succeeds, from the chance that none did.
void geometric(const Draw& draw) {
  const Tensor opposite = ops::call_eager("multiply", {uniform_floats(draw), -1.0});
  const double each = std::log1p(-draw.number("p"));
  const Tensor trials = ops::call_eager("divide", {ops::call_eager("log1p", {opposite}), each});
  write_over(draw, ops::call_eager("ceil", {trials}));
}

/// Where a number takes as many draws as it happens to, there is no kernel: those are drawn on the
/// processor, from its generator.
void on_processor(const Draw& draw) {
  std::vector<ops::Argument> near(draw.arguments.begin(), draw.arguments.end());
  for (ops::Argument& argument : near)
    if (const Tensor* tensor = argument.get_if<Tensor>())
      argument = to_device(*tensor, Device::cpu());
  copy(draw.out(), draw.entry.eager(draw.entry, near)[0]);
}

struct DrawCall {
  std::string_view name;
  void (*run)(const Draw& draw);
};

constexpr DrawCall kTable[] = {
    {"rand", uniform},
    {"rand_like", uniform},
    {"uniform", uniform_between},
    {"randn", normal},
    {"randn_like", normal},
    {"normal", normal_around},
    {"exponential", exponential},
    {"randint_sized", integers},
    {"random_fill", random_fill},
    {"bernoulli_fill", bernoulli_fill},
    {"bernoulli", bernoulli},
    {"randperm", permutation},
    {"native_dropout", dropout},
    {"cauchy", cauchy},
    {"log_normal", log_normal},
    {"geometric", geometric},
    {"standard_gamma", on_processor},
    {"poisson", on_processor},
    {"binomial", on_processor},
};

const DrawCall* find_draw(const OpEntry& entry) {
  const auto found = std::ranges::find(kTable, std::string_view(entry.name), &DrawCall::name);
  return found == std::end(kTable) ? nullptr : found;
}

}  // namespace

bool is_draw(const OpEntry& entry) {
  return entry.effects.random && find_draw(entry) != nullptr;
}

bool reads_operands(const OpEntry& entry, Arguments arguments) {
  const std::string_view name = entry.name;
  if (name == "bernoulli") return ops::argument(entry, arguments, "p").is_none();
  constexpr std::string_view kOthers[] = {"native_dropout", "standard_gamma", "poisson",
                                          "binomial"};
  return std::ranges::find(kOthers, name) != std::end(kOthers);
}

bool draw_into(const OpEntry& entry, Arguments arguments, std::span<const Tensor> outputs) {
  if (!std::ranges::all_of(outputs, cuda::fills_its_memory)) return false;
  const Device device = outputs[0].device();
  // `randn` of no elements may be of any dtype.
  DeviceGenerator& generator = ops::generator_for(device).on_device;
  if (outputs[0].numel() > 0) find_draw(entry)->run({entry, arguments, outputs, generator});
  return true;
}

bool draw_over(const OpEntry& entry, Arguments arguments, const Tensor& target) {
  ops::infer(entry, ops::infer_arguments(arguments));  // its checks
  return draw_into(entry, arguments, {&target, 1});
}

Outputs draw(const OpEntry& entry, Arguments arguments) {
  std::vector<Tensor> made;
  for (const TensorType& type : ops::infer(entry, ops::infer_arguments(arguments)))
    made.push_back(Tensor::empty_strided(ops::constant_dims(type.sizes),
                                         ops::constant_dims(type.full_strides()), type.dtype,
                                         Device::cuda()));
  draw_into(entry, arguments, made);
  return Outputs(std::move(made));
}

}  // namespace glint::device
