// NumPy's numbers for some seeds, drawn without the interpreter; scripts/numpy_random_* test the
// rest.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "core/random/distributions.h"
#include "core/random/integers.h"
#include "core/random/vectors.h"

namespace glint::random {
namespace {

PcgSource pcg(uint32_t seed) {
  PcgSource source;
  const uint32_t entropy[] = {seed};
  source.seed(seed_words(entropy, source.seed_size()));
  return source;
}

TEST_CASE("sources draw NumPy's numbers, and go back to a state") {
  PcgSource source = pcg(42);
  CHECK(source.uniform() == 0.7739560485559633);
  source.next32();
  const auto state = source.state();
  const uint32_t half = source.next32();
  const double next = source.uniform();
  REQUIRE(source.set_state(state));
  CHECK(source.next32() == half);
  CHECK(source.uniform() == next);
  CHECK_FALSE(source.set_state({}));

  TwisterSource twister;
  twister.twister.seed_word(0);
  CHECK(twister.uniform() == 0.5488135039273248);
  CHECK_FALSE(twister.set_state(state));
}

TEST_CASE("every distribution draws for parameters at its domain's edges, and ends") {
  PcgSource source = pcg(1);
  const double infinity = std::numeric_limits<double>::infinity();
  for (const bool legacy : {false, true}) {
    Draws draws{source, legacy};
    for (const char* name : {"gamma", "beta", "f", "vonmises", "wald", "zipf", "weibull", "power"})
      for (const double first : {5e-324, 1e-5, 1.0, 1e18, infinity, std::nan("")})
        for (const double second : {5e-324, 0.5, 1e300, infinity, std::nan("")}) {
          const Distribution& row = *distribution_named(name);
          const Parameters of = {first, second};
          bool fits = true;
          for (size_t i = 0; i < row.parameter_count(); ++i)
            fits = fits && !complaint(row.parameters[i], of[i], false, legacy);
          if (!fits) continue;
          if (row.real)
            row.real(draws, of);
          else
            CHECK(row.whole(draws, of) >= 1);
        }
  }
}

TEST_CASE("a parameter outside its domain is complained about in NumPy's words") {
  const Distribution& binomial = *distribution_named("binomial");
  CHECK(complaint(binomial.parameters[0], -1, false, true) == "n < 0");
  CHECK(complaint(binomial.parameters[1], 2, true, true) == "p < 0, p > 1 or p contains NaNs");
  CHECK(complaint(binomial.parameters[1], 2, false, true) == "p < 0, p > 1 or p is NaN");
  CHECK_FALSE(complaint(binomial.parameters[1], 1, false, true));
  CHECK(distribution_named("nothing") == nullptr);
}

TEST_CASE("samples hold different numbers, whichever way they are found") {
  PcgSource source = pcg(2);
  for (const auto& [total, count] :
       {std::pair<int64_t, int64_t>{1, 1}, {50, 50}, {20000, 9000}, {20000, 3}, {5, 0}}) {
    std::vector<int64_t> found = sample(source, total, count, true);
    std::ranges::sort(found);
    CHECK(found.size() == static_cast<size_t>(count));
    CHECK(std::ranges::adjacent_find(found) == found.end());
    CHECK((found.empty() || (found.front() >= 0 && found.back() < total)));
  }
}

TEST_CASE("integers of a full range are words") {
  PcgSource source = pcg(3), again = pcg(3);
  CHECK(RangedIntegers(source, 64, false).draw(~uint64_t{0}) == again.next64());
  CHECK(RangedIntegers(source, 32, true).draw(0xffffffffu) == again.next32());
  CHECK(RangedIntegers(source, 8, false).draw(0) == 0);
}

}  // namespace
}  // namespace glint::random
