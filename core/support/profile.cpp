#include "core/support/profile.h"

#include <algorithm>
#include <chrono>
#include <mutex>

namespace glint::profile {
namespace {

int64_t now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// The tracks of the recordings under way. A thread's stays valid until all of them have ended,
/// which `generation` tells.
struct Recorder {
  std::mutex mutex;
  std::vector<std::unique_ptr<Track>> tracks;
  std::atomic<uint64_t> generation{0};
  std::atomic<uint64_t> events{0};
  int users = 0;
};

Recorder& recorder() {
  static Recorder& instance = *new Recorder;  // threads may end behind all else
  return instance;
}

struct OwnTrack {
  uint64_t generation = 0;
  Track* track = nullptr;
};
thread_local OwnTrack own;

Track& own_track() {
  Recorder& all = recorder();
  const uint64_t generation = all.generation.load();
  if (own.track && own.generation == generation) return *own.track;
  const std::lock_guard<std::mutex> lock(all.mutex);
  auto track = std::make_unique<Track>();
  track->name = all.tracks.empty() ? "script" : "worker " + std::to_string(all.tracks.size());
  own = {generation, track.get()};
  all.tracks.push_back(std::move(track));
  return *own.track;
}

DeviceClock device_clock;

DeviceMark mark_device() {
  return device_clock.mark != nullptr ? device_clock.mark() : nullptr;
}

void keep(Event event) {
  if (recorder().events.fetch_add(1, std::memory_order_relaxed) < kMostEvents)
    own_track().events.push_back(std::move(event));
}

}  // namespace

void install_device_clock(DeviceClock clock) {
  device_clock = clock;
}

int64_t device_duration(const Event& event) {
  if (!event.device_start || !event.device_end) return 0;
  return device_clock.nanoseconds(event.device_start, event.device_end);
}

int64_t start() {
  Recorder& all = recorder();
  if (all.users++ == 0) {
    all.tracks.clear();
    all.events.store(0);
    ++all.generation;
    own_track();  // the first
    flag.store(true);
  }
  return now();
}

Recording stop(int64_t since) {
  Recorder& all = recorder();
  Recording found;
  found.start = since;
  if (all.users == 0) return found;  // nothing is going on
  const uint64_t seen = all.events.load();
  found.left_out = seen > kMostEvents ? seen - kMostEvents : 0;
  if (--all.users == 0) flag.store(false);
  const std::lock_guard<std::mutex> lock(all.mutex);
  for (const auto& track : all.tracks) {
    Track& copy = found.tracks.emplace_back();
    copy.name = track->name;
    for (const Event& event : track->events)
      if (event.start >= since) copy.events.push_back(event);
  }
  return found;
}

void Scope::begin(const char* category, std::string name, std::vector<Span> origins) {
  event_ = std::make_unique<Event>(Event{.category = category,
                                         .name = std::move(name),
                                         .start = now(),
                                         .device_start = mark_device(),
                                         .origins = std::move(origins)});
}

void Scope::add(const char* key, std::string value) {
  event_->arguments.emplace_back(key, std::move(value));
}

void Scope::end() {
  event_->duration = now() - event_->start;
  event_->device_end = mark_device();
  if (recording()) keep(std::move(*event_));
}

void count(const char* name, int64_t value) {
  keep({.category = "memory", .name = name, .start = now(), .duration = value, .is_counter = true});
}

}  // namespace glint::profile
