#include "runtime/session/importer.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "ir/program_bytes.h"
#include "library/library.h"
#include "runtime/interpreter/interpreter.h"

namespace glint {
namespace {

runtime::SyntaxProblem problem_of(const frontend::SyntaxError& error, const SourceMap& sources) {
  const Span& span = error.span;
  std::string_view line = frontend::shown_line(error, sources);
  auto column = [&](uint32_t byte) {
    return static_cast<uint32_t>(frontend::column_of(error, line, byte)) + 1;
  };
  return {std::string(frontend::class_name(error.kind)),
          frontend::message_of(error, sources),
          std::string(sources.name(span.source)),
          error.has_place ? span.line : 0,
          frontend::has_caret(error) ? column(span.column) : 0,
          span.end_line,
          column(span.end_column),
          std::string(line)};
}

frontend::Mode mode_of(runtime::CompileMode mode) {
  switch (mode) {
    case runtime::CompileMode::kExec:
      return frontend::Mode::kFile;
    case runtime::CompileMode::kSingle:
      return frontend::Mode::kSingle;
    case runtime::CompileMode::kEval:
      return frontend::Mode::kExpression;
  }
  return frontend::Mode::kFile;
}

}  // namespace

runtime::Compiled SessionImporter::compile_script(SourceId source,
                                                  std::vector<std::string>& further) {
  frontend::FrontendOptions options{
      .is_file = !sources_.name(source).starts_with('<'), .all_errors = true, .warn = warn_};
  auto result = frontend::compile_source(sources_, source, frontend::Mode::kFile, options);
  if (auto* errors = std::get_if<frontend::SyntaxErrors>(&result)) {
    for (size_t i = 1; i < errors->size(); ++i)
      further.push_back(frontend::print((*errors)[i], sources_));
    return problem_of(errors->front(), sources_);
  }
  auto& compiled = std::get<frontend::CompiledSource>(result);
  compiled_(compiled, source);
  return compiled.code;
}

runtime::Compiled SessionImporter::compile(SourceId source, frontend::Mode mode, bool users) {
  frontend::FrontendOptions options{.is_file = !sources_.name(source).starts_with('<')};
  if (users) options.warn = warn_;
  auto result = frontend::compile_source(sources_, source, mode, options);
  if (auto* errors = std::get_if<frontend::SyntaxErrors>(&result)) {
    return problem_of(errors->front(), sources_);
  }
  auto& compiled = std::get<frontend::CompiledSource>(result);
  if (users) compiled_(compiled, source);
  return compiled.code;
}

runtime::Compiled SessionImporter::compile(std::string_view text, std::string_view file,
                                           runtime::CompileMode mode) {
  SourceId source = sources_.add(std::string(file), std::string(text));
  frontend::FrontendOptions options{.names_are_dynamic = true, .warn = warn_};
  auto result = frontend::compile_source(sources_, source, mode_of(mode), options);
  if (auto* errors = std::get_if<frontend::SyntaxErrors>(&result)) {
    runtime::SyntaxProblem problem = problem_of(errors->front(), sources_);
    // CPython ends the text itself, but not that of an expression.
    if (mode != runtime::CompileMode::kEval && !problem.text.empty()) problem.text += '\n';
    return problem;
  }
  return std::get<frontend::CompiledSource>(result).code;
}

runtime::Importer::Found SessionImporter::load_file(const std::string& path, bool is_package) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return runtime::NoModule{};
  std::stringstream text;
  text << in.rdbuf();
  SourceId source = sources_.add(path, text.str());
  auto compiled = compile(source, frontend::Mode::kFile, true);
  if (auto* problem = std::get_if<runtime::SyntaxProblem>(&compiled)) return *problem;
  return runtime::SourceModule{std::get<0>(compiled), path, is_package};
}

std::set<std::string> SessionImporter::names() const {
  std::set<std::string> found;
  for (std::string& name : runtime::native_module_names()) found.insert(std::move(name));
  for (const library::EmbeddedModule& each : library::modules()) found.emplace(each.name);
  for (const std::string& folder : folders()) {
    std::error_code ignored;
    for (const auto& entry :
         std::filesystem::directory_iterator(folder.empty() ? "." : folder, ignored)) {
      bool package = std::filesystem::is_regular_file(entry.path() / "__init__.py", ignored);
      if (package || entry.path().extension() == ".py") found.insert(entry.path().stem().string());
    }
  }
  return found;
}

runtime::Importer::Found SessionImporter::find(std::string_view name) {
  std::string relative(name);
  for (char& c : relative) {
    if (c == '.') c = '/';
  }
  for (const std::string& folder : folders()) {
    std::string base = folder.empty() ? relative : folder + "/" + relative;
    std::error_code ignored;
    if (std::filesystem::is_regular_file(base + ".py", ignored))
      return load_file(base + ".py", false);
    std::string package = base + "/__init__.py";
    if (std::filesystem::is_regular_file(package, ignored)) return load_file(package, true);
  }
  const runtime::NativeModule* native = runtime::find_native_module(name);
  const library::EmbeddedModule* embedded = library::find_module(name);
  if (!embedded) return native ? Found(*native) : Found(runtime::NoModule{});
  SourceId source = sources_.add_library(std::string(embedded->file), std::string(embedded->text));
  auto code = program::read_bytes(embedded->program, source);
  if (native)
    return runtime::NativeModule{native->fill, code, embedded->is_package || native->is_package};
  return runtime::SourceModule{code, std::string(embedded->file), embedded->is_package};
}

}  // namespace glint
