#include "runtime/interpreter/object.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "runtime/interpreter/big_ints.h"
#include "runtime/interpreter/interpreter.h"
#include "runtime/interpreter/number_objects.h"
#include "runtime/interpreter/protocol.h"

namespace glint::runtime {

// ---- Text --------------------------------------------------------------------------------------

int64_t count_code_points(std::string_view text) {
  // Eight bytes at a time: the bytes that continue a character have bit 7 and lack bit 6.
  size_t at = 0;
  int64_t count = static_cast<int64_t>(text.size());
  for (; at + 8 <= text.size(); at += 8) {
    uint64_t word;
    std::memcpy(&word, text.data() + at, 8);
    count -= std::popcount((word >> 7) & ~(word >> 6) & 0x0101010101010101u);
  }
  for (; at < text.size(); ++at) count -= (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
  return count;
}

StrObject::StrObject(std::string&& content) : Object(kKind), text(std::move(content)) {
  length = count_code_points(text);
}
StrObject::StrObject(std::string_view content) : Object(kKind), text(content) {
  length = count_code_points(text);
}

Ref<StrObject> make_str(std::string text) {
  return make_ref<StrObject>(std::move(text));
}

Ref<StrObject> make_text(std::string_view text) {
  return make_ref<StrObject>(text);
}

Ref<StrObject> intern(std::string_view text) {
  static auto* table = new std::unordered_map<std::string_view, Ref<StrObject>>();
  auto found = table->find(text);
  if (found != table->end()) return found->second;
  Ref<StrObject> made = make_str(std::string(text));
  made->set_flag(StrObject::kInterned);
  made->hash = hash_text(text);
  table->emplace(made->view(), made);
  return made;
}

std::string_view code_point_slice(const StrObject& text, int64_t begin, int64_t end) {
  if (begin >= end) return {};
  if (text.ascii()) {
    return text.view().substr(static_cast<size_t>(begin), static_cast<size_t>(end - begin));
  }
  size_t byte = 0, first = text.text.size(), last = text.text.size();
  for (int64_t point = 0; byte < text.text.size(); ++point) {
    if (point == begin) first = byte;
    if (point == end) {
      last = byte;
      break;
    }
    ++byte;
    while (byte < text.text.size() &&
           (static_cast<unsigned char>(text.text[byte]) & 0xC0) == 0x80) {
      ++byte;
    }
  }
  return text.view().substr(first, last - first);
}

// ---- Containers --------------------------------------------------------------------------------

static void visit_all(Visitor& visit, const std::vector<Value>& values) {
  for (const Value& value : values) visit(value);
}
static void visit_table(Visitor& visit, const HashTable& table) {
  for (const auto& entry : table.entries()) {
    visit(entry.key);
    visit(entry.value);
  }
}
/// Empties a vector so that destructors which run meanwhile see it empty.
template <class T>
static void drop(std::vector<T>& values) {
  std::vector<T> dead = std::move(values);
  values.clear();
}

void ListObject::traverse(Visitor& visit) {
  visit_all(visit, items);
}
void ListObject::clear() {
  drop(items);
}
Ref<ListObject> make_list(std::vector<Value> items) {
  return make_ref<ListObject>(std::move(items));
}
bool TupleObject::hold_containers(std::span<const Value> values) {
  return std::ranges::any_of(values, [](const Value& value) {
    return value.is_object() && value.object()->kind() >= kFirstInterpreterKind &&
           static_cast<const Object*>(value.object())->flag(kIsContainer);
  });
}
void TupleObject::traverse(Visitor& visit) {
  visit_all(visit, items);
}
void TupleObject::clear() {
  drop(items);
}
Ref<TupleObject> make_tuple(std::vector<Value> items) {
  return make_ref<TupleObject>(std::move(items));
}
Ref<TupleObject> make_pair(Value first, Value second) {
  std::vector<Value> items;
  items.reserve(2);
  items.push_back(std::move(first));
  items.push_back(std::move(second));
  return make_ref<TupleObject>(std::move(items));
}
Ref<TupleObject> make_size(std::span<const int64_t> sizes) {
  std::vector<Value> items;
  items.reserve(sizes.size());
  for (int64_t size : sizes) items.emplace_back(size);
  Ref<TupleObject> tuple = make_tuple(std::move(items));
  tuple->set_flag(Object::kIsSize);
  return tuple;
}
void DictObject::traverse(Visitor& visit) {
  visit_table(visit, table);
}
void DictObject::clear() {
  table.clear();
}
void DictObject::set(std::string_view key, Value value) {
  table.set(intern(key).get(), std::move(value));
}
Ref<DictObject> make_dict() {
  return make_ref<DictObject>();
}
void SetObject::traverse(Visitor& visit) {
  visit_table(visit, table);
}
void SetObject::clear() {
  table.clear();
}

int64_t RangeObject::length() const {
  if (step > 0 ? start >= stop : start <= stop) return 0;
  auto distance = step > 0 ? static_cast<uint64_t>(stop) - static_cast<uint64_t>(start)
                           : static_cast<uint64_t>(start) - static_cast<uint64_t>(stop);
  uint64_t stride = step > 0 ? static_cast<uint64_t>(step) : 0 - static_cast<uint64_t>(step);
  return static_cast<int64_t>((distance - 1) / stride + 1);
}

void SliceObject::traverse(Visitor& visit) {
  visit(start);
  visit(stop);
  visit(step);
}
void SliceObject::clear() {
  start = stop = step = Value::none();
}

bool slice_bound(const Value& value, int64_t& result) {
  Interpreter& in = Interpreter::current();
  result = 0;
  if (value.is_none()) return true;
  if (value.is_int() || value.is_bool()) {
    result = value.as_int();
    return true;
  }
  if (const Value& number = number_in(value); is_big_int(number)) {  // beyond either end
    result = sign_of(number) < 0 ? -INT64_MAX : INT64_MAX;
    return true;
  }
  if (index_of(in, value, result)) return true;
  if (in.pending_is("TypeError")) {
    in.take_pending();
    in.raise("TypeError", "slice indices must be integers or None or have an __index__ method");
  }
  return false;
}

Ref<SliceObject> with_plain_bounds(const SliceObject& slice) {
  auto plain = [](const Value& bound) { return bound.is_none() || bound.is_integral(); };
  if (plain(slice.start) && plain(slice.stop) && plain(slice.step))
    return Ref<SliceObject>(const_cast<SliceObject*>(&slice));
  auto numbers = make_ref<SliceObject>(Value::none(), Value::none(), Value::none());
  for (auto part : {&SliceObject::start, &SliceObject::stop, &SliceObject::step}) {
    int64_t number;
    if (!slice_bound(slice.*part, number)) return nullptr;
    (*numbers).*part = (slice.*part).is_none() ? Value::none() : Value(number);
  }
  return numbers;
}

bool resolve_slice(const SliceObject& slice, int64_t length, SliceIndices& out) {
  Interpreter& in = Interpreter::current();
  int64_t step = 1;
  if (!slice.step.is_none() && !slice_bound(slice.step, step)) return false;
  if (step == 0) {
    in.raise("ValueError", "slice step cannot be zero");
    return false;
  }
  int64_t lowest = step > 0 ? 0 : -1, highest = step > 0 ? length : length - 1;
  auto clamped = [&](const Value& value, int64_t missing, int64_t& result) {
    if (value.is_none()) {
      result = missing;
      return true;
    }
    if (!slice_bound(value, result)) return false;
    if (result < 0) result += length;
    result = std::clamp(result, lowest, highest);
    return true;
  };
  if (!clamped(slice.start, step > 0 ? lowest : highest, out.start)) return false;
  if (!clamped(slice.stop, step > 0 ? highest : lowest, out.stop)) return false;
  out.step = step;
  out.length = RangeObject(out.start, out.stop, step).length();
  return true;
}

void DictViewObject::traverse(Visitor& visit) {
  visit(dict);
}
void DictViewObject::clear() {}

// ---- Functions ---------------------------------------------------------------------------------

void FunctionObject::traverse(Visitor& visit) {
  visit(globals);
  visit(module_name);
  visit_all(visit, defaults);
  visit(keyword_defaults);
  visit(annotations);
  for (const auto& cell : closure) visit(cell);
  visit(attributes);
}
void FunctionObject::clear() {
  drop(defaults);
  keyword_defaults = nullptr;
  annotations = nullptr;
  for (auto& cell : closure) {
    if (cell) cell->clear();
  }
  attributes = nullptr;
}
void BoundMethodObject::traverse(Visitor& visit) {
  visit(self);
  visit(function);
}
void BoundMethodObject::clear() {
  self = Value::none();
  function = Value::none();
}
BoundNativeObject::BoundNativeObject(Value receiver, Ref<NativeFunctionObject> native)
    : Container(kKind), self(std::move(receiver)), function(std::move(native)) {}
BoundNativeObject::~BoundNativeObject() = default;
void BoundNativeObject::traverse(Visitor& visit) {
  visit(self);
  visit(function);
}
void BoundNativeObject::clear() {
  self = Value::none();
}
void CompiledFunctionObject::traverse(Visitor& visit) {
  visit(function);
  visit(attributes);
}
void CompiledFunctionObject::clear() {
  function = Value::none();
  attributes = nullptr;
}
void PropertyObject::traverse(Visitor& visit) {
  visit(getter);
  visit(setter);
  visit(deleter);
  visit(doc);
}
void PropertyObject::clear() {
  getter = setter = deleter = doc = Value::none();
}

// ---- Modules, iterators, generators ------------------------------------------------------------

ModuleObject::ModuleObject(std::string_view module_name)
    : Container(kKind), name(intern(module_name)), dict(make_dict()) {}
void ModuleObject::traverse(Visitor& visit) {
  visit(dict);
}
void ModuleObject::clear() {
  dict->clear();
}

Value ListIterator::next(Interpreter&) {
  if (!list) return Value();
  if (index < list->items.size()) return list->items[index++];
  list = nullptr;
  return Value();
}
Value TupleIterator::next(Interpreter&) {
  return index < tuple->items.size() ? tuple->items[index++] : Value();
}
RangeIterator::RangeIterator(const RangeObject& range)
    : IteratorObject(Which::kRange),
      current(range.start),
      step(range.step),
      remaining(static_cast<uint64_t>(range.length())) {}
Value RangeIterator::next(Interpreter&) {
  if (remaining == 0) return Value();
  --remaining;
  int64_t value = current;
  current = static_cast<int64_t>(static_cast<uint64_t>(current) + static_cast<uint64_t>(step));
  return Value(value);
}

GeneratorObject::~GeneratorObject() {
  free_frame();
}
void GeneratorObject::clear() {
  if (state != State::kRunning) free_frame();
}

// ---- Exceptions and others ---------------------------------------------------------------------

ExceptionObject::ExceptionObject(ClassObject* of)
    : Container(kKind),
      cls(of),
      args(make_tuple({})),
      cause(Value::none()),
      context(Value::none()) {}
void ExceptionObject::traverse(Visitor& visit) {
  visit(cls);
  visit(args);
  visit(cause);
  visit(context);
  visit(attributes);
  visit(sought_in);
  visit(notes);
}
void ExceptionObject::clear() {
  sought_in = notes = Value();
  cause = context = Value::none();
  attributes = nullptr;
  args->clear();
}
void SuperObject::traverse(Visitor& visit) {
  visit(cls);
  visit(self);
}
void SuperObject::clear() {
  self = Value::none();
}
NativeDataObject::NativeDataObject(ClassObject* of) : Container(kKind), cls(of) {}
void NativeDataObject::traverse(Visitor& visit) {
  visit(cls);
}
void NativeDataObject::clear() {}

}  // namespace glint::runtime
