// The simulated device behind the border of device.h: PTX runs on the processor (simulator/).
//
//     memory     the processor's; each part that is handed out has a device address of its own, so
//                that accesses beyond it are found
//     launch     waits until the kernel has ended; a fault is told with its place
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "backends/cuda/device/device.h"
#include "backends/cuda/device/launch_log.h"
#include "backends/cuda/device/launch_recorder.h"
#include "backends/cuda/device/launches_in_turn.h"
#include "backends/cuda/device/pinned_blocks.h"
#include "backends/cuda/simulator/estimate.h"
#include "backends/cuda/simulator/launch.h"
#include "backends/cuda/simulator/launch_limits.h"
#include "backends/cuda/simulator/occupancy.h"
#include "backends/cuda/simulator/reached_bytes.h"
#include "core/support/environment.h"
#include "core/support/interruption.h"

namespace glint::cuda {
namespace {

constexpr size_t kAlignment = 256;
/// As much as the smallest cards of today have: a script that would not fit there finds out.
constexpr uint64_t kMemoryBytes = 8ull << 30;

bool looks_for_races() {
  return environment::value(environment::Variable::kGpuRaces) != "off";
}

struct SimulatedEntry final : GpuEntry {
  explicit SimulatedEntry(LoadedProgram made)
      : GpuEntry(made.program->name, made.source), loaded(std::move(made)) {}
  LoadedProgram loaded;
};

class SimulatedModule final : public GpuModule {
 public:
  SimulatedModule(simulator::LoadedModule loaded, const GpuImage& image)
      : module_(std::move(loaded)),
        ptx_(std::make_shared<const std::string>(image.ptx)),
        source_(std::make_shared<const std::string>(image.source)),
        is_written_by_hand_(image.is_written_by_hand),
        registers_(image.registers) {}

  Result<std::shared_ptr<const GpuEntry>> entry(const std::string& name) override {
    Result<simulator::Program> program = module_.program(name);
    if (!program) return Error{"the simulated device: " + program.error().message};
    LoadedProgram made{
        std::make_shared<const simulator::Program>(std::move(*program)),
        ptx_,
        source_,
        {.check_races = looks_for_races(), .ended_threads_miss = is_written_by_hand_},
        is_written_by_hand_,
        registers_};
    return std::shared_ptr<const GpuEntry>(std::make_shared<SimulatedEntry>(std::move(made)));
  }

 private:
  simulator::LoadedModule module_;
  std::shared_ptr<const std::string> ptx_, source_;
  bool is_written_by_hand_;
  RegistersOf registers_;
};

/// Whether a block's threads find their registers. The text's own count is an estimate: where twice
/// as many would be too many, the machine code is asked, which takes longer to make.
std::optional<Error> check_registers(const LoadedProgram& loaded, const simulator::Launch& launch) {
  const simulator::Program& program = *loaded.program;
  const uint32_t estimate = program.live_registers;
  if (!simulator::check_registers(program, launch, 2 * estimate)) return std::nullopt;
  const std::optional<uint32_t> assembled =
      loaded.registers ? loaded.registers(program.name) : std::nullopt;
  return simulator::check_registers(program, launch, assembled.value_or(estimate));
}

simulator::Extent3 extent(const std::array<uint32_t, 3>& sizes) {
  return {sizes[0], sizes[1], sizes[2]};
}

/// Work is done when the call that asked for it returns: an event is a time of the processor's
/// clock.
class SimulatedEvent final : public GpuEvent {
 public:
  bool passed() const override { return true; }
  std::optional<Error> wait() const override { return std::nullopt; }
  Result<double> milliseconds_to(const GpuEvent& later) const override {
    const auto& other = static_cast<const SimulatedEvent&>(later);
    return std::chrono::duration<double, std::milli>(other.at_ - at_).count();
  }

 private:
  std::chrono::steady_clock::time_point at_ = std::chrono::steady_clock::now();
};

class SimulatedGpu final : public Gpu {
 public:
  SimulatedGpu() {
    properties_.name = "Glint simulated GPU";
    properties_.memory_bytes = kMemoryBytes;
    properties_.multiprocessors = simulator::kMultiprocessors;
    properties_.block_shared_bytes =
        simulator::find_architecture(properties_.architecture()).block_shared_bytes;
    properties_.is_simulated = true;
  }
  const GpuProperties& properties() const override { return properties_; }
  uint64_t free_bytes() const override { return kMemoryBytes - used_; }

  Result<std::optional<uint64_t>> allocate(size_t bytes) override {
    const size_t rounded = (std::max<size_t>(bytes, 1) + kAlignment - 1) / kAlignment * kAlignment;
    void* block =
        rounded > kMemoryBytes - used_ ? nullptr : std::aligned_alloc(kAlignment, rounded);
    if (block == nullptr) return std::optional<uint64_t>();
    used_ += rounded;
    const uint64_t address = memory_.add("memory", block, bytes);
    blocks_[address] = {block, rounded};
    return std::optional(address);
  }
  void free(uint64_t address) override {
    const Block block = blocks_.extract(address).mapped();
    memory_.remove(address);
    for (const auto& [offset, part] : block.parts) memory_.remove(part.address);
    forget_gone();
    used_ -= block.bytes;
    std::free(block.data);
  }
  uint64_t hand_out(uint64_t memory, size_t offset, size_t bytes) override {
    Block& block = blocks_.at(memory);
    auto part = block.parts.upper_bound(offset);
    if (part != block.parts.begin() && std::prev(part)->second.end() > offset) --part;
    if (part != block.parts.end() && part->second.offset == offset && part->second.bytes == bytes)
      return part->second.address;
    while (part != block.parts.end() && part->first < offset + bytes) {
      gone_.push_back(part->second.address);
      part = block.parts.erase(part);
    }
    // Launches that wait in a recorder may mean parts that are gone.
    if (!has_pending_launches()) forget_gone();
    auto* const begin = static_cast<std::byte*>(block.data) + offset;
    const uint64_t address = memory_.add("memory", begin, bytes);
    block.parts[offset] = {address, offset, bytes};
    return address;
  }

  std::optional<Error> upload(uint64_t target, const void* source, size_t bytes, bool) override {
    std::byte* place = memory_.find(target, bytes);
    if (place == nullptr) return outside(target);
    std::memcpy(place, source, bytes);
    return std::nullopt;
  }
  std::optional<Error> download(void* target, uint64_t source, size_t bytes) override {
    const std::byte* place = memory_.find(source, bytes);
    if (place == nullptr) return outside(source);
    std::memcpy(target, place, bytes);
    return std::nullopt;
  }
  std::optional<Error> clear(uint64_t target, size_t bytes) override {
    std::byte* place = memory_.find(target, bytes);
    if (place == nullptr) return outside(target);
    std::memset(place, 0, bytes);
    return std::nullopt;
  }

  Result<void*> allocate_pinned(size_t bytes) override {
    void* block = std::malloc(std::max<size_t>(bytes, 1));
    if (block == nullptr) return Error{"CUDA error: out of memory"};
    pinned_.add(block, bytes);
    return block;
  }
  void free_pinned(void* block) override {
    if (const auto known = pinned_addresses_.extract(block)) memory_.remove(known.mapped());
    pinned_.remove(block);
    std::free(block);
  }
  bool is_pinned(const void* place) const override { return pinned_.holds(place); }
  Result<uint64_t> address_of_pinned(void* block) override {
    uint64_t& address = pinned_addresses_[block];
    if (address == 0) address = memory_.add("pinned memory", block, pinned_.bytes_of(block));
    return address;
  }

  Result<std::shared_ptr<GpuModule>> load(const GpuImage& image) override {
    // Nobody looks for a line of a text that Glint wrote.
    auto loaded = simulator::LoadedModule::load(
        image.ptx, memory_,
        image.is_written_by_hand ? simulator::SourceText{kSourceName, image.source}
                                 : simulator::SourceText{});
    if (!loaded) return Error{"the simulated device: " + loaded.error().message};
    return std::shared_ptr<GpuModule>(std::make_shared<SimulatedModule>(std::move(*loaded), image));
  }

  std::optional<Error> launch(const GpuEntry& entry, const GpuLaunch& launch) override {
    auto ran = run(entry, launch);
    if (!ran) return ran.error();
    const LoadedProgram& loaded = static_cast<const SimulatedEntry&>(entry).loaded;
    if (ran->fault)
      launch_log().add_fault(loaded, ran->launch, ran->report, ran->fault->message);
    else
      launch_log().add(loaded, ran->launch, ran->report, ran->moved);
    interruption::check();
    return ran->fault;
  }

  bool waits_for_launches() const override { return true; }

  struct Ran {
    simulator::Launch launch;
    simulator::LaunchReport report;
    std::optional<MovedBytes> moved;
    std::optional<Error> fault;  ///< of a launch that did not come to its end
  };
  Result<Ran> run(const GpuEntry& entry, const GpuLaunch& launch) {
    const LoadedProgram& loaded = static_cast<const SimulatedEntry&>(entry).loaded;
    simulator::Launch given{.grid = extent(launch.grid),
                            .block = extent(launch.block),
                            .dynamic_shared = launch.dynamic_shared};
    for (const GpuArgument& argument : launch.arguments) {
      given.arguments.emplace_back(argument.bytes.begin(), argument.bytes.begin() + argument.size);
      if (argument.buffer.empty()) continue;
      uint64_t address = 0;
      std::memcpy(&address, argument.bytes.data(), sizeof(address));
      given.buffers[address] = argument.buffer;
      memory_.rename(address, given.buffers[address]);
    }
    if (loaded.is_written_by_hand)
      if (auto error = check_registers(loaded, given)) return *error;
    // Of what Glint wrote it is known.
    std::optional<simulator::ReachedBytes> reached;
    simulator::LaunchOptions options = loaded.options;
    if (loaded.is_written_by_hand) options.reached = &reached.emplace(memory_);
    Result<simulator::LaunchResult> result =
        simulator::run(*loaded.program, memory_, given, options);
    if (!result) return result.error();
    printed_ += result->printed;
    std::optional<Error> fault;
    if (result->fault) fault = Error{result->fault->text()};
    std::optional<MovedBytes> moved;
    if (reached)
      moved = {.read = static_cast<int64_t>(reached->read()),
               .written = static_cast<int64_t>(reached->written())};
    return Ran{std::move(given), std::move(result->report), moved, std::move(fault)};
  }
  Result<std::unique_ptr<GpuRecord>> record_launches(
      const std::vector<PendingLaunch>& launches) override {
    return std::unique_ptr<GpuRecord>(std::make_unique<LaunchesInTurn>(*this, launches));
  }
  std::optional<Error> synchronise() override { return std::nullopt; }
  std::string take_printed() override { return std::exchange(printed_, {}); }
  // All that is asked for is done when the call returns: a stream is a number.
  Result<GpuStream> make_stream(int) override { return ++streams_; }
  void use_stream(GpuStream stream) override { stream_ = stream; }
  GpuStream stream_in_use() const override { return stream_; }
  bool is_done(GpuStream) const override { return true; }
  std::optional<Error> wait_for(GpuStream) override { return std::nullopt; }
  std::optional<Error> have_wait(GpuStream, const GpuEvent&) override { return std::nullopt; }
  Result<std::shared_ptr<const GpuEvent>> record(GpuStream) override {
    return std::shared_ptr<const GpuEvent>(std::make_shared<SimulatedEvent>());
  }
  const simulator::Memory& memory() const { return memory_; }

 private:
  /// What was handed out of a block, and is known by an address of its own.
  struct Part {
    uint64_t address = 0;
    size_t offset = 0;
    size_t bytes = 0;
    size_t end() const { return offset + bytes; }
  };
  struct Block {
    void* data = nullptr;
    size_t bytes = 0;
    std::map<size_t, Part> parts = {};  ///< by their offsets
  };
  void forget_gone() {
    for (const uint64_t address : std::exchange(gone_, {})) memory_.remove(address);
  }
  Error outside(uint64_t address) const {
    return Error{"a copy reaches beyond its memory: " + memory_.describe(address)};
  }

  GpuProperties properties_;
  simulator::Memory memory_;
  std::unordered_map<uint64_t, Block> blocks_;
  std::vector<uint64_t> gone_;  ///< parts in whose place others were handed out
  PinnedBlocks pinned_;
  std::map<void*, uint64_t> pinned_addresses_;  ///< of blocks that kernels may reach
  uint64_t used_ = 0;
  std::string printed_;  ///< by kernels, and not yet shown
  GpuStream streams_ = 0;
  GpuStream stream_ = 0;
};

SimulatedGpu& the_gpu() {
  // Never destroyed: tensors may live until the process ends.
  static SimulatedGpu& gpu = *new SimulatedGpu;
  return gpu;
}

}  // namespace

Gpu& simulated_gpu() {
  return the_gpu();
}

Result<double> estimated_cost(const GpuEntry& entry, const GpuLaunch& launch) {
  const auto ran = the_gpu().run(entry, launch);
  if (!ran) return ran.error();
  interruption::check();
  if (ran->fault) return *ran->fault;
  return simulator::estimated_cycles(ran->launch, ran->report);
}

const simulator::Memory& simulated_memory() {
  return the_gpu().memory();
}

}  // namespace glint::cuda
