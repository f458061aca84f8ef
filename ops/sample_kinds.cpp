#include "ops/sample_kinds.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "core/tensor/copy.h"
#include "core/tensor/views.h"
#include "ops/call.h"

namespace glint::ops {
namespace {

double element(const Tensor& tensor, int64_t place) {
  double value = 0;
  visit_dtype(tensor.dtype(),
              [&]<class T>() { value = convert_element<double>(tensor.data<T>()[place]); });
  return value;
}

void for_each_tensor(const Argument& argument, const std::function<void(const Tensor&)>& visit) {
  if (argument.is_value()) visit(argument.tensor());
  if (const auto* list = argument.get_if<Argument::List>())
    for (const Argument& each : *list) for_each_tensor(each, visit);
}

/// Gives another tensor in place of one, or an undefined one to leave it.
using Change = std::function<Tensor(const Tensor&)>;

bool change_tensors(Argument& argument, const Change& change) {
  if (argument.is_value()) {
    Tensor other = change(argument.tensor());
    if (!other.defined()) return false;
    argument = Argument(std::move(other));
    return true;
  }
  bool changed = false;
  if (auto* list = std::get_if<Argument::List>(&argument.value))
    for (Argument& each : *list) changed |= change_tensors(each, change);
  return changed;
}

/// The same elements, every second one in memory.
Tensor with_gaps(const Tensor& tensor) {
  if (!tensor.is_contiguous() || tensor.numel() < 2) return {};
  Dims sizes;
  for (const int64_t size : tensor.sizes()) sizes.push_back(size);
  sizes.push_back(2);
  Tensor wide = Tensor::empty(sizes, tensor.dtype());
  Tensor view = select(wide, -1, 0);
  copy(view, tensor);
  copy(select(wide, -1, 1), tensor);
  return view;
}

/// The first row over and over.
Tensor repeating(const Tensor& tensor) {
  if (tensor.rank() == 0 || tensor.size(0) < 2 || tensor.numel() == 0) return {};
  return expand(slice(tensor, 0, 0, 1), tensor.sizes());
}

/// NaN, the infinities and -0.0 in front.
Tensor with_special_values(const Tensor& tensor) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kValues[] = {std::numeric_limits<double>::quiet_NaN(), kInfinity, -kInfinity,
                                -0.0};
  if (!is_floating(tensor.dtype()) || tensor.numel() < int64_t(std::size(kValues))) return {};
  Tensor changed = clone(contiguous(tensor));
  visit_dtype(changed.dtype(), [&]<class T>() {
    for (size_t i = 0; i < std::size(kValues); ++i)
      changed.data<T>()[i] = convert_element<T>(kValues[i]);
  });
  return changed;
}

/// No more than `size` along a dimension; nothing if that is no change.
Change cut(int64_t dim, int64_t size) {
  return [=](const Tensor& tensor) {
    if (tensor.rank() == 0 || tensor.size(dim) <= size) return Tensor();
    return clone(contiguous(slice(tensor, dim, 0, size)));
  };
}

/// The first element alone.
Tensor of_no_dimensions(const Tensor& tensor) {
  if (tensor.rank() == 0 || tensor.numel() == 0) return {};
  return select(reshape(clone(contiguous(tensor)), Dims{tensor.numel()}), 0, 0);
}

/// Only what is done to the first tensor that it can be done to.
Change once(Change change) {
  return [change = std::move(change), done = false](const Tensor& tensor) mutable {
    if (done) return Tensor();
    Tensor other = change(tensor);
    done = other.defined();
    return other;
  };
}

/// The first sample that the change applies to and that the operator takes then, changed. False if
/// there is none.
bool add_changed(const OpEntry& entry, const std::function<Change()>& make_change,
                 std::vector<Sample>& samples) {
  for (const Sample& sample : samples) {
    if (sample.error) continue;
    Sample changed = sample;
    const Change change = make_change();
    bool any = false;
    for (Argument& argument : changed.arguments) any |= change_tensors(argument, change);
    if (!any) continue;
    try {
      call_eager(entry, changed.arguments);
    } catch (const OpError&) {
      continue;
    }
    samples.push_back(std::move(changed));
    return true;
  }
  return false;
}

/// Smaller tensors: all of them, or only the first, along the first dimension or the last.
void add_cut(const OpEntry& entry, int64_t size, std::vector<Sample>& samples) {
  for (const int64_t dim : {0, -1}) {
    if (add_changed(entry, [&] { return cut(dim, size); }, samples)) return;
    if (add_changed(entry, [&] { return once(cut(dim, size)); }, samples)) return;
  }
}

}  // namespace

void SampleKinds::see(const Tensor& tensor) {
  tensors = true;
  zero_dim |= tensor.rank() == 0;
  empty |= tensor.numel() == 0;
  size_one |= tensor.rank() > 0 && std::ranges::find(tensor.sizes(), 1) != tensor.sizes().end();
  strided |= !tensor.is_contiguous();
  overlapping |= repeats_elements(tensor);
  if (!is_floating(tensor.dtype())) return;
  floating = true;
  const Tensor all = contiguous(tensor);
  for (int64_t i = 0; i < all.numel(); ++i) {
    const double value = element(all, i);
    nan |= std::isnan(value);
    infinite |= std::isinf(value);
    negative_zero |= value == 0 && std::signbit(value);
  }
}

SampleKinds kinds_of(std::span<const Sample> samples) {
  SampleKinds kinds;
  for (const Sample& sample : samples) {
    std::vector<Tensor> tensors;
    for (const Argument& argument : sample.arguments)
      for_each_tensor(argument, [&](const Tensor& tensor) { tensors.push_back(tensor); });
    for (const Tensor& tensor : tensors) {
      kinds.see(tensor);
      for (const Tensor& other : tensors)
        kinds.broadcast |= !same_dims(tensor.sizes(), other.sizes());
    }
  }
  return kinds;
}

std::vector<Sample> every_sample(const OpEntry& entry) {
  std::vector<Sample> samples = entry.samples(entry);
  // What writes its tensor needs one of its own, and random results compare with nothing.
  if (entry.effects.mutates || entry.effects.random) return samples;
  const SampleKinds kinds = kinds_of(samples);
  if (!kinds.zero_dim) add_changed(entry, [] { return Change(of_no_dimensions); }, samples);
  if (!kinds.empty) add_cut(entry, 0, samples);
  if (!kinds.size_one) add_cut(entry, 1, samples);
  if (!kinds.strided) add_changed(entry, [] { return Change(with_gaps); }, samples);
  if (!kinds.overlapping)
    add_changed(
        entry,
        [&] {
          return once([&](const Tensor& tensor) {
            return is_floating(tensor.dtype()) || !kinds.floating ? repeating(tensor) : Tensor();
          });
        },
        samples);
  if (kinds.floating && !kinds.has_special_values())
    add_changed(entry, [] { return once(with_special_values); }, samples);
  return samples;
}

}  // namespace glint::ops
