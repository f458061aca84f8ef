// One call, eager against compiled, timed in turns: what `:bench` and `glint.bench` tell of.
//
//     std::optional<Comparison> found = compare(parts, eager, compiled, {x, y}, {}, 1.0);
//     found->eager      0.51, 0.50, 0.52, ...     microseconds of a call, one a round
//
// 1. Both are called once, and what the compiled one ran is read off its regions. What is compiled
//    here is compiled in full, though the process may have machine code for the same kernel.
// 2. Both are called for a moment, to see how many calls a round needs: it takes two milliseconds,
//    half of them for each, less than a scheduler gives at once: so what else the machine does
//    falls on few rounds, and on both sides. A call that is longer has a round to itself.
// 3. A round times one and then the other, the next round the other way round, so that they see the
//    same machine. The calls are those of a loop in a script (library/glint/_bench.py): a call from
//    C++ costs more, and not the same for both.
//
// What calls print is dropped. Calls that print or change what lies outside run three times only.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "runtime/session/compiled_work.h"
#include "runtime/session/parts.h"

namespace glint {

struct Comparison {
  /// Microseconds of one call, by round.
  std::vector<double> eager;
  std::vector<double> compiled;
  /// The calls print, or change something outside: they ran only so many times.
  bool has_effects = false;
  bool on_gpu = false;  ///< kernels were launched on a GPU
  CompiledWork work;
};

/// How often a call with effects is timed.
inline constexpr int kFewRounds = 3;

/// Microseconds of a round; there are so many at least, where calls are short enough.
inline constexpr double kRound = 2000.0;
inline constexpr double kRounds = 40.0;
inline constexpr int kMostRounds = 1000;

/// How often what is called in the rounds.
struct RoundPlan {
  int rounds = kFewRounds;
  int64_t eager_calls = 1;
  int64_t compiled_calls = 1;
};
/// `eager`, `compiled`: microseconds of a call of each.
RoundPlan plan_rounds(double eager, double compiled, double seconds);

using Keywords = std::vector<std::pair<runtime::StrObject*, runtime::Value>>;

/// Takes about so many seconds. Nothing when a call raised: the exception is pending.
std::optional<Comparison> compare(Session::Parts& parts, const runtime::Value& eager,
                                  const runtime::Value& compiled,
                                  const std::vector<runtime::Value>& arguments,
                                  const Keywords& keywords, double seconds);

}  // namespace glint
