// A user's strings, where they are shown: what they hold does nothing to the terminal.
#pragma once

#include <string>
#include <string_view>

namespace glint {

/// The text, which is UTF-8, with its control characters but line ends and tabs as `\x1b`.
std::string with_controls_escaped(std::string_view text);

}  // namespace glint
