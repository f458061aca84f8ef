#include "runtime/capture/recipe.h"

#include "core/support/check.h"
#include "runtime/capture/symbolic_value.h"
#include "runtime/interpreter/interpreter.h"
#include "runtime/interpreter/protocol.h"

namespace glint::capture {

using namespace runtime;  // NOLINT: the interpreter's object structs, by their names

namespace {

constexpr size_t kDeepest = 100;

/// A function of the same code, still without defaults and cells.
Ref<FunctionObject> copy_of(const FunctionObject& function) {
  auto copy = make_ref<FunctionObject>();
  copy->code = function.code;
  copy->prepared = function.prepared;
  copy->globals = function.globals;
  copy->module_name = function.module_name;
  copy->name = function.name;
  copy->qualified_name = function.qualified_name;
  copy->doc = function.doc;
  copy->annotations = function.annotations;
  return copy;
}

/// Objects that never change, so that a region may hand out the very same ones.
bool is_constant_object(const Value& value) {
  switch (value.kind()) {
    case kStrKind:
    case kBytesKind:
    case kRangeKind:
    case kNativeFunctionKind:
    case kModuleKind:
    case kClassKind:
    case kDTypeKind:
    case kDeviceKind:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::optional<uint32_t> RecipeWriter::add(Recipe recipe, const Value& value) {
  auto number = static_cast<uint32_t>(recipes_.size());
  recipes_.push_back(std::move(recipe));
  if (value.is_object()) written_[value.object()] = number;
  return number;
}

std::optional<uint32_t> RecipeWriter::write(const Value& value) {
  if (!value.is_object()) return add({.kind = RecipeKind::kConstant, .constant = value}, value);
  if (auto found = written_.find(value.object()); found != written_.end()) return found->second;
  if (depth_ == kDeepest) {
    obstacle_ = "a value that nests too deeply";
    return std::nullopt;
  }
  ++depth_;
  std::optional<uint32_t> number = write_object(value);
  --depth_;
  return number;
}

std::optional<uint32_t> RecipeWriter::write_parts(RecipeKind kind, const std::vector<Value>& parts,
                                                  const Value& value) {
  Recipe recipe{.kind = kind};
  for (const Value& part : parts) {
    std::optional<uint32_t> number = write(part);
    if (!number) return std::nullopt;
    recipe.parts.push_back(*number);
  }
  return add(std::move(recipe), value);
}

std::optional<uint32_t> RecipeWriter::write_function(FunctionObject& function) {
  Value value(Ref<FunctionObject>{&function});
  if (!trace_.made_inside(function))
    return add({.kind = RecipeKind::kConstant, .constant = value}, value);
  if (function.keyword_defaults || function.attributes) {
    obstacle_ = "a function with attributes";
    return std::nullopt;
  }
  std::vector<Value> parts = function.defaults;
  for (const Ref<CellObject>& cell : function.closure) parts.push_back(Value(cell));
  std::optional<uint32_t> number = write_parts(RecipeKind::kFunction, parts, value);
  if (!number) return std::nullopt;
  Recipe& recipe = recipes_[*number];
  recipe.numbers[0] = static_cast<int64_t>(function.defaults.size());
  recipe.constant = Value(copy_of(function));
  return number;
}

std::optional<uint32_t> RecipeWriter::write_object(const Value& value) {
  if (value.is(kTensorKind)) {
    if (std::optional<uint32_t> output = trace_.output_of(tensor_of(value))) {
      return add({.kind = RecipeKind::kOutput, .output = *output}, value);
    }
  }
  if (auto* symbolic = value.try_as<SymIntObject>())
    return add({.kind = RecipeKind::kSymbol, .symbol = symbolic->value}, value);
  if (std::optional<SourceId> source = trace_.source_of(value)) {
    return add({.kind = RecipeKind::kSource, .source = *source}, value);
  }
  if (is_constant_object(value))
    return add({.kind = RecipeKind::kConstant, .constant = value}, value);
  bool subclassed =
      value.kind() >= kFirstInterpreterKind && value.as<Object>()->flag(Object::kSubclassed);
  if (!subclassed) {
    if (auto* list = value.try_as<ListObject>())
      return write_parts(RecipeKind::kList, list->items, value);
    if (auto* tuple = value.try_as<TupleObject>(); tuple && !tuple->is_size()) {
      return write_parts(RecipeKind::kTuple, tuple->items, value);
    }
    if (auto* dict = value.try_as<DictObject>()) {
      std::vector<Value> parts;
      for (const auto& entry : dict->table.entries()) {
        if (entry.key.is_undefined()) continue;
        parts.push_back(entry.key);
        parts.push_back(entry.value);
      }
      return write_parts(RecipeKind::kDict, parts, value);
    }
    if (auto* tuple = value.try_as<TupleObject>()) {
      if (holds_symbolic(value)) return write_parts(RecipeKind::kSize, tuple->items, value);
      return add({.kind = RecipeKind::kConstant, .constant = Value(Ref<TupleObject>(tuple))},
                 value);
    }
    if (value.is<SliceObject>())
      return add({.kind = RecipeKind::kConstant, .constant = value}, value);
  }
  if (auto* bound = value.try_as<BoundMethodObject>()) {
    return write_parts(RecipeKind::kBoundMethod, {bound->self, bound->function}, value);
  }
  if (auto* bound = value.try_as<BoundNativeObject>())
    return write_parts(RecipeKind::kBoundMethod, {bound->self, Value(bound->function)}, value);
  if (auto* function = value.try_as<FunctionObject>()) return write_function(*function);
  if (auto* cell = value.try_as<CellObject>(); cell && !trace_.made_inside(*cell)) {
    obstacle_ = "a closure over a variable from outside";
    return std::nullopt;
  }
  if (auto* cell = value.try_as<CellObject>())
    return write_parts(RecipeKind::kCell, {cell->value}, value);
  if (auto* instance = value.try_as<InstanceObject>()) {
    std::vector<Value> parts = {Value(instance->cls)};
    for (const auto& [name, attribute] : instance->attributes()) {
      parts.push_back(Value(name));
      parts.push_back(attribute);
    }
    if (instance->native_data.defined()) {
      obstacle_ = "an object that native code fills";
      return std::nullopt;
    }
    return write_parts(RecipeKind::kInstance, parts, value);
  }
  if (auto* iterator = dynamic_cast<RangeIterator*>(value.object())) {
    Recipe recipe{.kind = RecipeKind::kRangeIterator};
    recipe.numbers[0] = iterator->current;
    recipe.numbers[1] = iterator->step;
    recipe.numbers[2] = static_cast<int64_t>(iterator->remaining);
    return add(std::move(recipe), value);
  }
  if (auto* iterator = dynamic_cast<ListIterator*>(value.object()); iterator && iterator->list) {
    std::optional<uint32_t> list = write(Value(iterator->list));
    if (!list) return std::nullopt;
    Recipe recipe{.kind = RecipeKind::kListIterator, .parts = {*list}};
    recipe.numbers[0] = static_cast<int64_t>(iterator->index);
    return add(std::move(recipe), value);
  }
  if (auto* iterator = dynamic_cast<TupleIterator*>(value.object()); iterator && iterator->tuple) {
    std::optional<uint32_t> tuple = write(Value(iterator->tuple));
    if (!tuple) return std::nullopt;
    Recipe recipe{.kind = RecipeKind::kTupleIterator, .parts = {*tuple}};
    recipe.numbers[0] = static_cast<int64_t>(iterator->index);
    return add(std::move(recipe), value);
  }
  obstacle_ = "a " + type_name(value);
  return std::nullopt;
}

void rebuild(std::span<const Recipe> recipes, const GuardProgram& guards,
             std::span<const Tensor> outputs, std::span<const int64_t> symbols,
             std::vector<Value>& values) {
  values.clear();
  auto parts_of = [&](const Recipe& recipe) {
    std::vector<Value> parts;
    for (uint32_t part : recipe.parts) parts.push_back(values[part]);
    return parts;
  };
  for (const Recipe& recipe : recipes) {
    switch (recipe.kind) {
      case RecipeKind::kConstant:
        values.push_back(recipe.constant);
        break;
      case RecipeKind::kSource:
        values.push_back(*guards.slot(recipe.source));
        break;
      case RecipeKind::kOutput:
        values.push_back(Value(outputs[recipe.output].ref()));
        break;
      case RecipeKind::kSymbol:
        values.push_back(Value(recipe.symbol.evaluate(symbols)));
        break;
      case RecipeKind::kList:
        values.push_back(Value(make_list(parts_of(recipe))));
        break;
      case RecipeKind::kTuple:
        values.push_back(Value(make_tuple(parts_of(recipe))));
        break;
      case RecipeKind::kSize:
        values.push_back(Value(make_tuple(parts_of(recipe))));
        values.back().as<TupleObject>()->set_flag(Object::kIsSize);
        break;
      case RecipeKind::kDict: {
        auto dict = make_ref<DictObject>();
        for (size_t i = 0; i + 1 < recipe.parts.size(); i += 2) {
          dict->table.set(values[recipe.parts[i]], values[recipe.parts[i + 1]]);
        }
        values.push_back(Value(dict));
        break;
      }
      case RecipeKind::kBoundMethod:
        if (auto* native = values[recipe.parts[1]].try_as<NativeFunctionObject>()) {
          values.push_back(Value(make_ref<BoundNativeObject>(values[recipe.parts[0]],
                                                             Ref<NativeFunctionObject>(native))));
          break;
        }
        values.push_back(
            Value(make_ref<BoundMethodObject>(values[recipe.parts[0]], values[recipe.parts[1]])));
        break;
      case RecipeKind::kFunction: {
        Ref<FunctionObject> made = copy_of(*recipe.constant.as<FunctionObject>());
        auto first_cell = static_cast<size_t>(recipe.numbers[0]);
        for (size_t i = 0; i < recipe.parts.size(); ++i) {
          const Value& part = values[recipe.parts[i]];
          if (i < first_cell)
            made->defaults.push_back(part);
          else
            made->closure.push_back(Ref<CellObject>(part.as<CellObject>()));
        }
        values.push_back(Value(made));
        break;
      }
      case RecipeKind::kCell:
        values.push_back(Value(make_ref<CellObject>(values[recipe.parts[0]])));
        break;
      case RecipeKind::kInstance: {
        Ref<InstanceObject> made = InstanceObject::make(values[recipe.parts[0]].as<ClassObject>());
        for (size_t i = 1; i + 1 < recipe.parts.size(); i += 2) {
          made->set(Ref<StrObject>(values[recipe.parts[i]].as<StrObject>()),
                    values[recipe.parts[i + 1]]);
        }
        values.push_back(Value(made));
        break;
      }
      case RecipeKind::kRangeIterator: {
        auto made = make_ref<RangeIterator>(RangeObject(0, 0, 1));
        made->current = recipe.numbers[0];
        made->step = recipe.numbers[1];
        made->remaining = static_cast<uint64_t>(recipe.numbers[2]);
        values.push_back(Value(made));
        break;
      }
      case RecipeKind::kListIterator: {
        auto made =
            make_ref<ListIterator>(Ref<ListObject>(values[recipe.parts[0]].as<ListObject>()));
        made->index = static_cast<size_t>(recipe.numbers[0]);
        values.push_back(Value(made));
        break;
      }
      case RecipeKind::kTupleIterator: {
        auto made =
            make_ref<TupleIterator>(Ref<TupleObject>(values[recipe.parts[0]].as<TupleObject>()));
        made->index = static_cast<size_t>(recipe.numbers[0]);
        values.push_back(Value(made));
        break;
      }
    }
  }
}

}  // namespace glint::capture
