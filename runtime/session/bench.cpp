// Eager against compiled, for one call at the REPL or for all functions that a script compiled.
//
//     f
//       first call      19.27 ms   capture 0.09, passes 0.17, cpu 18.96, first run 0.01
//       eager            4.21 us   (4.10 to 5.02)
//       compiled         1.30 us   (1.28 to 1.51)   3.24 times as fast; pays off after 6622 calls
//       1 launch and 192 bytes at most, in 1 region
//
// Both run in turns, so that they see the same machine. What calls print is dropped; calls that
// print or change what lies outside run a few times only. The first call is what the script itself
// paid for the regions that the call runs; what is compiled for the comparison is compiled in full,
// though the process may have machine code for the same kernel.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

#include "core/support/diagnostic.h"
#include "runtime/capture/callee.h"
#include "runtime/capture/executable.h"
#include "runtime/interpreter/protocol.h"
#include "runtime/session/parts.h"
#include "runtime/session/session.h"
#include "runtime/session/side_effects.h"

namespace glint {
namespace {

using Clock = std::chrono::steady_clock;

double microseconds(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

/// What compiling cost and what a call of the compiled code does, over the regions that it runs.
struct CompiledWork {
  std::vector<capture::StageTime> times;  ///< milliseconds by step
  double milliseconds = 0.0;
  size_t regions = 0;
  size_t launches = 0;
  size_t library_calls = 0;
  int64_t bytes = 0;  ///< the most that one region has at once, besides its inputs
  std::map<DiagnosticId, size_t> breaks;  ///< what ended regions early, and how many
};

/// Microseconds of one call, sampled in turns.
struct Comparison {
  std::vector<double> eager;
  std::vector<double> compiled;
  /// The calls print, or change something outside: they ran only so many times.
  bool has_effects = false;
  CompiledWork work;
};

/// How often each region ran.
using Runs = std::map<const capture::Region*, uint64_t>;

Runs runs_of(const capture::CompileRecord& record) {
  Runs runs;
  for (const auto& [at, point] : record.entry_points)
    for (const auto& region : point.regions) runs[region.get()] = *region->hits;
  return runs;
}

void add_schedule(CompiledWork& work, const Schedule& schedule, std::span<const int64_t> symbols,
                  uint64_t times) {
  for (const Step& step : schedule.steps)
    (std::holds_alternative<Launch>(step.kind) ? work.launches : work.library_calls) += times;
  int64_t bytes = 0;
  for (const Slot& slot : schedule.slots)
    if (!slot.input) bytes += slot.bytes.evaluate(symbols);
  work.bytes = std::max(work.bytes, bytes);
}

void add_region(CompiledWork& work, const capture::Region& region, uint64_t times) {
  ++work.regions;
  for (const capture::StageTime& time : region.trail.times) {
    if (time.part) continue;
    work.milliseconds += time.milliseconds;
    auto found = std::ranges::find(work.times, time.name, &capture::StageTime::name);
    if (found == work.times.end())
      work.times.push_back(time);
    else
      found->milliseconds += time.milliseconds;
  }
  if (!region.trail.passes) return;
  const auto& passes = region.trail.passes->passes;
  if (!passes.empty() && passes.back().schedule)
    add_schedule(work, *passes.back().schedule, region.symbols, times);
}

/// Of one call, which is what ran since `before`. Where the call went past the compiled code, since
/// that would have been slower: of what is there for it.
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

double median(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  return samples[samples.size() / 2];
}

/// While it lives, a compile costs what a first one does.
class WithoutOldCode {
 public:
  explicit WithoutOldCode(capture::CaptureContext& context)
      : context_(context), reused_(std::exchange(context.reuses_code, false)) {}
  ~WithoutOldCode() { context_.reuses_code = reused_; }
  WithoutOldCode(const WithoutOldCode&) = delete;
  WithoutOldCode& operator=(const WithoutOldCode&) = delete;

 private:
  capture::CaptureContext& context_;
  bool reused_;
};

constexpr int kRounds = 21;
constexpr double kRoundMicroseconds = 2000.0;
/// Of calls with effects.
constexpr int kFewRounds = 3;

using Keywords = std::vector<std::pair<runtime::StrObject*, runtime::Value>>;

const capture::CompileRecord& record_of(const runtime::Value& compiled) {
  auto& record = *compiled.as<runtime::CompiledFunctionObject>()->record;
  return static_cast<const capture::CompileRecord&>(record);
}

/// Whether a region ended because of an effect that a graph cannot hold.
bool breaks_at_effect(const CompiledWork& work) {
  return work.breaks.contains(DiagnosticId::kBreakImpureCall) ||
         work.breaks.contains(DiagnosticId::kBreakMutation);
}

/// Nothing when a call raised.
std::optional<Comparison> compare(Session::Parts& parts, const runtime::Value& eager,
                                  const runtime::Value& compiled,
                                  const std::vector<runtime::Value>& arguments,
                                  const Keywords& keywords = {}) {
  runtime::Interpreter& interpreter = parts.interpreter;
  auto raises = [&](const runtime::Value& function) {
    if (keywords.empty()) return interpreter.call(function, arguments).is_undefined();
    return interpreter.call_with_keywords(function, arguments, keywords).is_undefined();
  };
  Comparison result;
  const bool keeps_inputs = parts.runner.keeps_inputs();
  WithoutSideWork quiet(parts);
  SilentOutput silent(interpreter);
  WithoutOldCode full_price(parts.context);
  // What the other commands tell of when nothing is named: the newest call is this one.
  parts.runner.keep_inputs(keeps_inputs);
  bool fine = !raises(compiled);
  parts.runner.keep_inputs(false);
  if (!fine || raises(eager)) return std::nullopt;
  const capture::CompileRecord& record = record_of(compiled);
  Runs before_call = runs_of(record);
  if (raises(compiled)) return std::nullopt;
  result.work = work_since(before_call, record);
  std::vector<runtime::Value> roots = arguments;
  for (const auto& [name, value] : keywords) roots.push_back(value);
  roots.insert(roots.end(), {eager, runtime::Value(parts.main->dict)});
  uint64_t before = state_of(roots);
  auto start = Clock::now();
  if (raises(eager)) return std::nullopt;
  double once = std::max(microseconds(start), 0.1);
  result.has_effects = silent.wrote() || state_of(roots) != before || breaks_at_effect(result.work);
  int rounds = result.has_effects ? kFewRounds : kRounds;
  int repeat =
      result.has_effects ? 1 : std::clamp(static_cast<int>(kRoundMicroseconds / once), 1, 5000);
  for (int round = 0; round < rounds; ++round) {
    for (bool is_compiled : {false, true}) {
      start = Clock::now();
      for (int i = 0; i < repeat; ++i) {
        if (raises(is_compiled ? compiled : eager)) return std::nullopt;
      }
      (is_compiled ? result.compiled : result.eager).push_back(microseconds(start) / repeat);
    }
  }
  return result;
}

std::string count_text(size_t count, std::string_view noun, std::string_view plural = "s") {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : plural);
}

/// Where compiling begins to pay.
std::string break_even(const Comparison& result) {
  double eager = median(result.eager), compiled = median(result.compiled);
  if (compiled >= eager) return "does not pay off";
  return fmt::format("pays off after {:.0f} calls",
                     std::max(1.0, 1000.0 * result.work.milliseconds / (eager - compiled)));
}

/// A line for each kind of break.
std::string breaks_text(const CompiledWork& work) {
  std::string text;
  for (const auto& [id, count] : work.breaks)
    text += fmt::format("  {} {}: {}\n", info(id).code, info(id).title, count_text(count, "break"));
  return text;
}

/// The lines of one call; `call` is empty where there is only one.
std::string report_call(const std::string& call, const Comparison& result) {
  const CompiledWork& work = result.work;
  std::string text = call.empty() ? "" : fmt::format("  ({})\n", call);
  if (work.regions == 0)
    return text + fmt::format("  nothing was compiled, so there is nothing to compare{}\n{}",
                              work.breaks.empty()
                                  ? ": no operator in it has a result that anything needs"
                                  : "",
                              breaks_text(work));
  double eager = median(result.eager), compiled = median(result.compiled);
  auto spread = [](const std::vector<double>& samples) {
    auto [least, most] = std::minmax_element(samples.begin(), samples.end());
    return fmt::format("{:.2f} to {:.2f}", *least, *most);
  };
  std::string steps;
  for (const capture::StageTime& time : work.times)
    steps += fmt::format("{}{} {:.2f}", steps.empty() ? "" : ", ", time.name, time.milliseconds);
  text += fmt::format("  first call {:9.2f} ms   {}\n", work.milliseconds, steps);
  text += fmt::format("  eager      {:9.2f} us   ({})\n", eager, spread(result.eager));
  text += fmt::format("  compiled   {:9.2f} us   ({})   {:.2f} times as fast; {}\n", compiled,
                      spread(result.compiled), eager / compiled, break_even(result));
  if (result.has_effects)
    text += fmt::format(
        "  a call prints or changes what lies outside: {} of each were timed, what they print is "
        "dropped\n",
        kFewRounds);
  text += "  " + count_text(work.launches, "launch", "es");
  if (work.library_calls) text += ", " + count_text(work.library_calls, "library call");
  return text + fmt::format(" and {} bytes at most, in {}\n{}", work.bytes,
                            count_text(work.regions, "region"), breaks_text(work));
}

/// A function and its calls, each by the types of its arguments.
std::string report_text(const std::string& name,
                        const std::vector<std::pair<std::string, Comparison>>& calls) {
  std::string text = name + "\n";
  for (const auto& [call, result] : calls)
    text += report_call(calls.size() > 1 ? call : std::string(), result);
  return text;
}

}  // namespace

Result<std::string> Session::bench(const std::string& call) {
  auto read = parts_->read_call("bench", call);
  if (!read) return read.error();
  if (!*read) return std::string();
  runtime::Interpreter& interpreter = parts_->interpreter;
  runtime::Value compiled = capture::unwrap_module(interpreter, (*read)->function);
  auto* wrapped = compiled.try_as<runtime::CompiledFunctionObject>();
  runtime::Value eager = wrapped ? wrapped->function : compiled;
  if (eager.is<runtime::NativeFunctionObject>() || eager.is<runtime::BoundNativeObject>())
    return Error{
        "a built-in function has nothing to compile: put the call into one of the "
        "script's, `def f(x): ...`, and bench that"};
  if (!wrapped) compiled = parts_->runner.compile(eager, {});
  std::optional<Comparison> result =
      compare(*parts_, eager, compiled, (*read)->positional, (*read)->keywords);
  if (!result) {
    interpreter.report_exception();
    return std::string();
  }
  return report_text(call, {{"", std::move(*result)}});
}

void Session::keep_calls() {
  parts_->runner.keep_calls(true);
}

std::string Session::bench_report(const std::string& function) {
  std::string text;
  // Comparing may compile more functions: the list is taken before.
  std::vector<Ref<capture::CompileRecord>> records = parts_->runner.records();
  for (const auto& record : records) {
    std::string name = parts_->runner.name_of(*record);
    if (record->samples.empty() || !is_named(name, function)) continue;
    runtime::Value compiled = parts_->runner.compiled_by(record);
    std::vector<std::pair<std::string, Comparison>> calls;
    for (const auto& [types, arguments] : record->samples) {
      std::optional<Comparison> result = compare(*parts_, record->callable, compiled, arguments);
      if (result) {
        calls.emplace_back(types, std::move(*result));
      } else {
        parts_->interpreter.report_exception();
      }
    }
    if (!calls.empty()) text += report_text(name, calls);
    if (size_t more = record->samples_left_out.size())
      text += fmt::format("  and {} of other types or sizes, which were not timed\n",
                          count_text(more, "call"));
  }
  return text;
}

}  // namespace glint
