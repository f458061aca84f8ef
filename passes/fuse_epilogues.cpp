#include "passes/fuse_epilogues.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "passes/graph_builder.h"
#include "passes/operators.h"
#include "passes/rewriter.h"

namespace glint::passes {

namespace {

/// A product with what follows it, in terms of the old graph.
struct Product {
  Value left = {};
  Value right = {};
  bool right_is_transposed = false;  ///< a weight, [n, k]
  std::optional<Value> bias;
  std::string activation = "none";
  NodeId last{};              ///< whose value it gives
  std::vector<NodeId> inner;  ///< the calls before it that vanish
};

class EpilogueFuser {
 public:
  EpilogueFuser(const Graph& graph, std::vector<RuleHit>& hits, bool on_device)
      : graph_(graph),
        hits_(hits),
        on_device_(on_device),
        rewriter_(graph),
        vanishes_(graph.nodes.size(), false),
        is_last_(graph.nodes.size(), false) {
    uses_ = find_uses(graph);
    returned_.assign(graph.nodes.size(), false);
    for (Value output : graph.outputs) returned_[index(output.node)] = true;
  }

  Graph run() {
    std::vector<std::optional<Product>> found(graph_.nodes.size());
    for (size_t i = 0; i < graph_.nodes.size(); ++i) {
      auto product = find(NodeId(i));
      if (!product) continue;
      for (NodeId inner : product->inner) vanishes_[index(inner)] = true;
      is_last_[index(product->last)] = true;
      found[index(product->last)] = std::move(product);
    }
    for (size_t i = graph_.parameter_count; i < graph_.nodes.size(); ++i) {
      if (found[i])
        write(*found[i]);
      else if (!vanishes_[i])
        rewriter_.copy(NodeId(i));
    }
    return rewriter_.finish();
  }

 private:
  bool is(NodeId id, std::string_view target) const { return graph_[id].target == target; }

  /// The one reader of a node that does not leave the region.
  std::optional<NodeId> only_reader(NodeId id) const {
    if (returned_[index(id)] || uses_[index(id)].size() != 1) return std::nullopt;
    return uses_[index(id)].front();
  }

  bool is_matrix(Value value) const { return graph_.type(value).rank() == 2; }

  static bool is_product(std::string_view target) {
    return target == "linear" || target == "addmm" || target == "matmul" || target == "mm";
  }

  bool fits_as_bias(const Argument& argument, const TensorType& product) const {
    if (!argument.is_value()) return false;
    const TensorType& type = graph_.type(argument.tensor());
    if (type.dtype != product.dtype) return false;
    if (type.rank() == 2) return fits_as_matrix(argument.tensor(), product);
    return type.rank() == 1 && type.contiguous() && type.sizes[0] == product.sizes.back();
  }

  bool fits_as_matrix(Value value, const TensorType& product) const {
    const bool is_input = index(value.node) < graph_.parameter_count;
    return on_device_ && graph_.type(value).sizes == product.sizes &&
           (is_input || is_product(graph_[value.node].target.text()));
  }

  std::optional<Product> find(NodeId id) {
    const Node& node = graph_[id];
    if (node.kind != NodeKind::kCall || node.outputs.size() != 1) return std::nullopt;
    const TensorType& type = node.outputs.front();
    if (!is_floating(type.dtype)) return std::nullopt;
    auto product = start(id, type);
    if (!product) return std::nullopt;
    follow(*product, type);
    if (!product->bias && product->activation == "none") return std::nullopt;
    return product;
  }

  std::optional<Product> start(NodeId id, const TensorType& type) const {
    const Node& node = graph_[id];
    if (!is_product(node.target.text())) return std::nullopt;
    std::vector<Argument> arguments = bound_arguments(node);
    Product product;
    product.last = id;
    if (is(id, "addmm")) {
      bool plain = is_one(arguments[3]) && is_one(arguments[4]) && fits_as_bias(arguments[0], type);
      if (!plain) return std::nullopt;
      product.left = arguments[1].tensor();
      product.right = arguments[2].tensor();
      product.bias = arguments[0].tensor();
      return product;
    }
    product.left = arguments[0].tensor();
    product.right = arguments[1].tensor();
    if (!is_matrix(product.right)) return std::nullopt;
    if (is(id, "linear")) {
      // The rows of a larger x become one dimension, if they lie as one.
      if (graph_.type(product.left).rank() < 2) return std::nullopt;
      product.right_is_transposed = true;
      if (arguments[2].is_none()) return product;
      if (!fits_as_bias(arguments[2], type)) return std::nullopt;
      product.bias = arguments[2].tensor();
      return product;
    }
    return is_matrix(product.left) ? std::optional(product) : std::nullopt;
  }

  static bool is_one(const Argument& argument) {
    if (auto* real = argument.get_if<double>()) return *real == 1.0;
    auto* whole = argument.get_if<SymInt>();
    return whole && whole->is(1);
  }

  /// Whether it is a sum that no other product has taken in.
  bool is_free_sum(NodeId id) const {
    return is(id, "add") && !is_last_[index(id)] && !vanishes_[index(id)];
  }

  /// Takes in a bias and an activation, as far as each has no other reader.
  void follow(Product& product, const TensorType& type) {
    if (auto reader = only_reader(product.last); reader && !product.bias && is_free_sum(*reader)) {
      std::vector<Argument> arguments = bound_arguments(graph_[*reader]);
      Value own{product.last, 0};
      bool first = arguments[0] == Argument(own), second = arguments[1] == Argument(own);
      const Argument& other = first ? arguments[1] : arguments[0];
      if (first != second && is_one(arguments[2]) && fits_as_bias(other, type)) {
        product.bias = other.tensor();
        step(product, *reader);
      }
    }
    auto reader = only_reader(product.last);
    if (!reader || graph_[*reader].outputs.front() != type) return;
    for (std::string_view name : {"relu", "sigmoid", "tanh"})
      if (is(*reader, name)) {
        product.activation = name;
        return step(product, *reader);
      }
    if (!is(*reader, "gelu")) return;
    const Argument* form = graph_[*reader].find("approximate");
    auto* text = form ? form->get_if<std::string>() : nullptr;
    product.activation = text && *text == "tanh" ? "gelu_tanh" : "gelu";
    step(product, *reader);
  }

  static void step(Product& product, NodeId next) {
    product.inner.push_back(product.last);
    product.last = next;
  }

  void write(const Product& product) {
    const Node& last = graph_[product.last];
    std::vector<Span> origins = last.origins;
    for (NodeId inner : product.inner)
      for (const Span& span : graph_[inner].origins)
        if (std::none_of(origins.begin(), origins.end(), [&](const Span& known) {
              return known.line == span.line && known.column == span.column;
            }))
          origins.push_back(span);
    size_t before = rewriter_.result().nodes.size();
    GraphBuilder b(rewriter_.result(), origins);
    OpValue left = GraphBuilder::value(rewriter_.map(product.left));
    OpValue right = GraphBuilder::value(rewriter_.map(product.right));
    if (product.right_is_transposed) right = b.call("t", {right});
    std::vector<SymInt> sizes = last.outputs.front().sizes;
    bool flattens = graph_.type(product.left).rank() > 2;
    if (flattens) {
      SymInt inner = graph_.type(product.left).sizes.back();
      SymInt rows = product_of_rows(sizes);
      left = b.reshape(left, {rows, inner});
    }
    std::vector<OpNamedArgument> named;
    if (product.bias)
      named.push_back({Name("bias"), GraphBuilder::value(rewriter_.map(*product.bias))});
    if (product.activation != "none") named.push_back({Name("activation"), product.activation});
    OpValue result = b.call("mm_epilogue", {left, right}, std::move(named));
    if (flattens) result = b.reshape(result, sizes);
    for (size_t made = before; made < rewriter_.result().nodes.size(); ++made) {
      Node& node = rewriter_.result().nodes[made];
      node.phase = last.phase;
      node.module = product.inner.empty() ? last.module : graph_[product.inner.front()].module;
    }
    rewriter_.inherit_name(result.value.node, product.last);
    rewriter_.replace({product.last, 0}, result.value);
    record(product, result.value);
  }

  static SymInt product_of_rows(const std::vector<SymInt>& sizes) {
    return glint::product(std::span(sizes).first(sizes.size() - 1));
  }

  void record(const Product& product, Value result) {
    std::string before;
    for (NodeId inner : product.inner) before += graph_[inner].target.text() + " + ";
    before += graph_[product.last].target.text();
    hits_.push_back({"library_epilogue", std::source_location::current(), std::move(before),
                     fmt::format("{} = mm_epilogue", rewriter_.result().text(result))});
  }

  const Graph& graph_;
  std::vector<RuleHit>& hits_;
  bool on_device_;
  Rewriter rewriter_;
  std::vector<std::vector<NodeId>> uses_;
  std::vector<bool> returned_;
  std::vector<bool> vanishes_;
  std::vector<bool> is_last_;  ///< gives the value of a product and what follows
};

}  // namespace

Graph fuse_epilogues(const Graph& graph, std::vector<RuleHit>& hits, bool on_device) {
  return EpilogueFuser(graph, hits, on_device).run();
}

}  // namespace glint::passes
