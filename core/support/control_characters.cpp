#include "core/support/control_characters.h"

#include <fmt/format.h>

namespace glint {

std::string with_controls_escaped(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    auto byte_at = [&](size_t at) { return static_cast<unsigned char>(text[at]); };
    const unsigned char byte = byte_at(i);
    // U+0080 to U+009F are C2 80 to C2 9F; U+009B begins what ESC [ begins.
    const bool is_high = byte == 0xc2 && i + 1 < text.size() && byte_at(i + 1) < 0xa0;
    const bool is_low = (byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7f;
    if (is_high)
      out += fmt::format("\\x{:02x}", byte_at(++i));
    else if (is_low)
      out += fmt::format("\\x{:02x}", byte);
    else
      out += text[i];
  }
  return out;
}

}  // namespace glint
