// Files as a user names them behind a command: with `~`, in quotes or bare.
//
//     file_named("~/demo.py")       /home/ada/demo.py
//     words_of("a.py 'two words'")  a.py, two words
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/result.h"

namespace glint {

std::string file_named(std::string_view typed);
/// Split at spaces, but for those in quotes.
std::vector<std::string> words_of(std::string_view text);
/// Writes a file; what is wrong, where that fails.
std::optional<Error> write_file(const std::string& file, std::string_view text);
/// The files and folders (with `/`) whose path begins with `typed`; hidden ones where it asks for
/// one. `typed` is kept as it is at the beginning of each.
std::vector<std::string> files_beginning(std::string_view typed);

}  // namespace glint
