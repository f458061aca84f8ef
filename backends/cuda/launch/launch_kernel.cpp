#include "backends/cuda/launch/launch_kernel.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <vector>

#include "backends/cuda/device/block_counters.h"
#include "backends/cuda/device/device_memory.h"
#include "backends/cuda/device/launch_entry.h"
#include "backends/cuda/device/launch_recorder.h"
#include "backends/cuda/launch/text_kernel.h"
#include "ops/op.h"

namespace glint::cuda {
namespace {

/// Loaded modules, as long as a kernel of theirs is in use.
Result<std::shared_ptr<GpuModule>> loaded(const std::shared_ptr<const CompiledModule>& module) {
  static auto& known = *new std::map<const CompiledModule*, std::weak_ptr<GpuModule>>;
  std::weak_ptr<GpuModule>& place = known[module.get()];
  if (auto found = place.lock()) return found;
  auto made = need_gpu_beside_launches().load({module->ptx, module->cubin, module->source});
  if (made) place = *made;
  return made;
}

constexpr const char* kClearText = R"(
extern "C" __global__ void clear_words(unsigned* words, int count) {
  for (int i = threadIdx.x; i < count; i += 32) words[i] = 0;
}
)";

/// While launches are recorded this is one of them: the device's own clearing would end the record.
void clear_words(const DeviceBuffer& buffer, size_t bytes) {
  if (LaunchRecorder::current() == nullptr) return buffer.clear(bytes);
  const auto count = static_cast<int32_t>(bytes / sizeof(uint32_t));
  text_kernel(kClearText, "clear_words")
      .launch(1, 32, {gpu_argument(buffer.address(), "words"), gpu_argument(count)});
}

/// The arguments of one launch, and what is made for the time of it.
class LaunchArguments {
 public:
  LaunchArguments(const CompiledKernel& kernel, std::byte* const* parameters,
                  std::span<const int64_t> symbols, int64_t length, const LaunchCheck* check)
      : kernel_(kernel),
        parameters_(parameters),
        symbols_(symbols),
        length_(length),
        check_(check) {
    for (const KernelParameter& parameter : kernel.parameters) add(parameter);
  }

  std::vector<GpuArgument> arguments;
  uint32_t dynamic_shared = 0;

 private:
  void add(const KernelParameter& parameter) {
    using Kind = KernelParameter::Kind;
    switch (parameter.kind) {
      case Kind::kSize:
        arguments.push_back(gpu_argument(parameter.size.evaluate(symbols_)));
        break;
      case Kind::kLength:
        arguments.push_back(gpu_argument(length_));
        break;
      case Kind::kBuffer:
        arguments.push_back(gpu_argument(reinterpret_cast<uint64_t>(parameters_[parameter.buffer]),
                                         parameter.name));
        break;
      case Kind::kNumber: {
        GpuArgument number{.size = static_cast<uint32_t>(dtype_size(parameter.dtype))};
        std::memcpy(number.bytes.data(), parameters_[parameter.buffer], number.size);
        arguments.push_back(number);
        break;
      }
      case Kind::kStatus:
        arguments.push_back(check_->argument());
        break;
      case Kind::kCounters:
        count_blocks(parameter);
        break;
      case Kind::kWorkspace:
      case Kind::kScratch:
        make(parameter, bytes_of(parameter));
        break;
      case Kind::kKept:
        keep(parameter);
        break;
    }
  }

  size_t bytes_of(const KernelParameter& parameter) const {
    return static_cast<size_t>(parameter.size.evaluate(symbols_));
  }
  /// Asks for the shared memory that rows as long as these take, or for all that there is.
  void keep(const KernelParameter& parameter) {
    const uint32_t room = need_gpu_beside_launches().properties().block_shared_bytes;
    const int64_t elements = kept_elements(kernel_, parameter, symbols_, room);
    arguments.push_back(gpu_argument(elements));
    dynamic_shared =
        std::max(dynamic_shared, static_cast<uint32_t>(elements * parameter.element_bytes));
  }
  /// A launch that may leave counts behind, where a check of its fails, has counters of its own.
  void count_blocks(const KernelParameter& parameter) {
    if (kernel_.checks.empty())
      return arguments.push_back(gpu_argument(block_counters(), parameter.name));
    make(parameter, bytes_of(parameter));
    clear_words(made_.back(), bytes_of(parameter));
  }
  void make(const KernelParameter& parameter, size_t bytes) {
    if (bytes == 0) return arguments.push_back(gpu_argument(uint64_t{0}, parameter.name));
    made_.emplace_back(bytes);
    arguments.push_back(gpu_argument(made_.back().address(), parameter.name));
  }

  const CompiledKernel& kernel_;
  std::byte* const* parameters_;
  std::span<const int64_t> symbols_;
  int64_t length_;
  const LaunchCheck* check_;
  std::vector<DeviceBuffer> made_;
};

}  // namespace

LaunchableKernel::LaunchableKernel(CompiledKernel compiled, std::shared_ptr<GpuModule> module,
                                   std::shared_ptr<const GpuEntry> entry)
    : compiled_(std::move(compiled)), module_(std::move(module)), entry_(std::move(entry)) {
  if (!compiled_.checks.empty()) check_.emplace(compiled_.entry, compiled_.checks);
}

Result<std::shared_ptr<const LaunchableKernel>> LaunchableKernel::load(
    const CompiledKernel& compiled) {
  auto module = loaded(compiled.module);
  if (!module) return module.error();
  auto entry = (*module)->entry(compiled.entry);
  if (!entry) return entry.error();
  return std::shared_ptr<const LaunchableKernel>(
      new LaunchableKernel(compiled, std::move(*module), std::move(*entry)));
}

/// Where launches are noted: a run of a region has no use for it.
std::optional<MovedBytes> LaunchableKernel::moved(std::span<const int64_t> symbols,
                                                  int64_t length) const {
  if (!notes_launches()) return std::nullopt;
  const std::optional<SymInt>& whole = compiled_.iterations;
  if (whole && whole->evaluate(symbols) != length) return std::nullopt;
  return MovedBytes{compiled_.moved.read.evaluate(symbols),
                    compiled_.moved.written.evaluate(symbols)};
}

void LaunchableKernel::launch(std::byte* const* parameters, std::span<const int64_t> symbols,
                              int64_t length) const {
  LaunchArguments given(compiled_, parameters, symbols, length, check_ ? &*check_ : nullptr);
  GpuLaunch launch;
  launch.grid[0] = blocks_of(compiled_, symbols);
  launch.block[0] = compiled_.threads;
  launch.dynamic_shared = given.dynamic_shared;
  launch.arguments = std::move(given.arguments);
  try {
    launch_entry(*entry_, launch, moved(symbols, length));
  } catch (const ops::OpError&) {
    // A device that watches tells that threads are missed which a failed check has ended.
    if (check_) check_->fail_if_found();
    throw;
  }
  if (check_) check_->launched();
}

}  // namespace glint::cuda
