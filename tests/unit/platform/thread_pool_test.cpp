// The thread pool: every index once, whatever the grain, nesting and number of threads.
#include "core/support/thread_pool.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

namespace glint {
namespace {

TEST_CASE("a parallel loop covers its range once") {
  int before = num_threads();
  for (int threads : {1, 2, 3, 7}) {
    set_num_threads(threads);
    for (int64_t size : {0, 1, 2, 9, 100, 1001, 100000})
      for (int64_t grain : {1, 3, 64}) {
        std::vector<std::atomic<int>> visits(static_cast<size_t>(size));
        parallel_for(0, size, grain, [&](int64_t begin, int64_t end) {
          for (int64_t i = begin; i < end; ++i) ++visits[size_t(i)];
        });
        bool once = true;
        for (auto& count : visits) once = once && count == 1;
        REQUIRE(once);
      }
  }
  set_num_threads(before);
}

TEST_CASE("pieces are whole grains") {
  std::atomic<int> odd = 0;
  parallel_for(5, 5 + 1000, 10, [&](int64_t begin, int64_t end) {
    if ((begin - 5) % 10 != 0 || (end != 1005 && (end - 5) % 10 != 0)) ++odd;
  });
  CHECK(odd == 0);
}

TEST_CASE("a loop inside a loop runs inline") {
  std::atomic<int64_t> total = 0;
  std::atomic<bool> inside = true;
  set_num_threads(2);
  parallel_for(0, 8, 1, [&](int64_t begin, int64_t end) {
    inside = inside && in_parallel_loop();
    for (int64_t i = begin; i < end; ++i)
      parallel_for(0, 100, 1, [&](int64_t from, int64_t to) { total += to - from; });
  });
  CHECK(total == 800);
  CHECK(inside);
  CHECK(!in_parallel_loop());
}

TEST_CASE("loops that follow each other, with and without pauses") {
  int64_t total = 0;
  for (int round = 0; round < 20000; ++round) {
    std::atomic<int64_t> sum = 0;
    parallel_for(0, 4, 1, [&](int64_t begin, int64_t end) { sum += end - begin; });
    total += sum;
    if (round % 5000 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  CHECK(total == 80000);
}

}  // namespace
}  // namespace glint
