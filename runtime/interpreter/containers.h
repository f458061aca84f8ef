// The kinds of objects; texts, bytes and the containers. object.h has the other structs.
//
//     Ref<ListObject> list = make_list({Value(int64_t{1}), make_str("two")});
#pragma once

#include <complex>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/support/span.h"
#include "core/tensor/dtype.h"
#include "ir/program.h"
#include "runtime/interpreter/hash_table.h"
#include "runtime/interpreter/heap.h"
#include "runtime/interpreter/value.h"

namespace glint::runtime {

/// The interpreter's kinds. `kTensorKind` (1) is the tensor library's.
enum Kind : ObjectKind {
  kStrKind = kFirstInterpreterKind,
  kBytesKind,
  kComplexKind,
  kListKind,
  kTupleKind,
  kDictKind,
  kSetKind,        ///< SetObject
  kFrozenSetKind,  ///< also SetObject
  kRangeKind,
  kSliceKind,
  kFunctionKind,
  kBoundMethodKind,
  kNativeFunctionKind,
  kBoundNativeKind,
  kCompiledFunctionKind,
  kClassKind,
  kInstanceKind,
  kModuleKind,
  kCellKind,
  kGeneratorKind,
  kExceptionKind,
  kPropertyKind,
  kStaticMethodKind,
  kClassMethodKind,
  kSuperKind,
  kIteratorKind,  ///< any subclass of IteratorObject
  kDTypeKind,
  kDeviceKind,
  kDictViewKind,
  kBigIntKind,  ///< an int that does not fit 64 bits
  kNumberKind,  ///< an int or float of a script's class
  kTracebackKind,
  kCodeKind,
  kSymIntKind,      ///< made by capture only
  kSymFloatKind,    ///< likewise
  kNativeDataKind,  ///< any subclass of NativeDataObject: files, generators of random numbers, ...
  kKindCount,
};

class Interpreter;
struct ClassObject;
struct DictObject;
struct Frame;
struct FunctionCode;
struct NativeFunctionObject;
struct TupleObject;

// ---- Text, bytes -------------------------------------------------------------------------------

/// UTF-8 text. `length` counts code points; a text is ASCII when `length == text.size()`.
struct StrObject : Object {
  static constexpr ObjectKind kKind = kStrKind;
  static constexpr uint16_t kInterned = kOwnFlag;
  std::string text;
  int64_t length = 0;
  uint64_t hash = 0;  ///< 0 until asked for

  explicit StrObject(std::string&& content);
  explicit StrObject(std::string_view content);
  std::string_view view() const { return text; }
  bool ascii() const { return length == static_cast<int64_t>(text.size()); }
};
Ref<StrObject> make_str(std::string text);
/// From characters that lie elsewhere: short ones are copied once.
Ref<StrObject> make_text(std::string_view text);
/// The one object for a name: attribute and global names, keys of instance attributes.
Ref<StrObject> intern(std::string_view text);
/// Code points of UTF-8 text.
int64_t count_code_points(std::string_view text);
/// The bytes of code points [begin, end) of the text.
std::string_view code_point_slice(const StrObject& text, int64_t begin, int64_t end);

struct BytesObject : Object {
  static constexpr ObjectKind kKind = kBytesKind;
  std::string data;
  explicit BytesObject(std::string content) : Object(kKind), data(std::move(content)) {}
};

/// A complex number: the one kind of number that is an object.
struct ComplexObject : Object {
  static constexpr ObjectKind kKind = kComplexKind;
  std::complex<double> number;
  explicit ComplexObject(std::complex<double> value) : Object(kKind), number(value) {}
};

// ---- Containers --------------------------------------------------------------------------------

struct ListObject : Container {
  static constexpr ObjectKind kKind = kListKind;
  std::vector<Value> items;
  uint32_t version = 0;  ///< changes with each write that goes through the interpreter

  ListObject() : Container(kKind) {}
  explicit ListObject(std::vector<Value> values) : Container(kKind), items(std::move(values)) {}
  void traverse(Visitor& visit) override;
  void clear() override;
};
Ref<ListObject> make_list(std::vector<Value> items = {});

/// Its items are settled when it is made: one that holds no container is no part of a cycle.
struct TupleObject : Container {
  static constexpr ObjectKind kKind = kTupleKind;
  std::vector<Value> items;

  explicit TupleObject(std::vector<Value> values)
      : Container(kKind, hold_containers(values)), items(std::move(values)) {}
  void traverse(Visitor& visit) override;
  void clear() override;
  bool is_size() const { return flag(kIsSize); }

 private:
  static bool hold_containers(std::span<const Value> values);
};
Ref<TupleObject> make_tuple(std::vector<Value> items);
Ref<TupleObject> make_pair(Value first, Value second);
/// A `torch.Size`.
Ref<TupleObject> make_size(std::span<const int64_t> sizes);

/// The items of a list or a tuple; null for any other value.
inline const std::vector<Value>* items_of(const Value& value) {
  if (auto* list = value.try_as<ListObject>()) return &list->items;
  if (auto* tuple = value.try_as<TupleObject>()) return &tuple->items;
  return nullptr;
}

/// An ordered dict. Keys that need a script's `__hash__` or `__eq__` run it (see hash_table.h).
struct DictObject : Container {
  static constexpr ObjectKind kKind = kDictKind;
  HashTable table;

  DictObject() : Container(kKind) {}
  void traverse(Visitor& visit) override;
  void clear() override;

  size_t size() const { return table.size(); }
  /// By a name; null if absent. Never raises.
  Value* find(const StrObject* key) { return table.find(key); }
  Value* find(std::string_view key) { return table.find(key); }
  void set(std::string_view key, Value value);
  void set(const Ref<StrObject>& key, Value value) { table.set(key.get(), std::move(value)); }
  bool erase(const StrObject* key) { return table.erase(key); }
};
Ref<DictObject> make_dict();

/// A set (`kSetKind`) or frozenset (`kFrozenSetKind`); the table's values are unused.
struct SetObject : Container {
  static constexpr ObjectKind kKind = kSetKind;
  HashTable table{HashTable::Layout::kSlots};
  explicit SetObject(ObjectKind kind = kSetKind) : Container(kind) {}
  void traverse(Visitor& visit) override;
  void clear() override;
};
inline SetObject* as_any_set(const Value& value) {
  return value.is(kSetKind) || value.is(kFrozenSetKind) ? value.as<SetObject>() : nullptr;
}

struct RangeObject : Object {
  static constexpr ObjectKind kKind = kRangeKind;
  int64_t start, stop, step;
  RangeObject(int64_t begin, int64_t end, int64_t by)
      : Object(kKind), start(begin), stop(end), step(by) {}
  int64_t length() const;
};

struct SliceObject : Container {
  static constexpr ObjectKind kKind = kSliceKind;
  Value start, stop, step;
  SliceObject(Value begin, Value end, Value by)
      : Container(kKind), start(std::move(begin)), stop(std::move(end)), step(std::move(by)) {}
  void traverse(Visitor& visit) override;
  void clear() override;
};
/// A slice resolved against a length as CPython's `slice.indices`.
struct SliceIndices {
  int64_t start = 0, stop = 0, step = 1, length = 0;
};
/// A bound as a number, None as 0; false if it raised.
bool slice_bound(const Value& value, int64_t& result);
/// The slice with plain numbers for bounds: an `__index__` may run script code, which must be over
/// before a list is measured. Null if one raised.
Ref<SliceObject> with_plain_bounds(const SliceObject& slice);
/// False if it raised (a step of 0, or a bound that is no int).
bool resolve_slice(const SliceObject& slice, int64_t length, SliceIndices& out);

/// `d.keys()`, `d.values()`, `d.items()`.
struct DictViewObject : Container {
  static constexpr ObjectKind kKind = kDictViewKind;
  enum class What : uint8_t { kKeys, kValues, kItems };
  Ref<DictObject> dict;
  What what;
  DictViewObject(Ref<DictObject> of, What kind_of_view)
      : Container(kKind), dict(std::move(of)), what(kind_of_view) {}
  void traverse(Visitor& visit) override;
  void clear() override;
};

}  // namespace glint::runtime
