// Text to Graph IR: one line a node; the header and the `return` around them.
#include <unordered_map>

#include <fmt/format.h>

#include "ir/argument_text.h"
#include "ir/constant_text.h"
#include "ir/graph.h"
#include "ir/text_cursor.h"

namespace glint {

namespace {

class GraphParser {
 public:
  GraphParser(std::string_view text, SourceId source) : in_(text), source_(source) {}

  Result<Graph> parse() {
    in_.skip_lines();
    const std::vector<TensorType> results = header();
    graph_.sizes = parse_size_facts(in_);
    while (in_.ok() && !in_.peek("return"))
      if (!phase()) node();
    parse_results(in_, results, [this] {
      graph_.outputs.push_back(value());
      return in_.ok() ? graph_.type(graph_.outputs.back()) : TensorType();
    });
    journal();
    if (in_.ok() && !in_.at_end()) in_.fail("expected nothing after the graph");
    if (!in_.ok()) return in_.error();
    return std::move(graph_);
  }

 private:
  /// What a listing says behind the graph: the region's writes to objects, which are no part of it.
  void journal() {
    in_.skip_lines();
    while (in_.ok() && in_.accept("journal:")) {
      in_.rest_of_line();
      in_.skip_lines();
    }
  }

  /// Gives the types of the results.
  std::vector<TensorType> header() {
    in_.expect("graph");
    graph_.name = std::string(in_.word());
    if (graph_.name.empty()) in_.fail("expected the graph's name");
    in_.expect("(");
    while (in_.ok() && !in_.peek(")")) {
      std::string name = new_name();
      in_.expect(":");
      define(name, graph_.add_parameter(name, parse_tensor_type(in_)).node);
      if (!in_.accept(",")) break;
    }
    in_.expect(")");
    return parse_result_types(in_);
  }

  std::string new_name() {
    std::string name = parse_reference(in_);
    if (ids_.contains(name)) in_.fail(fmt::format("`%{}` is defined twice", name));
    return name;
  }

  void define(const std::string& name, NodeId id) {
    if (in_.ok()) ids_.emplace(name, id);
  }

  /// The line in front of the calls of a phase.
  bool phase() {
    for (Phase each : {Phase::kForward, Phase::kBackward, Phase::kUpdate}) {
      if (!in_.accept(phase_name(each))) continue;
      phase_ = each;
      in_.expect(":");
      in_.expect_line_end();
      return true;
    }
    return false;
  }

  void node() {
    std::string name = new_name();
    in_.expect("=");
    std::string target(in_.word());
    if (target.empty()) in_.fail("expected an operator's name");
    if (target == "constant") {
      constant(name);
      return;
    }
    std::vector<NamedArgument> arguments;
    if (!in_.peek(":") && !in_.at_line_end())
      arguments = parse_arguments<Value>(in_, [this] { return value(); });
    // A call may give nothing: `unbind` of a tensor without rows.
    std::vector<TensorType> types;
    if (in_.accept(":")) {
      do {
        types.push_back(parse_tensor_type(in_));
      } while (in_.accept(","));
    }
    std::vector<Span> origins = parse_origins(in_, source_);
    in_.expect_line_end();
    if (!in_.ok()) return;
    NodeId made = graph_.add_call(name, Name(target), std::move(arguments), std::move(types),
                                  std::move(origins));
    graph_[made].phase = phase_;
    define(name, made);
  }

  void constant(const std::string& name) {
    auto [type, data] = parse_typed_constant(in_);
    std::vector<Span> origins = parse_origins(in_, source_);
    in_.expect_line_end();
    if (!in_.ok()) return;
    define(name, graph_.add_constant(name, type, std::move(data), std::move(origins)).node);
  }

  Value value() {
    in_.expect("%");
    std::string name(in_.word());
    auto found = ids_.find(name);
    if (found == ids_.end()) {
      in_.fail(fmt::format("`%{}` is not defined before this line", name));
      return {};
    }
    Value value{found->second, 0};
    if (in_.accept_adjacent(".")) {
      auto number = in_.number();
      value.output = number ? static_cast<uint32_t>(number->integer) : 0;
    }
    size_t count = graph_[value.node].outputs.size();
    if (count == 0)
      in_.fail(fmt::format("`%{}` gives nothing: its line ends without a type", name));
    else if (value.output >= count)
      in_.fail(fmt::format("`%{}` has no output {}", name, value.output));
    return value;
  }

  TextCursor in_;
  SourceId source_;
  Graph graph_;
  Phase phase_ = Phase::kForward;
  std::unordered_map<std::string, NodeId> ids_;
};

}  // namespace

Result<Graph> parse_graph(std::string_view text, SourceId origin_source) {
  return GraphParser(text, origin_source).parse();
}

}  // namespace glint
