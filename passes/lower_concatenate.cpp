// Joining tensors along a dimension: one loop nest for each, which copies it to its place.
//
//     %c = cat [%x, %y], dim=1 : f32[4, 5]          parallel i in 0..4 { parallel j in 0..2 {
//                                                     a = load %x[i, j]
//                                                     store %c[i, j] = a } }
//                                                   parallel i in 0..4 { parallel j in 0..3 {
//                                                     b = load %y[i, j]
//                                                     store %c[i, j + 2] = b } }
//
// What joins joined tensors, and alone reads those, copies their parts itself: a nest for each part
// of a part, at the place of both.
#include "passes/lower_elements.h"
#include "passes/lower_group.h"

namespace glint::passes {

namespace {

class JoinLowering {
 public:
  JoinLowering(const Graph& graph, const FusionPlan& plan, int group, std::string name)
      : graph_(graph),
        plan_(plan),
        join_(plan.groups[static_cast<size_t>(group)].members.front().node),
        builder_(std::move(name)),
        elements_(graph, plan, group, builder_) {}

  LoweredGroup run() {
    elements_.declare_inputs(facts(join_).operands);
    const TensorType& type = graph_[join_].outputs.front();
    out_ = builder_.parameter(graph_[join_].name, type);
    write_parts(join_, std::vector<SymInt>(type.rank(), SymInt(0)));
    return {builder_.finish(), elements_.inputs(), {Value{join_, 0}}};
  }

 private:
  const NodeFacts& facts(NodeId id) const { return plan_.facts[index(id)]; }

  size_t dim_of(NodeId join) const {
    auto place = ops::signature(*facts(join).entry).find("dim");
    int64_t dim = place ? facts(join).arguments[*place].get_if<SymInt>()->constant() : 0;
    auto rank = static_cast<int64_t>(graph_[join].outputs.front().rank());
    return static_cast<size_t>(dim < 0 ? dim + rank : dim);
  }

  /// `corner`: where the join's first element lies in the result.
  void write_parts(NodeId join, std::vector<SymInt> corner) {
    within_.push_back(join);
    const size_t along = dim_of(join);
    for (Value operand : facts(join).operands) {
      const TensorType& part = graph_.type(operand);
      // An empty one-dimensional tensor is skipped, as PyTorch does.
      if (part.rank() != corner.size()) continue;
      if (facts(operand.node).node_class == NodeClass::kConcatenate &&
          plan_.is_inlined(operand.node))
        write_parts(operand.node, corner);
      else
        write_part(operand, corner);
      corner[along] += part.sizes[along];
    }
    within_.pop_back();
  }

  void write_part(Value part, const std::vector<SymInt>& corner) {
    const TensorType& type = graph_.type(part);
    Place source, target;
    for (size_t dim = 0; dim < type.rank(); ++dim) {
      const IndexExpression at(builder_.open(LoopKind::kParallel, type.sizes[dim]));
      source.push_back(type.sizes[dim].is(1) ? IndexExpression(SymInt(0)) : at);
      target.push_back(at + IndexExpression(corner[dim]));
    }
    elements_.begin_block();
    elements_.enter(join_);
    Operand value = elements_.at(part, source);
    for (size_t i = within_.size(); i-- > 0;)
      value = builder_.cast(value, graph_[within_[i]].outputs.front().dtype);
    builder_.store(out_, target, value);
    elements_.end_block();
    for (size_t dim = 0; dim < type.rank(); ++dim) builder_.close();
  }

  const Graph& graph_;
  const FusionPlan& plan_;
  NodeId join_;
  KernelBuilder builder_;
  ElementWriter elements_;
  BufferId out_{};
  std::vector<NodeId> within_;  ///< the joins that a part is in, the outermost first
};

}  // namespace

LoweredGroup lower_concatenate(const Graph& graph, const FusionPlan& plan, int group,
                               std::string name) {
  return JoinLowering(graph, plan, group, std::move(name)).run();
}

}  // namespace glint::passes
