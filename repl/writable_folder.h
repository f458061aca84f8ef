// Whether files can be written into a folder, found out by writing one: permissions say nothing of
// a disk that is full, of a quota, and to root nothing at all.
//
//     write_problem("/dev/null/cache")     Not a directory
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace glint {

/// The folder, or the one above it where it would be made.
std::filesystem::path existing_folder(std::filesystem::path folder);
/// Why nothing can be written below the folder, in the system's words; nothing where it can. The
/// file that is tried is gone again.
std::optional<std::string> write_problem(const std::filesystem::path& folder);

}  // namespace glint
