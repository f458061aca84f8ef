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
#include <string_view>
#include <vector>

#include "core/support/result.h"

namespace glint::cuda {

/// What NVRTC is told that the text is called, and calls it.
inline constexpr const char* kSourceName = "glint.cu";

/// What NVRTC says of a line of the source.
struct Diagnostic {
  uint32_t line = 0;  ///< 0: of no line
  bool is_error = true;
  std::string message;
  std::string header = {};  ///< whose line it is; empty: the source's own
  /// The line of the source that asked for the template which this is about; 0: for none.
  uint32_t instantiated_at = 0;
};
/// The diagnostics in a log, with what it says of templates:
///
///     glint.cu(3): error: identifier "y" is undefined
///               detected during instantiation of "T go(A<T>) [with T=int]" at line 8
std::vector<Diagnostic> parse_log(std::string_view log);
/// `glint.cu:3: error: identifier "y" is undefined`, and where the template was asked for.
std::string print(const Diagnostic& diagnostic);

struct NvrtcOutput {
  std::string ptx;                      ///< empty: it did not compile
  std::string cubin;                    ///< machine code, where the architecture is a `sm_80`
  std::vector<Diagnostic> diagnostics;  ///< warnings too
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
