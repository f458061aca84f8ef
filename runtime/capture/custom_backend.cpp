// Backends written in the script: the graph becomes a `torch.fx.GraphModule`, the script's function
// gets it with the example inputs, and what it returns is called at each hit.

#include <fmt/format.h>

#include <algorithm>

#include "ops/op.h"
#include "passes/operators.h"
#include "runtime/capture/executable.h"
#include "runtime/capture/runner.h"
#include "runtime/interpreter/containers.h"
#include "runtime/interpreter/protocol.h"
#include "runtime/interpreter/torch_operators.h"
#include "runtime/interpreter/torch_values.h"

namespace glint::capture {

using namespace runtime;  // NOLINT: the interpreter's object structs, by their names
using runtime::Value;

namespace {

class CallableExecutable final : public Executable {
 public:
  CallableExecutable(Interpreter& interpreter, uint32_t& marked_calls, Value callable,
                     std::vector<SymInt> sizes, size_t outputs)
      : interpreter_(interpreter),
        marked_calls_(marked_calls),
        callable_(std::move(callable)),
        sizes_(std::move(sizes)),
        count_(outputs) {}

  RunStatus run(std::span<const RunInput> inputs, std::span<const int64_t> symbols,
                std::vector<Tensor>& outputs) override {
    std::vector<Value> arguments;
    for (SymInt size : sizes_) arguments.push_back(Value(size.evaluate(symbols)));
    for (const RunInput& input : inputs) {
      const auto* number = static_cast<const double*>(input.number);
      arguments.push_back(number ? Value(*number) : Value(input.tensor));
    }
    // With every call compiled, a backend would be given graphs of itself.
    UnderWay marked(marked_calls_);
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
  uint32_t& marked_calls_;
  Value callable_;
  std::vector<SymInt> sizes_;  ///< ints that the graph takes before its tensors
  size_t count_;
};

/// Graph nodes as objects of library/torch/fx.py. Every target is something that runs: the
/// operator's function or method in the language, indexing, or a native that only graphs know.
///
///     %slice = slice %x, dim=1, start=1     getitem = operator.getitem(x, (slice(None), slice(1)))
///     %max = max %x, dim=1                  max_1 = torch.max(x, dim=1); max_1[0]; max_1[1]
class GraphModuleWriter {
 public:
  /// `device`: where the graph's tensors are, which its nodes do not name.
  GraphModuleWriter(Interpreter& interpreter, const Graph& graph, Device device)
      : in_(interpreter), graph_(graph), device_(device) {}

  /// Undefined if something raised.
  Value write() {
    Value fx = in_.import_module("torch.fx");
    if (fx.is_undefined() || !import_modules()) return Value();
    made_ = in_.call_method(fx, "Graph");
    if (made_.is_undefined()) return Value();
    collect_uses();
    if (!write_sizes()) return Value();
    for (const Node& node : graph_.nodes) {
      if (!write_node(node)) return Value();
    }
    std::vector<Value> outputs;
    for (const glint::Value& output : graph_.outputs) outputs.push_back(at(output));
    if (in_.call_method(made_, "output", {Value(make_tuple(std::move(outputs)))}).is_undefined())
      return Value();
    return in_.call_method(fx, "GraphModule", {Value::none(), made_});
  }

  /// The symbolic ints that the graph's calls take, in the order of their placeholders.
  const std::vector<SymInt>& sizes() const { return sizes_; }

 private:
  bool import_modules() {
    torch_ = in_.import_module("torch");
    functional_ = in_.import_module("torch.nn.functional");
    Value operators = in_.import_module("operator");
    if (operators.defined()) getitem_ = get_attribute(in_, operators, "getitem");
    return torch_.defined() && functional_.defined() && getitem_.defined();
  }

  /// Which symbolic ints the calls take, and which outputs of each node anything takes.
  void collect_uses() {
    for (const Node& node : graph_.nodes) used_.emplace_back(node.outputs.size(), false);
    for (const Node& node : graph_.nodes) {
      for (const NamedArgument& argument : node.arguments) {
        collect_sizes(argument.value);
        for_each_value(argument.value, [&](const glint::Value& value) { mark_used(value); });
      }
    }
    for (const glint::Value& output : graph_.outputs) mark_used(output);
  }

  void mark_used(const glint::Value& value) { used_[index(value.node)][value.output] = true; }

  void collect_sizes(const Argument& argument) {
    if (argument.is_list()) {
      for (const Argument& item : argument.list()) collect_sizes(item);
    } else if (const SymInt* size = argument.get_if<SymInt>()) {
      bool known = size->is_constant() || std::ranges::find(sizes_, *size) != sizes_.end();
      if (!known) sizes_.push_back(*size);
    }
  }

  /// A placeholder for each symbolic int; false if something raised.
  bool write_sizes() {
    for (size_t i = 0; i < sizes_.size(); ++i) {
      std::string name = sizes_[i].maybe_symbol() ? sizes_[i].text() : fmt::format("size_{}", i);
      size_nodes_.push_back(in_.call_method(made_, "placeholder", {Value(make_str(name))}));
      if (size_nodes_.back().is_undefined()) return false;
    }
    return true;
  }

  /// One node, and behind a call that gives a tuple one for each part that is used; false if
  /// something raised.
  bool write_node(const Node& node) {
    const std::vector<bool>& used = used_[nodes_.size()];
    std::vector<Value>& parts = nodes_.emplace_back(node.outputs.size());
    if (node.kind == NodeKind::kParameter) {
      parts[0] = in_.call_method(made_, "placeholder", {Value(make_str(node.name))});
      return parts[0].defined();
    }
    if (node.kind == NodeKind::kConstant) {
      parts[0] = constant_node(node);
      return parts[0].defined();
    }
    const ops::OpEntry& entry = *ops::find_op(node.target.text());
    Value call = call_node(node, entry);
    if (call.is_undefined()) return false;
    if (!gives_tuple(node, entry)) {
      parts[0] = call;
      return true;
    }
    for (size_t i = 0; i < parts.size(); ++i) {
      if (!used[i]) continue;
      parts[i] = function_node(getitem_, {call, Value(static_cast<int64_t>(i))});
      if (parts[i].is_undefined()) return false;
    }
    return true;
  }

  static bool gives_tuple(const Node& node, const ops::OpEntry& entry) {
    return node.outputs.size() > 1 || entry.output_form == ops::OutputForm::kTuple ||
           entry.output_form == ops::OutputForm::kList;
  }

  Value function_node(const Value& function, std::vector<Value> arguments,
                      Ref<DictObject> keywords = make_ref<DictObject>()) {
    Value tuple(make_tuple(std::move(arguments)));
    return in_.call_method(made_, "call_function", {function, tuple, Value(std::move(keywords))});
  }

  /// `torch.tensor([1.0, 2.0], dtype=torch.float32)`
  Value constant_node(const Node& node) {
    std::vector<int64_t> sizes;
    for (SymInt size : node.outputs[0].sizes) sizes.push_back(size.constant());
    Tensor tensor = Tensor::empty(IntSpan(sizes.data(), sizes.size()), node.outputs[0].dtype);
    std::ranges::copy(node.data, tensor.raw_data());
    auto keywords = make_ref<DictObject>();
    keywords->table.set(intern("dtype").get(), dtype_value(tensor.dtype()));
    name_device(*keywords);
    return function_node(get_attribute(in_, torch_, "tensor"), {tensor_to_list(in_, tensor)},
                         std::move(keywords));
  }

  /// `device='cuda:0'`, for what is made there.
  void name_device(DictObject& keywords) const {
    if (!device_.is_cpu())
      keywords.table.set(intern("device").get(), from_argument(ops::Argument(device_)));
  }

  static bool takes_device(const ops::OpEntry& entry) {
    return std::ranges::any_of(
        ops::signature(entry).parameters, [](const ops::Parameter& parameter) {
          return parameter.name == "device" && (parameter.types & ops::kTakesDevice);
        });
  }

  Value call_node(const Node& node, const ops::OpEntry& entry) {
    std::string_view name = entry.name;
    if (name == "slice" || name == "select" || name == "index") return getitem_node(node, name);
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
    if (takes_device(entry)) name_device(*keywords);
    Value function = public_function(torch_, entry.torch, entry);
    if (function.is_undefined()) function = public_function(functional_, entry.functional, entry);
    // Of the method's many forms graphs hold the one with a dtype, an entry of its own.
    std::string method(name == "to" ? name : first_word(entry.method));
    if (function.is_undefined() && !method.empty()) {
      Value tuple(make_tuple(std::move(arguments)));
      return in_.call_method(made_, "call_method",
                             {Value(make_str(method)), tuple, Value(keywords)});
    }
    if (function.is_undefined()) function = private_function(entry);
    return function_node(function, std::move(arguments), std::move(keywords));
  }

  static std::string_view first_word(std::string_view names) {
    return names.substr(0, names.find(' '));
  }

  /// `torch.relu`, if a module has the operator under the first of these names, and nothing else
  /// (`torch.double` is a dtype). Undefined otherwise.
  Value public_function(const Value& module, std::string_view names, const ops::OpEntry& entry) {
    if (names.empty()) return Value();
    Value found = get_attribute(in_, module, std::string(first_word(names)));
    if (found.is_undefined()) in_.take_pending();
    const auto* native = found.try_as<NativeFunctionObject>();
    return native && operator_of(*native) == &entry ? found : Value();
  }

  /// For operators that scripts reach only through others: `glint.wrap_index`.
  static Value private_function(const ops::OpEntry& entry) {
    Ref<NativeFunctionObject> native = make_operator(entry.name, entry, false);
    native->module_name = "glint";
    return Value(std::move(native));
  }

  /// `slice`, `select` and `index` as the indexing that they come from.
  Value getitem_node(const Node& node, std::string_view name) {
    std::vector<Argument> bound = passes::bound_arguments(node);
    std::vector<Value> key;
    if (name == "index") {
      // None stands for a dimension that is taken whole.
      for (const Argument& item : bound[1].list())
        key.push_back(item.is_none() ? whole() : python_value(item));
    } else {
      int64_t dim = bound[1].get_if<SymInt>()->constant();
      if (dim < 0) dim += static_cast<int64_t>(graph_.type(bound[0].tensor()).sizes.size());
      key.assign(static_cast<size_t>(dim), whole());
      key.push_back(name == "select" ? python_value(bound[2]) : slice_part(bound));
    }
    Value only = key.size() == 1 ? key[0] : Value(make_tuple(std::move(key)));
    return function_node(getitem_, {at(bound[0].tensor()), only});
  }

  Value slice_part(const std::vector<Argument>& bound) {
    bool every = bound[4] == Argument(1);
    return slice(python_value(bound[2]), python_value(bound[3]),
                 every ? Value::none() : python_value(bound[4]));
  }

  static Value whole() { return slice(Value::none(), Value::none(), Value::none()); }

  static Value slice(Value start, Value stop, Value step) {
    return Value(make_ref<SliceObject>(std::move(start), std::move(stop), std::move(step)));
  }

  const Value& at(const glint::Value& value) const {
    return nodes_[index(value.node)][value.output];
  }

  Value python_value(const Argument& argument) {
    if (const glint::Value* value = argument.get_if<glint::Value>()) return at(*value);
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
  Device device_;
  Value torch_, functional_, getitem_;
  Value made_;                             ///< the `torch.fx.Graph`
  std::vector<std::vector<bool>> used_;    ///< of each node's outputs
  std::vector<std::vector<Value>> nodes_;  ///< what stands for each node's outputs
  std::vector<SymInt> sizes_;
  std::vector<Value> size_nodes_;
};

}  // namespace

Value Runner::graph_module(const Graph& graph, const Trace& trace) {
  TracerScope untraced(interpreter_, nullptr);
  UnderWay marked(marked_calls_);
  return GraphModuleWriter(interpreter_, graph, trace.made().device.value_or(Device::cpu()))
      .write();
}

std::unique_ptr<Executable> Runner::custom_executable(CompileRecord& record, const Graph& graph,
                                                      Trace& trace) {
  TracerScope untraced(interpreter_, nullptr);
  UnderWay marked(marked_calls_);
  std::unique_ptr<Executable> made;
  GraphModuleWriter writer(interpreter_, graph, trace.made().device.value_or(Device::cpu()));
  Value module = writer.write();
  if (module.defined()) {
    std::vector<Value> examples;
    for (SymInt size : writer.sizes()) examples.push_back(Value(trace.shapes().hint(size)));
    for (const Tensor& input : trace.made().inputs) examples.push_back(Value(input.ref()));
    for (uint32_t step : trace.made().numbers) examples.push_back(trace.floats().hints()[step]);
    Value callable = interpreter_.call(record.options.custom_backend,
                                       {module, Value(make_list(std::move(examples)))});
    if (callable.defined() && !is_callable(callable))
      interpreter_.raise("AssertionError", "compiler_fn did not return callable");
    else if (callable.defined())
      made = std::make_unique<CallableExecutable>(interpreter_, marked_calls_, callable,
                                                  writer.sizes(), graph.outputs.size());
  }
  return made;
}

}  // namespace glint::capture
