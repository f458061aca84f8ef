#include "runtime/capture/symbolic_value.h"

#include <unordered_set>
#include <vector>

#include "runtime/capture/symbolic_float.h"
#include "runtime/interpreter/prepared.h"
#include "runtime/interpreter/tensor_attributes.h"

namespace glint::capture {

using namespace runtime;  // NOLINT: the interpreter's object structs, by their names
using runtime::Value;

namespace {

constexpr int kDeepest = 20;

/// The values that lie directly in an object, where a script can have put them.
template <class Function>
void for_each_part(RefCounted* object, const Function& apply) {
  Value value(object);
  if (auto* list = value.try_as<ListObject>()) {
    for (Value& item : list->items) apply(item);
  } else if (auto* tuple = value.try_as<TupleObject>()) {
    for (Value& item : tuple->items) apply(item);
  } else if (auto* dict = value.try_as<DictObject>()) {
    for (auto& entry : dict->table.entries()) {
      if (entry.key.defined()) apply(const_cast<Value&>(entry.value));
    }
  } else if (auto* range = value.try_as<SliceObject>()) {
    apply(range->start);
    apply(range->stop);
    apply(range->step);
  } else if (auto* cell = value.try_as<CellObject>()) {
    apply(cell->value);
  } else if (auto* bound = value.try_as<BoundMethodObject>()) {
    apply(bound->self);
  } else if (auto* made = value.try_as<FunctionObject>()) {
    for (Value& each : made->defaults) apply(each);
    for (Ref<CellObject>& outer : made->closure) apply(outer->value);
  }
}

/// Walks what the region made, once each, and puts numbers in place of symbolic ones. What it has
/// still to walk is a list: a script's containers may be nested deeper than the stack is.
class Plainer final : public Visitor {
 public:
  void frame(Frame& at) {
    frame_parts(at);
    walk();
  }

  void places(const std::vector<Value*>& all) {
    for (Value* place : all) value(*place);
    walk();
  }

  void visit(RefCounted* object) override {
    bool walked = object->kind() != kTensorKind && object->kind() != kModuleKind &&
                  object->kind() != kClassKind && object->kind() != kNativeFunctionKind &&
                  object->kind() != kCompiledFunctionKind;
    if (!walked || object->kind() < kFirstInterpreterKind || !seen_.insert(object).second) return;
    ahead_.push_back(object);
  }

 private:
  void walk() {
    while (!ahead_.empty()) {
      RefCounted* object = ahead_.back();
      ahead_.pop_back();
      parts(object);
    }
  }

  void value(Value& place) {
    if (std::optional<Value> number = plain_number(place)) {
      place = std::move(*number);
    } else if (place.is_object()) {
      visit(place.object());
    }
  }

  void parts(RefCounted* object) {
    Value held(object);
    if (auto* instance = held.try_as<InstanceObject>()) {
      for (auto& [name, attribute] : instance->attributes()) {
        if (std::optional<Value> number = plain_number(attribute))
          instance->set(name, std::move(*number));
        else if (attribute.is_object())
          visit(attribute.object());
      }
      return;
    }
    if (auto* generator = held.try_as<GeneratorObject>(); generator && generator->frame) {
      frame_parts(*generator->frame);
      return;
    }
    for_each_part(object, [&](Value& part) { value(part); });
    // Iterators and views hold containers, a function holds its module, which stays outside.
    bool opaque = held.is(kIteratorKind) || held.is(kDictViewKind);
    if (opaque) static_cast<Container*>(object)->traverse(*this);
  }

  void frame_parts(Frame& at) {
    if (!at.code) return;
    for (uint32_t i = 0; i < at.register_count(); ++i) value(at.registers[i]);
    for (size_t i = 0; i < at.code->own_cells; ++i) {
      if (at.cells[i]) value(at.cells[i]->value);
    }
  }

  std::unordered_set<const RefCounted*> seen_;
  std::vector<RefCounted*> ahead_;
};

bool holds_symbolic_part(const Value& value, int depth) {
  if (value.is<SymIntObject>() || value.is<SymFloatObject>()) return true;
  bool container = value.is<ListObject>() || value.is<TupleObject>() || value.is<DictObject>() ||
                   value.is<SliceObject>();
  if (!container || depth == kDeepest) return false;
  bool found = false;
  for_each_part(value.object(), [&](Value& part) {
    found = found || (part.is_object() && holds_symbolic_part(part, depth + 1));
  });
  return found;
}

}  // namespace

std::optional<SymInt> as_symbolic(const Value& value) {
  if (auto* symbolic = value.try_as<SymIntObject>()) return symbolic->value;
  if (value.is_integral()) return SymInt(value.as_int());
  return std::nullopt;
}

std::optional<Value> plain_number(const Value& value) {
  if (auto* whole = value.try_as<SymIntObject>()) return Value(whole->hint);
  if (auto* real = value.try_as<SymFloatObject>()) return real->hint;
  return std::nullopt;
}

bool holds_symbolic(const Value& value) {
  return value.is_object() && holds_symbolic_part(value, 0);
}

void make_frame_plain(Frame& frame) {
  Plainer().frame(frame);
}

void make_places_plain(const std::vector<Value*>& places) {
  Plainer().places(places);
}

const DimensionMarks* marks_of(const Tensor& tensor) {
  auto* attributes = runtime::attributes_of(tensor.impl());
  return attributes ? static_cast<const DimensionMarks*>(attributes->marks.get()) : nullptr;
}

DimensionMarks& make_marks(const Tensor& tensor) {
  Ref<RefCounted>& marks = runtime::make_attributes(tensor.impl()).marks;
  if (!marks) marks = make_ref<DimensionMarks>();
  return static_cast<DimensionMarks&>(*marks);
}

}  // namespace glint::capture
