#include "tests/driver/device.h"

#include <algorithm>
#include <cstdio>

#include "backends/cuda/simulator/launch_limits.h"

namespace glint::driver {
namespace {

/// What an owner of handles holds under one of them.
template <class T>
auto find_handle(std::set<std::unique_ptr<T>>& owned, void* handle) {
  return std::find_if(owned.begin(), owned.end(),
                      [&](const std::unique_ptr<T>& each) { return each.get() == handle; });
}

}  // namespace

uint64_t Stream::add(Work work) {
  waiting_.push_back(std::move(work));
  return ++added_;
}

bool Stream::run_one(Status& status) {
  if (waiting_.empty()) return false;
  const Work work = std::move(waiting_.front());
  waiting_.pop_front();
  status = work();
  ++done_;
  return true;
}

Status Stream::run_until(uint64_t number) {
  Status status = kSuccess;
  while (done_ < number && status == kSuccess)
    if (!run_one(status)) break;
  return status;
}

Status Device::allocate(uint64_t& address, size_t bytes) {
  if (bytes == 0) return kInvalidValue;
  if (bytes > free_bytes()) return kOutOfMemory;
  Block block{std::unique_ptr<std::byte[]>(new std::byte[bytes]), bytes};
  // Nobody may count on what new memory holds.
  std::fill_n(block.bytes.get(), bytes, std::byte{0xcd});
  address = memory_.add("memory", block.bytes.get(), bytes);
  blocks_[address] = std::move(block);
  used_ += bytes;
  return kSuccess;
}

Status Device::free(uint64_t address) {
  const auto found = blocks_.find(address);
  if (found == blocks_.end()) return kInvalidValue;
  const Status status = finish_all();
  memory_.remove(address);
  used_ -= found->second.size;
  blocks_.erase(found);
  return status;
}

Status Device::load(LoadedImage& image, const char* bytes, std::string& log) {
  if (settings_.idle) return kSuccess;
  if (std::string_view(bytes, 4) ==
      "\x7f"
      "ELF")
    return kNoBinaryForGpu;
  constexpr std::string_view kVersion = ".version ";
  const std::string text(bytes);
  const size_t at = text.find(kVersion);
  if (at == std::string::npos) return kInvalidImage;
  // PTX 9.0 came with CUDA 13.0, 8.0 with 12.0.
  const int version = text[at + kVersion.size()] - '0' + 4;
  if (version > settings_.version / 1000) return kUnsupportedPtx;
  auto loaded = simulator::LoadedModule::load(text, memory_);
  if (!loaded) {
    log = loaded.error().message;
    return kInvalidImage;
  }
  image.module.emplace(std::move(*loaded));
  return kSuccess;
}

Status Device::find_kernel(LoadedImage& image, const std::string& name,
                           const LoadedKernel*& found) {
  LoadedKernel& kernel = image.kernels[name];
  if (image.module && !kernel.program) {
    auto program = image.module->program(name);
    if (!program) return kNotFound;
    kernel.program.emplace(std::move(*program));
  }
  found = &kernel;
  return kSuccess;
}

Status Device::launch_of(const LoadedKernel& kernel, const simulator::Launch& sizes, void** values,
                         simulator::Launch& launch) const {
  launch = sizes;
  if (!kernel.program) return kSuccess;
  const simulator::Program& program = *kernel.program;
  for (size_t i = 0; i < program.parameters.size(); ++i) {
    if (values[i] == nullptr) return kInvalidValue;
    const auto* bytes = static_cast<const std::byte*>(values[i]);
    launch.arguments.emplace_back(bytes, bytes + program.parameters[i].size);
  }
  if (!simulator::check_launch(program, launch)) return kInvalidValue;
  if (simulator::check_registers(program, launch, program.live_registers)) return kOutOfResources;
  constexpr unsigned kWithoutAsking = 48 * 1024;
  const bool asks = program.shared_bytes + launch.dynamic_shared > kWithoutAsking;
  return asks && launch.dynamic_shared > kernel.most_dynamic_shared ? kInvalidValue : kSuccess;
}

Status Device::run(const LoadedKernel& kernel, const simulator::Launch& launch) {
  if (!kernel.program) return kSuccess;
  // As the hardware: nobody there sees a race or a thread that a barrier misses.
  const auto result = simulator::run(*kernel.program, memory_, launch,
                                     {.check_shared = false, .ended_threads_miss = false});
  if (result) std::fputs(result->printed.c_str(), stdout);
  if (result && !result->fault) return kSuccess;
  if (result) std::fprintf(stderr, "the stand-in driver: %s\n", result->fault->text().c_str());
  if (!result) return kLaunchFailed;
  return result->fault->kind == simulator::FaultKind::kAssert ? kAssert : kIllegalAddress;
}

Stream* Device::make_stream() {
  return streams_.insert(std::make_unique<Stream>()).first->get();
}

Stream* Device::find_stream(void* handle) {
  if (handle == nullptr) return default_stream_.get();
  const auto found = find_handle(streams_, handle);
  return found == streams_.end() ? nullptr : found->get();
}

Status Device::finish_all() {
  Status status = default_stream_->finish();
  for (const auto& stream : streams_)
    if (status == kSuccess) status = stream->finish();
  return status;
}

Event* Device::make_event() {
  return events_.insert(std::make_unique<Event>()).first->get();
}

Event* Device::find_event(void* handle) {
  const auto found = find_handle(events_, handle);
  return found == events_.end() ? nullptr : found->get();
}

Status Device::destroy_event(void* handle) {
  const auto found = find_handle(events_, handle);
  if (found == events_.end()) return kInvalidHandle;
  events_.erase(found);
  return kSuccess;
}

void Device::record(Event& event, Stream& stream) {
  event.time = std::make_shared<std::chrono::steady_clock::time_point>();
  event.stream = &stream;
  event.number = stream.add([time = event.time] {
    *time = std::chrono::steady_clock::now();
    return kSuccess;
  });
}

bool Device::remove_pinned(void* block) {
  auto* const begin = static_cast<std::byte*>(block);
  if (const auto known = pinned_addresses_.extract(begin)) memory_.remove(known.mapped());
  return pinned_.erase(begin) > 0;
}

std::optional<uint64_t> Device::address_of_pinned(void* block) {
  const auto found = pinned_.find(static_cast<std::byte*>(block));
  if (found == pinned_.end()) return std::nullopt;
  uint64_t& address = pinned_addresses_[found->first];
  if (address == 0) address = memory_.add("pinned memory", block, found->second);
  return address;
}

bool Device::is_pinned(const void* place, size_t bytes) const {
  auto* begin = static_cast<std::byte*>(const_cast<void*>(place));
  auto found = pinned_.upper_bound(begin);
  if (found == pinned_.begin()) return false;
  --found;
  return begin + bytes <= found->first + found->second;
}

}  // namespace glint::driver
