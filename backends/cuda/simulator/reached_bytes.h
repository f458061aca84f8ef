// Which bytes of global memory a launch reads and which it writes, each once, however often its
// threads come back to it.
//
//     ReachedBytes reached(memory);
//     run(program, memory, launch, {.reached = &reached});
//     reached.read()       4096: 1024 floats
//
// An atomic update is both. Blocks note what they reach on all cores at once.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "backends/cuda/simulator/memory.h"
#include "backends/cuda/simulator/shared_access.h"

namespace glint::simulator {

class ReachedBytes {
 public:
  /// Of buffers that are there now, which stay as they are.
  explicit ReachedBytes(const Memory& memory);
  ~ReachedBytes();
  ReachedBytes(const ReachedBytes&) = delete;
  ReachedBytes& operator=(const ReachedBytes&) = delete;

  /// `size` bytes of a buffer, at a multiple of it: 32 at most.
  void note(uint64_t address, uint32_t size, AccessKind kind);
  uint64_t read() const;
  uint64_t written() const;

 private:
  using Words = std::vector<std::atomic<uint64_t>>;
  /// A bit for each byte of a buffer that somebody has reached.
  struct Bits {
    explicit Bits(size_t words) : read(words), written(words) {}
    Words read, written;
  };
  Bits& bits_of(size_t region);
  template <class F>
  uint64_t count(const F& words_of) const;

  const Memory& memory_;
  std::vector<std::atomic<Bits*>> regions_;
};

}  // namespace glint::simulator
