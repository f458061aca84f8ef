#include "backends/cuda/launch_checks.h"

#include <fmt/format.h>

#include <atomic>
#include <cstring>
#include <deque>
#include <utility>

#include "backends/cuda/device_memory.h"
#include "backends/cuda/launch_kernel.h"
#include "backends/cuda/launch_recorder.h"
#include "ops/device_calls.h"

namespace glint::cuda {

struct Word {
  std::string kernel;
  CheckMessages messages;
  int32_t* place = nullptr;
  uint64_t address = 0;  ///< the same for kernels
  uint64_t since = 0;    ///< the first launch that nobody has looked behind; 0: there is none

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

  uint64_t told = 0;  ///< launches whose end was waited for, or whose failure was told

 private:
  static constexpr size_t kPage = 4096;

  void add_page() {
    const Result<void*> page = need_gpu().allocate_pinned(kPage);
    if (!page) fail_on_device(page.error());
    const Result<uint64_t> address = need_gpu().address_of_pinned(*page);
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
  Gpu& gpu = **open_gpu();
  if (!gpu.waits_for_launches()) {
    if (word_->since == 0) word_->since = launch_count();
    return 0;
  }
  run_pending_launches();
  return take();
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
  const auto message = first->messages.find(found);
  ops::throw_device_assert(fmt::format(
      "{}\nfound by the kernel `{}`, which was launched before this call; "
      "CUDA_LAUNCH_BLOCKING=1 tells it where it is launched",
      message == first->messages.end() ? "a check failed" : message->second, first->kernel));
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
