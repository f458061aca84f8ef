// Where the program is, and beside it the plugin that makes it a Jupyter kernel.
#pragma once

#include <filesystem>
#include <optional>

#include "core/support/result.h"

namespace glint {

inline constexpr const char* kJupyterPlugin = "glint-jupyter.so";

/// The program itself.
Result<std::filesystem::path> program_file();

/// What starts it: the program, or, of a package, the script above its folder.
std::filesystem::path starter_of(const std::filesystem::path& program);

/// A file that lies beside the program, or in a package's `lib`; nothing where the build was
/// without what it needs.
std::optional<std::filesystem::path> find_plugin(const char* name);

std::optional<std::filesystem::path> find_jupyter_plugin();

}  // namespace glint
