// The memory plan as text: slots, who lives in them when, and what a call needs in all.
//
//     slot 0   32*s0 bytes   workspace   %a steps 0 to 1, %b steps 1 to 2
//     slot 1   4*s0 bytes    output      %sum from step 2
//     workspace 32*s0 bytes, outputs 4*s0 bytes; without sharing 68*s0 bytes
#include <algorithm>

#include <fmt/format.h>

#include "passes/render.h"

namespace glint::passes {

namespace {

struct Life {
  size_t first = ~size_t(0);
  size_t last = 0;
  bool leaves = false;
};

TensorId base_of(const Schedule& schedule, TensorId id) {
  while (schedule[id].role == ScheduleTensor::Role::kView) id = schedule[id].base;
  return id;
}

std::vector<Life> find_lives(const Schedule& schedule) {
  std::vector<Life> lives(schedule.tensors.size());
  auto touch = [&](TensorId id, size_t step) {
    Life& life = lives[index(base_of(schedule, id))];
    life.first = std::min(life.first, step);
    life.last = std::max(life.last, step);
  };
  for (size_t i = 0; i < schedule.steps.size(); ++i) {
    if (auto* launch = std::get_if<Launch>(&schedule.steps[i].kind)) {
      for (TensorId id : launch->arguments) touch(id, i);
      continue;
    }
    const auto& call = std::get<LibraryCall>(schedule.steps[i].kind);
    for (const ScheduleNamedArgument& argument : call.arguments)
      for_each_value(argument.value, [&](TensorId id) { touch(id, i); });
    for (TensorId id : call.outputs) touch(id, i);
  }
  for (TensorId id : schedule.outputs) lives[index(base_of(schedule, id))].leaves = true;
  return lives;
}

}  // namespace

std::vector<StageLine> memory_lines(const Schedule& schedule) {
  std::vector<Life> lives = find_lives(schedule);
  std::vector<StageLine> lines;
  size_t width = 0;
  for (const Slot& slot : schedule.slots) width = std::max(width, slot.bytes.text().size());
  SymInt outputs = 0, workspace = 0, unshared = 0;
  for (size_t i = 0; i < schedule.slots.size(); ++i) {
    const Slot& slot = schedule.slots[i];
    (slot.output ? outputs : workspace) += slot.bytes;
    std::string text = fmt::format("slot {:<2}  {:>{}} bytes   {:<9}", i, slot.bytes.text(), width,
                                   slot.output ? "output" : "workspace");
    std::string separator = "   ";
    for (size_t t = 0; t < schedule.tensors.size(); ++t) {
      const ScheduleTensor& tensor = schedule.tensors[t];
      if (tensor.role != ScheduleTensor::Role::kSlot || tensor.slot != i) continue;
      unshared += tensor.type.bytes();
      text += separator + "%" + tensor.name;
      text += lives[t].leaves ? fmt::format(" from step {}", lives[t].first)
                              : fmt::format(" steps {} to {}", lives[t].first, lives[t].last);
      separator = ", ";
    }
    lines.push_back({std::move(text), {}});
  }
  lines.push_back({fmt::format("workspace {} bytes, outputs {} bytes; without sharing {} bytes",
                               workspace.text(), outputs.text(), unshared.text()),
                   {}});
  return lines;
}

}  // namespace glint::passes
