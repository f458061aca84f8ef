// Registers and occupancy of compiled kernels, for tables.
//
//     RegisterCounts counts;
//     counts.of(compiled)->text()          // `20`; `~23` where only its PTX is there
//     occupancy_text(compiled, 20)         // `100 %`
//     aligned({{"relu", "256"}, ...})      // columns: the first to the left, numbers to the right
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "backends/cuda/codegen/compiled_kernel.h"
#include "core/support/result.h"

namespace glint::cuda {

/// The registers of a thread.
struct RegisterCount {
  uint32_t count = 0;
  bool is_estimate = false;  ///< by the PTX, of which the assembler makes a few more or fewer

  std::string text() const;
};

/// By the machine code that NVRTC makes of a text for an architecture; of each text it is made once
/// in a process. The error says why there is none.
Result<uint32_t> assembled_registers(const std::string& source, const std::string& architecture,
                                     const std::string& entry);

/// The registers of kernels: by their machine code, else by their PTX.
class RegisterCounts {
 public:
  std::optional<RegisterCount> of(const CompiledKernel& kernel);
  /// Why some are estimates, if something is missing.
  const std::optional<Error>& missing() const { return missing_; }

 private:
  std::optional<Error> missing_;
};

/// A block's shared memory, static and dynamic, on the device that the kernel was compiled for.
SymInt shared_memory(const CompiledKernel& kernel);

/// The part of a multiprocessor's warps that there is room for; at least, where only a launch knows
/// how much shared memory a block takes.
std::string occupancy_text(const CompiledKernel& kernel, uint32_t registers);

std::vector<std::string> aligned(const std::vector<std::vector<std::string>>& rows);

}  // namespace glint::cuda
