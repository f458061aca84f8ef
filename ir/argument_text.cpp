#include "ir/argument_text.h"

#include <fmt/format.h>

namespace glint {

Device parse_device(TextCursor& in) {
  std::string text(in.word());
  if (in.accept(":")) {
    auto number = in.number();
    text += fmt::format(":{}", number ? number->integer : 0);
  }
  auto device = parse_device(std::string_view(text));
  if (!device) in.fail(fmt::format("`{}` is no device", text));
  return device.value_or(Device());
}

}  // namespace glint
