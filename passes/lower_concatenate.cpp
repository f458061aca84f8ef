// Joining tensors along a dimension: one loop nest for each, which copies it to its place.
//
//     %c = cat [%x, %y], dim=1 : f32[4, 5]          parallel i in 0..4 { parallel j in 0..2 {
//                                                     a = load %x[i, j]
//                                                     store %c[i, j] = a } }
//                                                   parallel i in 0..4 { parallel j in 0..3 {
//                                                     b = load %y[i, j]
//                                                     store %c[i, j + 2] = b } }
#include "passes/lower_elements.h"
#include "passes/lower_group.h"

namespace glint::passes {

LoweredGroup lower_concatenate(const Graph& graph, const FusionPlan& plan, int group,
                               std::string name) {
  KernelBuilder builder(std::move(name));
  ElementWriter elements(graph, plan, group, builder);
  NodeId node = plan.groups[static_cast<size_t>(group)].members.front().node;
  const NodeFacts& facts = plan.facts[index(node)];
  const TensorType& type = graph[node].outputs.front();
  elements.declare_inputs(facts.operands);
  BufferId out = builder.parameter(graph[node].name, type);

  auto place = ops::signature(*facts.entry).find("dim");
  int64_t dim = place ? facts.arguments[*place].get_if<SymInt>()->constant() : 0;
  auto along = static_cast<size_t>(dim < 0 ? dim + static_cast<int64_t>(type.rank()) : dim);
  SymInt offset = 0;
  for (Value operand : facts.operands) {
    const TensorType& part = graph.type(operand);
    // An empty one-dimensional tensor is skipped, as PyTorch does.
    if (part.rank() != type.rank()) continue;
    Place indices;
    for (SymInt size : part.sizes)
      indices.push_back(IndexExpression(builder.open(LoopKind::kParallel, size)));
    elements.begin_block();
    Place source = indices;
    for (size_t i = 0; i < source.size(); ++i)
      if (part.sizes[i].is(1)) source[i] = IndexExpression(SymInt(0));
    Operand value = builder.cast(elements.at(operand, source), type.dtype);
    elements.enter(node);
    indices[along] = indices[along] + IndexExpression(offset);
    builder.store(out, indices, value);
    elements.end_block();
    for (size_t i = 0; i < part.rank(); ++i) builder.close();
    offset += part.sizes[along];
  }
  return {builder.finish(), elements.inputs(), {Value{node, 0}}};
}

}  // namespace glint::passes
