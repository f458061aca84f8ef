#include "runtime/session/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>

#include "core/support/environment.h"
#include "frontend/frontend.h"
#include "frontend/layout.h"
#include "runtime/capture/executable.h"
#include "runtime/interpreter/interpreter.h"
#include "runtime/interpreter/protocol.h"
#include "runtime/session/importer.h"
#include "runtime/session/parts.h"

namespace glint {

void Session::Parts::set_arguments() {
  runtime::Value module = interpreter.import_module("sys");
  auto* sys = module.try_as<runtime::ModuleObject>();
  if (!sys) return;
  auto list = make_ref<runtime::ListObject>();
  for (const std::string& argument : options.arguments) {
    list->items.push_back(runtime::Value(runtime::make_str(argument)));
  }
  if (list->items.empty()) list->items.push_back(runtime::Value(runtime::make_str("")));
  sys->dict->table.set(runtime::intern("argv").get(), runtime::Value(list));
}

void Session::Parts::add_search_folders(const std::string& folder) {
  importer.folders.push_back(folder);
  auto more = environment::value(environment::Variable::kPath);
  if (!more) return;
  std::stringstream list(*more);
  for (std::string each; std::getline(list, each, ':');) {
    if (!each.empty()) importer.folders.push_back(each);
  }
}

void Session::Parts::log_program(const std::shared_ptr<const program::Code>& code,
                                 double milliseconds) {
  Artifact artifact;
  artifact.stage = Stage::kProgram;
  artifact.function = code->qualified_name;
  artifact.definition = code->span;
  artifact.milliseconds = milliseconds;
  artifact.lines = [code] {
    std::vector<StageLine> lines;
    for (program::ProgramLine& line : program::print(*code)) {
      lines.push_back({std::move(line.text), {line.span}});
    }
    return lines;
  };
  log.add(std::move(artifact));
  for (const auto& inner : code->functions) log_program(inner, 0.0);
}

void Session::Parts::log_source(const frontend::CompiledSource& compiled, SourceId source) {
  // The recipes read the text again: nobody pays for a stage that nobody looks at.
  auto add = [&](Stage stage, auto make_lines, double milliseconds) {
    Artifact artifact;
    artifact.stage = stage;
    artifact.function = std::string(sources.name(source));
    artifact.definition = compiled.code->span;
    artifact.lines = make_lines;
    artifact.milliseconds = milliseconds;
    log.add(std::move(artifact));
  };
  add(
      Stage::kTokens,
      [this, source] {
        return frontend::print_tokens(frontend::lay_out(sources.text(source), source),
                                      sources.text(source));
      },
      0.0);
  add(
      Stage::kAst,
      [this, source] {
        auto parsed = frontend::parse(sources.text(source), source, frontend::Mode::kFile);
        auto* tree = std::get_if<frontend::Module>(&parsed);
        return tree ? frontend::print_tree(*tree) : std::vector<StageLine>();
      },
      compiled.parse_milliseconds);
  log_program(compiled.code, compiled.lower_milliseconds);
}

int Session::Parts::run(SourceId source) {
  runtime::Compiled compiled = importer.compile(source, frontend::Mode::kFile, true);
  if (auto* problem = std::get_if<runtime::SyntaxProblem>(&compiled)) {
    interpreter.raise_syntax_error(*problem);
    return interpreter.report_exception();
  }
  main->dict->table.set(runtime::intern("__file__").get(),
                        runtime::Value(runtime::make_str(std::string(sources.name(source)))));
  runtime::Value result = interpreter.run_module(*main, std::get<0>(compiled));
  int exit_code = result.is_undefined() ? interpreter.report_exception() : 0;
  interpreter.output().flush();
  return exit_code;
}

Session::Session(SessionOptions options) : parts_(std::make_unique<Parts>(std::move(options))) {}
Session::~Session() {
  runtime::finalise_variables(*parts_->main);
  parts_->interpreter.output().flush();
}

int Session::run_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::error_code error;
  if (!in || std::filesystem::is_directory(path, error)) {
    bool folder = std::filesystem::is_directory(path, error);
    std::cerr << fmt::format("glint: can't open file '{}': {}\n", path,
                             folder ? "it is a folder" : "[Errno 2] No such file or directory");
    return 2;
  }
  std::stringstream text;
  text << in.rdbuf();
  parts_->add_search_folders(std::filesystem::path(path).parent_path().string());
  return parts_->run(parts_->sources.add(path, text.str()));
}

int Session::run_text(std::string name, std::string text) {
  parts_->add_search_folders("");
  return parts_->run(parts_->sources.add(std::move(name), std::move(text)));
}

EntryOutcome Session::run_entry(const std::string& text, int& exit_code) {
  Parts& parts = *parts_;
  if (parts.importer.folders.empty()) parts.add_search_folders("");
  SourceId source = parts.sources.add(fmt::format("<repl {}>", ++parts.entries), text);
  runtime::Compiled compiled = parts.importer.compile(source, frontend::Mode::kSingle, true);
  runtime::Value result;
  if (auto* problem = std::get_if<runtime::SyntaxProblem>(&compiled)) {
    result = parts.interpreter.raise_syntax_error(*problem);
  } else {
    result = parts.interpreter.run_module(*parts.main, std::get<0>(compiled));
  }
  if (result.defined()) {
    parts.interpreter.output().flush();
    return EntryOutcome::kDone;
  }
  bool exits = parts.interpreter.pending_is("SystemExit");
  exit_code = parts.interpreter.report_exception();
  parts.interpreter.output().flush();
  return exits ? EntryOutcome::kExit : EntryOutcome::kRaised;
}

bool Session::entry_is_complete(const std::string& text) const {
  return frontend::entry_completeness(text) != frontend::Completeness::kIncomplete;
}

runtime::Value Session::Parts::attribute_path(std::string_view path) {
  runtime::Value value;
  for (size_t begin = 0; begin <= path.size();) {
    size_t end = std::min(path.find('.', begin), path.size());
    std::string_view part = path.substr(begin, end - begin);
    if (value.is_undefined()) {
      runtime::Value* found = main->dict->table.find(part);
      if (!found) found = interpreter.builtins().table.find(part);
      if (!found) return runtime::Value();
      value = *found;
    } else {
      value = runtime::get_attribute(interpreter, value, runtime::intern(part));
      if (value.is_undefined()) {
        interpreter.take_pending();
        return runtime::Value();
      }
    }
    begin = end + 1;
  }
  return value;
}

void Session::interrupt() {
  parts_->interpreter.interrupt();
}
bool Session::set_backend(const std::string& name) {
  // Glint's own one, whatever has stood for it so far.
  constexpr std::string_view kNative = "cpu";
  std::optional<std::string> known =
      capture::resolve_backend(name == "inductor" ? std::string(kNative) : name, parts_->context);
  if (!known) return false;
  parts_->context.default_backend = *known;
  parts_->runner.reset();  // what is called next is compiled anew, for this backend
  return true;
}
std::string Session::backend() const {
  return parts_->context.default_backend;
}
void Session::set_compile_everything(bool on) {
  parts_->options.compile_everything = on;
  parts_->interpreter.set_compiles_calls(on);
}
bool Session::compile_everything() const {
  return parts_->options.compile_everything;
}
StageLog& Session::log() {
  return parts_->log;
}
const SourceMap& Session::sources() const {
  return parts_->sources;
}

}  // namespace glint
