#include "backends/cuda/simulator/shared_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "backends/cuda/simulator/instruction.h"

namespace glint::simulator {
namespace {

bool same_warp(uint32_t a, uint32_t b) {
  return a / kLanes == b / kLanes;
}

SharedChecks::Finding race(uint32_t byte, std::string_view what, uint32_t other, uint32_t thread) {
  return {true,
          fmt::format("race: threads {} and {} of the block meet at byte {} of shared memory "
                      "({}) with no barrier between",
                      other, thread, byte, what),
          byte};
}

std::string_view pair_of(AccessKind kind, bool with_write) {
  if (kind == AccessKind::kLoad) return "a write, then a read";
  return with_write ? "two writes" : "a read, then a write";
}

}  // namespace

bool SharedChecks::is_ordered(uint32_t thread, uint32_t epoch, const SharedAccess& access) const {
  if (same_warp(thread, access.thread)) {
    return barriers_.of_lanes ? lane_clocks_.is_over(thread, epoch, access.thread)
                              : epoch != access.epoch;
  }
  return clocks_.is_over(thread / kLanes, epoch, access.thread / kLanes);
}

bool SharedChecks::races_with_write(const Byte& byte, const SharedAccess& access) const {
  if (byte.written != phase_ || byte.writer == access.thread) return false;
  if (access.kind == AccessKind::kAtomic && byte.atomic) return false;
  return !is_ordered(byte.writer, byte.write_epoch, access);
}

/// Of reads by one warp.
bool SharedChecks::races_with(const Reads& reads, const SharedAccess& access) const {
  if (reads.readers == Readers::kOne && reads.thread == access.thread) return false;
  return !is_ordered(reads.thread, reads.epoch, access);
}

std::optional<uint32_t> SharedChecks::racing_reader(const Byte& byte,
                                                    const SharedAccess& access) const {
  const bool of_block = byte.reads.readers == Readers::kBlock;
  if (!of_block || !barriers_.of_parts) {
    if (!of_block && !races_with(byte.reads, access)) return std::nullopt;
    return byte.reads.thread;
  }
  for (const Reads& reads : shared_reads_[byte.reads.epoch]) {
    if (reads.readers != Readers::kNone && races_with(reads, access)) return reads.thread;
  }
  return std::nullopt;
}

/// A read by the warp that has read before, or by one that these reads are ordered before.
void SharedChecks::note(Reads& reads, const SharedAccess& access) const {
  if (reads.readers == Readers::kNone || is_ordered(reads.thread, reads.epoch, access)) {
    reads.readers = Readers::kOne;
  } else if (reads.thread != access.thread) {
    reads.readers = Readers::kWarp;
  }
  reads.thread = static_cast<uint16_t>(access.thread);
  reads.epoch = access.epoch;
}

void SharedChecks::note_of_block(Reads& reads, const SharedAccess& access) {
  if (barriers_.of_parts) {
    if (reads.readers != Readers::kBlock) {
      shared_reads_.emplace_back()[reads.thread / kLanes] = reads;
      reads.epoch = static_cast<uint32_t>(shared_reads_.size() - 1);
    }
    note(shared_reads_[reads.epoch][access.thread / kLanes], access);
  }
  reads.readers = Readers::kBlock;
  reads.thread = static_cast<uint16_t>(access.thread);
}

void SharedChecks::note_read(Byte& byte, const SharedAccess& access) {
  Reads& reads = byte.reads;
  if (byte.read != phase_) {
    byte.read = phase_;
    reads = {access.epoch, static_cast<uint16_t>(access.thread), Readers::kOne};
    return;
  }
  const bool beside =
      !same_warp(reads.thread, access.thread) && !is_ordered(reads.thread, reads.epoch, access);
  if (reads.readers == Readers::kBlock || beside) {
    note_of_block(reads, access);
  } else {
    note(reads, access);
  }
}

/// An earlier read by the same thread says nothing more: who is not ordered behind it races with
/// this one too.
void SharedChecks::note_lane_read(uint32_t at, const SharedAccess& access) {
  Byte& byte = bytes_[at];
  const uint32_t word = at / kWord * kWord;
  const bool whole = access.offset <= word && word + kWord <= access.offset + access.size;
  uint32_t& split = split_[at / kWord];
  if (split != phase_ && !whole) {
    split = phase_;
    for (uint32_t k = 1; k < kWord && byte.read == phase_; ++k) {
      lane_reads_[word + k] = lane_reads_[word];
    }
  }
  std::vector<LaneReads>& reads = lane_reads_[at];
  if (byte.read != phase_) reads.clear();
  byte.read = phase_;
  if (split != phase_ && at != word) return;
  const uint32_t warp = access.thread / kLanes, lane = access.thread % kLanes;
  auto of_warp = std::ranges::find(reads, warp, &LaneReads::warp);
  if (of_warp == reads.end()) of_warp = reads.insert(reads.end(), LaneReads{.warp = warp});
  of_warp->lanes |= 1u << lane;
  of_warp->epochs[lane] = access.epoch;
}

std::optional<uint32_t> SharedChecks::racing_lane_reader(uint32_t at,
                                                         const SharedAccess& access) const {
  const bool split = split_[at / kWord] == phase_;
  for (const LaneReads& reads : lane_reads_[split ? at : at / kWord * kWord]) {
    for (uint32_t left = reads.lanes; left != 0; left &= left - 1) {
      const auto lane = static_cast<uint32_t>(std::countr_zero(left));
      const uint32_t thread = reads.warp * kLanes + lane;
      if (thread != access.thread && !is_ordered(thread, reads.epochs[lane], access)) return thread;
    }
  }
  return std::nullopt;
}

std::optional<SharedChecks::Finding> SharedChecks::access(const SharedAccess& access) {
  for (uint32_t at = access.offset; at < access.offset + access.size; ++at) {
    Byte& byte = bytes_[at];
    if (access.kind != AccessKind::kStore && byte.written == 0) {
      return Finding{false,
                     fmt::format("uninitialised: byte {} of shared memory is read, and "
                                 "nobody has written it",
                                 at),
                     at};
    }
    if (races_with_write(byte, access)) {
      return race(at, pair_of(access.kind, true), byte.writer, access.thread);
    }
    if (access.kind != AccessKind::kLoad && byte.read == phase_) {
      const auto reader =
          barriers_.of_lanes ? racing_lane_reader(at, access) : racing_reader(byte, access);
      if (reader) return race(at, pair_of(access.kind, false), *reader, access.thread);
    }
    if (access.kind == AccessKind::kLoad) {
      if (barriers_.of_lanes) {
        note_lane_read(at, access);
      } else {
        note_read(byte, access);
      }
    } else if (access.kind == AccessKind::kStore || byte.written != phase_ || byte.atomic) {
      // An atomic access behind a store hides nothing of it from the others.
      byte.written = phase_;
      byte.writer = static_cast<uint16_t>(access.thread);
      byte.write_epoch = access.epoch;
      byte.atomic = access.kind == AccessKind::kAtomic;
    }
  }
  return std::nullopt;
}

}  // namespace glint::simulator
