// A value of the language: 16 bytes, a tag and a payload.
//
// None, bool, int, float, `...` and NotImplemented are stored in the value itself; everything else
// (str, list, functions, instances, tensors) is a counted object. `undefined` is no value of the
// language: it is an unbound register, a missing argument, the end of an iterator, and what a
// function returns that has raised an exception.
//
//     Value two(int64_t{2});                  two.is_int(), two.as_int() == 2
//     Value list(make_ref<ListObject>());     list.is<ListObject>(), list.as<ListObject>()->items
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "core/support/ref_counted.h"

namespace glint::runtime {

enum class Tag : uint32_t {
  kUndefined = 0,
  kNone,
  kBool,
  kInt,
  kFloat,
  kEllipsis,
  kNotImplemented,
  kObject,  ///< the only one that counts references
};

/// Passed in registers in spite of its destructor, which tests the tag and no more for most values.
class [[clang::trivial_abi]] Value {
 public:
  Value() : tag_(Tag::kUndefined) { bits_.integer = 0; }
  explicit Value(bool value) : tag_(Tag::kBool) { bits_.integer = value; }
  explicit Value(int64_t value) : tag_(Tag::kInt) { bits_.integer = value; }
  explicit Value(double value) : tag_(Tag::kFloat) { bits_.real = value; }
  /// Counts a new reference to the object; null gives None.
  explicit Value(RefCounted* object) : tag_(object ? Tag::kObject : Tag::kNone) {
    bits_.object = object;
    if (object) object->retain();
  }
  template <class T>
    requires std::is_base_of_v<RefCounted, T>
  Value(const Ref<T>& object) : Value(static_cast<RefCounted*>(object.get())) {}
  template <class T>
    requires std::is_base_of_v<RefCounted, T>
  Value(Ref<T>&& object) : tag_(object ? Tag::kObject : Tag::kNone) {
    bits_.object = object.leak();
  }
  template <class T>
    requires std::is_base_of_v<RefCounted, T>
  explicit Value(T* object) : Value(static_cast<RefCounted*>(object)) {}
  /// No accidental int, size_t or pointer: say `Value(int64_t{n})`.
  template <class T>
    requires(!std::is_convertible_v<T, RefCounted*> && !std::is_base_of_v<RefCounted, T>)
  explicit Value(T) = delete;

  static Value undefined() { return Value(); }
  static Value none() { return Value(Tag::kNone); }
  static Value ellipsis() { return Value(Tag::kEllipsis); }
  static Value not_implemented() { return Value(Tag::kNotImplemented); }

  Value(const Value& other) : tag_(other.tag_), bits_(other.bits_) {
    if (tag_ == Tag::kObject) bits_.object->retain();
  }
  Value(Value&& other) noexcept : tag_(other.tag_), bits_(other.bits_) {
    other.tag_ = Tag::kUndefined;
  }
  Value& operator=(const Value& other) {
    Value copy(other);
    swap(copy);
    return *this;
  }
  Value& operator=(Value&& other) noexcept {
    Value moved(std::move(other));
    swap(moved);
    return *this;
  }
  ~Value() {
    if (tag_ == Tag::kObject) bits_.object->release();
  }
  void swap(Value& other) noexcept {
    std::swap(tag_, other.tag_);
    std::swap(bits_, other.bits_);
  }

  Tag tag() const { return tag_; }
  bool is_undefined() const { return tag_ == Tag::kUndefined; }
  bool defined() const { return tag_ != Tag::kUndefined; }
  bool is_none() const { return tag_ == Tag::kNone; }
  bool is_bool() const { return tag_ == Tag::kBool; }
  bool is_int() const { return tag_ == Tag::kInt; }
  bool is_float() const { return tag_ == Tag::kFloat; }
  bool is_ellipsis() const { return tag_ == Tag::kEllipsis; }
  bool is_not_implemented() const { return tag_ == Tag::kNotImplemented; }
  bool is_object() const { return tag_ == Tag::kObject; }
  /// An int, or a bool, which Python counts as one.
  bool is_integral() const { return tag_ == Tag::kInt || tag_ == Tag::kBool; }
  bool is_number() const { return is_integral() || tag_ == Tag::kFloat; }

  bool as_bool() const { return bits_.integer != 0; }
  /// Of an int or a bool.
  int64_t as_int() const { return bits_.integer; }
  double as_float() const { return bits_.real; }
  /// Of any number, as a float.
  double to_double() const {
    return tag_ == Tag::kFloat ? bits_.real : static_cast<double>(bits_.integer);
  }
  RefCounted* object() const { return bits_.object; }

  /// The object's kind, or `kOpaqueKind` if this is not an object.
  ObjectKind kind() const { return is_object() ? bits_.object->kind() : kOpaqueKind; }
  bool is(ObjectKind kind) const { return is_object() && bits_.object->kind() == kind; }
  /// `T::kKind` names the one kind that T is the struct of.
  template <class T>
  bool is() const {
    return is(T::kKind);
  }
  template <class T>
  T* as() const {
    return static_cast<T*>(bits_.object);
  }
  /// The object as T, or null if it is none.
  template <class T>
  T* try_as() const {
    return is<T>() ? as<T>() : nullptr;
  }

  /// Python's `is`.
  bool identical(const Value& other) const {
    return tag_ == other.tag_ &&
           (tag_ <= Tag::kNone || tag_ == Tag::kEllipsis || tag_ == Tag::kNotImplemented ||
            bits_.integer == other.bits_.integer);
  }

  // Assignments for hot code.
  void put(int64_t value) {
    RefCounted* old = tag_ == Tag::kObject ? bits_.object : nullptr;
    tag_ = Tag::kInt;
    bits_.integer = value;
    if (old) [[unlikely]]
      old->release();
  }
  void put(double value) {
    RefCounted* old = tag_ == Tag::kObject ? bits_.object : nullptr;
    tag_ = Tag::kFloat;
    bits_.real = value;
    if (old) [[unlikely]]
      old->release();
  }
  void put(bool value) {
    RefCounted* old = tag_ == Tag::kObject ? bits_.object : nullptr;
    tag_ = Tag::kBool;
    bits_.integer = value;
    if (old) [[unlikely]]
      old->release();
  }

  /// Makes a value out of raw memory, undefined. One store of the tag alone: a row of such stores
  /// is not turned into a call of memset, which costs more than the few registers of a frame do.
  void clear() { tag_ = Tag::kUndefined; }

 private:
  explicit Value(Tag tag) : tag_(tag) { bits_.integer = 0; }

  Tag tag_;
  union {
    int64_t integer;
    double real;
    RefCounted* object;
  } bits_;
};
static_assert(sizeof(Value) == 16);

}  // namespace glint::runtime
