// Instances of scripts' subclasses of `int` and `float`: an object around the plain number.
//
//     class Celsius(float): ...        number_in(Celsius(20.5)) is the float 20.5
//
// A plain number lies in its `Value` and has no room for a class, so one of a script's class is an
// object of a kind of its own, always with the flag `kSubclassed`. Whoever takes numbers asks
// `number_in` where a value is no plain one; what a script's class has made of an operator is asked
// before that, as of all its instances.
#pragma once

#include "runtime/interpreter/object.h"

namespace glint::runtime {

struct NumberObject final : Container {
  static constexpr ObjectKind kKind = kNumberKind;
  const Value number;  ///< an int of any size, or a float
  explicit NumberObject(Value plain) : Container(kKind), number(std::move(plain)) {}
  // The number holds no other object.
  void traverse(Visitor&) override {}
  void clear() override {}
};

inline bool is_number_object(const Value& value) {
  return value.is<NumberObject>();
}
/// The plain number of such an object; other values as they are.
inline const Value& number_in(const Value& value) {
  return is_number_object(value) ? value.as<NumberObject>()->number : value;
}

}  // namespace glint::runtime
