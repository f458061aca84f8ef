// Operators and natives in a trace: what becomes a node of the graph, and what ends the region.
//
//     y = torch.relu(x)       the entry `relu` and its arguments: %relu = relu %x, y is pending
//     y.add_(1)               the same object, a new value: the graph itself is free of writes
//     time.time()             a native with an effect: the region ends before the call

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <ranges>

#include "core/tensor/accelerator.h"
#include "core/tensor/grad_mode.h"
#include "ops/call.h"
#include "ops/device_calls.h"
#include "ops/gradient.h"
#include "ops/infer.h"
#include "ops/sharing.h"
#include "passes/operators.h"
#include "runtime/capture/symbolic_value.h"
#include "runtime/capture/trace.h"
#include "runtime/interpreter/prepared.h"
#include "runtime/interpreter/protocol.h"
#include "runtime/interpreter/torch_modules.h"
#include "runtime/interpreter/torch_values.h"

namespace glint::capture {

using namespace runtime;  // NOLINT: the interpreter's object structs, by their names
using program::Opcode;
using runtime::Value;

namespace {

/// The tensors of an argument, in order.
void find_tensors(const Value& value, std::vector<Tensor>& tensors) {
  if (value.is(kTensorKind)) tensors.push_back(tensor_of(value));
  if (const std::vector<Value>* items = items_of(value))
    for (const Value& item : *items) find_tensors(item, tensors);
}

/// As eager views have it: the tape looks at it when one is written.
void set_base(const Tensor& view, const Tensor& of, const ops::OpEntry& entry) {
  if (!entry.differentiable) return;
  remember_base(view.impl(), of.impl(), autograd::version_of(of));
  record_of(view.impl())->shown = of.is_pending() ? record_of(of.impl())->shown : &of.impl();
}

bool names_device(const ops::OpEntry& entry, size_t place, const Argument& argument) {
  const bool may = ops::signature(entry).parameters[place].types & ops::kTakesDevice;
  return may && (argument.get_if<Device>() || argument.get_if<std::string>());
}

/// An argument may be the first of the program to name a GPU.
void note_named_devices(std::span<const Value> arguments) {
  for (const Value& each : arguments) {
    ops::Argument named;
    if (!accelerator_named && each.is<StrObject>()) to_argument(each, named);
  }
}

}  // namespace

// ---- tensors -----------------------------------------------------------------------------------

/// `self_layers_0_weight` of `self.layers._modules['0'].weight`.
std::string Trace::parameter_name(SourceId source) const {
  std::string text = sources_.text(source);
  // Where a module keeps what its attributes find; a script's writer does not name it.
  for (std::string_view table : {"._modules[", "._parameters[", "._buffers["})
    for (size_t at = text.find(table); at != std::string::npos; at = text.find(table, at))
      text.erase(at, table.size() - 1);
  std::string name;
  bool is_gap = false;
  for (const char c : text) {
    const bool is_letter = std::isalnum(static_cast<unsigned char>(c)) != 0;
    const bool is_part = is_letter || c == '_' || static_cast<unsigned char>(c) >= 0x80;
    if (is_part && is_gap && !name.empty()) name += '_';
    if (is_part) name += is_letter ? c : '_';
    is_gap = !is_part;
  }
  return name.empty() ? "value" : name;
}

bool Trace::graph_tensor(const Tensor& tensor, Argument& out) {
  if (TracedTensor* record = traced(tensor)) {
    out = Argument(record->value);
    return true;
  }
  if (const OutsideWrite* write = tensor_writes_.written(tensor)) {
    out = Argument(write->value);
    return true;
  }
  if (const glint::Value* parameter = made_.parameter_of(tensor)) {
    out = Argument(*parameter);
    return true;
  }
  auto source = outside_.find(&tensor.impl());
  if (source == outside_.end()) {
    return refuse_operator(
        DiagnosticId::kBreakUnsupportedValue,
        "a tensor was made inside the region by something other than an operator");
  }
  TensorType type = TensorType::tensor(tensor.dtype(), {});
  for (SymInt size : sizes_.of_tensor.at(&tensor.impl())) type.sizes.push_back(size);
  type.strides = sizes_.strides_of_tensor.at(&tensor.impl());
  std::string name = parameter_name(source->second);
  const glint::Value added =
      made_.add_parameter(tensor, source->second, name, std::move(type), places_.spans);
  made_.graph[added.node].module = modules_.of_owned(frame_, tensor);
  out = Argument(added);
  kept_.push_back(Value(tensor.ref()));
  return true;
}

bool Trace::graph_argument(const Value& value, Argument& out, int levels) {
  if (value.is(kTensorKind)) return graph_tensor(tensor_of(value), out);
  if (auto* symbolic = value.try_as<SymIntObject>()) {
    out = Argument(symbolic->value);
    return true;
  }
  if (auto* symbolic = value.try_as<SymFloatObject>()) {
    // A number among others is a constant.
    if (levels == kArgumentLevels) {
      out = Argument(number_parameter(symbolic->step));
      return true;
    }
    return graph_argument(plain(value), out, levels);
  }
  const std::vector<Value>* items = items_of(value);
  if (items && levels > 0) {
    if (!containers_.note_contents(value)) return false;
    BasicArgumentList<glint::Value> list;
    for (const Value& item : *items) {
      Argument one;
      if (!graph_argument(item, one, levels - 1)) return false;
      list.push_back(std::move(one));
    }
    out = Argument(std::move(list));
    return true;
  }
  ops::Argument eager;
  if (!to_argument(value, eager)) {
    return refuse_operator(DiagnosticId::kBreakUnsupportedValue,
                           fmt::format("an argument is a {}", type_name(value)));
  }
  std::visit(
      [&](const auto& each) {
        using T = std::decay_t<decltype(each)>;
        if constexpr (!std::is_same_v<T, Tensor> && !std::is_same_v<T, BasicArgumentList<Tensor>>) {
          out.value = each;
        }
      },
      eager.value);
  return true;
}

bool Trace::refuse_operator(DiagnosticId id, std::string detail) {
  if (!stopped_) stop(id, std::move(detail));
  return false;
}

bool Trace::call_operator(const ops::OpEntry& entry, std::span<const Value> arguments,
                          std::vector<Value>& results) {
  ++at_.index;
  // A form with `out=` writes its last argument, which ends the region.
  bool in_place = entry.functional_form && entry.effects.mutates &&
                  !std::string_view(entry.name).ends_with(".out");
  bool done = in_place ? trace_in_place(entry, arguments, results)
                       : trace_operator(entry, arguments, results);
  if (!done) interpreter_.stop_trace();
  return done;
}

bool Trace::is_at(Device device) {
  if (!device.is_cpu() && device.index < 0) device.index = 0;
  if (!made_.device && !device.is_cpu()) accelerator();  // throws where there is none
  if (!made_.device) made_.device = device;
  if (made_.device->type == device.type) return true;
  return refuse_operator(DiagnosticId::kBreakUnsupportedOperator,
                         fmt::format("the region is on {}, this is on {}", to_string(*made_.device),
                                     to_string(device)));
}

/// Whether a call leaves all tensors on the region's device. What only says where its tensor is
/// gives that tensor, as a result.
bool Trace::stays_on_device(const ops::OpEntry& entry, std::span<const Value> arguments,
                            std::vector<Value>& results) {
  std::vector<ops::Argument> given(arguments.size());
  std::vector<Tensor> tensors;
  for (size_t i = 0; i < arguments.size(); ++i) {
    to_argument(arguments[i], given[i]);
    find_tensors(arguments[i], tensors);
  }
  for (const Tensor& tensor : tensors)
    if (!is_at(tensor.device())) return false;
  try {
    if (!entry.any_device) return is_at(ops::device_of(entry, given));
    std::vector<ops::InferArgument> types = ops::infer_arguments(given);
    for (const TensorType& type : ops::infer(entry, types))
      if (!is_at(type.device)) return false;
    using Kind = ops::Sharing::Kind;
    for (const ops::Sharing& each : ops::sharing(entry, types))
      if (each.kind == Kind::kSame) results.push_back(value_of(tensors.at(each.tensor)));
  } catch (const ops::OpError& error) {
    return refuse_operator(DiagnosticId::kBreakException,
                           fmt::format("{}: {}", error.exception, error.message));
  }
  return true;
}

bool Trace::trace_operator(const ops::OpEntry& entry, std::span<const Value> arguments,
                           std::vector<Value>& results) {
  const ops::Effects& effects = entry.effects;
  auto refuse_sizes = [&] {
    return refuse_operator(DiagnosticId::kBreakUnsupportedOperator,
                           fmt::format("the sizes that `{}` gives depend on values", entry.name));
  };
  if (effects.data_dependent) return refuse_sizes();
  if (effects.synchronises)
    return refuse_operator(DiagnosticId::kBreakTensorItem,
                           fmt::format("`{}` needs the value", entry.name));
  if (effects.mutates)
    return refuse_operator(DiagnosticId::kBreakMutation,
                           fmt::format("`{}` writes a tensor", entry.name));
  std::vector<Tensor> given;
  for (const Value& value : arguments) find_tensors(value, given);
  if (grad_mode() && ops::has_gradients(entry) && !gradients_.may_record(entry, given))
    return false;
  note_named_devices(arguments);
  if (accelerator_named) {
    if (!stays_on_device(entry, arguments, results)) return false;
    if (!results.empty()) return true;
  }
  std::vector<Argument> bound;
  for (size_t i = 0; i < arguments.size(); ++i) {
    Argument argument;
    if (!graph_argument(operator_argument(entry, i, arguments), argument)) return false;
    bound.push_back(std::move(argument));
    // The whole region is on one device.
    if (accelerator_named && names_device(entry, i, bound.back())) bound.back() = Argument();
  }
  ShapeEnvironment::Scope scope(sizes_.shapes);
  try {
    if (entry.sizes_from_values &&
        entry.sizes_from_values(passes::infer_arguments(made_.graph, bound)))
      return refuse_sizes();
    using Kind = ops::Sharing::Kind;
    std::vector<ops::Sharing> sharing =
        ops::sharing(entry, passes::infer_arguments(made_.graph, bound));
    auto is_same = [](const ops::Sharing& one) { return one.kind == Kind::kSame; };
    // There is nothing to do, as in eager: the very same tensors.
    if (!sharing.empty() && std::ranges::all_of(sharing, is_same)) {
      for (const ops::Sharing& one : sharing) results.push_back(value_of(given.at(one.tensor)));
      return true;
    }
    auto is_view = [](const ops::Sharing& one) { return one.kind == Kind::kView; };
    ViewStep step;
    step.entry = &entry;
    if (std::ranges::any_of(sharing, is_view)) step.arguments = bound;
    if (made_.phase != Phase::kBackward) made_.builder.set_module(modules_.of(frame_));
    NodeId node = made_.append(entry, std::move(bound));
    if (method_call_) made_.method_nodes.insert(made_.graph[node].name);
    if (!grad_mode()) made_.unrecorded_nodes.insert(made_.graph[node].name);
    for (uint32_t i = 0; i < made_.graph[node].outputs.size(); ++i) {
      const auto& [kind, which] = sharing.at(i);
      if (kind == Kind::kSame) {
        results.push_back(value_of(given.at(which)));
      } else {
        glint::Value value{node, i};
        results.push_back(kind == Kind::kView
                              ? made_.pending_tensor(value, made_.memory_of(given.at(which)))
                              : made_.pending_tensor(value));
        if (kind != Kind::kView) continue;
        set_base(tensor_of(results.back()), given.at(which), entry);
        tensor_of(results.back())->inference = given.at(which)->inference;
        step.output = i;
        step.of = traced(given.at(which)) ? &given.at(which).impl() : nullptr;
        TracedTensor* view = traced(tensor_of(results.back()));
        view->step = step;
        view->version = autograd::version_of(given.at(which));
      }
    }
    // The parts of a dimension without elements: there are none.
    if (results.empty()) return true;
    auto last = static_cast<uint32_t>(made_.graph[node].outputs.size() - 1);
    TraceEffects::Result result{tensor_of(results.back()), {node, last}, {at_.step, at_.index - 1}};
    if (effects.random) effects_.add_draw(result);
    auto* pointwise = entry.lowers_to<ops::Pointwise>();
    bool divides =
        pointwise && ops::divides_integers(pointwise->function, made_.graph[node].outputs[0].dtype);
    if (effects.may_fail || divides) effects_.add_check(result);
  } catch (const ops::OpError& error) {
    // Eager execution raises it, with the traceback that belongs to it.
    return refuse_operator(DiagnosticId::kBreakException,
                           fmt::format("{}: {}", error.exception, error.message));
  } catch (const InternalError& error) {
    return refuse_operator(DiagnosticId::kBreakUnsupportedOperator, error.what());
  }
  return true;
}

/// The order of dimensions in which memory of these sizes and strides lies without gaps.
static std::optional<std::vector<SymInt>> order_of(const TensorType& type) {
  constexpr size_t kMostDimensions = 5;  // of which all orders are tried
  if (type.rank() > kMostDimensions) return std::nullopt;
  std::vector<size_t> order(type.rank());
  std::iota(order.begin(), order.end(), 0);
  const std::vector<SymInt> strides = type.full_strides();
  auto lies_so = [&] {
    SymInt step = 1;
    bool fits = true;
    for (size_t i = order.size(); i-- > 0; step = step * type.sizes[order[i]])
      fits = fits && strides[order[i]] == step;
    return fits;
  };
  do {
    if (lies_so()) return std::vector<SymInt>(order.begin(), order.end());
  } while (std::ranges::next_permutation(order).found);
  return std::nullopt;
}

bool Trace::can_lay_out_as(const TensorType& type) {
  return type.strides.empty() || order_of(type);
}

void Trace::lay_out_as(const TensorType& type, glint::Value& value) {
  OpBuilder& b = made_.builder;
  if (type.strides.empty()) {
    value = b.call("contiguous", {passes::GraphBuilder::value(value)}).value;
    return;
  }
  std::optional<std::vector<SymInt>> order = order_of(type);
  if (!order) return;
  std::vector<SymInt> back(order->size()), sizes;
  for (size_t i = 0; i < order->size(); ++i) {
    auto dim = static_cast<size_t>((*order)[i].constant());
    back[dim] = static_cast<int64_t>(i);
    sizes.push_back(type.sizes[dim]);
  }
  // In that order without gaps, as one row, so that sizes of 1 get the strides that they have
  // there.
  OpValue ordered = b.call("contiguous", {b.permute(passes::GraphBuilder::value(value), *order)});
  OpValue row = b.reshape(std::move(ordered), {-1});
  value = b.permute(b.reshape(row, std::move(sizes)), back).value;
}

bool Trace::fit_to_type(const ops::OpEntry& entry, const TensorType& type, bool is_view,
                        glint::Value& value) {
  const TensorType found = made_.graph.type(value);
  bool same = found.dtype == type.dtype && found.sizes == type.sizes && found.scalar == type.scalar;
  // A written view is taken once more from what it shows.
  if (is_view && same) return true;
  if (same && found != type) lay_out_as(type, value);
  // Strides that repeat or skip elements are not those of a result.
  return made_.graph.type(value) == type ||
         refuse_operator(DiagnosticId::kBreakMutation,
                         fmt::format("`{}` would change the tensor's type", entry.name));
}

bool Trace::trace_in_place(const ops::OpEntry& entry, std::span<const Value> arguments,
                           std::vector<Value>& results) {
  Tensor target = tensor_of(arguments[0]);
  TracedTensor* record = traced(target);
  if (target->inference && !grad_state().inference)
    return refuse_operator(
        DiagnosticId::kBreakException,
        fmt::format("`{}` writes a tensor that was made in inference mode", entry.name));
  if (!record) return gradients_.write_outside(entry, arguments, results);
  if (view_writes_.is_copy_of_itself(entry, arguments)) {
    results.push_back(arguments[0]);
    return true;
  }
  if (auto obstacle = view_writes_.obstacle(target, arguments))
    return refuse_operator(DiagnosticId::kBreakMutation,
                           fmt::format("`{}` writes a tensor {}", entry.name, *obstacle));
  Tensor input = made_.input_with(record->memory);
  bool counted = !is_counted_apart(record);
  if (input.defined() && !gradients_.may_write_outside(entry, input, arguments, counted))
    return false;
  std::vector<Value> made;
  uint32_t before = made_.memory_count();
  if (!trace_operator(*entry.functional_form, arguments, made)) return false;
  // `x.copy_(y)` makes x no other name of y's memory.
  uint32_t shown = made_.memory_of(tensor_of(made[0]));
  if (shown < before || made_.is_outside_memory(shown)) {
    Value source = std::exchange(made, {})[0];
    if (!trace_operator(*ops::find_op("clone"), {&source, 1}, made)) return false;
  }
  // The same object, a new value: the graph stays free of writes.
  glint::Value updated = traced(tensor_of(made[0]))->value;
  if (!fit_to_type(entry, made_.graph.type(record->value), record->step.entry, updated))
    return false;
  if (Ref<autograd::Node> node = autograd::node_of(target))
    written_over_.emplace(node->sequence, record->value.node);
  record->value = updated;
  if (Tensor written = view_writes_.write_through(target); written.defined())
    gradients_.note_written(written);
  results.push_back(arguments[0]);
  return true;
}

bool Trace::demand_value(const Tensor& tensor) {
  using enum DiagnosticId;
  TracedTensor* record = traced(tensor);
  // What is neither pending nor from outside is a constant that the region makes.
  auto shares = [&](const Tensor& input) { return input.storage() == tensor.storage(); };
  bool constant = !tensor.is_pending() && !outside_.contains(&tensor.impl()) &&
                  std::ranges::none_of(made_.inputs, shares);
  if (constant) return true;
  std::string which = record ? made_.graph.text(record->value) : "a tensor";
  switch (opcode_) {
    case Opcode::kJumpIfTrue:
    case Opcode::kJumpIfFalse:
    case Opcode::kNot:
      stop(kBreakTensorBranch, fmt::format("the branch reads the value of {}", which));
      break;
    case Opcode::kFormat:
    case Opcode::kJoin:
    case Opcode::kDisplay:
      stop(kBreakTensorPrint, fmt::format("{} is formatted", which));
      break;
    case Opcode::kIterator:
    case Opcode::kNext:
      stop(kBreakTensorIteration, fmt::format("the loop reads {}", which));
      break;
    default:
      if (!stopped_) stop(kBreakTensorItem, fmt::format("the value of {} is read", which));
  }
  return false;
}

bool Trace::opens_numpy_value() {
  if (!stopped_)
    stop(DiagnosticId::kBreakUnsupportedValue, "the number or tensor of a NumPy value is read");
  return false;
}

bool Trace::lie_apart(const Tensor& written, const Tensor& read) {
  if (made_.memory_of(written) != made_.memory_of(read)) return true;
  interpreter_.stop_trace();
  return refuse_operator(DiagnosticId::kBreakMutation,
                         "places of a tensor are written whose memory is also read");
}

std::optional<GradState> Trace::new_grad_state() const {
  if (grad_state() == entry_grad_state_) return std::nullopt;
  return grad_state();
}

std::vector<uint32_t> Trace::outputs_of_other_mode() const {
  std::vector<uint32_t> numbers;
  for (uint32_t i = 0; i < made_.outputs.size(); ++i) {
    const Tensor& output = made_.outputs[i];
    bool own = output.defined() && !made_.is_outside_memory(traced(output)->memory);
    if (own && output->inference != entry_grad_state_.inference) numbers.push_back(i);
  }
  return numbers;
}

std::vector<std::pair<uint32_t, uint32_t>> Trace::written_outputs() const {
  std::vector<std::pair<uint32_t, uint32_t>> written;
  for (uint32_t i = 0; i < made_.outputs.size(); ++i) {
    const Tensor& output = made_.outputs[i];
    bool own = output.defined() && !made_.is_outside_memory(traced(output)->memory);
    uint32_t version = own ? autograd::version_of(output) : 0;
    if (version > 0) written.emplace_back(i, version);
  }
  return written;
}

// ---- natives -----------------------------------------------------------------------------------

/// Whether a tensor is made as a leaf, by `torch.zeros(3, requires_grad=True)` and its like.
static bool asks_for_gradient(const NativeFunctionObject& native,
                              std::span<const Value> arguments) {
  const auto& parameters = native.signature.parameters;
  auto found = std::ranges::find(parameters, "requires_grad", &NativeParameter::name);
  auto place = static_cast<size_t>(found - parameters.begin());
  return found != parameters.end() && place < arguments.size() && arguments[place].is_bool() &&
         arguments[place].as_bool();
}

static bool writes_attribute(std::string_view native) {
  return native == "setattr" || native == "delattr" || native == "__setattr__" ||
         native == "__delattr__";
}

bool Trace::entering_native(const NativeFunctionObject& native, const Value* arguments,
                            size_t count) {
  const Effects& effects = native.effects;
  const std::string& name = native.signature.name;
  auto refuse = [&](DiagnosticId id, std::string detail) {
    stop(id, std::move(detail));
    return false;
  };
  if (effects.traceable)
    return !asks_for_gradient(native, {arguments, count}) ||
           refuse(DiagnosticId::kBreakGradient, "a tensor that requires gradients is made");
  if (effects.differentiates) return gradients_.may_run_backward(arguments[0]);
  if (effects.reads_grad_mode) {
    note_grad_mode();
    return true;
  }
  if (effects.reads_autocast) {
    note_autocast();
    return true;
  }
  if (!sizes_are_plain(native, arguments, count)) return false;
  if (effects.prints) {
    bool tensor = false;
    for (size_t i = 0; i < count; ++i) {
      tensor = tensor || arguments[i].is(kTensorKind);
      if (auto* list = arguments[i].try_as<TupleObject>()) {
        for (const Value& item : list->items) tensor = tensor || item.is(kTensorKind);
      }
    }
    if (tensor)
      return refuse(DiagnosticId::kBreakTensorPrint,
                    fmt::format("`{}` shows the values of a tensor", name));
    return refuse(DiagnosticId::kBreakImpureCall, fmt::format("`{}` writes to the output", name));
  }
  if (effects.watches_gradient && arguments[0].is(kTensorKind) && traced(tensor_of(arguments[0])))
    looks_at_tape_ = true;
  // It refuses views: what this one shows is there, then.
  if (name == "detach_" && arguments[0].is(kTensorKind) && tensor_of(arguments[0])->base)
    output_of(Tensor(tensor_of(arguments[0])->base));
  if (name == "record_function")
    return refuse(
        DiagnosticId::kBreakGradient,
        fmt::format("`{}` belongs to a `torch.autograd.Function`, whose `backward` is the "
                    "script's own",
                    view_of(arguments[0])));
  if (effects.impure || !effects.declared())
    return refuse(DiagnosticId::kBreakImpureCall, fmt::format("`{}` is called", name));
  if (count > 0 && arguments[0].is(kTensorKind) && writes_attribute(name))
    return refuse(DiagnosticId::kBreakMutation, "an attribute of a tensor is written");
  note_compared(effects.searches, arguments, count);
  if (!note_named_attribute(native, arguments, count)) return false;
  // What is only written is not read.
  bool writes = effects.mutates && count > 0 && is_outside(arguments[0]);
  for (size_t i = writes ? 1 : 0; i < count; ++i) {
    if (arguments[i].is(kIteratorKind) || arguments[i].is(kGeneratorKind)) consuming_ = at_.step;
    const Contents read = containers_.read_by(native, arguments, i);
    bool only_length = effects.reads_length && !effects.reads_elements && !effects.reads_keys &&
                       !effects.reads_value;
    if (!is_outside(arguments[i])) {
      // The arguments of `zip(a, b)` come as one tuple.
      auto* tuple = arguments[i].try_as<TupleObject>();
      for (size_t k = 0; tuple && k < tuple->items.size(); ++k) {
        if (is_outside(tuple->items[k]) && !containers_.note_contents(tuple->items[k], read))
          return false;
      }
      if (!only_length && !containers_.note_contents(arguments[i], read)) return false;
      continue;
    }
    // Whatever takes an iterator may advance it, now (`next`) or later (`zip`).
    if (arguments[i].is(kIteratorKind) || arguments[i].is(kGeneratorKind)) {
      return refuse(DiagnosticId::kBreakGenerator,
                    fmt::format("`{}` gets an iterator from outside", name));
    }
    if (only_length ? !containers_.note_size(arguments[i])
                    : !containers_.note_contents(arguments[i], read))
      return false;
  }
  return !writes || writes_.write_by_native(native, arguments, count) == Step::kRun;
}

}  // namespace glint::capture
