#include "ir/call_types.h"

#include <set>

#include "ir/argument_text.h"

namespace glint {
namespace {

/// Of dimensions that are spread one element.
SymInt bytes_in_memory(const TensorType& type) {
  SymInt count = static_cast<int64_t>(dtype_size(type.dtype));
  for (size_t dim = 0; dim < type.rank(); ++dim)
    if (!type.is_spread(dim)) count *= type.sizes[dim];
  return count;
}

}  // namespace

std::string call_text(const Schedule& schedule, const LibraryCall& call) {
  const auto type_text = [&](TensorId id) { return schedule[id].type.text(); };
  std::string text = call.target.text() + arguments_text(call.arguments, type_text) + " ->";
  for (const TensorId output : call.outputs) text += " " + type_text(output);
  return text;
}

Traffic traffic(const Schedule& schedule, const LibraryCall& call) {
  Traffic total{0, 0};
  std::set<TensorId> read;
  for (const ScheduleNamedArgument& each : call.arguments)
    for_each_value(each.value, [&](TensorId id) {
      if (read.insert(id).second) total.read += bytes_in_memory(schedule[id].type);
    });
  for (const TensorId id : call.outputs) total.written += bytes_in_memory(schedule[id].type);
  return total;
}

}  // namespace glint
