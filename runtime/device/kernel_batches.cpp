#include "runtime/device/kernel_batches.h"

#include <algorithm>
#include <map>
#include <set>

#include "backends/cuda/codegen/row_classes.h"
#include "backends/cuda/compile/compile_cuda.h"
#include "ops/families.h"
#include "runtime/device/operator_schedule.h"

namespace glint::device {
namespace {

/// Kernels of loops alone: one launch each, whatever the values.
bool is_simple(const ops::OpEntry& entry) {
  return entry.lowers_to<ops::Pointwise>() != nullptr && !entry.any_device &&
         !entry.effects.random && !entry.effects.synchronises;
}

constexpr std::string_view kReductions[] = {"sum", "mean",   "prod",   "amax", "amin", "any",
                                            "all", "argmax", "argmin", "var",  "std"};

bool is_reduction(const ops::OpEntry& entry) {
  return std::ranges::find(kReductions, entry.name) != std::end(kReductions);
}

/// Operators that are built together.
struct Group {
  std::string_view name;
  std::vector<const ops::OpEntry*> operators = {};
};

std::optional<Group> group_of(const ops::OpEntry& entry) {
  if (is_reduction(entry)) {
    Group group{"reductions"};
    for (const std::string_view name : kReductions) group.operators.push_back(ops::find_op(name));
    return group;
  }
  if (!is_simple(entry)) return std::nullopt;
  for (const ops::Family& family : ops::kFamilies) {
    const auto entries = family.entries();
    if (std::ranges::find(entries, entry.name, &ops::OpEntry::name) == entries.end()) continue;
    Group group{family.name};
    for (const ops::OpEntry& each : entries)
      if (is_simple(each)) group.operators.push_back(ops::find_op(each.name));
    return group;
  }
  return std::nullopt;
}

size_t required_count(const ops::OpEntry& entry) {
  size_t count = 0;
  for (const ops::Parameter& parameter : ops::signature(entry).parameters)
    count += parameter.required;
  return count;
}

/// Dimensions as another operator takes them: one number, or a list of them.
ops::Argument dims_for(const ops::Parameter& parameter, const ops::Argument& given) {
  const bool takes_list = parameter.types & ops::kTakesSize;
  if (takes_list || !given.is_list()) return given;
  return given.list().size() == 1 ? given.list()[0] : parameter.default_value;
}

/// The same operands for another operator, of reductions the same dimensions; all else as it is by
/// default.
std::vector<ops::Argument> arguments_for(const ops::OpEntry& other, const ops::OpEntry& entry,
                                         ops::Arguments given) {
  std::vector<ops::Argument> arguments;
  const bool reduces = is_reduction(entry);
  for (const ops::Parameter& parameter : ops::signature(other).parameters) {
    const auto same = ops::signature(entry).find(parameter.name);
    if (parameter.required)
      arguments.push_back(given[arguments.size()]);
    else if (reduces && same && parameter.name == "dim" && !given[*same].is_none())
      arguments.push_back(dims_for(parameter, given[*same]));
    else if (reduces && same && parameter.name == "keepdim")
      arguments.push_back(given[*same]);
    else
      arguments.push_back(parameter.default_value);
  }
  return arguments;
}

/// What a reduction shares with others: the tensor's kind, and its dimensions.
std::string dims_key(const ops::OpEntry& entry, ops::Arguments given) {
  const ops::OpEntry& sum = *ops::find_op("sum");
  const std::vector<ops::Argument> arguments = arguments_for(sum, entry, given);
  return std::string(AbstractCall(sum, arguments).kind());
}

/// The schedules of a group's operators for such arguments; of those that take them.
std::vector<Schedule> schedules_of(const Group& group, const ops::OpEntry& entry,
                                   ops::Arguments given) {
  std::vector<Schedule> schedules;
  for (const ops::OpEntry* other : group.operators) {
    if (required_count(*other) != required_count(entry)) continue;
    try {
      const std::vector<ops::Argument> arguments = arguments_for(*other, entry, given);
      OperatorSchedule made = operator_schedule(*other, AbstractCall(*other, arguments));
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
  const std::optional<Group> group = group_of(entry);
  if (!group) return;
  // What follows the input differs between reductions: dimensions, and what is theirs alone.
  std::string key(group->name);
  key += is_reduction(entry) ? dims_key(entry, arguments) : std::string(call.kind());
  auto& operators = asked_for[key];
  if (!operators.insert(&entry).second || operators.size() != 2) return;
  const std::vector<Schedule> schedules = schedules_of(*group, entry, arguments);
  cuda::KernelCuts cuts;
  for (const Schedule& schedule : schedules)
    for (const Kernel& kernel : schedule.kernels) cuts.add(kernel, cuda::row_classes(kernel));
  // Where they do not compile, the one that is at fault will say so when it is asked for.
  (void)cuda::compile_cuda(cuts.kernels, {.for_launch = true, .shapes = cuts.shapes});
}

}  // namespace glint::device
