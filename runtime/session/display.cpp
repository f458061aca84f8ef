#include "runtime/session/display.h"

#include <fmt/format.h>

#include "core/support/base64.h"
#include "runtime/interpreter/attributes.h"
#include "runtime/interpreter/builtins.h"
#include "runtime/interpreter/protocol.h"
#include "runtime/interpreter/torch_modules.h"
#include "runtime/session/parts.h"

namespace glint {
namespace {

using runtime::NativeCall;
using runtime::Value;

constexpr std::string_view kLibrary = "IPython.display";

/// Where the script shows; natives are plain functions, and one session lives at a time.
Display* shows_on = nullptr;
/// Whether someone types, be it in a notebook or at the REPL.
bool is_interactive = false;

Value native_is_interactive(NativeCall& call) {
  return Value(is_interactive);
}
Value native_is_rich(NativeCall& call) {
  return Value(shows_on != nullptr);
}

Value native_forms(NativeCall& call) {
  MimeForms forms = forms_of(call.interpreter, call[0]);
  if (call.interpreter.raised()) return Value();
  Ref<runtime::DictObject> dict = runtime::make_dict();
  for (auto& [type, text] : forms) dict->set(type, runtime::str_value(std::move(text)));
  return Value(std::move(dict));
}

Value native_show(NativeCall& call) {
  Shown shown;
  std::string_view id;
  const int updates = runtime::truth(call.interpreter, call[2]);
  if (updates < 0 || !runtime::text_argument(call, 1, id)) return Value();
  shown.id = id;
  shown.updates = updates == 1;
  if (!add_forms(call.interpreter, call[0], shown.forms)) return Value();
  if (call.interpreter.output().flush() != 0 || !shows_on) return Value::none();
  shows_on->show(shown);
  return Value::none();
}

Value native_clear(NativeCall& call) {
  const int waits = runtime::truth(call.interpreter, call[0]);
  if (waits < 0) return Value();
  call.interpreter.output().flush();
  if (shows_on) shows_on->clear(waits == 1);
  return Value::none();
}

Value native_base64(NativeCall& call) {
  auto* bytes = call[0].try_as<runtime::BytesObject>();
  if (!bytes) return call.raise("TypeError", "a bytes-like object is required");
  return runtime::str_value(base64(bytes->data));
}

constexpr runtime::NativeDefinition kNatives[] = {
    {"is_interactive()", native_is_interactive, runtime::kImpure, "whether someone types"},
    {"is_rich()", native_is_rich, runtime::kImpure, "whether pictures are shown, and can change"},
    {"forms(value, /)", native_forms, runtime::kImpure, "by MIME type, what shows it"},
    {"show(forms, id, updates, /)", native_show, runtime::kImpure, "shows forms, under a name"},
    {"base64(bytes, /)", native_base64, runtime::kPure, "bytes as text"},
    {"clear(waits, /)", native_clear, runtime::kImpure, "takes away what the cell has shown"},
};

void fill(runtime::Interpreter& interpreter, runtime::ModuleObject& module) {
  interpreter.add_functions(module, kNatives);
  module.dict->set("at_cell_end", Value(runtime::make_list()));
}

/// The library's `display`, which is loaded once it is called.
Value native_display(NativeCall& call) {
  Value module = call.interpreter.import_module(kLibrary);
  Value display =
      module.defined() ? runtime::get_attribute(call.interpreter, module, "display") : module;
  if (!display.defined()) return display;
  return call.interpreter.call_with_keywords(display, call[0].as<runtime::TupleObject>()->items,
                                             runtime::keyword_pairs(call[1]));
}

constexpr runtime::NativeDefinition kDisplay = {
    "display(*objects, **options)", native_display, runtime::kImpure,
    "shows values in the richest form that is known here; see IPython.display"};

}  // namespace

void Session::Parts::install_display() {
  runtime::NativeModule module;
  module.fill = fill;
  runtime::register_native_module("_glint_display", module);
}

void Session::add_display(Display* display) {
  shows_on = display;
  is_interactive = true;
  parts_->interpreter.add_builtin(kDisplay);
}

std::optional<RaisedException> Session::end_cell() {
  Parts& parts = *parts_;
  runtime::Value* module = parts.interpreter.modules().find("_glint_display");
  if (!module) return std::nullopt;
  runtime::Value* calls = module->as<runtime::ModuleObject>()->dict->find("at_cell_end");
  const auto* list = calls ? calls->try_as<runtime::ListObject>() : nullptr;
  if (!list) return std::nullopt;
  for (const runtime::Value& each : std::vector<runtime::Value>(list->items)) {
    if (parts.interpreter.call(each, {}).is_undefined()) return parts.take_raised();
  }
  parts.interpreter.output().flush();
  return std::nullopt;
}

}  // namespace glint
