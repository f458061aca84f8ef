#include "runtime/interpreter/complex_tensors.h"

#include <algorithm>

#include "core/tensor/print.h"
#include "runtime/interpreter/builtins.h"
#include "runtime/interpreter/machine.h"
#include "runtime/interpreter/tensor_operators.h"
#include "runtime/interpreter/torch_autograd.h"
#include "runtime/interpreter/torch_values.h"

namespace glint::runtime {
namespace {

bool in_use = false;

const TupleObject* counted_as(const ClassObject& cls) {
  static const Ref<StrObject> name = intern("__counts_as__");
  if (cls.native || cls.instance_kind != kInstanceKind) return nullptr;
  const Value* found = cls.lookup(name.get());
  return found ? found->try_as<TupleObject>() : nullptr;
}

/// Itself, or among the items of lists: `torch.cat([z, w])`, `torch.tensor([[1j, 2]])`.
bool holds_complex(const Value& value, int levels) {
  if (is_complex(value)) return true;
  const std::vector<Value>* items = items_of(value);
  if (!items || levels == 0) return false;
  return std::ranges::any_of(*items,
                             [&](const Value& item) { return holds_complex(item, levels - 1); });
}

constexpr std::string_view kComplexLibrary = "torch._complex";

/// Whose `call` takes calls with this argument: the library that its class, or that of an item,
/// names, else the one that was found before.
std::string_view library_of(const Value& value, std::string_view before, int levels) {
  static const Ref<StrObject> name = intern("__calls_go_to__");
  if (auto* instance = value.try_as<InstanceObject>()) {
    const Value* named = counted_as(*instance->cls) ? instance->cls->lookup(name.get()) : nullptr;
    return named && is_str(*named) ? view_of(*named) : before;
  }
  const std::vector<Value>* items = levels > 0 ? items_of(value) : nullptr;
  if (items)
    for (const Value& item : *items) before = library_of(item, before, levels - 1);
  return before;
}

/// Natives of `torch`, methods of tensors and what makes parameters.
bool takes_tensors(Interpreter& in, const NativeFunctionObject& native) {
  return native.module_name.starts_with("torch") || native.owner == in.classes().tensor.get() ||
         &native == in.classes().parameter->construct.get();
}

Value native_use_complex(NativeCall& call) {
  note_complex_in_use();
  return Value::none();
}

Value native_complex_text(NativeCall& call) {
  const Tensor pairs = tensor_of(call[0]);
  if (!call.interpreter.demand_value(pairs)) return Value();
  return str_value(repr(pairs, gradient_suffix(pairs), Elements::kPairs));
}

Value native_elements_text(NativeCall& call) {
  const Tensor tensor = tensor_of(call[0]);
  if (!call.interpreter.demand_value(tensor)) return Value();
  return str_value(elements_text(tensor, size_t(call[1].as_int())));
}

Value native_line_width(NativeCall&) {
  return Value(int64_t{print_options().line_width});
}

constexpr NativeDefinition kNative[] = {
    {"elements_text(tensor, indent, /)",
     native_elements_text,
     {.pure = true, .reads_elements = true},
     "the numbers of a tensor, as they are printed behind so many columns"},
    {"line_width()", native_line_width, kImpure, "the columns that a printed tensor may take"},
    {"use_complex()", native_use_complex, kImpure, "has calls look for complex arguments"},
    {"complex_text(pairs, /)",
     native_complex_text,
     {.pure = true, .reads_elements = true},
     "the text of a complex tensor, from its pairs of numbers"},
};

}  // namespace

void fill_native_complex(Interpreter& in, ModuleObject& module) {
  in.add_functions(module, kNative);
}

bool complex_in_use() {
  return in_use;
}
void note_complex_in_use() {
  in_use = true;
}

bool counts_as(const ClassObject& cls, const ClassObject& other) {
  const TupleObject* classes = in_use ? counted_as(cls) : nullptr;
  return classes && std::ranges::any_of(classes->items, [&](const Value& each) {
           return each.is<ClassObject>() && each.as<ClassObject>()->is_subclass_of(&other);
         });
}

bool is_complex(const Value& value) {
  if (value.is<ComplexObject>()) return true;
  auto* instance = value.try_as<InstanceObject>();
  return instance && counted_as(*instance->cls) != nullptr;
}

Value call_complex(Interpreter& in, std::string_view name, std::vector<Value> positional,
                   std::span<const std::pair<StrObject*, Value>> keywords) {
  std::string_view library = kComplexLibrary;
  for (const Value& value : positional) library = library_of(value, library, kArgumentLevels);
  for (const auto& [_, value] : keywords) library = library_of(value, library, kArgumentLevels);
  const Value module = in.import_module(library);
  if (module.is_undefined()) return Value();
  positional.insert(positional.begin(), Value(intern(name)));
  return in.call_with_keywords(*module.as<ModuleObject>()->dict->find("call"), positional,
                               keywords);
}

std::optional<Value> call_if_complex(Interpreter& in, NativeFunctionObject& native,
                                     const Value* self, const Arguments& arguments) {
  constexpr int kDeepest = 8;
  const std::span<const Value> given(arguments.values, arguments.count + arguments.keyword_count);
  auto holds = [](const Value& value) { return holds_complex(value, kDeepest); };
  if (!takes_tensors(in, native) || std::ranges::none_of(given, holds)) return std::nullopt;
  std::vector<Value> positional(given.begin(), given.begin() + long(arguments.count));
  if (self) positional.insert(positional.begin(), *self);
  std::vector<std::pair<StrObject*, Value>> keywords;
  for (size_t i = 0; i < arguments.keyword_count; ++i)
    keywords.emplace_back(arguments.names[i], given[arguments.count + i]);
  return call_complex(in, native.signature.name, std::move(positional), keywords);
}

}  // namespace glint::runtime
