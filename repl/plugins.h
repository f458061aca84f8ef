// Where the program is, and the plugins that lie beside it: what few starts need, and what would
// cost every start the time to load its libraries.
//
//     auto serve = plugin_function<explore::Serve>(kExplorePlugin, explore::kServe);
//     if (!serve) return complain(serve.error().message);    // this build cannot serve a page: ...
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "core/support/result.h"

namespace glint {

struct Plugin {
  const char* file;     ///< beside the program
  const char* lacking;  ///< what a build without it is, in words
  const char* library;  ///< that it is made with
  const char* package;  ///< Debian's, with that library
};
inline constexpr Plugin kJupyterPlugin = {"glint-jupyter.so", "has no Jupyter kernel", "xeus",
                                          "xeus-dev"};
inline constexpr Plugin kExplorePlugin = {"glint-explore.so", "cannot serve a page", "cpp-httplib",
                                          "libcpp-httplib-dev"};

/// The program itself.
Result<std::filesystem::path> program_file();

/// What starts it: the program, or, of a package, the script above its folder.
std::filesystem::path starter_of(const std::filesystem::path& program);

/// Beside the program, or in a package's `lib`; nothing where the build was without what it needs.
std::optional<std::filesystem::path> find_plugin(const Plugin& plugin);

/// A handle to it, or why there is none.
Result<void*> load_plugin(const Plugin& plugin);

/// One of its functions; null where it has none of that name.
void* find_in_plugin(void* handle, const char* name);

template <class Function>
Result<Function> plugin_function(const Plugin& plugin, const char* name) {
  auto handle = load_plugin(plugin);
  if (!handle) return handle.error();
  if (void* function = find_in_plugin(*handle, name)) return reinterpret_cast<Function>(function);
  return Error{fmt::format("`{}` is of another version", plugin.file)};
}

}  // namespace glint
