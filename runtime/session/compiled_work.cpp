#include "runtime/session/compiled_work.h"

#include <algorithm>
#include <numeric>

#include "ir/call_types.h"
#include "ir/kernel_work.h"
#include "ops/op.h"

namespace glint {
namespace {

double& time_of(CompiledWork& work, std::string_view name) {
  auto found = std::ranges::find(work.times, name, &std::pair<std::string, double>::first);
  if (found != work.times.end()) return found->second;
  return work.times.emplace_back(name, 0.0).second;
}

/// Whether a part of a step is shown as a step: the rest of the passes is not.
bool stands_alone(std::string_view name) {
  return name == "lower" || name == "emit" || name == "llvm" || name == "link";
}

/// What stands alone is taken out of the step that it is a part of.
void add_times(CompiledWork& work, const capture::Region& region) {
  std::string step;
  for (const capture::StageTime& time : region.trail.times) {
    if (!time.part) step = time.name;
    if (time.part && (!stands_alone(time.name) || time.milliseconds == 0.0)) continue;
    time_of(work, time.name) += time.milliseconds;
    if (time.part) time_of(work, step) -= time.milliseconds;
  }
}

void add_launch(CompiledWork& work, const Schedule& schedule, const Launch& launch,
                std::span<const int64_t> symbols, int64_t times) {
  const Kernel& kernel = schedule.kernels[launch.kernel];
  for (size_t i = 0; i < schedule.list_count(launch); ++i) {
    const bool is_short = !launch.lengths.empty();
    const Traffic moved = is_short ? traffic(kernel, launch.lengths[i]) : traffic(kernel);
    const SymInt computed = is_short ? operations(kernel, launch.lengths[i]) : operations(kernel);
    work.moved += times * (moved.read + moved.written).evaluate(symbols);
    work.operations += times * computed.evaluate(symbols);
  }
}

/// The call's arguments in the order of the signature, tensors by their types.
std::vector<ops::InferArgument> typed_arguments(const Schedule& schedule, const LibraryCall& call,
                                                const ops::OpEntry& entry) {
  const ops::Signature& signature = ops::signature(entry);
  std::vector<ops::InferArgument> arguments(signature.parameters.size());
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    const ScheduleNamedArgument& given = call.arguments[i];
    const auto place =
        given.name.empty() ? std::optional<size_t>(i) : signature.find(given.name.text());
    const auto* id = given.value.get_if<TensorId>();
    if (id && place && *place < arguments.size()) arguments[*place] = schedule[*id].type;
  }
  return arguments;
}

void add_call(CompiledWork& work, const Schedule& schedule, const LibraryCall& call,
              std::span<const int64_t> symbols, int64_t times) {
  const Traffic moved = traffic(schedule, call);
  work.moved += times * (moved.read + moved.written).evaluate(symbols);
  const ops::OpEntry* entry = ops::find_op(call.target.text());
  const auto* library = entry ? entry->lowers_to<ops::Library>() : nullptr;
  if (!library || !library->operations) {
    ++work.uncounted;
    return;
  }
  const auto arguments = typed_arguments(schedule, call, *entry);
  const SymInt computed = library->operations(arguments, schedule[call.outputs[0]].type);
  work.operations += times * computed.evaluate(symbols);
}

void add_schedule(CompiledWork& work, const Schedule& schedule, std::span<const int64_t> symbols,
                  int64_t times) {
  for (const Step& step : schedule.steps) {
    if (const auto* launch = std::get_if<Launch>(&step.kind)) {
      work.launches += static_cast<size_t>(times);
      add_launch(work, schedule, *launch, symbols, times);
    } else {
      work.library_calls += static_cast<size_t>(times);
      add_call(work, schedule, std::get<LibraryCall>(step.kind), symbols, times);
    }
  }
  int64_t bytes = 0;
  for (const Slot& slot : schedule.slots)
    if (!slot.input) bytes += slot.bytes.evaluate(symbols);
  work.workspace = std::max(work.workspace, bytes);
}

void add_region(CompiledWork& work, const capture::Region& region, uint64_t times) {
  ++work.regions;
  add_times(work, region);
  if (!region.trail.passes) return;
  const auto& passes = region.trail.passes->passes;
  if (!passes.empty() && passes.back().schedule)
    add_schedule(work, *passes.back().schedule, region.symbols, static_cast<int64_t>(times));
}

}  // namespace

double CompiledWork::milliseconds() const {
  return std::accumulate(times.begin(), times.end(), 0.0,
                         [](double sum, const auto& step) { return sum + step.second; });
}

Runs runs_of(const capture::CompileRecord& record) {
  Runs runs;
  for (const auto& [at, point] : record.entry_points)
    for (const auto& region : point.regions) runs[region.get()] = *region->hits;
  return runs;
}

CompiledWork work_since(const Runs& before, const capture::CompileRecord& record) {
  CompiledWork work;
  auto times_of = [&](const auto& region) {
    auto found = before.find(region.get());
    return *region->hits - (found == before.end() ? 0 : found->second);
  };
  bool ran = false;
  for (const auto& [at, point] : record.entry_points) {
    bool here = std::ranges::any_of(point.regions, times_of);
    ran |= here;
    for (const auto& region : point.regions)
      if (times_of(region) > 0 && region->executable) add_region(work, *region, times_of(region));
    if (point.ended_by && (here || point.regions.empty())) ++work.breaks[*point.ended_by];
  }
  for (const auto& [at, point] : record.entry_points) {
    if (ran || point.regions.empty()) continue;
    if (point.regions.back()->executable) add_region(work, *point.regions.back(), 1);
    if (point.ended_by) ++work.breaks[*point.ended_by];
  }
  return work;
}

}  // namespace glint
