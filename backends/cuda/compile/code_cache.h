// Code of texts that were compiled before, in files: a later process does not compile them again.
//
//     find_code(source, "compute_80")                    // nothing, or the PTX
//     find_code(source, "sm_90")                         // the machine code too
//     keep_code(source, "compute_80", {.ptx = ptx})
//
// Machine code stands beside the PTX that it was made of, which serves its architecture too:
// what was compiled for `sm_80` is found as `compute_80`.
//
// So does what the compiler said of it, so that a later process warns of the same.
//
// The key is the text, the architecture and what the program asks of NVRTC (backends/kept_text.h).
#pragma once

#include <optional>
#include <string>

namespace glint::cuda {

struct KeptCode {
  std::string ptx;
  std::string cubin = {};  ///< empty for an architecture that is none of a real GPU
  std::string log = {};    ///< the compiler's
  bool operator==(const KeptCode&) const = default;
};
std::optional<KeptCode> find_code(const std::string& source, const std::string& architecture);
void keep_code(const std::string& source, const std::string& architecture, const KeptCode& code);

}  // namespace glint::cuda
