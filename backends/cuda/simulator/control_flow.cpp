// Where the lanes that a branch parts meet again: the first instruction that all its paths come to,
// its immediate post-dominator.
//
//     @%p1 bra A;  x;  bra J;  A: y;  J: z        of the branch: J
//
// Paths that only stop the kernel (a trap, an early return) are no paths here: who takes them does
// not come back, and the other lanes need not wait for them. So:
//
//   1. edges to places from which no end is reached are dropped;
//   2. edges to what leads to an end without meeting the branch's other path are dropped, where the
//      other path reaches one as well; also where several such paths share their last instructions
//      (`status = 4; return`), if the other path has lanes meet on purpose, at a barrier or
//      shuffle;
//   3. post-dominators of what is left, by the algorithm of Cooper, Harvey and Kennedy.
#include <algorithm>
#include <set>

#include "backends/cuda/simulator/linker.h"

namespace glint::simulator {
namespace {

using Edges = std::vector<std::vector<uint32_t>>;

Edges reversed(const Edges& edges) {
  Edges result(edges.size());
  for (uint32_t from = 0; from < edges.size(); ++from) {
    for (const uint32_t to : edges[from]) result[to].push_back(from);
  }
  return result;
}

/// What can be reached from `from` without passing what is to be avoided.
std::vector<bool> reached(const Edges& edges, uint32_t from, const std::set<uint32_t>& avoid) {
  std::vector<bool> seen(edges.size(), false);
  std::vector<uint32_t> work = {from};
  if (!avoid.contains(from)) seen[from] = true;
  while (!work.empty()) {
    const uint32_t at = work.back();
    work.pop_back();
    if (avoid.contains(at)) continue;
    for (const uint32_t next : edges[at]) {
      if (!seen[next]) {
        seen[next] = true;
        work.push_back(next);
      }
    }
  }
  return seen;
}

class PostDominators {
 public:
  /// The last node is the end that all ends lead to.
  explicit PostDominators(Edges edges) : edges_(std::move(edges)), back_(reversed(edges_)) {
    const auto end = static_cast<uint32_t>(edges_.size() - 1);
    number_.assign(edges_.size(), kNowhere);
    parent_.assign(edges_.size(), kNowhere);
    order_from(end);
    parent_[end] = end;
    while (improve()) {
    }
  }

  uint32_t parent(uint32_t node) const { return parent_[node]; }

 private:
  /// Numbers the nodes so that a post-dominator has a greater number than what it dominates.
  void order_from(uint32_t end) {
    std::vector<std::pair<uint32_t, size_t>> path = {{end, 0}};
    std::vector<bool> seen(edges_.size(), false);
    seen[end] = true;
    while (!path.empty()) {
      auto& [node, child] = path.back();
      if (child < back_[node].size()) {
        const uint32_t next = back_[node][child++];
        if (!seen[next]) {
          seen[next] = true;
          path.emplace_back(next, 0);
        }
      } else {
        number_[node] = static_cast<uint32_t>(order_.size());
        order_.push_back(node);
        path.pop_back();
      }
    }
  }

  uint32_t meet(uint32_t a, uint32_t b) const {
    while (a != b) {
      while (number_[a] < number_[b]) a = parent_[a];
      while (number_[b] < number_[a]) b = parent_[b];
    }
    return a;
  }

  bool improve() {
    bool changed = false;
    for (size_t i = order_.size() - 1; i-- > 0;) {
      const uint32_t node = order_[i];
      uint32_t best = kNowhere;
      for (const uint32_t next : edges_[node]) {
        if (parent_[next] == kNowhere) continue;
        best = best == kNowhere ? next : meet(best, next);
      }
      changed |= parent_[node] != best;
      parent_[node] = best;
    }
    return changed;
  }

  Edges edges_;
  Edges back_;
  std::vector<uint32_t> order_;
  std::vector<uint32_t> number_;
  std::vector<uint32_t> parent_;
};

/// An end, or a jump that does nothing but come to one.
bool is_end(const Program& program, uint32_t at) {
  for (int jumps = 0; jumps < 4; ++jumps) {
    const InstructionInfo& info = program.info[at];
    if (info.guarded) return false;
    if (info.flow == Flow::kEnd) return true;
    if (info.flow != Flow::kBranch) return false;
    at = program.code[at].target;
  }
  return false;
}

/// Drops the edges to where no end is reached (step 1).
void drop_dead_ends(Edges& edges) {
  const auto end = static_cast<uint32_t>(edges.size() - 1);
  const std::vector<bool> ends = reached(reversed(edges), end, {});
  for (auto& next : edges) {
    std::vector<uint32_t> kept;
    std::copy_if(next.begin(), next.end(), std::back_inserter(kept),
                 [&](uint32_t to) { return ends[to]; });
    if (!kept.empty()) next = kept;
  }
}

/// Whether what follows `side` has nothing in common with what follows `other` but the end itself.
bool ends_alone(const Program& program, const Edges& edges, uint32_t branch, uint32_t side,
                uint32_t other) {
  const auto end = static_cast<uint32_t>(edges.size() - 1);
  const std::vector<bool> from_other = reached(edges, other, {branch});
  if (other == branch || !from_other[end]) return false;
  const std::vector<bool> from_side = reached(edges, side, {});
  for (uint32_t at = 0; at < end; ++at) {
    if (from_side[at] && (at == branch || (from_other[at] && !is_end(program, at)))) return false;
  }
  return true;
}

bool is_collective(const Program& program, uint32_t at) {
  const std::string& opcode = program.info[at].opcode;
  return opcode.starts_with("bar") || opcode.find(".sync") != std::string::npos;
}

/// Where no lane is waited for before an end comes.
std::vector<bool> tails(const Program& program, const Edges& edges) {
  const Edges back = reversed(edges);
  std::vector<bool> found(edges.size(), true);
  for (uint32_t at = 0; at < program.code.size(); ++at) {
    if (!found[at] || !is_collective(program, at)) continue;
    const std::vector<bool> before = reached(back, at, {});
    for (size_t i = 0; i < before.size(); ++i)
      if (before[i]) found[i] = false;
  }
  return found;
}

/// Whether `side` is a way out that the other path need not take, whose lanes meet on their own.
bool leaves_others(const Program& program, const Edges& edges, const std::vector<bool>& tail,
                   uint32_t branch, uint32_t side, uint32_t other) {
  const auto end = static_cast<uint32_t>(edges.size() - 1);
  if (!tail[side] || tail[other]) return false;
  const std::vector<bool> from_side = reached(edges, side, {});
  std::set<uint32_t> avoid = {branch};
  for (uint32_t at = 0; at < end; ++at)
    if (from_side[at] && !is_end(program, at)) avoid.insert(at);
  const std::vector<bool> from_other = reached(edges, other, avoid);
  if (!from_other[end]) return false;
  for (uint32_t at = 0; at < end; ++at)
    if (from_other[at] && is_collective(program, at)) return true;
  return false;
}

bool is_straight(const Edges& edges, uint32_t at) {
  const auto end = static_cast<uint32_t>(edges.size() - 1);
  for (size_t steps = 0; at != end && steps < edges.size(); ++steps) {
    if (edges[at].size() != 1) return false;
    at = edges[at][0];
  }
  return at == end;
}

/// Drops the edges to early returns (step 2): those to straight ones first, so that what is left of
/// the other paths is known when the rest is looked at. Most branches have paths that meet before
/// the end, and go on meeting there when edges are dropped: for these nothing is searched.
void drop_early_returns(const Program& program, Edges& edges) {
  const std::vector<bool> tail = tails(program, edges);
  const PostDominators dominators(edges);
  const auto end = static_cast<uint32_t>(edges.size() - 1);
  const auto meets = [&](uint32_t branch) {
    const uint32_t place = dominators.parent(branch);
    return place != kNowhere && place != end && !is_end(program, place);
  };
  for (const bool all : {false, true}) {
    for (uint32_t at = 0; at + 1 < edges.size(); ++at) {
      if (program.info[at].flow != Flow::kBranch || edges[at].size() != 2) continue;
      for (const size_t i : {0, 1}) {
        const uint32_t side = edges[at][i], other = edges[at][1 - i];
        const bool leaves = (all || is_straight(edges, side)) &&
                            leaves_others(program, edges, tail, at, side, other);
        const bool is_way_on = !tail[side] && tail[other];
        if (!leaves && (is_way_on || meets(at) || !ends_alone(program, edges, at, side, other)))
          continue;
        edges[at] = {other};
        break;
      }
    }
  }
}

}  // namespace

std::vector<uint32_t> successors(const Program& program, uint32_t at) {
  const InstructionInfo& info = program.info[at];
  const Instruction& instruction = program.code[at];
  std::vector<uint32_t> next;
  if (info.flow == Flow::kBranch) next.push_back(instruction.target);
  if (info.flow == Flow::kTable) next = program.branch_tables[instruction.target];
  if (info.flow == Flow::kNext || info.guarded) next.push_back(at + 1);
  return next;
}

void find_reconvergence(Program& program) {
  const auto end = static_cast<uint32_t>(program.code.size());
  Edges edges(end + 1);
  for (uint32_t at = 0; at < end; ++at) {
    edges[at] = successors(program, at);
    const bool ends = program.info[at].flow == Flow::kEnd && !program.info[at].guarded;
    if (ends) edges[at].push_back(end);
  }
  drop_dead_ends(edges);
  drop_early_returns(program, edges);
  const PostDominators dominators(std::move(edges));
  for (uint32_t at = 0; at < end; ++at) {
    const Flow flow = program.info[at].flow;
    if (flow != Flow::kBranch && flow != Flow::kTable) continue;
    const uint32_t meet = dominators.parent(at);
    program.code[at].reconverge = meet == end ? kNowhere : meet;
  }
}

}  // namespace glint::simulator
