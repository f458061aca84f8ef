#include "backends/cuda/simulator/accessors.h"

namespace glint::simulator {

void AccessorSets::note_of_warp(Accessors& known, const SharedAccess& access) {
  if (known.other != Accessors::kOfEachWarp) {
    if (order_.is_before(known.last, known.epoch, access)) {
      known = first(access);
      return;
    }
    of_warps_.emplace_back()[known.last / kLanes] = known;
    known.epoch = static_cast<uint32_t>(of_warps_.size() - 1);
    known.other = Accessors::kOfEachWarp;
  }
  known.last = static_cast<uint16_t>(access.thread);
  Accessors& of_warp = of_warps_[known.epoch][access.thread / kLanes];
  if (of_warp.last == Accessors::kNobody) {
    of_warp = first(access);
  } else {
    note(of_warp, access);
  }
}

std::optional<uint32_t> AccessorSets::beside_of_warps(const Accessors& known,
                                                      const SharedAccess& access) const {
  for (const Accessors& of_warp : of_warps_[known.epoch]) {
    if (of_warp.last == Accessors::kNobody) continue;
    if (const auto found = beside(of_warp, access)) return found;
  }
  return std::nullopt;
}

}  // namespace glint::simulator
