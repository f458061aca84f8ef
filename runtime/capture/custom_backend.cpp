// Backends written in the script: the graph becomes a `torch.fx.GraphModule`, the script's function
// gets it with the example inputs, and what it returns is called at each hit.

#include <fmt/format.h>

#include <algorithm>

#include "ops/op.h"
#include "runtime/capture/executable.h"
#include "runtime/capture/runner.h"
#include "runtime/interpreter/protocol.h"
#include "runtime/interpreter/torch_values.h"

namespace glint::capture {

using namespace runtime;  // NOLINT: the interpreter's object structs, by their names
using runtime::Value;

namespace {

class CallableExecutable final : public Executable {
 public:
  CallableExecutable(Interpreter& interpreter, Value callable, std::vector<SymInt> sizes,
                     size_t outputs)
      : interpreter_(interpreter),
        callable_(std::move(callable)),
        sizes_(std::move(sizes)),
        count_(outputs) {}

  RunStatus run(std::span<const RunInput> inputs, std::span<const int64_t> symbols,
                std::vector<Tensor>& outputs) override {
    std::vector<Value> arguments;
    for (SymInt size : sizes_) arguments.push_back(Value(size.evaluate(symbols)));
    for (const RunInput& input : inputs) arguments.push_back(Value(input.tensor));
    Value result = interpreter_.call(callable_, arguments);
    if (result.is_undefined()) return "the backend's function raised";
    outputs.clear();
    const std::vector<Value>* items = items_of(result);
    for (size_t i = 0; items && i < items->size(); ++i) {
      if ((*items)[i].is(kTensorKind)) outputs.push_back(tensor_of((*items)[i]));
    }
    if (outputs.size() == count_) return std::nullopt;
    interpreter_.raise(
        "TypeError",
        "the backend's function must return a tuple with one tensor for each output of the graph");
    return "the backend's function returned something else";
  }
  bool runs_script() const override { return true; }

 private:
  Interpreter& interpreter_;
  Value callable_;
  std::vector<SymInt> sizes_;  ///< ints that the graph takes before its tensors
  size_t count_;
};

/// Graph nodes as objects of library/torch/fx.py.
class GraphModuleWriter {
 public:
  GraphModuleWriter(Interpreter& interpreter, const Graph& graph)
      : in_(interpreter), graph_(graph) {}

  /// Undefined if something raised.
  Value write() {
    Value fx = in_.import_module("torch.fx");
    Value torch = in_.import_module("torch");
    if (fx.is_undefined() || torch.is_undefined()) return Value();
    Value made = in_.call_method(fx, "Graph");
    if (made.is_undefined()) return Value();
    nodes_.resize(graph_.nodes.size());
    if (!write_sizes(made)) return Value();
    for (size_t i = 0; i < graph_.nodes.size(); ++i) {
      const Node& node = graph_.nodes[i];
      if (node.kind == NodeKind::kConstant) {
        nodes_[i] = constant_node(made, torch, node);
      } else if (node.kind == NodeKind::kParameter) {
        nodes_[i] = in_.call_method(made, "placeholder", {Value(make_str(node.name))});
      } else {
        nodes_[i] = call_node(made, torch, node);
      }
      if (nodes_[i].is_undefined()) return Value();
    }
    std::vector<Value> outputs;
    for (const glint::Value& output : graph_.outputs) outputs.push_back(nodes_[index(output.node)]);
    if (in_.call_method(made, "output", {Value(make_tuple(std::move(outputs)))}).is_undefined())
      return Value();
    return in_.call_method(fx, "GraphModule", {Value::none(), made});
  }

  /// The symbolic ints that the graph's calls take, in the order of their placeholders.
  const std::vector<SymInt>& sizes() const { return sizes_; }

 private:
  /// A placeholder for each symbolic int; false if something raised.
  bool write_sizes(const Value& made) {
    for (const Node& node : graph_.nodes) {
      for (const NamedArgument& argument : node.arguments) collect_sizes(argument.value);
    }
    for (size_t i = 0; i < sizes_.size(); ++i) {
      std::string name = sizes_[i].maybe_symbol() ? sizes_[i].text() : fmt::format("size_{}", i);
      size_nodes_.push_back(in_.call_method(made, "placeholder", {Value(make_str(name))}));
      if (size_nodes_.back().is_undefined()) return false;
    }
    return true;
  }

  void collect_sizes(const Argument& argument) {
    if (argument.is_list()) {
      for (const Argument& item : argument.list()) collect_sizes(item);
    } else if (const SymInt* size = argument.get_if<SymInt>()) {
      bool known = size->is_constant() || std::ranges::find(sizes_, *size) != sizes_.end();
      if (!known) sizes_.push_back(*size);
    }
  }

  /// `torch.tensor([1.0, 2.0], dtype=torch.float32)`
  Value constant_node(const Value& made, const Value& torch, const Node& node) {
    std::vector<int64_t> sizes;
    for (SymInt size : node.outputs[0].sizes) sizes.push_back(size.constant());
    Tensor tensor = Tensor::empty(IntSpan(sizes.data(), sizes.size()), node.outputs[0].dtype);
    std::ranges::copy(node.data, tensor.raw_data());
    auto keywords = make_ref<DictObject>();
    keywords->table.set(intern("dtype").get(), dtype_value(tensor.dtype()));
    Value tuple(make_tuple({tensor_to_list(in_, tensor)}));
    return in_.call_method(made, "call_function",
                           {get_attribute(in_, torch, "tensor"), tuple, Value(keywords)});
  }

  Value call_node(const Value& made, const Value& torch, const Node& node) {
    const ops::OpEntry* entry = ops::find_op(node.target.text());
    std::string python = ops::signature(*entry).name;
    Value function = get_attribute(in_, torch, python);
    std::vector<Value> arguments;
    auto keywords = make_ref<DictObject>();
    bool positional = true;
    for (const NamedArgument& argument : node.arguments) {
      Value value = python_value(argument.value);
      positional = positional && argument.name.empty();
      if (positional)
        arguments.push_back(std::move(value));
      else
        keywords->table.set(intern(argument.name.text()).get(), std::move(value));
    }
    Value tuple(make_tuple(std::move(arguments)));
    if (function.is_undefined()) {
      in_.take_pending();
      return in_.call_method(made, "call_method",
                             {Value(make_str(python)), tuple, Value(keywords)});
    }
    return in_.call_method(made, "call_function", {function, tuple, Value(keywords)});
  }

  Value python_value(const Argument& argument) {
    if (const glint::Value* value = argument.get_if<glint::Value>())
      return nodes_[index(value->node)];
    if (const SymInt* size = argument.get_if<SymInt>(); size && !size->is_constant())
      return size_nodes_[static_cast<size_t>(std::ranges::find(sizes_, *size) - sizes_.begin())];
    if (argument.is_list()) {
      std::vector<Value> items;
      for (const Argument& item : argument.list()) items.push_back(python_value(item));
      return Value(make_list(std::move(items)));
    }
    ops::Argument eager;
    std::visit(
        [&](const auto& each) {
          using T = std::decay_t<decltype(each)>;
          if constexpr (!std::is_same_v<T, glint::Value> &&
                        !std::is_same_v<T, BasicArgumentList<glint::Value>>) {
            eager.value = each;
          }
        },
        argument.value);
    return from_argument(eager);
  }

  Interpreter& in_;
  const Graph& graph_;
  std::vector<Value> nodes_;
  std::vector<SymInt> sizes_;
  std::vector<Value> size_nodes_;
};

}  // namespace

std::unique_ptr<Executable> Runner::custom_executable(CompileRecord& record, const Graph& graph,
                                                      Trace& trace) {
  TracerScope untraced(interpreter_, nullptr);
  std::unique_ptr<Executable> made;
  GraphModuleWriter writer(interpreter_, graph);
  Value module = writer.write();
  if (module.defined()) {
    std::vector<Value> examples;
    for (SymInt size : writer.sizes()) examples.push_back(Value(trace.shapes().hint(size)));
    for (const Tensor& input : trace.inputs()) examples.push_back(Value(input.ref()));
    Value callable = interpreter_.call(record.options.custom_backend,
                                       {module, Value(make_list(std::move(examples)))});
    if (callable.defined())
      made = std::make_unique<CallableExecutable>(interpreter_, callable, writer.sizes(),
                                                  graph.outputs.size());
  }
  return made;
}

}  // namespace glint::capture
