// NVRTC, CUDA's compiler as a library: found when it is first needed, never linked.
//
//     auto nvrtc = load_nvrtc();                 // or why there is none, and how to get it
//     auto ptx = nvrtc.value()->compile(source, "compute_80");
//
// Looked for as all of NVIDIA's libraries are (libraries/load_library.h); GLINT_NVRTC may say
// where.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "backends/cuda/compile/compiler_log.h"
#include "core/support/result.h"

namespace glint::cuda {

struct NvrtcOutput {
  std::string ptx;    ///< empty: it did not compile
  std::string cubin;  ///< machine code, where the architecture is a `sm_80`
  std::string log;    ///< errors and warnings (compiler_log.h)
};

class Nvrtc {
 public:
  virtual ~Nvrtc() = default;
  /// Where it was found, and its version: `13.0`.
  virtual const std::string& path() const = 0;
  virtual const std::string& version() const = 0;
  /// What to compile for a GPU of that capability: machine code where there is some that it takes
  /// (`sm_90`), for newer ones PTX (`compute_121`); the error says that it is too old.
  virtual Result<std::string> architecture_for(uint32_t major, uint32_t minor) const = 0;
  /// `compute_80`: PTX for it; `sm_80`: its machine code too. The error is NVRTC's own, not the
  /// source's. Headers are looked for in those folders; those of c_headers.h are always there.
  /// Throws `Interrupted` where the user asks for an end first.
  virtual Result<NvrtcOutput> compile(const std::string& source, const std::string& architecture,
                                      const std::vector<std::string>& header_folders) const = 0;
};

/// NVRTC, loaded once for the process.
const Result<const Nvrtc*>& load_nvrtc();
/// Where the headers of CUDA's toolkit are that a text may include; none of a text without
/// includes.
std::vector<std::string> folders_for_includes(const std::string& source);

}  // namespace glint::cuda
