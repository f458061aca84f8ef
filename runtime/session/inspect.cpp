// What the REPL asks of a session beyond running: other forms of a graph, why something was
// compiled again, and eager against compiled.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "passes/render.h"
#include "runtime/capture/executable.h"
#include "runtime/interpreter/protocol.h"
#include "runtime/session/diverge.h"
#include "runtime/session/parts.h"
#include "runtime/session/session.h"

namespace glint {
namespace {

using Clock = std::chrono::steady_clock;

double microseconds(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

std::string joined(const std::vector<StageLine>& lines) {
  std::string text;
  for (const StageLine& line : lines) text += line.text + "\n";
  return text;
}

/// Eager and compiled times of one call, interleaved so that both see the same machine.
struct Comparison {
  double first = 0.0;  ///< the first compiled call: capture, compile, run
  std::vector<double> eager;
  std::vector<double> compiled;
};

double median(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  return samples[samples.size() / 2];
}

constexpr int kRounds = 21;
constexpr double kRoundMicroseconds = 2000.0;

/// Nothing when a call raised.
std::optional<Comparison> compare(runtime::Interpreter& interpreter, const runtime::Value& eager,
                                  const runtime::Value& compiled,
                                  const std::vector<runtime::Value>& arguments) {
  Comparison result;
  auto start = Clock::now();
  if (interpreter.call(compiled, arguments).is_undefined()) return std::nullopt;
  result.first = microseconds(start);
  if (interpreter.call(eager, arguments).is_undefined()) return std::nullopt;
  start = Clock::now();
  if (interpreter.call(eager, arguments).is_undefined()) return std::nullopt;
  int repeat = std::clamp(static_cast<int>(kRoundMicroseconds / std::max(microseconds(start), 0.1)),
                          1, 5000);
  for (int round = 0; round < kRounds; ++round) {
    for (bool is_compiled : {false, true}) {
      start = Clock::now();
      for (int i = 0; i < repeat; ++i) {
        if (interpreter.call(is_compiled ? compiled : eager, arguments).is_undefined())
          return std::nullopt;
      }
      (is_compiled ? result.compiled : result.eager).push_back(microseconds(start) / repeat);
    }
  }
  return result;
}

std::string report(const std::string& name, const Comparison& result) {
  double eager = median(result.eager);
  double compiled = median(result.compiled);
  auto spread = [](const std::vector<double>& samples) {
    auto [least, most] = std::minmax_element(samples.begin(), samples.end());
    return fmt::format("{:.2f} to {:.2f}", *least, *most);
  };
  std::string text = fmt::format("{}\n", name);
  text += fmt::format("  eager      {:9.2f} us   ({})\n", eager, spread(result.eager));
  text += fmt::format("  compiled   {:9.2f} us   ({})   {:.2f} times as fast\n", compiled,
                      spread(result.compiled), eager / compiled);
  text += fmt::format("  first call {:9.2f} ms", result.first / 1000.0);
  if (compiled < eager)
    text += fmt::format("   pays off after {:.0f} calls",
                        std::max(1.0, result.first / (eager - compiled)));
  return text + "\n";
}

}  // namespace

Result<std::string> Session::graph_as(std::string_view form, const std::string&) {
  const capture::Region* region = parts_->runner.last_region();
  if (!region || !region->graph) return Error{"nothing compiled yet has a graph"};
  if (form == "dot") return passes::graph_dot(*region->graph);
  return joined(passes::table_lines(*region->graph));
}

std::string Session::why_recompiled() const {
  const std::string& why = parts_->runner.last_recompile();
  return why.empty() ? "nothing was compiled a second time\n" : why + "\n";
}

void Session::keep_inputs() {
  parts_->runner.keep_inputs(true);
}

Result<std::string> Session::diverge(const std::string& function) {
  const capture::KeptRun* kept = parts_->runner.kept_run(function);
  if (!kept && function.empty())
    return Error{"nothing compiled has run yet; call a function under torch.compile first"};
  if (!kept) return Error{fmt::format("no compiled region of `{}` has run", function)};
  // The eager stage may run what is compiled: its runs are not to take this one's place.
  capture::KeptRun run = *kept;
  std::vector<StageVerdict> verdicts = compare_stages(stages_of(run, parts_->interpreter),
                                                      tolerance_of(*run.graph), run.generator);
  return divergence_text(run.function, verdicts);
}

Result<std::string> Session::explain(const std::string& call) {
  size_t open = call.find('(');
  if (open == std::string::npos) return Error{"usage: :explain f(x)"};
  int exit_code = 0;
  run_entry(fmt::format("import torch; print(torch._dynamo.explain({}){})", call.substr(0, open),
                        call.substr(open)),
            exit_code);
  return std::string();
}

Result<std::string> Session::bench(const std::string& call) {
  size_t open = call.find('(');
  if (open == std::string::npos) return Error{"usage: :bench f(x)"};
  runtime::Interpreter& interpreter = parts_->interpreter;
  runtime::Value function = parts_->attribute_path(call.substr(0, open));
  if (function.is_undefined())
    return Error{fmt::format("nothing is called `{}` here", call.substr(0, open))};
  runtime::Compiled code =
      parts_->importer.compile("(lambda *positional: positional)" + call.substr(open), "<bench>",
                               runtime::CompileMode::kEval);
  auto* compiled_code = std::get_if<std::shared_ptr<const program::Code>>(&code);
  if (!compiled_code) return Error{"that is no call; usage: :bench f(x)"};
  runtime::Value arguments =
      interpreter.run_code(*compiled_code, parts_->main->dict, parts_->main->dict);
  std::optional<Comparison> result;
  if (arguments.defined()) {
    auto* wrapped = function.try_as<runtime::CompiledFunctionObject>();
    runtime::Value eager = wrapped ? wrapped->function : function;
    runtime::Value compiled = parts_->runner.compile(eager, {});
    result = compare(interpreter, eager, compiled, arguments.as<runtime::TupleObject>()->items);
  }
  if (!result) {
    interpreter.report_exception();
    return std::string();
  }
  return report(call, *result);
}

void Session::keep_calls() {
  parts_->runner.keep_calls();
}

std::string Session::bench_report() {
  std::string text;
  // Comparing compiles more functions: the list is taken before.
  std::vector<Ref<capture::CompileRecord>> records = parts_->runner.records();
  for (const auto& record : records) {
    if (record->sample.empty()) continue;
    runtime::Value compiled = parts_->runner.compile(record->callable, record->options);
    std::optional<Comparison> result =
        compare(parts_->interpreter, record->callable, compiled, record->sample);
    if (!result) {
      parts_->interpreter.report_exception();
      continue;
    }
    text += report(capture::actual(record->callable), *result);
  }
  return text.empty() ? "the script called no compiled function with positional arguments\n" : text;
}

}  // namespace glint
