// Which keys the lines of a region's stages are about, read from the lines themselves: graph and
// kernel lines name their nodes, statements are numbered, and generated code has a statement's
// number in its margin.
//
//       %mul  = multiply %x, %y   : f32[4, 8]      node %mul
//          3    c = multiply a, b                  statement 3 of the kernel whose header was last
//     vmulps zmm1, zmm1, ...   ;   3  %mul         the same, of the function whose label was last
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "repl/report/links.h"

namespace glint::report {

/// Turns the lines of one artifact into lines with keys, in order.
class LineKeys {
 public:
  /// `kernels`: the names of the region's kernels, in the schedule's order.
  LineKeys(Links& links, Stage stage, uint32_t region, const std::vector<std::string>& kernels)
      : links_(links), stage_(stage), region_(region), kernels_(kernels) {}

  std::vector<KeyId> keys_of(const StageLine& line);

 private:
  std::vector<KeyId> nodes_named(std::string_view text) const;
  std::vector<KeyId> graph_line(std::string_view text) const;
  std::vector<KeyId> kernel_line(const StageLine& line);
  std::vector<KeyId> code_line(const StageLine& line);
  /// The place in `kernels_` of the kernel whose code begins here; `kNone` where none does.
  uint32_t kernel_begun(std::string_view text) const;

  Links& links_;
  Stage stage_;
  uint32_t region_;
  const std::vector<std::string>& kernels_;
  uint32_t kernel_ = kNone;  ///< the one whose lines these are
  uint32_t begun_ = 0;       ///< how many there were so far
};

}  // namespace glint::report
