#include "runtime/session/operand.h"

#include <charconv>

#include "runtime/interpreter/protocol.h"

namespace glint {
namespace {

/// The value of a literal index: a number or a text; undefined for all else.
runtime::Value literal(std::string_view text) {
  bool quoted = text.size() > 1 && (text[0] == '"' || text[0] == '\'') && text.back() == text[0];
  if (quoted) return runtime::str_value(std::string(text.substr(1, text.size() - 2)));
  int64_t number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  bool whole = error == std::errc() && end == text.data() + text.size();
  return whole ? runtime::Value(number) : runtime::Value();
}

/// Whether an item is had without code of the script's.
bool has_plain_items(const runtime::Value& value) {
  bool builtin = value.is<runtime::ListObject>() || value.is<runtime::TupleObject>() ||
                 value.is<runtime::DictObject>() || value.is<runtime::StrObject>();
  bool scripted = builtin && value.as<runtime::Object>()->flag(runtime::Object::kSubclassed);
  return (builtin && !scripted) || runtime::is_tensor(value);
}

}  // namespace

runtime::Value operand(runtime::Interpreter& interpreter, std::string_view text,
                       const std::function<runtime::Value(std::string_view)>& path_of,
                       Items items) {
  bool quoted = text.starts_with('"') || text.starts_with('\'');
  runtime::Value value = quoted ? literal(text) : runtime::Value();
  size_t at = value.defined() ? text.size() : text.find('[');
  if (value.is_undefined()) value = path_of(text.substr(0, at));
  while (value.defined() && at < text.size()) {
    size_t end = text.find(text[at] == '[' ? ']' : '[', at);
    if (text[at] == '[' && end != std::string_view::npos &&
        (items == Items::kOfAll || has_plain_items(value))) {
      runtime::Value index = literal(text.substr(at + 1, end - at - 1));
      value = index.defined() ? runtime::get_item(interpreter, value, index) : runtime::Value();
      at = end + 1;
    } else if (text[at] == '.') {
      for (std::string_view path = text.substr(at + 1, end - at - 1); value.defined();) {
        size_t dot = path.find('.');
        value = runtime::get_attribute(interpreter, value, path.substr(0, dot));
        if (dot == std::string_view::npos) break;
        path.remove_prefix(dot + 1);
      }
      at = end;
    } else {
      return runtime::Value();
    }
  }
  if (interpreter.raised()) interpreter.take_pending();
  return value;
}

}  // namespace glint
