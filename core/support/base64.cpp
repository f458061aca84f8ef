#include "core/support/base64.h"

#include <cstdint>

namespace glint {

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  while (!bytes.empty()) {
    const std::string_view three = bytes.substr(0, 3);
    uint32_t bits = 0;
    for (size_t i = 0; i < 3; ++i)
      bits = bits << 8 | (i < three.size() ? static_cast<uint8_t>(three[i]) : 0U);
    for (size_t i = 0; i < 4; ++i)
      text += i <= three.size() ? kDigits[bits >> (18 - 6 * i) & 63] : '=';
    bytes.remove_prefix(three.size());
  }
  return text;
}

}  // namespace glint
