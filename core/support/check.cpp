// Where a check stands, from the project's root: `passes/fuse.cpp`, however the compiler was told
// to find the file, and in whichever clone it did (ccache gives one clone what another compiled).
// Headers are found through links, `include/passes/passes/fuse.h` for `passes/fuse.h`.
#include "core/support/check.h"

#include <algorithm>

namespace glint {

constexpr std::string_view kFolders[] = {"backends/", "core/",     "frontend/", "ir/",
                                         "library/",  "notebook/", "ops/",      "passes/",
                                         "repl/",     "runtime/",  "tests/"};

std::string_view path_in_project(std::string_view file) {
  constexpr std::string_view kLinks = "include/";
  const size_t links = file.rfind(kLinks);
  if (links != std::string_view::npos && (links == 0 || file[links - 1] == '/')) {
    const size_t folder_end = file.find('/', links + kLinks.size());
    return folder_end == std::string_view::npos ? file : file.substr(folder_end + 1);
  }
  for (size_t at = 0; at < file.size(); at = file.find('/', at) + 1) {
    const std::string_view rest = file.substr(at);
    if (std::ranges::any_of(kFolders, [&](auto folder) { return rest.starts_with(folder); }))
      return rest;
    if (rest.find('/') == std::string_view::npos) break;
  }
  return file;
}

InternalError::InternalError(std::string_view message, std::source_location where)
    : std::logic_error(std::string(message) + " (" +
                       std::string(path_in_project(where.file_name())) + ":" +
                       std::to_string(where.line()) + ")"),
      length_(message.size()),
      where_(where) {}

}  // namespace glint
