#include "runtime/interpreter/tensor_assignment.h"

#include <algorithm>
#include <optional>

#include "core/tensor/accelerator.h"
#include "core/tensor/grad_mode.h"
#include "ops/device_calls.h"
#include "ops/forms.h"
#include "ops/infer.h"
#include "ops/layout.h"
#include "ops/op.h"
#include "runtime/interpreter/big_ints.h"
#include "runtime/interpreter/protocol.h"
#include "runtime/interpreter/recorded_calls.h"
#include "runtime/interpreter/torch_values.h"

namespace glint::runtime {
namespace {

/// A row of operator calls; once one has raised, the rest gives undefined.
class Steps {
 public:
  explicit Steps(Interpreter& in) : in_(in) {}

  Value operator()(std::string_view name, std::initializer_list<Value> arguments) {
    for (const Value& argument : arguments)
      if (argument.is_undefined()) return Value();
    const ops::OpEntry* entry = ops::find_op(name);
    if (!entry)
      return in_.raise("NotImplementedError", fmt::format("the operator '{}' is missing", name));
    return in_.call_operator(*entry, {arguments.begin(), arguments.size()});
  }

 private:
  Interpreter& in_;
};

IntSpan sizes_of(const Value& tensor) {
  return tensor.as<TensorImpl>()->sizes;
}
Value list_of(const std::vector<int64_t>& numbers) {
  std::vector<Value> items;
  for (int64_t number : numbers) items.push_back(Value(number));
  return Value(make_list(std::move(items)));
}
bool is_mask(const Value& value) {
  return value.as<TensorImpl>()->dtype == DType::kBool;
}

/// Index tensors, one a leading dimension: masks become the places where they hold. False if it
/// raised.
bool integer_indices(Interpreter& in, const std::vector<Value>& indices, std::vector<Value>& out) {
  size_t last = indices.size();
  while (last > 0 && indices[last - 1].is_none()) --last;
  for (size_t i = 0; i < last; ++i) {
    if (indices[i].is_undefined()) continue;
    if (!is_mask(indices[i])) {
      out.push_back(indices[i]);
      continue;
    }
    if (!append_places(in, indices[i], out)) return false;
  }
  return true;
}

/// The places in the flattened leading dimensions. Where there are no elements, an index may be
/// any.
Value linear_index(Interpreter& in, IntSpan sizes, const std::vector<Value>& indices) {
  Steps step(in);
  const bool is_empty = std::ranges::find(sizes, 0) != sizes.end();
  Value linear;
  for (size_t i = 0; i < indices.size(); ++i) {
    Value index =
        is_empty && sizes[i] > 0
            ? step("multiply", {indices[i], Value(int64_t{0})})
            : step("wrap_index", {indices[i], Value(sizes[i]), Value(static_cast<int64_t>(i))});
    if (linear.is_undefined() && i == 0)
      linear = index;
    else
      linear = step("add", {step("multiply", {linear, Value(sizes[i])}), index});
    if (linear.is_undefined()) return linear;
  }
  return linear;
}

/// Whether the source can be expanded to the indexed places; raises if not.
bool check_fits(Interpreter& in, const Value& source, const std::vector<int64_t>& sizes) {
  IntSpan given = sizes_of(source);
  bool fits = given.size() <= sizes.size();
  for (size_t i = 0; fits && i < given.size(); ++i)
    fits = given[i] == 1 || given[i] == sizes[sizes.size() - given.size() + i];
  if (fits) return true;
  in.raise("RuntimeError", fmt::format("shape mismatch: value tensor of shape [{}] cannot be "
                                       "broadcast to indexing result of shape [{}]",
                                       fmt::join(given, ", "), fmt::join(sizes, ", ")));
  return false;
}

/// Whether what is read lies apart from what is written; raises if not.
bool check_apart(Interpreter& in, const Value& view, const Value& read) {
  if (!read.is(kTensorKind)) return true;
  bool pending = tensor_of(view).is_pending() || tensor_of(read).is_pending();
  if (pending) return !in.tracer() || in.tracer()->lie_apart(tensor_of(view), tensor_of(read));
  Overlap overlap = overlap_of(tensor_of(view), tensor_of(read));
  if (overlap == Overlap::kNone || overlap == Overlap::kUnknown) return true;
  try {
    ops::throw_partial_overlap();
  } catch (const ops::OpError& error) {
    raise_op_error(in, error);
    return false;
  }
}

/// Whether the source has the tensor's dtype; raises if not.
bool check_same_dtype(Interpreter& in, const Value& tensor, const Value& source) {
  const DType to = tensor.as<TensorImpl>()->dtype, from = source.as<TensorImpl>()->dtype;
  if (from == to) return true;
  in.raise("RuntimeError",
           fmt::format("Index put requires the source and destination dtypes match, got {} for the "
                       "destination and {} for the source.",
                       ops::scalar_type_name(to), ops::scalar_type_name(from)));
  return false;
}

/// The source spread over the places and the dimensions behind them, places flattened.
Value spread_source(Interpreter& in, const Value& rows, const Value& linear, const Value& source,
                    bool converts) {
  if (source.is_number()) return source;
  Steps step(in);
  std::vector<int64_t> full(sizes_of(linear).begin(), sizes_of(linear).end());
  std::vector<int64_t> flat = {linear.as<TensorImpl>()->numel};
  for (size_t i = 1; i < sizes_of(rows).size(); ++i) {
    full.push_back(sizes_of(rows)[i]);
    flat.push_back(sizes_of(rows)[i]);
  }
  if (!check_fits(in, source, full)) return Value();
  if (!converts && !check_same_dtype(in, rows, source)) return Value();
  Value converted = step("to", {source, dtype_value(rows.as<TensorImpl>()->dtype)});
  return step("reshape", {step("expand", {converted, list_of(full)}), list_of(flat)});
}

/// Where a dimension before the last index tensor is taken whole: the indexed dimensions go to the
/// front, and so do the source's that stand for them.
bool assign_behind_slices(Interpreter& in, const Value& view, const std::vector<Value>& indices,
                          Value source) {
  Steps step(in);
  std::vector<int64_t> order, rest;
  std::vector<Value> leading;
  for (size_t dim = 0; dim < sizes_of(view).size(); ++dim) {
    bool indexed = dim < indices.size() && !indices[dim].is_none();
    (indexed ? order : rest).push_back(static_cast<int64_t>(dim));
    if (indexed) leading.push_back(indices[dim]);
  }
  // Index tensors side by side leave their result in place, others leave it in front.
  bool adjacent = order.back() - order.front() + 1 == static_cast<int64_t>(order.size());
  int64_t before = adjacent ? order.front() : 0;
  order.insert(order.end(), rest.begin(), rest.end());
  Value moved = step("permute", {view, list_of(order)});
  if (moved.is_undefined()) return false;
  if (is_tensor(source) && before > 0) {
    std::vector<Value> places;
    if (!integer_indices(in, leading, places)) return false;
    Value linear = linear_index(in, sizes_of(moved), places);
    if (linear.is_undefined()) return false;
    auto rank = static_cast<int64_t>(sizes_of(linear).size());
    std::vector<int64_t> full, back;
    for (size_t dim = 0; dim < rest.size(); ++dim) {
      if (static_cast<int64_t>(dim) == before)
        full.insert(full.end(), sizes_of(linear).begin(), sizes_of(linear).end());
      full.push_back(sizes_of(view)[static_cast<size_t>(rest[dim])]);
    }
    if (static_cast<int64_t>(rest.size()) == before)
      full.insert(full.end(), sizes_of(linear).begin(), sizes_of(linear).end());
    for (int64_t dim = 0; dim < rank; ++dim) back.push_back(before + dim);
    for (int64_t dim = 0; dim < static_cast<int64_t>(full.size()); ++dim)
      if (dim < before || dim >= before + rank) back.push_back(dim);
    if (!check_fits(in, source, full)) return false;
    source = step("expand", {source, list_of(full)});
    if (source.defined()) source = step("permute", {source, list_of(back)});
    if (source.is_undefined()) return false;
  }
  return assign_by_index(in, moved, leading, source);
}

/// Whether one mask chooses the places and one element fills them, which is read before the first
/// is written.
bool fills_mask(const Value& source, const std::vector<Value>& indices) {
  if (!is_tensor(source) || source.as<TensorImpl>()->numel != 1) return false;
  auto is_index = [](const Value& index) { return index.is(kTensorKind); };
  auto mask = std::ranges::find_if(indices, is_index);
  return is_mask(*mask) && std::ranges::count_if(indices, is_index) == 1;
}

/// Whether indices are numbers, as which PyTorch takes tensors without dimensions.
bool are_numbers(const std::vector<Value>& indices) {
  return std::ranges::all_of(indices, [](const Value& index) {
    return !index.is(kTensorKind) || (!is_mask(index) && sizes_of(index).empty());
  });
}

/// Whether what is assigned is converted: else PyTorch asks for the tensor's own dtype.
bool is_converted(const Value& source, const std::vector<Value>& indices) {
  return are_numbers(indices) || fills_mask(source, indices);
}

/// Whether a dimension before the last index tensor is taken whole.
bool has_slice_before(const std::vector<Value>& indices) {
  size_t last = indices.size();
  while (last > 0 && indices[last - 1].is_none()) --last;
  for (size_t i = 0; i < last; ++i)
    if (indices[i].is_none()) return true;
  return false;
}

/// Whether the operator does an assignment, which it takes as it is: where that is one launch, and
/// where sizes are symbols, which the operator's own rules compute with.
bool is_one_step(Interpreter& in, const Value& view, const std::vector<Value>& indices) {
  const auto is_mask_index = [](const Value& index) {
    return index.is(kTensorKind) && is_mask(index);
  };
  const bool is_traced = in.tracer() != nullptr && std::ranges::none_of(indices, is_mask_index);
  if (!is_traced && !is_launched(in, view)) return false;
  auto is_whole = [](const Value& index) { return index.is_none(); };
  const auto first = std::ranges::find_if_not(indices, is_whole);
  return std::all_of(std::find_if(first, indices.end(), is_whole), indices.end(), is_whole);
}

/// Whether the elements hold a number, as `full` for one element does not look; raises if not.
bool check_number(Interpreter& in, const Value& view, const Value& number) {
  if (!number.is_float() && !number.is_int()) return true;
  const ops::InferArgument given = number.is_float() ? ops::InferArgument(number.as_float())
                                                     : ops::InferArgument(SymInt(number.as_int()));
  try {
    ops::check_holds(view.as<TensorImpl>()->dtype, given);
    return true;
  } catch (const ops::OpError& error) {
    raise_op_error(in, error);
    return false;
  }
}

bool masks_fit(Interpreter& in, const Value& view, const std::vector<Value>& indices) {
  for (size_t dim = 0; dim < indices.size(); ++dim)
    if (indices[dim].is(kTensorKind) && is_mask(indices[dim]) &&
        !mask_fits(in, view, dim, indices[dim]))
      return false;
  return true;
}

/// Of what indexing gives: the index tensors' own, in place of those that they name.
size_t indexed_rank(const Value& view, const std::vector<Value>& indices) {
  size_t of_indices = 0, named = 0;
  for (const Value& index : indices) {
    named += index.is_none() ? 0 : 1;  // an undefined one is a further dimension of a mask
    if (index.is(kTensorKind))
      of_indices = std::max(of_indices, is_mask(index) ? 1 : sizes_of(index).size());
  }
  return sizes_of(view).size() - named + of_indices;
}

/// The operator `index_put_` does all of an assignment that is put on the tape, for the same reason
/// as `index` does a read, and of one that it takes as it is.
bool put_by_index(Interpreter& in, const Value& view, const std::vector<Value>& indices,
                  const Value& source) {
  std::vector<Value> tensors;
  for (const Value& index : indices)
    if (!index.is_undefined()) tensors.push_back(index);
  while (tensors.back().is_none()) tensors.pop_back();
  if (!check_number(in, view, source)) return false;
  const Value dtype = dtype_value(view.as<TensorImpl>()->dtype);
  Steps step(in);
  // A launch takes a number from the processor; a region has all its tensors where it is.
  const DefaultDeviceScope of_numbers(in.tracer() ? view.as<TensorImpl>()->device : Device::cpu());
  Value values = source;
  if (!is_tensor(source))
    values = step("full", {Value(make_tuple({})), source, dtype});
  else if (is_converted(source, indices))
    values = step("to", {source, dtype});
  return step("index_put_", {view, Value(make_list(std::move(tensors))), values}).defined();
}

}  // namespace

bool mask_fits(Interpreter& in, const Value& view, size_t dim, const Value& mask) {
  const IntSpan sizes = sizes_of(view), wanted = sizes_of(mask);
  for (size_t k = 0; k < wanted.size(); ++k) {
    if (wanted[k] == sizes[dim + k]) continue;
    in.raise("IndexError",
             fmt::format("The shape of the mask [{}] at index {} does not match the shape of the "
                         "indexed tensor [{}] at index {}",
                         fmt::join(wanted, ", "), k, fmt::join(sizes, ", "), dim + k));
    return false;
  }
  return true;
}

bool is_launched(Interpreter& in, const Value& tensor) {
  return !tensor.as<TensorImpl>()->device.is_cpu() && in.tracer() == nullptr;
}

bool is_recorded(const Value& tensor) {
  return grad_mode() && requires_grad(tensor, 0);
}

bool bring_indices(Interpreter& in, const Value& view, std::vector<Value>& indices) {
  const Device device = view.as<TensorImpl>()->device;
  for (Value& index : indices) {
    if (!index.is(kTensorKind) || index.as<TensorImpl>()->device.type == device.type) continue;
    try {
      if (device.is_cpu()) ops::throw_far_index();
    } catch (const ops::OpError& error) {
      raise_op_error(in, error);
      return false;
    }
    index = Steps(in)("to_device", {index, device_value(device), Value(false)});
    if (index.is_undefined()) return false;
  }
  return true;
}

bool append_places(Interpreter& in, const Value& mask, std::vector<Value>& out) {
  Steps step(in);
  Value places = step("nonzero", {mask});
  if (places.is_undefined()) return false;
  auto rank = static_cast<int64_t>(sizes_of(mask).size());
  for (int64_t dim = 0; dim < rank; ++dim) {
    out.push_back(step("select", {places, Value(int64_t{1}), Value(dim)}));
    if (out.back().is_undefined()) return false;
  }
  return true;
}

Value without_leading_ones(Interpreter& in, const Value& source, size_t rank) {
  if (!is_tensor(source) || sizes_of(source).size() <= rank) return source;
  Value shorter = source;
  for (int64_t size : sizes_of(source)) {
    if (size != 1 || shorter.is_undefined()) break;
    shorter = Steps(in)("select", {shorter, Value(int64_t{0}), Value(int64_t{0})});
  }
  return shorter;
}

bool check_assignable(Interpreter& in, const Value& tensor, const Value& source) {
  if (source.is_number() || is_traced_number(source) || is_tensor(source)) return true;
  if (is_big_int(source)) return in.raise("ValueError", "Overflow when unpacking long long"), false;
  in.raise("TypeError", fmt::format("can't assign a {} to a torch.{}Tensor", type_name(source),
                                    ops::scalar_type_name(tensor.as<TensorImpl>()->dtype)));
  return false;
}

bool assign_by_index(Interpreter& in, const Value& view, const std::vector<Value>& wanted,
                     const Value& given) {
  Steps step(in);
  Value source = given;
  std::vector<Value> indices = wanted;
  if (!bring_indices(in, view, indices)) return false;
  if (!check_assignable(in, view, source) || !masks_fit(in, view, indices)) return false;
  source = without_leading_ones(in, source, indexed_rank(view, indices));
  if (source.is_undefined()) return false;
  bool number = !is_tensor(source);
  const bool one_step = is_one_step(in, view, indices);
  if (!one_step && has_slice_before(indices))
    return assign_behind_slices(in, view, indices, source);
  bool scalar = number || sizes_of(source).empty();
  bool recorded = is_recorded(view) || is_recorded(source);
  if (scalar && !recorded && is_tensor(indices[0]) && is_mask(indices[0]) &&
      sizes_of(indices[0]).size() == sizes_of(view).size())
    return step("masked_fill_", {view, indices[0], source}).defined();
  if (fills_mask(source, indices)) source = step("clone", {source});
  if (source.is_undefined()) return false;
  if (!check_apart(in, view, source)) return false;
  for (const Value& index : indices)
    if (!check_apart(in, view, index)) return false;
  const bool is_empty = view.as<TensorImpl>()->numel == 0;
  if (recorded || one_step || is_empty || repeats_elements(tensor_of(view)))
    return put_by_index(in, view, indices, source);
  std::vector<Value> leading;
  if (!integer_indices(in, indices, leading)) return false;
  Value linear = linear_index(in, sizes_of(view), leading);
  if (linear.is_undefined()) return false;
  // Flattening shares memory only where the elements lie in order; else a copy goes back at the
  // end.
  bool direct = leading.size() == 1 || view.as<TensorImpl>()->contiguous;
  Value base = direct ? view : step("contiguous", {view});
  Value last(static_cast<int64_t>(leading.size()) - 1);
  Value rows = leading.size() == 1 ? base : step("flatten", {base, Value(int64_t{0}), last});
  if (rows.is_undefined()) return false;
  source = spread_source(in, rows, linear, source, is_converted(source, indices));
  int64_t count = linear.as<TensorImpl>()->numel;
  std::vector<int64_t> column(sizes_of(rows).size(), 1),
      target(sizes_of(rows).begin(), sizes_of(rows).end());
  column[0] = target[0] = count;
  Value index = step("expand", {step("reshape", {linear, list_of(column)}), list_of(target)});
  Value written = step("scatter_", {rows, Value(int64_t{0}), index, source});
  if (!direct) written = step("copy_from_", {view, base, Value(false)});
  return written.defined();
}

}  // namespace glint::runtime
