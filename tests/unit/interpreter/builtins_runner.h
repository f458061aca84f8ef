// Runs source text in a fresh interpreter, with the library, and gives what it printed.
//
//     CHECK(output_of("print(1 + 1)") == "2\n");
//     check_cases({{"print(1 + 1)", "2\n"}, ...});
//
// An exception that nothing catches ends as its last line: `ValueError: ...`.
#pragma once

#include <catch2/catch.hpp>
#include <initializer_list>
#include <string>
#include <string_view>

#include "core/support/source_map.h"
#include "frontend/frontend.h"
#include "ir/program_bytes.h"
#include "library/library.h"
#include "runtime/interpreter/interpreter.h"
#include "runtime/interpreter/protocol.h"

namespace glint::runtime {

class TestOutput final : public OutputSink {
 public:
  int write_out(std::string_view text) override {
    out += text;
    return 0;
  }
  int write_error(std::string_view text) override {
    error += text;
    return 0;
  }
  std::string read_line() override { return ""; }
  std::string out, error;
};

class TestImporter final : public Importer {
 public:
  explicit TestImporter(SourceMap& sources) : sources_(sources) {}

  Found find(std::string_view name) override {
    // What torch.compile is made with belongs to capture, which is not here.
    if (name == "_glint_compile") return NativeModule{};
    const NativeModule* native = find_native_module(name);
    const library::EmbeddedModule* embedded = library::find_module(name);
    if (!embedded) return native ? Found(*native) : Found(NoModule{});
    SourceId source = sources_.add(std::string(embedded->file), std::string(embedded->text));
    auto code = program::read_bytes(embedded->program, source);
    if (native) return NativeModule{native->fill, code, embedded->is_package || native->is_package};
    return SourceModule{code, std::string(embedded->file), embedded->is_package};
  }

  Compiled compile(std::string_view text, std::string_view file, CompileMode mode) override {
    return compile(text, file,
                   mode == CompileMode::kEval ? frontend::Mode::kExpression : frontend::Mode::kFile,
                   {.names_are_dynamic = true});
  }

  Compiled compile(std::string_view text, std::string_view file, frontend::Mode mode,
                   frontend::FrontendOptions options) {
    SourceId source = sources_.add(std::string(file), std::string(text));
    auto result = frontend::compile_source(sources_, source, mode, options);
    if (auto* errors = std::get_if<frontend::SyntaxErrors>(&result)) {
      SyntaxProblem problem;
      problem.message = errors->front().message;
      problem.file = file;
      problem.line = errors->front().span.line;
      return problem;
    }
    return std::get<frontend::CompiledSource>(result).code;
  }

 private:
  SourceMap& sources_;
};

inline std::string output_of(std::string_view text) {
  SourceMap sources;
  TestImporter importer(sources);
  TestOutput output;
  Interpreter interpreter(sources);
  interpreter.set_importer(&importer);
  interpreter.set_output(&output);
  Compiled compiled = importer.compile(text, "test.py", frontend::Mode::kFile, {});
  if (auto* problem = std::get_if<SyntaxProblem>(&compiled))
    return "SyntaxError: " + problem->message + "\n";
  Ref<ModuleObject> main = interpreter.new_module("__main__");
  if (interpreter.run_module(*main, std::get<0>(compiled)).is_undefined()) {
    Ref<ExceptionObject> exception = interpreter.take_pending();
    std::string message(exception->cls->name->view());
    std::string detail;
    if (str_of(interpreter, Value(exception), detail) && !detail.empty()) message += ": " + detail;
    output.out += message + "\n";
  }
  interpreter.set_output(nullptr);
  return output.out;
}

/// A text, and what it prints.
struct Case {
  std::string_view text, output;
};

inline void check_cases(std::initializer_list<Case> cases) {
  for (const Case& each : cases) {
    INFO(each.text);
    CHECK(output_of(each.text) == each.output);
  }
}

}  // namespace glint::runtime
