// The elements of a constant as text: `[1.0, 2.0]`, and back, for each dtype.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/tensor/dtype.h"
#include "ir/text_cursor.h"

namespace glint {

/// `[1.0, 2.0]`: all elements, flat.
std::string constant_text(DType dtype, const std::vector<std::byte>& data);
/// Reads such a list into elements of the dtype.
std::vector<std::byte> parse_constant(TextCursor& in, DType dtype);

/// `[1.0, 2.0] : f32[2]`: the type and the elements.
std::pair<TensorType, std::vector<std::byte>> parse_typed_constant(TextCursor& in);

/// The element at a place, as a number.
double constant_element(DType dtype, const std::vector<std::byte>& data, size_t at);

}  // namespace glint
