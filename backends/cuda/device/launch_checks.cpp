#include "backends/cuda/device/launch_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <deque>
#include <utility>

#include "backends/cuda/device/device_memory.h"
#include "backends/cuda/device/launch_entry.h"
#include "backends/cuda/device/launch_recorder.h"
#include "ops/device_calls.h"

namespace glint::cuda {

struct KernelStatus {
  std::string kernel;
  CheckMessages messages;
  CheckStatus* left = nullptr;
  uint64_t address = 0;  ///< the same for kernels
  uint64_t since = 0;    ///< which launch nobody has looked behind, the first one; 0: none

  /// `index 7 is out of bounds for a dimension with size 5`, or what else the check is of.
  std::string message(int32_t number) const {
    const int64_t packed = left->number_and_size;
    if (packed >> CheckStatus::kSizeBits == number)
      return fmt::format("index {} is out of bounds for a dimension with size {}", left->index,
                         packed & ((int64_t{1} << CheckStatus::kSizeBits) - 1));
    const auto found = messages.find(number);
    return found == messages.end() ? "a check failed" : found->second;
  }

  /// The number that was left; zero from now on.
  int32_t take() const { return std::atomic_ref(left->number).exchange(0); }
};

namespace {

/// All of them, in pinned memory that is asked for a page at a time.
class Statuses {
 public:
  KernelStatus& add(std::string kernel, CheckMessages messages) {
    if (left_ == 0) add_page();
    --left_;
    return all_.emplace_back(KernelStatus{std::move(kernel), std::move(messages), next_++,
                                          std::exchange(address_, address_ + sizeof(CheckStatus))});
  }
  std::deque<KernelStatus>& all() { return all_; }

  uint64_t told = 0;      ///< launches whose end was waited for, or whose failure was told
  uint64_t launched = 0;  ///< of kernels with checks, in their order within a record too

 private:
  static constexpr size_t kPage = 4096;

  void add_page() {
    Gpu& gpu = need_gpu_beside_launches();
    const Result<void*> page = gpu.allocate_pinned(kPage);
    if (!page) fail_on_device(page.error());
    const Result<uint64_t> address = gpu.address_of_pinned(*page);
    if (!address) fail_on_device(address.error());
    std::memset(*page, 0, kPage);
    next_ = static_cast<CheckStatus*>(*page);
    address_ = *address;
    left_ = kPage / sizeof(CheckStatus);
  }

  std::deque<KernelStatus> all_;
  CheckStatus* next_ = nullptr;
  uint64_t address_ = 0;
  size_t left_ = 0;
};

Statuses& statuses() {
  static Statuses& all = *new Statuses;
  return all;
}

}  // namespace

LaunchCheck::LaunchCheck(std::string kernel, CheckMessages messages)
    : status_(&statuses().add(std::move(kernel), std::move(messages))) {}

GpuArgument LaunchCheck::argument() const {
  return gpu_argument(status_->address, "status");
}

void LaunchCheck::launched() const {
  const bool waits = need_gpu_beside_launches().waits_for_launches();
  ++statuses().launched;
  if (!waits && status_->since == 0) status_->since = statuses().launched;
  if (LaunchRecorder* recorder = LaunchRecorder::current())
    recorder->note_check(&status_->left->number);
  else if (waits)
    fail_if_found();
}

void LaunchCheck::fail_if_found() const {
  if (const int32_t found = status_->take()) ops::throw_device_assert(status_->message(found));
}

/// One mistake makes several checks fail: the kernel that was launched first tells of it.
void fail_on_checks() {
  const KernelStatus* first = nullptr;
  int32_t found = 0;
  uint64_t earliest = 0;
  for (KernelStatus& each : statuses().all()) {
    const uint64_t since = std::exchange(each.since, 0);
    const int32_t left = each.take();
    if (left == 0 || (first != nullptr && earliest <= since)) continue;
    first = &each;
    found = left;
    earliest = since;
  }
  if (first == nullptr) return;
  ops::throw_device_assert(
      fmt::format("{}\nfound by the kernel `{}`, which was launched before this call; "
                  "CUDA_LAUNCH_BLOCKING=1 tells it where it is launched",
                  first->message(found), first->kernel));
}

void fail_on_checks_of(std::span<const PendingLaunch> launches) {
  const auto failed = [](const PendingLaunch& each) {
    return each.check != nullptr && *each.check != 0;
  };
  const auto first = std::ranges::find_if(launches, failed);
  if (first == launches.end()) return;
  const auto& status = *std::ranges::find_if(statuses().all(), [&](const KernelStatus& each) {
    return &each.left->number == first->check;
  });
  ops::throw_device_assert(status.message(status.take()));
}

void note_told() {
  statuses().told = launch_count();
}

void finish_launches() {
  if (statuses().told == launch_count()) return;
  Gpu& gpu = need_gpu();
  note_told();
  fail_on_device(gpu.synchronise());
  fail_on_checks();
}

}  // namespace glint::cuda
