#include "runtime/device/index_writes.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "backends/cuda/kernels/index_kernels.h"
#include "core/tensor/accelerator.h"
#include "core/tensor/copy.h"
#include "core/tensor/views.h"
#include "ops/advanced_index.h"
#include "ops/call.h"
#include "ops/device_calls.h"
#include "ops/infer.h"
#include "ops/layout.h"
#include "runtime/device/one_operator.h"

namespace glint::device {
namespace {

using ops::Arguments;
using ops::OpEntry;
using ops::Outputs;

int64_t named_dim(Arguments arguments) {
  return ops::wrap_dim(ops::as_constant(arguments[1]),
                       static_cast<size_t>(arguments[0].tensor().rank()));
}

/// What is written: a number also where that is a tensor of the processor, which no kernel reads.
void set_source(cuda::Scatter& scatter, const Tensor& given) {
  if (given.device().is_cpu() && given.rank() == 0)
    scatter.number = convert(given, scatter.out.dtype()).item();
  else
    scatter.source = given;
}

/// An index as one of these sizes: along a dimension a vector, in the others it repeats.
Tensor spread(const Tensor& index, IntSpan sizes, int64_t dim) {
  Dims steps(sizes.size(), 0);
  steps[static_cast<size_t>(dim)] = index.rank() > 0 ? index.stride(0) : 1;
  return Tensor::view_of(index, sizes, steps, index.offset());
}

cuda::Scatter scatter_of(Arguments arguments, const Tensor& out, cuda::Meeting meeting) {
  cuda::Scatter scatter{.out = out,
                        .dim = named_dim(arguments),
                        .indices = {to_device(arguments[2].tensor(), out.device())},
                        .source = {},
                        .meeting = meeting};
  if (const Tensor* source = arguments[3].get_if<Tensor>())
    set_source(scatter, *source);
  else
    scatter.number = ops::as_scalar(arguments[3]);
  return scatter;
}

/// The same for whole slices of the source, which `index_add` takes times a factor.
cuda::Scatter slices_of(Arguments arguments, const Tensor& out, cuda::Meeting meeting) {
  cuda::Scatter scatter = scatter_of(arguments, out, meeting);
  scatter.source = to_device(arguments[3].tensor(), out.device());
  if (scatter.source.rank() > 0)
    scatter.indices = {spread(scatter.indices[0], scatter.source.sizes(), scatter.dim)};
  if (meeting != cuda::Meeting::kAdd || ops::as_scalar(arguments[4]).as_double() == 1.0)
    return scatter;
  scatter.scales = true;
  scatter.number = ops::as_scalar(arguments[4]);
  return scatter;
}

/// One element in all slices that a vector names.
cuda::Scatter fill_of(Arguments arguments, const Tensor& out) {
  cuda::Scatter scatter = scatter_of(arguments, out, cuda::Meeting::kReplace);
  scatter.wraps = true;
  Tensor& index = scatter.indices[0];
  if (out.rank() > 0) {
    Dims sizes(out.sizes());
    sizes[static_cast<size_t>(scatter.dim)] = index.numel();
    index = spread(index, sizes, scatter.dim);
  }
  if (scatter.source.defined())
    scatter.source = expand(convert(scatter.source, out.dtype()), index.sizes());
  return scatter;
}

cuda::Meeting meeting_of(std::string_view name) {
  constexpr std::pair<std::string_view, cuda::Meeting> kMeetings[] = {
      {"scatter_add", cuda::Meeting::kAdd},
      {"index_add", cuda::Meeting::kAdd},
      {"scatter_multiply", cuda::Meeting::kMultiply},
      {"scatter_greatest", cuda::Meeting::kGreatest},
      {"scatter_least", cuda::Meeting::kLeast}};
  for (const auto& [named, meeting] : kMeetings)
    if (named == name) return meeting;
  return cuda::Meeting::kReplace;
}

/// By the operator's name.
cuda::Scatter scatter_of(const OpEntry& entry, Arguments arguments, const Tensor& out) {
  const std::string_view name = entry.name;
  if (name == "index_fill") return fill_of(arguments, out);
  const cuda::Meeting meeting = meeting_of(name);
  return name.starts_with("index_") ? slices_of(arguments, out, meeting)
                                    : scatter_of(arguments, out, meeting);
}

// ---- x[i, j] = values --------------------------------------------------------------------------

/// The neighbouring dimensions that a list of indices names, and their indices.
struct Named {
  int64_t first = 0;
  std::vector<Tensor> indices;
  Dims sizes;  ///< what they broadcast to
};

/// Nothing where the list is not as the kernel takes it, or is wrong.
std::optional<Named> named_by(const ops::Argument::List& items, const Tensor& x) {
  Named named;
  if (static_cast<int64_t>(items.size()) > x.rank()) return std::nullopt;
  for (size_t i = 0; i < items.size(); ++i) {
    if (items[i].is_none()) continue;
    const Tensor& index = items[i].tensor();
    if (named.indices.empty()) named.first = static_cast<int64_t>(i);
    const bool is_next = static_cast<int64_t>(i) == named.first + std::ssize(named.indices);
    const auto sizes = broadcast_sizes(named.sizes, index.sizes());
    const bool has_places = index.dtype() == DType::kInt64 || index.dtype() == DType::kInt32;
    if (!is_next || !has_places || !sizes) return std::nullopt;
    named.sizes = *sizes;
    named.indices.push_back(index);
  }
  if (named.indices.empty()) return std::nullopt;
  return named;
}

/// A tensor's view with the sizes of `x` before and behind the named dimensions.
class Frame {
 public:
  Frame(const Named& named, const Tensor& x) : named_(named) {
    for (int64_t dim = 0; dim < x.rank(); ++dim)
      (dim < named.first ? before_ : behind_).push_back(x.size(dim));
    for (size_t k = 0; k < named.indices.size(); ++k) behind_.erase(0);
  }
  /// Whether a place is named in a dimension that has none.
  bool names_nothing(const Tensor& x) const {
    const IntSpan sizes = x.sizes().subspan(named_.first, named_.indices.size());
    return std::ranges::count(sizes, 0) > 0 && std::ranges::count(named_.sizes, 0) == 0;
  }
  /// What `x[i, j]` has.
  Dims result() const { return around(named_.sizes); }
  /// An index, which repeats in all dimensions but those of the indices.
  Tensor index(const Tensor& index) const {
    const Tensor wide = expand(index, named_.sizes);
    const Dims before(before_.size(), 0), behind(behind_.size(), 0);
    return with_one(
        Tensor::view_of(index, result(), joined(before, wide.strides(), behind), index.offset()));
  }
  /// Indices without dimensions have one for the kernel.
  Tensor with_one(const Tensor& tensor) const {
    return named_.sizes.empty() ? unsqueeze(tensor, named_.first) : tensor;
  }

 private:
  static Dims joined(IntSpan before, IntSpan here, IntSpan behind) {
    Dims all(before);
    for (const IntSpan& part : {here, behind})
      for (const int64_t each : part) all.push_back(each);
    return all;
  }
  Dims around(IntSpan here) const { return joined(before_, here, behind_); }

  const Named& named_;
  Dims before_, behind_;
};

/// `index_put` as one launch; nothing where its checks have something to say.
std::optional<cuda::Scatter> put_of(const OpEntry& entry, Arguments arguments, const Tensor& out) {
  const Tensor& values = arguments[2].tensor();
  const std::optional<Named> named = named_by(arguments[1].list(), out);
  if (!named || values.dtype() != out.dtype()) return std::nullopt;
  const Frame frame(*named, out);
  if (frame.names_nothing(out)) return std::nullopt;
  const Dims result = frame.result();
  const auto common = broadcast_sizes(values.sizes(), result);
  if (!common || !same_dims(*common, result)) return std::nullopt;
  const bool adds = ops::as_bool(ops::argument(entry, arguments, "accumulate"));
  cuda::Scatter scatter{.out = out,
                        .dim = named->first,
                        .indices = {},
                        .source = {},
                        .meeting = adds ? cuda::Meeting::kAdd : cuda::Meeting::kReplace,
                        .wraps = true};
  for (const Tensor& index : named->indices) scatter.indices.push_back(frame.index(index));
  set_source(scatter, values);
  if (scatter.source.defined()) scatter.source = frame.with_one(expand(values, result));
  return scatter;
}

/// The arguments of `index_put` where the tensor is.
std::vector<ops::Argument> put_near(Arguments arguments) {
  const Tensor& x = arguments[0].tensor();
  std::vector<ops::Argument> given(arguments.begin(), arguments.end());
  given[1] = indices_near(arguments[1], x);
  const Tensor& values = arguments[2].tensor();
  if (values.device() != x.device() && values.rank() > 0) ops::throw_several_devices(arguments);
  if (x.device().is_cpu()) given[2] = to_device(values, x.device());
  return given;
}

/// A 1 at each index of rows of zeros.
void put_ones(const Tensor& input, const Tensor& out) {
  cuda::scatter_elements({.out = out,
                          .over_zeros = true,
                          .dim = out.rank() - 1,
                          .indices = {unsqueeze(input, -1)},
                          .source = {},
                          .number = int64_t{1}});
}

}  // namespace

void scatter(const OpEntry& entry, Arguments arguments, std::span<const Tensor> outputs) {
  cuda::Scatter scatter = scatter_of(entry, arguments, outputs[0]);
  scatter.input = &arguments[0].tensor();
  cuda::scatter_elements(scatter);
}

bool scatter_over(const OpEntry& entry, Arguments arguments) {
  ops::infer(entry, ops::infer_arguments(arguments));  // its checks
  cuda::scatter_elements(scatter_of(entry, arguments, arguments[0].tensor()));
  return true;
}

Outputs index_put(const OpEntry& entry, Arguments arguments) {
  const Tensor& x = arguments[0].tensor();
  std::vector<ops::Argument> given = put_near(arguments);
  if (x.device().is_cpu()) return entry.eager(entry, given);
  const Tensor out = Tensor::empty(x.sizes(), x.dtype(), x.device());
  std::optional<cuda::Scatter> scatter = put_of(entry, given, out);
  if (!scatter) {
    given[2] = to_device(given[2].tensor(), x.device());
    return run_operator(entry, given);
  }
  scatter->input = &x;
  cuda::scatter_elements(*scatter);
  return out;
}

bool index_put_over(const OpEntry& entry, Arguments arguments) {
  if (arguments[0].tensor().device().is_cpu()) return false;
  std::vector<ops::Argument> given = put_near(arguments);
  if (const std::optional<ops::MemoryWrite> write = ops::write_of_memory(given)) {
    given[0] = write->memory;
    given[1] = ops::Argument(ops::Argument::List{write->places});
    given[2] = write->values;
  }
  const std::optional<cuda::Scatter> scatter = put_of(entry, given, given[0].tensor());
  if (!scatter) return false;
  cuda::scatter_elements(*scatter);
  return true;
}

/// Without a number of classes the greatest index says it.
Outputs one_hot(const OpEntry& entry, Arguments arguments) {
  const Tensor& input = arguments[0].tensor();
  const DefaultDeviceScope scope(input.device());
  int64_t classes = ops::as_constant(arguments[1]);
  if (classes != -1) {
    ops::infer(entry, ops::infer_arguments(arguments));  // its checks
  } else {
    if (input.numel() == 0)
      throw ops::OpError{"RuntimeError",
                         "Can not infer total number of classes from empty tensor."};
    // At least one: a scatter into none would not see that an index is negative.
    classes = std::max<int64_t>(ops::call_eager("amax", {input}).item().as_int() + 1, 1);
  }
  Dims sizes(input.sizes());
  sizes.push_back(classes);
  const Tensor out = Tensor::empty(sizes, DType::kInt64, input.device());
  put_ones(input, out);
  return out;
}

void one_hot_into(const OpEntry&, Arguments arguments, std::span<const Tensor> outputs) {
  put_ones(arguments[0].tensor(), outputs[0]);
}

ops::Argument indices_near(const ops::Argument& list, const Tensor& x) {
  ops::Argument::List near;
  for (const ops::Argument& item : list.list()) {
    const Tensor* index = item.get_if<Tensor>();
    if (index && index->defined() && x.device().is_cpu() && !index->device().is_cpu())
      ops::throw_far_index();
    near.push_back(index ? ops::Argument(to_device(*index, x.device())) : item);
  }
  return ops::Argument(ops::without_masks(x, near));
}

}  // namespace glint::device
