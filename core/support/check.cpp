// Where a check stands, from the project's root: `passes/fuse.cpp`, however the compiler was told
// to find the file. Sources are named from one folder, which this file's own name tells; headers
// are found through links, `include/passes/passes/fuse.h` for `passes/fuse.h`.
#include "core/support/check.h"

namespace glint {

std::string_view path_in_project(std::string_view file) {
  constexpr std::string_view kOwnPath = "core/support/check.cpp", kLinks = "include/";
  std::string_view root = std::source_location::current().file_name();
  if (root.ends_with(kOwnPath)) root.remove_suffix(kOwnPath.size());
  if (file.starts_with(root)) file.remove_prefix(root.size());
  size_t links = file.rfind(kLinks);
  bool linked = links != std::string_view::npos && (links == 0 || file[links - 1] == '/');
  if (!linked) return file;
  size_t folder_end = file.find('/', links + kLinks.size());
  return folder_end == std::string_view::npos ? file : file.substr(folder_end + 1);
}

InternalError::InternalError(std::string_view message, std::source_location where)
    : std::logic_error(std::string(message) + " (" +
                       std::string(path_in_project(where.file_name())) + ":" +
                       std::to_string(where.line()) + ")"),
      length_(message.size()),
      where_(where) {}

}  // namespace glint
