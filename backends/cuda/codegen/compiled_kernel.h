// A kernel compiled for CUDA: its text, its PTX, and how to launch it.
//
//     auto compiled = compile_cuda({&kernel}, {});
//     const CompiledKernel& relu = compiled->front();
//     relu.module->ptx                            // holds `.visible .entry relu(...)`
//     relu.grid.evaluate(symbols), relu.threads   // how many blocks, of how many threads each
//
// Nothing here needs CUDA: a launch is done by whoever can run PTX. It passes one value for each of
// `parameters`, in order: addresses and sizes take 8 bytes, numbers as many as their dtype. A
// thread may leave the kernel early, after a check that fails; barriers then wait for the others.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/tensor/dtype.h"
#include "ir/kernel.h"
#include "ir/symbolic.h"

namespace glint::cuda {

/// How many parts of a launch, of several blocks each, are counted at most.
inline constexpr uint32_t kBlockCounters = 512;

/// One argument of an entry.
struct KernelParameter {
  enum class Kind : uint8_t {
    kBuffer,  ///< the address of the kernel's parameter `buffer`: elements of `dtype`
    kNumber,  ///< the Python number that is parameter `buffer`: a `dtype` (f64, i64, b8), by value
    kSize,    ///< an int64, `size`
    kLength,  ///< an int64, the iterations of a flat kernel: `size`, or fewer in a short launch
    kStatus,  ///< the address of a CheckStatus, which checks that hold leave alone
    kCounters,   ///< the address of kBlockCounters zeros (device/block_counters.h), `size` bytes;
                 ///< they are zero again behind a launch whose checks held
    kWorkspace,  ///< the address of `size` bytes, whatever they hold, where blocks leave totals
    kScratch,    ///< the same, for what each block has for itself
    kKept,       ///< an int64: how many elements of a row a block keeps in dynamic shared memory,
                 ///< in whole rounds of its threads; `size` where the device has as much
  };
  Kind kind = Kind::kBuffer;
  std::string name;  ///< in the text
  uint32_t buffer = 0;
  DType dtype = DType::kFloat32;
  SymInt size = 0;
  uint32_t round = 0;          ///< of kKept: elements
  uint32_t element_bytes = 0;  ///< of kKept: of all that is kept of an element

  bool operator==(const KernelParameter&) const = default;
};

/// The line of a module's source that a kernel's statement became. Lines count from 1.
struct SourceLine {
  static constexpr uint32_t kNone = ~0u;
  uint32_t kernel = kNone;     ///< which of those compiled together
  uint32_t statement = kNone;  ///< none: a brace, a line that all statements share

  bool operator==(const SourceLine&) const = default;
};

/// Kernels that were compiled together: one text, one PTX module.
struct CompiledModule {
  std::string source;             ///< CUDA C++, complete: no header is needed
  std::vector<SourceLine> lines;  ///< of `source`: `lines[n - 1]` is line n
  std::string ptx;
  std::string cubin;                ///< machine code, where the architecture is `sm_90`
  std::string architecture;         ///< `compute_80`, or `sm_90` for a GPU that is there
  bool is_written_by_hand = false;  ///< by the user
};

/// What a check that fails leaves: its number, and of one that compares an index (`fail` of
/// pieces.cpp) the index and the size too. These are one store, so that they are of one thread.
struct alignas(16) CheckStatus {
  static constexpr unsigned kSizeBits = 48;

  int32_t number = 0;  ///< 0: all held
  int32_t unused[3] = {};
  int64_t index = 0;
  int64_t number_and_size = 0;  ///< the number above `kSizeBits` of size; 0: it left no index
};
/// What the numbers mean, without the index.
using CheckMessages = std::map<int32_t, std::string>;

struct CompiledKernel {
  std::string entry;  ///< the name in the PTX
  std::shared_ptr<const CompiledModule> module;
  std::vector<KernelParameter> parameters;
  SymInt grid = 1;            ///< blocks, at least one; a number for given sizes
  uint32_t threads = 1;       ///< of a block
  uint32_t rows = 0;          ///< that a block takes at a time; 0: no row is shared
  uint32_t elements = 1;      ///< that a thread takes at a time
  uint32_t shared_bytes = 0;  ///< of a block's static shared memory, as the PTX declares it
  CheckMessages checks;       ///< none: no check can fail
  Traffic moved = {0, 0};     ///< by a launch that is not cut short
  std::optional<SymInt> iterations = {};  ///< of a flat kernel, of which a launch may run fewer
};

/// How many blocks a launch has: no more than one may have, each of which then does several parts.
uint32_t blocks_of(const CompiledKernel& kernel, std::span<const int64_t> symbols);

/// For how many elements of a kKept parameter there is room, on a device that gives a block so many
/// bytes in all; the parameter is its `size`, or that. Blocks of fewer than 1024 threads leave room
/// for as many of them as make 1024: threads that wait for memory are what keeps it busy.
int64_t most_kept_elements(const CompiledKernel& kernel, const KernelParameter& kept,
                           uint32_t block_shared_bytes);
/// How many of them a launch keeps there, whose symbols have these values.
int64_t kept_elements(const CompiledKernel& kernel, const KernelParameter& kept,
                      std::span<const int64_t> symbols, uint32_t block_shared_bytes);
/// A block's dynamic shared memory there.
SymInt dynamic_shared_bytes(const CompiledKernel& kernel, uint32_t block_shared_bytes);

}  // namespace glint::cuda
