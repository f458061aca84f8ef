// A GPU, or the simulated one: memory, kernels and launches behind one border.
//
//     const Result<Gpu*>& gpu = open_gpu();                  // or what is missing, and what to do
//     uint64_t x = *(*gpu)->allocate(4096);
//     auto module = (*gpu)->load({.ptx = ptx});
//     auto entry = (*module)->entry("scale");
//     (*gpu)->launch(**entry, {.grid = {4}, .block = {256}, .arguments = {...}});
//
// There is one device in a process: the one that the driver has (`libcuda.so.1`, loaded when it is
// first asked for), or with GLINT_GPU=sim the simulated one, which runs the same PTX. Work goes
// into the stream in use, and is done there in the order in which it was asked for; `launch` may
// return before a kernel has ended, and then its fault is told by the next call that waits.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/support/result.h"

namespace glint::cuda {

struct GpuProperties {
  std::string name;
  uint32_t major = 8;  ///< compute capability
  uint32_t minor = 0;
  uint64_t memory_bytes = 0;
  uint32_t multiprocessors = 0;
  uint32_t threads_per_multiprocessor = 2048;  ///< that are there at once, at most
  uint32_t block_shared_bytes = 49152;         ///< shared memory of a block that asks for it
  bool is_simulated = false;

  /// `compute_90`: whose PTX it runs at best.
  std::string architecture() const;
};

/// One kernel of a loaded module.
class GpuEntry {
 public:
  GpuEntry(std::string name, std::shared_ptr<const std::string> source)
      : name_(std::move(name)), source_(std::move(source)) {}
  virtual ~GpuEntry() = default;
  const std::string& name() const { return name_; }
  /// The CUDA C++ of its module.
  const std::shared_ptr<const std::string>& source() const { return source_; }

 private:
  std::string name_;
  std::shared_ptr<const std::string> source_;
};

/// How many registers the threads of an entry have; nothing where nobody knows.
using RegistersOf = std::function<std::optional<uint32_t>(const std::string& entry)>;

/// What the CUDA C++ of an image is called, in its PTX and in messages.
inline constexpr const char* kSourceName = "glint.cu";

/// What a device loads: PTX, which it compiles for itself, or where there is one the machine code.
struct GpuImage {
  std::string ptx;
  std::string cubin = {};
  std::string source = {};  ///< the CUDA C++ that it was made of, for those who look at it
  /// Somebody's own kernel: where the device checks barriers, every thread has to reach them. In
  /// Glint's kernels a thread whose check of an index fails ends before the others' barrier.
  bool is_written_by_hand = false;
  /// By machine code, for a device that has none itself and cannot tell by the PTX; may be null.
  RegistersOf registers = {};
};

/// An image on the device; its entries live as long as it does.
class GpuModule {
 public:
  virtual ~GpuModule() = default;
  virtual Result<std::shared_ptr<const GpuEntry>> entry(const std::string& name) = 0;
};

/// The bytes of one kernel argument: an address, a size or a number.
struct GpuArgument {
  std::array<std::byte, 8> bytes = {};
  uint32_t size = 0;
  /// Of a buffer's address, the buffer's name in messages; its text outlives every launch.
  std::string_view buffer = {};

  bool operator==(const GpuArgument& other) const {
    return size == other.size && bytes == other.bytes;
  }
};

template <class T>
GpuArgument gpu_argument(const T& value, std::string_view buffer = {}) {
  static_assert(sizeof(T) <= sizeof(GpuArgument::bytes));
  GpuArgument made{.size = sizeof(T), .buffer = buffer};
  std::memcpy(made.bytes.data(), &value, sizeof(T));
  return made;
}

struct GpuLaunch {
  std::array<uint32_t, 3> grid = {1, 1, 1};
  std::array<uint32_t, 3> block = {1, 1, 1};
  uint32_t dynamic_shared = 0;
  std::vector<GpuArgument> arguments = {};

  bool operator==(const GpuLaunch&) const = default;
};

/// A launch that waits for others. The entry outlives it.
struct PendingLaunch {
  const GpuEntry* entry = nullptr;
  GpuLaunch launch = {};
  /// In pinned memory, where a check of the kernel that fails stores its number; null: it has none.
  const int32_t* check = nullptr;
};

/// Launches that the device knows, run as one. Sizes stay, arguments may change.
class GpuRecord {
 public:
  virtual ~GpuRecord() = default;
  virtual std::optional<Error> change(size_t which, const PendingLaunch& launch) = 0;
  /// Where each launch is waited for, none runs behind one whose check has failed.
  virtual std::optional<Error> replay() = 0;
};

/// An order of work beside others; 0 is the one that there is from the start.
using GpuStream = uint64_t;

/// A point in a stream.
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

  /// The address of new memory, 256-byte aligned; nothing where there is not as much.
  virtual Result<std::optional<uint64_t>> allocate(size_t bytes) = 0;
  virtual void free(uint64_t address) = 0;
  /// Where a part of such memory is found by those who use it. A device that checks accesses knows
  /// each part for itself then, and gives it an address far from the others'; a part that overlaps
  /// one before takes its place.
  virtual uint64_t hand_out(uint64_t memory, size_t offset, size_t bytes) {
    return memory + offset;
  }

  /// The copy comes behind what was asked for before. The source may change when it returns; but
  /// pinned memory, without `waits`, is read when the device comes to it, also if it is freed
  /// before.
  virtual std::optional<Error> upload(uint64_t target, const void* source, size_t bytes,
                                      bool waits) = 0;
  /// Waits until the bytes are there; nothing, or what failed, also of a kernel before.
  virtual std::optional<Error> download(void* target, uint64_t source, size_t bytes) = 0;
  /// Sets bytes to zero.
  virtual std::optional<Error> clear(uint64_t target, size_t bytes) = 0;

  /// Memory of the processor that the device reads and writes by itself.
  virtual Result<void*> allocate_pinned(size_t bytes) = 0;
  virtual void free_pinned(void* block) = 0;
  /// Whether it is within such memory.
  virtual bool is_pinned(const void* place) const = 0;
  /// Where kernels find a block of it.
  virtual Result<uint64_t> address_of_pinned(void* block) = 0;

  virtual Result<std::shared_ptr<GpuModule>> load(const GpuImage& image) = 0;
  virtual std::optional<Error> launch(const GpuEntry& entry, const GpuLaunch& launch) = 0;
  /// Whether a launch is done when it returns.
  virtual bool waits_for_launches() const = 0;
  /// Those launches, in order, to be run often.
  virtual Result<std::unique_ptr<GpuRecord>> record_launches(
      const std::vector<PendingLaunch>& launches) = 0;
  /// Waits for all work, in every stream.
  virtual std::optional<Error> synchronise() = 0;
  /// What kernels have printed (`printf`) since this was asked last. A driver writes it to the
  /// standard output itself, when somebody waits for the device.
  virtual std::string take_printed() { return {}; }

  /// Kept until the process ends; a lower number goes first.
  virtual Result<GpuStream> make_stream(int priority) = 0;
  /// Where work goes that is asked for from now on.
  virtual void use_stream(GpuStream stream) = 0;
  virtual GpuStream stream_in_use() const = 0;
  virtual bool is_done(GpuStream stream) const = 0;
  virtual std::optional<Error> wait_for(GpuStream stream) = 0;
  /// What is asked of a stream from now on comes behind the event, whosever it is.
  virtual std::optional<Error> have_wait(GpuStream stream, const GpuEvent& event) = 0;
  /// An event behind all work so far of a stream.
  virtual Result<std::shared_ptr<const GpuEvent>> record(GpuStream stream) = 0;
};

/// The device of the process, opened when it is first asked for. The error says what is missing.
const Result<Gpu*>& open_gpu();
/// Why the driver that is there does not start, or is too old; nothing where it starts, has no GPU
/// or is not asked for.
std::optional<Error> driver_problem();
/// The simulated one, whatever GLINT_GPU says.
Gpu& simulated_gpu();
/// The one that the driver has.
Result<std::unique_ptr<Gpu>> driver_gpu();

}  // namespace glint::cuda
