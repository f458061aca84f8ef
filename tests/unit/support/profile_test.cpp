// Recordings of what several threads do: what is kept, where, and what is left out.
#include <catch2/catch.hpp>

#include <algorithm>
#include <memory>

#include "core/support/profile.h"
#include "core/support/thread_pool.h"

namespace glint::profile {
namespace {

void record(const char* name) {
  Scope scope;
  if (recording()) scope.begin("test", name);
}

size_t count_of(const Recording& found, std::string_view name) {
  size_t count = 0;
  for (const Track& track : found.tracks)
    count += static_cast<size_t>(std::ranges::count(track.events, name, &Event::name));
  return count;
}

TEST_CASE("the threads of the pool record each on a track of its own, recording after recording") {
  constexpr int kThreads = 4;
  constexpr size_t kParts = 2000;
  const int before = num_threads();
  set_num_threads(kThreads);
  for (int k = 0; k < 5; ++k) {
    const int64_t since = start();
    record("script");
    parallel_for(0, kParts, 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        Scope outer;
        if (recording()) outer.begin("test", "outer");
        record("inner");
      }
    });
    const Recording found = stop(since);
    // Without one under way, threads record nothing, also those that have a track.
    parallel_for(0, kParts, 1, [](int64_t, int64_t) { record("between"); });
    CHECK(found.tracks.size() <= kThreads);
    CHECK(found.tracks[0].name == "script");
    CHECK(count_of(found, "script") == 1);
    CHECK(count_of(found, "inner") == kParts);
    CHECK(count_of(found, "outer") == kParts);
    CHECK(count_of(found, "between") == 0);
    for (const Track& track : found.tracks) {
      CHECK(std::ranges::is_sorted(track.events, {},
                                   [](const Event& each) { return each.start + each.duration; }));
      CHECK(std::ranges::all_of(track.events, [&](const Event& each) {
        return each.start >= since && each.duration >= 0;
      }));
    }
  }
  CHECK_FALSE(recording());
  set_num_threads(before);
}

TEST_CASE("recordings may overlap, and each has what happened between its start and its stop") {
  const int64_t outer = start();
  record("before");
  const int64_t inner = start();
  record("within");
  const Recording second = stop(inner);
  record("behind");
  const Recording first = stop(outer);
  CHECK(count_of(second, "before") == 0);
  CHECK(count_of(second, "within") == 1);
  for (const char* name : {"before", "within", "behind"}) CHECK(count_of(first, name) == 1);
  CHECK(stop(outer).tracks.empty());  // nothing was going on
  CHECK_FALSE(recording());
  const int64_t again = start();
  CHECK(recording());
  CHECK(count_of(stop(again), "before") == 0);
}

TEST_CASE("what is open when a recording begins or ends is left out") {
  Scope early;
  if (recording()) early.begin("test", "early");
  const int64_t since = start();
  auto late = std::make_unique<Scope>();
  late->begin("test", "late");
  const Recording found = stop(since);
  late.reset();
  CHECK(count_of(found, "early") + count_of(found, "late") == 0);
}

TEST_CASE("a recording that never ends keeps so many events, and counts the others") {
  const int64_t since = start();
  for (uint64_t i = 0; i < kMostEvents + 7; ++i) count("bytes", static_cast<int64_t>(i));
  const Recording found = stop(since);
  CHECK(found.tracks[0].events.size() == kMostEvents);
  CHECK(found.left_out == 7);
}

}  // namespace
}  // namespace glint::profile
