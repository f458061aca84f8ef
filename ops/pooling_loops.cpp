#include "ops/pooling_loops.h"

#include <algorithm>
#include <limits>

#include "core/support/thread_pool.h"
#include "ops/rows/row_kernels.h"

namespace glint::ops {

PoolingPlanes::PoolingPlanes(const PoolingWindows& w, IntSpan sizes) {
  const size_t dims = w.dims(), missing = 3 - dims;
  for (size_t i = 0; i < dims; ++i) {
    const size_t at = missing + i;
    size_[at] = sizes[sizes.size() - dims + i];
    places_[at] = w.places(size_[at], i).constant();
    kernel_[at] = w.kernel[i];
    stride_[at] = w.stride[i];
    before_[at] = w.before[i];
    dilation_[at] = w.dilation[i];
  }
  for (int64_t k = 0; k < kernel_[2]; ++k)
    if (const Run run = run_of(k); run.count > 0) runs_.push_back(run);
}

PoolingPlanes::Run PoolingPlanes::run_of(int64_t offset) const {
  const int64_t at = element(2, 0, offset), step = stride_[2];
  const int64_t first = at < 0 ? (-at + step - 1) / step : 0;
  const int64_t end = at >= size_[2] ? 0 : (size_[2] - 1 - at) / step + 1;
  return {offset, first, std::min(end, places_[2]) - first};
}

template <class Visit>
void PoolingPlanes::for_each_run(Visit&& visit) const {
  const auto outside = [&](size_t i, int64_t at) { return at < 0 || at >= size_[i]; };
  for (int64_t p = 0; p < places_[0]; ++p)
    for (int64_t q = 0; q < places_[1]; ++q)
      for (int64_t i = 0; i < kernel_[0]; ++i) {
        if (outside(0, element(0, p, i))) continue;
        for (int64_t j = 0; j < kernel_[1]; ++j) {
          if (outside(1, element(1, q, j))) continue;
          const int64_t row = (element(0, p, i) * size_[1] + element(1, q, j)) * size_[2];
          for (const auto& [offset, first, count] : runs_)
            visit((p * places_[1] + q) * places_[2] + first, row + element(2, first, offset), count,
                  stride_[2]);
        }
      }
}

PoolingPlanes::Reach PoolingPlanes::reach(size_t i, int64_t place) const {
  int64_t first = element(i, place, 0);
  const int64_t apart = dilation_[i], end = first + kernel_[i] * apart;
  if (first < 0) first += (-first + apart - 1) / apart * apart;
  return {first, std::min(end, size_[i])};
}

template <class Visit>
void PoolingPlanes::for_each_stretch_of(const std::array<Reach, 3>& reaches, Visit&& visit) const {
  const auto [first, end] = reaches[2];
  const bool has_whole_rows = first == 0 && end == size_[2] && dilation_[1] == 1;
  for (int64_t i = reaches[0].first; i < reaches[0].end; i += dilation_[0]) {
    const int64_t rows = reaches[1].end - reaches[1].first;
    if (has_whole_rows && rows > 0) {
      visit((i * size_[1] + reaches[1].first) * size_[2], rows * size_[2]);
      continue;
    }
    for (int64_t j = reaches[1].first; j < reaches[1].end; j += dilation_[1])
      if (first < end) visit((i * size_[1] + j) * size_[2] + first, end - first);
  }
}

template <class Visit>
void PoolingPlanes::for_each_stretch(Visit&& visit) const {
  int64_t place = 0;
  for (int64_t p = 0; p < places_[0]; ++p)
    for (int64_t q = 0; q < places_[1]; ++q)
      for (int64_t r = 0; r < places_[2]; ++r, ++place)
        for_each_stretch_of({reach(0, p), reach(1, q), reach(2, r)},
                            [&](int64_t element, int64_t count) { visit(place, element, count); });
}

template <class Visit>
void PoolingPlanes::for_each_start(Visit&& visit) const {
  const auto start = [&](size_t i, int64_t place) {
    const int64_t at = element(i, place, 0), apart = dilation_[i];
    return at >= 0 ? at : (at % apart + apart) % apart;
  };
  int64_t place = 0;
  for (int64_t p = 0; p < places_[0]; ++p)
    for (int64_t q = 0; q < places_[1]; ++q)
      for (int64_t r = 0; r < places_[2]; ++r)
        visit(place++, (start(0, p) * size_[1] + start(1, q)) * size_[2] + start(2, r));
}

namespace {

/// `f(plane)` for all of them, on all threads where there is enough to do.
template <class F>
void for_each_plane(int64_t planes, int64_t elements, F&& f) {
  constexpr int64_t kLeast = 16 * 1024;
  parallel_for(0, planes, std::max<int64_t>(1, kLeast / std::max<int64_t>(1, elements)),
               [&](int64_t begin, int64_t end) {
                 for (int64_t plane = begin; plane < end; ++plane) f(plane);
               });
}

/// No element is less.
template <class T>
T least() {
  if constexpr (std::is_integral_v<T>) return std::numeric_limits<T>::lowest();
  return convert_element<T>(-std::numeric_limits<double>::infinity());
}

/// Elements that are taken a few at a time, so that they stay near.
constexpr int64_t kChunk = 256;

/// Every `step`-th element side by side.
template <class T>
__attribute__((target("avx2"))) void gather(const T* in, int64_t step, T* out, int64_t count) {
  if (step == 1) {
    std::copy_n(in, count, out);
  } else if (step == 2) {
    for (int64_t i = 0; i < count; ++i) out[i] = in[2 * i];
  } else {
    for (int64_t i = 0; i < count; ++i) out[i] = in[step * i];
  }
}

/// One element of each window of a run against the greatest so far. The choice is free of branches:
/// which element is the greatest is what no processor can guess.
template <class T>
__attribute__((target("avx2"))) void take_greater(const T* in, int64_t index, int64_t step,
                                                  T* __restrict values, int64_t* __restrict indices,
                                                  int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    const T value = in[i];
    const bool takes = value > values[i] || value != value;
    values[i] = takes ? value : values[i];
    indices[i] = takes ? index + i * step : indices[i];
  }
}

template <class T>
__attribute__((target("avx2"))) void add_up(const T* in, T* __restrict sums, int64_t count) {
  for (int64_t i = 0; i < count; ++i) sums[i] = T(sums[i] + in[i]);
}

/// `f(elements side by side, how many came before, count)` for the elements of a run.
template <class T, class F>
void for_each_chunk(const T* in, int64_t step, int64_t count, F&& f) {
  T near[kChunk];
  for (int64_t start = 0; start < count; start += kChunk) {
    const int64_t length = std::min(kChunk, count - start);
    gather(in + start * step, step, near, length);
    f(static_cast<const T*>(near), start, length);
  }
}

/// One number of a stretch of memory.
template <class T>
T reduced(Combiner combiner, const T* in, int64_t count) {
  T result;
  reduce_kernels(combiner, kDTypeOf<T>)->row(in, count, &result);
  return result;
}

/// A stretch of a window against the window's greatest so far.
template <class T>
void take_greatest(const T* in, int64_t element, int64_t count, T& value, int64_t& index) {
  const T greatest = reduced(Combiner::kMaximum, in + element, count);
  if (greatest != greatest) {
    value = greatest;
    for (int64_t i = 0; i < count; ++i)
      if (in[element + i] != in[element + i]) index = element + i;
  } else if (greatest > value) {
    index = std::find(in + element, in + element + count, greatest) - in;
    value = in[index];  // of equal zeros the first one's sign
  }
}

template <class T>
void max_pool_plane(const PoolingPlanes& planes, const T* in, T* values, int64_t* indices) {
  std::fill_n(values, planes.places(), least<T>());
  planes.for_each_start([&](int64_t place, int64_t element) { indices[place] = element; });
  if (planes.has_long_windows())
    return planes.for_each_stretch([&](int64_t place, int64_t element, int64_t count) {
      take_greatest(in, element, count, values[place], indices[place]);
    });
  planes.for_each_run([&](int64_t place, int64_t element, int64_t count, int64_t step) {
    for_each_chunk(in + element, step, count, [&](const T* near, int64_t start, int64_t length) {
      take_greater(near, element + start * step, step, values + place + start,
                   indices + place + start, length);
    });
  });
}

}  // namespace

void max_pool_planes(const PoolingPlanes& planes, const Tensor& input, const Tensor& values,
                     const Tensor& indices) {
  const int64_t places = planes.places(), elements = planes.elements();
  if (places == 0 || elements == 0) return;
  visit_dtype(input.dtype(), [&]<class T>() {
    const T* in = input.data<T>();
    T* greatest = values.data<T>();
    int64_t* where = indices.data<int64_t>();
    for_each_plane(values.numel() / places, elements, [&](int64_t plane) {
      max_pool_plane(planes, in + plane * elements, greatest + plane * places,
                     where + plane * places);
    });
  });
}

void max_pool_planes_back(const PoolingPlanes& planes, const Tensor& gradient,
                          const Tensor& indices, const Tensor& out) {
  const int64_t places = planes.places(), elements = planes.elements();
  if (elements == 0) return;
  visit_dtype(out.dtype(), [&]<class T>() {
    const T* from = gradient.data<T>();
    const int64_t* where = indices.data<int64_t>();
    T* to = out.data<T>();
    for_each_plane(out.numel() / elements, elements, [&](int64_t plane) {
      T* into = to + plane * elements;
      std::fill_n(into, elements, T(0));
      for (int64_t i = plane * places; i < (plane + 1) * places; ++i) {
        const int64_t place = where[i];
        // A window that lies outside as a whole names a place that is not there.
        if (place >= 0 && place < elements) into[place] = T(into[place] + from[i]);
      }
    });
  });
}

void sum_planes(const PoolingPlanes& planes, const Tensor& input, const Tensor& sums) {
  const int64_t places = planes.places(), elements = planes.elements();
  if (places == 0) return;
  visit_dtype(input.dtype(), [&]<class T>() {
    const T* in = input.data<T>();
    T* out = sums.data<T>();
    for_each_plane(sums.numel() / places, elements, [&](int64_t plane) {
      const T* from = in + plane * elements;
      T* to = out + plane * places;
      std::fill_n(to, places, T(0));
      if (planes.has_long_windows())
        return planes.for_each_stretch([&](int64_t place, int64_t element, int64_t count) {
          to[place] = T(to[place] + reduced(Combiner::kSum, from + element, count));
        });
      planes.for_each_run([&](int64_t place, int64_t element, int64_t count, int64_t step) {
        for_each_chunk(from + element, step, count,
                       [&](const T* near, int64_t start, int64_t length) {
                         add_up(near, to + place + start, length);
                       });
      });
    });
  });
}

void sum_planes_back(const PoolingPlanes& planes, const Tensor& gradient, const Tensor& out) {
  const int64_t places = planes.places(), elements = planes.elements();
  if (elements == 0) return;
  visit_dtype(out.dtype(), [&]<class T>() {
    const T* from_all = gradient.data<T>();
    T* to_all = out.data<T>();
    for_each_plane(out.numel() / elements, elements, [&](int64_t plane) {
      const T* from = from_all + plane * places;
      T* to = to_all + plane * elements;
      std::fill_n(to, elements, T(0));
      planes.for_each_run([&](int64_t place, int64_t element, int64_t count, int64_t step) {
        for (int64_t i = 0; i < count; ++i)
          to[element + i * step] = T(to[element + i * step] + from[place + i]);
      });
    });
  });
}

}  // namespace glint::ops
