#include "runtime/capture/guard_program.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>

#include "core/tensor/grad_mode.h"
#include "ir/symbolic_range.h"
#include "runtime/autograd/node.h"
#include "runtime/capture/float_comparisons.h"
#include "runtime/capture/keys.h"
#include "runtime/interpreter/attributes.h"
#include "runtime/interpreter/interpreter.h"
#include "runtime/interpreter/number_objects.h"
#include "runtime/interpreter/protocol.h"
#include "runtime/interpreter/tensor_attributes.h"
#include "runtime/interpreter/torch_modules.h"
#include "runtime/interpreter/torch_values.h"

namespace glint::capture {

using namespace runtime;  // NOLINT: the interpreter's object structs, by their names
using runtime::Value;

namespace {

bool equals(const Value& value, const Value& expected) {
  if (value.tag() != expected.tag()) return false;
  if (value.is_float()) {
    return std::bit_cast<uint64_t>(value.as_float()) ==
           std::bit_cast<uint64_t>(expected.as_float());
  }
  if (value.identical(expected)) return true;
  if (class_of(value) != class_of(expected)) return false;
  if (is_number_object(value)) return equals(number_in(value), number_in(expected));
  auto* text = value.try_as<StrObject>();
  auto* wanted = expected.try_as<StrObject>();
  if (text && wanted) return text->text == wanted->text;
  auto* bytes = value.try_as<BytesObject>();
  auto* wanted_bytes = expected.try_as<BytesObject>();
  if (bytes && wanted_bytes) return bytes->data == wanted_bytes->data;
  auto* number = value.try_as<ComplexObject>();
  auto* wanted_number = expected.try_as<ComplexObject>();
  if (number && wanted_number)
    return std::memcmp(&number->number, &wanted_number->number, sizeof number->number) == 0;
  auto* range = value.try_as<RangeObject>();
  auto* wanted_range = expected.try_as<RangeObject>();
  return range && wanted_range && range->start == wanted_range->start &&
         range->stop == wanted_range->stop && range->step == wanted_range->step;
}

/// A leaf without hooks.
bool is_plain_leaf(const Tensor& tensor) {
  autograd::AutogradMeta* meta = autograd::meta_of(tensor);
  return !meta || (!meta->node && meta->has_no_hooks());
}

/// Whether a load of this kind looks a name up.
bool by_name(SourceKind kind) {
  switch (kind) {
    case SourceKind::kGlobal:
    case SourceKind::kGlobalOf:
    case SourceKind::kAttribute:
    case SourceKind::kEntry:
    case SourceKind::kKeywordDefault:
      return true;
    case SourceKind::kLocal:
    case SourceKind::kCell:
    case SourceKind::kObject:
    case SourceKind::kCellOf:
    case SourceKind::kItem:
    case SourceKind::kKeyed:
    case SourceKind::kSize:
    case SourceKind::kSelf:
    case SourceKind::kFunctionOf:
    case SourceKind::kDefault:
    case SourceKind::kBound:
    case SourceKind::kOwnDict:
    case SourceKind::kGradient:
      return false;
  }
  return false;
}

bool same_code(const Value& value, const Value& wanted) {
  if (auto* bound = wanted.try_as<BoundNativeObject>()) {
    auto* other = value.try_as<BoundNativeObject>();
    return other && other->function.get() == bound->function.get();
  }
  const FunctionObject& expected = *wanted.as<FunctionObject>();
  auto* function = value.try_as<FunctionObject>();
  return function && function->code == expected.code && function->globals == expected.globals &&
         function->defaults.size() == expected.defaults.size() && !function->keyword_defaults &&
         !function->attributes && function->name == expected.name &&
         function->qualified_name == expected.qualified_name &&
         function->doc.identical(expected.doc);
}

bool has_names(const Value& value, const Value& expected) {
  if (!value.is<InstanceObject>()) return false;
  const std::vector<Value>& names = expected.as<ListObject>()->items;
  return std::ranges::equal(attribute_names(*value.as<InstanceObject>()), names, {}, {},
                            [](const Value& name) { return name.as<StrObject>()->view(); });
}

const Value* closure_cell(const FunctionObject& function, uint32_t position) {
  return position < function.closure.size() ? &function.closure[position]->value : nullptr;
}

}  // namespace

const Value* NameCache::in_table(HashTable& table) {
  if (table.keys_version() != keys_version_) {
    entry_ = table.index_of(name_.get());
    keys_version_ = table.keys_version();
  }
  return entry_ == kAbsent ? nullptr : &table.entry(static_cast<size_t>(entry_)).value;
}

const Value* KeyCache::find(const Value& dict, const Value& key) {
  if (!dict.is<DictObject>() || !is_plain_key(key)) return nullptr;
  HashTable& table = dict.as<DictObject>()->table;
  bool tensor = key.is(kTensorKind);  // whose key no other object is equal to
  if (tensor && table.keys_version() == keys_version_ && table.entry(entry_).key.identical(key))
    return &table.entry(entry_).value;
  Value* found = nullptr;
  if (table.find(key, found) != HashTable::Outcome::kFound) return nullptr;
  if (!tensor) return found;
  for (entry_ = 0; &table.entry(entry_).value != found;) ++entry_;
  keys_version_ = table.keys_version();
  return found;
}

const Value* NameCache::in_class(const ClassObject& cls) {
  if (cls.version != class_version_ || cls.version == 0) {
    member_ = cls.lookup(name_.get());
    class_version_ = cls.version;
  }
  return member_;
}

const Value* NameCache::in_instance(InstanceObject& instance) {
  if (!instance.shape) return instance.dict ? in_table(instance.dict->table) : nullptr;
  if (instance.shape != shape_) {
    slot_ = instance.shape->find(name_.get());
    shape_ = instance.shape;
    shape_owner_ = Ref<ClassObject>(instance.shape->owner);
  }
  return slot_ == kAbsent ? nullptr : &instance.slots[slot_];
}

const Value* NameCache::in_object(const Value& object) {
  switch (object.kind()) {
    case kModuleKind:
      return in_table(object.as<ModuleObject>()->dict->table);
    case kDictKind:
      return in_table(object.as<DictObject>()->table);
    case kInstanceKind:
      return in_instance(*object.as<InstanceObject>());
    case kClassKind:
      return in_class(*object.as<ClassObject>());
    case kTensorKind: {
      DictObject* attributes = own_attributes(object, false);
      return attributes ? in_table(attributes->table) : nullptr;
    }
    case kFunctionKind: {
      DictObject* attributes = object.as<FunctionObject>()->attributes.get();
      return attributes ? in_table(attributes->table) : nullptr;
    }
    case kCompiledFunctionKind: {
      DictObject* attributes = object.as<CompiledFunctionObject>()->attributes.get();
      return attributes ? in_table(attributes->table) : nullptr;
    }
    default:
      return nullptr;
  }
}

GuardProgram::GuardProgram(const SourceTable& sources, std::vector<Guard> guards,
                           std::vector<Value> objects,
                           std::shared_ptr<FloatComparisons> comparisons)
    : guards_(std::move(guards)),
      objects_(std::move(objects)),
      slots_(sources.size(), nullptr),
      comparisons_(std::move(comparisons)) {
  auto add_name = [&](std::string_view name) {
    names_.emplace_back(name);
    return static_cast<uint32_t>(names_.size() - 1);
  };
  for (size_t i = 0; i < sources.size(); ++i) {
    const Source& source = sources[static_cast<SourceId>(i)];
    uint32_t parent =
        source.parent == SourceId::kNone ? kNoParent : static_cast<uint32_t>(source.parent);
    uint32_t position = source.position;
    if (source.kind == SourceKind::kGradient || source.kind == SourceKind::kOwnDict) {
      position = static_cast<uint32_t>(made_.size());
      made_.emplace_back();
    }
    uint32_t name = by_name(source.kind) ? add_name(source.name) : 0;
    if (source.kind == SourceKind::kKeyed) {
      name = static_cast<uint32_t>(keys_.size());
      keys_.emplace_back();
    }
    loads_.push_back({source.kind, parent, position, name});
  }
  for (const Guard& guard : guards_) {
    Check check{.kind = guard.kind,
                .contiguous = guard.strides.empty(),
                .flag = guard.flag,
                .inference = guard.inference,
                .dtype = guard.dtype,
                .device = guard.device,
                .object_kind = guard.object_kind,
                .slot = static_cast<uint32_t>(guard.source),
                .other = static_cast<uint32_t>(guard.other),
                .first_size = static_cast<uint32_t>(sizes_.size()),
                .rank = static_cast<uint32_t>(guard.sizes.size()),
                .all_constant = std::ranges::all_of(
                    guard.sizes, [](const SizeGuard& size) { return size.constant.has_value(); }),
                .length = guard.length};
    if (guard.kind == GuardKind::kType) check.cls = guard.expected.as<ClassObject>();
    if (guard.kind == GuardKind::kAbsent) check.name = add_name(guard.name);
    if (const Definition* definition = guard.definition.get()) {
      auto* cls = definition->of.try_as<ClassObject>();
      check.version = cls ? &cls->version : &definition->of.as<FunctionObject>()->version;
      check.good_version = definition->version;
    }
    if (guard.kind == GuardKind::kDistinct) {
      check.first_size = static_cast<uint32_t>(distinct_.size());
      check.rank = static_cast<uint32_t>(guard.others.size());
      for (SourceId each : guard.others) distinct_.push_back(static_cast<uint32_t>(each));
      addresses_.resize(std::max(addresses_.size(), guard.others.size()));
    }
    for (const SizeGuard& size : guard.sizes) sizes_.push_back(size.constant.value_or(0));
    checks_.push_back(check);
  }
  find_tensors();
}

const Value* GuardProgram::load(const Load& load, const EntryState& entry) {
  const Value* parent = nullptr;
  if (load.parent != kNoParent) {
    parent = slots_[load.parent];
    if (!parent) return nullptr;
  }
  switch (load.kind) {
    case SourceKind::kLocal:
      return load.position < entry.registers.size() ? &entry.registers[load.position] : nullptr;
    case SourceKind::kCell: {
      const auto& closure = entry.function->closure;
      size_t own = entry.function->code->cells.size() - closure.size();
      if (load.position >= own) return &closure[load.position - own]->value;
      return entry.cells ? &entry.cells[load.position]->value : nullptr;
    }
    case SourceKind::kGlobal:
      return names_[load.name].in_table(entry.function->globals->table);
    case SourceKind::kObject:
      return &objects_[load.position];
    case SourceKind::kGlobalOf:
      if (auto* function = parent->try_as<FunctionObject>())
        return names_[load.name].in_table(function->globals->table);
      return nullptr;
    case SourceKind::kCellOf:
      if (auto* function = parent->try_as<FunctionObject>())
        return closure_cell(*function, load.position);
      return nullptr;
    case SourceKind::kAttribute:
    case SourceKind::kEntry:
      return names_[load.name].in_object(*parent);
    case SourceKind::kItem: {
      const std::vector<Value>* items = items_of(*parent);
      return items && load.position < items->size() ? &(*items)[load.position] : nullptr;
    }
    case SourceKind::kKeyed:
      return slots_[load.position] ? keys_[load.name].find(*parent, *slots_[load.position])
                                   : nullptr;
    case SourceKind::kSelf:
      if (auto* bound = parent->try_as<BoundNativeObject>()) return &bound->self;
      return parent->is<BoundMethodObject>() ? &parent->as<BoundMethodObject>()->self : nullptr;
    case SourceKind::kFunctionOf:
      return parent->is<BoundMethodObject>() ? &parent->as<BoundMethodObject>()->function : nullptr;
    case SourceKind::kDefault:
      if (auto* function = parent->try_as<FunctionObject>();
          function && load.position < function->defaults.size())
        return &function->defaults[load.position];
      return nullptr;
    case SourceKind::kKeywordDefault:
      if (auto* function = parent->try_as<FunctionObject>(); function && function->keyword_defaults)
        return names_[load.name].in_table(function->keyword_defaults->table);
      return nullptr;
    case SourceKind::kBound: {
      auto* slice = parent->try_as<SliceObject>();
      if (!slice) return nullptr;
      return load.position == 0 ? &slice->start : load.position == 1 ? &slice->stop : &slice->step;
    }
    case SourceKind::kOwnDict:
      return own_dict(load.position, *parent);
    case SourceKind::kGradient:
      return gradient(load.position, *parent);
    case SourceKind::kSize:
      return nullptr;
  }
  return nullptr;
}

bool GuardProgram::tensor_holds(const Check& check, const Guard& guard, const Value& value,
                                std::span<int64_t> symbols) const {
  if (!value.is(kTensorKind)) return false;
  const TensorImpl& tensor = *value.as<TensorImpl>();
  if (tensor.dtype != check.dtype || tensor.sizes.size() != check.rank ||
      (check.contiguous && !tensor.contiguous) || requires_grad(tensor) != check.flag ||
      tensor.inference != check.inference || !tensor.storage || tensor.device != check.device)
    return false;
  const int64_t* sizes = tensor.sizes.data();
  const int64_t* expected = sizes_.data() + check.first_size;
  if (check.all_constant) {
    for (uint32_t i = 0; i < check.rank; ++i) {
      if (sizes[i] != expected[i]) return false;
    }
  } else {
    for (uint32_t i = 0; i < check.rank; ++i) {
      const SizeGuard& size = guard.sizes[i];
      if (size.constant) {
        if (sizes[i] != expected[i]) return false;
      } else if (size.binds) {
        if (sizes[i] < 2 || sizes[i] > kGreatestSize) return false;
        symbols[size.symbol] = sizes[i];
      } else if (symbols[size.symbol] != sizes[i]) {
        return false;
      }
    }
  }
  return check.contiguous || strides_hold(guard, tensor, symbols);
}

bool GuardProgram::strides_hold(const Guard& guard, const TensorImpl& tensor,
                                std::span<int64_t> symbols) {
  for (size_t i = 0; i < guard.strides.size(); ++i) {
    const SizeGuard& stride = guard.strides[i];
    const int64_t given = tensor.strides[i];
    if (stride.constant) {
      if (given != *stride.constant) return false;
      continue;
    }
    if (given < 2 || given > kGreatestSize) return false;
    symbols[stride.symbol] = given;
  }
  return tensor.contiguous == guard.lies_in_order;
}

bool GuardProgram::are_distinct(const Check& check) {
  constexpr uint32_t kFew = 8;
  auto end = addresses_.begin() + check.rank;
  for (uint32_t i = 0; i < check.rank; ++i) {
    const Value* value = slots_[distinct_[check.first_size + i]];
    if (!value || !value->is_object()) return false;
    addresses_[i] = value->object();
    if (check.rank <= kFew && std::find(addresses_.begin(), addresses_.begin() + i,
                                        addresses_[i]) != addresses_.begin() + i)
      return false;
  }
  if (check.rank <= kFew) return true;
  std::sort(addresses_.begin(), end);
  return std::adjacent_find(addresses_.begin(), end) == end;
}

const Value* GuardProgram::gradient(uint32_t place, const Value& tensor) {
  if (!tensor.is(kTensorKind)) return nullptr;
  auto* meta = static_cast<autograd::AutogradMeta*>(tensor.as<TensorImpl>()->autograd.get());
  made_[place] = meta ? value_of(meta->gradient) : Value::none();
  return &made_[place];
}

const Value* GuardProgram::own_dict(uint32_t place, const Value& object) {
  bool has_one = object.is(kInstanceKind) || object.is(kFunctionKind) || object.is(kModuleKind);
  if (!has_one) return extra_dict(place, object);
  made_[place] = builtin_attribute(object, "__dict__");
  return made_[place].defined() ? &made_[place] : nullptr;
}

const Value* GuardProgram::extra_dict(uint32_t place, const Value& object) {
  bool native = !object.is_object() || object.kind() < kFirstInterpreterKind;
  if (native || !object.as<Object>()->flag(Object::kSubclassed)) return nullptr;
  made_[place] = Value(Ref<DictObject>(extra_attributes(object.as<Object>(), true)));
  return &made_[place];
}

bool GuardProgram::is_still_defined(Check& check, const Guard& guard) {
  if (!check.version || *check.version == check.good_version) return true;
  if (!is_still(*guard.definition)) return false;
  check.good_version = *check.version;
  return true;
}

bool GuardProgram::has_keys(Check& check, const Guard& guard, const Value& value) {
  const HashTable* found = table_of(value);
  if (!found) return false;
  const HashTable& table = *found;
  if (table.keys_version() == check.keys_version) return true;
  const std::vector<Value>& wanted = guard.expected.as<TupleObject>()->items;
  if (table.size() != wanted.size()) return false;
  auto next = wanted.begin();
  for (const auto& entry : table.entries())
    if (entry.key.defined() && !equals(entry.key, *next++)) return false;
  check.keys_version = table.keys_version();
  return true;
}

void GuardProgram::find_tensors() {
  // A second way to a tensor that was met before is guarded to lead to that one.
  std::map<uint32_t, uint32_t> first;
  for (const Check& check : checks_)
    if (check.kind == GuardKind::kSame && check.flag) first[check.slot] = check.other;
  for (Check& check : checks_) {
    if (check.kind == GuardKind::kTensor && !first.contains(check.slot))
      tensors_.push_back(check.slot);
    if (check.kind != GuardKind::kUnshared) continue;
    check.other = check.slot;
    while (first.contains(check.other)) check.other = first[check.other];
  }
}

bool GuardProgram::is_unshared(uint32_t slot) const {
  const Storage* storage = slots_[slot]->as<TensorImpl>()->storage.get();
  return std::ranges::none_of(tensors_, [&](uint32_t other) {
    return other != slot && slots_[other]->as<TensorImpl>()->storage.get() == storage;
  });
}

bool GuardProgram::holds(size_t number, std::span<int64_t> symbols) {
  Check& check = checks_[number];
  const Guard& guard = guards_[number];
  if (check.kind == GuardKind::kTensor) [[likely]] {
    const Value* value = slots_[check.slot];
    return value && tensor_holds(check, guard, *value, symbols);
  }
  if (check.kind == GuardKind::kRelation) return guard.relation->holds(symbols);
  if (check.kind == GuardKind::kFits) return evaluate_exactly(guard.size, symbols).has_value();
  if (check.kind == GuardKind::kGradMode) return grad_state().has_same_mode(guard.grad_state);
  if (check.kind == GuardKind::kAutocast) return grad_state().autocast == guard.grad_state.autocast;
  if (check.kind == GuardKind::kDefaultDtype) return default_dtype() == guard.dtype;
  if (check.kind == GuardKind::kDistinct) return are_distinct(check);
  if (check.kind == GuardKind::kOutcome)
    return comparisons_->holds(guard.comparison, *this, symbols);
  const Value* value = slots_[check.slot];
  if (check.kind == GuardKind::kVariable)
    return value && slots_[check.other] && (value == slots_[check.other]) == check.flag;
  if (!value || value->is_undefined()) return false;
  switch (check.kind) {
    case GuardKind::kIdentity:
      return value->identical(guard.expected) && is_still_defined(check, guard);
    case GuardKind::kEquals:
      return equals(*value, guard.expected);
    case GuardKind::kType:
      return value->is(check.object_kind) && class_of(*value) == check.cls &&
             is_still_defined(check, guard);
    case GuardKind::kInteger:
      if (!value->is_int()) return false;
      symbols[guard.sizes[0].symbol] = value->as_int();
      return value->as_int() >= -check.length && value->as_int() <= check.length;
    case GuardKind::kFloat:
      return value->is_float();
    case GuardKind::kCode:
      return same_code(*value, guard.expected);
    case GuardKind::kLength:
      return length_of_container(*value) == check.length;
    case GuardKind::kKeys:
      return has_keys(check, guard, *value);
    case GuardKind::kSame:
      return slots_[check.other] && value->identical(*slots_[check.other]) == check.flag;
    case GuardKind::kLeaf:
      return value->is(kTensorKind) && is_plain_leaf(tensor_of(*value));
    case GuardKind::kUnshared:
      return is_unshared(check.other);
    case GuardKind::kCurrent:
      return value->is(kTensorKind) && !autograd::hides_history(tensor_of(*value));
    case GuardKind::kAbsent:
      return !names_[check.name].in_object(*value);
    case GuardKind::kNames:
      return has_names(*value, guard.expected);
    case GuardKind::kKey:
      return slots_[check.other] &&
             (find_key(*value, *slots_[check.other]) != nullptr) == check.flag;
    case GuardKind::kTensor:
    case GuardKind::kGradMode:
    case GuardKind::kAutocast:
    case GuardKind::kDefaultDtype:
    case GuardKind::kFits:
    case GuardKind::kRelation:
    case GuardKind::kOutcome:
    case GuardKind::kDistinct:
    case GuardKind::kVariable:
      break;
  }
  return false;
}

size_t GuardProgram::check(const EntryState& entry, std::span<int64_t> symbols) {
  variables_.clear();
  if (comparisons_) comparisons_->begin();
  for (size_t i = 0; i < loads_.size(); ++i) {
    const Load& source = loads_[i];
    bool parameter = source.kind == SourceKind::kLocal && source.position < entry.registers.size();
    slots_[i] = parameter ? &entry.registers[source.position] : load(source, entry);
  }
  for (size_t i = 0; i < checks_.size(); ++i) {
    if (!holds(i, symbols)) return i;
  }
  return kPassed;
}

GuardProgram::Held GuardProgram::hold() const {
  Held held{.values = {}, .places = slots_};
  held.values.reserve(slots_.size());
  for (const Value* slot : slots_) held.values.push_back(slot ? *slot : Value());
  return held;
}

void GuardProgram::point_at(const Held& held) {
  variables_ = held.places;
  for (size_t i = 0; i < slots_.size(); ++i)
    slots_[i] = held.values[i].defined() ? &held.values[i] : nullptr;
}

}  // namespace glint::capture
