// A real GPU behind the border of device.h, through CUDA's driver (driver_functions.h).
//
//   1. the first device's primary context is made current for the thread that runs the program;
//   2. work goes into the stream in use and does not wait: launches, copies to the device
//      (staging.h), events; what reads the device waits for that stream;
//   3. a short kernel that comes again and again goes as a graph of itself (repeated_launch.h);
//   4. with CUDA_LAUNCH_BLOCKING=1 each launch is waited for, those of a record too, so that the
//      call which launched a kernel tells its fault.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <map>
#include <string_view>

#include "backends/cuda/device/device.h"
#include "backends/cuda/device/driver_entry.h"
#include "backends/cuda/device/driver_functions.h"
#include "backends/cuda/device/driver_record.h"
#include "backends/cuda/device/launches_in_turn.h"
#include "backends/cuda/device/pinned_blocks.h"
#include "backends/cuda/device/staging.h"

namespace glint::cuda {
namespace {

class DriverModule final : public GpuModule {
 public:
  DriverModule(const DriverFunctions& functions, CuModule module, const std::string& source)
      : f_(functions), module_(module), source_(std::make_shared<const std::string>(source)) {}
  ~DriverModule() override {
    entries_.clear();  // no graph has a kernel that is no longer loaded
    f_.unload(module_);
  }
  DriverModule(const DriverModule&) = delete;
  DriverModule& operator=(const DriverModule&) = delete;

  /// The same to all who ask: the driver's settings of a function are one for all.
  Result<std::shared_ptr<const GpuEntry>> entry(const std::string& name) override {
    if (const auto known = entries_.find(name); known != entries_.end()) return known->second;
    CuFunction function = nullptr;
    if (auto fault = f_.outcome(f_.function(&function, module_, name.c_str()))) return *fault;
    return entries_[name] = std::make_shared<DriverEntry>(name, source_, function, f_);
  }

 private:
  const DriverFunctions& f_;
  CuModule module_;
  std::shared_ptr<const std::string> source_;
  std::map<std::string, std::shared_ptr<const GpuEntry>> entries_;
};

class DriverEvent final : public GpuEvent {
 public:
  DriverEvent(const DriverFunctions& functions, CuEvent event) : f_(functions), event_(event) {}
  ~DriverEvent() override { f_.destroy_event(event_); }
  DriverEvent(const DriverEvent&) = delete;
  DriverEvent& operator=(const DriverEvent&) = delete;

  CuEvent handle() const { return event_; }
  bool passed() const override { return f_.query_event(event_) != driver::kNotReady; }
  std::optional<Error> wait() const override { return f_.outcome(f_.wait_for_event(event_)); }
  Result<double> milliseconds_to(const GpuEvent& later) const override {
    float time = 0;
    const CuEvent to = static_cast<const DriverEvent&>(later).event_;
    if (auto fault = f_.outcome(f_.elapsed(&time, event_, to))) return *fault;
    return double{time};
  }

 private:
  const DriverFunctions& f_;
  CuEvent event_;
};

CuStream handle_of(GpuStream stream) {
  return std::bit_cast<CuStream>(stream);
}

class DriverGpu final : public Gpu {
 public:
  DriverGpu(const DriverFunctions& functions, GpuProperties properties)
      : f_(functions), properties_(std::move(properties)), staging_(functions) {
    const char* blocking = std::getenv("CUDA_LAUNCH_BLOCKING");
    waits_ = blocking != nullptr && std::string_view(blocking) == "1";
  }
  const GpuProperties& properties() const override { return properties_; }
  uint64_t free_bytes() const override {
    size_t left = 0, total = 0;
    return f_.memory_left(&left, &total) == driver::kSuccess ? left : 0;
  }

  // ---- Memory ----------------------------------------------------------------------------------

  Result<std::optional<uint64_t>> allocate(size_t bytes) override {
    CuAddress address = 0;
    const CuResult result = f_.allocate(&address, bytes);
    if (result == driver::kOutOfMemory) return std::optional<uint64_t>();
    if (auto fault = f_.outcome(result)) return *fault;
    return std::optional<uint64_t>(address);
  }
  void free(uint64_t address) override { f_.free(address); }
  Result<void*> allocate_pinned(size_t bytes) override {
    free_finished();
    void* block = nullptr;
    if (auto fault = f_.outcome(f_.allocate_pinned(&block, bytes, 0))) return *fault;
    pinned_.add(block, bytes);
    return block;
  }
  void free_pinned(void* block) override {
    free_finished();
    auto copies = copies_.extract(block);
    pinned_.remove(block);
    if (copies && !has_passed(copies.mapped()))
      left_.push_back({block, std::move(copies.mapped())});
    else
      f_.free_pinned(block);
  }
  bool is_pinned(const void* place) const override { return pinned_.holds(place); }
  Result<uint64_t> address_of_pinned(void* block) override {
    CuAddress address = 0;
    if (auto fault = f_.outcome(f_.pinned_address(&address, block, 0))) return *fault;
    return uint64_t{address};
  }

  std::optional<Error> upload(uint64_t target, const void* source, size_t bytes,
                              bool waits) override {
    const auto* from = static_cast<const std::byte*>(source);
    if (!is_pinned(source)) return f_.outcome(staging_.upload(target, from, bytes, stream_));
    if (auto fault = f_.outcome(f_.upload(target, from, bytes, stream_))) return fault;
    if (waits) return f_.outcome(f_.wait_for_stream(stream_));
    auto copied = record(stream_in_use());
    if (!copied) return copied.error();
    PinnedCopies& copies = copies_[pinned_.block_of(source)];
    std::erase_if(copies, [](const auto& each) { return each->passed(); });
    copies.push_back(std::move(*copied));
    return std::nullopt;
  }
  std::optional<Error> download(void* target, uint64_t source, size_t bytes) override {
    auto* to = static_cast<std::byte*>(target);
    if (!is_pinned(target)) return f_.outcome(staging_.download(to, source, bytes, stream_));
    CuResult result = f_.download(to, source, bytes, stream_);
    if (result == driver::kSuccess) result = f_.wait_for_stream(stream_);
    return f_.outcome(result);
  }
  std::optional<Error> clear(uint64_t target, size_t bytes) override {
    return f_.outcome(f_.fill(target, 0, bytes, stream_));
  }

  // ---- Kernels ---------------------------------------------------------------------------------

  Result<std::shared_ptr<GpuModule>> load(const GpuImage& image) override {
    CuModule module = nullptr;
    std::string log(4096, '\0');
    CuResult result = driver::kNoBinaryForGpu;
    if (!image.cubin.empty()) result = load_bytes(image.cubin, module, log);
    // Machine code of another kind than it takes: it compiles the PTX then.
    if (result == driver::kNoBinaryForGpu || result == driver::kInvalidImage)
      result = load_bytes(image.ptx, module, log);
    if (result == driver::kUnsupportedPtxVersion) return f_.older_than_nvrtc();
    if (result != driver::kSuccess)
      return Error{fmt::format("{}{}{}\nas a kernel was loaded", f_.failure(result).message,
                               log[0] == 0 ? "" : ": ", log.c_str())};
    return std::shared_ptr<GpuModule>(std::make_shared<DriverModule>(f_, module, image.source));
  }

  std::optional<Error> launch(const GpuEntry& entry, const GpuLaunch& launch) override {
    const auto& kernel = static_cast<const DriverEntry&>(entry);
    if (!waits_ && is_short(launch) && kernel.repeated.run(launch, stream_)) return std::nullopt;
    std::vector<void*> arguments = argument_places(launch);
    const auto& [grid, block] = std::pair(launch.grid, launch.block);
    if (auto fault = f_.outcome(allow_shared(f_, kernel, launch.dynamic_shared))) return fault;
    const CuResult result =
        f_.launch(kernel.function, grid[0], grid[1], grid[2], block[0], block[1], block[2],
                  launch.dynamic_shared, stream_, arguments.data(), nullptr);
    if (!waits_) return f_.outcome(result);
    // The driver knows that variable too: the launch may tell already what the kernel did.
    const CuResult outcome = result != driver::kSuccess ? result : f_.wait_for_stream(stream_);
    if (outcome == driver::kSuccess) return std::nullopt;
    return f_.failure(outcome, entry.name());
  }
  bool waits_for_launches() const override { return waits_; }
  Result<std::unique_ptr<GpuRecord>> record_launches(
      const std::vector<PendingLaunch>& launches) override {
    if (waits_)
      return std::unique_ptr<GpuRecord>(std::make_unique<LaunchesInTurn>(*this, launches));
    auto made = std::make_unique<DriverRecord>(f_, stream_);
    if (auto fault = made->make(launches)) return *fault;
    return std::unique_ptr<GpuRecord>(std::move(made));
  }

  // ---- The order of work -----------------------------------------------------------------------

  std::optional<Error> synchronise() override { return f_.outcome(f_.synchronise()); }
  Result<GpuStream> make_stream(int priority) override {
    CuStream made = nullptr;
    if (auto fault = f_.outcome(f_.make_stream(&made, driver::kNonBlocking, priority)))
      return *fault;
    return std::bit_cast<GpuStream>(made);
  }
  void use_stream(GpuStream stream) override { stream_ = handle_of(stream); }
  GpuStream stream_in_use() const override { return std::bit_cast<GpuStream>(stream_); }
  bool is_done(GpuStream stream) const override {
    return f_.query_stream(handle_of(stream)) != driver::kNotReady;
  }
  std::optional<Error> wait_for(GpuStream stream) override {
    return f_.outcome(f_.wait_for_stream(handle_of(stream)));
  }
  std::optional<Error> have_wait(GpuStream stream, const GpuEvent& event) override {
    const CuEvent before = static_cast<const DriverEvent&>(event).handle();
    return f_.outcome(f_.have_stream_wait(handle_of(stream), before, 0));
  }
  Result<std::shared_ptr<const GpuEvent>> record(GpuStream stream) override {
    CuEvent event = nullptr;
    if (auto fault = f_.outcome(f_.make_event(&event, 0))) return *fault;
    auto made = std::make_shared<const DriverEvent>(f_, event);
    if (auto fault = f_.outcome(f_.record_event(event, handle_of(stream)))) return *fault;
    return std::shared_ptr<const GpuEvent>(std::move(made));
  }

 private:
  /// Whether the device may be done before the next launch is asked for: the grid fills half of it
  /// at most. While a longer kernel runs, the processor has time to ask for the next one.
  bool is_short(const GpuLaunch& launch) const {
    const auto threads_of = [](const std::array<uint32_t, 3>& sizes) {
      return uint64_t{sizes[0]} * sizes[1] * sizes[2];
    };
    const uint64_t room =
        uint64_t{properties_.multiprocessors} * properties_.threads_per_multiprocessor;
    return 2 * threads_of(launch.grid) * threads_of(launch.block) <= room;
  }

  CuResult load_bytes(const std::string& bytes, CuModule& module, std::string& log) const {
    int options[] = {driver::kErrorLogBuffer, driver::kErrorLogBytes};
    // The driver reads this option's value out of the pointer itself.
    void* values[] = {log.data(), std::bit_cast<void*>(log.size())};
    return f_.load(&module, bytes.c_str(), 2, options, values);
  }

  /// Copies out of a pinned block that nobody waited for.
  using PinnedCopies = std::vector<std::shared_ptr<const GpuEvent>>;
  struct LeftBlock {
    void* memory;
    PinnedCopies copies;
  };
  static bool has_passed(const PinnedCopies& copies) {
    return std::ranges::all_of(copies, [](const auto& each) { return each->passed(); });
  }
  /// Frees the blocks that were given up while they were copied.
  void free_finished() {
    std::erase_if(left_, [&](const LeftBlock& each) {
      if (!has_passed(each.copies)) return false;
      f_.free_pinned(each.memory);
      return true;
    });
  }

  const DriverFunctions& f_;
  GpuProperties properties_;
  Staging staging_;
  CuStream stream_ = nullptr;
  PinnedBlocks pinned_;
  std::map<const void*, PinnedCopies> copies_;  ///< by the block
  std::vector<LeftBlock> left_;
  bool waits_ = false;  ///< for each launch
};

Result<GpuProperties> properties_of(const DriverFunctions& f, CuDevice device) {
  GpuProperties properties;
  char name[256] = {};
  int major = 0;
  int minor = 0;
  int multiprocessors = 0;
  int threads = 0;
  int shared = 0;
  size_t memory = 0;
  for (const CuResult result :
       {f.device_name(name, sizeof(name), device),
        f.device_attribute(&major, driver::kCapabilityMajor, device),
        f.device_attribute(&minor, driver::kCapabilityMinor, device),
        f.device_attribute(&multiprocessors, driver::kMultiprocessorCount, device),
        f.device_attribute(&threads, driver::kThreadsPerMultiprocessor, device),
        f.device_attribute(&shared, driver::kMostSharedOfBlock, device),
        f.device_memory(&memory, device)})
    if (auto fault = f.outcome(result)) return *fault;
  properties.name = name;
  properties.major = static_cast<uint32_t>(major);
  properties.minor = static_cast<uint32_t>(minor);
  properties.multiprocessors = static_cast<uint32_t>(multiprocessors);
  properties.threads_per_multiprocessor = static_cast<uint32_t>(threads);
  properties.block_shared_bytes = static_cast<uint32_t>(shared);
  properties.memory_bytes = memory;
  return properties;
}

}  // namespace

Result<std::unique_ptr<Gpu>> driver_gpu() {
  const Result<const DriverFunctions*>& loaded = load_driver();
  if (!loaded) return loaded.error();
  const DriverFunctions& driver = **loaded;
  int count = 0;
  CuResult result = driver.init(0);
  if (result == driver::kSuccess) result = driver.device_count(&count);
  if (result == driver::kNoDevice || (result == driver::kSuccess && count == 0))
    return Error{std::string(kNoGpuText)};
  const auto beginning = [&](CuResult found) -> std::optional<Error> {
    if (found == driver::kSuccess) return std::nullopt;
    return Error{driver.failure(found).message + "\nas the driver was started"};
  };
  if (auto fault = beginning(result)) return *fault;
  CuDevice device = 0;
  CuContext context = nullptr;
  result = driver.device(&device, 0);
  if (result == driver::kSuccess) result = driver.retain_context(&context, device);
  if (result == driver::kSuccess) result = driver.set_context(context);
  if (auto fault = beginning(result)) return *fault;
  Result<GpuProperties> properties = properties_of(driver, device);
  if (!properties) return properties.error();
  return std::unique_ptr<Gpu>(std::make_unique<DriverGpu>(driver, std::move(*properties)));
}

}  // namespace glint::cuda
