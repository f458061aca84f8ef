// The modules that are written in the language itself, as text inside the program.
//
//     find_module("functools")->text    "\"\"\"Functions of functions: ..."
//
// An importer looks here after the script's own folder and the native modules. The files lie beside
// this header; the build turns them into one table (cmake/library.cmake).
#pragma once

#include <span>
#include <string_view>

namespace glint::library {

struct EmbeddedModule {
  std::string_view name;  ///< `torch.nn`
  std::string_view file;  ///< `library/torch/nn/__init__.py`, for tracebacks
  bool is_package;
  std::string_view text;
};

/// Every module, by file name.
std::span<const EmbeddedModule> modules();
/// The module of that full name; null if there is none.
const EmbeddedModule* find_module(std::string_view name);

}  // namespace glint::library
