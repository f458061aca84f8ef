#include "ir/name.h"

#include <mutex>
#include <unordered_set>

namespace glint {

Name::Name(std::string_view text) {
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view view) const { return std::hash<std::string_view>()(view); }
  };
  static std::unordered_set<std::string, Hash, std::equal_to<>> names;
  static std::mutex mutex;
  static const std::string kEmpty;
  if (text.empty()) {
    text_ = &kEmpty;
    return;
  }
  std::lock_guard lock(mutex);
  auto found = names.find(text);
  if (found == names.end()) found = names.emplace(text).first;
  text_ = &*found;
}

}  // namespace glint
