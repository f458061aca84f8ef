// The environment variables as a user meets them: what each may be, and what is wrong with one.
//
//     GLINT_FAIL=nonsense glint x.py     glint: GLINT_FAIL is `nonsense`; it can be capture, ...
//     GLINT_PATH=/nowhere glint x.py     glint: GLINT_PATH names `/nowhere`, which is no folder
//
// The table of the variables is core/support/environment.h; the words that some of them take come
// from the tables of backends, passes and stages.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/support/environment.h"

namespace glint {

/// The words that the variable can be; none: any text.
std::vector<std::string> choices_of(environment::Variable variable);

/// What is wrong with the variable's value, so that nothing can run; nothing where it is fine.
std::optional<std::string> problem_of(environment::Variable variable);

/// A line for each folder that a variable names and that cannot be used; the program goes on.
std::vector<std::string> folder_warnings();

}  // namespace glint
