// What is worked out in float64 for float32 too: it rounds once more, and nothing else matters.
//
//     in_float64(b, x, [](const auto& wide, auto x) { return wide.sqrt(x * x + wide.real(1.0)); })
#pragma once

#include <type_traits>

#include "ops/scalar/lanes.h"

namespace glint::scalar {

template <class B, class Function>
typename B::Float in_float64(const B& b, typename B::Float x, Function function) {
  if constexpr (std::is_same_v<typename B::Real, double>) {
    return function(b, x);
  } else {
    return b.narrow(function(b.wide(), b.widen(x)));
  }
}

}  // namespace glint::scalar
