// The operator table, each sample: eager against the whole pipeline run by `interp`, with the sizes
// as they are and with sizes that are symbols.
#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "backends/interp/interp_backend.h"
#include "ops/sample_kinds.h"
#include "sample_graphs.h"
#include "sanitized.h"

using namespace glint;
using namespace glint::tests;

namespace {

struct Tally {
  int compared = 0;
  int kernels = 0;
  int failed = 0;
};

/// Of all samples every so-many-th: a sample runs one way then, or not at all.
constexpr int kStep = kSanitized ? 14 : 1;

void compare_all(bool symbolic, Tally& tally) {
  int entries = 0;
  for (const ops::OpEntry& entry : ops::op_table()) {
    if (!is_comparable(entry)) continue;
    int number = 0;
    ++entries;
    for (const ops::Sample& sample : ops::every_sample(entry)) {
      ++number;
      // By turns, so that operators of one sample come by, too.
      if (sample.error || (number + entries + (symbolic ? kStep / 2 : 0)) % kStep != 0) continue;
      auto made = sample_graph(entry, sample, symbolic);
      if (!made) continue;
      std::string complaint = compare_sample(*made, entry, sample, interp_backend(), tally.kernels);
      ++tally.compared;
      if (complaint.empty()) continue;
      if (++tally.failed <= 200)
        FAIL_CHECK(fmt::format("{} sample {}{}: {}\n{}", entry.name, number,
                               symbolic ? " (symbolic)" : "", complaint, print(made->graph)));
    }
  }
}

}  // namespace

TEST_CASE("every sample of every operator gives eager's result through the pipeline") {
  Tally tally;
  compare_all(false, tally);
  INFO(tally.compared << " samples, " << tally.kernels << " kernels, " << tally.failed
                      << " differ");
  CHECK(tally.compared > 20000 / kStep);
  CHECK(tally.kernels > 15000 / kStep);
  CHECK(tally.failed == 0);
}

TEST_CASE("the same with symbolic sizes") {
  Tally tally;
  compare_all(true, tally);
  INFO(tally.compared << " samples, " << tally.kernels << " kernels, " << tally.failed
                      << " differ");
  CHECK(tally.compared > 10000 / kStep);
  CHECK(tally.failed == 0);
}
