// The device behind the stand-in driver: memory, kernels, and streams in which work waits.
//
//     Device device(settings);
//     Stream& stream = device.default_stream();
//     stream.add([&] { return device.run(kernel, launch); });   // nothing runs yet
//     stream.finish();                                          // now it does
//
// A stream's work runs when somebody waits for it, or for an event behind it, and no earlier: a
// program that reads without waiting reads what was there before, every time. Streams know nothing
// of each other but through events.
#pragma once

#include <algorithm>
#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "backends/cuda/simulator/launch.h"
#include "tests/driver/settings.h"

namespace glint::driver {

/// CUresult, as the manual numbers it.
enum Status : int {
  kSuccess = 0,
  kInvalidValue = 1,
  kOutOfMemory = 2,
  kNotInitialised = 3,
  kNoDevice = 100,
  kInvalidDevice = 101,
  kInvalidImage = 200,
  kInvalidContext = 201,
  kNoBinaryForGpu = 209,
  kUnsupportedPtx = 222,
  kInvalidHandle = 400,
  kNotFound = 500,
  kNotReady = 600,
  kIllegalAddress = 700,
  kOutOfResources = 701,
  kAssert = 710,
  kLaunchFailed = 719,
};

class Stream {
 public:
  using Work = std::function<Status()>;

  /// The number of what was added: 1, 2, 3, ...
  uint64_t add(Work work);
  /// Runs what waits, up to that number.
  Status run_until(uint64_t number);
  Status finish() { return run_until(added_); }
  /// Runs one piece of what waits; false where nothing did.
  bool run_one(Status& status);
  uint64_t added() const { return added_; }
  uint64_t done() const { return done_; }

 private:
  std::deque<Work> waiting_;
  uint64_t added_ = 0;
  uint64_t done_ = 0;
};

/// A point in a stream.
struct Event {
  Stream* stream = nullptr;  ///< null: it was never recorded
  uint64_t number = 0;
  std::shared_ptr<std::chrono::steady_clock::time_point> time;

  bool passed() const { return stream == nullptr || stream->done() >= number; }
};

struct LoadedKernel {
  std::optional<simulator::Program> program;  ///< nothing: the device is idle
  mutable unsigned most_dynamic_shared = 0;   ///< as cuFuncSetAttribute was told
};

struct LoadedImage {
  std::optional<simulator::LoadedModule> module;
  std::map<std::string, LoadedKernel> kernels;
};

/// Kernels in order, with what each is launched with.
struct GraphNode {
  const LoadedKernel* kernel = nullptr;
  simulator::Launch launch;
};
struct Graph {
  std::vector<std::unique_ptr<GraphNode>> nodes;
};
struct GraphExecutable {
  std::map<const GraphNode*, size_t> places;
  std::vector<GraphNode> nodes;

  /// Whether it launches a kernel of that image, which has to stay loaded then.
  bool has_kernel_of(const LoadedImage& image) const {
    return std::ranges::any_of(image.kernels, [&](const auto& kernel) {
      return std::ranges::any_of(
          nodes, [&](const GraphNode& node) { return node.kernel == &kernel.second; });
    });
  }
};

class Device {
 public:
  explicit Device(const Settings& settings) : settings_(settings) {}

  Status allocate(uint64_t& address, size_t bytes);
  Status free(uint64_t address);
  uint64_t free_bytes() const { return settings_.memory - used_; }
  std::byte* find(uint64_t address, size_t bytes) const { return memory_.find(address, bytes); }

  Status load(LoadedImage& image, const char* bytes, std::string& log);
  Status find_kernel(LoadedImage& image, const std::string& name, const LoadedKernel*& found);
  /// The launch with the arguments that `values` point to; the status says that sizes are wrong.
  Status launch_of(const LoadedKernel& kernel, const simulator::Launch& sizes, void** values,
                   simulator::Launch& launch) const;
  Status run(const LoadedKernel& kernel, const simulator::Launch& launch);

  Stream& default_stream() { return *default_stream_; }
  Stream* make_stream();
  /// Null: the default one. Nothing where there is no such stream.
  Stream* find_stream(void* handle);
  Status finish_all();

  Event* make_event();
  Event* find_event(void* handle);
  Status destroy_event(void* handle);
  void record(Event& event, Stream& stream);

  void add_pinned(void* block, size_t bytes) { pinned_[static_cast<std::byte*>(block)] = bytes; }
  bool remove_pinned(void* block);
  /// Where kernels find a block; nothing where it is none.
  std::optional<uint64_t> address_of_pinned(void* block);
  bool is_pinned(const void* place, size_t bytes) const;

 private:
  struct Block {
    std::unique_ptr<std::byte[]> bytes;
    size_t size = 0;
  };

  const Settings& settings_;
  simulator::Memory memory_;
  std::map<uint64_t, Block> blocks_;
  uint64_t used_ = 0;
  std::unique_ptr<Stream> default_stream_ = std::make_unique<Stream>();
  std::set<std::unique_ptr<Stream>> streams_;
  std::set<std::unique_ptr<Event>> events_;
  std::map<std::byte*, size_t> pinned_;
  std::map<std::byte*, uint64_t> pinned_addresses_;
};

}  // namespace glint::driver
