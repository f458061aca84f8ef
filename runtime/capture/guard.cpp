#include "runtime/capture/guard.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/capture/keys.h"
#include "runtime/interpreter/attributes.h"
#include "runtime/interpreter/interpreter.h"
#include "runtime/interpreter/number_objects.h"
#include "runtime/interpreter/protocol.h"

namespace glint::capture {

using namespace runtime;  // NOLINT: the interpreter's object structs, by their names
using runtime::Value;

namespace {

constexpr GuardKindInfo kKinds[] = {
    {GuardKind::kIdentity, "identity", "the same object"},
    {GuardKind::kEquals, "equals", "the same None, bool, int, float, str, bytes or range"},
    {GuardKind::kType, "type", "an object of that type"},
    {GuardKind::kGradMode, "grad mode", "whether gradients are recorded"},
    {GuardKind::kAutocast, "autocast", "what `torch.autocast` has set"},
    {GuardKind::kDefaultDtype, "default dtype", "what `torch.set_default_dtype` has set"},
    {GuardKind::kInteger, "integer", "an int, which a symbol stands for"},
    {GuardKind::kFloat, "float", "a float, which is an input"},
    {GuardKind::kCode, "code",
     "a function of the same code and module, a method of a builtin type"},
    {GuardKind::kLength, "length", "so many items"},
    {GuardKind::kKeys, "keys", "a dict of these keys, a set of these elements, in that order"},
    {GuardKind::kTensor, "tensor", "dtype, device, sizes and strides"},
    {GuardKind::kSame, "same", "the object that another name has, or another one"},
    {GuardKind::kDistinct, "distinct",
     "of which one is written or looked for, and which are not the same"},
    {GuardKind::kVariable, "variable", "the variable that another function has, or another one"},
    {GuardKind::kLeaf, "leaf",
     "a tensor that no recorded operator computed, and that has no hooks"},
    {GuardKind::kUnshared, "unshared", "a tensor whose memory no other one has"},
    {GuardKind::kCurrent, "current",
     "a view that was made without grad mode, and whose memory was not written since"},
    {GuardKind::kAbsent, "absent", "no attribute or key of that name"},
    {GuardKind::kKey, "key", "a dict or set that has a key, or has it not"},
    {GuardKind::kNames, "names", "an object with attributes of just these names"},
    {GuardKind::kFits, "fits", "a number that needs no more than 64 bits"},
    {GuardKind::kRelation, "relation", "between sizes"},
    {GuardKind::kOutcome, "outcome", "a comparison of floats that comes out so"},
};

std::string size_text(const SizeGuard& size) {
  return size.constant ? fmt::format("{}", *size.constant) : fmt::format("s{}", size.symbol);
}

std::string items_text(int64_t count) {
  return fmt::format("{} item{}", count, count == 1 ? "" : "s");
}

/// `keys 'a', 'b'`.
std::string keys_text(std::span<const Value> keys) {
  constexpr size_t kMost = 8;
  std::string text = keys.empty() ? "no keys" : "keys ";
  for (size_t i = 0; i < keys.size() && i < kMost; ++i) text += (i ? ", " : "") + actual(keys[i]);
  return keys.size() > kMost ? fmt::format("{}, ... ({} in all)", text, keys.size()) : text;
}

/// What of a class is looked up without an attribute being read, name by name along its order.
std::vector<Value> special_members(const Value& of) {
  const ClassObject& cls = *of.as<ClassObject>();
  std::vector<Value> members;
  for (const ClassObject* each : cls.order) {
    if (each->native) continue;
    members.push_back(Value(each->name));
    members.push_back(Value(each->qualified_name));
    for (const auto& entry : each->dict->table.entries()) {
      auto* name = entry.key.try_as<StrObject>();
      if (!name || !name->view().starts_with("__")) continue;
      members.push_back(entry.key);
      members.push_back(entry.value);
    }
  }
  // A script's metaclass answers for what the class itself has not.
  for (const ClassObject* each : class_of(of)->order) {
    if (each->native) continue;
    for (const auto& entry : each->dict->table.entries()) {
      members.push_back(entry.key);
      members.push_back(entry.value);
    }
  }
  return members;
}

bool is_missing(const ClassObject& cls, const Definition::Missing& missing) {
  for (const ClassObject* each : cls.order) {
    if (each == missing.before) return true;
    if (each->dict->find(missing.name.get())) return false;
  }
  return true;
}

}  // namespace

std::shared_ptr<Definition> definition_of(const Value& object) {
  if (auto* function = object.try_as<FunctionObject>())
    return std::make_shared<Definition>(Definition{object, function->version, {}});
  auto* cls = object.try_as<ClassObject>();
  if (!cls || cls->native) return nullptr;
  return std::make_shared<Definition>(Definition{object, cls->version, special_members(object)});
}

bool is_still(const Definition& definition) {
  auto* cls = definition.of.try_as<ClassObject>();
  if (!cls) return false;
  auto still_missing = [&](const auto& each) { return is_missing(*cls, each); };
  if (!std::ranges::all_of(definition.missing, still_missing)) return false;
  for (const Ref<StrObject>& name : definition.left_to_objects) {
    Value* found = cls->lookup(name.get());
    if (found && is_read_first(*found)) return false;
  }
  auto same = [](const Value& a, const Value& b) { return a.identical(b); };
  return std::ranges::equal(special_members(definition.of), definition.members, same);
}

std::span<const GuardKindInfo> guard_kind_table() {
  return kKinds;
}

/// No strides: contiguous.
static std::string layout_text(std::span<const std::string> strides, bool requires_grad,
                               bool inference) {
  std::string text =
      strides.empty() ? "contiguous" : fmt::format("strides {}", fmt::join(strides, ", "));
  return text + (requires_grad ? ", requires grad" : "") + (inference ? ", inference" : "");
}

std::string grad_mode_text(GradState state) {
  return fmt::format("{}{}", state.enabled ? "on" : "off",
                     state.inference ? ", in inference mode" : "");
}

std::string autocast_text(const AutocastState& state) {
  std::string text;
  if (state.cpu) text = fmt::format("cpu {}", dtype_name(state.cpu_dtype));
  if (state.cuda)
    text += fmt::format("{}cuda {}", state.cpu ? ", " : "", dtype_name(state.cuda_dtype));
  return text.empty() ? "off" : text;
}

bool is_shown(const Guard& guard) {
  return guard.kind != GuardKind::kAutocast || guard.grad_state.autocast.any();
}

size_t shown_guards(std::span<const Guard> guards) {
  return guards.empty() || is_shown(guards.back()) ? guards.size() : guards.size() - 1;
}

std::string expectation(const Guard& guard) {
  switch (guard.kind) {
    case GuardKind::kIdentity:
      return actual(guard.expected);
    case GuardKind::kCode:
      return actual(guard.expected);
    case GuardKind::kEquals:
      return actual(guard.expected) + (guard.reason.empty() ? "" : ", " + guard.reason);
    case GuardKind::kType:
      return std::string(guard.expected.try_as<ClassObject>()
                             ? guard.expected.as<ClassObject>()->name->view()
                             : std::string_view("object"));
    case GuardKind::kGradMode:
      return grad_mode_text(guard.grad_state);
    case GuardKind::kAutocast:
      return autocast_text(guard.grad_state.autocast);
    case GuardKind::kDefaultDtype:
      return std::string(dtype_name(guard.dtype));
    case GuardKind::kInteger:
      if (guard.length == std::numeric_limits<int64_t>::max())
        return fmt::format("int s{}", guard.sizes[0].symbol);
      return fmt::format("int s{}, at most {}", guard.sizes[0].symbol, guard.length);
    case GuardKind::kFloat:
      return "any float";
    case GuardKind::kLength:
      return items_text(guard.length);
    case GuardKind::kKeys:
      return keys_text(guard.expected.as<TupleObject>()->items);
    case GuardKind::kDistinct:
      return guard.name;
    case GuardKind::kVariable:
    case GuardKind::kSame:
      return fmt::format("{}`{}`", guard.flag ? "" : "not ", guard.name);
    case GuardKind::kLeaf:
      return "a leaf";
    case GuardKind::kUnshared:
      return "memory of its own";
    case GuardKind::kCurrent:
      return "memory that was not written since the view was made";
    case GuardKind::kAbsent:
      return fmt::format("no `{}`", guard.name);
    case GuardKind::kKey:
      return fmt::format("{} `{}`", guard.flag ? "has" : "no", guard.name);
    case GuardKind::kNames:
      return fmt::format("{} names", guard.expected.as<ListObject>()->items.size());
    case GuardKind::kFits:
      return "64 bits";
    case GuardKind::kRelation:
      return guard.relation->text();
    case GuardKind::kOutcome:
      return guard.flag ? "True" : "False";
    case GuardKind::kTensor: {
      std::string text = fmt::format("{}[", dtype_info(guard.dtype).name);
      for (size_t i = 0; i < guard.sizes.size(); ++i)
        text += (i ? ", " : "") + size_text(guard.sizes[i]);
      std::vector<std::string> strides;
      for (const SizeGuard& stride : guard.strides) strides.push_back(size_text(stride));
      return text + "] " + to_string(guard.device) + ", " +
             layout_text(strides, guard.flag, guard.inference);
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
    std::vector<std::string> strides;
    if (!tensor.contiguous)
      for (const int64_t stride : tensor.strides) strides.push_back(fmt::format("{}", stride));
    return text + "] " + to_string(tensor.device) + ", " +
           layout_text(strides, requires_grad(tensor), tensor.inference);
  }
  if (auto* function = value.try_as<FunctionObject>())
    return fmt::format("function {}", function->qualified_name->view());
  if (auto* native = value.try_as<NativeFunctionObject>())
    return fmt::format("function {}", native->signature.name);
  if (auto* module = value.try_as<ModuleObject>())
    return fmt::format("module {}", module->name->view());
  if (auto* cls = value.try_as<ClassObject>()) return fmt::format("class {}", cls->name->view());
  bool plain = !value.is_object() || value.is<StrObject>() || value.is(kBytesKind) ||
               value.is(kBigIntKind) || value.is(kComplexKind) || value.is(kRangeKind);
  if (is_number_object(value))
    return fmt::format("a {} of {}", type_name(value), actual(number_in(value)));
  if (!plain) return fmt::format("a {}", type_name(value));
  std::string text;
  repr_of(Interpreter::current(), value, text);
  return text;
}

int64_t length_of_container(const Value& value) {
  if (auto* list = value.try_as<ListObject>()) return static_cast<int64_t>(list->items.size());
  if (auto* tuple = value.try_as<TupleObject>()) return static_cast<int64_t>(tuple->items.size());
  if (auto* dict = value.try_as<DictObject>()) return static_cast<int64_t>(dict->size());
  if (auto* set = as_any_set(value)) return static_cast<int64_t>(set->table.size());
  return -1;
}

std::string actual(const Guard& guard, const Value& value) {
  if (guard.kind == GuardKind::kLength && value.defined())
    if (const int64_t length = length_of_container(value); length >= 0) return items_text(length);
  const HashTable* table = table_of(value);
  if (guard.kind != GuardKind::kKeys || !table) return actual(value);
  std::vector<Value> keys;
  for (const auto& entry : table->entries())
    if (entry.key.defined()) keys.push_back(entry.key);
  return keys_text(keys);
}

}  // namespace glint::capture
