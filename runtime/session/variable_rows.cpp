#include "runtime/session/variable_rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/tensor/dtype.h"
#include "runtime/interpreter/protocol.h"
#include "runtime/session/parts.h"
#include "runtime/session/session.h"

namespace glint {
namespace {

using namespace runtime;  // NOLINT: the interpreter's object structs, by their names

constexpr size_t kMostText = 40;

/// Cut between two code points.
std::string cut(std::string text) {
  if (text.size() <= kMostText) return text;
  size_t end = kMostText - 3;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return text.substr(0, end) + "...";
}

/// The repr of what is no object of a script's.
std::string plain_repr(const runtime::Value& value) {
  Interpreter& interpreter = Interpreter::current();
  std::string text;
  if (!repr_of(interpreter, value, text)) interpreter.take_pending();
  return text;
}

bool is_scalar(const runtime::Value& value) {
  return !value.is_object() || value.is<StrObject>() || type_name(value) == "float" ||
         type_name(value) == "int";
}

std::string counted(size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

/// Short rows of plain values as they are; of others, how many.
std::string items_text(const runtime::Value& whole, const std::vector<runtime::Value>& items) {
  constexpr size_t kMostItems = 8;
  bool plain = items.size() <= kMostItems && std::ranges::all_of(items, is_scalar) &&
               !whole.as<Object>()->flag(Object::kSubclassed);
  return plain ? plain_repr(whole) : counted(items.size(), "item");
}

std::string value_text(const runtime::Value& value) {
  if (auto* text = value.try_as<StrObject>()) {
    // Of a long text the beginning is enough.
    constexpr int64_t kEnough = 2 * kMostText;
    if (text->length <= kEnough) return plain_repr(value);
    return plain_repr(str_value(std::string(code_point_slice(*text, 0, kEnough))));
  }
  if (is_scalar(value)) return plain_repr(value);
  if (auto* list = value.try_as<ListObject>()) return items_text(value, list->items);
  if (auto* tuple = value.try_as<TupleObject>()) return items_text(value, tuple->items);
  if (auto* dict = value.try_as<DictObject>()) return counted(dict->size(), "item");
  if (auto* function = value.try_as<FunctionObject>())
    return fmt::format("{}, line {}",
                       Interpreter::current().sources().name(function->code->span.source),
                       function->code->span.line);
  if (auto* compiled = value.try_as<CompiledFunctionObject>())
    return "compiled; " + value_text(compiled->function);
  if (auto* module = value.try_as<ModuleObject>()) return std::string(module->name->view());
  if (auto* cls = value.try_as<ClassObject>()) return std::string(cls->qualified_name->view());
  return "";
}

}  // namespace

VariableRow row_of(const runtime::Value& value) {
  VariableRow row;
  row.type = runtime::type_name(value);
  if (runtime::is_tensor(value)) {
    const Tensor tensor = runtime::tensor_of(value);
    row.shape = fmt::format("[{}]", fmt::join(tensor.sizes(), ", "));
    row.dtype = dtype_name(tensor.dtype());
    row.bytes = std::to_string(tensor.bytes());
    if (!tensor.device().is_cpu()) row.value = fmt::format("on {}", to_string(tensor.device()));
    return row;
  }
  if (auto* text = value.try_as<runtime::StrObject>())
    row.bytes = std::to_string(text->text.size());
  if (auto* bytes = value.try_as<runtime::BytesObject>())
    row.bytes = std::to_string(bytes->data.size());
  row.value = cut(value_text(value));
  return row;
}

std::vector<VariableRow> Session::variables() const {
  std::vector<VariableRow> rows;
  for (const auto& entry : parts_->main->dict->table.entries()) {
    auto* name = entry.key.try_as<runtime::StrObject>();
    if (!name || name->view().starts_with("__")) continue;
    rows.push_back(row_of(entry.value));
    rows.back().name = name->view();
  }
  std::ranges::sort(rows, {}, &VariableRow::name);
  return rows;
}

}  // namespace glint
