#include "ops/samples.h"

#include <array>
#include <cmath>
#include <limits>

#include "core/tensor/views.h"
#include "ops/infer.h"
#include "ops/sample_parts.h"

namespace glint::ops {

void add(std::vector<Sample>& samples, const OpEntry& entry, std::vector<Argument> arguments) {
  auto complete = complete_arguments<Tensor>(entry, std::move(arguments), {});
  for (size_t i = 0; i < complete.size(); ++i)
    if (is_number(complete[i]) && signature(entry).parameters[i].types == kTakesTensor) return;
  std::vector<InferArgument> types = infer_arguments(complete);
  try {
    if (!entry.effects.data_dependent && infer(entry, types).empty()) return;
  } catch (const OpError&) {
    return;
  }
  samples.push_back({std::move(complete)});
}

std::vector<Sample> collect(const OpEntry& entry,
                            std::initializer_list<std::vector<Argument>> calls) {
  std::vector<Sample> samples;
  for (const auto& call : calls) add(samples, entry, call);
  return samples;
}

std::vector<Sample> each_input(const OpEntry& entry, std::span<const DType> dtypes,
                               std::initializer_list<std::vector<Argument>> further) {
  std::vector<Sample> samples;
  for (DType dtype : dtypes)
    for (const Tensor& input : sample_inputs(dtype))
      for (const auto& rest : further) {
        std::vector<Argument> arguments{input};
        arguments.insert(arguments.end(), rest.begin(), rest.end());
        add(samples, entry, arguments);
      }
  return samples;
}

Tensor index_tensor(IntSpan sizes, int64_t limit) {
  Tensor index = Tensor::empty(sizes, DType::kInt64);
  for (int64_t i = 0; i < index.numel(); ++i) index.data<int64_t>()[i] = (i * 7 + 3) % limit;
  return index;
}

Tensor index_tensor(std::initializer_list<int64_t> sizes, int64_t limit) {
  return index_tensor(IntSpan(sizes.begin(), sizes.size()), limit);
}

Tensor mask_tensor(IntSpan sizes) {
  Tensor mask = Tensor::empty(sizes, DType::kBool);
  for (int64_t i = 0; i < mask.numel(); ++i) mask.data<bool>()[i] = i % 3 == 1;
  return mask;
}

Tensor probability_tensor(std::initializer_list<int64_t> sizes) {
  Tensor x = sample_tensor(sizes);
  for (int64_t i = 0; i < x.numel(); ++i) x.data<float>()[i] = 0.05f + float(i % 10) * 0.09f;
  return x;
}

std::vector<Sample> pairs(const OpEntry& entry, std::span<const DType> dtypes,
                          bool nonzero_second) {
  std::vector<Sample> samples;
  for (DType dtype : dtypes) {
    for (const Tensor& x : sample_inputs(dtype)) {
      Tensor y = sample_tensor(x.sizes(), dtype);
      if (nonzero_second || is_bool(dtype))
        add(samples, entry, {x, y});
      else
        add(samples, entry, {x, x});
      add(samples, entry, {x, y});
      add(samples, entry, {x, 3});
      if (is_floating(dtype)) add(samples, entry, {x, 2.5});
    }
    add(samples, entry, {sample_tensor({4, 1}, dtype), sample_tensor({3}, dtype)});
    add(samples, entry,
        {sample_tensor({2, 1, 3}, dtype), transpose(sample_tensor({3, 4}, dtype), 0, 1)});
    add(samples, entry, {sample_tensor({}, dtype), sample_tensor({2, 3}, dtype)});
    add(samples, entry, {sample_tensor({2, 3}, dtype), sample_tensor({}, DType::kFloat64)});
    add(samples, entry, {sample_tensor({2, 3}, dtype), sample_tensor({2, 3}, DType::kInt32)});
    add(samples, entry, {sample_tensor({2, 3}, dtype), sample_tensor({3}, DType::kFloat32)});
  }
  return samples;
}

std::vector<Argument> ints(std::initializer_list<int64_t> values) {
  Argument::List list;
  for (int64_t value : values) list.push_back(value);
  return {Argument(list)};
}

Argument size_list(std::initializer_list<int64_t> values) {
  return ints(values)[0];
}

Tensor sample_tensor(IntSpan sizes, DType dtype) {
  Tensor x = Tensor::empty(sizes, dtype);
  visit_dtype(dtype, [&]<class T>() {
    for (int64_t i = 0; i < x.numel(); ++i) {
      // Never 0, of both signs, exact in bfloat16.
      double value = (double((i * 5) % 13) * 0.5 + 0.5) * (i % 3 == 2 ? -1.0 : 1.0);
      if (is_integer(dtype)) value *= 2.0;
      if (is_bool(dtype)) value = i % 2;
      x.data<T>()[i] = convert_element<T>(value);
    }
  });
  return x;
}

std::vector<Tensor> sample_inputs(DType dtype) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInf = std::numeric_limits<double>::infinity();
  std::vector<Tensor> inputs{
      sample_tensor({}, dtype),
      sample_tensor({0}, dtype),
      sample_tensor({2, 0, 3}, dtype),
      sample_tensor({1}, dtype),
      sample_tensor({3, 1, 2}, dtype),
      sample_tensor({5}, dtype),
      sample_tensor({2, 3, 4}, dtype),
      sample_tensor({7, 19}, dtype),
      transpose(sample_tensor({4, 3}, dtype), 0, 1),
      slice(sample_tensor({4, 9}, dtype), 1, 1, 8, 2),
      expand(sample_tensor({3, 1}, dtype), {3, 4}),
  };
  if (is_floating(dtype)) {
    Tensor special = sample_tensor({3, 4}, dtype);
    visit_dtype(dtype, [&]<class T>() {
      const double values[] = {kNan, kInf, -kInf, -0.0, 0.0, 100.0, -100.0, 0.001};
      for (size_t i = 0; i < std::size(values); ++i)
        special.data<T>()[i] = convert_element<T>(values[i]);
    });
    inputs.push_back(special);
  }
  return inputs;
}

// ---- elementwise -------------------------------------------------------------------------------

std::vector<Sample> unary_samples(const OpEntry& entry) {
  return each_input(entry, kDTypes, {{}});
}
std::vector<Sample> float_unary_samples(const OpEntry& entry) {
  return each_input(entry, kFloats, {{}});
}
std::vector<Sample> fill_samples(const OpEntry& entry) {
  auto samples = number_second_samples(entry);
  add(samples, entry, {sample_tensor({2, 3}), sample_tensor({})});
  return samples;
}
std::vector<Sample> number_unary_samples(const OpEntry& entry) {
  return each_input(entry, kNumbers, {{}});
}
std::vector<Sample> integer_unary_samples(const OpEntry& entry) {
  return each_input(entry, kIntegral, {{}});
}
std::vector<Sample> gelu_samples(const OpEntry& entry) {
  return each_input(entry, kFloats, {{}, {"tanh"}});
}
std::vector<Sample> number_second_samples(const OpEntry& entry) {
  return each_input(entry, kDTypes, {{1}});
}
std::vector<Sample> binary_samples(const OpEntry& entry) {
  return pairs(entry, kDTypes, false);
}
std::vector<Sample> divisor_samples(const OpEntry& entry) {
  return pairs(entry, kNumbers, true);
}
std::vector<Sample> integer_binary_samples(const OpEntry& entry) {
  return pairs(entry, kIntegral, false);
}

std::vector<Sample> power_samples(const OpEntry& entry) {
  std::vector<Sample> samples = each_input(entry, kNumbers, {{2}, {3}, {0.5}, {-1.0}, {1.5}, {0}});
  for (DType dtype : kFloats) {
    for (const Tensor& x : sample_inputs(dtype))
      add(samples, entry, {x, sample_tensor(x.sizes(), dtype)});
    add(samples, entry, {sample_tensor({4, 1}, dtype), sample_tensor({3}, dtype)});
    add(samples, entry, {2.0, sample_tensor({4}, dtype)});
  }
  return samples;
}

std::vector<Sample> shift_samples(const OpEntry& entry) {
  std::vector<Sample> samples = each_input(entry, kIntegers, {{2}});
  add(samples, entry, {sample_tensor({4, 1}, DType::kInt64), index_tensor({3}, 5)});
  return samples;
}

std::vector<Sample> lerp_samples(const OpEntry& entry) {
  std::vector<Sample> samples;
  for (DType dtype : kFloats)
    for (const Tensor& x : sample_inputs(dtype)) {
      Tensor y = sample_tensor(x.sizes(), dtype);
      for (const Argument& weight : {Argument(0.25), Argument(0.75), Argument(y)})
        add(samples, entry, {x, y, weight});
    }
  add(samples, entry, {sample_tensor({4, 1}), sample_tensor({3}), 0.5});
  return samples;
}

std::vector<Sample> ternary_samples(const OpEntry& entry) {
  std::vector<Sample> samples;
  for (DType dtype : kFloats)
    for (const Tensor& x : sample_inputs(dtype)) {
      Tensor y = sample_tensor(x.sizes(), dtype);
      add(samples, entry, {x, y, y});
      add(samples, entry, {x, y, y, 0.5});
    }
  add(samples, entry, {sample_tensor({4, 1}), sample_tensor({3}), sample_tensor({2, 4, 3})});
  return samples;
}

std::vector<Sample> where_samples(const OpEntry& entry) {
  std::vector<Sample> samples;
  for (DType dtype : kDTypes)
    for (const Tensor& x : sample_inputs(dtype)) {
      Tensor mask = mask_tensor(x.sizes());
      add(samples, entry, {mask, x, sample_tensor(x.sizes(), dtype)});
      add(samples, entry, {mask, x, 0});
      add(samples, entry, {mask, 1.5, x});
    }
  add(samples, entry, {mask_tensor(Dims{4, 1}), sample_tensor({3}), sample_tensor({2, 1, 1})});
  return samples;
}

std::vector<Sample> where_method_samples(const OpEntry& entry) {
  std::vector<Sample> samples;
  for (const Tensor& x : sample_inputs(DType::kFloat32))
    add(samples, entry, {x, mask_tensor(x.sizes()), 0});
  add(samples, entry, {sample_tensor({3}), mask_tensor(Dims{4, 1}), sample_tensor({3})});
  return samples;
}

std::vector<Sample> masked_fill_samples(const OpEntry& entry) {
  std::vector<Sample> samples;
  for (DType dtype : kDTypes)
    for (const Tensor& x : sample_inputs(dtype))
      add(samples, entry, {x, mask_tensor(x.sizes()), 1});
  add(samples, entry, {sample_tensor({4, 3}), mask_tensor(Dims{3}), 2.5});
  add(samples, entry, {sample_tensor({4, 3}), mask_tensor(Dims{3}), sample_tensor({})});
  return samples;
}

std::vector<Sample> masked_select_samples(const OpEntry& entry) {
  std::vector<Sample> samples;
  for (const Tensor& x : sample_inputs(DType::kFloat32))
    add(samples, entry, {x, mask_tensor(x.sizes())});
  add(samples, entry, {sample_tensor({4, 3}), mask_tensor(Dims{3})});
  return samples;
}

std::vector<Sample> clamp_samples(const OpEntry& entry) {
  std::vector<Sample> samples = each_input(entry, kNumbers, {{-1, 2}, {Argument(), 2}, {1}});
  Tensor low = Tensor::full({3}, -1.25, DType::kFloat32);
  add(samples, entry, {sample_tensor({4, 3}), low, Tensor::full({4, 1}, 1.75, DType::kFloat32)});
  add(samples, entry, {sample_tensor({4, 3}), low});
  return samples;
}

// ---- creation ----------------------------------------------------------------------------------

std::vector<Sample> full_samples(const OpEntry& entry) {
  return collect(entry, {{size_list({2, 3}), 1.5},
                         {size_list({}), 2},
                         {size_list({0, 2}), 1},
                         {size_list({4}), true},
                         {size_list({3}), 2, DType::kFloat64}});
}
std::vector<Sample> sizes_samples(const OpEntry& entry) {
  return collect(entry,
                 {{size_list({2, 3})}, {size_list({})}, {size_list({0})}, {size_list({40})}});
}
std::vector<Sample> new_sizes_samples(const OpEntry& entry) {
  return collect(entry, {{sample_tensor({2}, DType::kInt64), size_list({2, 3})},
                         {sample_tensor({}), size_list({0})}});
}
std::vector<Sample> new_full_samples(const OpEntry& entry) {
  return collect(entry, {{sample_tensor({2}), size_list({2, 3}), 4}});
}
std::vector<Sample> count_samples(const OpEntry& entry) {
  return collect(entry, {{5}, {0}, {1}});
}
std::vector<Sample> arange_samples(const OpEntry& entry) {
  return collect(
      entry,
      {{5}, {0}, {2, 9, 3}, {5, 0, -2}, {0.0, 1.0, 0.25}, {2.5}, {0, 3, 1, DType::kFloat32}});
}
std::vector<Sample> linspace_samples(const OpEntry& entry) {
  return collect(entry,
                 {{0, 1, 5}, {-2.5, 2.5, 10}, {3, 4, 1}, {0, 1, 0}, {0, 10, 4, DType::kInt64}});
}
std::vector<Sample> randint_samples(const OpEntry& entry) {
  return collect(entry, {{0, 10, size_list({4, 5})}, {-5, 5, size_list({0})}});
}
std::vector<Sample> count_probability_samples(const OpEntry& entry) {
  return collect(entry, {{sample_tensor({4, 5}), probability_tensor({4, 5})},
                         {sample_tensor({}), probability_tensor({})}});
}
std::vector<Sample> probability_number_samples(const OpEntry& entry) {
  return collect(entry, {{sample_tensor({4, 5}), 0.25}, {sample_tensor({}), 0.5}});
}
std::vector<Sample> probability_samples(const OpEntry& entry) {
  return collect(entry, {{probability_tensor({4, 5})}, {probability_tensor({})}});
}

// ---- reductions --------------------------------------------------------------------------------

namespace {
std::vector<Sample> reductions(const OpEntry& entry, std::span<const DType> dtypes) {
  std::vector<Sample> samples = each_input(entry, dtypes, {{}, {0}, {-1, true}});
  for (DType dtype : dtypes) add(samples, entry, {sample_tensor({2, 3, 4}, dtype), 1});
  add(samples, entry, {sample_tensor({3, 700}), 1});
  if (signature(entry).parameters[1].types & kTakesSize) {
    add(samples, entry, {sample_tensor({2, 3, 4}), size_list({0, 2})});
    add(samples, entry, {sample_tensor({2, 3, 4}), size_list({1, -1}), true});
    add(samples, entry, {sample_tensor({2, 5, 3, 6}), size_list({0, 2})});
  }
  return samples;
}
}  // namespace

std::vector<Sample> reduction_samples(const OpEntry& entry) {
  return reductions(entry, kDTypes);
}
std::vector<Sample> along_samples(const OpEntry& entry) {
  std::vector<Sample> samples;
  for (const Sample& sample : each_input(entry, kDTypes, {{0}, {-1, true}}))
    if (sample.arguments[0].tensor().numel() > 0) samples.push_back(sample);
  return samples;
}
std::vector<Sample> float_reduction_samples(const OpEntry& entry) {
  return reductions(entry, kFloats);
}
std::vector<Sample> variance_samples(const OpEntry& entry) {
  return each_input(entry, kFloats, {{}, {0}, {-1, true, true}, {Argument(), false}});
}
std::vector<Sample> norm_samples(const OpEntry& entry) {
  return each_input(entry, kFloats,
                    {{}, {1}, {2, 0}, {3.0, -1, true}, {std::numeric_limits<double>::infinity()}});
}
std::vector<Sample> scan_samples(const OpEntry& entry) {
  return each_input(entry, kDTypes, {{0}, {-1}});
}
std::vector<Sample> softmax_samples(const OpEntry& entry) {
  std::vector<Sample> samples = each_input(entry, kFloats, {{0}, {-1}});
  add(samples, entry, {sample_tensor({3, 700}), 1});
  add(samples, entry, {sample_tensor({2, 5, 3}), 1});
  return samples;
}

}  // namespace glint::ops
