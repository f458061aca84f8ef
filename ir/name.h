// `Name`: an interned string. Two names with the same text are the same pointer, so operators and
// parameters are compared and hashed in one instruction; the text lives for the whole process.
//
//     Name target("multiply");   target == Name("multiply")   target.text()
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace glint {

class Name {
 public:
  Name() : Name(std::string_view()) {}
  explicit Name(std::string_view text);

  const std::string& text() const { return *text_; }
  bool empty() const { return text_->empty(); }
  bool operator==(const Name&) const = default;
  bool operator==(std::string_view text) const { return *text_ == text; }

 private:
  friend struct std::hash<Name>;
  const std::string* text_;
};

}  // namespace glint

template <>
struct std::hash<glint::Name> {
  size_t operator()(const glint::Name& name) const noexcept {
    return std::hash<const void*>()(name.text_);
  }
};
