// A stand-in for NVIDIA's libcublasLt.so.13, for tests on machines without a GPU: it multiplies on
// the processor, in memory of the stand-in driver (tests/driver), and is stricter than the real
// one.
//
//     GLINT_CUBLASLT=build/release/driver LD_LIBRARY_PATH=build/release/driver glint script.py
//
// Wrong use is an error status: attributes of a wrong size, a leading dimension that rows do not
// fit in, matrices that do not match, an address that is less aligned than was promised, an
// algorithm that was proposed for another product, a workspace that is missing. What the real
// library does not have, this one does not have either: epilogues of float64. To try the way back,
// it has no algorithm for 13 inner elements; and needs a workspace from 32 on, which it spoils
// first.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

#include "tests/driver/libraries/cublas_lt_names.h"
#include "tests/driver/libraries/driver_memory.h"

namespace {

using namespace glint::driver;

constexpr size_t kVersion = 130002;
constexpr uint64_t kRefusedInner = 13;
constexpr uint64_t kInnerWithWorkspace = 32;
constexpr size_t kWorkspace = 1024;

struct Multiplication {
  cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
  cudaDataType_t scale = CUDA_R_32F;
  int32_t operation[2] = {CUBLAS_OP_N, CUBLAS_OP_N};
  uint32_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  const void* bias = nullptr;
};

struct Layout {
  cudaDataType_t type = CUDA_R_32F;
  uint64_t rows = 0;
  uint64_t columns = 0;
  int64_t step = 0;
  int32_t batches = 1;
  int64_t batch_step = 0;
};

struct Preference {
  uint64_t workspace = 0;
  uint32_t alignment[4] = {256, 256, 256, 256};
};

Multiplication& of(cublasLtMatmulDesc_t object) {
  return *reinterpret_cast<Multiplication*>(object);
}
Layout& of(cublasLtMatrixLayout_t object) {
  return *reinterpret_cast<Layout*>(object);
}
Preference& of(cublasLtMatmulPreference_t object) {
  return *reinterpret_cast<Preference*>(object);
}

template <class T>
cublasStatus_t assign(T& place, const void* value, size_t bytes) {
  if (value == nullptr || bytes != sizeof(T)) return CUBLAS_STATUS_INVALID_VALUE;
  std::memcpy(&place, value, bytes);
  return CUBLAS_STATUS_SUCCESS;
}

ElementType element_of(cudaDataType_t type) {
  if (type == CUDA_R_64F) return ElementType::kFloat64;
  if (type == CUDA_R_16F) return ElementType::kFloat16;
  return type == CUDA_R_16BF ? ElementType::kBFloat16 : ElementType::kFloat32;
}

/// A product as the descriptors have it: d = alpha * a' @ b' + beta * c, all by columns.
struct Product {
  Multiplication how;
  Layout a, b, c, d;
  double alpha = 1, beta = 0;
  uint64_t rows = 0, columns = 0, inner = 0;

  /// False where they do not fit together.
  bool read(cublasLtMatmulDesc_t how_object, cublasLtMatrixLayout_t a_object,
            cublasLtMatrixLayout_t b_object, cublasLtMatrixLayout_t c_object,
            cublasLtMatrixLayout_t d_object) {
    if (!how_object || !a_object || !b_object || !c_object || !d_object) return false;
    how = of(how_object);
    a = of(a_object);
    b = of(b_object);
    c = of(c_object);
    d = of(d_object);
    const bool a_turned = how.operation[0] == CUBLAS_OP_T;
    const bool b_turned = how.operation[1] == CUBLAS_OP_T;
    rows = a_turned ? a.columns : a.rows;
    inner = a_turned ? a.rows : a.columns;
    columns = b_turned ? b.rows : b.columns;
    const bool fits =
        inner == (b_turned ? b.columns : b.rows) && d.rows == rows && d.columns == columns;
    const bool alike = a.type == b.type && b.type == d.type && a.batches == b.batches &&
                       b.batches == d.batches && c.type == d.type && c.batches == d.batches &&
                       c.rows == d.rows && c.columns == d.columns;
    const bool apart =
        d.batches == 1 || d.batch_step >= int64_t(d.columns - 1) * d.step + int64_t(d.rows);
    return fits && alike && apart;
  }
  bool is_supported() const {
    const bool wide = d.type == CUDA_R_64F;
    if ((how.scale == CUDA_R_64F) != wide || (how.compute == CUBLAS_COMPUTE_64F) != wide)
      return false;
    if (how.compute == CUBLAS_COMPUTE_32F_FAST_TF32 && d.type != CUDA_R_32F) return false;
    return inner != kRefusedInner && (!wide || how.epilogue == CUBLASLT_EPILOGUE_DEFAULT);
  }
  bool has_bias() const { return (how.epilogue & CUBLASLT_EPILOGUE_BIAS) != 0; }
  /// What an algorithm was proposed for.
  uint64_t mark() const {
    uint64_t mark = 1469598103934665603u;
    for (const uint64_t part :
         {rows, columns, inner, uint64_t(a.step), uint64_t(b.step), uint64_t(c.step),
          uint64_t(d.step), uint64_t(d.batches), uint64_t(d.type), uint64_t(how.compute),
          uint64_t(how.epilogue), uint64_t(how.operation[0]), uint64_t(how.operation[1])})
      mark = (mark ^ part) * 1099511628211u;
    return mark;
  }
};

/// The elements of a matrix and its batch, as far as they reach.
struct Elements {
  std::vector<double> values;
  const Layout& layout;

  explicit Elements(const Layout& its) : layout(its) {
    values.resize(size_t(layout.batches - 1) * size_t(layout.batch_step) +
                  (layout.columns - 1) * size_t(layout.step) + layout.rows);
  }
  size_t place(int32_t batch, uint64_t row, uint64_t column) const {
    return size_t(batch) * size_t(layout.batch_step) + column * size_t(layout.step) + row;
  }
};

double activated(double x, uint32_t epilogue) {
  if (epilogue & CUBLASLT_EPILOGUE_RELU) return x > 0 || std::isnan(x) ? x : 0.0;
  if ((epilogue & CUBLASLT_EPILOGUE_GELU) == 0) return x;
  return x / 2 * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
}

/// One element: sums run in float but for float64, in order.
double element(const Product& p, const Elements& a, const Elements& b, int32_t batch, uint64_t i,
               uint64_t j, double bias, double added) {
  const bool wide = p.d.type == CUDA_R_64F;
  const bool tf32 = p.how.compute == CUBLAS_COMPUTE_32F_FAST_TF32;
  double total = 0;
  float narrow = 0;
  for (uint64_t k = 0; k < p.inner; ++k) {
    const bool a_turned = p.how.operation[0] == CUBLAS_OP_T;
    const bool b_turned = p.how.operation[1] == CUBLAS_OP_T;
    const double x = a.values[a_turned ? a.place(batch, k, i) : a.place(batch, i, k)];
    const double y = b.values[b_turned ? b.place(batch, j, k) : b.place(batch, k, j)];
    if (wide)
      total = std::fma(x, y, total);
    else
      narrow = std::fmaf(tf32 ? rounded_to_tf32(float(x)) : float(x),
                         tf32 ? rounded_to_tf32(float(y)) : float(y), narrow);
  }
  if (wide) return p.alpha * total + p.beta * added;
  const float sum = float(p.alpha) * narrow + float(p.beta) * float(added);
  return activated(double{sum + float(bias)}, p.how.epilogue);
}

bool is_aligned(const void* address, uint64_t bytes) {
  return bytes != 0 && reinterpret_cast<uint64_t>(address) % bytes == 0;
}

cublasStatus_t run(const Product& p, const void* a_address, const void* b_address,
                   const void* c_address, void* d_address, void* workspace, size_t workspace_bytes,
                   void* stream) {
  const DriverMemory& memory = DriverMemory::open();
  const ElementType type = element_of(p.d.type);
  Elements a(p.a), b(p.b), c(p.c), d(p.d);
  const bool adds = p.beta != 0;
  std::vector<double> bias(p.has_bias() ? p.rows : 0);
  const bool read =
      memory.finish(stream) && (workspace == nullptr || memory.spoil(workspace, workspace_bytes)) &&
      memory.read(a_address, type, a.values) && memory.read(b_address, type, b.values) &&
      memory.read(d_address, type, d.values) && (!adds || memory.read(c_address, type, c.values)) &&
      (bias.empty() || memory.read(p.how.bias, type, bias));
  if (!read) return CUBLAS_STATUS_EXECUTION_FAILED;
  for (int32_t batch = 0; batch < p.d.batches; ++batch)
    for (uint64_t j = 0; j < p.columns; ++j)
      for (uint64_t i = 0; i < p.rows; ++i)
        d.values[d.place(batch, i, j)] = element(p, a, b, batch, i, j, bias.empty() ? 0.0 : bias[i],
                                                 adds ? c.values[c.place(batch, i, j)] : 0.0);
  if (!memory.write(d_address, type, d.values)) return CUBLAS_STATUS_EXECUTION_FAILED;
  char line[160];
  std::snprintf(line, sizeof(line), "cublasLtMatmul %dx%dx%d of %d, type %d, %c%c, epilogue %u%s%s",
                int(p.rows), int(p.columns), int(p.inner), p.d.batches, int(p.d.type),
                p.how.operation[0] == CUBLAS_OP_T ? 'T' : 'N',
                p.how.operation[1] == CUBLAS_OP_T ? 'T' : 'N', p.how.epilogue,
                p.how.compute == CUBLAS_COMPUTE_32F_FAST_TF32 ? ", TF32" : "",
                adds ? ", added" : "");
  DriverMemory::log(line);
  return CUBLAS_STATUS_SUCCESS;
}

}  // namespace

extern "C" {

#define FAKE __attribute__((visibility("default")))

FAKE size_t cublasLtGetVersion() {
  return kVersion;
}

FAKE cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
  static int opened;
  *handle = reinterpret_cast<cublasLtHandle_t>(&opened);
  return CUBLAS_STATUS_SUCCESS;
}

FAKE cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* made,
                                             cublasComputeType_t compute, cudaDataType_t scale) {
  *made = reinterpret_cast<cublasLtMatmulDesc_t>(new Multiplication{compute, scale});
  return CUBLAS_STATUS_SUCCESS;
}
FAKE cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t object) {
  delete &of(object);
  return CUBLAS_STATUS_SUCCESS;
}
FAKE cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t object,
                                                   cublasLtMatmulDescAttributes_t which,
                                                   const void* value, size_t bytes) {
  Multiplication& its = of(object);
  switch (which) {
    case CUBLASLT_MATMUL_DESC_TRANSA:
      return assign(its.operation[0], value, bytes);
    case CUBLASLT_MATMUL_DESC_TRANSB:
      return assign(its.operation[1], value, bytes);
    case CUBLASLT_MATMUL_DESC_EPILOGUE:
      return assign(its.epilogue, value, bytes);
    case CUBLASLT_MATMUL_DESC_BIAS_POINTER:
      return assign(its.bias, value, bytes);
    default:
      return CUBLAS_STATUS_INVALID_VALUE;
  }
}

FAKE cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* made, cudaDataType type,
                                               uint64_t rows, uint64_t columns, int64_t step) {
  if (rows == 0 || columns == 0 || step < int64_t(rows)) return CUBLAS_STATUS_INVALID_VALUE;
  *made = reinterpret_cast<cublasLtMatrixLayout_t>(new Layout{type, rows, columns, step});
  return CUBLAS_STATUS_SUCCESS;
}
FAKE cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t object) {
  delete &of(object);
  return CUBLAS_STATUS_SUCCESS;
}
FAKE cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t object,
                                                     cublasLtMatrixLayoutAttribute_t which,
                                                     const void* value, size_t bytes) {
  Layout& its = of(object);
  if (which == CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT) return assign(its.batches, value, bytes);
  if (which == CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET)
    return assign(its.batch_step, value, bytes);
  return CUBLAS_STATUS_INVALID_VALUE;
}

FAKE cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* made) {
  *made = reinterpret_cast<cublasLtMatmulPreference_t>(new Preference);
  return CUBLAS_STATUS_SUCCESS;
}
FAKE cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t object) {
  delete &of(object);
  return CUBLAS_STATUS_SUCCESS;
}
FAKE cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t object,
                                                         cublasLtMatmulPreferenceAttributes_t which,
                                                         const void* value, size_t bytes) {
  Preference& its = of(object);
  if (which == CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES) return assign(its.workspace, value, bytes);
  const int operand = int(which) - int(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES);
  if (operand < 0 || operand > 3) return CUBLAS_STATUS_INVALID_VALUE;
  return assign(its.alignment[operand], value, bytes);
}

FAKE cublasStatus_t cublasLtMatmulAlgoGetHeuristic(
    cublasLtHandle_t handle, cublasLtMatmulDesc_t how, cublasLtMatrixLayout_t a,
    cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
    cublasLtMatmulPreference_t preference, int most, cublasLtMatmulHeuristicResult_t results[],
    int* found) {
  Product product;
  *found = 0;
  if (handle == nullptr || preference == nullptr || most < 1) return CUBLAS_STATUS_INVALID_VALUE;
  if (!product.read(how, a, b, c, d)) return CUBLAS_STATUS_INVALID_VALUE;
  if (product.has_bias() && product.how.bias == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  if (!product.is_supported()) return CUBLAS_STATUS_NOT_SUPPORTED;
  const Preference& asked = of(preference);
  results[0] = {};
  results[0].algo.data[0] = product.mark();
  for (int i = 0; i < 4; ++i) results[0].algo.data[1 + i] = asked.alignment[i];
  results[0].workspaceSize = product.inner >= kInnerWithWorkspace ? kWorkspace : 0;
  results[0].algo.data[5] = results[0].workspaceSize;
  results[0].state = results[0].workspaceSize > asked.workspace ? CUBLAS_STATUS_NOT_SUPPORTED
                                                                : CUBLAS_STATUS_SUCCESS;
  *found = 1;
  return CUBLAS_STATUS_SUCCESS;
}

FAKE cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t how,
                                   const void* alpha, const void* a,
                                   cublasLtMatrixLayout_t a_layout, const void* b,
                                   cublasLtMatrixLayout_t b_layout, const void* beta, const void* c,
                                   cublasLtMatrixLayout_t c_layout, void* d,
                                   cublasLtMatrixLayout_t d_layout,
                                   const cublasLtMatmulAlgo_t* algo, void* workspace,
                                   size_t workspace_bytes, cudaStream_t stream) {
  Product product;
  if (handle == nullptr || algo == nullptr || alpha == nullptr || beta == nullptr ||
      !product.read(how, a_layout, b_layout, c_layout, d_layout) || algo->data[0] != product.mark())
    return CUBLAS_STATUS_INVALID_VALUE;
  const bool wide = product.d.type == CUDA_R_64F;
  const auto number = [wide](const void* at) {
    return wide ? *static_cast<const double*>(at) : double{*static_cast<const float*>(at)};
  };
  product.alpha = number(alpha);
  product.beta = number(beta);
  // One matrix for both has one layout; what is not added is not read either.
  const bool is_one =
      product.c.step == product.d.step && product.c.batch_step == product.d.batch_step;
  const bool is_plain = c == d ? is_one : product.beta != 0;
  const bool aligned = is_aligned(a, algo->data[1]) && is_aligned(b, algo->data[2]) &&
                       is_aligned(c, algo->data[3]) && is_aligned(d, algo->data[4]);
  const bool has_room =
      workspace_bytes >= algo->data[5] &&
      (algo->data[5] == 0 || (workspace != nullptr && is_aligned(workspace, 256)));
  if (!is_plain || !aligned || !has_room) return CUBLAS_STATUS_INVALID_VALUE;
  if (product.has_bias() && product.how.bias == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  return run(product, a, b, c, d, workspace, algo->data[5], stream);
}

}  // extern "C"
