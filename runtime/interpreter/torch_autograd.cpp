// Gradients as scripts see them: `requires_grad`, `grad`, `grad_fn`, `backward`, and what
// library/torch/autograd is made of.
#include "runtime/interpreter/torch_autograd.h"

#include <map>
#include "core/tensor/copy.h"
#include "core/tensor/grad_mode.h"
#include "core/tensor/show_memory.h"
#include "core/tensor/views.h"
#include "ops/gradient.h"
#include "ops/layout.h"
#include "runtime/autograd/engine.h"
#include "runtime/interpreter/protocol.h"
#include "runtime/interpreter/recorded_calls.h"
#include "runtime/interpreter/tensor_attributes.h"

namespace glint::runtime {
namespace {

constexpr Effects kBackward{.impure = true, .differentiates = true};
constexpr Effects kMeta{.pure = true, .reads_value = true};
constexpr Effects kMode{.pure = true, .reads_value = true, .reads_grad_mode = true};
constexpr Effects kKind{.pure = true, .reads_value = true, .spares_sizes = true};

Tensor self_of(NativeCall& call) {
  return tensor_of(call[0]);
}

// ---- requires_grad -----------------------------------------------------------------------------

bool set_requires_grad(NativeCall& call) {
  int wanted = truth(call.interpreter, call[1]);
  if (wanted < 0) return false;
  Tensor self = self_of(call);
  if (wanted == 1 && !is_floating(self.dtype())) {
    // PyTorch's method and its property say it differently.
    bool assigned = call.function->signature.name == "requires_grad";
    call.raise("RuntimeError", fmt::format("only Tensors of floating point {}dtype can require "
                                           "gradients",
                                           assigned ? "and complex " : ""));
    return false;
  }
  if (wanted == 1 && !may_require_grad(call, self)) return false;
  if (!autograd::is_leaf(self)) {
    if (wanted == 1) return true;
    call.raise("RuntimeError",
               "you can only change requires_grad flags of leaf variables. If you want to use a "
               "computed variable in a subgraph that doesn't require differentiation use "
               "var_no_grad = var.detach().");
    return false;
  }
  autograd::set_requires_grad(self, wanted == 1);
  return true;
}

Value get_requires_grad(NativeCall& call) {
  return Value(self_of(call).requires_grad());
}
Value put_requires_grad(NativeCall& call) {
  return set_requires_grad(call) ? Value::none() : Value();
}
Value tensor_set_requires_grad(NativeCall& call) {
  return set_requires_grad(call) ? call[0] : Value();
}
Value tensor_is_inference(NativeCall& call) {
  return Value(self_of(call)->inference);
}
Value tensor_is_leaf(NativeCall& call) {
  return Value(!autograd::node_of(self_of(call)));
}

// ---- grad --------------------------------------------------------------------------------------

Value get_grad(NativeCall& call) {
  autograd::AutogradMeta* meta = autograd::meta_of(self_of(call));
  return meta ? value_of(meta->gradient) : Value::none();
}

/// A dtype as PyTorch's C++ calls it: the type of an element, and the name among ScalarTypes.
std::string_view c_type_name(DType dtype) {
  static constexpr std::string_view kNames[] = {
      "bool", "unsigned char", "signed char",   "short int", "int",
      "long", "c10::Half",     "c10::BFloat16", "float",     "double"};
  return kNames[static_cast<size_t>(dtype)];
}

Value delete_grad(NativeCall& call) {
  if (autograd::AutogradMeta* meta = autograd::meta_of(self_of(call))) meta->gradient = Tensor();
  return Value::none();
}
Value put_grad(NativeCall& call) {
  Tensor self = self_of(call);
  if (call[1].is_none()) return delete_grad(call);
  if (!is_tensor(call[1]))
    return call.raise("TypeError",
                      fmt::format("assigned grad expected to be a Tensor or None but got grad of "
                                  "type {}",
                                  type_name(call[1])));
  Tensor gradient = tensor_of(call[1]);
  if (gradient.is_same(self))
    return call.raise("RuntimeError", "can't assign Variable as its own grad");
  if (!(gradient->sizes == self->sizes))
    return call.raise(
        "RuntimeError",
        fmt::format("attempting to assign a gradient of size '[{}]' to a tensor of "
                    "size '[{}]'. Please ensure that the gradient and the tensor are "
                    "the same size",
                    fmt::join(gradient.sizes(), ", "), fmt::join(self.sizes(), ", ")));
  if (gradient.dtype() != self.dtype())
    return call.raise(
        "RuntimeError",
        fmt::format("attempting to assign a gradient with dtype '{}' to a tensor with grad_dtype "
                    "'{}'. The gradient must match the tensor's grad_dtype (defaults to the "
                    "tensor's dtype). You can set the tensor's grad_dtype attribute with a "
                    "specific dtype, or None to allow any dtype. Set grad_dtype with caution. "
                    "Diverging the dtypes of a tensor and its gradient may break downstream "
                    "systems that assume they match.",
                    c_type_name(gradient.dtype()), ops::scalar_type_name(self.dtype())));
  if (gradient.device().type != self.device().type)
    return call.raise("RuntimeError", "assigned grad has data located on a different device");
  autograd::make_meta(self).gradient = gradient;
  return Value::none();
}

Value tensor_retain_grad(NativeCall& call) {
  Tensor self = self_of(call);
  if (!self.requires_grad())
    return call.raise("RuntimeError", "can't retain_grad on Tensor that has requires_grad=False");
  autograd::retain_gradient(self);
  return begin_to_watch(call.interpreter, self) ? Value::none() : Value();
}
Value tensor_retains_grad(NativeCall& call) {
  autograd::AutogradMeta* meta = autograd::meta_of(self_of(call));
  return Value(meta && meta->retains_gradient);
}
Value tensor_output_nr(NativeCall& call) {
  return int_value(autograd::output_number(self_of(call)));
}
Value tensor_base(NativeCall& call) {
  return self_of(call)->base ? Value(self_of(call)->base) : Value::none();
}

Value tensor_is_view(NativeCall& call) {
  return Value(self_of(call)->base.get() != nullptr);
}

/// `x.detach_()`: the same tensor, from now on a leaf.
Value tensor_detach_in_place(NativeCall& call) {
  Tensor self = self_of(call);
  if (self->base)
    return call.raise(
        "RuntimeError",
        "Can't detach views in-place. Use detach() instead. If you are using "
        "DistributedDataParallel (DDP) for training, and gradient_as_bucket_view is "
        "set as True, gradients are views of DDP buckets, and hence detach_() cannot "
        "be called on these gradients. To fix this error, please refer to the "
        "Optimizer.zero_grad() function in torch/optim/optimizer.py as the solution.");
  autograd::forget_history(self);
  return call[0];
}

Value get_data(NativeCall& call) {
  Tensor tensor = self_of(call);
  if (tensor.is_pending() && !call.interpreter.demand_value(tensor)) return Value();
  Tensor data = alias(tensor);
  data->writes = make_ref<WriteCounter>();
  return value_of(data);
}
Value put_data(NativeCall& call) {
  if (!is_tensor(call[1]))
    return call.raise("TypeError", fmt::format("Variable data has to be a tensor, but got {}",
                                               type_name(call[1])));
  Tensor self = self_of(call);
  Tensor other = tensor_of(call[1]);
  if (self.requires_grad() && !is_floating(other.dtype()))
    return call.raise("RuntimeError",
                      "data set to a tensor that requires gradients must be floating point or "
                      "complex dtype");
  if (!call.interpreter.demand_value(other)) return Value();
  // Neither `x.data += 1` nor new memory changes how often x itself was written.
  Ref<WriteCounter> writes = self->writes;
  if (!writes) {
    writes = make_ref<WriteCounter>();
    writes->version = self.version();
  }
  if (self.dtype() != other.dtype() || self.device() != other.device())
    autograd::forget_accumulator(self);
  show_memory(self.impl(), other.impl());
  self->writes = std::move(writes);
  return Value::none();
}

/// The same memory in another object, which begins with the attributes that the first one has.
Value tensor_copy(NativeCall& call) {
  Tensor self = self_of(call);
  if (!call.interpreter.demand_value(self)) return Value();
  Tensor made = Tensor::view_of(self, self.sizes(), self.strides(), self.offset());
  made->is_parameter = self->is_parameter;
  made->inference = self->inference;
  autograd::set_requires_grad(made, self.requires_grad());
  Value copy = value_of(made);
  if (DictObject* own = own_attributes(call[0], false))
    for (const auto& entry : own->table.entries())
      if (entry.key.defined()) own_attributes(copy, true)->table.set(entry.key, entry.value);
  return copy;
}

/// Copies of the gradient and the attributes too; a parameter's stay behind.
bool copy_attributes(NativeCall& call, const Value& made) {
  Tensor self = self_of(call);
  if (self->is_parameter) return true;
  autograd::AutogradMeta* meta = autograd::meta_of(self);
  if (meta && meta->gradient.defined())
    autograd::make_meta(tensor_of(made)).gradient = clone(meta->gradient);
  DictObject* own = own_attributes(call[0], false);
  if (!own) return true;
  Value module = call.interpreter.import_module("copy");
  auto* library = module.try_as<ModuleObject>();
  Value* deepcopy = library ? library->dict->find("deepcopy") : nullptr;
  if (!deepcopy) return false;
  Value copies = call.interpreter.call(*deepcopy, {Value(Ref<DictObject>(own)), call[1]});
  return copies.defined() && set_attribute(call.interpreter, made, "__dict__", copies);
}

/// A copy of the tensor's memory: one for all tensors in that memory which the same `deepcopy`
/// meets, as its `memo` remembers.
Tensor copied_memory(NativeCall& call, const Tensor& self) {
  auto* memo = call[1].try_as<DictObject>();
  const auto key = static_cast<int64_t>(reinterpret_cast<uintptr_t>(self.storage().get()));
  if (Value* known = memo ? memo->table.find(key) : nullptr)
    return tensor_of(known->as<TupleObject>()->items[0]);
  const auto count = static_cast<int64_t>(self.storage()->bytes() / self.element_size());
  Tensor memory = clone(Tensor::view_of(self, {count}, {1}, 0));
  // The original is kept too: its address must not be given to another storage meanwhile.
  if (memo) memo->table.set(Value(key), Value(make_tuple({value_of(memory), call[0]})));
  return memory;
}

/// `copy.deepcopy(tensor)`; a parameter stays one.
Value tensor_deepcopy(NativeCall& call) {
  Tensor self = self_of(call);
  if (!call.interpreter.demand_value(self)) return Value();
  if (!autograd::is_leaf(self))
    return call.raise(
        "RuntimeError",
        "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol "
        "at the moment.  If you were attempting to deepcopy a module, this may be because of a "
        "torch.nn.utils.weight_norm usage, see https://github.com/pytorch/pytorch/pull/103001");
  Tensor made;
  if (const Tensor memory = self->is_parameter ? Tensor() : copied_memory(call, self);
      memory.defined() && memory.dtype() == self.dtype())
    made = Tensor::view_of(memory, self.sizes(), self.strides(), self.offset());
  else  // a parameter, which has memory of its own; or a view as another type
    made = clone(self);
  made->is_parameter = self->is_parameter;
  autograd::set_requires_grad(made, self.requires_grad());
  Value copy = value_of(made);
  return copy_attributes(call, copy) ? copy : Value();
}

// ---- grad_fn -----------------------------------------------------------------------------------

struct NodeObject;

/// The objects that scripts hold for nodes, so that each node has one: `y.grad_fn is y.grad_fn`.
/// They keep their nodes alive, and strike themselves off when they die. A region's node stands for
/// several calls, one a result, and has an object for each.
std::map<std::pair<const autograd::Node*, uint32_t>, NodeObject*>& shown_nodes() {
  static auto* table = new std::map<std::pair<const autograd::Node*, uint32_t>, NodeObject*>();
  return *table;
}

struct NodeObject final : NativeDataObject {
  Ref<autograd::Node> node;
  uint32_t output;  ///< which result of a region it stands for; else 0
  NodeObject(ClassObject* of, Ref<autograd::Node> shown, uint32_t from)
      : NativeDataObject(of), node(std::move(shown)), output(from) {
    shown_nodes()[{node.get(), output}] = this;
  }
  ~NodeObject() override { shown_nodes().erase({node.get(), output}); }
  NodeObject(const NodeObject&) = delete;
  NodeObject& operator=(const NodeObject&) = delete;
};

autograd::Node& node_of(NativeCall& call) {
  return *static_cast<NodeObject*>(call[0].object())->node;
}

Value node_value(Interpreter& in, const Ref<autograd::Node>& node, uint32_t output);

std::string name_of(NativeCall& call) {
  return node_of(call).name(static_cast<NodeObject*>(call[0].object())->output);
}

Value node_name(NativeCall& call) {
  const autograd::Node& node = node_of(call);
  auto* unknown = std::get_if<autograd::NotDifferentiable>(&node.work);
  bool is_native = std::holds_alternative<autograd::AccumulateGradient>(node.work) ||
                   std::holds_alternative<autograd::CopySlices>(node.work) ||
                   (unknown && unknown->name == "NotImplemented");
  return str_value((is_native ? "torch::autograd::" : "") + name_of(call));
}

std::vector<autograd::Edge> shown_edges(const autograd::Node& node);

/// A written view's node holds that of the call which computed the part: it shows that one's edges,
/// the first of which, the view, leads to the base here.
std::vector<autograd::Edge> edges_of_write(const autograd::Node& node) {
  std::vector<autograd::Edge> shown = {node.edges[0]};
  if (!node.edges[1]) return shown;
  std::vector<autograd::Edge> part = shown_edges(*node.edges[1].node);
  if (!part.empty()) shown.insert(shown.end(), part.begin() + 1, part.end());
  return shown;
}

/// The edges that PyTorch's node has: those of inputs with a gradient rule, and behind them an
/// empty one for a number that it wraps into a tensor. `2 - x` is an operator of its own there.
std::vector<autograd::Edge> shown_edges(const autograd::Node& node) {
  auto* call = std::get_if<autograd::OperatorCall>(&node.work);
  if (std::holds_alternative<autograd::CopySlices>(node.work)) return edges_of_write(node);
  if (!call) return node.edges;
  constexpr std::string_view kWrapsNumbers[] = {"add", "subtract", "multiply", "divide"};
  std::string_view name = call->entry->name;
  bool wraps = std::ranges::count(kWrapsNumbers, name) > 0;
  std::vector<autograd::Edge> shown, numbers;
  size_t place = 0;
  const auto& parameters = ops::signature(*call->entry).parameters;
  for (size_t i = 0; i < call->arguments.size(); ++i) {
    bool has_rule = ops::find_gradient(*call->entry, parameters[i].name) != nullptr;
    size_t before = place;
    for_each_value(call->arguments[i], [&](const Tensor&) {
      if (has_rule) shown.push_back(node.edges[place]);
      ++place;
    });
    bool own_operator = i == 0 && name == "subtract";
    if (place == before && has_rule && wraps && !own_operator) numbers.emplace_back();
  }
  shown.insert(shown.end(), numbers.begin(), numbers.end());
  return shown;
}

Value node_next_functions(NativeCall& call) {
  std::vector<Value> pairs;
  for (const autograd::Edge& edge : shown_edges(node_of(call))) {
    Value next = edge ? node_value(call.interpreter, edge.node, edge.output) : Value::none();
    pairs.push_back(Value(make_tuple({std::move(next), int_value(edge.output)})));
  }
  return Value(make_tuple(std::move(pairs)));
}
Value node_variable(NativeCall& call) {
  auto* accumulate = std::get_if<autograd::AccumulateGradient>(&node_of(call).work);
  if (!accumulate)
    return call.raise("AttributeError",
                      fmt::format("'{}' object has no attribute 'variable'", name_of(call)));
  return Value(accumulate->leaf);
}
constexpr NativeDefinition kNodeMethods[] = {
    {"name(self)", node_name, kMeta, "the name"},
};

/// Whether Python sees a class that was made by `torch.autograd.Function`.
bool is_function(const autograd::Node& node) {
  auto* region = std::get_if<autograd::CompiledCall>(&node.work);
  return std::holds_alternative<autograd::CustomCall>(node.work) || (region && !region->shown_as);
}

/// A node as Python sees it: each name is a class of its own there.
Value node_value(Interpreter& in, const Ref<autograd::Node>& node, uint32_t result) {
  auto* region = std::get_if<autograd::CompiledCall>(&node->work);
  const uint32_t output = region && region->shown_as ? result : 0;
  if (auto known = shown_nodes().find({node.get(), output}); known != shown_nodes().end())
    return Value(known->second);
  std::string name = node->name(output);
  std::string key = "torch.autograd.graph." + name;
  Value* found = in.modules().find(key);
  if (!found) {
    std::string_view module = is_function(*node) ? "torch.autograd.function" : "builtins";
    Ref<ClassObject> made = in.new_class(name, in.classes().object, kNativeDataKind, module);
    in.add_methods(*made, kNodeMethods);
    in.add_property(*made, {"next_functions(self)", node_next_functions, kMeta,
                            "the nodes that gradients go to"});
    in.add_property(*made, {"variable(self)", node_variable, kMeta, "the leaf"});
    // Kept where everything that lives as long as the interpreter is kept.
    in.modules().set(key, Value(made));
    found = in.modules().find(key);
  }
  return Value(make_ref<NodeObject>(found->as<ClassObject>(), node, output));
}

Value tensor_grad_fn(NativeCall& call) {
  Ref<autograd::Node> node = autograd::node_of(self_of(call));
  if (!node) return Value::none();
  return node_value(call.interpreter, node, autograd::meta_of(self_of(call))->output);
}

// ---- Backward ----------------------------------------------------------------------------------

/// Tensors from a tensor, or a list or tuple of tensors and None (undefined); false if it raised.
bool tensors_of(NativeCall& call, const Value& value, std::vector<Tensor>& out) {
  if (!value.defined() || value.is_none()) return true;
  if (is_tensor(value)) {
    out.push_back(tensor_of(value));
    return true;
  }
  if (!value.is<ListObject>() && !value.is<TupleObject>()) {
    call.raise("TypeError", fmt::format("expected tensors, not {}", type_name(value)));
    return false;
  }
  const auto& items =
      value.is<ListObject>() ? value.as<ListObject>()->items : value.as<TupleObject>()->items;
  for (const Value& item : items) {
    if (!item.is_none() && !is_tensor(item)) {
      call.raise("TypeError", fmt::format("gradients can be either Tensors or None, but got {}",
                                          type_name(item)));
      return false;
    }
    out.push_back(item.is_none() ? Tensor() : tensor_of(item));
  }
  return true;
}

Value run_backward(NativeCall& call, std::span<const Tensor> roots,
                   std::span<const Tensor> gradients, const autograd::BackwardOptions& options) {
  InterpreterRunner runner(call.interpreter);
  try {
    std::vector<Value> results;
    for (const Tensor& gradient : autograd::run_backward(runner, roots, gradients, options))
      results.push_back(value_of(gradient));
    return Value(make_tuple(std::move(results)));
  } catch (const ops::OpError& error) {
    return raise_op_error(call.interpreter, error);
  } catch (const autograd::Interrupted&) {
    return Value();
  }
}

/// `retain_graph`, which None sets to `create_graph`.
bool keeps_graph(const Value& retain, bool creates) {
  return retain.is_bool() ? retain.as_bool() : creates;
}

/// `run_backward(roots, gradients, inputs, retain_graph, create_graph, allow_unused, accumulate)`
Value native_run_backward(NativeCall& call) {
  std::vector<Tensor> roots, gradients, inputs;
  if (!tensors_of(call, call[0], roots) || !tensors_of(call, call[1], gradients) ||
      !tensors_of(call, call[2], inputs))
    return Value();
  bool creates = call[4].is_bool() && call[4].as_bool();
  return run_backward(call, roots, gradients,
                      {.inputs = inputs,
                       .accumulates = call[6].is_bool() && call[6].as_bool(),
                       .keeps_graph = keeps_graph(call[3], creates),
                       .creates_graph = creates,
                       .allows_unused = call[5].is_bool() && call[5].as_bool(),
                       .may_be_given_up = call.interpreter.tracer() != nullptr});
}

Value tensor_backward(NativeCall& call) {
  const Tensor roots[] = {self_of(call)};
  std::vector<Tensor> gradients, inputs;
  if (!tensors_of(call, call[1], gradients) || !tensors_of(call, call[4], inputs)) return Value();
  if (call[4].defined() && !call[4].is_none() && inputs.empty())
    return call.raise("RuntimeError", "`inputs` argument to `backward()` cannot be empty.");
  bool creates = call[3].is_bool() && call[3].as_bool();
  Value done = run_backward(
      call, roots, gradients,
      {.inputs = inputs, .keeps_graph = keeps_graph(call[2], creates), .creates_graph = creates});
  return done.defined() ? Value::none() : Value();
}

constexpr NativeDefinition kProperties[] = {
    {"grad_fn(self)", tensor_grad_fn, kKind, "the node of the tape that computed it"},
    {"is_leaf(self)", tensor_is_leaf, kKind, "whether no recorded operator computed it"},
    {"retains_grad(self)", tensor_retains_grad, kMeta, "whether it keeps its gradient"},
    {"output_nr(self)", tensor_output_nr, kMeta, "which result of its node it is"},
    {"_base(self)", tensor_base, kMeta, "of a view, the tensor that it shows"},
};
struct WritableProperty {
  NativeDefinition getter, setter;
  std::optional<NativeDefinition> deleter = {};
};
constexpr WritableProperty kWritable[] = {
    {{"requires_grad(self)", get_requires_grad, kKind},
     {"requires_grad(self, value)", put_requires_grad, kImpure}},
    {{"grad(self)", get_grad, kKind},
     {"grad(self, value)", put_grad, kImpure},
     NativeDefinition{"grad(self)", delete_grad, kImpure}},
    {{"data(self)", get_data, kImpure}, {"data(self, value)", put_data, kImpure}},
};
constexpr NativeDefinition kMethods[] = {
    {"requires_grad_(self, requires_grad=True)", tensor_set_requires_grad, kImpure,
     "whether gradients are wanted"},
    {"backward(self, gradient=None, retain_graph=None, create_graph=False, inputs=None)",
     tensor_backward, kBackward, "adds the gradients of what it was computed from to their grad"},
    {"retain_grad(self)",
     tensor_retain_grad,
     {.impure = true, .watches_gradient = true},
     "keeps the gradient of a computed tensor"},
    {"is_inference(self)", tensor_is_inference, kMode, "whether it was made in inference mode"},
    {"_is_view(self)", tensor_is_view, kMeta, "whether it shows the memory of another tensor"},
    {"detach_(self)", tensor_detach_in_place, kImpure, "forgets what it was computed from"},
    {"__copy__(self)", tensor_copy, kImpure, "another tensor on the same memory"},
    {"__deepcopy__(self, memo)", tensor_deepcopy, kImpure, "a copy with memory of its own"},
};
constexpr NativeDefinition kFunctions[] = {
    {"run_backward(roots, gradients, inputs, retain_graph, create_graph, allow_unused, accumulate, "
     "/)",
     native_run_backward, kBackward, "gradients of the inputs"},
};

}  // namespace

bool may_require_grad(NativeCall& call, const Tensor& tensor) {
  if (!tensor->inference || grad_state().inference) return true;
  call.raise(
      "RuntimeError",
      "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed.");
  return false;
}

std::string gradient_suffix(const Tensor& tensor) {
  if (autograd::hides_history(tensor)) return "grad_fn=<Invalid>";
  Ref<autograd::Node> node = autograd::node_of(tensor);
  return node ? fmt::format("grad_fn=<{}>", node->name(autograd::meta_of(tensor)->output))
              : std::string();
}

void install_gradients(Interpreter& in) {
  ClassObject& cls = *in.classes().tensor;
  in.add_methods(cls, kMethods);
  for (const NativeDefinition& property : kProperties) in.add_property(cls, property);
  for (const WritableProperty& property : kWritable)
    in.add_property(cls, property.getter, &property.setter,
                    property.deleter ? &*property.deleter : nullptr);
  install_hooks(in);
}

void fill_native_gradients(Interpreter& in, ModuleObject& module) {
  in.add_functions(module, kFunctions);
  fill_native_functions(in, module);
}

}  // namespace glint::runtime
