#include "runtime/capture/recipe.h"

#include <algorithm>

#include "core/support/check.h"
#include "runtime/capture/keys.h"
#include "runtime/capture/symbolic_float.h"
#include "runtime/capture/symbolic_value.h"
#include "runtime/interpreter/interpreter.h"
#include "runtime/interpreter/number_objects.h"
#include "runtime/interpreter/protocol.h"
#include "runtime/interpreter/table_iterator.h"

namespace glint::capture {

using namespace runtime;  // NOLINT: the interpreter's object structs, by their names
using runtime::Value;

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

/// `s0 + 3` as 0 and 3: a counter, most often.
std::optional<std::pair<uint32_t, int64_t>> shift_of(SymInt value) {
  std::vector<uint32_t> symbols = value.symbols();
  if (symbols.size() != 1) return std::nullopt;
  std::optional<int64_t> more = (value - SymInt::symbol(symbols[0])).maybe_constant();
  if (!more) return std::nullopt;
  return std::pair(symbols[0], *more);
}

bool is_subclassed(const Value& value) {
  return value.kind() >= kFirstInterpreterKind && value.as<Object>()->flag(Object::kSubclassed);
}

std::vector<Value> parts_of_dict(const DictObject& dict) {
  std::vector<Value> parts;
  for (const auto& entry : dict.table.entries()) {
    if (entry.key.is_undefined()) continue;
    parts.push_back(entry.key);
    parts.push_back(entry.value);
  }
  return parts;
}

/// What a list, tuple, dict (keys and values alternate) or set holds; of a number of a script's
/// class the plain one.
std::vector<Value> items_of_container(const Value& value) {
  if (is_number_object(value)) return {number_in(value)};
  if (auto* list = value.try_as<ListObject>()) return list->items;
  if (auto* tuple = value.try_as<TupleObject>()) return tuple->items;
  if (auto* dict = value.try_as<DictObject>()) return parts_of_dict(*dict);
  std::vector<Value> keys;
  for (const auto& entry : table_of(value)->entries())
    if (!entry.key.is_undefined()) keys.push_back(entry.key);
  return keys;
}

/// Objects that never change, so that a region may hand out the very same ones.
bool is_constant_object(const Value& value) {
  switch (value.kind()) {
    case kStrKind:
    case kBytesKind:
    case kBigIntKind:
    case kComplexKind:
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
  if (depth_ == kDeepest) return refuse("a value that nests too deeply");
  ++depth_;
  std::optional<uint32_t> number = write_object(value);
  --depth_;
  return number;
}

uint32_t RecipeWriter::write_source(SourceId source) {
  auto same = [&](const Recipe& each) {
    return each.kind == RecipeKind::kSource && each.source == source;
  };
  auto found = std::ranges::find_if(recipes_, same);
  if (found != recipes_.end()) return static_cast<uint32_t>(found - recipes_.begin());
  return *add({.kind = RecipeKind::kSource, .source = source}, Value());
}

std::optional<uint32_t> RecipeWriter::write_parts(RecipeKind kind, const Value& value) {
  Recipe recipe{.kind = kind};
  for (const Value& part : parts_of(value)) {
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
  if (function.keyword_defaults || function.attributes) return refuse("a function with attributes");
  std::optional<uint32_t> number = write_parts(RecipeKind::kFunction, value);
  if (!number) return std::nullopt;
  Recipe& recipe = recipes_[*number];
  recipe.numbers[0] = static_cast<int64_t>(function.defaults.size());
  recipe.constant = Value(copy_of(function));
  return number;
}

std::optional<uint32_t> RecipeWriter::write_object(const Value& value) {
  if (std::optional<uint32_t> known = write_known(value)) return known;
  if (is_subclassed(value)) return write_subclassed(value);
  switch (value.kind()) {
    case kListKind:
    case kTupleKind:
    case kDictKind:
    case kSliceKind:
      return write_container(value);
    case kSetKind:
    case kFrozenSetKind:
      return write_set(value);
    case kDictViewKind: {
      std::optional<uint32_t> number = write_parts(RecipeKind::kDictView, value);
      if (number)
        recipes_[*number].numbers[0] = static_cast<int64_t>(value.as<DictViewObject>()->what);
      return number;
    }
    case kBoundMethodKind:
    case kBoundNativeKind:
      return write_parts(RecipeKind::kBoundMethod, value);
    case kFunctionKind:
      return write_function(*value.as<FunctionObject>());
    case kCellKind: {
      auto* cell = value.as<CellObject>();
      if (!trace_.made_inside(*cell)) return refuse("a closure over a variable from outside");
      return write_parts(RecipeKind::kCell, value);
    }
    case kInstanceKind:
      return write_instance(value);
    case kIteratorKind:
      return write_iterator(value);
    default:
      return refuse("a " + type_name(value));
  }
}

std::optional<uint32_t> RecipeWriter::refuse(std::string obstacle) {
  obstacle_ = std::move(obstacle);
  return std::nullopt;
}

std::optional<uint32_t> RecipeWriter::write_known(const Value& value) {
  if (value.is(kTensorKind)) {
    if (std::optional<uint32_t> output = trace_.output_of(tensor_of(value))) {
      return add({.kind = RecipeKind::kOutput, .output = *output}, value);
    }
  }
  if (auto* symbolic = value.try_as<SymIntObject>())
    return add({.kind = RecipeKind::kSymbol,
                .symbol = symbolic->value,
                .shifted = shift_of(symbolic->value)},
               value);
  if (auto* symbolic = value.try_as<SymFloatObject>())
    return add({.kind = RecipeKind::kFloat, .step = symbolic->step}, value);
  if (std::optional<SourceId> source = trace_.source_of(value)) {
    return add({.kind = RecipeKind::kSource, .source = *source}, value);
  }
  if (is_constant_object(value))
    return add({.kind = RecipeKind::kConstant, .constant = value}, value);
  return std::nullopt;
}

std::optional<uint32_t> RecipeWriter::write_container(const Value& value) {
  if (value.is<ListObject>()) return write_parts(RecipeKind::kList, value);
  if (auto* tuple = value.try_as<TupleObject>(); tuple && !tuple->is_size())
    return write_parts(RecipeKind::kTuple, value);
  if (value.is<TupleObject>() && holds_symbolic(value))
    return write_parts(RecipeKind::kSize, value);
  if (value.is<DictObject>()) return write_parts(RecipeKind::kDict, value);
  if (value.is<SliceObject>() && std::ranges::any_of(parts_of(value), &Value::is_object))
    return write_parts(RecipeKind::kSlice, value);
  // A `torch.Size` or a slice of plain numbers.
  return add({.kind = RecipeKind::kConstant, .constant = value}, value);
}

std::optional<uint32_t> RecipeWriter::write_set(const Value& value) {
  const std::vector<Value> keys = items_of_container(value);
  if (!std::ranges::all_of(keys, is_plain_key)) return refuse("a set of what hashes itself");
  std::optional<uint32_t> number = write_parts(RecipeKind::kSet, value);
  if (!number) return std::nullopt;
  Recipe& recipe = recipes_[*number];
  recipe.numbers[1] = value.is(kFrozenSetKind);
  recipe.numbers[2] = static_cast<int64_t>(table_of(value)->slot_count());
  recipe.slots = table_of(value)->filled_slots();
  return number;
}

std::optional<uint32_t> RecipeWriter::write_subclassed(const Value& value) {
  std::optional<uint32_t> number;
  if (value.is<ListObject>())
    number = write_parts(RecipeKind::kList, value);
  else if (value.is<TupleObject>())
    number = write_parts(RecipeKind::kTuple, value);
  else if (value.is<DictObject>())
    number = write_parts(RecipeKind::kDict, value);
  else if (value.is(kSetKind) || value.is(kFrozenSetKind))
    number = write_set(value);
  else if (is_number_object(value))
    number = write_parts(RecipeKind::kNumber, value);
  else
    return refuse("a " + type_name(value));
  if (!number) return std::nullopt;
  recipes_[*number].constant = Value(Ref<ClassObject>(class_of(value)));
  recipes_[*number].numbers[0] = static_cast<int64_t>(items_of_container(value).size());
  return number;
}

std::optional<uint32_t> RecipeWriter::write_instance(const Value& value) {
  if (value.as<InstanceObject>()->native_data.defined())
    return refuse("an object that native code fills");
  return write_parts(RecipeKind::kInstance, value);
}

std::optional<uint32_t> RecipeWriter::write_iterator(const Value& value) {
  if (auto* iterator = dynamic_cast<RangeIterator*>(value.object())) {
    Recipe recipe{.kind = RecipeKind::kRangeIterator};
    recipe.numbers[0] = iterator->current;
    recipe.numbers[1] = iterator->step;
    recipe.numbers[2] = static_cast<int64_t>(iterator->remaining);
    return add(std::move(recipe), value);
  }
  auto along = [&](RecipeKind kind, size_t index) -> std::optional<uint32_t> {
    std::optional<uint32_t> number = write_parts(kind, value);
    if (number) recipes_[*number].numbers[0] = static_cast<int64_t>(index);
    return number;
  };
  if (auto* iterator = dynamic_cast<ListIterator*>(value.object()); iterator && iterator->list)
    return along(RecipeKind::kListIterator, iterator->index);
  if (auto* iterator = dynamic_cast<TupleIterator*>(value.object()); iterator && iterator->tuple)
    return along(RecipeKind::kTupleIterator, iterator->index);
  if (auto* iterator = dynamic_cast<TableIterator*>(value.object()); iterator && iterator->owner) {
    std::optional<uint32_t> number = along(RecipeKind::kTableIterator, iterator->given);
    if (number) recipes_[*number].numbers[1] = static_cast<int64_t>(iterator->what);
    return number;
  }
  return refuse("a " + type_name(value));
}

// ---- Parts
// ---------------------------------------------------------------------------------------

namespace {

/// And the attributes of one of a class of its own.
std::vector<Value> parts_of_container(const Value& value) {
  std::vector<Value> parts = items_of_container(value);
  if (DictObject* attributes = extra_attributes(value.as<Object>(), false))
    for (Value& part : parts_of_dict(*attributes)) parts.push_back(std::move(part));
  return parts;
}

std::vector<Value> parts_of_function(const FunctionObject& function) {
  std::vector<Value> parts = function.defaults;
  for (const Ref<CellObject>& cell : function.closure) parts.push_back(Value(cell));
  return parts;
}

std::vector<Value> parts_of_instance(const InstanceObject& instance) {
  std::vector<Value> parts = {Value(instance.cls)};
  for (const auto& [name, attribute] : instance.attributes()) {
    parts.push_back(Value(name));
    parts.push_back(attribute);
  }
  return parts;
}

std::vector<Value> parts_of_iterator(RefCounted* iterator) {
  auto* list = dynamic_cast<ListIterator*>(iterator);
  if (list && list->list) return {Value(list->list)};
  auto* tuple = dynamic_cast<TupleIterator*>(iterator);
  if (tuple && tuple->tuple) return {Value(tuple->tuple)};
  auto* table = dynamic_cast<TableIterator*>(iterator);
  if (table && table->owner) return {Value(table->owner)};
  return {};
}

}  // namespace

std::vector<Value> parts_of(const Value& value) {
  if (!value.is_object()) return {};
  switch (value.kind()) {
    case kListKind:
    case kTupleKind:
    case kDictKind:
    case kSetKind:
    case kFrozenSetKind:
    case kNumberKind:
      return parts_of_container(value);
    case kDictViewKind:
      return {Value(value.as<DictViewObject>()->dict)};
    case kSliceKind: {
      auto* slice = value.as<SliceObject>();
      return {slice->start, slice->stop, slice->step};
    }
    case kBoundMethodKind: {
      auto* bound = value.as<BoundMethodObject>();
      return {bound->self, bound->function};
    }
    case kBoundNativeKind: {
      auto* bound = value.as<BoundNativeObject>();
      return {bound->self, Value(bound->function)};
    }
    case kFunctionKind:
      return parts_of_function(*value.as<FunctionObject>());
    case kCellKind:
      return {value.as<CellObject>()->value};
    case kInstanceKind:
      return parts_of_instance(*value.as<InstanceObject>());
    case kIteratorKind:
      return parts_of_iterator(value.object());
    default:
      return {};
  }
}

// ---- Making the values again -------------------------------------------------------------------

namespace {

/// The values made so far, as the recipes count them, and one function for each kind of object that
/// is put together from them.
class Rebuilder {
 public:
  explicit Rebuilder(const std::vector<Value>& values) : values_(values) {}

  Value list(const Recipe& recipe) const {
    return of_class(recipe, Value(make_list(items(recipe))));
  }

  Value tuple(const Recipe& recipe) const {
    return of_class(recipe, Value(make_tuple(items(recipe))));
  }

  Value dict(const Recipe& recipe) const {
    auto made = make_ref<DictObject>();
    for (size_t i = 0; i + 1 < item_count(recipe); i += 2)
      made->table.set(part(recipe, i), part(recipe, i + 1));
    return of_class(recipe, Value(made));
  }

  Value set(const Recipe& recipe) const {
    auto made = make_ref<SetObject>(recipe.numbers[1] ? kFrozenSetKind : kSetKind);
    const std::vector<Value> keys = items(recipe);
    if (!made->table.lay_out(static_cast<size_t>(recipe.numbers[2]), recipe.slots, keys))
      for (const Value& key : keys) made->table.set(key, Value::none());
    return of_class(recipe, Value(made));
  }

  Value dict_view(const Recipe& recipe) const {
    return Value(make_ref<DictViewObject>(Ref<DictObject>(part(recipe, 0).as<DictObject>()),
                                          static_cast<DictViewObject::What>(recipe.numbers[0])));
  }

  Value number(const Recipe& recipe) const {
    return of_class(recipe, Value(make_ref<NumberObject>(part(recipe, 0))));
  }

  Value size(const Recipe& recipe) const {
    Ref<TupleObject> made = make_tuple(parts(recipe));
    made->set_flag(Object::kIsSize);
    return Value(made);
  }

  Value bound_method(const Recipe& recipe) const {
    const Value& self = part(recipe, 0);
    const Value& function = part(recipe, 1);
    if (auto* native = function.try_as<NativeFunctionObject>())
      return Value(make_ref<BoundNativeObject>(self, Ref<NativeFunctionObject>(native)));
    return Value(make_ref<BoundMethodObject>(self, function));
  }

  Value function(const Recipe& recipe) const {
    Ref<FunctionObject> made = copy_of(*recipe.constant.as<FunctionObject>());
    auto first_cell = static_cast<size_t>(recipe.numbers[0]);
    for (size_t i = 0; i < recipe.parts.size(); ++i) {
      if (i < first_cell)
        made->defaults.push_back(part(recipe, i));
      else
        made->closure.push_back(Ref<CellObject>(part(recipe, i).as<CellObject>()));
    }
    return Value(made);
  }

  Value instance(const Recipe& recipe) const {
    Ref<InstanceObject> made = InstanceObject::make(part(recipe, 0).as<ClassObject>());
    for (size_t i = 1; i + 1 < recipe.parts.size(); i += 2)
      made->set(Ref<StrObject>(part(recipe, i).as<StrObject>()), part(recipe, i + 1));
    return Value(made);
  }

  Value range_iterator(const Recipe& recipe) const {
    auto made = make_ref<RangeIterator>(RangeObject(0, 0, 1));
    made->current = recipe.numbers[0];
    made->step = recipe.numbers[1];
    made->remaining = static_cast<uint64_t>(recipe.numbers[2]);
    return Value(made);
  }

  template <class Iterator, class Sequence>
  Value iterator_over(const Recipe& recipe) const {
    auto made = make_ref<Iterator>(Ref<Sequence>(part(recipe, 0).as<Sequence>()));
    made->index = static_cast<size_t>(recipe.numbers[0]);
    return Value(made);
  }

  Value table_iterator(const Recipe& recipe) const {
    const Value& owner = part(recipe, 0);
    auto made = make_ref<TableIterator>(owner.as<Container>(), table_of(owner),
                                        static_cast<TableIterator::What>(recipe.numbers[1]));
    made->skip(static_cast<size_t>(recipe.numbers[0]));
    return Value(made);
  }

  const Value& part(const Recipe& recipe, size_t i) const { return values_[recipe.parts[i]]; }

  std::vector<Value> parts(const Recipe& recipe) const {
    std::vector<Value> parts;
    for (uint32_t number : recipe.parts) parts.push_back(values_[number]);
    return parts;
  }

 private:
  /// The others are names and values of attributes.
  static size_t item_count(const Recipe& recipe) {
    return recipe.constant.is_object() ? static_cast<size_t>(recipe.numbers[0])
                                       : recipe.parts.size();
  }

  std::vector<Value> items(const Recipe& recipe) const {
    std::vector<Value> items = parts(recipe);
    items.resize(item_count(recipe));
    return items;
  }

  /// The container, as one of the class that its recipe names, with its attributes.
  Value of_class(const Recipe& recipe, Value container) const {
    if (!recipe.constant.is_object()) return container;
    auto* object = container.as<Object>();
    mark_subclassed(object, recipe.constant.as<ClassObject>());
    for (size_t i = item_count(recipe); i + 1 < recipe.parts.size(); i += 2)
      extra_attributes(object, true)->table.set(part(recipe, i), part(recipe, i + 1));
    return container;
  }

  const std::vector<Value>& values_;
};

}  // namespace

void set_base(const OutputBase& base, std::span<const RunInput> inputs,
              std::span<const Tensor> outputs) {
  TensorImpl& view = outputs[base.output].impl();
  TensorImpl* of = base.of_input ? inputs[base.of].tensor : &outputs[base.of].impl();
  if (of == &view || of->storage != view.storage) return;
  if (!view.base) view.base = of->base ? of->base : Ref<TensorImpl>(of);
  view.view_origin = base.origin;
  view.view_version = outputs[base.output].version() - base.writes;
}

void rebuild(std::span<const Recipe> recipes, const GuardProgram& guards,
             std::span<const Tensor> outputs, std::span<const int64_t> symbols,
             std::span<const Value> floats, std::vector<Value>& values) {
  values.clear();
  Rebuilder from(values);
  auto make = [&](const Recipe& recipe) -> Value {
    switch (recipe.kind) {
      case RecipeKind::kConstant:
        return recipe.constant;
      case RecipeKind::kSource:
        return *guards.slot(recipe.source);
      case RecipeKind::kOutput:
        return Value(outputs[recipe.output].ref());
      case RecipeKind::kSymbol:
        if (recipe.shifted) return Value(symbols[recipe.shifted->first] + recipe.shifted->second);
        return Value(recipe.symbol.evaluate(symbols));
      case RecipeKind::kFloat:
        return floats[recipe.step];
      case RecipeKind::kList:
        return from.list(recipe);
      case RecipeKind::kTuple:
        return from.tuple(recipe);
      case RecipeKind::kNumber:
        return from.number(recipe);
      case RecipeKind::kSize:
        return from.size(recipe);
      case RecipeKind::kSlice:
        return Value(make_ref<SliceObject>(from.part(recipe, 0), from.part(recipe, 1),
                                           from.part(recipe, 2)));
      case RecipeKind::kDict:
        return from.dict(recipe);
      case RecipeKind::kSet:
        return from.set(recipe);
      case RecipeKind::kDictView:
        return from.dict_view(recipe);
      case RecipeKind::kBoundMethod:
        return from.bound_method(recipe);
      case RecipeKind::kFunction:
        return from.function(recipe);
      case RecipeKind::kCell:
        return Value(make_ref<CellObject>(from.part(recipe, 0)));
      case RecipeKind::kInstance:
        return from.instance(recipe);
      case RecipeKind::kRangeIterator:
        return from.range_iterator(recipe);
      case RecipeKind::kListIterator:
        return from.iterator_over<ListIterator, ListObject>(recipe);
      case RecipeKind::kTupleIterator:
        return from.iterator_over<TupleIterator, TupleObject>(recipe);
      case RecipeKind::kTableIterator:
        return from.table_iterator(recipe);
    }
    fail("a recipe of no kind");
  };
  for (const Recipe& recipe : recipes) values.push_back(make(recipe));
}

}  // namespace glint::capture
