#include "backends/cuda/device/eager_launches.h"

#include <algorithm>
#include <unordered_map>

namespace glint::cuda {
namespace {

bool region_runs = false;

class Notes {
 public:
  const std::deque<EagerLaunches>& all() const { return all_; }

  void add(const GpuEntry& entry, const GpuLaunch& launch) {
    EagerLaunches& note = of(entry);
    note.grid = launch.grid;
    note.block = launch.block;
    note.dynamic_shared = launch.dynamic_shared;
    note.last = ++launches_;
    ++note.launches;
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

void note_launch(const GpuEntry& entry, const GpuLaunch& launch) {
  if (!region_runs) notes().add(entry, launch);
}

RegionLaunches::RegionLaunches() : outer_(region_runs) {
  region_runs = true;
}
RegionLaunches::~RegionLaunches() {
  region_runs = outer_;
}

}  // namespace glint::cuda
