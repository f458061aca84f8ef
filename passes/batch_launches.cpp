// The algorithm:
//   1. Cut the steps into runs: launches without a check, one behind the other.
//   2. Walk each run in order. A launch joins the newest batch of like kernels that it may move up
//      to; else it begins a batch of its own.
//   3. A batch keeps the kernel of its longest list.
#include "passes/batch_launches.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "passes/like_kernels.h"

namespace glint::passes {

namespace {

/// Launches that have become one.
struct Batch {
  Launch launch = {};
  uint64_t fingerprint = 0;
  std::unordered_set<size_t> reads = {};  ///< memory, by number
  std::unordered_set<size_t> writes = {};
  std::unordered_set<size_t> overwrites = {};  ///< inputs whose new values these are
  NodeId node{};                               ///< that the first launch is known by
  bool reads_near = false;                     ///< what the run at hand has just made
};

class Batcher {
 public:
  Batcher(Schedule& schedule, const Graph& graph, std::span<const Update> updates,
          std::vector<FusionDecision>& decisions)
      : schedule_(schedule), decisions_(decisions) {
    for (size_t i = 0; i < graph.nodes.size(); ++i) nodes_.emplace(graph.nodes[i].name, NodeId(i));
    for (const Update& update : updates)
      updated_.emplace(index(schedule.outputs[update.output]), update.input);
  }

  void run() {
    for (Step& step : schedule_.steps) {
      auto* launch = std::get_if<Launch>(&step.kind);
      if (launch && !has_check(schedule_.kernels[launch->kernel])) {
        add(std::move(*launch));
        continue;
      }
      end_run();
      steps_.push_back(std::move(step));
    }
    end_run();
    schedule_.steps = std::move(steps_);
    drop_unused_kernels();
  }

 private:
  static bool has_check(const Kernel& kernel) {
    return std::ranges::any_of(kernel.statements, [](const Statement& statement) {
      return statement.get_if<Check>() != nullptr;
    });
  }

  const Kernel& kernel_of(const Batch& batch) const {
    return schedule_.kernels[batch.launch.kernel];
  }

  /// The number of a tensor's memory: slots come behind the other tensors.
  size_t memory_of(TensorId id) const {
    while (schedule_[id].role == ScheduleTensor::Role::kView) id = schedule_[id].base;
    const ScheduleTensor& tensor = schedule_[id];
    return tensor.role == ScheduleTensor::Role::kSlot ? schedule_.tensors.size() + tensor.slot
                                                      : index(id);
  }

  void end_run() {
    for (Batch& batch : batches_) {
      auto whole = [&](SymInt length) { return length == kernel_of(batch).whole_loop()->extent; };
      if (std::ranges::all_of(batch.launch.lengths, whole)) batch.launch.lengths.clear();
      steps_.push_back({std::move(batch.launch)});
    }
    batches_.clear();
  }

  Batch describe(Launch launch) {
    Batch batch{.launch = std::move(launch)};
    const Kernel& kernel = kernel_of(batch);
    std::vector<bool> written = kernel.written();
    for (size_t i = 0; i < written.size(); ++i) {
      TensorId id = batch.launch.arguments[i];
      (written[i] ? batch.writes : batch.reads).insert(memory_of(id));
      if (!written[i]) continue;
      batch.node = node_of(id);
      auto update = updated_.find(index(id));
      if (update != updated_.end()) batch.overwrites.insert(update->second);
    }
    batch.fingerprint = fingerprint(kernel, Likeness::kAnyLength);
    if (kernel.is_flat()) batch.launch.lengths = {kernel.whole_loop()->extent};
    return batch;
  }

  /// The node of a tensor that a kernel makes: the second output of `%a` is `%a__1`.
  NodeId node_of(TensorId id) const {
    const std::string& name = schedule_[id].name;
    auto found = nodes_.find(name);
    if (found == nodes_.end()) found = nodes_.find(name.substr(0, name.rfind("__")));
    return found == nodes_.end() ? NodeId(0) : found->second;
  }

  bool is_alike(const Batch& batch, const Batch& next) const {
    if (batch.fingerprint != next.fingerprint) return false;
    const Kernel& kernel = kernel_of(batch);
    if (!alike(kernel, kernel_of(next), Likeness::kAnyLength)) return false;
    if (next.launch.lengths.empty()) return true;
    SymInt longest = kernel.whole_loop()->extent, length = next.launch.lengths[0];
    return known_less_equal(length, longest) == true || known_less_equal(longest, length) == true;
  }

  void add(Launch launch) {
    Batch next = describe(std::move(launch));
    next.reads_near =
        std::ranges::any_of(batches_, [&](const Batch& writer) { return needs(next, writer); });
    std::optional<FusionDecision> refused;
    for (size_t i = batches_.size(); i-- > 0;) {
      if (!is_alike(batches_[i], next)) continue;
      FusionReason why = may_join(i, next);
      FusionDecision decision{batches_[i].node, next.node, why == FusionReason::kAlike, why, {}};
      if (!decision.fused) {
        if (!refused) refused = std::move(decision);
        continue;
      }
      decisions_.push_back(std::move(decision));
      return join(batches_[i], std::move(next));
    }
    if (!refused && !batches_.empty() && !needs(next, batches_.back()))
      refused = {batches_.back().node, next.node, false, FusionReason::kUnlike, {}};
    if (refused) decisions_.push_back(std::move(*refused));
    batches_.push_back(std::move(next));
  }

  static bool meet(const std::unordered_set<size_t>& a, const std::unordered_set<size_t>& b) {
    return std::ranges::any_of(a, [&](size_t each) { return b.contains(each); });
  }
  static bool needs(const Batch& reader, const Batch& writer) {
    return meet(reader.reads, writer.writes);
  }

  /// Whether a launch writes what another one reads, in the text or for an update in place.
  static bool overwrites(const Batch& writer, const Batch& other) {
    return meet(writer.overwrites, other.reads) || meet(writer.writes, other.reads) ||
           meet(writer.writes, other.writes);
  }

  /// Whether a launch may move up to a batch of like kernels: kAlike, or why not.
  FusionReason may_join(size_t at, const Batch& next) const {
    for (size_t i = at; i < batches_.size(); ++i) {
      if (needs(next, batches_[i])) return FusionReason::kAlikeButNeeded;
      if (overwrites(next, batches_[i])) return FusionReason::kAlikeButOverwritten;
    }
    if (meet(batches_[at].overwrites, next.reads)) return FusionReason::kAlikeButOverwritten;
    auto reads_near = [](const Batch& batch) { return batch.reads_near; };
    if (std::any_of(batches_.begin() + static_cast<ptrdiff_t>(at) + 1, batches_.end(),
                    reads_near) &&
        !is_small(next))
      return FusionReason::kAlikeButFar;
    return FusionReason::kAlike;
  }

  /// Small enough to come between a kernel and the reader of its results.
  bool is_small(const Batch& batch) const {
    Traffic moved = traffic(kernel_of(batch));
    return known_less_equal(moved.read + moved.written, kNearBytes) == true;
  }

  void join(Batch& batch, Batch next) {
    Launch& into = batch.launch;
    if (!into.lengths.empty()) {
      SymInt longest = kernel_of(batch).whole_loop()->extent;
      // One of the two is known to be the longest (`is_alike`).
      bool stays = known_less_equal(next.launch.lengths[0], longest) == true;
      if (!stays) into.kernel = next.launch.kernel;
      into.lengths.push_back(next.launch.lengths[0]);
    }
    into.arguments.insert(into.arguments.end(), next.launch.arguments.begin(),
                          next.launch.arguments.end());
    batch.reads.merge(next.reads);
    batch.writes.merge(next.writes);
    batch.overwrites.merge(next.overwrites);
    batch.reads_near |= next.reads_near;
  }

  void drop_unused_kernels() {
    std::vector<uint32_t> place(schedule_.kernels.size(), ~0u);
    std::vector<Kernel> kept;
    for (Step& step : schedule_.steps) {
      auto* launch = std::get_if<Launch>(&step.kind);
      if (!launch) continue;
      uint32_t& to = place[launch->kernel];
      if (to == ~0u) {
        to = static_cast<uint32_t>(kept.size());
        kept.push_back(std::move(schedule_.kernels[launch->kernel]));
      }
      launch->kernel = to;
    }
    schedule_.kernels = std::move(kept);
  }

  Schedule& schedule_;
  std::vector<FusionDecision>& decisions_;
  std::unordered_map<std::string_view, NodeId> nodes_;
  std::unordered_map<size_t, size_t> updated_;  ///< an output's tensor: the input
  std::vector<Batch> batches_;                  ///< of the run at hand
  std::vector<Step> steps_;
};

}  // namespace

void batch_launches(Schedule& schedule, const Graph& graph, std::span<const Update> updates,
                    std::vector<FusionDecision>& decisions) {
  Batcher(schedule, graph, updates, decisions).run();
}

}  // namespace glint::passes
