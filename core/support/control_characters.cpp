#include "core/support/control_characters.h"

#include <fmt/format.h>

namespace glint {

std::string with_controls_escaped(std::string_view text) {
  std::string out;
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    const bool controls = (byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7f;
    if (controls)
      out += fmt::format("\\x{:02x}", byte);
    else
      out += c;
  }
  return out;
}

}  // namespace glint
