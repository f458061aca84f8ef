// Who has accessed a byte in a phase, as far as it matters for what comes next: the last one, and
// one more that nothing orders before it.
//
//     threads 0, 1 and 40 read a byte      last 40, other 1
//     thread 40 writes it                  thread 1 is beside it: a race
//
// Two are enough. Any access is beside one of two of different warps, which only barriers of the
// block order, and beside one of two of one warp and epoch, unless it comes in a later one. Where
// barriers order parts of a block, the two of each warp are kept. (Of lanes' barriers, which order
// parts of a warp, LaneReads knows more; here it may be that of several the one beside is gone.)
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "backends/cuda/simulator/shared_access.h"

namespace glint::simulator {

struct Accessors {
  static constexpr uint16_t kNobody = 0xffff;
  static constexpr uint16_t kOfEachWarp = 0xfffe;  ///< what is known is kept warp by warp

  uint32_t epoch = 0;        ///< of `last`, and of `other` in its warp; where it is kept by warp
  uint16_t last = kNobody;   ///< the thread
  uint16_t other = kNobody;  ///< of another warp, or of the same epoch

  /// Whether there is another thread than that of `access`.
  bool may_be_beside(const SharedAccess& access) const {
    return last != access.thread || other != kNobody;
  }
};

class AccessorSets {
 public:
  explicit AccessorSets(const AccessOrder& order) : order_(order) {}

  /// A phase begins.
  void clear() { of_warps_.clear(); }
  /// The first access of a phase.
  static Accessors first(const SharedAccess& access) {
    return {access.epoch, static_cast<uint16_t>(access.thread), Accessors::kNobody};
  }
  void note(Accessors& known, const SharedAccess& access);
  /// Another thread that did not access the byte before `access`, nor after it.
  std::optional<uint32_t> beside(const Accessors& known, const SharedAccess& access) const {
    if (known.other == Accessors::kOfEachWarp) return beside_of_warps(known, access);
    if (is_beside(known.last, known.epoch, access)) return known.last;
    const bool is_other =
        known.other != Accessors::kNobody && is_beside(known.other, known.epoch, access);
    return is_other ? std::optional<uint32_t>(known.other) : std::nullopt;
  }

 private:
  using OfWarps = std::array<Accessors, kMostWarps>;

  bool is_beside(uint32_t thread, uint32_t epoch, const SharedAccess& access) const {
    return thread != access.thread && !order_.is_before(thread, epoch, access);
  }
  void note_of_warp(Accessors& known, const SharedAccess& access);
  std::optional<uint32_t> beside_of_warps(const Accessors& known, const SharedAccess& access) const;

  const AccessOrder& order_;
  std::vector<OfWarps> of_warps_;
};

/// Who was there before is ordered only where it is of an earlier epoch of the same warp: what else
/// orders them is kept warp by warp, or by LaneReads.
inline void AccessorSets::note(Accessors& known, const SharedAccess& access) {
  const auto thread = static_cast<uint16_t>(access.thread);
  if (known.other == Accessors::kOfEachWarp) return note_of_warp(known, access);
  if (!same_warp(known.last, thread)) {
    if (order_.barriers.of_parts) return note_of_warp(known, access);
    known.other = known.last;
  } else if (known.epoch == access.epoch) {
    const bool is_free = known.other == Accessors::kNobody || known.other == thread;
    if (is_free && known.last != thread) known.other = known.last;
  } else if (same_warp(known.other, thread)) {
    known.other = Accessors::kNobody;
  }
  known.last = thread;
  known.epoch = access.epoch;
}

}  // namespace glint::simulator
