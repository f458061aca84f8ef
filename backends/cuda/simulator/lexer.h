// PTX text to tokens.
//
//     @%p1 ld.global.f32 %f1, [%rd1+4];
//     @  %p1  ld.global.f32  %f1  ,  [  %rd1  +  4  ]  ;
//
// A word keeps its dots (`ld.global.f32`, `%tid.x`) unless it begins with one: a directive ends
// where the next begins (`.reg`, `.f32`).
#pragma once

#include <string_view>
#include <vector>

#include "backends/cuda/simulator/module.h"

namespace glint::simulator {

struct Token {
  enum class Kind : uint8_t { kWord, kInteger, kFloat, kString, kPunctuation, kEnd };
  Kind kind = Kind::kEnd;
  std::string_view text;   ///< of a string: without its quotes
  uint64_t bits = 0;       ///< of an integer, or of a float of `float_size`
  uint8_t float_size = 0;  ///< in bytes
  Place place;
};

/// The tokens, an end token last.
Result<std::vector<Token>> split_tokens(std::string_view text);

}  // namespace glint::simulator
