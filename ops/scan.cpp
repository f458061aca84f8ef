// Running reductions along a dimension.
//
//     cumsum([1, 2, 3])      [1, 3, 6]
#include "ops/families.h"

#include "core/tensor/copy.h"
#include "core/tensor/views.h"
#include "ops/gradient.h"
#include "ops/infer.h"
#include "ops/kernels.h"
#include "ops/layout.h"
#include "ops/parallel.h"
#include "ops/samples.h"
#include "ops/scalar/integer.h"

namespace glint::ops {

namespace {

/// out[i] = x[i] + x[i + 1] + ...
OpValue sum_from_end(GradientCall& g, OpValue x) {
  std::vector<SymInt> dim;
  if (!g.sizes("input").empty()) dim = {g.dim("dim")};
  OpValue reversed = g.b.call("flip", {std::move(x), dim});
  OpValue sums = g.b.call("cumsum", {reversed, g.dim("dim")});
  return g.b.call("flip", {sums, dim});
}

/// Where x is not 0: sum_from_end(gradient * result) / x. At a zero the products are taken without
/// it: at the first one of a line they end at the next zero; at the second one they are 0, and
/// change with the first. From the third on nothing flows, in derivatives of it neither.
OpValue running_product_gradient(GradientCall& g) {
  OpBuilder& b = g.b;
  OpValue x = b.to(g.tensor("input"), g.result_type().dtype);
  OpValue zero = b.equal(x, 0);
  OpValue zeros = b.call("cumsum", {zero, g.dim("dim")});
  OpValue divisors = b.where(zero, 1, x);
  OpValue gradient = b.divide(sum_from_end(g, b.multiply(g.out(), g.result())), divisors);
  gradient = b.where(zero, 0, gradient);
  for (int64_t number : {1, 2}) {
    OpValue this_zero = b.call("logical_and", {zero, b.equal(zeros, number)});
    OpValue without = b.call("cumprod", {b.where(this_zero, 1, x), g.dim("dim")});
    gradient = b.where(this_zero, sum_from_end(g, b.multiply(g.out(), without)), gradient);
  }
  return gradient;
}

constexpr OpEntry kEntries[] = {
    {
        .name = "cumsum",
        .signature = "cumsum(input: Tensor, dim: int, *, dtype: dtype | None = None) -> Tensor",
        .torch = "cumsum",
        .method = "cumsum",
        .doc = "Running sums along a dimension; integers and bool become int64.",
        .dtype_rule = DTypeRule::kIntegerToInt64,
        .lowering = Scan{Combiner::kSum},
        .gradients = {{"input", "", [](GradientCall& g) { return sum_from_end(g, g.out()); }}},
        .grad_name = "CumsumBackward0",
        .forms = Forms::kInPlaceAndOut,
        .samples = scan_samples,
    },
    {
        .name = "cumprod",
        .signature = "cumprod(input: Tensor, dim: int, *, dtype: dtype | None = None) -> Tensor",
        .torch = "cumprod",
        .method = "cumprod",
        .doc = "Running products along a dimension; integers and bool become int64.",
        .dtype_rule = DTypeRule::kIntegerToInt64,
        .lowering = Scan{Combiner::kProduct},
        .gradients = {{"input", "input result", running_product_gradient}},
        .grad_name = "CumprodBackward0",
        .forms = Forms::kInPlaceAndOut,
        .samples = scan_samples,
    },
};

static_assert(complete(kEntries));

/// What a running value is kept in: of float32 in float64, so that a long sum does not drift, and a
/// product may leave float32's range and come back; of narrower floats in float32.
template <class T>
struct Running {
  using Type = T;
};
template <>
struct Running<float> {
  using Type = double;
};
template <class T>
  requires(sizeof(T) == 2 && !std::is_integral_v<T>)
struct Running<T> {
  using Type = float;
};

/// `count` lines side by side, whose running values do not wait for each other: element i of line k
/// is at `k * across + i * along`.
template <class T, bool kSum, int64_t kLines>
void scan_lines(const T* in, T* out, int64_t length, int64_t along, int64_t across, int64_t count) {
  using Wide = typename Running<T>::Type;
  for (int64_t first = 0; first < count; first += kLines) {
    int64_t lines = std::min(kLines, count - first);
    Wide running[kLines];
    for (Wide& value : running) value = Wide(kSum ? 0 : 1);
    auto step = [&](int64_t i, int64_t k) {
      int64_t at = (first + k) * across + i * along;
      Wide value = static_cast<Wide>(in[at]);
      running[k] = kSum ? scalar::wrapping_add(running[k], value)
                        : scalar::wrapping_multiply(running[k], value);
      out[at] = static_cast<T>(running[k]);
    };
    for (int64_t i = 0; i < length; ++i) {
      if (lines == kLines)
        for (int64_t k = 0; k < kLines; ++k) step(i, k);
      else
        for (int64_t k = 0; k < lines; ++k) step(i, k);
    }
  }
}

}  // namespace

std::span<const OpEntry> scan_entries() {
  return kEntries;
}

Outputs eager_scan(const OpEntry& entry, Arguments arguments) {
  std::vector<InferArgument> types = infer_arguments(arguments);
  TensorType type = infer(entry, types)[0];
  Tensor input = contiguous(convert(arguments[0].tensor(), type.dtype));
  Tensor out = empty_of(type);
  if (out.numel() == 0) return out;
  int64_t dim = wrap_dim(as_constant(argument(entry, arguments, "dim")), type.rank());
  int64_t length = out.rank() == 0 ? 1 : out.size(dim);
  int64_t inner = out.rank() == 0 ? 1 : out.stride(dim);
  int64_t lines = out.numel() / length;
  bool sum = entry.lowers_to<Scan>()->combiner == Combiner::kSum;
  visit_dtype(type.dtype, [&]<class T>() {
    const T* in = input.data<T>();
    T* to = out.data<T>();
    // Rows: 4 lines of the last dimension at a time (more would share cache sets); else blocks of
    // columns, whose steps are neighbours.
    bool rows = inner == 1;
    int64_t blocks = rows ? (lines + 3) / 4 : lines / inner * ((inner + 63) / 64);
    int64_t block_work = length * (rows ? 4 : std::min<int64_t>(inner, 64));
    parallel_for(
        0, blocks, std::max<int64_t>(1, 16384 / block_work), [&](int64_t begin, int64_t end) {
          for (int64_t block = begin; block < end; ++block) {
            int64_t strips = (inner + 63) / 64;
            int64_t column = rows ? 0 : block % strips * 64;
            int64_t start = rows ? block * 4 * length : block / strips * inner * length + column;
            int64_t count = rows ? std::min<int64_t>(4, lines - block * 4)
                                 : std::min<int64_t>(64, inner - column);
            if (sum && rows)
              scan_lines<T, true, 4>(in + start, to + start, length, 1, length, count);
            else if (sum)
              scan_lines<T, true, 64>(in + start, to + start, length, inner, 1, count);
            else if (rows)
              scan_lines<T, false, 4>(in + start, to + start, length, 1, length, count);
            else
              scan_lines<T, false, 64>(in + start, to + start, length, inner, 1, count);
          }
        });
  });
  return out;
}

}  // namespace glint::ops
