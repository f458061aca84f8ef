#include "backends/cuda/simulator/shared_checks.h"

#include <fmt/format.h>

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

bool SharedChecks::races_with_write(const Byte& byte, const SharedAccess& access) const {
  if (byte.written != phase_ || byte.writer == access.thread) return false;
  if (access.kind == AccessKind::kAtomic && byte.atomic) return false;
  return !same_warp(byte.writer, access.thread) || byte.write_epoch == access.epoch;
}

bool SharedChecks::races_with_read(const Byte& byte, const SharedAccess& access) const {
  if (byte.read != phase_) return false;
  if (byte.readers == Readers::kOne && byte.reader == access.thread) return false;
  if (byte.readers == Readers::kBlock) return true;
  return !same_warp(byte.reader, access.thread) || byte.read_epoch == access.epoch;
}

void SharedChecks::note_read(Byte& byte, const SharedAccess& access) const {
  if (byte.read != phase_) {
    byte.readers = Readers::kOne;
  } else if (!same_warp(byte.reader, access.thread)) {
    byte.readers = Readers::kBlock;
  } else if (byte.reader != access.thread && byte.readers == Readers::kOne) {
    byte.readers = Readers::kWarp;
  }
  byte.read = phase_;
  byte.reader = static_cast<uint16_t>(access.thread);
  byte.read_epoch = access.epoch;
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
    if (access.kind != AccessKind::kLoad && races_with_read(byte, access)) {
      return race(at, pair_of(access.kind, false), byte.reader, access.thread);
    }
    if (access.kind == AccessKind::kLoad) {
      note_read(byte, access);
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
