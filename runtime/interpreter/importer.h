// Where modules and compiled source text come from; the session provides both.
//
// The interpreter does not link the front end and does not read files of scripts: for `import x` it
// asks the importer, which answers with code (a script beside the running one, a library module) or
// with a function that fills a native module.
//
//     struct Files : Importer {
//       Found find(std::string_view name) override { ... return Source{code, "tools.py", false}; }
//     };
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "core/support/result.h"
#include "ir/program.h"
#include "runtime/interpreter/value.h"

namespace glint::runtime {

class Interpreter;
struct ModuleObject;

/// A module that is a script or library source, compiled.
struct SourceModule {
  std::shared_ptr<const program::Code> code;
  std::string file;         ///< `__file__`
  bool is_package = false;  ///< it may have submodules
};
/// A module whose attributes natives make.
struct NativeModule {
  void (*fill)(Interpreter&, ModuleObject&) = nullptr;
  /// Library code to run in the same module after `fill`; null if none.
  std::shared_ptr<const program::Code> code = nullptr;
  bool is_package = false;
};
struct NoModule {};

/// What the text is: a whole file, one REPL entry (expression statements echo), an expression.
enum class CompileMode : uint8_t { kExec, kSingle, kEval };

/// A syntax error, as the exception object will carry it.
struct SyntaxProblem {
  std::string kind = "SyntaxError";  ///< or IndentationError, TabError
  std::string message;
  std::string file;
  uint32_t line = 0;
  uint32_t column = 0;  ///< from 1, as CPython's `offset`; 0: no place in the line
  uint32_t end_line = 0;
  uint32_t end_column = 0;
  std::string text;  ///< the source line
};
using Compiled = std::variant<std::shared_ptr<const program::Code>, SyntaxProblem>;

class Importer {
 public:
  using Found = std::variant<NoModule, SourceModule, NativeModule, SyntaxProblem>;
  virtual ~Importer() = default;
  /// The module of a full dotted name; its parents are loaded already.
  virtual Found find(std::string_view name) = 0;
  /// For `exec`, `eval`, `compile`.
  virtual Compiled compile(std::string_view text, std::string_view file, CompileMode mode) = 0;
};

}  // namespace glint::runtime
