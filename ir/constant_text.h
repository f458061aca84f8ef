// The elements of a constant as text: `[1.0, 2.0]`, and back, for each dtype.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/tensor/dtype.h"
#include "ir/text_cursor.h"

namespace glint {

/// `[1.0, 2.0]`: all elements, flat.
std::string constant_text(DType dtype, const std::vector<std::byte>& data);
/// Reads such a list into elements of the dtype.
std::vector<std::byte> parse_constant(TextCursor& in, DType dtype);

/// The element at a place, as a number; and an element's bytes from a number.
double constant_element(DType dtype, const std::vector<std::byte>& data, size_t at);
std::vector<std::byte> constant_bytes(DType dtype, double value);

}  // namespace glint
