// The modules that are written in the language itself, inside the program: as text, and lowered.
//
//     find_module("functools")->text       "\"\"\"Functions of functions: ..."
//     find_module("functools")->program    what program::read_bytes makes the code object of
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
  std::string_view program;  ///< the text's code object, as program::write_bytes writes one
};

/// Every module, by file name.
std::span<const EmbeddedModule> modules();
/// The module of that full name; null if there is none.
const EmbeddedModule* find_module(std::string_view name);

}  // namespace glint::library
