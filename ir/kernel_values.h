// What is known of a kernel's values: the loops that each depends on, and which are the same ones.
//
//     parallel i in 0..10 {
//       a = load %ids[i]               depends on i
//       reduce j in 0..64 {
//         b = load %table[a, j]        on i and j
//       }
//       parallel j in 0..64 {          the same axis
//         c = load %table[a, j]        the same number as b
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "ir/kernel.h"

namespace glint {

using Loops = std::set<StatementId>;

/// The loops around a statement.
class OpenLoops {
 public:
  explicit OpenLoops(const Kernel& kernel) : kernel_(kernel) {}
  /// To be called with each statement in turn; a loop is around itself.
  void reach(size_t at);
  /// From the outermost on.
  const std::vector<StatementId>& open() const { return open_; }

 private:
  const Kernel& kernel_;
  std::vector<StatementId> open_;
};

/// By statement. A reduction depends on the loops that feed it, which are of no account where it is
/// read behind them.
class ValueLoops {
 public:
  explicit ValueLoops(const Kernel& kernel);
  const Loops& operator[](StatementId id) const { return of_[index(id)]; }

 private:
  std::vector<Loops> of_;
};

/// Equal values of one iteration have one number. Loops of one depth and one extent are one axis.
class ValueNumbers {
 public:
  explicit ValueNumbers(const Kernel& kernel);
  /// The same for indices that name the same elements.
  std::vector<int64_t> key(const std::vector<IndexExpression>& indices) const;

 private:
  std::vector<int64_t> key(size_t at, size_t depth) const;
  bool stays(BufferId buffer) const;
  void add(std::vector<int64_t>& key, const IndexExpression& expression) const;
  void add(std::vector<int64_t>& key, const Operand& operand) const;

  const Kernel& kernel_;
  std::vector<bool> written_;
  std::vector<int64_t> of_;
  std::map<std::vector<int64_t>, int64_t> known_;
};

}  // namespace glint
