// The builtin `help`, and what it finds by a name.
//
//     help(torch.relu)          the page that `?torch.relu` shows
//     help("torch.nn.Linear")   the same of what a module of Glint's own has, imported or not

#include "library/library.h"
#include "runtime/interpreter/attributes.h"
#include "runtime/interpreter/protocol.h"
#include "runtime/session/parts.h"

namespace glint {
namespace {

/// The one session; natives are plain functions.
Session::Parts* session = nullptr;

runtime::Value native_help(runtime::NativeCall& call) {
  bool given = call[0].defined();
  std::string text = given ? session->help_on(call[0])
                           : "help(x) tells of a value; help('torch.relu') of what has that name\n";
  if (call.interpreter.raised()) return runtime::Value();
  call.interpreter.output().write_out(text);
  return runtime::Value::none();
}

constexpr runtime::NativeDefinition kHelp = {"help(request=..., /)", native_help, runtime::kImpure,
                                             "prints how a value is called and what it does"};

}  // namespace

void Session::Parts::install_help() {
  session = this;
  interpreter.add_builtin(kHelp);
}

runtime::Value Session::Parts::library_path(std::string_view path) {
  std::string_view first = path.substr(0, path.find('.'));
  runtime::Value value;
  size_t end = first.size();
  if (library::find_module(first) || runtime::find_native_module(first))
    value = interpreter.import_module(std::string(first));
  else if (runtime::Value* builtin = interpreter.builtins().table.find(first))
    value = *builtin;
  while (value.defined() && end < path.size()) {
    size_t begin = end + 1;
    end = std::min(path.find('.', begin), path.size());
    value = runtime::get_attribute(interpreter, value,
                                   runtime::intern(path.substr(begin, end - begin)));
    if (value.defined()) continue;
    // A part of a package that nothing has imported yet.
    interpreter.take_pending();
    std::string module(path.substr(0, end));
    if (library::find_module(module) || runtime::find_native_module(module))
      value = interpreter.import_module(module);
  }
  if (interpreter.raised()) interpreter.take_pending();
  return value;
}

}  // namespace glint
