#include "runtime/device/library_calls.h"

#include <algorithm>

#include "backends/cuda/index_kernels.h"
#include "backends/cuda/matrix_product.h"
#include "backends/cuda/search_kernel.h"
#include "backends/cuda/sort_kernels.h"
#include "backends/cuda/true_places.h"
#include "core/tensor/accelerator.h"
#include "core/tensor/copy.h"
#include "core/tensor/views.h"
#include "ops/advanced_index.h"
#include "ops/call.h"
#include "ops/device_calls.h"
#include "ops/infer.h"
#include "ops/layout.h"
#include "ops/search.h"
#include "runtime/device/composed_calls.h"
#include "runtime/device/convolutions.h"
#include "runtime/device/draws.h"
#include "runtime/device/one_operator.h"

namespace glint::device {
namespace {

using ops::Arguments;
using ops::OpEntry;
using ops::Outputs;

/// New memory on the device for each of the results.
std::vector<Tensor> empty_results(const OpEntry& entry, Arguments arguments) {
  std::vector<Tensor> made;
  for (const TensorType& type : ops::infer(entry, ops::infer_arguments(arguments)))
    made.push_back(Tensor::empty_strided(ops::constant_dims(type.sizes),
                                         ops::constant_dims(type.full_strides()), type.dtype,
                                         arguments[0].tensor().device()));
  return made;
}

/// `mm`, `bmm`, or `mm_epilogue`, which has a bias and an activation too.
void multiply_into(Arguments arguments, const Tensor& out) {
  const Tensor* given = arguments.size() > 2 ? arguments[2].get_if<Tensor>() : nullptr;
  const Tensor bias = given != nullptr ? contiguous(*given) : Tensor();
  const std::string* activation =
      arguments.size() > 3 ? arguments[3].get_if<std::string>() : nullptr;
  cuda::multiply(arguments[0].tensor(), arguments[1].tensor(), out,
                 {.bias = given != nullptr ? &bias : nullptr,
                  .activation = activation != nullptr ? std::string_view(*activation) : "none"});
}

void product(const OpEntry&, Arguments arguments, std::span<const Tensor> outputs) {
  multiply_into(arguments, outputs[0]);
}

// ---- indices -----------------------------------------------------------------------------------

[[noreturn]] void throw_out_of_range() {
  ops::throw_device_assert("index out of bounds");
}

void run_scatter(const cuda::Scatter& scatter) {
  if (!cuda::scatter_elements(scatter)) throw_out_of_range();
}

int64_t scattered_dim(Arguments arguments) {
  return ops::wrap_dim(ops::as_constant(arguments[1]),
                       static_cast<size_t>(arguments[0].tensor().rank()));
}

template <bool kAdds>
cuda::Scatter scatter_of(Arguments arguments, const Tensor& out) {
  cuda::Scatter scatter{.out = out,
                        .input = &arguments[0].tensor(),
                        .dim = scattered_dim(arguments),
                        .index = arguments[2].tensor(),
                        .source = {},
                        .adds = kAdds};
  if (const Tensor* source = arguments[3].get_if<Tensor>())
    scatter.source = *source;
  else
    scatter.number = ops::as_scalar(arguments[3]);
  return scatter;
}

/// The same for whole slices: the index, a vector, repeats along the other dimensions.
template <bool kAdds>
cuda::Scatter slices_of(Arguments arguments, const Tensor& out) {
  const int64_t dim = scattered_dim(arguments);
  Tensor source = arguments[3].tensor(), index = arguments[2].tensor();
  if (kAdds && ops::as_scalar(arguments[4]).as_double() != 1.0) {
    const bool is_whole = !is_floating(source.dtype());
    const Scalar factor = ops::as_scalar(arguments[4]);
    source = ops::call_eager("multiply", {source, is_whole ? ops::Argument(factor.to<int64_t>())
                                                           : ops::Argument(factor.as_double())});
  }
  if (source.rank() > 0) {
    Dims steps(source.sizes());
    for (int64_t k = 0; k < source.rank(); ++k) steps[static_cast<size_t>(k)] = 0;
    steps[static_cast<size_t>(dim)] = index.rank() > 0 ? index.stride(0) : 1;
    index = Tensor::view_of(index, source.sizes(), steps, index.offset());
  }
  return {.out = out,
          .input = &arguments[0].tensor(),
          .dim = dim,
          .index = index,
          .source = source,
          .adds = kAdds};
}

template <cuda::Scatter (*kOf)(Arguments arguments, const Tensor& out)>
void scatter(const OpEntry&, Arguments arguments, std::span<const Tensor> outputs) {
  run_scatter(kOf(arguments, outputs[0]));
}

template <cuda::Scatter (*kOf)(Arguments arguments, const Tensor& out)>
void scatter_over(const OpEntry& entry, Arguments arguments) {
  ops::infer(entry, ops::infer_arguments(arguments));  // its checks
  cuda::Scatter here = kOf(arguments, arguments[0].tensor());
  here.input = nullptr;
  run_scatter(here);
}

/// The true places of a mask: a row for each, and, one behind the other, a column for each of its
/// dimensions.
Tensor true_places(const Tensor& mask) {
  const Tensor truth = contiguous(convert(mask, DType::kBool));
  const int64_t count = truth.numel();
  const Tensor flat = Tensor::view_of(truth, {count}, {1}, truth.offset());
  const Tensor counts = ops::call_eager("cumsum", {flat, 0});
  const int64_t found = count == 0 ? 0 : Tensor::view_of(counts, {}, {}, count - 1).item().as_int();
  const Tensor columns = Tensor::empty(Dims{truth.rank(), found}, DType::kInt64, truth.device());
  cuda::write_true_places(truth, counts, columns);
  return Tensor::view_of(columns, {found, truth.rank()}, {1, found}, 0);
}

Outputs nonzero(const OpEntry&, Arguments arguments) {
  const DefaultDeviceScope scope(arguments[0].tensor().device());
  return true_places(arguments[0].tensor());
}

Outputs masked_select(const OpEntry&, Arguments arguments) {
  const Tensor &input = arguments[0].tensor(), &mask = arguments[1].tensor();
  const DefaultDeviceScope scope(input.device());
  const auto sizes = ops::broadcast(ops::type_of(input).sizes, ops::type_of(mask).sizes);
  const auto spread = [&](const Tensor& tensor) {
    const Tensor whole = contiguous(ops::call_eager("expand", {tensor, ops::Argument(sizes)}));
    return Tensor::view_of(whole, {whole.numel()}, {1}, whole.offset());
  };
  const Tensor places = true_places(spread(mask));
  const Tensor numbers = Tensor::view_of(places, {places.size(0)}, {1}, 0);
  return ops::call_eager("index_select", {spread(input), 0, numbers});
}

/// A 1 at each index of rows of zeros; without a number of classes the greatest index says it.
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
  const Tensor rows = Tensor::zeros(sizes, DType::kInt64, input.device());
  const Tensor column = ops::call_eager("unsqueeze", {input, -1});
  return ops::call_eager("scatter", {rows, -1, column, 1});
}

/// Indices where the indexed tensor is: the processor's are moved to a device, none comes from
/// there; masks become the places that they name.
ops::Argument on_device(const ops::Argument& list, const Tensor& x) {
  ops::Argument::List near;
  for (const ops::Argument& item : list.list()) {
    const Tensor* index = item.get_if<Tensor>();
    if (index && index->defined() && x.device().is_cpu() && !index->device().is_cpu())
      ops::throw_far_index();
    near.push_back(index ? ops::Argument(to_device(*index, x.device())) : item);
  }
  return ops::Argument(ops::without_masks(x, near));
}

Outputs index(const OpEntry& entry, Arguments arguments) {
  const Tensor& x = arguments[0].tensor();
  const ops::Argument given[] = {arguments[0], on_device(arguments[1], x)};
  return run_operator(entry, given);
}

Outputs index_put(const OpEntry& entry, Arguments arguments) {
  const Tensor& x = arguments[0].tensor();
  std::vector<ops::Argument> given(arguments.begin(), arguments.end());
  given[1] = on_device(arguments[1], x);
  const Tensor& values = arguments[2].tensor();
  if (values.device() != x.device() && values.rank() > 0) ops::throw_several_devices(arguments);
  given[2] = to_device(values, x.device());
  return x.device().is_cpu() ? entry.eager(entry, given) : run_operator(entry, given);
}

// ---- search ------------------------------------------------------------------------------------

void search(const OpEntry& entry, Arguments arguments, std::span<const Tensor> outputs) {
  const ops::Search given = ops::search_of(entry, arguments);
  const Device device = outputs[0].device();
  cuda::find_places({.rows = given.rows,
                     .values = given.values.defined() ? to_device(given.values, device) : Tensor(),
                     .number = given.number,
                     .dtype = given.dtype,
                     .behind_equals = given.behind_equals},
                    outputs[0]);
}

// ---- sort --------------------------------------------------------------------------------------

/// The dimension of a call along which it sorts.
int64_t sorted_dim(const OpEntry& entry, Arguments arguments) {
  return ops::wrap_dim(ops::as_constant(ops::argument(entry, arguments, "dim")),
                       static_cast<size_t>(arguments[0].tensor().rank()));
}

/// A result that has one element for each row, with that dimension.
Tensor with_dim(const Tensor& result, int64_t dim, int64_t rank) {
  return result.rank() < rank ? unsqueeze(result, dim) : result;
}

void sort(const OpEntry& entry, Arguments arguments, std::span<const Tensor> outputs) {
  cuda::sort_along(arguments[0].tensor(), sorted_dim(entry, arguments),
                   ops::as_bool(ops::argument(entry, arguments, "descending")),
                   {.values = &outputs[0], .places = &outputs[1]});
}

void argsort(const OpEntry& entry, Arguments arguments, std::span<const Tensor> outputs) {
  cuda::sort_along(arguments[0].tensor(), sorted_dim(entry, arguments),
                   ops::as_bool(ops::argument(entry, arguments, "descending")),
                   {.places = &outputs[0]});
}

void topk(const OpEntry& entry, Arguments arguments, std::span<const Tensor> outputs) {
  cuda::sort_along(arguments[0].tensor(), sorted_dim(entry, arguments),
                   ops::as_bool(ops::argument(entry, arguments, "largest")),
                   {.values = &outputs[0], .places = &outputs[1]});
}

void kthvalue(const OpEntry& entry, Arguments arguments, std::span<const Tensor> outputs) {
  const Tensor& input = arguments[0].tensor();
  const int64_t dim = sorted_dim(entry, arguments);
  const Tensor value = with_dim(outputs[0], dim, input.rank());
  const Tensor place = with_dim(outputs[1], dim, input.rank());
  cuda::sort_along(
      input, dim, false,
      {.values = &value, .places = &place, .first = ops::as_constant(arguments[1]) - 1});
}

void mode(const OpEntry& entry, Arguments arguments, std::span<const Tensor> outputs) {
  const Tensor& input = arguments[0].tensor();
  const int64_t dim = sorted_dim(entry, arguments);
  cuda::find_modes(input, dim, with_dim(outputs[0], dim, input.rank()),
                   with_dim(outputs[1], dim, input.rank()));
}

/// Whether another argument shows memory of the first one.
bool shows_target(Arguments arguments) {
  const Tensor& target = arguments[0].tensor();
  return std::ranges::any_of(arguments.subspan(1), [&](const ops::Argument& argument) {
    const Tensor* tensor = argument.get_if<Tensor>();
    return tensor != nullptr && tensor->defined() && tensor->storage() == target.storage();
  });
}

constexpr LibraryCall kTable[] = {
    {.name = "mm", .run_into = product},
    {.name = "bmm", .run_into = product},
    {.name = "mm_epilogue", .run_into = product},
    {"convolution", convolution},
    {"convolution_of_input", convolution},
    {"convolution_of_weight", convolution},
    {.name = "scatter",
     .run_into = scatter<scatter_of<false>>,
     .update = scatter_over<scatter_of<false>>},
    {.name = "scatter_add",
     .run_into = scatter<scatter_of<true>>,
     .update = scatter_over<scatter_of<true>>},
    {.name = "index_copy",
     .run_into = scatter<slices_of<false>>,
     .update = scatter_over<slices_of<false>>},
    {.name = "index_add",
     .run_into = scatter<slices_of<true>>,
     .update = scatter_over<slices_of<true>>},
    {"nonzero", nonzero},
    {"masked_select", masked_select},
    {"one_hot", one_hot},
    {"index", index},
    {"index_put", index_put},
    {.name = "searchsorted", .run_into = search},
    {"bucketize", ops::run_decomposition},
    {.name = "sort", .run_into = sort},
    {.name = "argsort", .run_into = argsort},
    {.name = "topk", .run_into = topk},
    {.name = "kthvalue", .run_into = kthvalue},
    {"heaviside", heaviside},
    {"cummax", cummax},
    {"cummin", cummin},
    {"logcumsumexp", logcumsumexp},
    {.name = "mode", .run_into = mode},
};

}  // namespace

std::span<const LibraryCall> library_table() {
  return kTable;
}

const LibraryCall* find_library_call(std::string_view name) {
  const auto found = std::ranges::find(kTable, name, &LibraryCall::name);
  return found == std::end(kTable) ? nullptr : found;
}

Outputs run_library(const LibraryCall& call, const OpEntry& entry, Arguments arguments) {
  if (call.run != nullptr) return call.run(entry, arguments);
  std::vector<Tensor> made = empty_results(entry, arguments);
  call.run_into(entry, arguments, made);
  return Outputs(std::move(made));
}

bool update_by_library(const OpEntry& entry, Arguments arguments) {
  const LibraryCall* call = find_library_call(entry.name);
  if (call == nullptr || call->update == nullptr) return false;
  if (repeats_elements(arguments[0].tensor()) || shows_target(arguments)) return false;
  call->update(entry, arguments);
  return true;
}

bool run_library_into(const OpEntry& entry, Arguments arguments, std::span<const Tensor> outputs) {
  if (is_draw(entry)) return draw_into(entry, arguments, outputs);
  if (run_convolution_into(entry, arguments, outputs)) return true;
  const LibraryCall* call = find_library_call(entry.name);
  if (call == nullptr || call->run_into == nullptr) return false;
  call->run_into(entry, arguments, outputs);
  return true;
}

}  // namespace glint::device
