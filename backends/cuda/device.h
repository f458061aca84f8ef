// A GPU, or the simulated one: memory, kernels and launches behind one border.
//
//     const Result<Gpu*>& gpu = open_gpu();                  // or what is missing, and what to do
//     uint64_t x = *(*gpu)->allocate(4096);
//     auto module = (*gpu)->load(ptx);
//     auto entry = (*module)->entry("scale");
//     (*gpu)->launch(**entry, {.grid = {4}, .block = {256}, .arguments = {...}});
//
// There is one device in a process: the one that the driver has (`libcuda.so.1`, loaded when it is
// first asked for), or with GLINT_GPU=sim the simulated one, which runs the same PTX. Work is done
// in the order in which it was asked for; `launch` may return before a kernel has ended, and then
// its fault is told by the next call that waits.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/support/result.h"

namespace glint::cuda {

struct GpuProperties {
  std::string name;
  uint32_t major = 8;  ///< compute capability
  uint32_t minor = 0;
  uint64_t memory_bytes = 0;
  uint32_t multiprocessors = 0;
  bool is_simulated = false;

  /// `compute_90`: whose PTX it runs.
  std::string architecture() const;
};

/// One kernel of a loaded module.
class GpuEntry {
 public:
  virtual ~GpuEntry() = default;
};

/// PTX on the device; its entries live as long as it does.
class GpuModule {
 public:
  virtual ~GpuModule() = default;
  virtual Result<std::shared_ptr<const GpuEntry>> entry(const std::string& name) = 0;
};

/// The bytes of one kernel argument; of a buffer's address, the buffer's name in messages.
struct GpuArgument {
  std::vector<std::byte> bytes;
  std::string buffer = {};
};

template <class T>
GpuArgument gpu_argument(const T& value, std::string buffer = {}) {
  GpuArgument made{std::vector<std::byte>(sizeof(T)), std::move(buffer)};
  std::memcpy(made.bytes.data(), &value, sizeof(T));
  return made;
}

struct GpuLaunch {
  std::array<uint32_t, 3> grid = {1, 1, 1};
  std::array<uint32_t, 3> block = {1, 1, 1};
  uint32_t dynamic_shared = 0;
  std::vector<GpuArgument> arguments = {};
};

/// A launch that waits for others. The entry outlives it.
struct PendingLaunch {
  const GpuEntry* entry = nullptr;
  GpuLaunch launch = {};
};

/// Launches that the device knows, run as one. Sizes stay, arguments may change.
class GpuRecord {
 public:
  virtual ~GpuRecord() = default;
  virtual std::optional<Error> change(size_t which, const PendingLaunch& launch) = 0;
  virtual std::optional<Error> replay() = 0;
};

/// A point in the order of work.
class GpuEvent {
 public:
  virtual ~GpuEvent() = default;
  /// Whether all work before it is done.
  virtual bool passed() const = 0;
  virtual std::optional<Error> wait() const = 0;
  /// From here to a later one of the same device; both have passed.
  virtual Result<double> milliseconds_to(const GpuEvent& later) const = 0;
};

class Gpu {
 public:
  virtual ~Gpu() = default;
  virtual const GpuProperties& properties() const = 0;
  /// How much memory nobody has.
  virtual uint64_t free_bytes() const = 0;

  /// The address of new memory, 256-byte aligned.
  virtual Result<uint64_t> allocate(size_t bytes) = 0;
  virtual void free(uint64_t address) = 0;
  /// So much of a block is in use: accesses beyond are at fault, where the device checks that.
  virtual void set_used(uint64_t address, size_t bytes) {}

  /// Each waits until its bytes are there; nothing, or what failed, also of a kernel before.
  virtual std::optional<Error> upload(uint64_t target, const void* source, size_t bytes) = 0;
  virtual std::optional<Error> download(void* target, uint64_t source, size_t bytes) = 0;
  /// Sets bytes to zero.
  virtual std::optional<Error> clear(uint64_t target, size_t bytes) = 0;

  /// `source`: the CUDA C++ that it was made of, for those who look at it.
  virtual Result<std::shared_ptr<GpuModule>> load(const std::string& ptx,
                                                  const std::string& source) = 0;
  virtual std::optional<Error> launch(const GpuEntry& entry, const GpuLaunch& launch) = 0;
  /// Those launches, in order, to be run often.
  virtual Result<std::unique_ptr<GpuRecord>> record_launches(
      const std::vector<PendingLaunch>& launches) = 0;
  virtual std::optional<Error> synchronise() = 0;
  /// An event behind all work so far.
  virtual Result<std::shared_ptr<const GpuEvent>> record() = 0;
};

/// The device of the process, opened when it is first asked for. The error says what is missing.
const Result<Gpu*>& open_gpu();
/// The simulated one, whatever GLINT_GPU says.
Gpu& simulated_gpu();
/// The one that the driver has.
Result<std::unique_ptr<Gpu>> driver_gpu();

}  // namespace glint::cuda
