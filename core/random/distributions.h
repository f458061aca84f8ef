// NumPy's distributions as a table: a name, the parameters with what they may be, and the number
// that is drawn for them.
//
//     const Distribution* row = distribution_named("normal");
//     row->real(draws, {0.0, 1.0})
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "core/random/draws.h"

namespace glint::random {

/// What a parameter may be.
enum class Domain : uint8_t {
  kAny,
  kNotNegative,          ///< -0.0 is negative
  kPositive,             ///< not a number is no matter
  kPositiveNumber,       ///< not a number is refused by `Generator`
  kProbability,          ///< 0 to 1
  kPositiveProbability,  ///< above 0 to 1
  kFraction,             ///< 0 to below 1
  kAboveOne,
  kPoissonMean,
  kCount,  ///< an int, not negative
};

struct Parameter {
  std::string_view name = {};
  Domain domain = Domain::kAny;
};

inline constexpr size_t kMostParameters = 3;
using Parameters = std::array<double, kMostParameters>;

struct Distribution {
  std::string_view name;
  std::array<Parameter, kMostParameters> parameters;
  double (*real)(Draws&, const Parameters&) = nullptr;  ///< null: `whole` draws it
  int64_t (*whole)(Draws&, const Parameters&) = nullptr;
  /// In float32, of the first parameter; null: there is no such draw.
  float (*single)(BitSource&, float) = nullptr;
  bool is_uniform = false;  ///< what a source gives at once

  size_t parameter_count() const {
    size_t count = 0;
    while (count < kMostParameters && !parameters[count].name.empty()) ++count;
    return count;
  }
};

const Distribution* distribution_named(std::string_view name);

/// What NumPy says of a parameter outside its domain, of an array's element or a number's; nothing
/// where it is inside.
std::optional<std::string> complaint(const Parameter& parameter, double value, bool in_array,
                                     bool legacy);

}  // namespace glint::random
