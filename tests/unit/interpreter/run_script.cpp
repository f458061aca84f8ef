#include "run_script.h"

#include "frontend/frontend.h"
#include "runtime/interpreter/interpreter.h"

namespace glint::test {
namespace {

using namespace runtime;

struct Collected : OutputSink {
  std::string out, error;
  int write_out(std::string_view text) override {
    out += text;
    return 0;
  }
  int write_error(std::string_view text) override {
    error += text;
    return 0;
  }
  std::string read_line() override { return {}; }
};

struct TestImporter : Importer {
  SourceMap& sources;
  const std::map<std::string, std::string>& modules;
  TestImporter(SourceMap& map, const std::map<std::string, std::string>& texts)
      : sources(map), modules(texts) {}

  Found find(std::string_view name) override {
    auto found = modules.find(std::string(name));
    if (found == modules.end()) return NoModule{};
    std::string file = std::string(name) + ".py";
    Compiled compiled = compile(found->second, file, CompileMode::kExec);
    if (auto* problem = std::get_if<SyntaxProblem>(&compiled)) return *problem;
    return SourceModule{std::get<0>(compiled), file, false};
  }
  Compiled compile(std::string_view text, std::string_view file, CompileMode mode) override {
    SourceId id = sources.add(std::string(file), std::string(text));
    frontend::Mode how = mode == CompileMode::kEval     ? frontend::Mode::kExpression
                         : mode == CompileMode::kSingle ? frontend::Mode::kSingle
                                                        : frontend::Mode::kFile;
    auto result = frontend::compile_source(sources, id, how);
    if (auto* compiled = std::get_if<frontend::CompiledSource>(&result)) return compiled->code;
    SyntaxProblem problem;
    problem.message = "invalid syntax";
    problem.file = std::string(file);
    return problem;
  }
};

}  // namespace

ScriptResult run_script(const std::string& text, const std::map<std::string, std::string>& modules,
                        const std::string& file) {
  SourceMap sources;
  TestImporter importer(sources, modules);
  Collected output;
  ScriptResult result;
  Interpreter interpreter(sources);
  interpreter.set_importer(&importer);
  interpreter.set_output(&output);
  Compiled compiled = importer.compile(text, file, CompileMode::kExec);
  if (std::holds_alternative<SyntaxProblem>(compiled)) return {"", "SyntaxError\n", 1};
  Ref<ModuleObject> main = interpreter.new_module("__main__");
  if (interpreter.run_module(*main, std::get<0>(compiled)).is_undefined()) {
    result.exit_code = interpreter.report_exception().exit_code;
  }
  result.out = std::move(output.out);
  result.error = std::move(output.error);
  return result;
}

}  // namespace glint::test
