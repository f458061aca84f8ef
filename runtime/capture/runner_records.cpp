// What the runner keeps for who looks at it: which region belongs to a name, and what it ran on
// last.
//
//     f(x)              the region of `f` keeps x, its sizes and the state of the random numbers
//     :diverge f        runs every stage of that region on them again
#include "runtime/capture/runner.h"

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
  auto fits = [&](const Region& region) {
    std::string_view name = region.function;
    if (!region.graph || !name.ends_with(function)) return false;
    return function.empty() || name.size() == function.size() ||
           name[name.size() - function.size() - 1] == '.';
  };
  if (last_region_ && fits(*last_region_)) return last_region_;
  const Region* newest = nullptr;
  for (const Ref<CompileRecord>& record : records_) {
    for (const auto& [at, point] : record->entry_points) {
      for (const auto& region : point.regions)
        if (fits(*region)) newest = region.get();
    }
  }
  return newest;
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
