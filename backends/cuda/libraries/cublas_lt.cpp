#include "backends/cuda/libraries/cublas_lt.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "backends/cuda/libraries/cublas_lt_api.h"
#include "backends/cuda/libraries/find_function.h"
#include "backends/cuda/libraries/load_library.h"
#include "backends/cuda/libraries/owned.h"
#include "backends/cuda/libraries/plan_cache.h"

namespace glint::cuda {

bool find_functions(void* library, CublasLtApi& lt) {
  return find_function(library, "cublasLtGetVersion", lt.version) &&
         find_function(library, "cublasLtCreate", lt.create) &&
         find_function(library, "cublasLtMatmulDescCreate", lt.make_multiplication) &&
         find_function(library, "cublasLtMatmulDescDestroy", lt.drop_multiplication) &&
         find_function(library, "cublasLtMatmulDescSetAttribute", lt.set_multiplication) &&
         find_function(library, "cublasLtMatrixLayoutCreate", lt.make_layout) &&
         find_function(library, "cublasLtMatrixLayoutDestroy", lt.drop_layout) &&
         find_function(library, "cublasLtMatrixLayoutSetAttribute", lt.set_layout) &&
         find_function(library, "cublasLtMatmulPreferenceCreate", lt.make_preference) &&
         find_function(library, "cublasLtMatmulPreferenceDestroy", lt.drop_preference) &&
         find_function(library, "cublasLtMatmulPreferenceSetAttribute", lt.set_preference) &&
         find_function(library, "cublasLtMatmulAlgoGetHeuristic", lt.propose) &&
         find_function(library, "cublasLtMatmul", lt.multiply);
}

namespace {

constexpr SoughtLibrary kCublasLt = {.name = "cuBLASLt",
                                     .purpose = "NVIDIA's library for matrix products",
                                     .stem = "libcublasLt",
                                     .versions = {"13", "12"},
                                     .folder = "cublas",
                                     .package = "nvidia-cublas",
                                     .variable = environment::Variable::kCublasLt};

constexpr size_t kMostPlans = 256;
/// As PyTorch gives it on the newest devices; memory comes from what tensors gave back.
constexpr uint64_t kMostWorkspace = 32 << 20;

LtType type_of(DType dtype) {
  switch (dtype) {
    case DType::kFloat64:
      return kLtFloat64;
    case DType::kFloat16:
      return kLtFloat16;
    case DType::kBFloat16:
      return kLtBFloat16;
    default:
      return kLtFloat32;
  }
}

/// How the library reads a matrix of ours: by columns, `step` apart.
struct ByColumns {
  int64_t rows = 0;
  int64_t columns = 0;
  int64_t step = 0;
  LtOperation operation = kLtAsIs;  ///< that gives the transpose of ours
};

/// Nothing where neither rows nor columns lie in order, or where they overlap.
std::optional<ByColumns> by_columns(const LtMatrix& matrix, int64_t rows, int64_t columns) {
  // The stride of a dimension of one element says nothing.
  const int64_t row = rows == 1 ? std::max(columns, matrix.row) : matrix.row;
  const int64_t column = columns == 1 ? 1 : matrix.column;
  if (column == 1 && row >= columns) return ByColumns{columns, rows, row, kLtAsIs};
  const int64_t of_column = columns == 1 ? std::max(rows, matrix.column) : matrix.column;
  const bool in_order = rows == 1 || matrix.row == 1;
  if (in_order && of_column >= rows) return ByColumns{rows, columns, of_column, kLtTransposed};
  return std::nullopt;
}

/// What an address is a multiple of, up to what the device's memory begins at.
uint32_t alignment_of(uint64_t address) {
  constexpr uint64_t kMost = 256;
  return static_cast<uint32_t>(std::min(kMost, address & -address));
}
uint32_t alignment_of_result(const LtProduct& product) {
  const uint32_t alignment = alignment_of(product.out.address);
  return product.bias == 0 ? alignment : std::min(alignment, alignment_of(product.bias));
}

using Key = std::array<int64_t, 21>;
Key key_of(const LtProduct& p) {
  const int64_t flags = static_cast<int64_t>(p.dtype) << 8 |
                        static_cast<int64_t>(p.activation) << 4 | int64_t{p.bias != 0} << 1 |
                        int64_t{p.allows_tf32};
  return {flags,
          p.rows,
          p.columns,
          p.inner,
          p.batches,
          p.a.row,
          p.a.column,
          p.a.batch,
          p.b.row,
          p.b.column,
          p.b.batch,
          p.out.row,
          p.out.column,
          p.out.batch,
          p.added.row,
          p.added.column,
          p.added.batch,
          alignment_of(p.a.address),
          alignment_of(p.b.address),
          alignment_of_result(p),
          p.added.address == 0 ? 0 : alignment_of(p.added.address)};
}

LtEpilogue epilogue_of(const LtProduct& product) {
  const bool bias = product.bias != 0;
  switch (product.activation) {
    case LtActivation::kRelu:
      return bias ? kLtReluBias : kLtRelu;
    case LtActivation::kGelu:
      return bias ? kLtGeluBias : kLtGelu;
    case LtActivation::kNone:
      break;
  }
  return bias ? kLtBias : kLtNoEpilogue;
}

}  // namespace

struct LtPlan {
  bool works = false;
  Owned<LtMultiplication> multiplication;
  Owned<LtLayout> first, second, added, out;
  LtAlgorithm algorithm = {};
  size_t workspace_bytes = 0;
};

size_t workspace_bytes(const LtPlan& plan) {
  return plan.workspace_bytes;
}

namespace {

/// Fills a plan, call by call; the first that fails ends it.
class PlanMaker {
 public:
  PlanMaker(const CublasLtApi& lt, LtHandle handle, const LtProduct& product)
      : lt_(lt), handle_(handle), product_(product) {}

  LtPlan make() {
    LtPlan plan;
    plan.works = fill(plan);
    return plan;
  }

 private:
  static bool done(LtStatus status) { return status == kLtSuccess; }

  bool fill(LtPlan& plan) {
    const LtProduct& p = product_;
    const auto a = by_columns(p.a, p.rows, p.inner);
    const auto b = by_columns(p.b, p.inner, p.columns);
    const auto out = by_columns(p.out, p.rows, p.columns);
    if (!a || !b || !out || out->operation != kLtAsIs) return false;
    return describe(plan, b->operation, a->operation) && lay_out(plan.first, *b, p.b.batch) &&
           lay_out(plan.second, *a, p.a.batch) && lay_out(plan.out, *out, p.out.batch) &&
           lay_out_added(plan, *out) && choose(plan);
  }

  /// What is added lies in the order of the result, each of a batch for itself. Where there is
  /// nothing the library is told of the result in its place.
  bool lay_out_added(LtPlan& plan, const ByColumns& out) {
    const LtProduct& p = product_;
    if (p.added.address == 0) return lay_out(plan.added, out, p.out.batch);
    const auto added = by_columns(p.added, p.rows, p.columns);
    const bool apart = p.batches == 1 || p.added.batch > 0;
    return apart && added && added->operation == kLtAsIs &&
           lay_out(plan.added, *added, p.added.batch);
  }

  bool describe(LtPlan& plan, LtOperation first, LtOperation second) {
    const bool wide = product_.dtype == DType::kFloat64;
    const bool narrow = product_.dtype != DType::kFloat32 || !product_.allows_tf32;
    const LtCompute compute = wide ? kLtInFloat64 : narrow ? kLtInFloat32 : kLtInTf32;
    const auto made = plan.multiplication.made_with(lt_.drop_multiplication);
    if (!done(lt_.make_multiplication(made, compute, wide ? kLtFloat64 : kLtFloat32))) return false;
    const auto set = [&](LtMultiplicationAttribute which, const auto& value) {
      return done(lt_.set_multiplication(*made, which, &value, sizeof(value)));
    };
    return set(kLtOperationOfA, int32_t{first}) && set(kLtOperationOfB, int32_t{second}) &&
           set(kLtEpilogueOf, uint32_t{epilogue_of(product_)}) &&
           (product_.bias == 0 || set(kLtBiasAddress, product_.bias));
  }

  bool lay_out(Owned<LtLayout>& layout, const ByColumns& form, int64_t batch_step) {
    LtLayout* made = layout.made_with(lt_.drop_layout);
    if (!done(lt_.make_layout(made, type_of(product_.dtype), static_cast<uint64_t>(form.rows),
                              static_cast<uint64_t>(form.columns), form.step)))
      return false;
    if (product_.batches == 1) return true;
    const auto batches = static_cast<int32_t>(product_.batches);
    return batches == product_.batches &&
           done(lt_.set_layout(*made, kLtBatches, &batches, sizeof(batches))) &&
           done(lt_.set_layout(*made, kLtBatchStep, &batch_step, sizeof(batch_step)));
  }

  bool choose(LtPlan& plan) {
    Owned<LtPreference> preference;
    LtPreference* made = preference.made_with(lt_.drop_preference);
    if (!done(lt_.make_preference(made))) return false;
    const auto set = [&](LtPreferenceAttribute which, const auto& value) {
      return done(lt_.set_preference(*made, which, &value, sizeof(value)));
    };
    const uint32_t of_result = alignment_of_result(product_);
    const uint32_t of_added =
        product_.added.address == 0 ? of_result : alignment_of(product_.added.address);
    if (!set(kLtMostWorkspace, kMostWorkspace) ||
        !set(kLtAlignmentOfA, alignment_of(product_.b.address)) ||
        !set(kLtAlignmentOfB, alignment_of(product_.a.address)) ||
        !set(kLtAlignmentOfC, of_added) || !set(kLtAlignmentOfD, of_result))
      return false;
    LtProposal proposal{};
    int found = 0;
    if (!done(lt_.propose(handle_, plan.multiplication.get(), plan.first.get(), plan.second.get(),
                          plan.added.get(), plan.out.get(), *made, 1, &proposal, &found)))
      return false;
    plan.algorithm = proposal.algorithm;
    plan.workspace_bytes = proposal.workspace_bytes;
    return found > 0 && done(proposal.status);
  }

  const CublasLtApi& lt_;
  LtHandle handle_;
  const LtProduct& product_;
};

/// A factor as the library reads it for a dtype.
class Factor {
 public:
  Factor(double value, DType dtype)
      : wide_(value), narrow_(static_cast<float>(value)), is_wide_(dtype == DType::kFloat64) {}
  const void* address() const { return is_wide_ ? static_cast<const void*>(&wide_) : &narrow_; }

 private:
  double wide_;
  float narrow_;
  bool is_wide_;
};

class LoadedCublasLt final : public CublasLt {
 public:
  LoadedCublasLt(std::string path, const CublasLtApi& lt) : path_(std::move(path)), lt_(lt) {
    const size_t number = lt_.version();
    version_ = fmt::format("{}.{}.{}", number / 10000, number / 100 % 100, number % 100);
  }
  const std::string& path() const override { return path_; }
  const std::string& version() const override { return version_; }

  const LtPlan* plan(const LtProduct& product) override {
    if (!opened_) open();
    if (handle_ == nullptr) return nullptr;
    const LtPlan& found = plans_.find_or_make(
        key_of(product), [&] { return PlanMaker(lt_, handle_, product).make(); });
    return found.works ? &found : nullptr;
  }

  std::optional<Error> run(const LtPlan& plan, const LtProduct& product, uint64_t workspace,
                           uint64_t stream) override {
    const auto at = [](uint64_t address) { return std::bit_cast<void*>(address); };
    LtStatus status = kLtSuccess;
    if (product.bias != 0)
      status = lt_.set_multiplication(plan.multiplication.get(), kLtBiasAddress, &product.bias,
                                      sizeof(product.bias));
    const bool adds = product.added.address != 0;
    const Factor alpha(product.alpha, product.dtype), beta(adds ? product.beta : 0, product.dtype);
    if (status == kLtSuccess)
      status =
          lt_.multiply(handle_, plan.multiplication.get(), alpha.address(), at(product.b.address),
                       plan.first.get(), at(product.a.address), plan.second.get(), beta.address(),
                       at(adds ? product.added.address : product.out.address), plan.added.get(),
                       at(product.out.address), plan.out.get(), &plan.algorithm, at(workspace),
                       plan.workspace_bytes, std::bit_cast<LtStream>(stream));
    if (status == kLtSuccess) return std::nullopt;
    return Error{fmt::format("CUDA error: {} when calling `cublasLtMatmul`", name_of(status))};
  }

 private:
  /// A library that cannot work with the driver there is (it is newer) is as none.
  void open() {
    opened_ = true;
    if (lt_.create(&handle_) != kLtSuccess) handle_ = nullptr;
  }
  static std::string name_of(LtStatus status) {
    switch (status) {
      case 3:
        return "CUBLAS_STATUS_ALLOC_FAILED";
      case 7:
        return "CUBLAS_STATUS_INVALID_VALUE";
      case 13:
        return "CUBLAS_STATUS_EXECUTION_FAILED";
      case 15:
        return "CUBLAS_STATUS_NOT_SUPPORTED";
      default:
        return fmt::format("cuBLAS status {}", status);
    }
  }

  std::string path_;
  std::string version_;
  CublasLtApi lt_;
  bool opened_ = false;
  LtHandle handle_ = nullptr;
  PlanCache<Key, LtPlan> plans_{kMostPlans};
};

Result<CublasLt*> find_cublas_lt() {
  CublasLtApi lt{};
  auto found =
      load_library(kCublasLt, [&lt](void* library) { return find_functions(library, lt); });
  if (!found) return found.error();
  // Kept until the process ends, as the library is.
  return static_cast<CublasLt*>(new LoadedCublasLt(std::move(found->path), lt));
}

}  // namespace

const Result<CublasLt*>& load_cublas_lt() {
  static const Result<CublasLt*> loaded = find_cublas_lt();
  return loaded;
}

}  // namespace glint::cuda
