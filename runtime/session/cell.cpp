#include "runtime/session/cell.h"

#include <fmt/format.h>

#include "core/support/base64.h"
#include "runtime/interpreter/attributes.h"
#include "runtime/interpreter/builtins_encodings.h"
#include "runtime/interpreter/protocol.h"
#include "runtime/session/parts.h"
#include "runtime/session/session.h"

namespace glint {
namespace {

struct Form {
  std::string_view method;
  std::string_view type;
};
constexpr Form kForms[] = {
    {"_repr_html_", "text/html"},        {"_repr_markdown_", "text/markdown"},
    {"_repr_svg_", "image/svg+xml"},     {"_repr_latex_", "text/latex"},
    {"_repr_json_", "application/json"}, {"_repr_javascript_", "application/javascript"},
    {"_repr_png_", "image/png"},         {"_repr_jpeg_", "image/jpeg"},
};

/// As text: data of a JSON form by `json.dumps`, bytes of a picture in base 64. Undefined: raised.
runtime::Value text_of_form(runtime::Interpreter& interpreter, std::string_view type,
                            runtime::Value given) {
  if (auto* bytes = given.try_as<runtime::BytesObject>())
    return runtime::str_value(base64(bytes->data));
  const bool is_data = given.is<runtime::DictObject>() || given.is<runtime::ListObject>();
  if (!is_data || !type.ends_with("json")) return given;
  runtime::Value json = interpreter.import_module("json");
  return json.defined() ? interpreter.call_method(json, "dumps", {std::move(given)})
                        : runtime::Value();
}

/// Of an exception whose text is not to be had, nothing.
void forget_but_interrupt(runtime::Interpreter& interpreter) {
  if (interpreter.raised() && !interpreter.pending_is("KeyboardInterrupt"))
    interpreter.take_pending();
}

/// What `_repr_mimebundle_` gives: a dict of forms, or a tuple of it and what goes with it.
void add_bundle(runtime::Interpreter& interpreter, const runtime::Value& value, MimeForms& forms) {
  runtime::Value method = runtime::get_attribute(interpreter, value, "_repr_mimebundle_");
  runtime::Value bundle = method.defined() ? interpreter.call(method, {}) : runtime::Value();
  auto* pair = bundle.try_as<runtime::TupleObject>();
  if (pair && !pair->items.empty()) bundle = pair->items[0];
  if (bundle.is<runtime::DictObject>()) add_forms(interpreter, bundle, forms);
  forget_but_interrupt(interpreter);
}

}  // namespace

bool add_forms(runtime::Interpreter& interpreter, const runtime::Value& given, MimeForms& forms) {
  auto* dict = given.try_as<runtime::DictObject>();
  if (!dict) {
    interpreter.raise("TypeError", "a dict of forms by MIME type is expected");
    return false;
  }
  const Ref<runtime::DictObject> held(dict);
  for (const auto& entry :
       std::vector(dict->table.entries().begin(), dict->table.entries().end())) {
    if (!runtime::is_str(entry.key)) continue;
    const std::string type(runtime::view_of(entry.key));
    runtime::Value text = text_of_form(interpreter, type, entry.value);
    if (!text.defined()) return false;
    if (runtime::is_str(text)) forms[type] = runtime::view_of(text);
  }
  return true;
}

MimeForms forms_of(runtime::Interpreter& interpreter, const runtime::Value& value) {
  MimeForms forms;
  if (!runtime::repr_of(interpreter, value, forms["text/plain"])) return forms;
  if (value.is<runtime::ClassObject>()) return forms;
  for (const Form& form : kForms) {
    runtime::Value method =
        runtime::get_attribute(interpreter, value, runtime::intern(form.method));
    runtime::Value text = method.defined() ? interpreter.call(method, {}) : runtime::Value();
    if (text.defined()) text = text_of_form(interpreter, form.type, std::move(text));
    if (runtime::is_str(text)) forms[std::string(form.type)] = runtime::view_of(text);
    forget_but_interrupt(interpreter);
    if (interpreter.raised()) return forms;
  }
  add_bundle(interpreter, value, forms);
  return forms;
}

RaisedException Session::Parts::take_raised() {
  Ref<runtime::ExceptionObject> exception = interpreter.take_pending();
  interpreter.output().flush();
  RaisedException raised;
  raised.type = exception->cls->name->view();
  raised.traceback = runtime::with_escapes(interpreter, interpreter.format_exception(*exception));
  if (!runtime::str_of(interpreter, runtime::Value(exception), raised.text))
    interpreter.take_pending();
  raised.text = runtime::with_escapes(interpreter, raised.text);
  failure = {};
  if (raised.type != "SystemExit") {
    failure.text = raised.traceback;
    for (const runtime::TracebackEntry& entry : exception->traceback)
      failure.places.push_back(entry.code->instructions[entry.pc].span);
  }
  // A Ctrl-C that came while it failed ends nothing that is run later.
  if (interpreter.raise_interrupt()) interpreter.take_pending();
  return raised;
}

void Session::begin_cell(uint32_t number) {
  parts_->cell = number;
}

CellOutcome Session::run_cell(const std::string& text) {
  Parts& parts = *parts_;
  parts.set_search_folders("");
  parts.typed_entries.begin(parts.cell, text, true);
  SourceId source = parts.sources.add(fmt::format("<cell {}>", parts.cell), text);
  if (parts.run_typed(source, frontend::Mode::kCell).defined()) {
    parts.interpreter.output().flush();
    return {};
  }
  bool exits = parts.interpreter.pending_is("SystemExit");
  RaisedException raised = parts.take_raised();
  parts.typed_entries.note_raised(raised.type);
  return {exits ? EntryOutcome::kExit : EntryOutcome::kRaised, std::move(raised)};
}

std::variant<MimeForms, RaisedException> Session::evaluate(const std::string& expression) {
  Parts& parts = *parts_;
  SourceId source = parts.sources.add("<expression>", expression);
  runtime::Compiled compiled = parts.importer.compile(source, frontend::Mode::kExpression, false);
  runtime::Value value;
  if (auto* problem = std::get_if<runtime::SyntaxProblem>(&compiled))
    value = parts.interpreter.raise_syntax_error(*problem);
  else
    value = parts.interpreter.run_code(std::get<0>(compiled), parts.main->dict, parts.main->dict);
  MimeForms forms;
  if (value.defined()) forms = forms_of(parts.interpreter, value);
  if (!parts.interpreter.raised()) return forms;
  RaisedException raised = parts.take_raised();
  parts.failure = {};  // no part of the script
  return raised;
}

TextState Session::cell_state(const std::string& text) const {
  switch (frontend::cell_completeness(text)) {
    case frontend::Completeness::kComplete:
      return TextState::kComplete;
    case frontend::Completeness::kIncomplete:
      return TextState::kIncomplete;
    case frontend::Completeness::kInvalid:
      break;
  }
  return TextState::kInvalid;
}

}  // namespace glint
