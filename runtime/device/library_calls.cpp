#include "runtime/device/library_calls.h"

#include <algorithm>

#include "backends/cuda/kernels/matrix_product.h"
#include "backends/cuda/kernels/search_kernel.h"
#include "backends/cuda/kernels/sort_kernels.h"
#include "backends/cuda/kernels/true_places.h"
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
#include "runtime/device/fourier.h"
#include "runtime/device/index_writes.h"
#include "runtime/device/joins.h"
#include "runtime/device/one_operator.h"
#include "runtime/device/product_sums.h"

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

/// Memory as it is: nothing is launched.
Outputs empty(const OpEntry& entry, Arguments arguments) {
  const TensorType type = ops::infer(entry, ops::infer_arguments(arguments))[0];
  return Tensor::empty(ops::constant_dims(type.sizes), type.dtype, Device::cuda());
}

Outputs empty_like(const OpEntry& entry, Arguments arguments) {
  const DefaultDeviceScope scope(Device::cuda());
  return ops::run_decomposition(entry, arguments);
}

/// `mm`, `bmm`, or `mm_epilogue`, which adds something and has an activation too.
void multiply_into(Arguments arguments, const Tensor& out) {
  const Tensor* given = arguments.size() > 2 ? arguments[2].get_if<Tensor>() : nullptr;
  const Tensor added = given != nullptr ? expand(*given, out.sizes()) : Tensor();
  const std::string* activation =
      arguments.size() > 3 ? arguments[3].get_if<std::string>() : nullptr;
  cuda::multiply(arguments[0].tensor(), arguments[1].tensor(), out,
                 {.added = given != nullptr ? &added : nullptr,
                  .activation = activation != nullptr ? std::string_view(*activation) : "none"});
}

void product(const OpEntry&, Arguments arguments, std::span<const Tensor> outputs) {
  multiply_into(arguments, outputs[0]);
}

// ---- indices -----------------------------------------------------------------------------------

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

Outputs index(const OpEntry& entry, Arguments arguments) {
  const Tensor& x = arguments[0].tensor();
  const ops::Argument given[] = {arguments[0], indices_near(arguments[1], x)};
  return run_operator(entry, given);
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

/// Whether an argument shows memory of the target.
bool show_target(Arguments arguments, const Tensor& target) {
  bool found = false;
  for (const ops::Argument& argument : arguments)
    for_each_value(argument, [&](const Tensor& tensor) {
      found = found || (tensor.defined() && may_overlap(tensor, target));
    });
  return found;
}

constexpr LibraryCall kTable[] = {
    {.name = "mm", .run_into = product},
    {.name = "bmm", .run_into = product},
    {.name = "mm_epilogue", .run_into = product},
    {.name = "addmm", .run = add_product, .run_into = add_product_into, .update = add_product_over},
    {.name = "baddbmm",
     .run = add_product,
     .run_into = add_product_into,
     .update = add_product_over},
    {.name = "addmv", .run = add_product, .run_into = add_product_into, .update = add_product_over},
    {"convolution", convolution},
    {"convolution_of_input", convolution},
    {"convolution_of_weight", convolution},
    {"transposed_convolution", ops::run_decomposition},
    {"resample_of_input", ops::run_decomposition},
    {"lstm_layer", ops::run_decomposition},
    {"lstm_layer_backward", ops::run_decomposition},
    {"attention", ops::run_decomposition},
    {"attention_backward", ops::run_decomposition},
    {.name = "scatter", .run_into = scatter, .update = scatter_over},
    {.name = "scatter_add", .run_into = scatter, .update = scatter_over},
    {.name = "scatter_multiply", .run_into = scatter, .update = scatter_over},
    {.name = "scatter_greatest", .run_into = scatter, .update = scatter_over},
    {.name = "scatter_least", .run_into = scatter, .update = scatter_over},
    {.name = "index_copy", .run_into = scatter, .update = scatter_over},
    {.name = "index_add", .run_into = scatter, .update = scatter_over},
    {.name = "index_fill", .run_into = scatter, .update = scatter_over},
    {.name = "index_put", .run = index_put, .update = index_put_over},
    {.name = "one_hot", .run = one_hot, .run_into = one_hot_into},
    {"nonzero", nonzero},
    {"masked_select", masked_select},
    {"index", index},
    {.name = "searchsorted", .run_into = search},
    {"bucketize", ops::run_decomposition},
    {.name = "sort", .run_into = sort},
    {.name = "argsort", .run_into = argsort},
    {.name = "topk", .run_into = topk},
    {.name = "kthvalue", .run_into = kthvalue},
    {"empty", empty},
    {"empty_like", empty_like},
    {"cat", cat},
    {"stack", cat_of_views},
    {"hstack", cat_of_views},
    {"vstack", cat_of_views},
    {"cummax", cummax},
    {"cummin", cummin},
    {"logcumsumexp", logcumsumexp},
    {.name = "mode", .run_into = mode},
    {"fft_c2c", complex_fourier},
    {"fft_r2c", fourier_from_real},
    {"fft_c2r", fourier_to_real},
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

bool write_by_library(const OpEntry& entry, Arguments arguments, const Tensor& target) {
  const LibraryCall* call = find_library_call(entry.name);
  if (call == nullptr) return false;
  const Tensor* first = arguments[0].get_if<Tensor>();
  if (first != nullptr && first->is_same(target) && call->update != nullptr)
    return !show_target(arguments.subspan(1), target) && call->update(entry, arguments);
  if (call->run_into == nullptr || repeats_elements(target) || show_target(arguments, target))
    return false;
  if (ops::infer(entry, ops::infer_arguments(arguments))[0].dtype != target.dtype()) return false;
  call->run_into(entry, arguments, {&target, 1});
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
