#include "runtime/interpreter/tensor_operators.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/support/profile.h"
#include "core/tensor/accelerator.h"
#include "core/tensor/grad_mode.h"
#include "core/tensor/views.h"
#include "ops/autocast.h"
#include "ops/call.h"
#include "runtime/interpreter/autocast.h"
#include "runtime/interpreter/big_ints.h"
#include "runtime/interpreter/complex_tensors.h"
#include "runtime/interpreter/machine.h"
#include "runtime/interpreter/number_objects.h"
#include "runtime/interpreter/numpy_values.h"
#include "runtime/interpreter/recorded_calls.h"
#include "runtime/interpreter/tensor_assignment.h"
#include "runtime/interpreter/torch_modules.h"
#include "runtime/interpreter/torch_values.h"

namespace glint::runtime {

using program::Opcode;

Value value_of(const Tensor& tensor) {
  return tensor.defined() ? Value(tensor.ref()) : Value::none();
}
Tensor tensor_of(const Value& value) {
  return Tensor(Ref<TensorImpl>(value.as<TensorImpl>()));
}

// ---- Dispatch ----------------------------------------------------------------------------------

static bool gives_one(const ops::OpEntry& entry) {
  return entry.output_form == ops::OutputForm::kTensor ||
         entry.output_form == ops::OutputForm::kTruth;
}

static Value value_of_outputs(const ops::OpEntry& entry, ops::Outputs outputs) {
  if (gives_one(entry)) return value_of(outputs.take_first());
  std::vector<Value> values;
  for (size_t i = 0; i < outputs.size(); ++i) values.push_back(value_of(outputs[i]));
  if (entry.output_form == ops::OutputForm::kList) return Value(make_list(std::move(values)));
  return Value(make_tuple(std::move(values)));
}

Value value_of_outputs(const ops::OpEntry& entry, std::vector<Value> results) {
  if (gives_one(entry)) return std::move(results[0]);
  if (entry.output_form == ops::OutputForm::kList) return Value(make_list(std::move(results)));
  return Value(make_tuple(std::move(results)));
}

static bool demand_all(Interpreter& in, const Value& value, int levels = kArgumentLevels) {
  if (value.is(kTensorKind)) {
    return value.as<TensorImpl>()->storage || in.demand_value(tensor_of(value));
  }
  const std::vector<Value>* items = items_of(value);
  if (!items || levels == 0) return true;
  for (const Value& item : *items) {
    if (!demand_all(in, item, levels - 1)) return false;
  }
  return true;
}

bool bind_values(Interpreter& in, const ops::OpEntry& entry, std::span<const Value> arguments,
                 ops::BoundArguments& bound) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].is_object() && !demand_all(in, arguments[i])) return false;
    if (!to_argument(arguments[i], bound.emplace_back())) {
      in.raise("TypeError", fmt::format("{}(): argument {} cannot be a {}", entry.name, i + 1,
                                        type_name(arguments[i])));
      return false;
    }
  }
  return true;
}

/// An eager call; under a trace there is none.
static void begin_call(profile::Scope& scope, Interpreter& in, const ops::OpEntry& entry) {
  if (in.tracer() && !in.tracer()->lets_regions_run()) return;
  const Frame* frame = in.top_frame();
  std::vector<Span> origins;
  if (frame && frame->code) {
    const program::Code& code = frame->program();
    if (frame->position() < code.instructions.size())
      origins.push_back(code.instructions[frame->position()].span);
  }
  scope.begin("operator", entry.name, std::move(origins));
}

Value Interpreter::call_operator(const ops::OpEntry& entry, std::span<const Value> arguments) {
  profile::Scope scope;
  if (profile::recording()) [[unlikely]]
    begin_call(scope, *this, entry);
  const bool asked = tracer_ || grad_state().autocast.any();
  if (asked && ops::has_autocast_policy(entry)) [[unlikely]]
    return call_in_autocast(*this, entry, arguments);
  return call_as_given(*this, entry, arguments);
}

Value Interpreter::call_unrecorded(const ops::OpEntry& entry, std::span<const Value> arguments) {
  if (tracer_) {
    std::vector<Value> results;
    if (tracer_->call_operator(entry, arguments, results)) {
      return value_of_outputs(entry, std::move(results));
    }
    if (raised() || stop_requested_) return Value();
  }
  ops::BoundArguments bound;
  if (!bind_values(*this, entry, arguments, bound)) return Value();
  try {
    return value_of_outputs(entry, ops::call_eager(entry, bound));
  } catch (const ops::OpError& error) {
    return raise_op_error(*this, error);
  }
}

bool Interpreter::demand_value(const Tensor& tensor) {
  if (tracer_) {
    if (tracer_->demand_value(tensor)) return true;
    if (!raised()) stop_trace();
    return false;
  }
  return !tensor.is_pending();
}

// ---- Operators ---------------------------------------------------------------------------------

namespace {

struct Entries {
  const ops::OpEntry* forward = nullptr;
  const ops::OpEntry* in_place = nullptr;
};

constexpr std::string_view kNames[] = {"add",      "sub", "mul", "matmul", "truediv",
                                       "floordiv", "mod", "pow", "lshift", "rshift",
                                       "and",      "or",  "xor"};
constexpr std::string_view kCompareNames[] = {"lt", "le", "eq", "ne", "gt", "ge"};

/// The entry of an operator, found once.
const Entries& entries_of(Opcode which) {
  static const auto* table = [] {
    auto* made = new std::vector<Entries>(static_cast<size_t>(Opcode::kDisplay) + 1);
    auto method = [](const std::string& name) { return ops::find_method("__" + name + "__"); };
    for (size_t i = 0; i < std::size(kNames); ++i) {
      Entries entries{method(std::string(kNames[i])), method("i" + std::string(kNames[i]))};
      (*made)[static_cast<size_t>(Opcode::kAdd) + i] = entries;
      (*made)[static_cast<size_t>(Opcode::kAddInPlace) + i] = entries;
    }
    for (size_t i = 0; i < std::size(kCompareNames); ++i) {
      (*made)[static_cast<size_t>(Opcode::kLess) + i] = {method(std::string(kCompareNames[i])),
                                                         nullptr};
    }
    (*made)[static_cast<size_t>(Opcode::kNegative)] = {method("neg"), nullptr};
    (*made)[static_cast<size_t>(Opcode::kInvert)] = {method("invert"), nullptr};
    return made;
  }();
  return (*table)[static_cast<size_t>(which)];
}

bool is_operand(const Value& value) {
  return value.is(kTensorKind) || value.is_number() || value.is(kSymIntKind) ||
         value.is(kSymFloatKind);
}

ops::Argument argument_of(const Value& value) {
  if (value.is(kTensorKind)) return ops::Argument(tensor_of(value));
  if (value.is_bool()) return ops::Argument(value.as_bool());
  if (value.is_int()) return ops::Argument(value.as_int());
  return ops::Argument(value.as_float());
}

bool is_ready(const Value& value) {
  return !value.is(kTensorKind) || value.as<TensorImpl>()->storage;
}

/// The short way without a tracer: no vector, no binding.
Value call_two(Interpreter& in, const ops::OpEntry& entry, const Value& a, const Value& b) {
  const GradState state = grad_state();
  bool recorded = state.records() && (any_requires_grad({&a, 1}) || any_requires_grad({&b, 1}));
  if (recorded || state.autocast.any() || in.tracer() || !is_ready(a) || !is_ready(b) ||
      a.is(kSymIntKind) || b.is(kSymIntKind) || profile::recording()) {
    Value arguments[] = {a, b};
    return in.call_operator(entry, arguments);
  }
  const ops::Argument arguments[] = {argument_of(a), argument_of(b)};
  try {
    return Value(ops::call_eager_one(entry, arguments).ref());
  } catch (const ops::OpError& error) {
    return raise_op_error(in, error);
  }
}

Value call_named(Interpreter& in, std::string_view name, std::initializer_list<Value> arguments) {
  const ops::OpEntry* entry = ops::find_op(name);
  check(entry != nullptr, "an operator of indexing is missing");
  return in.call_operator(*entry, {arguments.begin(), arguments.size()});
}

/// `2 / x` is `x.reciprocal() * 2`, as in PyTorch: rounded twice, and its gradient reads what the
/// reciprocal was instead of x. Nobody sees a product with 1 that is not recorded.
Value number_over_tensor(Interpreter& in, const Value& number, const Value& tensor) {
  static const ops::OpEntry& reciprocal = *ops::find_op("reciprocal");
  Value inverse = in.call_operator(reciprocal, {&tensor, 1});
  bool one =
      (number.is_int() && number.as_int() == 1) || (number.is_float() && number.as_float() == 1.0);
  bool seen = in.tracer() || (grad_mode() && any_requires_grad({&tensor, 1}));
  if (!inverse.defined() || (one && !seen)) return inverse;
  return call_two(in, *entries_of(Opcode::kMultiply).forward, inverse, number);
}

/// `x * 1j`, `x += z`: the library knows what that is. `x + z` is an operator of `z`.
Value complex_binary(Interpreter& in, Opcode which, const Value& a, const Value& b) {
  const auto place = static_cast<size_t>(which);
  const auto first = static_cast<size_t>(Opcode::kAdd);
  const auto in_place = static_cast<size_t>(Opcode::kAddInPlace);
  const auto comparison = static_cast<size_t>(Opcode::kLess);
  std::string name(place >= comparison ? kCompareNames[place - comparison]
                   : place >= in_place ? kNames[place - in_place]
                                       : kNames[place - first]);
  const bool writes = place >= in_place && place < in_place + std::size(kNames);
  return call_complex(in, fmt::format("__{}{}__", writes ? "i" : "", name), {a, b});
}

}  // namespace

Value tensor_binary(Interpreter& in, Opcode which, const Value& a, const Value& b) {
  bool in_place = which >= Opcode::kAddInPlace && which <= Opcode::kBitXorInPlace;
  if (complex_in_use()) [[unlikely]] {
    const bool number = a.is<ComplexObject>() || b.is<ComplexObject>();
    if (number || (in_place && a.is(kTensorKind) && is_complex(b)))
      return complex_binary(in, which, a, b);
  }
  if (in_place && a.is(kTensorKind) && is_numpy_scalar(b)) {
    Value number = plain_value(in, b);
    return number.is_undefined() ? number : tensor_binary(in, which, a, number);
  }
  if (is_big_int(a) || is_big_int(b)) {
    const Value scalar = scalar_beside(in, is_big_int(a) ? a : b, is_big_int(a) ? b : a);
    if (scalar.is_undefined()) return Value();
    return tensor_binary(in, which, is_big_int(a) ? scalar : a, is_big_int(b) ? scalar : b);
  }
  if (!is_operand(a) || !is_operand(b)) return Value::not_implemented();
  bool matrices = which == Opcode::kMatrixMultiply || which == Opcode::kMatrixMultiplyInPlace;
  if (matrices && !(a.is(kTensorKind) && b.is(kTensorKind))) return Value::not_implemented();
  const Entries& entries = entries_of(which);
  if (in_place && entries.in_place && a.is(kTensorKind)) {
    return call_two(in, *entries.in_place, a, b);
  }
  if (!entries.forward) return Value::not_implemented();
  bool comparison = which >= Opcode::kLess && which <= Opcode::kGreaterEqual;
  if (comparison && !a.is(kTensorKind)) {
    // 2 < x is x > 2.
    constexpr Opcode kMirrored[] = {Opcode::kGreater,  Opcode::kGreaterEqual, Opcode::kEqual,
                                    Opcode::kNotEqual, Opcode::kLess,         Opcode::kLessEqual};
    Opcode mirrored = kMirrored[static_cast<size_t>(which) - static_cast<size_t>(Opcode::kLess)];
    return call_two(in, *entries_of(mirrored).forward, b, a);
  }
  if (which == Opcode::kDivide && !a.is(kTensorKind)) return number_over_tensor(in, a, b);
  return call_two(in, *entries.forward, a, b);
}

Value tensor_unary(Interpreter& in, Opcode which, const Value& a) {
  if (which == Opcode::kPositive) return a;
  const ops::OpEntry* entry = entries_of(which).forward;
  check(entry != nullptr, "a unary operator of tensors is missing");
  return in.call_operator(*entry, {&a, 1});
}

// ---- Indexing ----------------------------------------------------------------------------------

namespace {

/// Whether a list stands for a tuple: a short one that holds more than numbers.
bool is_like_tuple(const ListObject& list) {
  constexpr size_t kShort = 32;
  auto is_part = [](const Value& item) {
    return item.is_none() || item.is_ellipsis() || item.is(kTensorKind) || item.is<SliceObject>() ||
           item.is<ListObject>() || item.is<TupleObject>() || item.is<RangeObject>() ||
           item.is<StrObject>();
  };
  return list.items.size() < kShort && std::ranges::any_of(list.items, is_part);
}

/// One part of a subscript, or several of a tuple, as a list.
std::vector<Value> parts_of(const Value& key) {
  if (key.is<TupleObject>()) return key.as<TupleObject>()->items;
  const auto* list = key.try_as<ListObject>();
  if (list && is_like_tuple(*list)) return list->items;
  return {key};
}

bool is_mask(const Value& value) {
  return value.is(kTensorKind) && value.as<TensorImpl>()->dtype == DType::kBool;
}

/// The basic parts (ints, slices, None, `...`) as views; tensors and lists are kept for later.
struct Indexed {
  Value view;
  std::vector<Value> advanced;  ///< one a dimension of the view; None for "all"
  bool any_advanced = false;
};

int64_t dimensions_taken(const std::vector<Value>& parts) {
  int64_t count = 0;
  for (const Value& part : parts) {
    if (is_mask(part)) {
      count += static_cast<int64_t>(part.as<TensorImpl>()->sizes.size());
    } else if (!part.is_none() && !part.is_ellipsis() && !part.is_bool()) {
      ++count;
    }
  }
  return count;
}

bool apply_slice(Interpreter& in, Indexed& at, int64_t dim, const SliceObject& slice) {
  if (slice.start.is_none() && slice.stop.is_none() && slice.step.is_none()) return true;
  auto bound = [&](const Value& value, Value& out) {
    if (value.is_none() || value.is(kSymIntKind)) {
      out = value;
      return true;
    }
    int64_t number;
    if (!index_of(in, value, number)) return false;
    out = Value(number);
    return true;
  };
  Value start, stop, step;
  if (!bound(slice.start, start) || !bound(slice.stop, stop) || !bound(slice.step, step)) {
    return false;
  }
  if (step.is_none()) step = Value(int64_t{1});
  if (step.is_int() && step.as_int() <= 0) {
    in.raise("ValueError",
             step.as_int() == 0 ? "slice step cannot be zero" : "step must be greater than zero");
    return false;
  }
  at.view = call_named(in, "slice", {at.view, Value(dim), start, stop, step});
  return at.view.defined();
}

/// `dim` is where the view stands, `place` where the part stands in the index: PyTorch's messages
/// call that the dimension.
bool apply_part(Interpreter& in, Indexed& at, const Value& part, int64_t& dim, int64_t place) {
  if (part.is_none()) {
    at.view = call_named(in, "unsqueeze", {at.view, Value(dim)});
    at.advanced.push_back(Value::none());
    ++dim;
    return at.view.defined();
  }
  if (auto* slice = part.try_as<SliceObject>()) {
    if (!apply_slice(in, at, dim, *slice)) return false;
    at.advanced.push_back(Value::none());
    ++dim;
    return true;
  }
  if (part.is_int() || part.is(kSymIntKind)) {
    auto* tensor = at.view.as<TensorImpl>();
    int64_t size = tensor->sizes[static_cast<size_t>(dim)];
    if (part.is_int() && (part.as_int() >= size || part.as_int() < -size)) {
      in.raise("IndexError", fmt::format("index {} is out of bounds for dimension {} with size {}",
                                         part.as_int(), place, size));
      return false;
    }
    at.view = call_named(in, "select", {at.view, Value(dim), part});
    return at.view.defined();
  }
  if (part.is_bool()) {
    // A mask without dimensions: a new one in front, of which it takes all or nothing.
    at.view = call_named(in, "unsqueeze", {at.view, Value(dim)});
    at.advanced.push_back(value_of(Tensor::zeros(Dims{part.as_bool() ? 1 : 0}, DType::kInt64)));
    at.any_advanced = true;
    ++dim;
    return at.view.defined();
  }
  Value index = part;
  if (part.is<ListObject>() || part.is<TupleObject>() || part.is<RangeObject>()) {
    // A trace makes what it takes from the text where it is wanted.
    const DefaultDeviceScope scope(at.view.as<TensorImpl>()->device);
    Tensor made = tensor_from_value(in, part, std::nullopt);
    if (!made.defined()) return false;
    if (made.numel() == 0) made = Tensor::empty(made.sizes(), DType::kInt64);
    index = value_of(made);
  }
  if (script_special(part, Special::kIndex)) {
    int64_t position = 0;
    return index_of(in, part, position) && apply_part(in, at, Value(position), dim, place);
  }
  if (part.is<StrObject>()) {
    in.raise("TypeError", fmt::format("new(): invalid data type '{}'", type_name(part)));
    return false;
  }
  if (!index.is(kTensorKind)) {
    in.raise("IndexError",
             "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are "
             "valid indices (got " +
                 type_name(part) + ")");
    return false;
  }
  if (index.as<TensorImpl>()->dtype != DType::kInt64 && !is_mask(index)) {
    DType dtype = index.as<TensorImpl>()->dtype;
    if (dtype != DType::kInt32 && dtype != DType::kUInt8) {
      in.raise("IndexError", "tensors used as indices must be long, int, byte or bool tensors");
      return false;
    }
    // Bytes are a mask. A launch that takes indices converts them itself.
    const bool converts = dtype == DType::kInt32 && is_launched(in, at.view);
    DType wanted = dtype == DType::kUInt8 ? DType::kBool : DType::kInt64;
    if (!converts) index = call_named(in, "to", {index, dtype_value(wanted)});
    if (index.is_undefined()) return false;
  }
  at.any_advanced = true;
  int64_t taken = 1;
  if (is_mask(index)) taken = static_cast<int64_t>(index.as<TensorImpl>()->sizes.size());
  if (taken == 0) {
    // Likewise, but what it takes is known when the index is used.
    at.view = call_named(in, "unsqueeze", {at.view, Value(dim)});
    index = call_named(in, "unsqueeze", {index, Value(int64_t{0})});
    if (at.view.is_undefined() || index.is_undefined()) return false;
    taken = 1;
  }
  at.advanced.push_back(index);
  for (int64_t i = 1; i < taken; ++i) at.advanced.push_back(Value());
  dim += taken;
  return true;
}

bool index_basic(Interpreter& in, const Value& tensor, const Value& key, Indexed& at) {
  std::vector<Value> parts = parts_of(key);
  for (Value& part : parts) {
    if (is_numpy_array(part) && !arrays_to_tensors(in, part)) return false;
    if (is_any_int(number_in(part))) part = Value(number_in(part));
  }
  at.view = tensor;
  auto rank = static_cast<int64_t>(tensor.as<TensorImpl>()->sizes.size());
  int64_t taken = dimensions_taken(parts);
  if (taken > rank) {
    if (rank == 0) {
      in.raise("IndexError",
               "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or "
               "`tensor.item<T>()` in C++ to convert a 0-dim tensor to a number");
    } else {
      in.raise("IndexError", fmt::format("too many indices for tensor of dimension {}", rank));
    }
    return false;
  }
  int64_t dim = 0, place = 0;
  for (const Value& part : parts) {
    if (part.is_ellipsis()) {
      for (int64_t i = 0; i < rank - taken; ++i) at.advanced.push_back(Value::none());
      dim += rank - taken;
    } else if (!apply_part(in, at, part, dim, place)) {
      return false;
    }
    ++place;
  }
  return true;
}

/// A mask of the leading `rank` dimensions: those rows of the view.
Value rows_of_mask(Interpreter& in, const Value& view, const Value& mask, int64_t rank) {
  Value first(int64_t{0}), last(rank - 1);
  Value rows = call_named(in, "flatten", {view, first, last});
  Value flat = rows.defined() ? call_named(in, "flatten", {mask, first, last}) : Value();
  Value found = flat.defined() ? call_named(in, "nonzero", {flat}) : Value();
  Value index =
      found.defined() ? call_named(in, "select", {found, Value(int64_t{1}), first}) : Value();
  return index.defined() ? call_named(in, "index_select", {rows, first, index}) : Value();
}

/// Whether index tensors can be broadcast together; raises if not.
bool indices_agree(Interpreter& in, const std::vector<Value>& indices) {
  std::vector<int64_t> common;  // from the last dimension on
  bool agree = true;
  std::string shapes;
  for (const Value& index : indices) {
    if (!index.is(kTensorKind)) continue;
    const auto& sizes = index.as<TensorImpl>()->sizes;
    common.resize(std::max(common.size(), sizes.size()), 1);
    for (size_t i = 0; i < sizes.size(); ++i) {
      int64_t size = sizes[sizes.size() - 1 - i];
      agree = agree && (size == common[i] || size == 1 || common[i] == 1);
      if (common[i] == 1) common[i] = size;
    }
    shapes += fmt::format("{}[{}]", shapes.empty() ? "" : ", ", fmt::join(sizes, ", "));
  }
  if (!agree)
    in.raise(
        "IndexError",
        "shape mismatch: indexing tensors could not be broadcast together with shapes " + shapes);
  return agree;
}

/// The index tensors of leading dimensions as the list that the operator `index` takes. Where the
/// read is put on the tape, that operator does all of it: it keeps the script's own index tensors
/// for the gradient, and sees when one is written.
Value index_advanced(Interpreter& in, const Indexed& at) {
  if (is_mask(at.advanced[0])) {
    const Value& mask = at.advanced[0];
    if (!mask_fits(in, at.view, 0, mask)) return Value();
    auto rank = static_cast<int64_t>(mask.as<TensorImpl>()->sizes.size());
    bool only = at.advanced.size() == static_cast<size_t>(std::max<int64_t>(rank, 1));
    auto whole = static_cast<int64_t>(at.view.as<TensorImpl>()->sizes.size());
    if (only && rank > 0 && is_recorded(at.view))
      return call_named(in, "index", {at.view, Value(make_list({mask}))});
    if (only && rank == whole) return call_named(in, "masked_select", {at.view, mask});
    if (only && rank > 0) return rows_of_mask(in, at.view, mask, rank);
  }
  size_t first = 0;
  while (first < at.advanced.size() && at.advanced[first].is_none()) ++first;
  size_t last = at.advanced.size();
  while (last > 0 && at.advanced[last - 1].is_none()) --last;
  if (last - first == 1 && !is_mask(at.advanced[first]) && !is_recorded(at.view) &&
      at.advanced[first].as<TensorImpl>()->sizes.size() == 1) {
    auto dim = static_cast<int64_t>(first);
    Tensor view(Ref<TensorImpl>(at.view.as<TensorImpl>()));
    // An accelerator does all of it in one launch. Of no elements no index is looked at.
    if (!in.tracer() && (!view.device().is_cpu() || view.numel() == 0)) {
      std::vector<Value> indices(at.advanced.begin(), at.advanced.begin() + long(last));
      return call_named(in, "index", {at.view, Value(make_list(std::move(indices)))});
    }
    Value size = in.tracer() ? in.tracer()->size_along(view, first) : Value(view.sizes()[first]);
    // PyTorch's message counts the indexed dimensions only: this one is the first.
    Value index = call_named(in, "wrap_index", {at.advanced[first], size, Value(int64_t{0})});
    if (index.is_undefined()) return index;
    return call_named(in, "index_select", {at.view, Value(dim), index});
  }
  // Tensors that index neighbouring dimensions leave their result there, others leave it in front.
  std::vector<Value> indices, order, behind;
  bool neighbours = true;
  for (size_t i = 0; i < last; ++i) neighbours &= i < first || !at.advanced[i].is_none();
  for (size_t i = 0; i < at.view.as<TensorImpl>()->sizes.size(); ++i) {
    bool whole = i >= last || at.advanced[i].is_none();
    bool listed = i < last && !at.advanced[i].is_undefined() && (neighbours || !whole);
    if (listed && is_mask(at.advanced[i])) {
      if (!mask_fits(in, at.view, i, at.advanced[i])) return Value();
      if (!append_places(in, at.advanced[i], indices)) return Value();
    } else if (listed) {
      indices.push_back(at.advanced[i]);
    }
    (whole ? behind : order).emplace_back(static_cast<int64_t>(i));
  }
  if (!indices_agree(in, indices)) return Value();
  Value view = at.view;
  if (!neighbours) {
    order.insert(order.end(), behind.begin(), behind.end());
    view = call_named(in, "permute", {view, Value(make_list(std::move(order)))});
    if (view.is_undefined()) return view;
  }
  return call_named(in, "index", {view, Value(make_list(std::move(indices)))});
}

}  // namespace

Value tensor_item(Interpreter& in, const Value& tensor, const Value& key) {
  Indexed at;
  if (!index_basic(in, tensor, key, at)) return Value();
  if (at.any_advanced) {
    if (!bring_indices(in, at.view, at.advanced)) return Value();
    return index_advanced(in, at);
  }
  // `x[...]` and `x[:]` are new views too.
  if (at.view.identical(tensor)) return call_named(in, "alias", {tensor});
  return at.view;
}

bool tensor_set_item(Interpreter& in, const Value& tensor, const Value& key, const Value& value) {
  Indexed at;
  if (!index_basic(in, tensor, key, at)) return false;
  Value source = value;
  if (!scalars_to_numbers(in, source)) return false;
  if (at.any_advanced) return assign_by_index(in, at.view, at.advanced, source);
  if (!check_assignable(in, at.view, source)) return false;
  if (!source.is(kTensorKind)) return call_named(in, "fill_", {at.view, source}).defined();
  const auto& to = at.view.as<TensorImpl>()->sizes;
  source = without_leading_ones(in, source, to.size());
  if (source.is_undefined()) return false;
  // As in PyTorch, one element fills a view of more: where it comes from does not matter.
  const auto& from = source.as<TensorImpl>()->sizes;
  if (from.empty() && !to.empty()) return call_named(in, "fill_", {at.view, source}).defined();
  // What cannot be spread over the place is refused in the words of `expand`, not of `copy_`.
  if (auto common = broadcast_sizes(from, to); !common || !std::ranges::equal(*common, to)) {
    std::vector<Value> sizes;
    for (int64_t size : to) sizes.push_back(Value(size));
    return call_named(in, "expand", {source, Value(make_tuple(std::move(sizes)))}).defined();
  }
  return call_named(in, "copy_from_", {at.view, source, Value(false)}).defined();
}

}  // namespace glint::runtime
