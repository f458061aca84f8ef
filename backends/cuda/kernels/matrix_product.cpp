#include "backends/cuda/kernels/matrix_product.h"

#include <functional>
#include <optional>

#include "backends/cuda/device/device_memory.h"
#include "backends/cuda/device/launch_entry.h"
#include "backends/cuda/kernels/matrix_kernel.h"
#include "backends/cuda/kernels/tune_products.h"
#include "backends/cuda/libraries/cublas_lt.h"
#include "backends/cuda/tuning/tuning.h"
#include "backends/running_call.h"
#include "core/tensor/copy.h"

namespace glint::cuda {
namespace {

bool tf32_allowed = false;
uint64_t library_calls = 0;

/// The library, where the device is one that it can work on.
CublasLt* usable_library() {
  if (need_gpu_beside_launches().properties().is_simulated) return nullptr;
  const Result<CublasLt*>& found = load_cublas_lt();
  return found ? *found : nullptr;
}

LtMatrix matrix_of(const Tensor& tensor) {
  return {.address = reinterpret_cast<uint64_t>(tensor.raw_data()),
          .row = tensor.stride(-2),
          .column = tensor.stride(-1),
          .batch = tensor.rank() == 3 ? tensor.stride(0) : 0};
}

std::optional<LtActivation> library_activation(std::string_view name) {
  if (name == "none") return LtActivation::kNone;
  if (name == "relu") return LtActivation::kRelu;
  if (name == "gelu_tanh") return LtActivation::kGelu;
  return std::nullopt;
}

LtProduct product_of(const Tensor& a, const Tensor& b, const Tensor& out) {
  return {.dtype = out.dtype(),
          .rows = out.size(-2),
          .columns = out.size(-1),
          .inner = a.size(-1),
          .batches = out.rank() == 3 ? out.size(0) : 1,
          .a = matrix_of(a),
          .b = matrix_of(b),
          .out = matrix_of(out),
          .allows_tf32 = tf32_allowed};
}

/// False where the library does not do it.
bool run_by(CublasLt& library, const LtProduct& product) {
  const LtPlan* plan = library.plan(product);
  if (plan == nullptr) return false;
  std::optional<DeviceBuffer> workspace;
  if (workspace_bytes(*plan) > 0) workspace.emplace(workspace_bytes(*plan));
  count_launch();
  count_library_call();
  fail_on_device(library.run(*plan, product, workspace ? workspace->address() : 0,
                             need_gpu().stream_in_use()));
  return true;
}

/// With as much of the epilogue as the library does; the rest follows.
bool multiply_by_library(CublasLt& library, const Tensor& a, const Tensor& b, const Tensor& out,
                         const ProductEpilogue& epilogue) {
  LtProduct product = product_of(a, b, out);
  product.alpha = epilogue.alpha;
  product.beta = epilogue.beta;
  if (epilogue.adds_row())
    product.bias = reinterpret_cast<uint64_t>(epilogue.added->raw_data());
  else if (epilogue.added != nullptr)
    product.added = matrix_of(*epilogue.added);
  const auto activation = library_activation(epilogue.activation);
  product.activation = activation.value_or(LtActivation::kNone);
  if (run_by(library, product)) {
    if (!activation) finish(out, {.activation = epilogue.activation});
    return true;
  }
  // What is added may be what is written: then no product may be in its place first.
  const bool is_added = epilogue.added != nullptr && may_overlap(*epilogue.added, out);
  if (epilogue.is_empty() || is_added) return false;
  if (!run_by(library, product_of(a, b, out))) return false;
  finish(out, epilogue);
  return true;
}

}  // namespace

bool multiplies_by_library(DType dtype) {
  return is_floating(dtype) && usable_library() != nullptr;
}

void multiply(const Tensor& a, const Tensor& b, const Tensor& out,
              const ProductEpilogue& epilogue) {
  if (out.numel() == 0) return;
  CublasLt* library = usable_library();
  std::function<bool()> by_library;
  if (library != nullptr && is_floating(out.dtype()) && a.size(-1) > 0)
    by_library = [&] { return multiply_by_library(*library, a, b, out, epilogue); };
  std::optional<MatrixTile> tile;
  // What is added to is not written twice.
  const bool is_added = epilogue.added != nullptr && may_overlap(*epilogue.added, out);
  if (ProductTrials::at_work() && !is_added) tile = tuned_product(a, b, out, epilogue, by_library);
  if (!tile && by_library && by_library()) return RunningCall::note_library(kLibraryWay);
  multiply_by_kernel(a, b, out, epilogue, tile);
}

void allow_tf32(bool allowed) {
  tf32_allowed = allowed;
}

uint64_t library_call_count() {
  return library_calls;
}
void count_library_call() {
  ++library_calls;
}

}  // namespace glint::cuda
