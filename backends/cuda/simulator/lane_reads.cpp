#include "backends/cuda/simulator/lane_reads.h"

#include <algorithm>
#include <bit>

namespace glint::simulator {
namespace {

uint32_t first_of(uint32_t lanes) {
  return static_cast<uint32_t>(std::countr_zero(lanes));
}

}  // namespace

void LaneReads::start(size_t bytes) {
  const size_t words = (bytes + kWord - 1) / kWord;
  lists_.assign(words * kWord, {});
  split_.assign(words, 0);
  phase_ = 0;
}

void LaneReads::clear() {
  ++phase_;
  open_.clear();
}

void LaneReads::split(uint32_t at, const SharedAccess& access, bool is_first) {
  if (is_of_word(at, access) || split_[at / kWord] == phase_) return;
  const uint32_t word = at / kWord * kWord;
  split_[at / kWord] = phase_;
  if (is_first) return;
  for (uint32_t k = 1; k < kWord; ++k) {
    lists_[word + k] = lists_[word];
    for (const OfWarp& reads : lists_[word]) {
      for (uint32_t left = reads.open; left != 0; left &= left - 1) {
        const uint32_t reader = reads.warp * kLanes + first_of(left);
        open_[key(word + k, reader)] = open_[key(word, reader)];
      }
    }
  }
}

/// An earlier read by the same thread says nothing more: who is not ordered behind it is beside
/// this one too.
void LaneReads::note_listed(uint32_t at, const SharedAccess& access, bool is_first) {
  split(at, access, is_first);
  std::vector<OfWarp>& list = lists_[at];
  if (is_first) list.clear();
  const uint32_t warp = access.thread / kLanes, lane = access.thread % kLanes;
  OfWarp& reads = of_warp(list, warp);
  reads.lanes |= 1u << lane;
  reads.epochs[lane] = access.epoch;
}

/// Warps mostly come in their order.
LaneReads::OfWarp& LaneReads::of_warp(std::vector<OfWarp>& list, uint32_t warp) {
  if (warp < list.size() && list[warp].warp == warp) return list[warp];
  const auto found = std::ranges::find(list, warp, &OfWarp::warp);
  return found != list.end() ? *found : list.emplace_back(OfWarp{.warp = warp});
}

std::optional<uint32_t> LaneReads::beside(uint32_t at, const SharedAccess& access) const {
  for (const OfWarp& reads : lists_[place(at)]) {
    for (uint32_t left = reads.lanes; left != 0; left &= left - 1) {
      const uint32_t lane = first_of(left), reader = reads.warp * kLanes + lane;
      if (reader != access.thread && !order_.is_before(reader, reads.epochs[lane], access))
        return reader;
    }
  }
  return std::nullopt;
}

void LaneReads::open(OfWarp& reads, uint32_t place, uint32_t reader, const OpenRace& race) {
  reads.open |= 1u << reader % kLanes;
  OpenRace& opened = open_[key(place, reader)] = race;
  opened.order = ++opened_;
}

void LaneReads::update(uint32_t at, const SharedAccess& access) {
  split(at, access, false);
  for (OfWarp& reads : lists_[place(at)]) {
    for (uint32_t left = reads.lanes & ~reads.open; left != 0; left &= left - 1) {
      const uint32_t lane = first_of(left), reader = reads.warp * kLanes + lane;
      if (reader != access.thread && !order_.is_before(reader, reads.epochs[lane], access))
        open(reads, place(at), reader, {.byte = at, .other = reader, .access = access});
    }
    if (reads.warp != access.thread / kLanes) continue;
    const uint32_t own = 1u << access.thread % kLanes;
    if ((reads.open & own) != 0) open_.erase(key(place(at), access.thread));
    reads.open &= ~own;
    reads.lanes &= ~own;
  }
}

void LaneReads::open(uint32_t at, const SharedAccess& access, uint32_t other) {
  const uint32_t warp = access.thread / kLanes;
  OfWarp& reads = of_warp(lists_[place(at)], warp);
  if ((reads.open >> access.thread % kLanes & 1) == 0)
    open(reads, place(at), access.thread, {.byte = at, .other = other, .access = access});
}

std::optional<OpenRace> LaneReads::open_race(uint32_t warp, uint32_t lanes) const {
  std::optional<OpenRace> first;
  for (const auto& [place_and_reader, race] : open_) {
    const auto reader = static_cast<uint32_t>(place_and_reader);
    if (reader / kLanes != warp || (lanes >> reader % kLanes & 1) == 0) continue;
    if (!first || race.order < first->order) first = race;
  }
  return first;
}

std::optional<OpenRace> LaneReads::open_race() const {
  std::optional<OpenRace> first;
  for (const auto& [place_and_reader, race] : open_) {
    if (!first || race.order < first->order) first = race;
  }
  return first;
}

}  // namespace glint::simulator
