// SHA-512 (FIPS 180-4) of bytes at hand.
//
//     sha512("abc")     0xdd, 0xaf, 0x35, 0xa1, ...
//
// For numbers that follow from a text (`random.seed("abc")`), not for secrets.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace glint {

std::array<uint8_t, 64> sha512(std::string_view bytes);

}  // namespace glint
