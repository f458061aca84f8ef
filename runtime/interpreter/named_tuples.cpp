#include "runtime/interpreter/named_tuples.h"

#include <array>
#include <string>
#include <utility>

#include "core/support/check.h"
#include "runtime/interpreter/builtins.h"

namespace glint::runtime {
namespace {

template <size_t kIndex>
Value tuple_part(NativeCall& call) {
  return call[0].as<TupleObject>()->items[kIndex];
}

/// `torch.return_types.max((values, indices))`: of as many parts as it has names.
Value construct_named_tuple(NativeCall& call) {
  ClassObject* cls = call.function->owner;
  const size_t wanted = cls->lookup("_fields")->as<TupleObject>()->items.size();
  std::vector<Value> items;
  if (!collect(call.interpreter, call[0], items)) return Value();
  if (items.size() != wanted)
    return call.raise("TypeError", fmt::format("{}.{}() takes a {}-sequence ({}-sequence given)",
                                               view_of(cls->module_name), cls->name->view(), wanted,
                                               items.size()));
  Ref<TupleObject> made = make_tuple(std::move(items));
  mark_subclassed(made.get(), cls);
  return Value(std::move(made));
}

constexpr Effects kCollects{.pure = true, .reads_value = true, .calls_back = true};

template <size_t... kIndices>
constexpr auto parts(std::index_sequence<kIndices...>) {
  return std::array{&tuple_part<kIndices>...};
}

}  // namespace

Ref<ClassObject> new_named_tuple_class(Interpreter& in, std::string_view module_name,
                                       std::string_view name,
                                       std::span<const std::string_view> fields) {
  static constexpr auto kParts = parts(std::make_index_sequence<kMostNamedParts>());
  check(fields.size() <= kMostNamedParts, "a tuple with too many named parts");
  Ref<ClassObject> cls = in.new_class(name, in.classes().tuple, kTupleKind, module_name);
  std::vector<Value> names;
  for (size_t i = 0; i < fields.size(); ++i) {
    in.add_property(*cls, {std::string(fields[i]) + "(self)", kParts[i], kPure, "a part"});
    names.push_back(str_value(std::string(fields[i])));
  }
  cls->set_attribute(intern("_fields"), Value(make_tuple(std::move(names))));
  set_constructor(*cls, {"named_tuple(sequence, /)", construct_named_tuple, kCollects,
                         "a tuple whose parts have names"});
  cls->construct->owner = cls.get();
  return cls;
}

}  // namespace glint::runtime
