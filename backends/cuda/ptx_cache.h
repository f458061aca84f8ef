// PTX of texts that were compiled before, in files: a later process does not compile them again.
//
//     find_ptx(source, "compute_80")       // nothing, or the PTX
//     keep_ptx(source, "compute_80", ptx)
//
// A file's name is a hash of the text, the architecture and what the program asks of NVRTC; its
// first line repeats them shorter, so that a file that somebody else wrote is not taken. Where the
// folder (`GLINT_CACHE`) cannot be written, nothing is kept and nothing is said.
#pragma once

#include <optional>
#include <string>

namespace glint::cuda {

std::optional<std::string> find_ptx(const std::string& source, const std::string& architecture);
void keep_ptx(const std::string& source, const std::string& architecture, const std::string& ptx);

}  // namespace glint::cuda
