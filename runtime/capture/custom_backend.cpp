// Backends written in the script: the graph becomes a `torch.fx.GraphModule`, the script's function
// gets it with the example inputs, and what it returns is called at each hit.

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
  CallableExecutable(Interpreter& interpreter, Value callable, size_t outputs)
      : interpreter_(interpreter), callable_(std::move(callable)), count_(outputs) {}

  RunStatus run(std::span<const RunInput> inputs, std::span<const int64_t>,
                std::vector<Tensor>& outputs) override {
    std::vector<Value> arguments;
    for (const RunInput& input : inputs) arguments.push_back(Value(input.tensor));
    Value result = interpreter_.call(callable_, arguments);
    if (result.is_undefined()) return "the backend's function raised";
    outputs.clear();
    const std::vector<Value>* items = result.is<TupleObject>()  ? &result.as<TupleObject>()->items
                                      : result.is<ListObject>() ? &result.as<ListObject>()->items
                                                                : nullptr;
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
    for (size_t i = 0; i < graph_.nodes.size(); ++i) {
      const Node& node = graph_.nodes[i];
      if (node.kind == NodeKind::kParameter) {
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

 private:
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
    if (argument.is_list()) {
      std::vector<Value> items;
      for (const Argument& item : argument.list()) items.push_back(python_value(item));
      return Value(make_list(std::move(items)));
    }
    ops::Argument eager;
    std::visit(
        [&](const auto& each) {
          using T = std::decay_t<decltype(each)>;
          if constexpr (std::is_same_v<T, SymInt>) {
            eager.value = SymInt(each.hint());
          } else if constexpr (!std::is_same_v<T, glint::Value> &&
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
};

}  // namespace

std::unique_ptr<Executable> Runner::custom_executable(CompileRecord& record, const Graph& graph,
                                                      Trace& trace) {
  Tracer* before = interpreter_.tracer();
  interpreter_.set_tracer(nullptr);
  std::unique_ptr<Executable> made;
  Value module = GraphModuleWriter(interpreter_, graph).write();
  if (module.defined()) {
    std::vector<Value> examples;
    for (const Tensor& input : trace.inputs()) examples.push_back(Value(input.ref()));
    Value callable = interpreter_.call(record.options.custom_backend,
                                       {module, Value(make_list(std::move(examples)))});
    if (callable.defined())
      made = std::make_unique<CallableExecutable>(interpreter_, callable, graph.outputs.size());
  }
  interpreter_.set_tracer(before);
  return made;
}

}  // namespace glint::capture
