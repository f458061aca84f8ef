#include "backends/schedule_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>

#include "backends/workspace.h"
#include "core/support/check.h"
#include "core/support/interruption.h"
#include "core/support/profile.h"
#include "core/support/thread_pool.h"
#include "core/tensor/accelerator.h"
#include "core/tensor/copy.h"
#include "ir/kernel_work.h"
#include "ops/device_calls.h"

namespace glint {
namespace {

/// Threads take whole multiples of so many iterations, so that they share no cache line.
constexpr int64_t kGrainMultiple = 64;

using Role = ScheduleTensor::Role;

int32_t call(const RunnableKernel& kernel, std::byte* scratch, std::byte* const* parameters,
             const int64_t* sizes, int64_t begin, int64_t end) {
  if (recovery::enabled()) [[unlikely]]
    return call_guarded(kernel, scratch, parameters, sizes, begin, end);
  return call_kernel(kernel, scratch, parameters, sizes, begin, end);
}

/// Which nodes of the graph a launch computes, and where they stand in the script.
void begin_launch(profile::Scope& scope, const Kernel& kernel, size_t lists) {
  std::vector<Span> origins;
  std::string nodes;
  for (const KernelOrigin& origin : kernel.origins) {
    nodes += (nodes.empty() ? "%" : " %") + origin.node;
    origins.insert(origins.end(), origin.spans.begin(), origin.spans.end());
  }
  scope.begin("kernel", kernel.name, std::move(origins));
  scope.add("nodes", std::move(nodes));
  if (lists > 1) scope.add("lists", std::to_string(lists));
}

void begin_step(profile::Scope& scope, const Schedule& schedule, const Step& step) {
  if (const auto* launch = std::get_if<Launch>(&step.kind))
    return begin_launch(scope, schedule.kernels[launch->kernel], schedule.list_count(*launch));
  const auto& call = std::get<LibraryCall>(step.kind);
  scope.begin("library call", std::string(call.target.text()), call.spans);
  scope.add("nodes", "%" + call.node);
}

/// Of what the parts of a launch end with, a fault wins over a check that failed.
void note_status(int32_t& failed, int32_t status) {
  int32_t known = __atomic_load_n(&failed, __ATOMIC_RELAXED);
  while (status != 0 && (known == 0 || status == kEndedByFault) &&
         !__atomic_compare_exchange_n(&failed, &known, status, false, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED)) {
  }
}

}  // namespace

ScheduleRunner::ScheduleRunner(const Schedule& schedule, std::vector<RunnableKernel> kernels,
                               Keeper keeper, Device device)
    : schedule_(schedule),
      kernels_(std::move(kernels)),
      keeper_(std::move(keeper)),
      device_(device),
      output_owner_(schedule.slots.size(), ~0u),
      pointers_(schedule.tensors.size()),
      made_(schedule.slots.size()) {
  size_t most = 0;
  for (const Step& step : schedule_.steps) {
    if (const auto* launch = std::get_if<Launch>(&step.kind)) {
      most = std::max(most, launch->arguments.size());
    }
  }
  parameters_.resize(most);
  for (size_t i = 0; i < pointers_.size(); ++i) {
    const ScheduleTensor& tensor = schedule_.tensors[i];
    if (tensor.role == Role::kConstant) pointers_[i] = const_cast<std::byte*>(tensor.data.data());
  }
  for (const Step& step : schedule_.steps) {
    const auto* call = std::get_if<LibraryCall>(&step.kind);
    library_calls_.push_back(call ? std::make_unique<PreparedLibraryCall>(schedule_, *call)
                                  : nullptr);
  }
  if (!device_.is_cpu()) move_constants();
  find_outputs();
  find_shape_symbols();
}

void ScheduleRunner::move_constants() {
  for (size_t i = 0; i < pointers_.size(); ++i) {
    const ScheduleTensor& tensor = schedule_.tensors[i];
    if (tensor.role != Role::kConstant || tensor.data.empty()) continue;
    const Dims count{static_cast<int64_t>(tensor.data.size() / dtype_size(tensor.type.dtype))};
    Tensor& moved = moved_constants_[i];
    moved = Tensor::empty(count, tensor.type.dtype, device_);
    upload_bytes(moved, tensor.data.data());
    pointers_[i] = moved.raw_data();
  }
}

void ScheduleRunner::find_shape_symbols() {
  auto add = [&](SymInt size) {
    for (const uint32_t symbol : size.symbols()) shape_symbols_.push_back(symbol);
  };
  for (const auto& slot : schedule_.slots) add(slot.bytes);
  for (const ScheduleTensor& tensor : schedule_.tensors) {
    add(tensor.offset);
    for (const SymInt size : tensor.type.sizes) add(size);
    for (const SymInt stride : tensor.type.strides) add(stride);
  }
  for (const Step& step : schedule_.steps) {
    const auto* launch = std::get_if<Launch>(&step.kind);
    if (launch == nullptr) continue;
    for (const SymInt length : launch->lengths) add(length);
  }
  for (const RunnableKernel& kernel : kernels_) {
    add(kernel.scratch_bytes);
    add(kernel.work);
    if (kernel.thread_extent) add(*kernel.thread_extent);
  }
  std::ranges::sort(shape_symbols_);
  const auto repeated = std::ranges::unique(shape_symbols_);
  shape_symbols_.erase(repeated.begin(), repeated.end());
  used_symbols_ = shape_symbols_;
  for (const RunnableKernel& kernel : kernels_)
    for (const SymInt size : kernel.size_expressions)
      for (const uint32_t symbol : size.symbols()) used_symbols_.push_back(symbol);
  calls_libraries_ = std::ranges::any_of(schedule_.steps, [](const Step& step) {
    return std::holds_alternative<LibraryCall>(step.kind);
  });
}

/// An output slot is made as the tensor that leaves in it, or whose view leaves.
void ScheduleRunner::find_outputs() {
  // A schedule with library calls hands any of its tensors to them; else only what leaves is made.
  const bool calls_libraries = std::ranges::any_of(schedule_.steps, [](const Step& step) {
    return std::holds_alternative<LibraryCall>(step.kind);
  });
  needs_shape_.assign(schedule_.tensors.size(), calls_libraries);
  for (const TensorId output : schedule_.outputs) {
    TensorId id = output;
    needs_shape_[index(id)] = true;
    while (schedule_[id].role == Role::kView) {
      id = schedule_[id].base;
      needs_shape_[index(id)] = true;
    }
    outputs_are_made_ = outputs_are_made_ && id == output && schedule_[id].role == Role::kSlot;
    if (schedule_[id].role != Role::kSlot) continue;
    uint32_t& owner = output_owner_[schedule_[id].slot];
    if (owner == ~0u) {
      slot_outputs_.push_back(id);
    } else {
      outputs_are_made_ = false;
    }
    owner = static_cast<uint32_t>(index(id));
  }
}

void ScheduleRunner::select_plan(std::span<const int64_t> symbols) {
  auto same = [&](const Plan& plan, const std::vector<uint32_t>& which) {
    return std::ranges::all_of(
        which, [&](uint32_t symbol) { return plan.symbols[symbol] == symbols[symbol]; });
  };
  bool fits_still = plan_ && (calls_libraries_ ? std::ranges::equal(plan_->symbols, symbols)
                                               : same(*plan_, used_symbols_));
  if (fits_still) [[likely]]
    return;
  auto fits = [&](const auto& plan) { return same(*plan, shape_symbols_); };
  if (auto plan = std::ranges::find_if(plans_, fits); plan != plans_.end()) {
    plan_ = plan->get();
    refresh(*plan_, symbols);
    return;
  }
  if (plans_.size() < kMostPlans) {
    plans_.push_back(std::make_unique<Plan>());
    plan_ = plans_.back().get();
  } else {
    plan_ = plans_[oldest_plan_].get();
    oldest_plan_ = (oldest_plan_ + 1) % kMostPlans;
  }
  fill(*plan_, symbols);
}

void ScheduleRunner::refresh(Plan& plan, std::span<const int64_t> symbols) const {
  plan.symbols.assign(symbols.begin(), symbols.end());
  plan.sizes.clear();
  for (const Step& step : schedule_.steps) {
    const auto* launch = std::get_if<Launch>(&step.kind);
    if (launch == nullptr) continue;
    for (const SymInt size : kernels_[launch->kernel].size_expressions)
      plan.sizes.push_back(size.evaluate(symbols));
  }
}

void ScheduleRunner::fill(Plan& plan, std::span<const int64_t> symbols) const {
  plan.symbols.assign(symbols.begin(), symbols.end());
  plan.sizes.clear();
  plan.launches.clear();
  plan.lists.clear();
  plan.tensors.assign(schedule_.tensors.size(), {});
  plan.workspace_bytes = 0;
  std::vector<size_t> slot_offsets(schedule_.slots.size());
  for (size_t i = 0; i < schedule_.slots.size(); ++i) {
    if (schedule_.slots[i].output) continue;
    slot_offsets[i] = plan.workspace_bytes;
    const auto bytes = static_cast<size_t>(schedule_.slots[i].bytes.evaluate(symbols));
    plan.workspace_bytes += (bytes + 63) / 64 * 64;
  }
  for (size_t i = 0; i < plan.tensors.size(); ++i) {
    const ScheduleTensor& tensor = schedule_.tensors[i];
    PlannedTensor& planned = plan.tensors[i];
    planned.view_offset =
        tensor.offset.evaluate(symbols) * static_cast<int64_t>(dtype_size(tensor.type.dtype));
    if (tensor.role == Role::kSlot) planned.workspace_offset = slot_offsets[tensor.slot];
    if (!needs_shape_[i]) continue;
    for (const SymInt size : tensor.type.sizes) planned.sizes.push_back(size.evaluate(symbols));
    for (const SymInt stride : tensor.type.full_strides())
      planned.strides.push_back(stride.evaluate(symbols));
  }
  for (const Step& step : schedule_.steps) {
    const auto* launch = std::get_if<Launch>(&step.kind);
    plan.launches.push_back(launch ? plan_launch(*launch, plan) : PlannedLaunch());
  }
}

ScheduleRunner::PlannedLaunch ScheduleRunner::plan_launch(const Launch& launch, Plan& plan) const {
  const RunnableKernel& kernel = kernels_[launch.kernel];
  PlannedLaunch planned{.kernel = launch.kernel,
                        .lists = static_cast<uint32_t>(schedule_.list_count(launch)),
                        .first_list = plan.lists.size(),
                        .first_size = plan.sizes.size()};
  for (const SymInt size : kernel.size_expressions)
    plan.sizes.push_back(size.evaluate(plan.symbols));
  planned.scratch_bytes = static_cast<size_t>(kernel.scratch_bytes.evaluate(plan.symbols));
  if (!kernel.thread_extent) {
    plan.lists.resize(plan.lists.size() + planned.lists);
    return planned;
  }
  const int64_t extent = kernel.thread_extent->evaluate(plan.symbols);
  const int64_t work = kernel.work.evaluate(plan.symbols);
  int64_t total = 0;
  for (size_t i = 0; i < planned.lists; ++i) {
    const int64_t length =
        launch.lengths.empty() ? extent : launch.lengths[i].evaluate(plan.symbols);
    const int64_t part = length == extent ? work : length * (work / extent);
    plan.lists.push_back(plan_list(length, part, kernel.stretch));
    planned.splits = planned.splits || plan.lists.back().grain != 0;
    total += part;
  }
  if (!planned.splits && planned.lists > 1 && total >= 2 * kWorkOfAThread)
    planned.lists_grain = std::max<int64_t>(1, planned.lists * kWorkOfAThread / total);
  return planned;
}

ScheduleRunner::PlannedList ScheduleRunner::plan_list(int64_t extent, int64_t work,
                                                      int64_t stretch) {
  PlannedList planned{.extent = extent};
  if (work < 2 * kWorkOfAThread || extent <= 1) return planned;
  planned.grain = std::max<int64_t>(1, extent * kWorkOfAThread / work);
  const int64_t multiple =
      extent >= 4 * kGrainMultiple ? std::max(stretch, kGrainMultiple) : stretch;
  planned.grain = (planned.grain + multiple - 1) / multiple * multiple;
  if (planned.grain >= extent) planned.grain = 0;
  return planned;
}

RunStatus ScheduleRunner::run(std::span<const RunInput> inputs, std::span<const int64_t> symbols,
                              std::vector<Tensor>& outputs) {
  select_plan(symbols);
  taken_.clear();  // what a run that failed left
  make_outputs(inputs);
  const bool near = device_.is_cpu();
  const Workspace workspace(near ? plan_->workspace_bytes : 0);
  Ref<Storage> far;
  if (!near && plan_->workspace_bytes > 0) far = Storage::allocate(plan_->workspace_bytes, device_);
  fill_pointers(inputs, far ? far->data() : workspace.data());
  for (size_t i = 0; i < schedule_.steps.size(); ++i) {
    const Step& step = schedule_.steps[i];
    if (recovery::enabled() && interruption::requested()) [[unlikely]]
      throw interruption::Interrupted();
    profile::Scope scope;
    if (profile::recording()) [[unlikely]]
      begin_step(scope, schedule_, step);
    const auto* launched = std::get_if<Launch>(&step.kind);
    RunStatus status = launched == nullptr ? call_library(*library_calls_[i], inputs)
                       : near              ? launch(*launched, plan_->launches[i])
                                           : launch_far(*launched, plan_->launches[i]);
    if (status) [[unlikely]]
      return status;
  }
  give_outputs(inputs, outputs);
  taken_.clear();
  return std::nullopt;
}

void ScheduleRunner::make_outputs(std::span<const RunInput> inputs) {
  for (const TensorId id : slot_outputs_) {
    const ScheduleTensor& tensor = schedule_[id];
    if (const auto input = schedule_.slots[tensor.slot].input) {
      made_[tensor.slot] = Tensor(Ref<TensorImpl>(inputs[index(*input)].tensor));
      continue;
    }
    const PlannedTensor& planned = plan_->tensors[index(id)];
    made_[tensor.slot] =
        tensor.type.strides.empty()
            ? Tensor::empty(planned.sizes, tensor.type.dtype, device_)
            : Tensor::empty_strided(planned.sizes, planned.strides, tensor.type.dtype, device_);
  }
}

void ScheduleRunner::give_outputs(std::span<const RunInput> inputs, std::vector<Tensor>& outputs) {
  outputs.clear();
  if (outputs_are_made_) [[likely]] {
    for (const TensorId id : schedule_.outputs)
      outputs.push_back(std::move(made_[schedule_[id].slot]));
    return;
  }
  for (const TensorId id : schedule_.outputs) outputs.push_back(output_tensor(id, inputs));
  for (const TensorId id : slot_outputs_) made_[schedule_[id].slot] = Tensor();
  constants_.clear();
}

void ScheduleRunner::fill_pointers(std::span<const RunInput> inputs, std::byte* workspace) {
  for (size_t i = 0; i < pointers_.size(); ++i) {
    const ScheduleTensor& tensor = schedule_.tensors[i];
    switch (tensor.role) {
      case Role::kInput:
        pointers_[i] =
            inputs[i].tensor != nullptr
                ? inputs[i].tensor->data
                : const_cast<std::byte*>(static_cast<const std::byte*>(inputs[i].number));
        break;
      case Role::kConstant:  // always the same
        break;
      case Role::kSlot:
        pointers_[i] = output_owner_[tensor.slot] != ~0u
                           ? made_[tensor.slot].raw_data()
                           : workspace + plan_->tensors[i].workspace_offset;
        break;
      case Role::kView:
        pointers_[i] = pointers_[index(tensor.base)] + plan_->tensors[i].view_offset;
        break;
    }
  }
}

RunStatus ScheduleRunner::launch(const Launch& step, const PlannedLaunch& planned) {
  const RunnableKernel& kernel = kernels_[planned.kernel];
  for (size_t k = 0; k < step.arguments.size(); ++k) {
    parameters_[k] = pointers_[index(step.arguments[k])];
  }
  const size_t parameters = step.arguments.size() / planned.lists;
  int32_t failed = 0;
  if ((planned.lists_grain == 0 && !planned.splits) || num_threads() == 1) [[likely]] {
    const int64_t* sizes = plan_->sizes.data() + planned.first_size;
    const PlannedList* lists = plan_->lists.data() + planned.first_list;
    const Workspace scratch(planned.scratch_bytes);
    for (size_t i = 0; i < planned.lists && failed == 0; ++i) {
      failed = call(kernel, scratch.data(), parameters_.data() + i * parameters, sizes, 0,
                    lists[i].extent);
    }
  } else {
    failed = launch_on_threads(planned, parameters);
  }
  if (failed == 0) [[likely]]
    return std::nullopt;
  if (failed == kEndedByFault) report_fault(planned);
  const auto& statement = schedule_.kernels[planned.kernel].statements[size_t(failed) - 1];
  const auto* check = statement.get_if<Check>();
  if (check == nullptr) return "an access is out of its tensor's bounds";
  return check->message;
}

RunStatus ScheduleRunner::launch_far(const Launch& step, const PlannedLaunch& planned) {
  try {
    return launch(step, planned);
  } catch (const ops::OpError& error) {
    auto failed = ops::failed_device_check(error);
    if (!failed) throw;
    failed_check_ = std::move(*failed);
    return failed_check_;
  }
}

void ScheduleRunner::report_fault(const PlannedLaunch& planned) const {
  const recovery::Fault fault = last_fault();
  if (fault.signal == SIGINT) throw interruption::Interrupted();
  throw KernelCrash(fmt::format(
      "the kernel `{}` crashed ({}): a fault of Glint's own; what it was to write is void",
      schedule_.kernels[planned.kernel].name, recovery::text_of(fault)));
}

/// Splits the lists that are long, or shares out short ones that are many.
int32_t ScheduleRunner::launch_on_threads(const PlannedLaunch& planned, size_t parameters) {
  const RunnableKernel& kernel = kernels_[planned.kernel];
  const int64_t* sizes = plan_->sizes.data() + planned.first_size;
  const PlannedList* lists = plan_->lists.data() + planned.first_list;
  int32_t failed = 0;
  auto run = [&](int64_t list, int64_t begin, int64_t end) {
    profile::Scope scope;
    if (profile::recording()) [[unlikely]] {
      const Kernel& part = schedule_.kernels[planned.kernel];
      scope.begin("kernel", part.name + " (part)");
      scope.add(part.whole_loop() ? "iterations" : "shares", fmt::format("{} to {}", begin, end));
    }
    const Workspace scratch(planned.scratch_bytes);
    std::byte* const* arguments = parameters_.data() + static_cast<size_t>(list) * parameters;
    const int32_t status = call(kernel, scratch.data(), arguments, sizes, begin, end);
    note_status(failed, status);
  };
  if (planned.lists_grain != 0) {
    parallel_for(0, planned.lists, planned.lists_grain, [&](int64_t begin, int64_t end) {
      for (int64_t list = begin; list < end; ++list) run(list, 0, lists[list].extent);
    });
    return failed;
  }
  for (int64_t list = 0; list < planned.lists && failed == 0; ++list) {
    if (lists[list].grain == 0) {
      run(list, 0, lists[list].extent);
    } else {
      const int64_t extent = lists[list].extent;
      const int64_t unit = kernel.stretch;
      parallel_for(0, (extent + unit - 1) / unit, lists[list].grain / unit,
                   [&](int64_t begin, int64_t end) {
                     run(list, begin * unit, std::min(end * unit, extent));
                   });
    }
  }
  return failed;
}

Tensor ScheduleRunner::output_tensor(TensorId id, std::span<const RunInput> inputs) {
  const ScheduleTensor& tensor = schedule_[id];
  switch (tensor.role) {
    case Role::kInput: {
      const RunInput& input = inputs[index(id)];
      return input.tensor != nullptr ? Tensor(Ref<TensorImpl>(input.tensor)) : wrap(id);
    }
    case Role::kConstant: {
      Tensor& copy = constants_[index(id)];
      if (copy.defined()) return copy;
      copy = Tensor::empty(plan_->tensors[index(id)].sizes, tensor.type.dtype, device_);
      if (device_.is_cpu())
        std::ranges::copy(tensor.data, static_cast<std::byte*>(copy.raw_data()));  // may be empty
      else if (copy.numel() > 0)
        glint::copy(
            copy, Tensor::view_of(moved_constants_.at(index(id)), copy.sizes(), copy.strides(), 0));
      return copy;
    }
    case Role::kSlot:
      if (output_owner_[tensor.slot] == index(id)) return made_[tensor.slot];
      return Tensor::view_of(made_[tensor.slot], plan_->tensors[index(id)].sizes,
                             plan_->tensors[index(id)].strides, 0);
    case Role::kView: {
      const Tensor base = output_tensor(tensor.base, inputs);
      const auto element = static_cast<int64_t>(dtype_size(tensor.type.dtype));
      const PlannedTensor& planned = plan_->tensors[index(id)];
      return Tensor::view_of(base, planned.sizes, planned.strides,
                             base.offset() + planned.view_offset / element);
    }
  }
  fail("every tensor has a role");
}

}  // namespace glint
