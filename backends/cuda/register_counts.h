// Registers and occupancy of compiled kernels, for tables.
//
//     RegisterCounts counts;
//     counts.of(compiled)                  // 20; nothing without NVRTC: `missing` says why
//     occupancy_text(compiled, 20)         // `100 %`
//     aligned({{"relu", "256"}, ...})      // columns: the first to the left, numbers to the right
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "backends/cuda/compiled_kernel.h"
#include "core/support/result.h"

namespace glint::cuda {

/// The registers of kernels, by module: each is assembled once.
class RegisterCounts {
 public:
  std::optional<uint32_t> of(const CompiledKernel& kernel);
  /// Why there are none, if something is missing.
  const std::optional<Error>& missing() const { return missing_; }

 private:
  std::map<std::shared_ptr<const CompiledModule>, std::map<std::string, uint32_t>> known_;
  std::optional<Error> missing_;
};

/// The part of a multiprocessor's warps that there is room for.
std::string occupancy_text(const CompiledKernel& kernel, uint32_t registers);

std::vector<std::string> aligned(const std::vector<std::vector<std::string>>& rows);

}  // namespace glint::cuda
