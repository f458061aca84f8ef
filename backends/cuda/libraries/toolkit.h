// Where CUDA's libraries and tools are looked for: a toolkit's folders, and Python's packages.
//
//     files_like("/usr/local/cuda/lib64/libnvrtc.so*")
//     package_folders()                     // patterns: `.venv/lib/python3*/site-packages`, ...
//     find_tool("nvdisasm")                 // its path, or nothing
//
// Packages of Python's environments count: $PYTHONPATH, `.venv` of the folder at hand and of those
// above the program, $VIRTUAL_ENV, $CONDA_PREFIX, those of each `python3` in $PATH, the user's and
// the system's.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace glint::cuda {

/// The files that a pattern of the shell's matches, sorted.
std::vector<std::string> files_like(const std::string& pattern);
/// Where Python's environments keep packages, as patterns.
std::vector<std::string> package_folders();
/// A program: in $PATH, in a toolkit, in a package.
std::optional<std::string> find_tool(std::string_view name);
/// The folders of CUDA's headers (`cuda_fp16.h`), best those that came with that library; none
/// where there are none.
std::vector<std::string> header_folders(const std::string& library);

}  // namespace glint::cuda
