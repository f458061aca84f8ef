#include "ir/tensor_type.h"

#include <fmt/format.h>

#include "ir/text_cursor.h"

namespace glint {

std::vector<SymInt> contiguous_strides(std::span<const SymInt> sizes) {
  std::vector<SymInt> strides(sizes.size());
  SymInt step = 1;
  for (size_t i = sizes.size(); i-- > 0;) {
    strides[i] = step;
    // As PyTorch: a dimension of size 0 counts as 1.
    if (!sizes[i].is(0)) step *= sizes[i];
  }
  return strides;
}

std::vector<SymInt> TensorType::full_strides() const {
  return strides.empty() ? contiguous_strides(sizes) : strides;
}

void TensorType::normalise() {
  if (!strides.empty() && strides == contiguous_strides(sizes)) strides.clear();
}

void TensorType::simplify() {
  if (contiguous()) strides.clear();
}

bool TensorType::lies_in_order() const {
  for (SymInt size : sizes)
    if (size.is(0)) return true;
  SymInt step = 1;
  for (size_t i = sizes.size(); i-- > 0;) {
    if (sizes[i].is(1)) continue;
    if (decide_equal(strides[i], step))
      step *= sizes[i];
    else if (!decide_equal(sizes[i], 1))  // an expression that may be 1 in one call
      return false;
  }
  return true;
}

std::string TensorType::text() const {
  std::string text(dtype_short_name(dtype));
  if (scalar) return text;
  text += "[";
  for (size_t i = 0; i < sizes.size(); ++i) text += (i ? ", " : "") + sizes[i].text();
  text += "]";
  if (!strides.empty()) {
    text += "{";
    for (size_t i = 0; i < strides.size(); ++i) text += (i ? ", " : "") + strides[i].text();
    text += "}";
  }
  if (!device.is_cpu()) text += " " + to_string(device);
  return text;
}

TensorType parse_tensor_type(TextCursor& in) {
  TensorType type;
  type.dtype = parse_dtype(in);
  auto list = [&](std::vector<SymInt>& into, std::string_view close) {
    while (in.ok() && !in.peek(close)) {
      into.push_back(parse_symint(in));
      if (!in.accept(",")) break;
    }
    in.expect(close);
  };
  if (!in.accept("[")) {
    type.scalar = true;
    return type;
  }
  list(type.sizes, "]");
  // A stride list follows at once; a `{` after a blank opens a body.
  if (in.accept_adjacent("{")) {
    list(type.strides, "}");
    if (in.ok() && type.strides.size() != type.sizes.size())
      in.fail("a type has one stride for each size");
    type.normalise();
  }
  if (in.peek_word() == "cuda") {
    in.word();
    int8_t which = -1;
    if (in.accept(":")) {
      auto number = in.number();
      which = number ? static_cast<int8_t>(number->integer) : int8_t(-1);
    }
    type.device = {DeviceType::kCuda, which};
  }
  return type;
}

Result<TensorType> parse_tensor_type(std::string_view text) {
  TextCursor in(text);
  TensorType type = parse_tensor_type(in);
  if (in.ok() && !in.at_end()) in.fail("expected nothing after the type");
  if (!in.ok()) return in.error();
  return type;
}

}  // namespace glint
