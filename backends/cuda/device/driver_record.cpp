#include "backends/cuda/device/driver_record.h"

#include "backends/cuda/device/driver_entry.h"

namespace glint::cuda {
namespace {

CuKernelNode node_of(const PendingLaunch& pending, std::vector<void*>& arguments) {
  const auto& [grid, block] = std::pair(pending.launch.grid, pending.launch.block);
  return {static_cast<const DriverEntry&>(*pending.entry).function,
          {grid[0], grid[1], grid[2]},
          {block[0], block[1], block[2]},
          pending.launch.dynamic_shared,
          arguments.data(),
          nullptr};
}

}  // namespace

DriverRecord::~DriverRecord() {
  if (executable_ != nullptr) f_.destroy_executable(executable_);
  if (graph_ != nullptr) f_.destroy_graph(graph_);
}

std::optional<Error> DriverRecord::make(const std::vector<PendingLaunch>& launches) {
  CuResult result = f_.make_graph(&graph_, 0);
  for (size_t i = 0; i < launches.size() && result == driver::kSuccess; ++i) {
    std::vector<void*> arguments = argument_places(launches[i].launch);
    const CuKernelNode kernel = node_of(launches[i], arguments);
    const auto& entry = static_cast<const DriverEntry&>(*launches[i].entry);
    result = allow_shared(f_, entry, launches[i].launch.dynamic_shared);
    if (result != driver::kSuccess) break;
    const CuGraphNode* before = nodes_.empty() ? nullptr : &nodes_.back();
    CuGraphNode made = nullptr;
    result = f_.add_kernel(&made, graph_, before, nodes_.empty() ? 0 : 1, &kernel);
    nodes_.push_back(made);
  }
  if (result == driver::kSuccess) result = f_.instantiate(&executable_, graph_, 0);
  return f_.outcome(result);
}

std::optional<Error> DriverRecord::change(size_t which, const PendingLaunch& launch) {
  std::vector<void*> arguments = argument_places(launch.launch);
  const CuKernelNode kernel = node_of(launch, arguments);
  const auto& entry = static_cast<const DriverEntry&>(*launch.entry);
  if (auto fault = f_.outcome(allow_shared(f_, entry, launch.launch.dynamic_shared))) return fault;
  return f_.outcome(f_.change_kernel(executable_, nodes_[which], &kernel));
}

std::optional<Error> DriverRecord::replay() {
  return f_.outcome(f_.launch_graph(executable_, stream_));
}

}  // namespace glint::cuda
