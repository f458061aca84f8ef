#include "runtime/capture/tensor_writes.h"

#include <algorithm>

#include "runtime/autograd/node.h"
#include "runtime/capture/region_gradients.h"

namespace glint::capture {

void TensorWrites::keep_gradient(const Tensor& tensor) {
  known_gradients_.insert(&tensor.impl());
  auto is_it = [&](const auto& kept) { return kept.first.is_same(tensor); };
  if (std::ranges::any_of(gradients_before_, is_it)) return;
  autograd::AutogradMeta* meta = autograd::meta_of(tensor);
  gradients_before_.emplace_back(tensor, meta ? meta->gradient : Tensor());
}

std::vector<Tensor> TensorWrites::set_gradients() const {
  std::vector<Tensor> tensors;
  for (const auto& [tensor, before] : gradients_before_) tensors.push_back(tensor);
  return tensors;
}

void TensorWrites::undo() {
  for (const auto& [tensor, before] : gradients_before_)
    autograd::make_meta(tensor).gradient = before;
  gradients_before_.clear();
  for (const OutsideWrite& write : written_) set_version(write.tensor, write.version_before);
  written_.clear();
}

bool TensorWrites::shares_memory(const Tensor& tensor) const {
  return std::ranges::any_of(written_, [&](const OutsideWrite& write) {
    return write.tensor->storage == tensor->storage && !write.tensor.is_same(tensor);
  });
}

OutsideWrite* TensorWrites::find(const Tensor& tensor) {
  auto found = std::ranges::find_if(
      written_, [&](const OutsideWrite& write) { return write.tensor.is_same(tensor); });
  return found == written_.end() ? nullptr : &*found;
}

bool TensorWrites::write(const Tensor& tensor, Value value, bool counted) {
  uint32_t version = tensor.version();
  if (counted) tensor.bump_version();
  if (OutsideWrite* before = find(tensor)) {
    before->value = value;
    before->count += counted;
    return false;
  }
  written_.push_back({tensor, value, counted, version});
  return true;
}

std::vector<InputUpdate> TensorWrites::finish() {
  std::vector<InputUpdate> updates;
  for (const OutsideWrite& write : written_) {
    auto input = std::ranges::find_if(
        made_.inputs, [&](const Tensor& each) { return each.is_same(write.tensor); });
    updates.push_back({static_cast<uint32_t>(made_.outputs.size()),
                       static_cast<uint32_t>(input - made_.inputs.begin()), write.count});
    made_.outputs.emplace_back();
    made_.graph.outputs.push_back(write.value);
  }
  return updates;
}

}  // namespace glint::capture
