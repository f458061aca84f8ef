// Eager against compiled, for one call at the REPL or for all functions that a script compiled.
//
//     f
//       first call      19.27 ms   capture 0.09, passes 0.11, lower 0.06, ..., first run 0.01
//       eager            4.21 us   (4.10 to 5.02)
//       compiled         1.30 us   (1.28 to 1.51)   3.24 times as fast; pays off after 6622 calls
//       1 launch and 192 bytes at most, in 1 region
//
// Here a call is measured (comparison.h); library/glint/_bench.py makes table and pictures of it.
// The first call is what the script itself paid for the regions that the call runs.

#include <fmt/format.h>

#include "backends/cuda/device/device.h"
#include "core/platform/machine_rates.h"
#include "runtime/capture/callee.h"
#include "runtime/interpreter/builtins.h"
#include "runtime/interpreter/torch_modules.h"
#include "runtime/session/comparison.h"

namespace glint {
namespace {

/// The one session; natives are plain functions.
Session::Parts* session = nullptr;

/// Seconds that a comparison takes, about; and each of a sweep's.
constexpr double kSeconds = 1.0;
constexpr double kSweepSeconds = 0.3;

constexpr std::string_view kBuiltin =
    "a built-in function has nothing to compile: put the call into one of the script's, `def "
    "f(x): ...`, and bench that";

/// The two that are compared; nothing of a built-in function. Undefined: an exception is pending.
struct Sides {
  runtime::Value eager;
  runtime::Value compiled;
};
std::optional<Sides> sides_of(Session::Parts& parts, const runtime::Value& function) {
  runtime::Value compiled = capture::unwrap_module(parts.interpreter, function);
  auto* wrapped = compiled.try_as<runtime::CompiledFunctionObject>();
  runtime::Value eager = wrapped ? wrapped->function : compiled;
  if (eager.is<runtime::NativeFunctionObject>() || eager.is<runtime::BoundNativeObject>())
    return std::nullopt;
  if (!wrapped) compiled = parts.runner.compile(eager, {}, true);
  return Sides{std::move(eager), std::move(compiled)};
}

runtime::Value seconds_of(const std::vector<double>& microseconds) {
  std::vector<runtime::Value> items;
  for (double each : microseconds) items.emplace_back(each * 1e-6);
  return runtime::Value(runtime::make_list(std::move(items)));
}

std::string_view device_of(const Comparison& found) {
  if (!found.on_gpu) return "cpu";
  return (*cuda::open_gpu())->properties().is_simulated ? "simulated" : "cuda";
}

runtime::Value breaks_of(const CompiledWork& work) {
  std::vector<runtime::Value> items;
  for (const auto& [id, count] : work.breaks)
    items.emplace_back(runtime::make_tuple({runtime::str_value(std::string(info(id).code)),
                                            runtime::str_value(std::string(info(id).title)),
                                            runtime::int_value(static_cast<int64_t>(count))}));
  return runtime::Value(runtime::make_list(std::move(items)));
}

/// A comparison as library/glint/_bench.py takes it.
runtime::Value as_dict(const std::string& name, const Comparison& found) {
  const CompiledWork& work = found.work;
  auto compile = runtime::make_dict();
  for (const auto& [step, milliseconds] : work.times)
    compile->set(step, runtime::Value(milliseconds * 1e-3));
  auto dict = runtime::make_dict();
  auto set_count = [&](std::string_view key, auto count) {
    dict->set(key, runtime::int_value(static_cast<int64_t>(count)));
  };
  dict->set("name", runtime::str_value(name));
  dict->set("eager", seconds_of(found.eager));
  dict->set("compiled", seconds_of(found.compiled));
  dict->set("compile", runtime::Value(compile));
  dict->set("breaks", breaks_of(work));
  dict->set("has_effects", runtime::Value(found.has_effects));
  dict->set("device", runtime::str_value(std::string(device_of(found))));
  set_count("regions", work.regions);
  set_count("launches", work.launches);
  set_count("library_calls", work.library_calls);
  set_count("uncounted", work.uncounted);
  set_count("workspace", work.workspace);
  set_count("bytes", work.moved);
  set_count("operations", work.operations);
  return runtime::Value(dict);
}

/// measure(name, function, arguments, keywords, seconds)
runtime::Value native_measure(runtime::NativeCall& call) {
  std::string_view name;
  double seconds = 0;
  if (!runtime::text_argument(call, 0, name) || !runtime::float_argument(call, 4, seconds))
    return runtime::Value();
  std::optional<Sides> sides = sides_of(*session, call[1]);
  if (!sides) return call.raise("TypeError", std::string(kBuiltin));
  const auto* arguments = runtime::items_of(call[2]);
  if (!arguments) return call.raise("TypeError", "the arguments are a tuple");
  std::optional<Comparison> found = compare(*session, sides->eager, sides->compiled, *arguments,
                                            runtime::keyword_pairs(call[3]), seconds);
  return found ? as_dict(std::string(name), *found) : runtime::Value();
}

/// machine(again): as library/glint/_bench.py takes it.
runtime::Value native_machine(runtime::NativeCall& call) {
  const MachineRates& rates =
      runtime::truth(call.interpreter, call[0]) > 0 ? measure_again() : machine_rates();
  std::vector<runtime::Value> bandwidths;
  for (const Bandwidth& each : rates.bandwidths)
    bandwidths.emplace_back(
        runtime::make_tuple({runtime::int_value(each.bytes), runtime::Value(each.rate)}));
  auto dict = runtime::make_dict();
  dict->set("bandwidths", runtime::Value(runtime::make_list(std::move(bandwidths))));
  dict->set("peak", runtime::Value(rates.peak));
  dict->set("threads", runtime::int_value(rates.threads));
  return runtime::Value(dict);
}

constexpr runtime::NativeDefinition kNatives[] = {
    {"measure(name, function, arguments, keywords, seconds, /)", native_measure, runtime::kImpure,
     "times a call eager and compiled"},
    {"machine(again, /)", native_machine, runtime::kImpure,
     "the bandwidth and the peak of this machine, measured"},
};

void fill(runtime::Interpreter& interpreter, runtime::ModuleObject& module) {
  interpreter.add_functions(module, kNatives);
}

/// What the library makes of it; undefined: an exception is pending.
runtime::Value made_by_library(Session::Parts& parts, std::string_view what,
                               std::initializer_list<runtime::Value> arguments) {
  runtime::Value module = parts.interpreter.import_module("glint._bench");
  runtime::Value maker =
      module.defined() ? runtime::get_attribute(parts.interpreter, module, what) : module;
  return maker.defined() ? parts.interpreter.call(maker, arguments) : maker;
}

/// One call, measured, as the library's object. Undefined: an exception is pending.
Result<runtime::Value> measured(Session::Parts& parts, const std::string& name,
                                const Session::Parts::ReadCall& call, double seconds) {
  std::optional<Sides> sides = sides_of(parts, call.function);
  if (!sides) return Error{std::string(kBuiltin)};
  std::optional<Comparison> found =
      compare(parts, sides->eager, sides->compiled, call.positional, call.keywords, seconds);
  if (!found) return runtime::Value();
  return made_by_library(parts, "Comparison", {as_dict(name, *found)});
}

Result<runtime::Value> measured_sweep(Session::Parts& parts,
                                      const Session::Parts::ReadSweep& sweep) {
  std::vector<runtime::Value> comparisons;
  for (const Session::Parts::ReadCall& call : sweep.calls) {
    auto found = measured(parts, "", call, kSweepSeconds);
    if (!found || found->is_undefined()) return found;
    comparisons.push_back(*found);
  }
  return made_by_library(parts, "Sweep",
                         {runtime::str_value(sweep.variable), sweep.numbers,
                          runtime::Value(runtime::make_list(std::move(comparisons)))});
}

}  // namespace

void Session::Parts::install_bench() {
  session = this;
  runtime::NativeModule module;
  module.fill = fill;
  runtime::register_native_module("_glint_bench", module);
}

Result<MimeForms> Session::bench(const std::string& text) {
  Result<runtime::Value> found = runtime::Value();
  if (Parts::is_sweep(text)) {
    auto sweep = parts_->read_sweep("bench", text);
    if (!sweep) return sweep.error();
    if (!*sweep) return MimeForms();
    found = measured_sweep(*parts_, **sweep);
  } else {
    auto call = parts_->read_call("bench", text);
    if (!call) return call.error();
    if (!*call) return MimeForms();
    found = measured(*parts_, text, **call, kSeconds);
  }
  if (!found) return found.error();
  MimeForms forms;
  if (found->defined()) forms = forms_of(parts_->interpreter, *found);
  if (!parts_->interpreter.raised()) return forms;
  parts_->report_of_command();
  return MimeForms();
}

void Session::keep_calls() {
  parts_->runner.keep_calls(true);
  parts_->context.reuses_code = false;  // the first call costs what a first compile does
}

std::string Session::bench_report(const Whose& whose) {
  std::string text;
  // Comparing may compile more functions: the list is taken before.
  std::vector<Ref<capture::CompileRecord>> records = parts_->runner.records();
  for (const auto& record : records) {
    std::string name = parts_->runner.name_of(*record);
    if (record->samples.empty() || !parts_->is_of(whose, *record)) continue;
    runtime::Value compiled = parts_->runner.compiled_by(record);
    const size_t calls = record->samples.size();
    for (const auto& [types, arguments] : record->samples) {
      std::optional<Comparison> found = compare(*parts_, record->callable, compiled, arguments, {},
                                                kSeconds / static_cast<double>(calls));
      const std::string title = calls > 1 ? fmt::format("{}({})", name, types) : name;
      runtime::Value table;
      if (found) table = made_by_library(*parts_, "table_of", {as_dict(title, *found)});
      if (table.defined())
        text += std::string(runtime::view_of(table)) + "\n";
      else
        parts_->interpreter.report_exception();
    }
    if (size_t more = record->samples_left_out.size())
      text += fmt::format("  and {} call{} of other types or sizes, which were not timed\n", more,
                          more == 1 ? "" : "s");
  }
  return text;
}

}  // namespace glint
