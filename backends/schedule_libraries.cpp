// A schedule's library steps: tensors on its memory for the operator, and its results.
//
//     call %values, %indices = cummax %x, 1       run into the slots' memory where the operator
//     can;
//                                                 else what it made takes the slots' place
#include <algorithm>

#include "backends/schedule_runner.h"
#include "core/tensor/storage.h"

namespace glint {

using Role = ScheduleTensor::Role;

Tensor ScheduleRunner::wrap(TensorId id) const {
  const ScheduleTensor& tensor = schedule_[id];
  const PlannedTensor& planned = plan_->tensors[index(id)];
  auto impl = make_ref<TensorImpl>();
  impl->dtype = tensor.type.dtype;
  impl->device = device_;
  impl->sizes = planned.sizes;
  impl->strides = planned.strides;
  impl->numel = element_count(planned.sizes);
  impl->contiguous = tensor.type.contiguous();
  int64_t reach = impl->numel == 0 ? 0 : 1;
  for (size_t d = 0; d < planned.sizes.size() && reach != 0; ++d) {
    reach += (planned.sizes[d] - 1) * planned.strides[d];
  }
  impl->storage = Storage::wrap(
      pointers_[index(id)], static_cast<size_t>(reach) * dtype_size(impl->dtype), nullptr, device_);
  impl->data = pointers_[index(id)];
  return Tensor(std::move(impl));
}

const Tensor& ScheduleRunner::wrapped(TensorId id) {
  Tensor& kept = plan_->tensors[index(id)].wrapped;
  if (!kept.defined() || kept.raw_data() != pointers_[index(id)]) kept = wrap(id);
  return kept;
}

RunStatus ScheduleRunner::call_library(PreparedLibraryCall& call,
                                       std::span<const RunInput> inputs) {
  const auto tensor_of = [&](TensorId id) -> Tensor {
    const ScheduleTensor& tensor = schedule_[id];
    if (tensor.role == Role::kInput && inputs[index(id)].tensor != nullptr)
      return Tensor(Ref<TensorImpl>(inputs[index(id)].tensor));
    if (tensor.role == Role::kSlot && output_owner_[tensor.slot] == index(id))
      return made_[tensor.slot];
    return wrapped(id);
  };
  return call.run(plan_->symbols, tensor_of,
                  [&](TensorId id, const Tensor& result) { return take_result(id, result); });
}

/// Lets a result that nobody else holds be the output, for the rest of the run: the pointers of the
/// output and of its views go there. Others that lie in the slot stay where they are.
bool ScheduleRunner::take_result(TensorId id, const Tensor& result) {
  const ScheduleTensor& tensor = schedule_[id];
  const PlannedTensor& planned = plan_->tensors[index(id)];
  if (!device_.is_cpu() || tensor.role != Role::kSlot || schedule_.slots[tensor.slot].input ||
      result.dtype() != tensor.type.dtype || !std::ranges::equal(result.sizes(), planned.sizes) ||
      !std::ranges::equal(result.strides(), planned.strides) || result.offset() != 0 ||
      result.ref()->ref_count() != 1 || result.storage()->ref_count() != 1) {
    return false;
  }
  pointers_[index(id)] = result.raw_data();
  for (size_t i = index(id) + 1; i < pointers_.size(); ++i) {
    const ScheduleTensor& view = schedule_.tensors[i];
    if (view.role == Role::kView)
      pointers_[i] = pointers_[index(view.base)] + plan_->tensors[i].view_offset;
  }
  if (output_owner_[tensor.slot] == index(id)) {
    made_[tensor.slot] = result;
  } else {
    taken_.push_back(result);
  }
  return true;
}

}  // namespace glint
