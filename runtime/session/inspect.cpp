// What the REPL asks of a session beyond running: other forms of a graph, why something was
// compiled again, and which stage computes something else.

#include <fmt/format.h>

#include <algorithm>

#include "core/support/interruption.h"
#include "passes/render.h"
#include "runtime/capture/executable.h"
#include "runtime/interpreter/protocol.h"
#include "runtime/session/diverge.h"
#include "runtime/session/parts.h"
#include "runtime/session/session.h"

namespace glint {
namespace {

std::string joined(const std::vector<StageLine>& lines) {
  std::string text;
  for (const StageLine& line : lines) text += line.text + "\n";
  return text;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> Session::graphs_as(std::string_view form,
                                                                    const Whose& whose) {
  std::vector<const capture::Region*> regions;
  if (!whose.name.empty())
    regions = parts_->runner.regions_of(whose);
  else if (const capture::Region* last = parts_->runner.region_of(whose))
    regions = {last};
  std::vector<std::pair<std::string, std::string>> texts;
  for (const capture::Region* region : regions) {
    std::string title = region_title(region->function, region->begin, region->number);
    texts.emplace_back("graph " + title, form == "dot"
                                             ? passes::graph_dot(*region->graph)
                                             : joined(passes::table_lines(*region->graph)));
  }
  return texts;
}

std::string Session::graph_drawing(uint32_t compile) {
  const capture::CompileRecord* record = parts_->runner.compiled_for(compile);
  if (!record) return "";
  for (const auto& [at, point] : record->entry_points)
    for (const auto& region : point.regions)
      if (region->graph && region->compile == compile) return passes::graph_dot(*region->graph);
  return "";
}

std::vector<std::string> Session::names() {
  std::vector<std::string> names;
  for (auto* dict : {parts_->main->dict.get(), &parts_->interpreter.builtins()})
    for (const auto& entry : dict->table.entries())
      if (auto* name = entry.key.try_as<runtime::StrObject>()) names.emplace_back(name->view());
  return names;
}

void Session::Parts::report_of_command() {
  if (!interpreter.pending_is("KeyboardInterrupt")) return void(interpreter.report_exception());
  interpreter.take_pending();
  throw interruption::Interrupted();
}

std::string Session::why_recompiled() const {
  const std::string why = parts_->runner.misses();
  return why.empty() ? "nothing was compiled a second time\n" : why + "\n";
}

bool Session::was_captured(const Whose& whose) const {
  return std::ranges::any_of(parts_->runner.records(), [&](const auto& record) {
    return std::ranges::any_of(record->entry_points, [&](const auto& entry) {
      const program::Code& code = *entry.first.first;
      return whose.has(code.qualified_name, code.span, 0) && parts_->runner.may_be(whose, *record);
    });
  });
}

std::string Session::call_times(const Whose& whose) {
  return joined(parts_->runner.call_times(whose));
}

void Session::keep_inputs() {
  parts_->runner.keep_inputs(true);
}

Result<std::vector<std::pair<std::string, std::string>>> Session::diverge(const Whose& whose) {
  auto runs = parts_->runs_of(whose);
  if (!runs) return runs.error();
  // The eager stage may call what is compiled: those calls are not to take this one's place.
  WithoutSideWork quiet(*parts_);
  std::vector<std::pair<std::string, std::string>> texts;
  for (const capture::KeptRun& run : *runs) {
    auto verdicts = compare_stages(stages_of(run, parts_->interpreter), tolerance_of(*run.graph),
                                   run.on.generator);
    texts.emplace_back("diverge " + run.title, divergence_text(run.title, verdicts));
  }
  return texts;
}

Result<std::string> Session::explain(const std::string& call) {
  auto read = parts_->read_call("explain", call);
  if (!read) return read.error();
  if (!*read) return std::string();
  runtime::Interpreter& interpreter = parts_->interpreter;
  // By its modules: what the script calls `torch` or `print` does not matter.
  runtime::Value told;
  runtime::Value module = interpreter.import_module("torch._dynamo");
  if (module.defined()) told = runtime::get_attribute(interpreter, module, "explain");
  if (told.defined()) told = interpreter.call(told, {(*read)->function});
  if (told.defined())
    told = interpreter.call_with_keywords(told, (*read)->positional, (*read)->keywords);
  std::string text;
  bool fine = told.defined() && runtime::str_of(interpreter, told, text);
  interpreter.output().flush();
  if (fine) return text + "\n";
  // The frames of what stands around the call are none of the user's.
  auto raised = interpreter.take_pending();
  auto is_library = [&](const auto& entry) {
    return parts_->sources.is_library(entry.code->span.source);
  };
  while (!raised->traceback.empty() && is_library(raised->traceback.back()))
    raised->traceback.pop_back();
  interpreter.raise(std::move(raised));
  parts_->report_of_command();
  return std::string();
}

}  // namespace glint
