// Where scratch lies: small scratch in the thread's or the block's own memory, the rest in memory
// that the launch passes.
//
//     float t[4];                                                      // a row of a thread
//     __shared__ float t[1000];                                        // of a block
//     float* const t = softmax_scratch0 + (int64)blockIdx.x * 20000;   // and one that is too long
//
// Scratch that keep_rows.cpp has a place for is not seen here, but for what that does not hold.
#include <fmt/format.h>

#include <algorithm>

#include "backends/cuda/codegen/kernel_writer.h"

namespace glint::cuda {
namespace {

/// Scratch of a thread that lies in its own memory, and of a block in shared memory.
constexpr int64_t kMostThreadBytes = 1024;
constexpr int64_t kMostScratchBytes = 16384;
/// Shared memory that scratch and what is kept of rows take together; totals need some too.
constexpr int64_t kMostSharedBytes = 40960;

}  // namespace

/// How much shared memory a block's scratch takes, of so many teams; nothing where it does not lie
/// there. Of a column nothing is kept elsewhere.
std::optional<int64_t> KernelWriter::shared_scratch_bytes(const KernelBuffer& buffer,
                                                          int64_t teams) const {
  const auto bytes = buffer.type.bytes().maybe_constant();
  if (!bytes || team_ == Team::kThread) return std::nullopt;
  const int64_t most = team_ == Team::kColumn ? kMostSharedBytes : kMostScratchBytes;
  if (*bytes * teams > std::min(most, kMostSharedBytes - shared_bytes_)) return std::nullopt;
  return *bytes * teams;
}

/// Those of a block that have scratch of their own.
KernelWriter::ScratchTeams KernelWriter::scratch_teams() const {
  switch (team_) {
    case Team::kThread:
      return {threads_, "threadIdx.x", true};
    case Team::kWarp:
      return {threads_ / row_lanes_.count, row_lanes_.group, false};
    case Team::kColumn:
      return {columns_.members > 0 ? columns_.lanes : 32, columns_.lane, true};
    default:
      return {1, "", false};
  }
}

void KernelWriter::write_scratch(const Scratch& scratch) {
  const auto kept = kept_scratch_.find(scratch.buffer);
  const bool is_kept = kept != kept_scratch_.end();
  if (is_kept && (!kept->second.shared || !kept->second.remade.empty())) return;
  const KernelBuffer& buffer = kernel_[scratch.buffer];
  const SymInt count = buffer.type.numel();
  const std::string element(definitions_.memory(buffer.type.dtype));
  std::string& name = buffer_names_[index(scratch.buffer)];
  name = names_.fresh(buffer.name + (is_kept ? "_rest" : ""));
  const auto bytes = buffer.type.bytes().maybe_constant();
  if (bytes && team_ == Team::kThread && *bytes <= kMostThreadBytes)
    return line(fmt::format("{} {}[{}];", element, name, count.text()));
  const ScratchTeams teams = scratch_teams();
  if (teams.side_by_side) scratch_steps_[scratch.buffer] = teams.count;
  const auto shared = is_kept ? std::nullopt : shared_scratch_bytes(buffer, teams.count);
  if (!shared) return write_global_scratch(buffer, name, teams, is_kept);
  shared_bytes_ += *shared;
  const std::string all = teams.count == 1 ? name : names_.fresh(name + "_block");
  line(fmt::format("__shared__ {} {}[{}];", element, all, (count * teams.count).text()));
  if (teams.count > 1)
    line(fmt::format("{}* const {} = {} + {}{};", element, name, all, teams.member,
                     teams.side_by_side ? "" : " * " + factor(count)));
}

/// Each team's part of what the launch passes; `is_rest`: of scratch that lies as what is kept
/// does, in whole rounds of its members, counted from where a ragged row's first vector begins.
void KernelWriter::write_global_scratch(const KernelBuffer& buffer, const std::string& name,
                                        const ScratchTeams& teams, bool is_rest) {
  const int64_t round = is_rest ? row_.lanes * threads_ : 1;
  const int64_t lead = is_rest && row_.ragged ? row_.lanes - 1 : 0;
  const SymInt count = ceil_divide(buffer.type.numel() + lead, round) * round;
  const std::string all = fmt::format("{}_scratch{}", entry_, scratch_.size());
  const auto size = static_cast<int64_t>(dtype_size(buffer.type.dtype));
  scratch_.push_back(
      {KernelParameter::Kind::kScratch, all, 0, buffer.type.dtype, count * teams.count * size});
  const std::string block = "(int64)blockIdx.x";
  std::string place;
  if (teams.count == 1)
    place = fmt::format("{} * {}", block, factor(count));
  else if (teams.side_by_side)
    place = fmt::format("{} * {} + {}", block, factor(count * teams.count), teams.member);
  else
    place = fmt::format("({} * {} + {}) * {}", block, teams.count, teams.member, factor(count));
  line(fmt::format("{0}* const {1} = {2} + {3};", definitions_.memory(buffer.type.dtype), name, all,
                   place));
}

}  // namespace glint::cuda
