#include "ir/constant_text.h"

#include <cstring>

#include <fmt/format.h>

#include "core/tensor/scalar.h"

namespace glint {

std::string constant_text(DType dtype, const std::vector<std::byte>& data) {
  std::string text = "[";
  visit_dtype(dtype, [&]<class T>() {
    for (size_t at = 0; at + sizeof(T) <= data.size(); at += sizeof(T)) {
      T element;
      std::memcpy(&element, data.data() + at, sizeof(T));
      if (at) text += ", ";
      if constexpr (std::same_as<T, bool>)
        text += element ? "True" : "False";
      else if constexpr (std::integral<T>)
        text += std::to_string(element);
      else
        text += number_text(convert_element<double>(element));
    }
  });
  return text + "]";
}

std::vector<std::byte> parse_constant(TextCursor& in, DType dtype) {
  std::vector<std::byte> data;
  in.expect("[");
  visit_dtype(dtype, [&]<class T>() {
    while (in.ok() && !in.peek("]")) {
      T element{};
      if (in.accept("True")) {
        element = convert_element<T>(true);
      } else if (!in.accept("False")) {
        auto number = in.number();
        if (!number) {
          in.fail("expected a number");
          return;
        }
        element = number->is_float ? convert_element<T>(number->real)
                                   : convert_element<T>(number->integer);
      }
      const auto* bytes = reinterpret_cast<const std::byte*>(&element);
      data.insert(data.end(), bytes, bytes + sizeof(T));
      if (!in.accept(",")) break;
    }
  });
  in.expect("]");
  return data;
}

std::pair<TensorType, std::vector<std::byte>> parse_typed_constant(TextCursor& in) {
  // The dtype stands behind the elements, so they are read twice.
  TextCursor ahead = in;
  parse_constant(ahead, DType::kFloat64);
  ahead.expect(":");
  TensorType type = parse_tensor_type(ahead);
  std::vector<std::byte> data = parse_constant(in, type.dtype);
  in.expect(":");
  parse_tensor_type(in);
  return {std::move(type), std::move(data)};
}

double constant_element(DType dtype, const std::vector<std::byte>& data, size_t at) {
  return visit_dtype(dtype, [&]<class T>() {
    T element;
    std::memcpy(&element, data.data() + at * sizeof(T), sizeof(T));
    return convert_element<double>(element);
  });
}

}  // namespace glint
