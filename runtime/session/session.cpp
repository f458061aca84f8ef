#include "runtime/session/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>
#include <utility>

#include "core/support/environment.h"
#include "frontend/frontend.h"
#include "frontend/layout.h"
#include "runtime/capture/executable.h"
#include "runtime/interpreter/interpreter.h"
#include "runtime/interpreter/protocol.h"
#include "runtime/session/importer.h"
#include "runtime/session/parts.h"

namespace glint {

void Session::Parts::set_in_sys(std::string_view name, const std::vector<std::string>& texts) {
  runtime::Value module = interpreter.import_module("sys");
  auto list = make_ref<runtime::ListObject>();
  for (const std::string& text : texts)
    list->items.push_back(runtime::Value(runtime::make_str(text)));
  module.as<runtime::ModuleObject>()->dict->set(name, runtime::Value(list));
}

void Session::Parts::set_arguments() {
  set_in_sys("argv", options.arguments.empty() ? std::vector<std::string>{""} : options.arguments);
}

void Session::Parts::set_search_folders(const std::string& folder) {
  if (std::exchange(has_folders, true)) return;
  std::vector<std::string> folders = {folder};
  std::stringstream list(environment::value(environment::Variable::kPath).value_or(""));
  for (std::string each; std::getline(list, each, ':');) {
    if (!each.empty()) folders.push_back(each);
  }
  set_in_sys("path", folders);
}

std::vector<std::string> Session::Parts::search_folders() {
  std::vector<std::string> folders;
  runtime::Value* sys = interpreter.modules().find("sys");
  runtime::Value* path = sys && sys->is<runtime::ModuleObject>()
                             ? sys->as<runtime::ModuleObject>()->dict->find("path")
                             : nullptr;
  auto* list = path ? path->try_as<runtime::ListObject>() : nullptr;
  if (!list) return folders;
  for (const runtime::Value& each : list->items)
    if (runtime::is_str(each)) folders.emplace_back(runtime::view_of(each));
  return folders;
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

Artifact Session::Parts::of_source(Stage stage, SourceId source, Span definition) const {
  std::string_view file = sources.name(source);
  Artifact artifact;
  artifact.stage = stage;
  artifact.function = file == script ? options.arguments.front() : std::string(file);
  artifact.definition = definition;
  return artifact;
}

void Session::Parts::log_tokens(SourceId source, Span definition) {
  Artifact tokens = of_source(Stage::kTokens, source, definition);
  tokens.lines = [this, source] {
    return frontend::print_tokens(frontend::lay_out(sources.text(source), source),
                                  sources.text(source));
  };
  log.add(std::move(tokens));
}

void Session::Parts::log_source(const frontend::CompiledSource& compiled, SourceId source) {
  // The recipes read the text again: nobody pays for a stage that nobody looks at.
  log_tokens(source, compiled.code->span);
  Artifact tree = of_source(Stage::kAst, source, compiled.code->span);
  tree.lines = [this, source] {
    auto parsed = frontend::parse(sources.text(source), source, frontend::Mode::kFile);
    auto* module = std::get_if<frontend::Module>(&parsed);
    return module ? frontend::print_tree(*module) : std::vector<StageLine>();
  };
  tree.milliseconds = compiled.parse_milliseconds;
  log.add(std::move(tree));
  log_program(compiled.code, compiled.lower_milliseconds);
}

int Session::Parts::run(SourceId source) {
  script_source = source;
  std::vector<std::string> further;
  runtime::Compiled compiled = importer.compile_script(source, further);
  if (auto* problem = std::get_if<runtime::SyntaxProblem>(&compiled)) {
    interpreter.raise_syntax_error(*problem);
    int exit_code = report_exception(options.goes_on);
    const uint32_t column = problem->column > 0 ? problem->column - 1 : 0;
    failure.places = {{source, problem->line, column, problem->line, column + 1}};
    log_tokens(source, {source, 1, 0, 1, 0});  // no further does it come
    for (const std::string& text : further) interpreter.output().write_error(text);
    return exit_code;
  }
  std::string file(sources.name(source));
  if (file != "<string>") main->dict->set("__file__", runtime::Value(runtime::make_str(file)));
  const bool is_done = interpreter.run_module(*main, std::get<0>(compiled)).defined();
  int exit_code = is_done ? 0 : report_exception(options.goes_on);
  // What kernels have found is told by a script too that leaves by `sys.exit` or an exception.
  if (!device::finish_launches(interpreter)) exit_code = report_exception(options.goes_on);
  interpreter.output().flush();
  return exit_code;
}

int Session::Parts::report_exception(bool goes_on) {
  failure = {};
  auto raised = interpreter.take_pending();
  for (const runtime::TracebackEntry& entry : raised->traceback)
    failure.places.push_back(entry.code->instructions[entry.pc].span);
  interpreter.raise(std::move(raised));
  auto [exit_code, text] = interpreter.report_exception(goes_on);
  failure.text = std::move(text);
  if (failure.text.empty()) failure.places.clear();
  return exit_code;
}

Session::Session(SessionOptions options) : parts_(std::make_unique<Parts>(std::move(options))) {}
Session::~Session() {
  parts_->typed_entries.clear();
  runtime::run_exit_functions(parts_->interpreter);
  runtime::finalise_variables(*parts_->main);
  parts_->interpreter.output().flush();
}

int Session::end(int exit_code) {
  parts_->typed_entries.clear();
  runtime::run_exit_functions(parts_->interpreter);
  runtime::finalise_variables(*parts_->main);
  runtime::OutputSink& output = parts_->interpreter.output();
  output.flush();
  if (output.lost() == 0) return exit_code;
  parts_->interpreter.report_lost_output();
  return kLostOutputExit;
}

Result<std::string> read_script(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  const int number = in ? 0 : errno;
  std::error_code error;
  bool folder = std::filesystem::is_directory(path, error);
  if (folder) return Error{fmt::format("can't open file '{}': it is a folder", path)};
  if (!in)
    return Error{
        fmt::format("can't open file '{}': [Errno {}] {}", path, number, std::strerror(number))};
  // No source has null bytes: those of a device would never end.
  std::string text;
  std::array<char, 1 << 16> part;
  while (text.find('\0', text.size() - std::min(text.size(), part.size())) == std::string::npos &&
         (in.read(part.data(), part.size()), in.gcount() > 0))
    text.append(part.data(), static_cast<size_t>(in.gcount()));
  return text;
}

int Session::run_file(const std::string& path, std::string_view hint) {
  Result<std::string> text = read_script(path);
  if (!text) {
    std::cerr << fmt::format("glint: {}{}\n", text.error().message, hint);
    return 2;
  }
  std::filesystem::path file = std::filesystem::absolute(path);
  parts_->set_search_folders(file.lexically_normal().parent_path().string());
  parts_->script = file.string();
  return parts_->run(parts_->sources.add(file.string(), std::move(*text)));
}

int Session::run_text(std::string name, std::string text) {
  parts_->set_search_folders("");
  return parts_->run(parts_->sources.add(std::move(name), std::move(text)));
}

runtime::Value Session::Parts::run_typed(SourceId source, frontend::Mode mode) {
  runtime::Compiled compiled = importer.compile(source, mode, true);
  failure = {};
  if (auto* problem = std::get_if<runtime::SyntaxProblem>(&compiled))
    return interpreter.raise_syntax_error(*problem);
  const auto& code = std::get<0>(compiled);
  runtime::Value result = options.compile_everything ? runner.run_statements(code, *main)
                                                     : interpreter.run_module(*main, code);
  return result.defined() && !device::finish_launches(interpreter) ? runtime::Value() : result;
}

bool Session::Parts::enter(const std::string& text) {
  set_search_folders("");
  SourceId source = sources.add(fmt::format("<repl {}>", ++entries), text);
  typed_entries.begin(cell > 0 ? cell : entries, text);
  const bool is_done = run_typed(source, frontend::Mode::kSingle).defined();
  if (is_done)
    interpreter.output().flush();
  else
    typed_entries.note_raised(std::string(runtime::type_name(interpreter.pending())));
  return is_done;
}

EntryOutcome Session::run_entry(const std::string& text, int& exit_code) {
  Parts& parts = *parts_;
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) return EntryOutcome::kDone;
  if (parts.enter(text)) return EntryOutcome::kDone;
  bool exits = parts.interpreter.pending_is("SystemExit");
  exit_code = parts.report_exception(false);
  parts.interpreter.output().flush();
  take_interrupt();  // one that came while it failed ends nothing that is entered later
  return exits ? EntryOutcome::kExit : EntryOutcome::kRaised;
}

bool Session::run_call(const std::string& text) {
  if (parts_->enter(text)) return true;
  if (parts_->interpreter.pending_is("KeyboardInterrupt")) parts_->report_of_command();
  parts_->report_exception(false);
  parts_->interpreter.output().flush();
  return false;
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

bool Session::line_is_open() {
  return parts_->output->take_open_line();
}

void Session::paint_tracebacks(std::function<std::string(std::string_view)> paint) {
  parts_->output->paint_tracebacks(std::move(paint));
}

bool Session::take_interrupt() {
  if (!parts_->interpreter.raise_interrupt()) return false;
  parts_->interpreter.take_pending();
  return true;
}

std::string Session::read_line() {
  return parts_->interpreter.output().read_line();
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
