// Numbers in the texts of NVIDIA's tools:
//
//     number_behind(".shared .align 4 .b8 totals[32];", "[")   32
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace glint::cuda {

/// The number behind a word, `.align ` and the like; 0 if it is not there.
inline uint32_t number_behind(std::string_view text, std::string_view word) {
  const size_t at = text.find(word);
  if (at == std::string_view::npos) return 0;
  return static_cast<uint32_t>(
      std::strtoul(std::string(text.substr(at + word.size())).c_str(), nullptr, 10));
}

}  // namespace glint::cuda
