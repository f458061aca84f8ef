// A dimension in another size: each element of the result is a weighted sum of some elements along
// it. Interpolation and the means of parts are made of this, dimension by dimension.
//
//     resample(x, places, weights, 1)     out[i, j] = sum over k: weights[j, k] x[i, places[j, k]]
//
// On the processor it is one loop; elsewhere, and for a compiler, a few indexed reads, which fuse
// with what is around them. Back, it stays one loop there too.
#include <fmt/format.h>

#include "core/tensor/copy.h"
#include "ops/call.h"
#include "ops/families.h"
#include "ops/gradient.h"
#include "ops/indexing.h"
#include "ops/infer.h"
#include "ops/layout.h"
#include "ops/parallel.h"
#include "ops/samples.h"

namespace glint::ops {

namespace {

// ---- types -------------------------------------------------------------------------------------

/// The input, or its gradient, with another size along the dimension.
TensorType resized(const TensorType& input, size_t dim, const SymInt& size) {
  std::vector<SymInt> sizes = input.sizes;
  sizes[dim] = size;
  return TensorType::tensor(input.dtype, std::move(sizes), input.device);
}

size_t checked_dim(InferArguments arguments) {
  const TensorType &input = arguments[0].tensor(), &places = arguments[1].tensor(),
                   &weights = arguments[2].tensor();
  if (places.rank() != 2 || weights.rank() != 2 ||
      !decide_equal(places.sizes[0], weights.sizes[0]) ||
      !decide_equal(places.sizes[1], weights.sizes[1]) || decide_equal(places.sizes[1], 0))
    throw OpError{"RuntimeError", "resample(): places and weights are two matrices of one size"};
  check_index_dtype("resample", places.dtype);
  if (weights.dtype != input.dtype || !is_floating(input.dtype))
    throw OpError{"RuntimeError",
                  fmt::format("expected scalar type {} but found {}", scalar_type_name(input.dtype),
                              scalar_type_name(weights.dtype))};
  return size_t(wrap_dim(as_constant(arguments[3]), input.rank()));
}

std::vector<TensorType> infer_resample(const OpEntry& entry, InferArguments arguments) {
  const size_t dim = checked_dim(arguments);
  return {resized(arguments[0].tensor(), dim, arguments[1].tensor().sizes[0])};
}

std::vector<TensorType> infer_of_input(const OpEntry& entry, InferArguments arguments) {
  const size_t dim = checked_dim(arguments);
  const TensorType& gradient = arguments[0].tensor();
  if (!decide_equal(gradient.sizes[dim], arguments[1].tensor().sizes[0]))
    throw OpError{"RuntimeError", "resample(): a gradient has a row of places for each element"};
  return {resized(gradient, dim, as_int(arguments[4]))};
}

// ---- for a compiler ----------------------------------------------------------------------------

/// Of the tap that is number k, for each element: where it is, and its weight along `dim`.
OpValue places_of_tap(OpBuilder& b, OpArguments arguments, int64_t k) {
  return b.call("select", {arguments[1], 1, k});
}
OpValue weights_of_tap(OpBuilder& b, OpArguments arguments, size_t dim, int64_t k) {
  std::vector<SymInt> column(b.rank(arguments[0].tensor()) - dim, 1);
  column[0] = -1;
  return b.reshape(b.call("select", {arguments[2], 1, k}), column);
}

struct Taps {
  int64_t count;
  size_t dim;
};
Taps taps_of(OpBuilder& b, OpArguments arguments) {
  return {as_constant(OpArgument(b.sizes(arguments[1].tensor())[1])),
          size_t(wrap_dim(as_constant(arguments[3]), b.rank(arguments[0].tensor())))};
}

std::vector<OpValue> resample_steps(OpBuilder& b, OpArguments arguments) {
  const auto [count, dim] = taps_of(b, arguments);
  OpValue total;
  for (int64_t k = 0; k < count; ++k) {
    const OpValue seen =
        b.call("index_select", {arguments[0], int64_t(dim), places_of_tap(b, arguments, k)});
    const OpValue term = b.multiply(seen, weights_of_tap(b, arguments, dim, k));
    total = k == 0 ? term : b.add(total, term);
  }
  return {total};
}

/// All taps side by side are added to where they were read.
std::vector<OpValue> of_input_steps(OpBuilder& b, OpArguments arguments) {
  const auto [count, dim] = taps_of(b, arguments);
  const OpValue gradient = arguments[0].tensor();
  std::vector<SymInt> sizes = b.sizes(gradient), given = sizes;
  const SymInt size = sizes[dim];
  sizes[dim] = size * count;
  given[dim] = as_int(arguments[4]);
  std::vector<SymInt> column(sizes.size() + 1 - dim, 1);
  column[0] = size;
  column[1] = count;
  const OpValue terms =
      b.multiply(b.unsqueeze(gradient, int64_t(dim) + 1), b.reshape(arguments[2].tensor(), column));
  return {b.call("index_add", {b.call("new_zeros", {gradient, given}), int64_t(dim),
                               b.reshape(arguments[1].tensor(), {-1}), b.reshape(terms, sizes)})};
}

bool has_tap_loop(DType dtype, Device device) {
  return device.is_cpu() && (dtype == DType::kFloat32 || dtype == DType::kFloat64);
}

/// On the processor the loop is the step of a schedule.
std::vector<OpValue> of_input_without_loop(OpBuilder& b, OpArguments arguments) {
  const TensorType type = b.type(arguments[0].tensor());
  if (has_tap_loop(type.dtype, type.device)) return {};
  return of_input_steps(b, arguments);
}

// ---- eager -------------------------------------------------------------------------------------

/// The tensor as [outer, along, inner], and the taps of each element of the longer or shorter one.
struct Loop {
  int64_t outer = 1, given, size, inner = 1, taps;
  const int64_t* places;
};

Loop loop_of(const Tensor& given, const Tensor& places, size_t dim, int64_t limit) {
  Loop loop = {.given = limit,
               .size = places.size(0),
               .taps = places.size(1),
               .places = places.data<int64_t>()};
  for (size_t i = 0; i < given.sizes().size(); ++i) {
    if (i < dim) loop.outer *= given.sizes()[i];
    if (i > dim) loop.inner *= given.sizes()[i];
  }
  for (int64_t i = 0; i < places.numel(); ++i) check_index(loop.places[i], int64_t(dim), limit);
  return loop;
}

/// `f(outer)` over the threads.
template <class F>
void for_outer(const Loop& loop, F&& f) {
  const int64_t work = std::max<int64_t>(1, loop.size * loop.taps * loop.inner);
  parallel_for(0, loop.outer, std::max<int64_t>(1, least_elements(Work::kLight) / work),
               [&](int64_t begin, int64_t end) {
                 for (int64_t i = begin; i < end; ++i) f(i);
               });
}

/// Along the last dimension; `kTaps` of each element, or as many as the loop has for 0.
template <class T, int kTaps>
void gather_last(const Loop& loop, const T* weights, const T* from, T* to) {
  const int64_t taps = kTaps > 0 ? kTaps : loop.taps;
  const int64_t* places = loop.places;
  for (int64_t i = 0; i < loop.size; ++i, places += taps, weights += taps) {
    T sum = from[places[0]] * weights[0];
    for (int64_t k = 1; k < taps; ++k) sum += from[places[k]] * weights[k];
    to[i] = sum;
  }
}

/// Along another one: rows of `inner` elements, the first two taps together.
template <class T>
void gather_rows(const Loop& loop, const T* weights, const T* from, T* __restrict to) {
  const int64_t* places = loop.places;
  for (int64_t i = 0; i < loop.size; ++i, to += loop.inner) {
    const T* first = from + places[0] * loop.inner;
    if (loop.taps == 1) {
      for (int64_t j = 0; j < loop.inner; ++j) to[j] = first[j] * weights[0];
    } else {
      const T* second = from + places[1] * loop.inner;
      for (int64_t j = 0; j < loop.inner; ++j)
        to[j] = first[j] * weights[0] + second[j] * weights[1];
    }
    for (int64_t k = 2; k < loop.taps; ++k) {
      const T* row = from + places[k] * loop.inner;
      for (int64_t j = 0; j < loop.inner; ++j) to[j] += row[j] * weights[k];
    }
    places += loop.taps;
    weights += loop.taps;
  }
}

template <class T>
void gather_taps(const Loop& loop, const T* weights, const T* in, T* out) {
  const auto along = loop.inner > 1   ? gather_rows<T>
                     : loop.taps == 2 ? gather_last<T, 2>
                     : loop.taps == 4 ? gather_last<T, 4>
                                      : gather_last<T, 0>;
  for_outer(loop, [&](int64_t outer) {
    along(loop, weights, in + outer * loop.given * loop.inner,
          out + outer * loop.size * loop.inner);
  });
}

/// Back, to where the taps were read: the target begins with zeros.
template <class T, int kTaps>
void scatter_last(const Loop& loop, const T* weights, const T* from, T* to) {
  const int64_t taps = kTaps > 0 ? kTaps : loop.taps;
  const int64_t* places = loop.places;
  for (int64_t i = 0; i < loop.size; ++i, places += taps, weights += taps)
    for (int64_t k = 0; k < taps; ++k) to[places[k]] += from[i] * weights[k];
}

template <class T>
void scatter_rows(const Loop& loop, const T* weights, const T* from, T* to) {
  for (int64_t i = 0; i < loop.size; ++i, from += loop.inner)
    for (int64_t k = 0; k < loop.taps; ++k) {
      T* row = to + loop.places[i * loop.taps + k] * loop.inner;
      const T weight = weights[i * loop.taps + k];
      for (int64_t j = 0; j < loop.inner; ++j) row[j] += from[j] * weight;
    }
}

template <class T>
void scatter_taps(const Loop& loop, const T* weights, const T* gradient, T* out) {
  const auto along = loop.inner > 1   ? scatter_rows<T>
                     : loop.taps == 2 ? scatter_last<T, 2>
                     : loop.taps == 4 ? scatter_last<T, 4>
                                      : scatter_last<T, 0>;
  for_outer(loop, [&](int64_t outer) {
    along(loop, weights, gradient + outer * loop.size * loop.inner,
          out + outer * loop.given * loop.inner);
  });
}

/// Both ways: what they have in common is where the taps are.
Outputs run_taps(const OpEntry& entry, Arguments arguments, bool back) {
  const std::vector<InferArgument> types = infer_arguments(arguments);
  const TensorType type = entry.infer(entry, types)[0];
  const Tensor& given = arguments[0].tensor();
  if (!has_tap_loop(given.dtype(), given.device())) return run_decomposition(entry, arguments);
  const Tensor from = contiguous(given), places = contiguous(arguments[1].tensor()),
               weights = contiguous(arguments[2].tensor());
  Tensor out = empty_of(type);
  const size_t dim = checked_dim(types);
  const Loop loop = loop_of(from, places, dim, (back ? out : from).sizes()[dim]);
  const auto run = [&]<class T>() {
    if (!back) return gather_taps(loop, weights.data<T>(), from.data<T>(), out.data<T>());
    std::fill_n(out.data<T>(), out.numel(), T(0));
    scatter_taps(loop, weights.data<T>(), from.data<T>(), out.data<T>());
  };
  if (given.dtype() == DType::kFloat32)
    run.operator()<float>();
  else
    run.operator()<double>();
  return out;
}

Outputs eager_resample(const OpEntry& entry, Arguments arguments) {
  return run_taps(entry, arguments, false);
}
Outputs eager_of_input(const OpEntry& entry, Arguments arguments) {
  return run_taps(entry, arguments, true);
}

// ---- gradients ---------------------------------------------------------------------------------

OpValue of_input(GradientCall& g) {
  const SymInt size = g.sizes("input")[size_t(g.dim("dim"))];
  return g.b.call("resample_of_input", {g.out(), g["places"], g["weights"], g["dim"], size});
}
OpValue of_gradient(GradientCall& g) {
  return g.b.call("resample", {g.out(), g["places"], g["weights"], g["dim"]});
}

// ---- samples -----------------------------------------------------------------------------------

/// Three taps for each of `size` places.
Tensor sample_places(int64_t size, int64_t limit) {
  Tensor places = Tensor::empty({size, 3}, DType::kInt64);
  for (int64_t i = 0; i < places.numel(); ++i) places.data<int64_t>()[i] = i * 5 % limit;
  return places;
}

template <bool kBack>
std::vector<Sample> samples(const OpEntry& entry) {
  std::vector<Sample> made;
  const auto add = [&](std::vector<int64_t> sizes, int64_t dim, int64_t size, DType dtype) {
    const int64_t given = sizes[size_t(dim)];
    if (kBack) sizes[size_t(dim)] = size;
    std::vector<Argument> arguments = {sample_tensor(sizes, dtype), sample_places(size, given),
                                       sample_tensor({size, 3}, dtype), dim};
    if (kBack) arguments.emplace_back(given);
    made.push_back({std::move(arguments)});
  };
  for (const int64_t dim : {0, 1, 2}) {
    add({3, 4, 5}, dim, 7, DType::kFloat32);
    add({6, 8, 9}, dim, 2, DType::kFloat32);
  }
  add({2, 5}, 1, 3, DType::kFloat64);
  add({4}, 0, 9, DType::kFloat64);
  add({2, 6}, 1, 3, DType::kBFloat16);
  add({1, 1}, 0, 1, DType::kFloat32);
  add({0, 3}, 1, 5, DType::kFloat32);
  return made;
}

constexpr OpEntry kEntries[] = {
    {
        .name = "resample",
        .signature = "_resample(input: Tensor, places: Tensor, weights: Tensor, dim: int) -> "
                     "Tensor",
        .torch = "_resample",
        .doc = "The dimension in another size: each element is the sum of the elements at its row "
               "of places times its row of weights.",
        .infer = infer_resample,
        .eager = eager_resample,
        .decomposition = resample_steps,
        .gradients = {{"input", "places weights", of_input}},
        .grad_name = "UpsampleBackward0",
        .tolerance = {.relative = 1e-4, .absolute = 1e-5},
        .samples = samples<false>,
    },
    {
        .name = "resample_of_input",
        .signature = "resample_of_input(gradient: Tensor, places: Tensor, weights: Tensor, dim: "
                     "int, size: int) -> Tensor",
        .doc = "The gradient of the input of `resample`, of that size along the dimension.",
        .infer = infer_of_input,
        .eager = eager_of_input,
        .lowering = Library{},
        .decomposition = of_input_without_loop,
        .gradients = {{"gradient", "places weights", of_gradient}},
        .grad_name = "UpsampleBackwardBackward0",
        .tolerance = {.relative = 1e-4, .absolute = 1e-5},
        .samples = samples<true>,
    },
};

static_assert(complete(kEntries));

}  // namespace

std::span<const OpEntry> resampling_entries() {
  return kEntries;
}

}  // namespace glint::ops
