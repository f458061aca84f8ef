// How long a step took, as every stage tells it.
#pragma once

#include <chrono>

namespace glint {

inline double milliseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

}  // namespace glint
