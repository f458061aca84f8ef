#include "runtime/session/side_effects.h"

#include <unordered_set>
#include <vector>

#include "core/tensor/tensor.h"
#include "runtime/autograd/node.h"
#include "runtime/interpreter/object.h"
#include "runtime/interpreter/protocol.h"

namespace glint {
namespace {

using runtime::Value;

/// How far it looks; what lies behind that is taken to be as it was.
constexpr size_t kMostObjects = 20000;

/// Walks what can be reached, breadth first, and mixes what each object holds into one number.
class StateReader final : public runtime::Visitor {
 public:
  uint64_t read(std::span<const Value> roots) {
    for (const Value& root : roots) note(root);
    for (size_t i = 0; i < found_.size() && i < kMostObjects; ++i) look_into(found_[i]);
    return state_;
  }

  void visit(RefCounted* object) override {
    mix(reinterpret_cast<uintptr_t>(object));
    if (seen_.insert(object).second) found_.push_back(object);
  }

 private:
  void mix(uint64_t word) { state_ = (state_ ^ word) * 0x9e3779b97f4a7c15ULL + (state_ >> 31); }

  /// A number by its bits, an object by its address.
  void note(const Value& value) {
    mix(static_cast<uint64_t>(value.tag()));
    if (value.is_object()) return visit(value.object());
    if (value.is_number()) mix(static_cast<uint64_t>(value.as_int()));
  }
  void note(const runtime::HashTable& table) {
    mix(table.size());
    for (const auto& entry : table.entries()) {
      if (entry.key.is_undefined()) continue;
      note(entry.key);
      note(entry.value);
    }
  }

  void look_into(RefCounted* object) {
    Value value(object);
    if (value.is(kTensorKind)) {
      Tensor tensor = runtime::tensor_of(value);
      if (tensor.impl().storage) mix(tensor.version());
      const autograd::AutogradMeta* meta = autograd::meta_of(tensor);
      if (meta && meta->gradient.defined()) visit(&meta->gradient.impl());
    } else if (auto* list = value.try_as<runtime::ListObject>()) {
      mix(list->items.size());
      for (const Value& item : list->items) note(item);
    } else if (auto* dict = value.try_as<runtime::DictObject>()) {
      note(dict->table);
    } else if (auto* set = runtime::as_any_set(value)) {
      note(set->table);
    } else if (auto* cell = value.try_as<runtime::CellObject>()) {
      note(cell->value);
    } else if (auto* instance = value.try_as<runtime::InstanceObject>()) {
      mix(instance->version);
      instance->traverse(*this);
    } else if (auto* tuple = value.try_as<runtime::TupleObject>()) {
      for (const Value& item : tuple->items) note(item);
    } else if (auto* function = value.try_as<runtime::FunctionObject>()) {
      function->traverse(*this);
    } else if (auto* method = value.try_as<runtime::BoundMethodObject>()) {
      method->traverse(*this);
    } else if (auto* compiled = value.try_as<runtime::CompiledFunctionObject>()) {
      note(compiled->function);
    }
  }

  std::unordered_set<RefCounted*> seen_;
  std::vector<RefCounted*> found_;
  uint64_t state_ = 1469598103934665603ULL;
};

}  // namespace

uint64_t state_of(std::span<const runtime::Value> roots) {
  return StateReader().read(roots);
}

}  // namespace glint
