// Bytes as text, by RFC 4648: base64("Ma") is "TWE=".
#pragma once

#include <string>
#include <string_view>

namespace glint {

std::string base64(std::string_view bytes);

}  // namespace glint
