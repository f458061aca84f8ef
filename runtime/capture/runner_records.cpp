// What the runner keeps for who looks at it: which region belongs to a name, and what it ran on
// last.
//
//     f(x)              the region of `f` keeps x, its sizes and the state of the random numbers
//     :diverge f        runs every stage of that region on them again
#include "runtime/capture/runner.h"

#include <algorithm>
#include <map>

#include "runtime/capture/callee.h"

namespace glint::capture {

using runtime::FunctionObject;
using runtime::Value;

std::string Runner::name_of(const CompileRecord& record) {
  Value function = callee_of(interpreter_, record.callable).function;
  if (function.is_undefined()) interpreter_.take_pending();
  if (auto* known = function.try_as<FunctionObject>()) return known->code->qualified_name;
  return actual(record.callable);
}

const Region* Runner::region_of(std::string_view function) const {
  bool last_fits =
      last_region_ && last_region_->graph && is_named(last_region_->function, function);
  if (last_fits) return last_region_;
  std::vector<const Region*> all = regions_of(function);
  return all.empty() ? nullptr : all.back();
}

std::vector<const Region*> Runner::regions_of(std::string_view function) const {
  std::vector<const Region*> found;
  for (const Ref<CompileRecord>& record : records_) {
    for (const auto& [at, point] : record->entry_points) {
      for (const auto& region : point.regions)
        if (region->graph && is_named(region->function, function)) found.push_back(region.get());
    }
  }
  std::ranges::sort(found, {}, &Region::compile);
  // A function that was defined anew, in another entry at the REPL, is another function.
  std::map<std::string_view, glint::SourceId> newest;
  for (const Region* region : found) newest[region->function] = region->definition.source;
  std::erase_if(found, [&](const Region* region) {
    return newest[region->function] != region->definition.source;
  });
  return found;
}

void Runner::keep_sample(CompileRecord& record, std::span<const Value> arguments) {
  constexpr size_t kMostSamples = 4;
  if (record.samples.size() >= kMostSamples) return;
  std::string types;
  for (const Value& argument : arguments) types += (types.empty() ? "" : ", ") + actual(argument);
  record.samples.try_emplace(types, arguments.begin(), arguments.end());
}

void Runner::keep_call(FunctionObject& function, std::span<const Value> arguments) {
  kept_call_.clear();
  kept_call_.emplace_back(Ref<FunctionObject>(&function));
  kept_call_.insert(kept_call_.end(), arguments.begin(), arguments.end());
}

void Runner::keep_run(Region& region, std::span<const RunInput> inputs,
                      std::span<const int64_t> symbols, const Generator& generator) {
  if (!region.last_run) region.last_run = std::make_unique<LastRun>();
  LastRun& run = *region.last_run;
  run.inputs.clear();
  for (const RunInput& input : inputs) run.inputs.emplace_back(Ref<TensorImpl>(input.tensor));
  run.symbols.assign(symbols.begin(), symbols.end());
  run.generator = generator;
  bool whole = region.entry_pc == 0 && region.returned_output && !kept_call_.empty() &&
               kept_call_[0].as<FunctionObject>()->code->qualified_name == region.function;
  run.call.clear();
  if (whole) run.call = kept_call_;
}

std::optional<KeptRun> Runner::kept_run(std::string_view function) const {
  const Region* region = region_of(function);
  if (!region || !region->last_run) return std::nullopt;
  KeptRun run{region->function, region->graph, region->trail.passes, *region->last_run, {}};
  if (!run.on.call.empty()) run.returned_output = region->returned_output;
  return run;
}

}  // namespace glint::capture
