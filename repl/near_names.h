// Which of some names somebody may have meant who typed another one.
//
//     near_names("grpah", {"graph", "guards", "ast"})   "; did you mean `graph`?"
//     near_names("zzz", {"graph", "guards", "ast"})     ""
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace glint {

/// To stand behind a complaint: the names that are nearest to `typed`, three at most; empty where
/// none is near.
std::string near_names(std::string_view typed, const std::vector<std::string>& names);

/// The same for a path where no file is: of the files beside it, and of what else may stand there.
std::string meant_file(const std::string& path, std::vector<std::string> names = {});

/// "`a`, `b`": the names, the first ones of many.
std::string quoted_names(const std::vector<std::string>& names);

}  // namespace glint
