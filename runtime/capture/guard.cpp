#include "runtime/capture/guard.h"

#include <fmt/format.h>

#include <bit>

#include "runtime/interpreter/interpreter.h"
#include "runtime/interpreter/protocol.h"

namespace glint::capture {

using namespace runtime;  // NOLINT: the interpreter's object structs, by their names

namespace {

constexpr GuardKindInfo kKinds[] = {
    {GuardKind::kIdentity, "identity", "the same object"},
    {GuardKind::kEquals, "equals", "the same None, bool, int, float or str"},
    {GuardKind::kType, "type", "an object of that type"},
    {GuardKind::kLength, "length", "so many items"},
    {GuardKind::kTensor, "tensor", "dtype, device, sizes and strides"},
    {GuardKind::kAbsent, "absent", "no attribute or key of that name"},
    {GuardKind::kRelation, "relation", "between sizes"},
};

std::string size_text(const SizeGuard& size) {
  return size.constant ? fmt::format("{}", *size.constant) : fmt::format("s{}", size.symbol);
}

int64_t length_of_container(const Value& value) {
  if (auto* list = value.try_as<ListObject>()) return static_cast<int64_t>(list->items.size());
  if (auto* tuple = value.try_as<TupleObject>()) return static_cast<int64_t>(tuple->items.size());
  if (auto* dict = value.try_as<DictObject>()) return static_cast<int64_t>(dict->size());
  return -1;
}

bool equals(const Value& value, const Value& expected) {
  if (value.tag() != expected.tag()) return false;
  if (value.is_float()) {
    return std::bit_cast<uint64_t>(value.as_float()) ==
           std::bit_cast<uint64_t>(expected.as_float());
  }
  if (value.identical(expected)) return true;
  auto* text = value.try_as<StrObject>();
  auto* wanted = expected.try_as<StrObject>();
  return text && wanted && text->text == wanted->text;
}

bool tensor_holds(const Guard& guard, const Value& value, std::vector<int64_t>& symbols) {
  if (!value.is(kTensorKind)) return false;
  const TensorImpl& tensor = *value.as<TensorImpl>();
  if (tensor.dtype != guard.dtype || tensor.sizes.size() != guard.sizes.size()) return false;
  if (tensor.requires_grad || !tensor.storage) return false;
  if (tensor.contiguous != guard.strides.empty()) return false;
  for (size_t i = 0; i < guard.sizes.size(); ++i) {
    const SizeGuard& size = guard.sizes[i];
    int64_t have = tensor.sizes[i];
    if (size.constant) {
      if (*size.constant != have) return false;
    } else if (size.binds) {
      if (have < 2) return false;
      symbols[size.symbol] = have;
    } else if (symbols[size.symbol] != have) {
      return false;
    }
  }
  for (size_t i = 0; i < guard.strides.size(); ++i) {
    if (tensor.strides[i] != guard.strides[i]) return false;
  }
  return true;
}

/// The attribute that the object itself holds; null if there is none.
Value* own_attribute(const Value& object, const StrObject* name) {
  if (auto* module = object.try_as<ModuleObject>()) return module->dict->find(name);
  if (auto* instance = object.try_as<InstanceObject>()) return instance->find(name);
  if (auto* cls = object.try_as<ClassObject>()) return cls->lookup(name);
  if (auto* dict = object.try_as<DictObject>()) return dict->find(name);
  return nullptr;
}

}  // namespace

std::span<const GuardKindInfo> guard_kind_table() {
  return kKinds;
}

std::string expectation(const Guard& guard) {
  switch (guard.kind) {
    case GuardKind::kIdentity:
      return actual(guard.expected);
    case GuardKind::kEquals:
      return actual(guard.expected);
    case GuardKind::kType:
      return std::string(guard.expected.try_as<ClassObject>()
                             ? guard.expected.as<ClassObject>()->name->view()
                             : std::string_view("object"));
    case GuardKind::kLength:
      return fmt::format("{} items", guard.length);
    case GuardKind::kAbsent:
      return fmt::format("no `{}`", guard.name);
    case GuardKind::kRelation:
      return guard.relation->text();
    case GuardKind::kTensor: {
      std::string text = fmt::format("{}[", dtype_info(guard.dtype).name);
      for (size_t i = 0; i < guard.sizes.size(); ++i)
        text += (i ? ", " : "") + size_text(guard.sizes[i]);
      text += "] cpu, ";
      if (guard.strides.empty()) return text + "contiguous";
      return text + fmt::format("strides {}", fmt::join(guard.strides, ", "));
    }
  }
  return {};
}

std::string actual(const Value& value) {
  if (value.is_undefined()) return "nothing";
  if (value.is(kTensorKind)) {
    const TensorImpl& tensor = *value.as<TensorImpl>();
    std::string text = fmt::format("{}[", dtype_info(tensor.dtype).name);
    for (size_t i = 0; i < tensor.sizes.size(); ++i)
      text += fmt::format("{}{}", i ? ", " : "", tensor.sizes[i]);
    return text + (tensor.contiguous ? "] cpu, contiguous" : "] cpu, strided");
  }
  if (auto* function = value.try_as<FunctionObject>())
    return fmt::format("function {}", function->qualified_name->view());
  if (auto* native = value.try_as<NativeFunctionObject>())
    return fmt::format("function {}", native->signature.name);
  if (auto* module = value.try_as<ModuleObject>())
    return fmt::format("module {}", module->name->view());
  if (auto* cls = value.try_as<ClassObject>()) return fmt::format("class {}", cls->name->view());
  bool plain = !value.is_object() || value.is<StrObject>();
  if (!plain) return fmt::format("a {}", type_name(value));
  std::string text;
  repr_of(Interpreter::current(), value, text);
  return text;
}

GuardProgram::GuardProgram(const SourceTable& sources, std::vector<Guard> guards,
                           std::vector<Value> objects)
    : guards_(std::move(guards)), objects_(std::move(objects)), slots_(sources.size(), nullptr) {
  for (size_t i = 0; i < sources.size(); ++i) {
    loads_.push_back(sources[static_cast<SourceId>(i)]);
    names_.push_back(intern(loads_.back().name));
  }
}

const Value* GuardProgram::load(const Source& source, const EntryState& entry) const {
  const Value* parent = source.parent == SourceId::kNone ? nullptr : slots_[index(source.parent)];
  if (source.parent != SourceId::kNone && !parent) return nullptr;
  const StrObject* name = names_[static_cast<size_t>(&source - loads_.data())].get();
  switch (source.kind) {
    case SourceKind::kLocal:
      return source.position < entry.registers.size() ? &entry.registers[source.position] : nullptr;
    case SourceKind::kCell: {
      const auto& closure = entry.function->closure;
      size_t own = entry.function->code->cells.size() - closure.size();
      if (source.position >= own) return &closure[source.position - own]->value;
      return entry.cells ? &entry.cells[source.position]->value : nullptr;
    }
    case SourceKind::kGlobal:
      return entry.function->globals->find(name);
    case SourceKind::kObject:
      return &objects_[source.position];
    case SourceKind::kGlobalOf:
      if (auto* function = parent->try_as<FunctionObject>()) return function->globals->find(name);
      return nullptr;
    case SourceKind::kCellOf:
      if (auto* function = parent->try_as<FunctionObject>()) {
        return source.position < function->closure.size()
                   ? &function->closure[source.position]->value
                   : nullptr;
      }
      return nullptr;
    case SourceKind::kAttribute:
    case SourceKind::kEntry:
      return own_attribute(*parent, name);
    case SourceKind::kMember:
      return class_of(*parent)->lookup(name);
    case SourceKind::kItem: {
      const std::vector<Value>* items = parent->is<ListObject>() ? &parent->as<ListObject>()->items
                                        : parent->is<TupleObject>()
                                            ? &parent->as<TupleObject>()->items
                                            : nullptr;
      return items && source.position < items->size() ? &(*items)[source.position] : nullptr;
    }
    case SourceKind::kSelf:
      return parent->is<BoundMethodObject>() ? &parent->as<BoundMethodObject>()->self : nullptr;
    case SourceKind::kDefault:
      if (auto* function = parent->try_as<FunctionObject>()) {
        return source.position < function->defaults.size() ? &function->defaults[source.position]
                                                           : nullptr;
      }
      return nullptr;
    case SourceKind::kKeywordDefault:
      if (auto* function = parent->try_as<FunctionObject>();
          function && function->keyword_defaults) {
        return function->keyword_defaults->find(name);
      }
      return nullptr;
    case SourceKind::kSize:
      return nullptr;
  }
  return nullptr;
}

bool GuardProgram::holds(const Guard& guard, std::vector<int64_t>& symbols) const {
  if (guard.kind == GuardKind::kRelation) return guard.relation->holds(symbols);
  const Value* value = slots_[index(guard.source)];
  if (guard.kind == GuardKind::kAbsent) {
    return value && !own_attribute(*value, intern(guard.name).get());
  }
  if (!value || value->is_undefined()) return false;
  switch (guard.kind) {
    case GuardKind::kIdentity:
      return value->identical(guard.expected);
    case GuardKind::kEquals:
      return equals(*value, guard.expected);
    case GuardKind::kType:
      return value->is(guard.object_kind) && class_of(*value) == guard.expected.as<ClassObject>();
    case GuardKind::kLength:
      return length_of_container(*value) == guard.length;
    case GuardKind::kTensor:
      return tensor_holds(guard, *value, symbols);
    case GuardKind::kAbsent:
    case GuardKind::kRelation:
      break;
  }
  return false;
}

size_t GuardProgram::check(const EntryState& entry, std::vector<int64_t>& symbols) {
  for (size_t i = 0; i < loads_.size(); ++i) slots_[i] = load(loads_[i], entry);
  for (size_t i = 0; i < guards_.size(); ++i) {
    if (!holds(guards_[i], symbols)) return i;
  }
  return kPassed;
}

}  // namespace glint::capture
