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

struct Word {
  std::string kernel;
  CheckMessages messages;
  int32_t* place = nullptr;
  uint64_t address = 0;  ///< the same for kernels
  uint64_t since = 0;    ///< which launch nobody has looked behind, the first one; 0: none

  std::string message(int32_t number) const {
    const auto found = messages.find(number);
    return found == messages.end() ? "a check failed" : found->second;
  }

  /// What was left; zero from now on.
  int32_t take() const { return std::atomic_ref(*place).exchange(0); }
};

namespace {

/// All words, in pinned memory that is asked for a page at a time.
class Words {
 public:
  Word& add(std::string kernel, CheckMessages messages) {
    if (left_ == 0) add_page();
    --left_;
    return all_.emplace_back(Word{std::move(kernel), std::move(messages), next_++,
                                  std::exchange(address_, address_ + 4)});
  }
  std::deque<Word>& all() { return all_; }

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
    next_ = static_cast<int32_t*>(*page);
    address_ = *address;
    left_ = kPage / sizeof(int32_t);
  }

  std::deque<Word> all_;
  int32_t* next_ = nullptr;
  uint64_t address_ = 0;
  size_t left_ = 0;
};

Words& words() {
  static Words& all = *new Words;
  return all;
}

}  // namespace

LaunchCheck::LaunchCheck(std::string kernel, CheckMessages messages)
    : word_(&words().add(std::move(kernel), std::move(messages))) {}

GpuArgument LaunchCheck::argument() const {
  return gpu_argument(word_->address, "status");
}

int32_t LaunchCheck::launched() const {
  const bool waits = need_gpu_beside_launches().waits_for_launches();
  ++words().launched;
  if (!waits && word_->since == 0) word_->since = words().launched;
  if (LaunchRecorder* recorder = LaunchRecorder::current()) {
    recorder->note_check(word_->place);
    return 0;
  }
  return waits ? take() : 0;
}
int32_t LaunchCheck::take() const {
  return word_->take();
}

/// One mistake makes several checks fail: the kernel that was launched first tells of it.
void fail_on_checks() {
  const Word* first = nullptr;
  int32_t found = 0;
  uint64_t earliest = 0;
  for (Word& word : words().all()) {
    const uint64_t since = std::exchange(word.since, 0);
    const int32_t left = word.take();
    if (left == 0 || (first != nullptr && earliest <= since)) continue;
    first = &word;
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
  const Word& word = *std::ranges::find(words().all(), first->check, &Word::place);
  ops::throw_device_assert(word.message(word.take()));
}

void note_told() {
  words().told = launch_count();
}

void finish_launches() {
  if (words().told == launch_count()) return;
  Gpu& gpu = need_gpu();
  note_told();
  fail_on_device(gpu.synchronise());
  fail_on_checks();
}

}  // namespace glint::cuda
