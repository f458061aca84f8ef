// The report of a session: its stage log, its sources and how it ended, as one page.
//
//     glint.report(f, x, "out.html")    library/glint calls what is compiled and writes the file
//
// The native module `_glint_report` gives the page's text to the library.

#include <fmt/format.h>

#include <filesystem>

#include "repl/report/build_document.h"
#include "repl/report/page.h"
#include "runtime/interpreter/builtins_encodings.h"
#include "runtime/interpreter/containers.h"
#include "runtime/interpreter/protocol.h"
#include "runtime/interpreter/torch_modules.h"
#include "runtime/session/parts.h"

namespace glint {
namespace {

/// The one session; natives are plain functions.
Session::Parts* session = nullptr;

/// page(function): the report of what was compiled of it.
runtime::Value native_page(runtime::NativeCall& call) {
  return runtime::str_value(session->report_page(session->logged_name_of(call[0]).value_or("")));
}

/// stage(function, name, since): of what was compiled later than compile number `since`, the titles
/// of the regions and the lines that the stage has of each; of all functions, where it is None.
runtime::Value native_stage(runtime::NativeCall& call) {
  const std::string name(runtime::view_of(call[1]));
  std::optional<Stage> stage = find_stage(name);
  if (!stage) return call.raise("ValueError", fmt::format("no stage is called '{}'", name));
  const bool all = call[0].is_none();
  const std::string function = all ? "" : session->logged_name_of(call[0]).value_or("");
  std::vector<runtime::Value> found;
  for (const Artifact& artifact : session->log.artifacts()) {
    bool asked = artifact.stage == *stage && (all || artifact.function == function);
    if (!asked || artifact.compile <= uint64_t(call[2].as_int())) continue;
    std::vector<runtime::Value> lines;
    for (const StageLine& line : artifact.lines()) lines.push_back(runtime::str_value(line.text));
    found.push_back(runtime::Value(runtime::make_tuple(
        {runtime::str_value(artifact.title()), runtime::Value(runtime::make_list(lines))})));
  }
  return runtime::Value(runtime::make_list(std::move(found)));
}

/// compiles(): the newest compile's number.
runtime::Value native_compiles(runtime::NativeCall&) {
  return runtime::Value(int64_t(session->log.compiles()));
}

constexpr runtime::NativeDefinition kNatives[] = {
    {"stage(function, name, since, /)", native_stage, runtime::kImpure,
     "a stage's lines, by region"},
    {"compiles()", native_compiles, runtime::kImpure, "how many compiles there were"},
    {"page(function, /)", native_page, runtime::kImpure, "the report of a function, as HTML"},
};

void fill(runtime::Interpreter& interpreter, runtime::ModuleObject& module) {
  interpreter.add_functions(module, kNatives);
}

}  // namespace

void Session::Parts::install_report() {
  session = this;
  runtime::NativeModule module;
  module.fill = fill;
  runtime::register_native_module("_glint_report", module);
}

std::string Session::Parts::report_page(const std::string& function) {
  std::string title = std::filesystem::path(script).filename().string();
  return report::html_page(report::build_document(
      {.log = log,
       .sources = sources,
       .is_library = [this](SourceId source) { return importer.is_library(source); },
       .title = title.empty() ? "Glint" : title,
       .function = function,
       .failure = failure,
       .script = script_source}));
}

std::string Session::report_page(const std::string& function) {
  return parts_->report_page(function);
}

}  // namespace glint
