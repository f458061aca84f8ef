#include "backends/cuda/device/eager_launches.h"

#include <algorithm>
#include <unordered_map>

namespace glint::cuda {
namespace {

bool region_runs = false;

class Notes {
 public:
  const std::deque<EagerLaunches>& all() const { return all_; }

  void add(const GpuEntry& entry, const GpuLaunch& launch, const std::optional<MovedBytes>& moved) {
    EagerLaunches& note = of(entry);
    note.grid = launch.grid;
    note.block = launch.block;
    note.dynamic_shared = launch.dynamic_shared;
    note.last = ++launches_;
    note.moved = moved;
    ++note.launches;
    latest_ = &note;
  }
  uint64_t launches() const { return launches_; }
  EagerLaunches* latest() { return latest_; }
  void clear() {
    all_.clear();
    places_.clear();
    latest_ = nullptr;
  }

 private:
  /// Entries come and go, and one may stand where another stood: a text is the same as long as a
  /// note holds it.
  EagerLaunches& of(const GpuEntry& entry) {
    EagerLaunches*& note = places_[&entry];
    if (note != nullptr && note->source == entry.source() && note->entry == entry.name())
      return *note;
    const auto found = std::ranges::find_if(all_, [&](const EagerLaunches& each) {
      return each.entry == entry.name() && *each.source == *entry.source();
    });
    if (found != all_.end()) {
      found->source = entry.source();
      note = &*found;
      return *note;
    }
    note = &all_.emplace_back();
    note->entry = entry.name();
    note->source = entry.source();
    return *note;
  }

  std::deque<EagerLaunches> all_;
  std::unordered_map<const GpuEntry*, EagerLaunches*> places_;
  EagerLaunches* latest_ = nullptr;
  uint64_t launches_ = 0;
};

Notes& notes() {
  static Notes& notes = *new Notes;
  return notes;
}

}  // namespace

const std::deque<EagerLaunches>& eager_launches() {
  return notes().all();
}

void forget_eager_launches() {
  notes().clear();
}

bool notes_launches() {
  return !region_runs;
}

void note_launch(const GpuEntry& entry, const GpuLaunch& launch,
                 const std::optional<MovedBytes>& moved) {
  if (notes_launches()) notes().add(entry, launch, moved);
}

OperatorLaunches::OperatorLaunches() : before_(notes().launches()) {}

bool OperatorLaunches::are_one_unknown() const {
  const EagerLaunches* latest = notes().latest();
  return notes().launches() == before_ + 1 && latest != nullptr && !latest->moved;
}

void OperatorLaunches::say(const MovedBytes& moved) {
  notes().latest()->moved = moved;
}

RegionLaunches::RegionLaunches() : outer_(region_runs) {
  region_runs = true;
}
RegionLaunches::~RegionLaunches() {
  region_runs = outer_;
}

}  // namespace glint::cuda
