// 1. the address of each lane: register plus offset;
// 2. a generic address names its space by its upper bits; lanes of several spaces go in turns;
// 3. each lane's bytes are inside the buffer (or the shared, local, parameter memory) and aligned,
//    or the warp faults with the first lane that is not;
// 4. global accesses count sectors, shared ones the turns of the banks;
// 5. shared accesses are looked at for races and uninitialised reads.
#include "backends/cuda/simulator/memory_access.h"

#include <fmt/format.h>

#include "backends/cuda/simulator/program.h"
#include "backends/cuda/simulator/reached_bytes.h"
#include "backends/cuda/simulator/shared_checks.h"
#include "backends/cuda/simulator/traffic.h"

namespace glint::simulator {
namespace {

using Addresses = std::array<uint64_t, kLanes>;
/// Of one lane's access.
constexpr size_t kMostBytes = 32;

std::string_view verb(AccessKind kind) {
  switch (kind) {
    case AccessKind::kLoad:
      return "reads";
    case AccessKind::kStore:
      return "writes";
    case AccessKind::kAtomic:
      return "updates";
  }
  return "";
}

/// One warp's access of one space.
struct Reach {
  Warp& warp;
  const Instruction& instruction;
  Access access;

  bool fail(FaultKind kind, uint32_t lane, std::string_view where) const {
    warp.fail(kind, instruction, lane,
              fmt::format("{}: an access of {} byte{} {} {}", fault_name(kind), access.size,
                          access.size == 1 ? "" : "s", verb(access.kind), where));
    return false;
  }

  bool aligned(const Addresses& addresses, uint32_t mask) const {
    uint64_t low_bits = 0;
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      low_bits |= (mask >> lane & 1) != 0 ? addresses[lane] : 0;
    }
    if ((low_bits & (access.size - 1)) == 0) return true;
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
      const uint32_t lane = first_lane(rest);
      if ((addresses[lane] & (access.size - 1)) == 0) continue;
      return fail(FaultKind::kMisaligned, lane,
                  fmt::format("address {:#x}, which is no multiple of it", addresses[lane]));
    }
    return true;
  }

  /// Memory of `size` bytes that begins at `base`, the same for all lanes.
  bool window(const Addresses& offsets, uint32_t mask, std::byte* base, uint64_t size,
              LanePointers& at) const {
    uint32_t outside = 0;
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      const bool inside = access.size <= size && offsets[lane] <= size - access.size;
      outside |= uint32_t{!inside} << lane;
      at[lane] = base + (inside ? offsets[lane] : 0);
    }
    return (outside & mask) == 0;
  }

  bool global(const Addresses& addresses, uint32_t mask, LanePointers& at) const {
    const Memory& memory = *warp.block->memory;
    const uint64_t base = addresses[first_lane(mask)] >> kRegionBits << kRegionBits;
    const Memory::Region* region = memory.region(base);
    Addresses offsets;
    for (uint32_t lane = 0; lane < kLanes; ++lane) offsets[lane] = addresses[lane] - base;
    const bool usable = region && (region->writable || access.kind == AccessKind::kLoad);
    if (!usable || !window(offsets, mask, region->bytes, region->size, at)) {
      if (!each_global(addresses, mask, at)) return false;
    }
    if (!aligned(addresses, mask)) return false;
    const GlobalTraffic traffic = global_traffic(addresses.data(), mask, access.size);
    Counts& counts = warp.counts(instruction);
    ++counts.requests;
    counts.sectors += traffic.sectors;
    counts.bytes += traffic.bytes;
    note_reached(addresses, mask);
    return access.kind != AccessKind::kStore || stores_values(mask);
  }

  void note_reached(const Addresses& addresses, uint32_t mask) const {
    ReachedBytes* const reached = warp.block->reached;
    if (reached == nullptr) return;
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1)
      reached->note(addresses[first_lane(rest)], access.size, access.kind);
  }

  /// What is stored behind shared memory's checks is used, but for the padding of a struct that is
  /// copied: the compiler moves that as a vector of narrow integers.
  bool stores_values(uint32_t mask) const {
    const UndefinedValues& undefined = warp.undefined;
    const bool may_be_padding = instruction.count > 1 && access.size / instruction.count < 4;
    if (!undefined.any() || may_be_padding) return true;
    for (uint32_t k = 0; k < instruction.count; ++k) {
      const uint32_t lanes = undefined.lanes(instruction.operand[k]) & mask;
      if (lanes == 0 || undefined.is_part(instruction.operand[k])) continue;
      undefined.tell(warp, instruction.operand[k], lanes);
      return false;
    }
    return true;
  }

  /// The lanes mean several buffers, or one is at fault.
  bool each_global(const Addresses& addresses, uint32_t mask, LanePointers& at) const {
    const Memory& memory = *warp.block->memory;
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
      const uint32_t lane = first_lane(rest);
      at[lane] = memory.find(addresses[lane], access.size);
      if (!at[lane]) {
        return fail(FaultKind::kOutOfBounds, lane, memory.describe(addresses[lane]));
      }
      if (access.kind != AccessKind::kLoad && !memory.region(addresses[lane])->writable) {
        return fail(FaultKind::kOutOfBounds, lane,
                    memory.describe(addresses[lane]) + " and is constant");
      }
    }
    return true;
  }

  bool shared(const Addresses& offsets, uint32_t mask, LanePointers& at) const {
    std::vector<std::byte>& bytes = warp.block->shared;
    if (!window(offsets, mask, bytes.data(), bytes.size(), at)) {
      return fail_window(offsets, mask, "shared memory", bytes.size());
    }
    if (!aligned(offsets, mask)) return false;
    const SharedTraffic traffic =
        shared_traffic(offsets.data(), mask, access.size, access.kind == AccessKind::kAtomic);
    Counts& counts = warp.counts(instruction);
    ++counts.shared_accesses;
    counts.shared_passes += traffic.passes;
    counts.shared_least += traffic.least;
    return !warp.block->checks || checked(offsets, mask);
  }

  bool checked(const Addresses& offsets, uint32_t mask) const {
    SharedAccess one{.epoch = warp.epoch,
                     .size = access.size,
                     .kind = access.kind,
                     .is_flag = access.is_flag,
                     .instruction = &instruction};
    std::array<std::byte, kMostBytes> stored;
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
      const uint32_t lane = first_lane(rest);
      one.thread = warp.index * kLanes + lane;
      one.offset = static_cast<uint32_t>(offsets[lane]);
      if (access.kind == AccessKind::kStore) {
        one.value = value(lane, stored);
        one.memory = warp.block->shared.data() + one.offset;
      }
      const auto finding = warp.block->checks->access(one);
      if (access.kind == AccessKind::kStore && !finding && !keep_undefined(lane, one.offset))
        return false;
      if (!finding) continue;
      if (access.kind == AccessKind::kLoad && !access.is_flag) {
        note_undefined(lane, one.offset, *finding);
        continue;
      }
      const bool is_unwritten = finding->kind == FaultKind::kUninitialised;
      if (is_unwritten && !warp.block->fault) warp.block->unwritten = finding->byte;
      warp.fail(finding->kind, instruction, lane, finding->text());
      return false;
    }
    return true;
  }

  /// The elements that a load brings from bytes that nobody has written, or all where another
  /// thread wrote them just now.
  void note_undefined(uint32_t lane, uint32_t offset, const SharedFinding& finding) const {
    const uint32_t each = access.size / instruction.count;
    for (uint32_t k = 0; k < instruction.count; ++k) {
      const uint32_t written = written_bytes(offset + k * each, each);
      const bool is_race = finding.kind == FaultKind::kRace;
      if (is_race || written < each)
        warp.undefined.note(instruction.operand[k], lane, finding, !is_race && written > 0);
    }
  }

  uint32_t written_bytes(uint32_t offset, uint32_t size) const {
    uint32_t count = 0;
    for (uint32_t at = offset; at < offset + size; ++at)
      count += warp.block->checks->is_written(at);
    return count;
  }

  /// Bytes that get what nobody has written are as unwritten as where it came from; what a race has
  /// brought is used.
  bool keep_undefined(uint32_t lane, uint32_t offset) const {
    const UndefinedValues& undefined = warp.undefined;
    if (!undefined.any()) return true;
    const uint32_t each = access.size / instruction.count;
    for (uint32_t k = 0; k < instruction.count; ++k) {
      const uint32_t reg = instruction.operand[k], lanes = undefined.lanes(reg) & 1u << lane;
      if (lanes != 0 && undefined.finding(reg, lane).kind == FaultKind::kRace) {
        undefined.tell(warp, reg, lanes);
        return false;
      }
      if (lanes == 0 || undefined.is_part(reg)) continue;
      for (uint32_t at = 0; at < each; ++at) warp.block->checks->forget(offset + k * each + at);
    }
    return true;
  }

  /// What a lane stores: its register, or the elements of a vector put together.
  const std::byte* value(uint32_t lane, std::array<std::byte, kMostBytes>& together) const {
    const auto element = [&](uint32_t k) {
      return warp.registers + instruction.operand[k] + size_t{lane} * instruction.width[k];
    };
    if (instruction.count == 1) return element(0);
    const uint32_t each = access.size / instruction.count;
    for (uint32_t k = 0; k < instruction.count; ++k)
      std::memcpy(together.data() + size_t{k} * each, element(k), each);
    return together.data();
  }

  bool local(const Addresses& offsets, uint32_t mask, LanePointers& at) const {
    const uint32_t each = warp.block->program->local_bytes;
    std::byte* base = warp.block->local.data() + size_t{warp.index} * kLanes * each;
    if (!window(offsets, mask, base, each, at)) {
      return fail_window(offsets, mask, "the thread's local memory", each);
    }
    for (uint32_t lane = 0; lane < kLanes; ++lane) at[lane] += size_t{lane} * each;
    return aligned(offsets, mask) && (access.kind != AccessKind::kStore || stores_values(mask));
  }

  bool parameters(const Addresses& offsets, uint32_t mask, LanePointers& at) const {
    const uint32_t size = warp.block->program->parameter_bytes;
    if (access.kind != AccessKind::kLoad) {
      return fail(FaultKind::kOutOfBounds, first_lane(mask), "the parameters, which are constant");
    }
    // They are not written through this pointer.
    auto* base = const_cast<std::byte*>(warp.block->parameters);
    if (!window(offsets, mask, base, size, at)) {
      return fail_window(offsets, mask, "the parameters", size);
    }
    return aligned(offsets, mask);
  }

  bool fail_window(const Addresses& offsets, uint32_t mask, std::string_view name,
                   uint64_t size) const {
    uint32_t lane = first_lane(mask);
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
      lane = first_lane(rest);
      if (access.size > size || offsets[lane] > size - access.size) break;
    }
    return fail(FaultKind::kOutOfBounds, lane,
                fmt::format("byte {} of {}, which has {}", static_cast<int64_t>(offsets[lane]),
                            name, size));
  }

  bool in_space(Space space, const Addresses& addresses, uint32_t mask, LanePointers& at) const {
    switch (space) {
      case Space::kShared:
        return shared(addresses, mask, at);
      case Space::kLocal:
        return local(addresses, mask, at);
      case Space::kParameter:
        return parameters(addresses, mask, at);
      case Space::kGeneric:
        return generic(addresses, mask, at);
      default:
        return global(addresses, mask, at);
    }
  }

  bool generic(const Addresses& addresses, uint32_t mask, LanePointers& at) const {
    const auto upper = [](uint64_t address) { return address >> 32 << 32; };
    const auto space_of = [&](uint64_t address) {
      if (upper(address) == kSharedWindow) return Space::kShared;
      if (upper(address) == kLocalWindow) return Space::kLocal;
      if (upper(address) == kParameterWindow) return Space::kParameter;
      return Space::kGlobal;
    };
    while (mask != 0) {
      const Space space = space_of(addresses[first_lane(mask)]);
      const uint64_t base = space == Space::kGlobal ? 0 : upper(addresses[first_lane(mask)]);
      Addresses offsets;
      uint32_t here = 0;
      for (uint32_t lane = 0; lane < kLanes; ++lane) {
        here |= uint32_t{space_of(addresses[lane]) == space} << lane;
        offsets[lane] = addresses[lane] - base;
      }
      LanePointers part;
      if (!in_space(space, offsets, mask & here, part)) return false;
      for (uint32_t rest = mask & here; rest != 0; rest &= rest - 1) {
        at[first_lane(rest)] = part[first_lane(rest)];
      }
      mask &= ~here;
    }
    return true;
  }
};

}  // namespace

bool reach(Warp& warp, const Instruction& instruction, uint32_t mask, Access access,
           LanePointers& at) {
  Addresses addresses;
  const uint32_t slot = instruction.operand[kAddressSlot];
  const auto offset = static_cast<uint64_t>(instruction.offset);
  if (instruction.width[kAddressSlot] == 4) {
    // An address of 32 bits wraps where the register would.
    const uint32_t* from = warp.lanes<uint32_t>(slot);
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      addresses[lane] = static_cast<uint32_t>(from[lane] + offset);
    }
  } else {
    const uint64_t* from = warp.lanes<uint64_t>(slot);
    for (uint32_t lane = 0; lane < kLanes; ++lane) addresses[lane] = from[lane] + offset;
  }
  return Reach{warp, instruction, access}.in_space(instruction.space, addresses, mask, at);
}

}  // namespace glint::simulator
