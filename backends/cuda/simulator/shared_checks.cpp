#include "backends/cuda/simulator/shared_checks.h"

#include <fmt/format.h>

namespace glint::simulator {
namespace {

/// Of the blocks that a core runs one after the other, until all is forgotten; those of a block
/// come on top.
constexpr uint32_t kMostPhases = 1u << 31;

using Finding = SharedChecks::Finding;

Finding race(uint32_t byte, std::string_view what, uint32_t other, const SharedAccess& access) {
  return {FaultKind::kRace,
          fmt::format("race: threads {} and {} of the block meet at byte {} of shared memory "
                      "({}) with no barrier between",
                      other, access.thread, byte, what),
          byte, access.thread, access.instruction};
}

[[gnu::noinline]] Finding with_write(uint32_t byte, uint32_t other, const SharedAccess& access) {
  const bool reads = access.kind == AccessKind::kLoad;
  return race(byte, reads ? "a write, then a read" : "two writes", other, access);
}

[[gnu::noinline]] Finding with_read(uint32_t byte, uint32_t other, const SharedAccess& access) {
  return race(byte, "a read, then a write", other, access);
}

Finding unwritten(uint32_t byte, const SharedAccess& access) {
  return {FaultKind::kUninitialised, {}, byte, access.thread, access.instruction};
}

std::optional<Finding> told(const std::optional<OpenRace>& open) {
  if (!open) return std::nullopt;
  const bool reads = open->access.kind == AccessKind::kLoad;
  return (reads ? with_write : with_read)(open->byte, open->other, open->access);
}

}  // namespace

void SharedChecks::start(size_t bytes, size_t warps, const Kernel& kernel) {
  kernel_ = kernel;
  if (bytes_.size() != bytes || phase_ > kMostPhases) {
    phase_ = 0;
    bytes_.assign(bytes, {});
    flags_.assign(kernel.polls ? bytes : 0, {});
    if (keeps_lanes()) lane_reads_.start(bytes);
  }
  order_.start(warps, kernel.barriers);
  barrier();
  first_phase_ = phase_;
}

void SharedChecks::barrier() {
  ++phase_;
  sets_.clear();
  if (keeps_lanes()) lane_reads_.clear();
}

std::optional<Finding> SharedChecks::finding_at_barrier(uint32_t warp, uint32_t lanes) const {
  return told(lane_reads_.open_race(warp, lanes));
}

std::optional<Finding> SharedChecks::finding_at_barrier() const {
  return told(lane_reads_.open_race());
}

/// Of bytes that others have stored with nothing between that orders them.
bool SharedChecks::writes_the_same(const SharedAccess& access) const {
  for (uint32_t at = access.offset; at < access.offset + access.size; ++at) {
    const Byte& byte = bytes_[at];
    const bool is_same =
        !byte.atomic && !byte.updated && byte.value == access.value[at - access.offset];
    if (byte.written == phase_ && !is_same && sets_.beside(byte.writes, access)) return false;
  }
  return true;
}

/// Of a byte that was written in this phase, and not by updates alone if this is one.
std::optional<uint32_t> SharedChecks::racing_writer(uint32_t at, const SharedAccess& access) {
  const Byte& byte = bytes_[at];
  const auto writer = sets_.beside(byte.writes, access);
  if (!writer) return std::nullopt;
  switch (access.kind) {
    case AccessKind::kAtomic:
      break;
    case AccessKind::kStore:
      if (!byte.atomic && writes_the_same(access)) return std::nullopt;
      break;
    case AccessKind::kLoad:
      if (access.is_flag && flags_[at].set == phase_ && flags_[at].set_size == access.size)
        return std::nullopt;
      if (byte.atomic && !access.is_flag) {
        lane_reads_.open(at, access, *writer);
        return std::nullopt;
      }
      break;
  }
  return writer;
}

/// Of a byte that was read in this phase, some read of which got what is there no longer.
std::optional<uint32_t> SharedChecks::racing_reader(uint32_t at, const SharedAccess& access) {
  if (access.kind == AccessKind::kAtomic) {
    lane_reads_.update(at, access);
    return std::nullopt;
  }
  if (keeps_lanes()) return lane_reads_.beside(at, access);
  const Accessors& reads = bytes_[at].reads;
  return reads.may_be_beside(access) ? sets_.beside(reads, access) : std::nullopt;
}

std::optional<uint32_t> SharedChecks::racing_poll(uint32_t at, const SharedAccess& access) const {
  const Flag& flag = flags_[at];
  if (flag.polled != phase_) return std::nullopt;
  const bool sets = access.is_flag || access.kind == AccessKind::kAtomic;
  if (sets && flag.polled_size == access.size) return std::nullopt;
  return sets_.beside(flag.polls, access);
}

void SharedChecks::note_poll(uint32_t at, const SharedAccess& access) {
  Flag& flag = flags_[at];
  if (flag.polled != phase_) {
    flag.polled = phase_;
    flag.polls = AccessorSets::first(access);
    flag.polled_size = access.size;
    return;
  }
  sets_.note(flag.polls, access);
  if (flag.polled_size != access.size) flag.polled_size = 0;
}

template <AccessKind kind>
void SharedChecks::note_write(Byte& byte, uint32_t at, const SharedAccess& access) {
  constexpr bool is_atomic = kind == AccessKind::kAtomic;
  if (byte.written != phase_ || byte.atomic) {
    byte.writes = AccessorSets::first(access);
    byte.written = phase_;
    byte.atomic = is_atomic;
  } else if (is_atomic) {
    // It hides nothing of the store from the others.
    byte.updated = true;
    return;
  } else {
    sets_.note(byte.writes, access);
  }
  byte.updated = false;
  if (!is_atomic) byte.value = access.value[at - access.offset];
}

template <AccessKind kind>
std::optional<Finding> SharedChecks::write(const SharedAccess& access) {
  constexpr bool is_atomic = kind == AccessKind::kAtomic;
  const uint32_t phase = phase_;
  const bool polls = kernel_.polls;
  std::optional<bool> changes;
  Byte* const bytes = bytes_.data();
  const uint32_t end = access.offset + access.size;
  for (uint32_t at = access.offset; at < end; ++at) {
    Byte& byte = bytes[at];
    if (is_atomic && byte.written < first_phase_) return unwritten(at, access);
    const bool is_beside_atomic = is_atomic && byte.atomic;
    if (byte.written == phase && !is_beside_atomic && byte.writes.may_be_beside(access)) {
      if (const auto writer = racing_writer(at, access)) return with_write(at, *writer, access);
    }
    if (byte.read == phase && !byte.stale) {
      if (!changes) changes = is_atomic || access.changes();
      byte.stale = *changes;
    }
    if (byte.read == phase && byte.stale) {
      if (const auto reader = racing_reader(at, access)) return with_read(at, *reader, access);
    }
    if (polls) {
      if (const auto poll = racing_poll(at, access)) return with_read(at, *poll, access);
      flags_[at].set = is_atomic || access.is_flag ? phase : 0;
      flags_[at].set_size = access.size;
    }
    note_write<kind>(byte, at, access);
  }
  return std::nullopt;
}

std::optional<Finding> SharedChecks::load(const SharedAccess& access) {
  const uint32_t phase = phase_;
  const bool by_lane = keeps_lanes();
  Byte* const bytes = bytes_.data();
  const uint32_t end = access.offset + access.size;
  std::optional<Finding> found;
  for (uint32_t at = access.offset; at < end; ++at) {
    Byte& byte = bytes[at];
    if (byte.written < first_phase_) {
      if (!found) found = unwritten(at, access);
      continue;
    }
    const bool is_first = byte.read != phase;
    if (is_first) {
      byte.read = phase;
      byte.reads = AccessorSets::first(access);
      byte.stale = false;
    } else if (!by_lane) {
      sets_.note(byte.reads, access);
    }
    if (by_lane) lane_reads_.note(at, access, is_first);
    if (byte.written == phase && byte.writes.may_be_beside(access)) {
      if (const auto writer = racing_writer(at, access)) return with_write(at, *writer, access);
    }
  }
  return found;
}

std::optional<Finding> SharedChecks::poll(const SharedAccess& access) {
  for (uint32_t at = access.offset; at < access.offset + access.size; ++at) {
    const Byte& byte = bytes_[at];
    if (byte.written < first_phase_) return unwritten(at, access);
    note_poll(at, access);
    if (byte.written == phase_ && byte.writes.may_be_beside(access)) {
      if (const auto writer = racing_writer(at, access)) return with_write(at, *writer, access);
    }
  }
  return std::nullopt;
}

std::optional<Finding> SharedChecks::access(const SharedAccess& access) {
  if (!kernel_.races) return unwritten_in(access);
  switch (access.kind) {
    case AccessKind::kStore:
      return write<AccessKind::kStore>(access);
    case AccessKind::kAtomic:
      return write<AccessKind::kAtomic>(access);
    case AccessKind::kLoad:
      break;
  }
  return access.is_flag ? poll(access) : load(access);
}

/// Without a look for races.
std::optional<Finding> SharedChecks::unwritten_in(const SharedAccess& access) {
  for (uint32_t at = access.offset; at < access.offset + access.size; ++at) {
    Byte& byte = bytes_[at];
    if (access.kind != AccessKind::kStore && byte.written < first_phase_)
      return unwritten(at, access);
    if (access.kind != AccessKind::kLoad) byte.written = phase_;
  }
  return std::nullopt;
}

}  // namespace glint::simulator
