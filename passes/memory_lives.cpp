#include "passes/memory_lives.h"

#include <algorithm>

namespace glint::passes {
namespace {

TensorId base_of(const Schedule& schedule, TensorId id) {
  while (schedule[id].role == ScheduleTensor::Role::kView) id = schedule[id].base;
  return id;
}

}  // namespace

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

}  // namespace glint::passes
