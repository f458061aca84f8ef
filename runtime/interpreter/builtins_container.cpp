// The special methods that builtin containers have in common, called by name or through `super()`:
// the operators do not come here. Lists have their own.
//
//     "abc".__len__()                       3
//     super().__contains__(key)             in a subclass of dict
#include "runtime/interpreter/builtins.h"
#include "runtime/interpreter/plain_items.h"

namespace glint::runtime {
namespace {

Value container_len(NativeCall& call) {
  int64_t length = plain_length(call.interpreter, call[0]);
  return length < 0 ? Value() : Value(length);
}
Value container_contains(NativeCall& call) {
  return bool_value(plain_contains(call.interpreter, call[0], call[1]));
}
Value container_iter(NativeCall& call) {
  return plain_iterator(call.interpreter, call[0]);
}
Value container_getitem(NativeCall& call) {
  return plain_item(call.interpreter, call[0], call[1]);
}

constexpr Effects kReadsItems{
    .pure = true, .reads_keys = true, .reads_elements = true, .calls_back = true};
constexpr Effects kSearches{
    .pure = true, .reads_keys = true, .reads_elements = true, .calls_back = true, .searches = true};
constexpr Effects kHandsOn{
    .pure = true, .reads_keys = true, .reads_elements = true, .calls_back = true, .hands_on = true};
constexpr NativeDefinition kOfAll[] = {
    {"__len__(self, /)",
     container_len,
     {.pure = true, .reads_length = true, .spares_items = true},
     "the number of items"},
    {"__iter__(self, /)", container_iter, kHandsOn, "an iterator over the items"},
};
constexpr NativeDefinition kOfAllButDicts[] = {
    {"__contains__(self, value, /)", container_contains, kSearches,
     "whether there is such an item"},
};
constexpr NativeDefinition kOfSequences[] = {
    {"__getitem__(self, index, /)", container_getitem, kReadsItems, "an item"},
};

}  // namespace

void install_container(Interpreter& in) {
  const BuiltinClasses& classes = in.classes();
  ClassObject* sequences[] = {classes.str.get(), classes.bytes.get(), classes.tuple.get(),
                              classes.range.get()};
  ClassObject* sets[] = {classes.set.get(), classes.frozenset.get()};
  for (ClassObject* cls : sequences) {
    in.add_methods(*cls, kOfAll);
    in.add_methods(*cls, kOfAllButDicts);
    in.add_methods(*cls, kOfSequences);
  }
  for (ClassObject* cls : sets) {
    in.add_methods(*cls, kOfAll);
    in.add_methods(*cls, kOfAllButDicts);
  }
  in.add_methods(*classes.dict, kOfAll);
}

}  // namespace glint::runtime
