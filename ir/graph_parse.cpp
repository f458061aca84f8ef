// Text to Graph IR: one line a node; the header and the `return` around them.
#include <unordered_map>

#include <fmt/format.h>

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
    header();
    while (in_.ok() && !in_.peek("return")) node();
    in_.expect("return");
    while (in_.ok() && !in_.at_line_end()) {
      graph_.outputs.push_back(value());
      if (!in_.accept(",")) break;
    }
    in_.expect_line_end();
    in_.expect("}");
    if (in_.ok() && !in_.at_end()) in_.fail("expected nothing after the graph");
    if (!in_.ok()) return in_.error();
    return std::move(graph_);
  }

 private:
  void header() {
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
    // The result's types follow from the nodes.
    in_.expect("->");
    if (in_.accept("(")) {
      while (in_.ok() && !in_.peek(")")) {
        parse_tensor_type(in_);
        if (!in_.accept(",")) break;
      }
      in_.expect(")");
    } else {
      parse_tensor_type(in_);
    }
    in_.expect("{");
    in_.expect_line_end();
  }

  std::string new_name() {
    in_.expect("%");
    std::string name(in_.word());
    if (name.empty()) in_.fail("expected a name after `%`");
    if (ids_.contains(name)) in_.fail(fmt::format("`%{}` is defined twice", name));
    return name;
  }

  void define(const std::string& name, NodeId id) {
    if (in_.ok()) ids_.emplace(name, id);
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
    while (in_.ok() && !in_.peek(":") && !in_.at_line_end()) {
      arguments.push_back(named_argument());
      if (!in_.accept(",")) break;
    }
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
    define(name, graph_.add_call(name, Name(target), std::move(arguments), std::move(types),
                                 std::move(origins)));
  }

  /// The dtype stands behind the elements, so they are read twice.
  void constant(const std::string& name) {
    TextCursor ahead = in_;
    parse_constant(ahead, DType::kFloat64);
    ahead.expect(":");
    TensorType type = parse_tensor_type(ahead);
    std::vector<std::byte> data = parse_constant(in_, type.dtype);
    in_.expect(":");
    parse_tensor_type(in_);
    std::vector<Span> origins = parse_origins(in_, source_);
    in_.expect_line_end();
    if (!in_.ok()) return;
    define(name, graph_.add_constant(name, type, std::move(data), std::move(origins)).node);
  }

  NamedArgument named_argument() {
    TextCursor before = in_;
    std::string_view word = in_.word();
    if (!word.empty() && in_.accept("=")) return {Name(word), argument()};
    in_ = before;
    return {Name(), argument()};
  }

  Argument argument() {
    if (in_.peek("%")) return value();
    if (in_.accept("[")) {
      Argument::List items;
      while (in_.ok() && !in_.peek("]")) {
        items.push_back(argument());
        if (!in_.accept(",")) break;
      }
      in_.expect("]");
      return items;
    }
    if (in_.peek("\"")) return in_.string().value_or("");
    std::string_view word = in_.peek_word();
    if (word == "None") return in_.word(), Argument();
    if (word == "True") return in_.word(), Argument(true);
    if (word == "False") return in_.word(), Argument(false);
    if (word == "cpu" || word == "cuda") return device();
    if (auto dtype = find_dtype(word)) return in_.word(), Argument(*dtype);
    TextCursor before = in_;
    if (auto number = in_.number(); number && number->is_float) return number->real;
    if (!in_.ok()) return {};
    in_ = before;
    return parse_symint(in_);
  }

  Argument device() {
    std::string text(in_.word());
    if (in_.accept(":")) {
      auto number = in_.number();
      text += fmt::format(":{}", number ? number->integer : 0);
    }
    auto device = parse_device(text);
    if (!device) in_.fail(fmt::format("`{}` is no device", text));
    return device.value_or(Device());
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
      if (value.output >= graph_[value.node].outputs.size())
        in_.fail(fmt::format("`%{}` has no output {}", name, value.output));
    }
    return value;
  }

  TextCursor in_;
  SourceId source_;
  Graph graph_;
  std::unordered_map<std::string, NodeId> ids_;
};

}  // namespace

Result<Graph> parse_graph(std::string_view text, SourceId origin_source) {
  return GraphParser(text, origin_source).parse();
}

}  // namespace glint
