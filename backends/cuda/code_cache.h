// Code of texts that were compiled before, in files: a later process does not compile them again.
//
//     find_code(source, "compute_80")                    // nothing, or the PTX
//     find_code(source, "sm_90")                         // the machine code too
//     keep_code(source, "compute_80", {.ptx = ptx})
//
// A file's name is a hash of the text, the architecture and what the program asks of NVRTC; its
// first line repeats them shorter, so that a file that somebody else wrote is not taken. Where the
// folder (`GLINT_CACHE`) cannot be written, nothing is kept and nothing is said. The oldest files
// go when all of them take more than 512 MiB.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace glint::cuda {

struct KeptCode {
  std::string ptx;
  std::string cubin = {};  ///< empty for an architecture that is none of a real GPU
};
std::optional<KeptCode> find_code(const std::string& source, const std::string& architecture);
void keep_code(const std::string& source, const std::string& architecture, const KeptCode& code);
/// Lets the oldest files of a folder go until the others take no more than that.
void trim_code(const std::string& folder, uint64_t most_bytes);

}  // namespace glint::cuda
