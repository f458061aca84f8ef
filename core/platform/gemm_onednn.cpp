#include "core/platform/gemm_onednn.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <vector>

#include "core/platform/onednn_library.h"
#include "core/platform/recently_made.h"
#include "core/support/check.h"
#include "core/support/thread_pool.h"

namespace glint {

namespace {

using onednn::library;

/// What a primitive is made for: the problem without its pointers.
using Key = std::array<int64_t, 14>;

Key key_of(const GemmProblem& p) {
  int64_t kind = int64_t(p.dtype) | int64_t(p.relu) << 8 | int64_t(p.bias != nullptr) << 16;
  return {p.m,     p.n,        p.k,       p.batches, p.a.row,    p.a.column, p.a.batch,
          p.b.row, p.b.column, p.b.batch, p.c.row,   p.c.column, p.c.batch,  kind};
}

/// The memory objects that one running product needs; they are pointed at its data first.
struct Operands {
  dnnl_memory_t a = nullptr, b = nullptr, c = nullptr, bias = nullptr, scratch = nullptr;
  std::unique_ptr<std::byte[]> scratch_bytes;
};

/// A ready primitive, with operands for as many pieces as may run at the same time.
class Product {
 public:
  Product() = default;
  Product(const Product&) = delete;
  Product& operator=(const Product&) = delete;
  ~Product();

  bool create(const GemmProblem& problem);
  /// Makes operands for pieces 0 .. count-1.
  bool prepare(int64_t count);
  bool run(const GemmProblem& problem, int64_t piece) const;

 private:
  bool make_memory(dnnl_memory_t& memory, const dnnl_memory_desc_t& description) const;

  dnnl_primitive_t primitive_ = nullptr;
  dnnl_memory_desc_t a_ = {}, b_ = {}, c_ = {}, bias_ = {}, scratch_ = {};
  bool has_bias_ = false;
  std::vector<Operands> operands_;
};

dnnl_data_type_t data_type(DType dtype) {
  return dtype == DType::kBFloat16 ? dnnl_bf16 : dnnl_f32;
}

/// Describes a matrix; with several batches, a matrix that repeats is one batch that broadcasts.
dnnl_memory_desc_t describe(const GemmProblem& problem, const GemmMatrix& matrix, int64_t rows,
                            int64_t columns) {
  dnnl_memory_desc_t description;
  bool batched = problem.batches > 1;
  dnnl_dims_t sizes = {matrix.batch == 0 ? 1 : problem.batches, rows, columns};
  dnnl_dims_t strides = {matrix.batch == 0 ? rows * columns : matrix.batch, matrix.row,
                         matrix.column};
  int skip = batched ? 0 : 1;
  library().memory_desc_init_by_strides(&description, 3 - skip, sizes + skip,
                                        data_type(problem.dtype), strides + skip);
  return description;
}

dnnl_memory_desc_t describe_bias(const GemmProblem& problem) {
  dnnl_memory_desc_t description;
  dnnl_dims_t sizes = {1, 1, problem.n}, strides = {problem.n, problem.n, 1};
  int skip = problem.batches > 1 ? 0 : 1;
  library().memory_desc_init_by_strides(&description, 3 - skip, sizes + skip,
                                        data_type(problem.dtype), strides + skip);
  return description;
}

/// The attributes: what is done on the way to memory, and scratch memory that each running piece
/// brings along.
dnnl_primitive_attr_t make_attributes(bool relu) {
  const auto& lib = library();
  dnnl_primitive_attr_t attributes = nullptr;
  lib.primitive_attr_create(&attributes);
  lib.primitive_attr_set_scratchpad_mode(attributes, dnnl_scratchpad_mode_user);
  if (!relu) return attributes;
  dnnl_post_ops_t operations = nullptr;
  lib.post_ops_create(&operations);
  lib.post_ops_append_eltwise(operations, 1.0f, dnnl_eltwise_relu, 0.0f, 0.0f);
  lib.primitive_attr_set_post_ops(attributes, operations);
  lib.post_ops_destroy(operations);
  return attributes;
}

Product::~Product() {
  const auto& lib = library();
  for (Operands& operands : operands_)
    for (dnnl_memory_t memory :
         {operands.a, operands.b, operands.c, operands.bias, operands.scratch})
      if (memory) lib.memory_destroy(memory);
  if (primitive_) lib.primitive_destroy(primitive_);
}

bool Product::create(const GemmProblem& problem) {
  const auto& lib = library();
  a_ = describe(problem, problem.a, problem.m, problem.k);
  b_ = describe(problem, problem.b, problem.k, problem.n);
  c_ = describe(problem, problem.c, problem.m, problem.n);
  bias_ = describe_bias(problem);
  has_bias_ = problem.bias != nullptr;
  dnnl_matmul_desc_t product;
  if (lib.matmul_desc_init(&product, &a_, &b_, has_bias_ ? &bias_ : nullptr, &c_) != dnnl_success)
    return false;
  dnnl_primitive_attr_t attributes = make_attributes(problem.relu);
  dnnl_primitive_desc_t description = nullptr;
  bool ok = lib.primitive_desc_create(&description, &product, attributes, lib.engine, nullptr) ==
            dnnl_success;
  lib.primitive_attr_destroy(attributes);
  if (!ok) return false;
  scratch_ = *lib.primitive_desc_query_md(description, dnnl_query_scratchpad_md, 0);
  ok = lib.primitive_create(&primitive_, description) == dnnl_success;
  lib.primitive_desc_destroy(description);
  return ok;
}

bool Product::make_memory(dnnl_memory_t& memory, const dnnl_memory_desc_t& description) const {
  const auto& lib = library();
  return lib.memory_create(&memory, &description, lib.engine, DNNL_MEMORY_NONE) == dnnl_success;
}

bool Product::prepare(int64_t count) {
  constexpr size_t kAlignment = 4096;
  while (int64_t(operands_.size()) < count) {
    Operands& operands = operands_.emplace_back();
    bool ok = make_memory(operands.a, a_) && make_memory(operands.b, b_) &&
              make_memory(operands.c, c_) && (!has_bias_ || make_memory(operands.bias, bias_)) &&
              make_memory(operands.scratch, scratch_);
    if (!ok) return false;
    size_t bytes = library().memory_desc_get_size(&scratch_);
    size_t room = bytes + kAlignment;
    operands.scratch_bytes = std::make_unique_for_overwrite<std::byte[]>(room);
    void* start = operands.scratch_bytes.get();
    library().memory_set_data_handle(operands.scratch, std::align(kAlignment, bytes, start, room));
  }
  return true;
}

bool Product::run(const GemmProblem& problem, int64_t piece) const {
  const auto& lib = library();
  const Operands& operands = operands_[size_t(piece)];
  lib.memory_set_data_handle(operands.a, problem.a.data);
  lib.memory_set_data_handle(operands.b, problem.b.data);
  lib.memory_set_data_handle(operands.c, problem.c.data);
  if (has_bias_) lib.memory_set_data_handle(operands.bias, const_cast<void*>(problem.bias));
  dnnl_exec_arg_t arguments[] = {{DNNL_ARG_SRC, operands.a},
                                 {DNNL_ARG_WEIGHTS, operands.b},
                                 {DNNL_ARG_DST, operands.c},
                                 {DNNL_ARG_SCRATCHPAD, operands.scratch},
                                 {DNNL_ARG_BIAS, operands.bias}};
  return lib.primitive_execute(primitive_, lib.stream, has_bias_ ? 5 : 4, arguments) ==
         dnnl_success;
}

/// Never destroyed, so that products of static lifetime's end find their library.
RecentlyMade<Key, Product>& cache() {
  static auto* const instance = new RecentlyMade<Key, Product>(512);
  return *instance;
}

/// The product's primitive, made if need be; null if the library refuses.
Product* find(const GemmProblem& problem) {
  return cache().get(key_of(problem), [&](Product& made) { return made.create(problem); });
}

/// Large float32 products run a tenth faster through the library's BLAS entry.
bool wants_sgemm(const GemmProblem& p) {
  constexpr double kLarge = 512.0 * 512.0 * 512.0;
  return p.dtype == DType::kFloat32 && p.batches == 1 && p.c.column == 1 &&
         double(p.m) * double(p.n) * double(p.k) >= kLarge;
}

bool run_sgemm(const GemmProblem& p, bool accumulate) {
  bool a_transposed = p.a.column != 1, b_transposed = p.b.column != 1;
  return library().sgemm(a_transposed ? 'T' : 'N', b_transposed ? 'T' : 'N', p.m, p.n, p.k, 1.0f,
                         static_cast<const float*>(p.a.data), a_transposed ? p.a.column : p.a.row,
                         static_cast<const float*>(p.b.data), b_transposed ? p.b.column : p.b.row,
                         accumulate ? 1.0f : 0.0f, static_cast<float*>(p.c.data),
                         p.c.row) == dnnl_success;
}

/// A problem cut along one of its extents into equal pieces and a smaller last one.
class Pieces {
 public:
  explicit Pieces(const GemmProblem& problem) : whole_(problem) {
    int64_t wanted = wanted_pieces(problem);
    if (problem.batches > 1) {
      extent_ = &GemmProblem::batches;
    } else if (problem.m < problem.n) {
      extent_ = &GemmProblem::n;
    }
    int64_t total = whole_.*extent_, unit = problem.batches > 1 ? 1 : kUnit;
    size_ = wanted == 1 ? total : ((total + wanted - 1) / wanted + unit - 1) / unit * unit;
    count_ = (total + size_ - 1) / size_;
  }

  int64_t count() const { return count_; }
  GemmProblem at(int64_t index) const {
    GemmProblem piece = whole_;
    int64_t first = index * size_;
    piece.*extent_ = std::min(size_, whole_.*extent_ - first);
    auto move = [&](GemmMatrix& matrix, int64_t stride) {
      matrix.data =
          static_cast<std::byte*>(matrix.data) + first * stride * int64_t(dtype_size(whole_.dtype));
    };
    if (extent_ == &GemmProblem::batches) {
      move(piece.a, piece.a.batch);
      move(piece.b, piece.b.batch);
      move(piece.c, piece.c.batch);
    } else if (extent_ == &GemmProblem::m) {
      move(piece.a, piece.a.row);
      move(piece.c, piece.c.row);
    } else {
      move(piece.b, piece.b.column);
      move(piece.c, piece.c.column);
      if (piece.bias)
        piece.bias =
            static_cast<const std::byte*>(piece.bias) + first * int64_t(dtype_size(whole_.dtype));
    }
    return piece;
  }

 private:
  static constexpr int64_t kUnit = 32;

  /// One piece a thread; two for long products, so that an interrupted thread can be helped out.
  static int64_t wanted_pieces(const GemmProblem& p) {
    constexpr double kWorthSplitting = 100.0 * 100.0 * 100.0, kLong = 512.0 * 512.0 * 512.0;
    double work = double(p.m) * double(p.n) * double(p.k) * double(p.batches);
    if (work < kWorthSplitting || num_threads() == 1) return 1;
    return work < kLong ? num_threads() : 2 * num_threads();
  }

  const GemmProblem& whole_;
  int64_t GemmProblem::* extent_ = &GemmProblem::m;
  int64_t size_ = 0;
  int64_t count_ = 1;
};

__attribute__((target("avx2"))) void add_bias(float* row, const float* bias, int64_t n) {
  for (int64_t j = 0; j < n; ++j) row[j] += bias[j];
}

__attribute__((target("avx2"))) void clamp_negative(float* row, int64_t n) {
  for (int64_t j = 0; j < n; ++j) row[j] = row[j] < 0.0f ? 0.0f : row[j];
}

/// Applies the activation to values that were rounded to bfloat16.
void activate(const GemmActivation& activation, BFloat16* row, int64_t n) {
  constexpr int64_t kChunk = 512;
  float wide[kChunk];
  for (int64_t start = 0; start < n; start += kChunk) {
    int64_t count = std::min(kChunk, n - start);
    std::copy_n(row + start, count, wide);
    activation(wide, count);
    std::transform(wide, wide + count, row + start, [](float value) { return BFloat16(value); });
  }
}

/// Finishes a piece while it is near: what the library has left of bias and relu, then the
/// activation.
void finish(const GemmProblem& p, bool plain) {
  bool lacks_bias = plain && p.bias, lacks_relu = plain && p.relu;
  if (!p.activation && !lacks_bias && !lacks_relu) return;
  // Rows that follow each other without a gap are one.
  bool dense = p.c.row == p.n && p.batches == 1 && !lacks_bias;
  int64_t rows = dense ? 1 : p.batches * p.m, n = dense ? p.m * p.n : p.n;
  for (int64_t i = 0; i < rows; ++i) {
    int64_t offset = i / p.m * p.c.batch + i % p.m * p.c.row;
    if (p.dtype == DType::kBFloat16) {
      activate(p.activation, static_cast<BFloat16*>(p.c.data) + offset, n);
      continue;
    }
    float* row = static_cast<float*>(p.c.data) + offset;
    if (lacks_bias) add_bias(row, static_cast<const float*>(p.bias), n);
    if (lacks_relu) clamp_negative(row, n);
    if (p.activation) p.activation(row, n);
  }
}

}  // namespace

bool has_onednn() {
  return library().ok;
}

bool gemm_onednn(const GemmProblem& problem) {
  if (!library().ok) return false;
  Pieces pieces(problem);
  bool plain = wants_sgemm(problem);
  Product* full = nullptr;
  Product* last = nullptr;
  if (!plain) {
    full = find(pieces.at(0));
    last = find(pieces.at(pieces.count() - 1));
    if (!full || !last || !full->prepare(pieces.count()) || !last->prepare(pieces.count()))
      return false;
  }
  std::atomic<bool> ok = true;
  parallel_for(0, pieces.count(), 1, [&](int64_t begin, int64_t end) {
    for (int64_t index = begin; index < end; ++index) {
      GemmProblem piece = pieces.at(index);
      const Product* product = index + 1 == pieces.count() ? last : full;
      if (!(plain ? run_sgemm(piece, /*accumulate=*/false) : product->run(piece, index)))
        ok = false;
      finish(piece, plain);
    }
  });
  return ok;
}

void gemm_onednn_step(const GemmProblem& problem, bool accumulate) {
  check(run_sgemm(problem, accumulate), "the library multiplies float32 matrices of any size");
}

int64_t cached_products() {
  return cache().size();
}
int64_t created_products() {
  return cache().created();
}

}  // namespace glint
