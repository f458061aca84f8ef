// What the runner keeps for who looks at it: which region belongs to a name, and what it ran on
// last.
//
//     f(x)              the region of `f` keeps x, its sizes and the state of the random numbers
//     :diverge f        runs every stage of that region on them again
#include "runtime/capture/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <limits>
#include <map>
#include <tuple>

#include "core/support/stage_log.h"
#include "core/tensor/copy.h"
#include "core/tensor/grad_mode.h"
#include "runtime/autograd/node.h"
#include "runtime/capture/callee.h"
#include "runtime/capture/executable.h"
#include "runtime/interpreter/torch_modules.h"
#include "runtime/interpreter/torch_values.h"

namespace glint::capture {

using runtime::CellObject;
using runtime::Frame;
using runtime::FunctionObject;
using runtime::Value;

std::string Runner::name_of(const CompileRecord& record) {
  Value function = callee_of(interpreter_, record.callable).function;
  if (function.is_undefined()) interpreter_.take_pending();
  if (auto* known = function.try_as<FunctionObject>()) return known->code->qualified_name;
  return actual(record.callable);
}

namespace {

bool has(const Whose& whose, const Region& region) {
  return region.graph && whose.has(region.function, region.definition, region.compile);
}

}  // namespace

const CompileRecord* Runner::compiled_for(uint32_t compile) const {
  auto found = compiled_for_.find(compile);
  return found == compiled_for_.end() ? nullptr : found->second;
}

bool Runner::may_be(const Whose& whose, const CompileRecord& record) const {
  bool is_others = false;
  for (const auto& [compile, owner] : compiled_for_) {
    if (owner != &record) continue;
    if (!whose.others.contains(compile)) return true;
    is_others = true;
  }
  return !is_others;
}

const Region* Runner::region_of(const Whose& whose) const {
  if (last_region_ && has(whose, *last_region_)) return last_region_;
  std::vector<const Region*> all = regions_of(whose);
  return all.empty() ? nullptr : all.back();
}

std::vector<const Region*> Runner::regions_of(const Whose& whose) const {
  std::vector<const Region*> found;
  for (const Ref<CompileRecord>& record : records_) {
    for (const auto& [at, point] : record->entry_points) {
      for (const auto& region : point.regions)
        if (has(whose, *region)) found.push_back(region.get());
    }
  }
  std::ranges::sort(found, {}, &Region::compile);
  // A function that was defined anew, in another entry at the REPL, is another function.
  if (whose.definition.known()) return found;
  std::map<std::string_view, glint::SourceId> newest;
  for (const Region* region : found) newest[region->function] = region->definition.source;
  std::erase_if(found, [&](const Region* region) {
    return newest[region->function] != region->definition.source;
  });
  return found;
}

void Runner::keep_sample(CompileRecord& record, std::span<const Value> arguments) {
  constexpr size_t kMostSamples = 24;
  std::string types;
  for (const Value& argument : arguments) types += (types.empty() ? "" : ", ") + actual(argument);
  if (record.samples.size() < kMostSamples)
    record.samples.try_emplace(types, arguments.begin(), arguments.end());
  else if (!record.samples.contains(types))
    record.samples_left_out.insert(types);
}

Beginning Runner::beginning_at(Frame& frame) const {
  Beginning begin{interpreter_.snapshot(&frame)[0], {}, grad_state(), {}};
  for (const Ref<CellObject>& cell : begin.frame.cells)
    begin.cell_values.push_back(cell ? cell->value : Value());
  return begin;
}

LastRun& Runner::last_run_of(Region& region) {
  if (!region.last_run) region.last_run = std::make_unique<LastRun>();
  return *region.last_run;
}

Beginning& Runner::new_beginning(Region& region) {
  Beginning& begin = last_run_of(region).begin;
  std::ranges::move(begin.frame.registers, std::back_inserter(dropped_));
  std::ranges::move(begin.cell_values, std::back_inserter(dropped_));
  for (Ref<CellObject>& cell : begin.frame.cells) dropped_.emplace_back(std::move(cell));
  if (begin.frame.function) dropped_.emplace_back(std::move(begin.frame.function));
  std::ranges::move(begin.objects, std::back_inserter(dropped_objects_));
  begin.objects.clear();
  return begin;
}

void Runner::let_go() {
  std::vector<Value> gone;
  gone.swap(dropped_);
  std::vector<SavedState> objects = std::move(dropped_objects_);
  dropped_objects_.clear();
  objects.clear();
  gone.clear();
  if (dropped_.empty()) gone.swap(dropped_);  // its memory is used again
}

void Runner::keep_beginning(Region& region, const EntryState& state) {
  Beginning& begin = new_beginning(region);
  runtime::FrameSnapshot& frame = begin.frame;
  frame.function = Ref<FunctionObject>(state.function);
  frame.registers.assign(state.registers.begin(), state.registers.end());
  // It has no cells of its own yet, only those of the closure, which are behind them.
  const std::vector<Ref<CellObject>>& closure = state.function->closure;
  size_t own = state.function->code->cells.size() - closure.size();
  frame.cells.assign(own, nullptr);
  frame.cells.insert(frame.cells.end(), closure.begin(), closure.end());
  begin.cell_values.assign(own, Value());
  for (const Ref<CellObject>& cell : closure) begin.cell_values.push_back(cell->value);
  begin.grad_state = grad_state();
}

void Runner::keep_objects(Region& region) {
  std::vector<SavedState>& objects = last_run_of(region).begin.objects;
  for (const JournalEntry& entry : region.journal) {
    if (!entry.target) continue;
    const Value& target = region.values[*entry.target];
    auto* module = target.try_as<runtime::ModuleObject>();
    Value holder = module ? Value(module->dict) : target;
    bool known = std::ranges::any_of(
        objects, [&](const SavedState& each) { return each.object.identical(holder); });
    if (!known) objects.push_back(save_state(holder));
  }
}

void Runner::keep_gradients(Region& region) {
  auto& kept = last_run_of(region).begin.gradients;
  kept.clear();
  for (auto [source, recipe] : region.gradients) {
    Tensor tensor = runtime::tensor_of(*region.guards->slot(source));
    autograd::AutogradMeta* meta = autograd::meta_of(tensor);
    kept.emplace_back(tensor, meta ? meta->gradient : Tensor());
  }
}

void Runner::keep_written(Region& region, std::span<const RunInput> inputs) {
  LastRun& run = last_run_of(region);
  run.written.clear();
  for (const InputUpdate& update : region.updates)
    run.written.push_back(
        {update.input, update.output, clone(Tensor(Ref<TensorImpl>(inputs[update.input].tensor)))});
}

void Runner::keep_run(Region& region, std::span<const RunInput> inputs,
                      std::span<const int64_t> symbols, const Generator& generator) {
  LastRun& run = last_run_of(region);
  run.inputs.clear();
  run.numbers = region.floats.numbers;
  run.floats = region.floats.values;
  for (const RunInput& input : inputs)
    if (input.tensor) run.inputs.emplace_back(Ref<TensorImpl>(input.tensor));
  run.symbols.assign(symbols.begin(), symbols.end());
  run.generator = generator;
  run.number = ++kept_runs_;
}

namespace {

/// Microseconds of the fastest of some calls.
template <class Work>
double fastest(const Work& work) {
  constexpr int kTimes = 50;
  double least = std::numeric_limits<double>::max();
  for (int i = 0; i < kTimes; ++i) {
    auto start = std::chrono::steady_clock::now();
    work();
    std::chrono::duration<double, std::micro> spent = std::chrono::steady_clock::now() - start;
    least = std::min(least, spent.count());
  }
  return least;
}

/// `2 launches, 1 library call`
std::string steps_text(const Region& region) {
  const auto& log = region.trail.passes;
  if (!log || log->passes.empty() || !log->passes.back().schedule) return "the graph, node by node";
  size_t launches = 0, calls = 0;
  for (const Step& step : log->passes.back().schedule->steps)
    ++(std::holds_alternative<Launch>(step.kind) ? launches : calls);
  std::string text = fmt::format("{} launch{}", launches, launches == 1 ? "" : "es");
  return calls ? text + fmt::format(", {} library call{}", calls, calls == 1 ? "" : "s") : text;
}

/// Guards, kernels and result of one region on its last run. Nothing of the script happens again.
void add_call_times(const Region& region, std::vector<StageLine>& lines) {
  const LastRun& run = *region.last_run;
  auto add = [&](std::string_view name, double microseconds, std::string_view what) {
    lines.push_back({fmt::format("  {:<26}{:>9.3f} us   {}", name, microseconds, what), {}});
  };
  std::string title = region_title(region.function, region.begin, region.number);
  lines.push_back({fmt::format("{}: its last call once more", title), {}});
  const runtime::FrameSnapshot& frame = run.begin.frame;
  EntryState state{frame.registers, frame.function.get(),
                   frame.cells.empty() ? nullptr : frame.cells.data()};
  std::vector<int64_t> symbols = run.symbols;
  symbols.resize(region.symbols.size());
  bool passed = true;
  double guards =
      fastest([&] { passed = region.guards->check(state, symbols) == GuardProgram::kPassed; });
  add("guards", guards, fmt::format("{} checks", shown_guards(region.guards->guards())));
  std::vector<RunInput> inputs;
  for (const Tensor& input : run.inputs) inputs.push_back({&input.impl(), nullptr});
  // What it writes is the script's.
  std::vector<Tensor> written;
  for (const InputUpdate& update : region.updates) {
    written.push_back(clone(run.inputs[update.input]));
    inputs[update.input].tensor = &written.back().impl();
  }
  for (const double& number : run.numbers) inputs.push_back({nullptr, &number});
  std::vector<Tensor> outputs;
  bool ran = true;
  double kernels = fastest(
      [&] { ran = ran && !run_executable(*region.executable, inputs, run.symbols, outputs); });
  runtime::Interpreter& interpreter = runtime::Interpreter::current();
  if (interpreter.raised()) interpreter.take_pending();
  add("kernels", kernels, ran ? steps_text(region) : "stopped by a check on values");
  if (!passed || !ran) return;
  std::vector<Value> values;
  double result = fastest([&] {
    std::vector<Tensor> copies = outputs;
    rebuild(region.recipes, *region.guards, copies, symbols, run.floats, values);
  });
  add("result", result,
      fmt::format("{} value{}", region.recipes.size(), region.recipes.size() == 1 ? "" : "s"));
}

}  // namespace

std::vector<const Region*> Runner::newest_runs(const Whose& whose) const {
  Whose one = whose;
  if (const Region* last = region_of(whose); last && whose.name.empty()) {
    one.name = last->function;
    one.definition = last->definition;
    const CompileRecord* record = compiled_for(last->compile);
    for (const auto& [compile, other] : compiled_for_)
      if (other != record) one.others.insert(compile);
  }
  using Place = std::tuple<const CompileRecord*, std::string_view, uint32_t>;
  std::map<Place, const Region*> newest;
  for (const Region* region : regions_of(one)) {
    if (!region->last_run) continue;
    const Region*& known =
        newest[{compiled_for(region->compile), region->function, region->entry_pc}];
    if (!known || known->last_run->number < region->last_run->number) known = region;
  }
  std::vector<const Region*> regions;
  for (const auto& [at, region] : newest) regions.push_back(region);
  std::ranges::sort(regions, {}, [](const Region* region) { return region->last_run->number; });
  return regions;
}

std::vector<StageLine> Runner::call_times(const Whose& whose) const {
  const Generator generator = default_generator();
  std::vector<StageLine> lines;
  for (const Region* region : newest_runs(whose))
    if (region->executable && !region->executable->runs_script()) add_call_times(*region, lines);
  default_generator() = generator;
  return lines;
}

void Runner::keep_backward(const BackwardRun& run) {
  LastRun on;
  on.inputs.assign(run.inputs.begin(), run.inputs.end());
  on.symbols.assign(run.symbols.begin(), run.symbols.end());
  on.generator = run.generator;
  on.number = ++kept_runs_;
  const auto is_far = [](const Tensor& each) { return !each.device().is_cpu(); };
  const auto far = std::ranges::find_if(on.inputs, is_far);
  const Device device = far == on.inputs.end() ? Device::cpu() : far->device();
  kept_backwards_.insert_or_assign(
      run.about.compile,
      KeptBackward{run.about,
                   {run.about.title(), run.graph, run.passes, std::move(on), {}, {}, device}});
}

std::vector<KeptRun> Runner::kept_backwards(const Whose& whose) const {
  std::map<std::string, const KeptBackward*> newest;
  for (const auto& [compile, kept] : kept_backwards_)
    if (whose.has(kept.about)) newest[kept.run.title] = &kept;
  std::vector<KeptRun> runs;
  for (const auto& [title, kept] : newest) runs.push_back(kept->run);
  return runs;
}

std::vector<KeptRun> Runner::kept_runs(const Whose& whose) const {
  std::vector<KeptRun> runs;
  for (const Region* region : newest_runs(whose)) {
    bool own = region->executable && region->executable->runs_script();
    runs.push_back({region_title(region->function, region->begin, region->number), region->graph,
                    region->trail.passes, *region->last_run, stretch_of(*region),
                    own ? region->executable : nullptr, region->device});
  }
  return runs.empty() && !whose.name.empty() ? kept_backwards(whose) : runs;
}

}  // namespace glint::capture
