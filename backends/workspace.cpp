#include "backends/workspace.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace glint {
namespace {

struct Block {
  std::byte* data;
  size_t bytes;
};

struct Pool {
  std::vector<Block> free;
  ~Pool() {
    for (const Block& block : free) std::free(block.data);
  }
};

thread_local Pool pool;
constexpr size_t kAlignment = 64;
constexpr size_t kSmallest = 16384;

}  // namespace

void Workspace::take(size_t bytes) {
  if (!pool.free.empty() && pool.free.back().bytes >= bytes) {
    data_ = pool.free.back().data;
    bytes_ = pool.free.back().bytes;
    pool.free.pop_back();
    return;
  }
  if (!pool.free.empty()) {
    std::free(pool.free.back().data);
    pool.free.pop_back();
  }
  bytes_ = (std::max(bytes, kSmallest) + kAlignment - 1) / kAlignment * kAlignment;
  data_ = static_cast<std::byte*>(std::aligned_alloc(kAlignment, bytes_));
}

void Workspace::give_back() const {
  pool.free.push_back({data_, bytes_});
}

}  // namespace glint
