#include "runtime/device/kernel_batches.h"

#include <map>
#include <set>

#include "backends/cuda/compile_cuda.h"
#include "backends/cuda/device_memory.h"
#include "ops/families.h"
#include "runtime/device/operator_schedule.h"

namespace glint::device {
namespace {

/// Kernels of loops alone: one launch each, whatever the values.
bool is_simple(const ops::OpEntry& entry) {
  return entry.lowers_to<ops::Pointwise>() != nullptr && !entry.any_device &&
         !entry.effects.random && !entry.effects.synchronises;
}

const ops::Family* family_of(const ops::OpEntry& entry) {
  if (!is_simple(entry)) return nullptr;
  for (const ops::Family& family : ops::kFamilies)
    for (const ops::OpEntry& each : family.entries())
      if (each.name == entry.name) return &family;
  return nullptr;
}

size_t required_count(const ops::OpEntry& entry) {
  size_t count = 0;
  for (const ops::Parameter& parameter : ops::signature(entry).parameters)
    count += parameter.required;
  return count;
}

/// The same operands for another operator, all else as it is by default.
std::vector<ops::Argument> arguments_for(const ops::OpEntry& other, ops::Arguments given) {
  std::vector<ops::Argument> arguments;
  for (const ops::Parameter& parameter : ops::signature(other).parameters)
    arguments.push_back(parameter.required ? given[arguments.size()] : parameter.default_value);
  return arguments;
}

/// The schedules of a family's operators for such arguments; of those that take them.
std::vector<Schedule> schedules_of(const ops::Family& family, const ops::OpEntry& entry,
                                   ops::Arguments given) {
  std::vector<Schedule> schedules;
  for (const ops::OpEntry& each : family.entries()) {
    if (!is_simple(each) || required_count(each) != required_count(entry)) continue;
    try {
      const ops::OpEntry& other = *ops::find_op(each.name);
      const std::vector<ops::Argument> arguments = arguments_for(other, given);
      OperatorSchedule made = operator_schedule(other, AbstractCall(other, arguments), false);
      if (made.schedule) schedules.push_back(std::move(*made.schedule));
    } catch (const ops::OpError&) {
      // It takes other dtypes, or other sizes.
      continue;
    }
  }
  return schedules;
}

}  // namespace

void build_family(const ops::OpEntry& entry, ops::Arguments arguments, const AbstractCall& call) {
  static auto& asked_for = *new std::map<std::string, std::set<const ops::OpEntry*>>;
  const ops::Family* family = family_of(entry);
  if (family == nullptr) return;
  auto& operators = asked_for[std::string(family->name) + std::string(call.kind())];
  if (!operators.insert(&entry).second || operators.size() != 2) return;
  const std::vector<Schedule> schedules = schedules_of(*family, entry, arguments);
  std::vector<const Kernel*> kernels;
  for (const Schedule& schedule : schedules)
    for (const Kernel& kernel : schedule.kernels) kernels.push_back(&kernel);
  // Where they do not compile, the one that is at fault will say so when it is asked for.
  (void)cuda::compile_cuda(kernels, {.for_launch = true});
}

}  // namespace glint::device
