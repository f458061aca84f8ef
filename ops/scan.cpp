// Running reductions along a dimension.
//
//     cumsum([1, 2, 3])      [1, 3, 6]
#include "ops/families.h"

#include "core/tensor/copy.h"
#include "core/tensor/views.h"
#include "ops/infer.h"
#include "ops/kernels.h"
#include "ops/layout.h"
#include "ops/parallel.h"
#include "ops/samples.h"

namespace glint::ops {

namespace {

constexpr OpEntry kEntries[] = {
    {
        .name = "cumsum",
        .signature = "cumsum(input: Tensor, dim: int, *, dtype: dtype | None = None) -> Tensor",
        .torch = "cumsum",
        .method = "cumsum",
        .doc = "Running sums along a dimension; integers and bool become int64.",
        .dtype_rule = DTypeRule::kIntegerToInt64,
        .lowering = Scan{Combiner::kSum},
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
        .grad_name = "CumprodBackward0",
        .forms = Forms::kInPlaceAndOut,
        .samples = scan_samples,
    },
};

static_assert(complete(kEntries));

/// One line of `length` elements, `step` apart. Narrow floats accumulate in float32.
template <class T, bool kSum>
void scan_line(const T* in, T* out, int64_t length, int64_t step) {
  using Wide = std::conditional_t<sizeof(T) == 2 && !std::is_integral_v<T>, float, T>;
  Wide running = Wide(kSum ? 0 : 1);
  for (int64_t i = 0; i < length; ++i) {
    Wide value = static_cast<Wide>(in[i * step]);
    running = kSum ? Wide(running + value) : Wide(running * value);
    out[i * step] = static_cast<T>(running);
  }
}

}  // namespace

std::span<const OpEntry> scan_entries() { return kEntries; }

Outputs eager_scan(const OpEntry& entry, Arguments arguments) {
  std::vector<InferArgument> types;
  for (const Argument& argument : arguments) types.push_back(infer_argument(argument));
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
    int64_t grain = std::max<int64_t>(1, 16384 / length);
    parallel_for(0, lines, grain, [&](int64_t begin, int64_t end) {
      for (int64_t line = begin; line < end; ++line) {
        int64_t start = line / inner * inner * length + line % inner;
        if (sum)
          scan_line<T, true>(in + start, to + start, length, inner);
        else
          scan_line<T, false>(in + start, to + start, length, inner);
      }
    });
  });
  return out;
}

}  // namespace glint::ops
