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
  return cls;
}

}  // namespace glint::runtime
