// The report of a session: its stage log, its sources and how it ended, as one page.
//
//     glint.report(f, x, "out.html")    library/glint calls what is compiled and writes the file
//
// The native module `_glint_report` gives the page's text to the library, and the records of what
// was compiled to the course's grader (library/glint/course.py).

#include <fmt/format.h>

#include <filesystem>

#include "repl/report/build_document.h"
#include "repl/report/page.h"
#include "runtime/interpreter/builtins_encodings.h"
#include "runtime/interpreter/containers.h"
#include "runtime/interpreter/protocol.h"
#include "runtime/interpreter/torch_modules.h"
#include "runtime/session/parts.h"
#include "runtime/session/region_records.h"

namespace glint {
namespace {

/// The one session; natives are plain functions.
Session::Parts* session = nullptr;

/// page(function): the report of what was compiled of it.
runtime::Value native_page(runtime::NativeCall& call) {
  return runtime::str_value(session->report_page(session->whose_of(call[0])));
}

/// check_target(path): raises where no page is to be written there.
runtime::Value native_check_target(runtime::NativeCall& call) {
  if (auto fault = session->fault_of_target(std::string(runtime::view_of(call[0])), false))
    return call.raise("OSError", fault->message);
  return runtime::Value::none();
}

runtime::Value list_of(const std::vector<std::string>& texts) {
  std::vector<runtime::Value> items;
  for (const std::string& text : texts) items.push_back(runtime::str_value(text));
  return runtime::Value(runtime::make_list(std::move(items)));
}

/// The breaks that end it: the code, and where.
runtime::Value breaks_of(const RegionRecord& region) {
  std::vector<runtime::Value> items;
  for (const capture::BreakListing* each : region.breaks) {
    if (!each->ends_region) continue;
    const Span& span = each->what.span;
    items.push_back(runtime::Value(runtime::make_tuple(
        {runtime::str_value(std::string(info(each->what.id).code)),
         runtime::str_value(std::string(session->sources.name(span.source))),
         runtime::Value(int64_t(span.line)), runtime::Value(int64_t(span.column))})));
  }
  return runtime::Value(runtime::make_list(std::move(items)));
}

/// A function's name, and where it stands, in which functions of one name differ.
runtime::Value definition_of(const std::string& name, const Span& at) {
  return runtime::Value(
      runtime::make_tuple({runtime::str_value(name), runtime::Value(int64_t(at.source)),
                           runtime::Value(int64_t(at.line)), runtime::Value(int64_t(at.column))}));
}

runtime::Value dict_of(const RegionRecord& region) {
  Ref<runtime::DictObject> lines = runtime::make_dict(), dict = runtime::make_dict();
  for (const auto& [stage, texts] : region.lines)
    lines->set(stage_table()[size_t(stage)].name, list_of(texts));
  dict->set("function", runtime::str_value(region.about->function));
  dict->set("definition", definition_of(region.about->function, region.about->definition));
  dict->set("place",
            runtime::str_value(region_title(region.about->function, region.about->begin, 1)));
  dict->set("entry", runtime::Value(int64_t(region.about->region)));
  dict->set("is_behind_break", runtime::Value(region.about->begin.known()));
  dict->set("operations", runtime::Value(int64_t(region.operations)));
  dict->set("kernels", list_of(region.kernels));
  dict->set("breaks", breaks_of(region));
  dict->set("recompiled", runtime::str_value(region.recompiled));
  dict->set("lines", runtime::Value(std::move(lines)));
  return runtime::Value(std::move(dict));
}

/// mark(): from here on everything is kept, for `regions`.
runtime::Value native_mark(runtime::NativeCall&) {
  return runtime::Value(int64_t(session->log.keep()));
}

/// regions(since): what was compiled from a mark on, which ends it.
runtime::Value native_regions(runtime::NativeCall& call) {
  std::vector<runtime::Value> found;
  for (const RegionRecord& region : region_records(session->log, uint32_t(call[0].as_int())))
    found.push_back(dict_of(region));
  session->log.forget();
  return runtime::Value(runtime::make_list(std::move(found)));
}

/// definition(function): as in the dict of a region; of what is no function of a script, of none.
runtime::Value native_definition(runtime::NativeCall& call) {
  const Whose whose = session->whose_of(call[0]);
  return definition_of(whose.name, whose.definition);
}

/// text(function): what is written in its definition; the same where a cell is run once more.
runtime::Value native_text(runtime::NativeCall& call) {
  const Span span = session->whose_of(call[0]).definition;
  if (!span.known()) return runtime::str_value("");
  std::string text = session->sources.text_of(span);
  for (uint32_t line = span.line + 1; line <= span.end_line; ++line)
    text += fmt::format("\n{}", session->sources.line(span.source, line));
  return runtime::str_value(text);
}

constexpr runtime::NativeDefinition kNatives[] = {
    {"mark()", native_mark, runtime::kImpure, "begins to keep all that is compiled"},
    {"regions(since, /)", native_regions, runtime::kImpure, "what was compiled from a mark on"},
    {"definition(function, /)", native_definition, runtime::kImpure, "where a function stands"},
    {"text(function, /)", native_text, runtime::kImpure, "what is written in its definition"},
    {"check_target(path, /)", native_check_target, runtime::kImpure,
     "raises where no page is to be written"},
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

std::string Session::Parts::report_page(Whose whose) {
  std::string title = std::filesystem::path(script).filename().string();
  return report::html_page(report::build_document(
      {.log = log,
       .sources = sources,
       .is_library = [this](SourceId source) { return sources.is_library(source); },
       .title = title.empty() ? "Glint" : title,
       .whose = std::move(whose),
       .failure = failure,
       .script = script_source}));
}

std::string Session::report_page() {
  return parts_->report_page(parts_->whose_of({}));
}

}  // namespace glint
