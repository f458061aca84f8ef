// A scan over a row that a team shares: each member adds up its neighbours, the team scans what its
// members have, and each member goes over its elements again from what is before them.
//
//     for (int64 first = 0; first < 4096; first += 1024) {
//       const int64 j0 = first + 4 * threadIdx.x;
//       const bool whole = aligned && j0 + 4 <= 4096;
//       const Vector<float, 4> x_4 = load<4>(x + 4096 * i + j0, whole, 4096 - j0);
//       Sum_f32 part = Sum_f32::identity();
//       for (int element = 0; element < 4; ++element) ... part.add(a);
//       Sum_f32 so_far = block_scan<256>(part, acc);      // acc becomes the total of all of them
//       for (int element = 0; element < 4; ++element) ... so_far.add(a); y_4.at[element] = ...
//       store(y + 4096 * i + j0, y_4, whole, 4096 - j0);
//     }
//
// Floats are added in another order than one behind the other.
#include <fmt/format.h>

#include <algorithm>

#include "backends/cuda/codegen/kernel_writer.h"

namespace glint::cuda {

/// A loop over a member's elements; of one, a test.
void KernelWriter::open_scan_elements(const Nest& nest, const std::string& point,
                                      const std::string& count) {
  statement_ = static_cast<uint32_t>(nest.loops[0]);
  value_names_[nest.loops[0]] = point;
  if (row_.lanes == 1) return open(fmt::format("if ({} < {})", point, count));
  line("#pragma unroll");
  open(fmt::format("for (int element = 0; element < {}; ++element)", row_.lanes));
  const std::string at = names_.fresh(kernel_.statements[nest.loops[0]].name);
  line(fmt::format("const {} {} = {} + element;", index_type_, at, point));
  line(fmt::format("if ({} >= {}) break;", at, count));
  value_names_[nest.loops[0]] = at;
}

void KernelWriter::write_scan(const Nest& nest, const std::string& count) {
  const TeamWords team = words();
  const int64_t lanes = row_.lanes;
  const Loop& loop = *kernel_.statements[nest.loops[0]].get_if<Loop>();
  const bool by_block = team_ == Team::kBlock;
  definitions_.use(by_block ? Piece::kBlockScan : Piece::kWarpScan);
  names_.open();
  const std::string first = names_.fresh("first");
  begin_stride(index_type_, first, "0", count, fmt::format("{}", lanes * team.count));
  const std::string point =
      names_.fresh(kernel_.statements[nest.loops[0]].name + (lanes > 1 ? "0" : ""));
  line(fmt::format("const {} {} = {} + {}{};", index_type_, point, first,
                   lanes > 1 ? fmt::format("{} * ", lanes) : "", team.member));
  value_names_[nest.loops[0]] = point;
  std::string rest;
  if (lanes > 1) {
    const std::string whole = names_.fresh("whole");
    line(fmt::format("const bool {} = {} && {} + {} <= {};", whole, row_.aligned, point, lanes,
                     count));
    rest = fmt::format(", {}, {} - {}", whole, count, point);
    write_row_loads(nest, rest);
  }
  const std::vector<size_t> needed = needed_by_accumulates(kernel_, nest);
  std::vector<StatementId> fed;
  for (const size_t i : needed)
    if (const auto* accumulate = kernel_.statements[i].get_if<Accumulate>())
      if (std::find(fed.begin(), fed.end(), accumulate->reduction) == fed.end())
        fed.push_back(accumulate->reduction);
  std::vector<std::string> totals;
  for (const StatementId id : fed) {
    statement_ = static_cast<uint32_t>(index(id));
    const auto* reduction = kernel_[id].get_if<Reduction>();
    const std::string type = definitions_.reduction(reduction->combiner, reduction->dtype);
    totals.push_back(value_names_[index(id)]);
    value_names_[index(id)] = names_.fresh(totals.back() + "_part");
    line(fmt::format("{0} {1} = {0}::identity();", type, value_names_[index(id)]));
  }
  vector_at_ = "element";
  open_scan_elements(nest, point, count);
  for (const size_t i : needed) write_statement(i);
  statement_ = static_cast<uint32_t>(index(loop.end) - 1);
  close();
  for (size_t k = 0; k < fed.size(); ++k) {
    statement_ = static_cast<uint32_t>(index(fed[k]));
    std::string& name = value_names_[index(fed[k])];
    const std::string part = std::exchange(name, names_.fresh(totals[k] + "_so_far"));
    const auto* reduction = kernel_[fed[k]].get_if<Reduction>();
    line(fmt::format(
        "{} {} = {}({}, {});", definitions_.reduction(reduction->combiner, reduction->dtype), name,
        by_block ? fmt::format("block_scan<{}>", threads_) : "warp_scan", part, totals[k]));
  }
  open_scan_elements(nest, point, count);
  write_range(nest.first, nest.last);
  close();
  vector_at_ = "part";
  value_names_[nest.loops[0]] = point;
  write_row_stores(nest, rest);
  vectors_.clear();
  for (size_t k = 0; k < fed.size(); ++k) value_names_[index(fed[k])] = totals[k];
  close();
  since_barrier_.clear();
}

}  // namespace glint::cuda
