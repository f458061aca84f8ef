// The compiler's warnings on standard error, as CPython prints them: the file's line is shown where
// the file can be read.
//
//     demo.py:3: SyntaxWarning: "is" with a literal. Did you mean "=="?
//       if x is 1:

#include <fmt/format.h>

#include <fstream>
#include <string>

#include "runtime/interpreter/protocol.h"
#include "runtime/session/parts.h"

namespace glint {
namespace {

/// Whether the script has said, with the module `warnings`, that it does not want to see this one.
bool is_ignored(runtime::Interpreter& in, const std::string& message) {
  runtime::Value* module = in.modules().table.find("warnings");
  if (!module) return false;
  runtime::Value choose = runtime::get_attribute(in, *module, runtime::intern("_action_for"));
  runtime::Value action;
  if (choose.defined())
    action = in.call(choose, {runtime::Value(in.classes().exceptions["SyntaxWarning"]),
                              runtime::str_value(message)});
  if (action.is_undefined()) in.take_pending();
  return runtime::is_str(action) && runtime::view_of(action) == "ignore";
}

/// A line of a file without its indentation; empty if there is none.
std::string line_of_file(const std::string& path, uint32_t number) {
  std::ifstream in(path, std::ios::binary);
  std::string line;
  for (uint32_t at = 0; at < number; ++at) {
    if (!std::getline(in, line)) return {};
  }
  if (line.ends_with('\r')) line.pop_back();
  return line.substr(std::min(line.find_first_not_of(" \t\f"), line.size()));
}

}  // namespace

void Session::Parts::print_warning(const frontend::SyntaxWarning& warning) {
  if (is_ignored(interpreter, warning.message)) return;
  std::string file(sources.name(warning.span.source));
  std::string text =
      fmt::format("{}:{}: SyntaxWarning: {}\n", file, warning.span.line, warning.message);
  std::string line = line_of_file(file, warning.span.line);
  if (!line.empty()) text += "  " + line + "\n";
  interpreter.output().write_error(text);
}

}  // namespace glint
