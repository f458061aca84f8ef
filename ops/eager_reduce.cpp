// The eager kernel of every reduction.
//
//   1. Convert the input to the reduction's dtype.
//   2. Where the reduced dimensions are neighbours, a contiguous input is [outer, reduced, inner]:
//      inner = 1 is a row a result, else a block of columns. So is a transposed one, its dimensions
//      in the order of its memory. Sums and extremes over others go run by run of neighbours; other
//      inputs are first laid out so, by a copy.
//   3. Rows go to the threads; one long row is cut into blocks whose results are combined in order.
#include <algorithm>
#include <cstring>
#include <tuple>

#include "core/tensor/copy.h"
#include "core/tensor/views.h"
#include "ops/infer.h"
#include "ops/kernels.h"
#include "ops/layout.h"
#include "ops/parallel.h"
#include "ops/rows/row_kernels.h"
#include "ops/scalar/elementwise_kernels.h"
#include "ops/scalar/reduction_order.h"

namespace glint::ops {

namespace {

struct Shape {
  int64_t outer = 1;
  int64_t reduced = 1;
  int64_t inner = 1;
};

/// The three extents if the dimensions are neighbours.
std::optional<Shape> as_block(const Tensor& input, std::span<const int64_t> dims) {
  Shape shape;
  if (dims.empty()) return shape;
  if (dims.back() - dims.front() + 1 != int64_t(dims.size())) return std::nullopt;
  for (int64_t dim = 0; dim < input.rank(); ++dim) {
    int64_t& extent = dim < dims.front()  ? shape.outer
                      : dim > dims.back() ? shape.inner
                                          : shape.reduced;
    extent *= input.size(dim);
  }
  return shape;
}

/// A dense input seen in the order of its memory, if the dimensions but `dim` keep their order:
/// the result is then laid out as it should be. Its shape is that of the block.
std::optional<std::pair<Tensor, Shape>> in_memory_order(const Tensor& input, int64_t dim) {
  Dims order;
  for (int64_t k = 0; k < input.rank(); ++k) order.push_back(k);
  std::ranges::stable_sort(order,
                           [&](int64_t a, int64_t b) { return input.stride(a) > input.stride(b); });
  Dims kept = order;
  kept.erase(size_t(std::ranges::find(order, dim) - order.begin()));
  if (!std::ranges::is_sorted(kept)) return std::nullopt;
  Tensor dense = permute(input, order);
  if (!dense.is_contiguous()) return std::nullopt;
  const int64_t place[] = {std::ranges::find(order, dim) - order.begin()};
  return std::pair(dense, *as_block(dense, place));
}

/// The dimensions in runs of neighbours, the last run first.
std::vector<std::vector<int64_t>> runs_of(std::span<const int64_t> dims) {
  std::vector<std::vector<int64_t>> runs;
  for (size_t i = dims.size(); i-- > 0;) {
    if (runs.empty() || runs.back().front() != dims[i] + 1) runs.emplace_back();
    runs.back().insert(runs.back().begin(), dims[i]);
  }
  return runs;
}

/// Whether a reduction may go on from what its parts came to, without rounding more than once more.
bool goes_in_steps(Combiner combiner, DType dtype) {
  const bool is_exact = combiner == Combiner::kMaximum || combiner == Combiner::kMinimum;
  return is_exact ||
         (combiner == Combiner::kSum &&
          (dtype == DType::kFloat32 || dtype == DType::kFloat64 || dtype == DType::kInt64));
}

/// Kept dimensions first, reduced ones last.
Tensor reduced_last(const Tensor& input, std::span<const int64_t> dims) {
  Dims order;
  for (int64_t dim = 0; dim < input.rank(); ++dim)
    if (std::ranges::find(dims, dim) == dims.end()) order.push_back(dim);
  for (int64_t dim : dims) order.push_back(dim);
  return contiguous(permute(input, order));
}

void store_total(std::span<const double> sums, DType dtype, std::byte* out) {
  double total = 0.0;
  for (double sum : sums) total += sum;
  visit_dtype(dtype, [&]<class T>() {
    T value =
        dtype == DType::kFloat64 ? convert_element<T>(total) : convert_element<T>(float(total));
    std::memcpy(out, &value, sizeof(T));
  });
}

/// The sum of a block whose elements come in pieces.
class PiecewiseSum {
 public:
  explicit PiecewiseSum(const ReduceKernels& kernels) : kernels_(kernels) {}
  std::byte* piece() { return piece_; }
  void add(int64_t length) { kernels_.piece(piece_, length, partials_); }
  double total() const { return kernels_.block(partials_, scalar::kPartialSums); }

 private:
  static_assert(kPiece % scalar::kPartialSums == 0);

  const ReduceKernels& kernels_;
  alignas(64) std::byte partials_[scalar::kPartialSums * sizeof(double)] = {};
  alignas(64) std::byte piece_[kPiece * sizeof(double)];
};

/// One long row, block by block over the threads: `source` gives a block of it, which may be in
/// a buffer of its own.
template <class Source>
void reduce_long_row(const ReduceKernels& kernels, Source source, int64_t n, size_t size,
                     DType dtype, std::byte* out) {
  constexpr int64_t kBlock = scalar::kSumBlock;
  int64_t blocks = (n + kBlock - 1) / kBlock;
  auto length = [&](int64_t block) { return std::min(kBlock, n - block * kBlock); };
  if (kernels.block) {
    std::vector<double> sums(size_t(blocks), 0.0);
    parallel_for(0, blocks, 4, [&](int64_t begin, int64_t end) {
      std::vector<std::byte> buffer;
      for (int64_t i = begin; i < end; ++i)
        sums[size_t(i)] = kernels.block(source(i * kBlock, length(i), buffer), length(i));
    });
    return store_total(sums, dtype, out);
  }
  std::vector<std::byte> partial(size_t(blocks) * size);
  parallel_for(0, blocks, 4, [&](int64_t begin, int64_t end) {
    std::vector<std::byte> buffer;
    for (int64_t i = begin; i < end; ++i)
      kernels.row(source(i * kBlock, length(i), buffer), length(i),
                  partial.data() + size_t(i) * size);
  });
  kernels.row(partial.data(), blocks, out);
}

bool gives_index(Combiner combiner) {
  return combiner == Combiner::kArgmax || combiner == Combiner::kArgmin;
}

void run(const ReduceKernels& kernels, Combiner combiner, const Tensor& input, const Shape& shape,
         const Tensor& out) {
  const std::byte* in = input.raw_data();
  std::byte* to = out.raw_data();
  int64_t in_size = int64_t(input.element_size());
  int64_t out_size = int64_t(out.element_size());
  if (shape.inner == 1) {
    bool long_row =
        shape.outer == 1 && shape.reduced > 4 * scalar::kSumBlock && !gives_index(combiner);
    auto in_place = [&](int64_t begin, int64_t, std::vector<std::byte>&) {
      return in + begin * in_size;
    };
    if (long_row)
      return reduce_long_row(kernels, in_place, shape.reduced, size_t(in_size), input.dtype(), to);
    int64_t grain = std::max<int64_t>(1, 16384 / std::max<int64_t>(shape.reduced, 1));
    parallel_for(0, shape.outer, grain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        kernels.row(in + i * shape.reduced * in_size, shape.reduced, to + i * out_size);
    });
    return;
  }
  // Columns: strips of 512 of each outer block.
  constexpr int64_t kStrip = 512;
  int64_t strips = (shape.inner + kStrip - 1) / kStrip;
  int64_t grain = std::max<int64_t>(
      1, 16384 / std::max<int64_t>(shape.reduced * std::min(kStrip, shape.inner), 1));
  parallel_for(0, shape.outer * strips, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      int64_t block = i / strips;
      int64_t first = i % strips * kStrip;
      kernels.columns(in + (block * shape.reduced * shape.inner + first) * in_size, shape.reduced,
                      shape.inner, std::min(kStrip, shape.inner - first),
                      to + (block * shape.inner + first) * out_size);
    }
  });
}

/// Rows of what `map` makes of the input, some of them in a buffer at a time.
void run_mapped_rows(const ReduceKernels& kernels, const Tensor& input, const MapLoop& map,
                     const Shape& shape, const Tensor& out) {
  const auto in_size = int64_t(input.element_size()), size = int64_t(out.element_size());
  const std::byte* in = input.raw_data();
  if (shape.reduced > scalar::kSumBlock) {
    for (int64_t row = 0; row < shape.outer; ++row) {
      const std::byte* from = in + row * shape.reduced * in_size;
      std::byte* to = out.raw_data() + row * size;
      const auto piece_by_piece = [&](int64_t begin, int64_t count, std::byte* piece,
                                      const std::function<void(int64_t)>& made) {
        for (int64_t at = 0; at < count; at += kPiece) {
          const int64_t n = std::min(kPiece, count - at);
          map(from + (begin + at) * in_size, piece, n);
          made(n);
        }
      };
      if (kernels.piece) {
        std::memcpy(to, sum_of(out.dtype(), shape.reduced, piece_by_piece).raw_data(),
                    size_t(size));
        continue;
      }
      auto mapped = [&](int64_t begin, int64_t n, std::vector<std::byte>& buffer) {
        buffer.resize(size_t(scalar::kSumBlock * size));
        map(from + begin * in_size, buffer.data(), n);
        return static_cast<const std::byte*>(buffer.data());
      };
      reduce_long_row(kernels, mapped, shape.reduced, size_t(size), out.dtype(), to);
    }
    return;
  }
  const int64_t together = std::max<int64_t>(1, scalar::kSumBlock / 4 / shape.reduced);
  const int64_t groups = (shape.outer + together - 1) / together;
  parallel_for(0, groups, 4, [&](int64_t begin, int64_t end) {
    std::vector<std::byte> buffer(size_t(together * shape.reduced * size));
    for (int64_t first = begin * together; first < std::min(end * together, shape.outer);
         first += together) {
      const int64_t count = std::min(together, shape.outer - first);
      map(in + first * shape.reduced * in_size, buffer.data(), count * shape.reduced);
      for (int64_t i = 0; i < count; ++i)
        kernels.row(buffer.data() + i * shape.reduced * size, shape.reduced,
                    out.raw_data() + (first + i) * size);
    }
  });
}

/// Columns of it, a strip of them in a buffer at a time.
void run_mapped_columns(const ReduceKernels& kernels, const Tensor& input, const MapLoop& map,
                        const Shape& shape, int64_t strip, const Tensor& out) {
  const auto in_size = int64_t(input.element_size()), size = int64_t(out.element_size());
  const int64_t strips = (shape.inner + strip - 1) / strip;
  parallel_for(0, shape.outer * strips, 1, [&](int64_t begin, int64_t end) {
    std::vector<std::byte> buffer(size_t(shape.reduced * strip * size));
    for (int64_t i = begin; i < end; ++i) {
      const int64_t block = i / strips, first = i % strips * strip;
      const int64_t width = std::min(strip, shape.inner - first);
      for (int64_t row = 0; row < shape.reduced; ++row)
        map(input.raw_data() + ((block * shape.reduced + row) * shape.inner + first) * in_size,
            buffer.data() + row * width * size, width);
      kernels.columns(buffer.data(), shape.reduced, width, width,
                      out.raw_data() + (block * shape.inner + first) * size);
    }
  });
}

/// A run of neighbours after the other, each of which is a block.
void run_in_steps(const ReduceKernels& kernels, Combiner combiner, Tensor input,
                  std::span<const int64_t> dims, const Tensor& out) {
  const auto runs = runs_of(dims);
  for (size_t i = 0; i < runs.size(); ++i) {
    Dims sizes(input.sizes());
    for (const int64_t dim : runs[i]) sizes[size_t(dim)] = 1;
    const bool is_last = i + 1 == runs.size();
    const Tensor made = is_last ? out : Tensor::empty(sizes, input.dtype());
    run(kernels, combiner, input, *as_block(input, runs[i]), made);
    input = made;
  }
}

/// Those of more than one element, by which alone a result differs; the first where there are none.
std::vector<int64_t> reducing(const Tensor& input, const std::vector<int64_t>& dims) {
  std::vector<int64_t> kept;
  for (const int64_t dim : dims)
    if (input.size(dim) != 1) kept.push_back(dim);
  if (kept.empty() && !dims.empty()) kept.push_back(dims.front());
  return kept;
}

/// The common calls on contiguous floats, all elements or one dimension, without type inference;
/// nothing for others.
Tensor reduce_fast(Combiner combiner, Arguments arguments) {
  const Tensor& input = arguments[0].tensor();
  bool plain = combiner == Combiner::kSum || combiner == Combiner::kMaximum ||
               combiner == Combiner::kMinimum;
  if (!plain || !is_floating(input.dtype()) || !input.is_contiguous() || input.numel() == 0)
    return {};
  for (size_t i = 3; i < arguments.size(); ++i)
    if (!arguments[i].is_none()) return {};
  const SymInt* dim = arguments.size() > 1 ? arguments[1].get_if<SymInt>() : nullptr;
  if (!dim && arguments.size() > 1 && !arguments[1].is_none()) return {};
  bool keepdim = arguments.size() > 2 && as_bool(arguments[2]);
  int64_t rank = input.rank();
  if (dim && (rank == 0 || dim->constant() < -rank || dim->constant() >= rank)) return {};
  Shape shape{1, input.numel(), 1};
  Dims sizes;
  if (dim) {
    int64_t at = dim->constant() < 0 ? dim->constant() + rank : dim->constant();
    // Not the stride, which means nothing where the size is 1.
    for (int64_t k = at + 1; k < rank; ++k) shape.inner *= input.size(k);
    shape.reduced = input.size(at);
    shape.outer = input.numel() / (shape.inner * shape.reduced);
    sizes = Dims(input.sizes());
    if (keepdim)
      sizes[size_t(at)] = 1;
    else
      sizes.erase(size_t(at));
  } else if (keepdim) {
    sizes = Dims(size_t(rank), 1);
  }
  const ReduceKernels* kernels = reduce_kernels(combiner, input.dtype());
  if (!kernels) return {};
  Tensor out = Tensor::empty(sizes, input.dtype());
  run(*kernels, combiner, input, shape, out);
  return out;
}

}  // namespace

Tensor reduce_mapped(Combiner combiner, const Tensor& input, DType dtype, const MapLoop& map,
                     std::span<const int64_t> dims, bool keepdim) {
  constexpr int64_t kStrip = 512, kMostBytes = 1 << 20;
  const ReduceKernels* kernels = reduce_kernels(combiner, dtype);
  const std::optional<Shape> shape = as_block(input, dims);
  if (!kernels || !shape || !input.is_contiguous() || input.numel() == 0) return {};
  const int64_t strip = std::min(kStrip, shape->inner);
  const bool fits = shape->reduced * strip * int64_t(dtype_size(dtype)) <= kMostBytes;
  if (shape->inner > 1 && (!kernels->columns || !fits)) return {};
  Dims sizes;
  for (int64_t dim = 0; dim < input.rank(); ++dim) {
    const bool is_reduced = std::ranges::find(dims, dim) != dims.end();
    if (!is_reduced || keepdim) sizes.push_back(is_reduced ? 1 : input.size(dim));
  }
  const Tensor out = Tensor::empty(sizes, dtype);
  if (shape->inner == 1)
    run_mapped_rows(*kernels, input, map, *shape, out);
  else
    run_mapped_columns(*kernels, input, map, *shape, strip, out);
  return out;
}

Tensor sum_of(DType dtype, int64_t count, const ElementSource& source) {
  constexpr int64_t kBlock = scalar::kSumBlock;
  const ReduceKernels& kernels = *reduce_kernels(Combiner::kSum, dtype);
  std::vector<double> sums(size_t((count + kBlock - 1) / kBlock));
  parallel_for(0, int64_t(sums.size()), 4, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      PiecewiseSum sum(kernels);
      source(i * kBlock, std::min(kBlock, count - i * kBlock), sum.piece(),
             [&](int64_t length) { sum.add(length); });
      sums[size_t(i)] = sum.total();
    }
  });
  Tensor out = Tensor::empty({}, dtype);
  store_total(sums, dtype, out.raw_data());
  return out;
}

Outputs eager_reduce(const OpEntry& entry, Arguments arguments) {
  if (Tensor out = reduce_fast(entry.lowers_to<Reduce>()->combiner, arguments); out.defined())
    return out;
  InferArgument types[8];
  for (size_t i = 0; i < arguments.size(); ++i) types[i] = infer_argument(arguments[i]);
  InferArguments known(types, arguments.size());
  TensorType type = infer(entry, known)[0];
  Combiner combiner = entry.lowers_to<Reduce>()->combiner;
  const Tensor& given = arguments[0].tensor();
  const DType dtype = reduction_dtype(entry, known);
  const auto dims =
      reducing(given, reduced_dims(argument(entry, known, "dim"), size_t(given.rank())));
  // Converted a buffer at a time.
  if (const scalar::UnaryLoop cast = scalar::cast_loop(given.dtype(), dtype);
      cast && given.dtype() != dtype && type.dtype == dtype) {
    const Tensor made = reduce_mapped(combiner, given, dtype, cast, dims, true);
    if (made.defined()) return reshape(made, constant_dims(type.sizes));
  }
  Tensor input = convert(given, dtype);
  Tensor out = empty_of(type);
  if (out.numel() == 0) return out;
  const ReduceKernels* kernels = reduce_kernels(combiner, input.dtype());
  if (!kernels)
    throw OpError{"NotImplementedError", std::string("\"") + entry.name +
                                             "_cpu\" not implemented for '" +
                                             std::string(scalar_type_name(input.dtype())) + "'"};
  std::optional<Shape> shape = as_block(input, dims);
  if (!shape && input.is_contiguous() && goes_in_steps(combiner, input.dtype())) {
    run_in_steps(*kernels, combiner, input, dims, out);
    return out;
  }
  const auto reordered =
      dims.size() == 1 && !input.is_contiguous() ? in_memory_order(input, dims[0]) : std::nullopt;
  if (reordered) {
    std::tie(input, shape) = *reordered;
  } else if (shape) {
    input = contiguous(input);
  } else {
    input = reduced_last(input, dims);
    shape = Shape{out.numel(), input.numel() / out.numel(), 1};
  }
  run(*kernels, combiner, input, *shape, out);
  return out;
}

}  // namespace glint::ops
