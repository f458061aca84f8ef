// Samples of the operators that rearrange, index, multiply matrices or give a loss; samples.cpp has
// the stock and the elementwise rest.
#include <array>
#include <cmath>
#include <limits>

#include "core/tensor/views.h"
#include "ops/infer.h"
#include "ops/sample_parts.h"
#include "ops/samples.h"

namespace glint::ops {

// ---- views and shapes --------------------------------------------------------------------------

std::vector<Sample> matrix_samples(const OpEntry& entry) {
  return each_input(entry, kDTypes, {{}});
}
std::vector<Sample> two_dim_samples(const OpEntry& entry) {
  return each_input(entry, kDTypes, {{0, 1}, {0, -1}, {0, 0}});
}
std::vector<Sample> new_dim_samples(const OpEntry& entry) {
  return each_input(entry, kDTypes, {{0}, {-1}, {1}});
}
std::vector<Sample> dims_samples(const OpEntry& entry) {
  return each_input(entry, kDTypes, {{size_list({0})}, {size_list({0, -1})}, {size_list({})}});
}
std::vector<Sample> permute_samples(const OpEntry& entry) {
  return each_input(
      entry, kDTypes,
      {{size_list({0})}, {size_list({1, 0})}, {size_list({2, 0, 1})}, {size_list({})}});
}
std::vector<Sample> reshape_samples(const OpEntry& entry) {
  return each_input(
      entry, kDTypes,
      {{size_list({-1})}, {size_list({2, -1})}, {size_list({1, -1, 1})}, {size_list({3, 4})}});
}
std::vector<Sample> view_samples(const OpEntry& entry) {
  return reshape_samples(entry);
}
std::vector<Sample> unflatten_samples(const OpEntry& entry) {
  return collect(entry, {{sample_tensor({2, 12}), 1, size_list({3, 4})},
                         {sample_tensor({6}), 0, size_list({2, -1})},
                         {transpose(sample_tensor({12, 2}), 0, 1), 1, size_list({3, 4})}});
}
std::vector<Sample> expand_samples(const OpEntry& entry) {
  return collect(entry, {{sample_tensor({}), size_list({2, 3})},
                         {sample_tensor({3, 1}), size_list({3, 4})},
                         {sample_tensor({1, 3}), size_list({2, 4, -1})},
                         {sample_tensor({0}), size_list({2, 0})},
                         {transpose(sample_tensor({1, 3}), 0, 1), size_list({3, 5})},
                         {expand(sample_tensor({3, 1}), {3, 4}), size_list({2, 3, 4})}});
}
std::vector<Sample> same_shape_samples(const OpEntry& entry) {
  std::vector<Sample> samples;
  for (DType dtype : kDTypes)
    for (const Tensor& x : sample_inputs(dtype))
      add(samples, entry, {x, sample_tensor(x.sizes(), DType::kFloat32)});
  return samples;
}
std::vector<Sample> select_samples(const OpEntry& entry) {
  return each_input(entry, kDTypes, {{0, 0}, {-1, -1}});
}
std::vector<Sample> slice_samples(const OpEntry& entry) {
  return each_input(entry, kDTypes,
                    {{}, {0, 1, 3}, {-1, Argument(), -1}, {0, 0, 100, 2}, {0, 5, 2}});
}
std::vector<Sample> narrow_samples(const OpEntry& entry) {
  return each_input(entry, kDTypes, {{0, 0, 1}, {-1, 1, 2}, {0, 0, 0}});
}
std::vector<Sample> unfold_samples(const OpEntry& entry) {
  return collect(entry, {{sample_tensor({3, 7}), 1, 3, 1},
                         {sample_tensor({7, 2}), 0, 2, 3},
                         {sample_tensor({2, 6, 3}), -2, 2, 2},
                         {transpose(sample_tensor({5, 4}), 0, 1), 0, 3, 1},
                         {sample_tensor({4}, DType::kInt64), 0, 4, 1},
                         {sample_tensor({}), 0, 1, 1}});
}
std::vector<Sample> split_samples(const OpEntry& entry) {
  return each_input(entry, kDTypes, {{2}, {1, -1}, {3, 0}});
}
std::vector<Sample> repeat_samples(const OpEntry& entry) {
  return each_input(
      entry, kDTypes,
      {{size_list({2})}, {size_list({2, 3})}, {size_list({1, 1, 1})}, {size_list({2, 0, 1})}});
}
std::vector<Sample> interleave_samples(const OpEntry& entry) {
  return each_input(entry, kDTypes, {{2}, {3, 0}, {0, -1}});
}
std::vector<Sample> roll_samples(const OpEntry& entry) {
  return each_input(
      entry, kDTypes,
      {{1}, {size_list({1}), size_list({0})}, {size_list({1, -2}), size_list({0, 1})}});
}
std::vector<Sample> conversion_samples(const OpEntry& entry) {
  std::vector<Sample> samples;
  for (DType from : kDTypes)
    for (DType to : kDTypes)
      for (const Tensor& x : sample_inputs(from)) {
        // Infinities and NaN have no integer value that all processors agree on.
        if (is_floating(from) && is_integer(to) && x.sizes().size() == 2 && x.size(0) == 3 &&
            x.size(1) == 4)
          continue;
        add(samples, entry, {x, to});
      }
  return samples;
}

namespace {
std::vector<Sample> joins(const OpEntry& entry, bool along) {
  std::vector<Sample> samples;
  for (DType dtype : kDTypes)
    for (const Tensor& x : sample_inputs(dtype)) {
      Argument list{Argument::List{x, sample_tensor(x.sizes(), dtype), x}};
      add(samples, entry, {list});
      if (along) add(samples, entry, {list, -1});
    }
  return samples;
}
}  // namespace

std::vector<Sample> cat_samples(const OpEntry& entry) {
  auto samples = joins(entry, true);
  add(samples, entry,
      {Argument(Argument::List{sample_tensor({2, 3}), sample_tensor({4, 3}, DType::kInt64)})});
  add(samples, entry, {Argument(Argument::List{sample_tensor({0}), sample_tensor({2, 3})})});
  return samples;
}
std::vector<Sample> stack_samples(const OpEntry& entry) {
  return joins(entry, true);
}
std::vector<Sample> stack_only_samples(const OpEntry& entry) {
  return joins(entry, false);
}

// ---- indices -----------------------------------------------------------------------------------

std::vector<Sample> gather_samples(const OpEntry& entry) {
  std::vector<Sample> samples;
  for (DType dtype : kDTypes)
    for (const Tensor& x : sample_inputs(dtype)) {
      if (x.numel() == 0) continue;
      add(samples, entry, {x, -1, index_tensor(x.sizes(), x.rank() == 0 ? 1 : x.size(-1))});
      add(samples, entry, {x, 0, index_tensor(x.sizes(), x.rank() == 0 ? 1 : x.size(0))});
    }
  add(samples, entry, {sample_tensor({3, 4}), 1, Tensor::empty({0, 4}, DType::kInt64)});
  return samples;
}
std::vector<Sample> index_select_samples(const OpEntry& entry) {
  std::vector<Sample> samples;
  for (DType dtype : kDTypes)
    for (const Tensor& x : sample_inputs(dtype)) {
      if (x.numel() == 0 || x.rank() == 0) continue;
      add(samples, entry, {x, 0, index_tensor({4}, x.size(0))});
      add(samples, entry, {x, -1, index_tensor({2}, x.size(-1))});
    }
  add(samples, entry, {sample_tensor({3, 4}), 1, Tensor::empty({0}, DType::kInt64)});
  return samples;
}
std::vector<Sample> embedding_samples(const OpEntry& entry) {
  return collect(entry, {{index_tensor({2, 3}, 5), sample_tensor({5, 4})},
                         {index_tensor({}, 5), sample_tensor({5, 4})},
                         {index_tensor({0}, 5), sample_tensor({5, 4})},
                         {index_tensor({3}, 4), transpose(sample_tensor({5, 4}), 0, 1)}});
}
std::vector<Sample> index_samples(const OpEntry& entry) {
  Argument rows(index_tensor({3}, 4)), columns(index_tensor({3}, 5)), none;
  return collect(entry, {{sample_tensor({4, 5}), Argument(Argument::List{rows})},
                         {sample_tensor({4, 5}), Argument(Argument::List{rows, columns})},
                         {sample_tensor({2, 4, 5}), Argument(Argument::List{none, rows})},
                         {transpose(sample_tensor({5, 4}), 0, 1), Argument(Argument::List{rows})}});
}
std::vector<Sample> wrap_index_samples(const OpEntry& entry) {
  return collect(entry, {{index_tensor({4}, 3), 3, 0},
                         {index_tensor({}, 3), 3, 0},
                         {index_tensor({0}, 3), 3, 0},
                         {index_tensor({4}, 3), 3, 0, true}});
}
std::vector<Sample> take_samples(const OpEntry& entry) {
  return collect(entry, {{sample_tensor({4, 5}), index_tensor({2, 3}, 20)},
                         {transpose(sample_tensor({5, 4}), 0, 1), index_tensor({3}, 20)},
                         {sample_tensor({3}, DType::kInt64), index_tensor({}, 3)},
                         {sample_tensor({}), index_tensor({2}, 1)}});
}
std::vector<Sample> scatter_samples(const OpEntry& entry) {
  return collect(entry,
                 {{sample_tensor({3, 5}), 1, index_tensor({3, 2}, 5), sample_tensor({3, 2})},
                  {sample_tensor({3, 5}, DType::kInt64), 0, index_tensor({2, 5}, 3),
                   sample_tensor({2, 5}, DType::kInt64)},
                  {sample_tensor({4}), 0, Tensor::empty({0}, DType::kInt64), sample_tensor({0})}});
}
std::vector<Sample> index_put_samples(const OpEntry& entry) {
  Argument rows(index_tensor({3}, 4)), columns(index_tensor({3}, 5)), none;
  Argument one{Argument::List{rows}}, two{Argument::List{rows, columns}};
  Argument second{Argument::List{none, rows}};
  return collect(entry, {{sample_tensor({4, 5}), one, sample_tensor({3, 5})},
                         {sample_tensor({4, 5}), one, sample_tensor({5}), true},
                         {sample_tensor({4, 5}), two, sample_tensor({3}), true},
                         {sample_tensor({2, 4, 5}), second, sample_tensor({2, 3, 5}), true},
                         {transpose(sample_tensor({5, 4}), 0, 1), one, sample_tensor({})}});
}
std::vector<Sample> masked_scatter_samples(const OpEntry& entry) {
  std::vector<Sample> samples;
  for (const Tensor& x : sample_inputs(DType::kFloat32))
    add(samples, entry, {x, mask_tensor(x.sizes()), sample_tensor({x.numel()})});
  add(samples, entry, {sample_tensor({4, 3}), mask_tensor(Dims{3}), sample_tensor({2, 6})});
  return samples;
}
std::vector<Sample> masked_order_samples(const OpEntry& entry) {
  return collect(entry, {{mask_tensor(Dims{2, 4}), 5}, {mask_tensor(Dims{}), 1}});
}
std::vector<Sample> select_scatter_samples(const OpEntry& entry) {
  return collect(entry, {{sample_tensor({4, 5}), sample_tensor({5}), 0, 1},
                         {sample_tensor({4, 5}), sample_tensor({4}), -1, -2},
                         {transpose(sample_tensor({5, 4}), 0, 1), sample_tensor({4}), 1, 0},
                         {expand(sample_tensor({1, 5}), {4, 5}), sample_tensor({5}), 0, 3},
                         {sample_tensor({3}), sample_tensor({}), 0, 2}});
}
std::vector<Sample> slice_scatter_samples(const OpEntry& entry) {
  return collect(entry, {{sample_tensor({6, 5}), sample_tensor({2, 5}), 0, 1, 3},
                         {sample_tensor({6, 5}), sample_tensor({6, 5})},
                         {sample_tensor({4, 7}), sample_tensor({4, 3}), 1, 1, 100, 2},
                         {sample_tensor({4, 7}), sample_tensor({4, 6}), -1, Argument(), -1},
                         {sample_tensor({4, 7}), sample_tensor({0, 7}), 0, 3, 2},
                         {transpose(sample_tensor({7, 4}), 0, 1), sample_tensor({4, 2}), 1, 5},
                         {expand(sample_tensor({}), {4}), sample_tensor({1}), 0, 2, 3}});
}
std::vector<Sample> diagonal_scatter_samples(const OpEntry& entry) {
  return collect(entry, {{sample_tensor({3, 4}), sample_tensor({3})},
                         {sample_tensor({3, 4}), sample_tensor({3}), 1},
                         {sample_tensor({3, 4}), sample_tensor({2}), -1},
                         {sample_tensor({3, 4}), sample_tensor({0}), 9},
                         {sample_tensor({2, 3, 4}), sample_tensor({3, 2}), 1, 0, 2},
                         {sample_tensor({2, 3, 4}), sample_tensor({2, 3}), 0, 2, 1}});
}
std::vector<Sample> index_add_samples(const OpEntry& entry) {
  auto places = Tensor::of<int64_t>({2, 0}, {2});
  return collect(
      entry,
      {{sample_tensor({3, 5}), 0, places, sample_tensor({2, 5})},
       {sample_tensor({2, 3}, DType::kInt64), 1, places, sample_tensor({2, 2}, DType::kInt64)},
       {transpose(sample_tensor({5, 3}), 0, 1), 0, places, sample_tensor({2, 5})}});
}
std::vector<Sample> index_fill_samples(const OpEntry& entry) {
  auto places = Tensor::of<int64_t>({2, 0}, {2});
  return collect(entry, {{sample_tensor({3, 5}), 0, places, 1.5},
                         {sample_tensor({3, 5}), 1, places, sample_tensor({})},
                         {sample_tensor({2, 3}, DType::kInt64), 1, places, 7}});
}
std::vector<Sample> one_hot_samples(const OpEntry& entry) {
  return collect(
      entry, {{index_tensor({2, 3}, 5), 5}, {index_tensor({}, 5), 5}, {index_tensor({0}, 5), 5}});
}
std::vector<Sample> topk_samples(const OpEntry& entry) {
  return each_input(entry, kNumbers, {{1}, {2, 0}, {1, -1, false}});
}

// ---- products ----------------------------------------------------------------------------------

std::vector<Sample> mm_samples(const OpEntry& entry) {
  std::vector<Sample> samples;
  for (DType dtype : kNumbers) {
    add(samples, entry, {sample_tensor({3, 4}, dtype), sample_tensor({4, 5}, dtype)});
    add(samples, entry,
        {transpose(sample_tensor({4, 3}, dtype), 0, 1), sample_tensor({4, 5}, dtype)});
    add(samples, entry,
        {sample_tensor({3, 4}, dtype), transpose(sample_tensor({5, 4}, dtype), 0, 1)});
    add(samples, entry,
        {slice(sample_tensor({3, 8}, dtype), 1, 0, 8, 2), sample_tensor({4, 1}, dtype)});
    add(samples, entry,
        {expand(sample_tensor({3, 1}, dtype), {3, 4}), sample_tensor({4, 5}, dtype)});
    add(samples, entry, {sample_tensor({1, 1}, dtype), sample_tensor({1, 1}, dtype)});
  }
  add(samples, entry, {sample_tensor({0, 4}), sample_tensor({4, 5})});
  add(samples, entry, {sample_tensor({3, 0}), sample_tensor({0, 5})});
  add(samples, entry, {sample_tensor({40, 50}), sample_tensor({50, 60})});
  return samples;
}
std::vector<Sample> bmm_samples(const OpEntry& entry) {
  return collect(entry, {{sample_tensor({2, 3, 4}), sample_tensor({2, 4, 5})},
                         {sample_tensor({1, 3, 4}), sample_tensor({1, 4, 1})},
                         {expand(sample_tensor({1, 3, 4}), {2, 3, 4}),
                          transpose(sample_tensor({2, 5, 4}), 1, 2)},
                         {sample_tensor({0, 3, 4}), sample_tensor({0, 4, 5})}});
}
std::vector<Sample> matmul_samples(const OpEntry& entry) {
  auto samples = mm_samples(entry);
  const std::initializer_list<int64_t> shapes[][2] = {
      {{4}, {4}},         {{3, 4}, {4}},    {{4}, {4, 5}},          {{2, 3, 4}, {4, 5}},
      {{2, 3, 4}, {4}},   {{4}, {2, 4, 5}}, {{2, 3, 4}, {2, 4, 5}}, {{2, 1, 3, 4}, {3, 4, 5}},
      {{3, 4}, {2, 4, 5}}};
  for (const auto& [left, right] : shapes)
    add(samples, entry, {sample_tensor(left), sample_tensor(right)});
  return samples;
}
std::vector<Sample> mv_samples(const OpEntry& entry) {
  return collect(entry, {{sample_tensor({3, 4}), sample_tensor({4})},
                         {sample_tensor({0, 4}), sample_tensor({4})},
                         {transpose(sample_tensor({4, 3}), 0, 1), sample_tensor({4})}});
}
std::vector<Sample> vector_samples(const OpEntry& entry) {
  return collect(entry, {{sample_tensor({4}), sample_tensor({4})},
                         {sample_tensor({0}), sample_tensor({0})},
                         {sample_tensor({1}), sample_tensor({1})},
                         {slice(sample_tensor({8}), 0, 0, 8, 2), sample_tensor({4})}});
}
std::vector<Sample> addmm_samples(const OpEntry& entry) {
  Tensor a = sample_tensor({3, 4}), b = sample_tensor({4, 5});
  return collect(entry, {{sample_tensor({5}), a, b},
                         {sample_tensor({3, 5}), a, b, 0.5, 2.0},
                         {sample_tensor({}), a, b},
                         {sample_tensor({3, 5}), a, b, 0, 1}});
}
std::vector<Sample> baddbmm_samples(const OpEntry& entry) {
  return collect(entry, {{sample_tensor({2, 3, 5}), sample_tensor({2, 3, 4}),
                          sample_tensor({2, 4, 5}), 0.5, 2.0}});
}
std::vector<Sample> linear_samples(const OpEntry& entry) {
  return collect(
      entry, {{sample_tensor({3, 4}), sample_tensor({5, 4}), sample_tensor({5})},
              {sample_tensor({2, 3, 4}), sample_tensor({5, 4})},
              {sample_tensor({4}), sample_tensor({5, 4})},
              {transpose(sample_tensor({4, 3}), 0, 1), sample_tensor({5, 4}), sample_tensor({5})},
              {sample_tensor({0, 4}), sample_tensor({5, 4}), sample_tensor({5})}});
}

// ---- losses ------------------------------------------------------------------------------------

std::vector<Sample> loss_samples(const OpEntry& entry) {
  std::vector<Sample> samples;
  for (DType dtype : kFloats)
    for (const Tensor& x : sample_inputs(dtype))
      for (const char* how : {"mean", "sum", "none"})
        add(samples, entry, {x, sample_tensor(x.sizes(), dtype), how});
  return samples;
}
std::vector<Sample> probability_loss_samples(const OpEntry& entry) {
  Tensor x = probability_tensor({4, 5});
  Tensor target = slice(probability_tensor({4, 10}), 1, 0, 10, 2);
  return collect(
      entry,
      {{x, target}, {x, target, Argument(), "sum"}, {x, target, sample_tensor({5}), "none"}});
}
std::vector<Sample> class_loss_samples(const OpEntry& entry) {
  Tensor x = sample_tensor({4, 5}), target = index_tensor({4}, 5), weight = probability_tensor({5});
  return collect(entry, {{x, target},
                         {x, target, weight},
                         {x, target, Argument(), 3, "sum"},
                         {x, target, Argument(), -100, "none"},
                         {transpose(sample_tensor({5, 4}), 0, 1), target},
                         {sample_tensor({2, 5, 3}), index_tensor({2, 3}, 5)},
                         {sample_tensor({5}), index_tensor({}, 5)}});
}

}  // namespace glint::ops
