// NVIDIA's libraries, all found in one way when they are first needed; none is ever linked.
//
//     constexpr SoughtLibrary kCublasLt = {.name = "cuBLASLt", .stem = "libcublasLt", ...};
//     auto found = load_library(kCublasLt, [&](void* library) {
//       return find_function(library, "cublasLtMatmul", functions.multiply);
//     });
//     found->path          /usr/local/cuda/lib64/libcublasLt.so.13
//     found.error()        cuBLASLt, ..., was not found; `pip install nvidia-cublas` brings it, ...
//
// Looked for in this order: where its variable says (a file or a folder), where the loader looks,
// in /usr/local/cuda, and among the packages of Python's environments (toolkit.h). A library is
// taken if it has all functions that are asked for, and never unloaded: some register what runs at
// the process's end.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/environment.h"
#include "core/support/result.h"

namespace glint::cuda {

struct SoughtLibrary {
  std::string_view name;         ///< `cuBLASLt`
  std::string_view purpose;      ///< `NVIDIA's library for matrix products`
  std::string_view stem;         ///< `libcublasLt`
  std::string_view versions[2];  ///< `13`, `12`: of its file's name, the newest first
  std::string_view folder;       ///< `cublas`: below `nvidia/` in the package for CUDA 12
  std::string_view package;      ///< `nvidia-cublas`, which brings it
  environment::Variable variable;
  /// What it looks for by name only, and so is loaded before it; of the same folder.
  std::string_view companion = {};
};

struct LoadedLibrary {
  void* handle = nullptr;
  std::string path;  ///< the file
};

/// What to try, in order; a name without a folder is the loader's to find.
std::vector<std::string> library_files(const SoughtLibrary& sought);

/// The first of those that can be loaded and has what `accepts` looks for.
Result<LoadedLibrary> load_library(const SoughtLibrary& sought,
                                   const std::function<bool(void* library)>& accepts);

}  // namespace glint::cuda
