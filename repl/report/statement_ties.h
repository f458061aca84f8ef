// Which statement of the finished kernels a line of an earlier schedule became, so that pointing at
// a loop before tiling lights it behind, and all that was made of it.
//
//     lower            1    parallel j in 0..8 {          statement 0 of the finished kernel
//                      2      a = load %x[i, j]           statement 1
//     collapse_axes    0  parallel i in 0..32 {           statement 0
//                      1    a = load %x[i]                statement 1
//
// 1. A line of the last schedule is its statement.
// 2. From schedule to schedule backwards, a line that a pass left as it is stays the same
// statement.
// 3. Of those that it changed, the first load of a kernel for a node became the first one that is
//    new, the second the second; so with each kind of statement. What has no partner, like the
//    inner of two loops that became one, has no statement: it is about its node.
#pragma once

#include <map>
#include <vector>

#include "passes/pass_log.h"
#include "repl/report/links.h"

namespace glint::report {

class StatementTies {
 public:
  StatementTies(const passes::PassLog& log, uint32_t region, Links& links);
  /// Of a line of the schedule that a pass left; `kNone`: it is no statement, or became none.
  KeyId of(uint32_t pass, uint32_t line) const;

 private:
  std::map<uint32_t, std::vector<KeyId>> statements_;  ///< by pass, of each line
};

}  // namespace glint::report
