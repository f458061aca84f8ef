#include "core/tensor/copy.h"

#include <immintrin.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "core/tensor/accelerator.h"
#include "core/tensor/strided_loop.h"
#include "core/tensor/views.h"

namespace glint {

namespace {

/// Bytes a piece of a block copy or fill: small enough to share out, large enough to stream.
constexpr int64_t kByteGrain = 128 * 1024;

void copy_bytes(std::byte* target, const std::byte* source, int64_t bytes) {
  parallel_for(0, bytes, kByteGrain, [&](int64_t begin, int64_t end) {
    std::memcpy(target + begin, source + begin, size_t(end - begin));
  });
}

template <class To, class From>
void convert_row(std::byte* target, int64_t target_stride, const std::byte* source,
                 int64_t source_stride, int64_t count) {
  auto* to = reinterpret_cast<To*>(target);
  const auto* from = reinterpret_cast<const From*>(source);
  if (target_stride == int64_t(sizeof(To)) && source_stride == int64_t(sizeof(From))) {
    for (int64_t i = 0; i < count; ++i) to[i] = convert_element<To>(from[i]);
    return;
  }
  target_stride /= int64_t(sizeof(To));
  source_stride /= int64_t(sizeof(From));
  for (int64_t i = 0; i < count; ++i)
    to[i * target_stride] = convert_element<To>(from[i * source_stride]);
}

using RowFunction = void (*)(std::byte*, int64_t, const std::byte*, int64_t, int64_t);

/// The row kernel that moves the bits of elements.
RowFunction moving_row(int64_t element) {
  switch (element) {
    case 1:
      return convert_row<uint8_t, uint8_t>;
    case 2:
      return convert_row<int16_t, int16_t>;
    case 4:
      return convert_row<int32_t, int32_t>;
    default:
      return convert_row<int64_t, int64_t>;
  }
}

/// The row kernel for a pair of dtypes.
RowFunction row_function(DType to, DType from) {
  return visit_dtype(to, [&]<class To>() -> RowFunction {
    return visit_dtype(from, []<class From>() -> RowFunction { return convert_row<To, From>; });
  });
}

/// Where a copy is a transposition: the loop's dimension along which the source is dense, 0 if
/// none.
size_t transposed_dim(const StridedLoop& loop, int64_t element) {
  if (loop.rank() < 2 || loop.stride(0, 0) != element || loop.stride(1, 0) == element) return 0;
  for (size_t dim = 1; dim < loop.rank(); ++dim)
    if (loop.stride(1, dim) == element && loop.size(dim) >= 4) return dim;
  return 0;
}

/// Transposes one tile. Each line of the source is read once, whole: lines a large power of two
/// apart would throw each other out of the cache.
template <class T, int64_t kTile>
void copy_tile(T* to, int64_t to_stride, const std::byte* from, int64_t from_stride) {
  alignas(64) T tile[kTile][kTile];
  for (int64_t i = 0; i < kTile; ++i) std::memcpy(tile[i], from + i * from_stride, sizeof(tile[i]));
  for (int64_t row = 0; row < kTile; ++row) {
    alignas(64) T line[kTile];
    for (int64_t i = 0; i < kTile; ++i) line[i] = tile[i][row];
    std::memcpy(to + row * to_stride, line, sizeof(line));
  }
}

/// Copies by square tiles, so that both sides use whole cache lines: target is dense along
/// dimension 0 of the loop, the source along `dim`.
template <class T>
void copy_transposed(const StridedLoop& loop, size_t dim) {
  constexpr int64_t kTile = 64 / int64_t(sizeof(T)) < 16 ? 16 : 64 / int64_t(sizeof(T));
  constexpr int64_t kStrip = 4 * kTile;  // rows of the target done together: longer source reads
  int64_t columns = loop.size(0), rows = loop.size(dim);
  int64_t from_stride = loop.stride(1, 0);
  int64_t to_stride = loop.stride(0, dim) / int64_t(sizeof(T));
  int64_t strips = (rows + kStrip - 1) / kStrip;
  int64_t planes = loop.count() / (columns * rows);
  int64_t grain = std::max<int64_t>(1, StridedLoop::kGrain / (columns * kStrip));

  auto copy_part = [&](T* to, const std::byte* from, int64_t height, int64_t width) {
    if (height == kTile && width == kTile)
      return copy_tile<T, kTile>(to, to_stride, from, from_stride);
    for (int64_t row = 0; row < height; ++row)
      for (int64_t i = 0; i < width; ++i)
        to[row * to_stride + i] = reinterpret_cast<const T*>(from + i * from_stride)[row];
  };
  auto copy_strip = [&](std::byte* target, const std::byte* source, int64_t height) {
    for (int64_t column = 0; column < columns; column += kTile)
      for (int64_t row = 0; row < height; row += kTile)
        copy_part(reinterpret_cast<T*>(target) + row * to_stride + column,
                  source + column * from_stride + row * int64_t(sizeof(T)),
                  std::min(kTile, height - row), std::min(kTile, columns - column));
  };
  parallel_for(0, planes * strips, grain, [&](int64_t begin, int64_t end) {
    for (int64_t strip = begin; strip < end; ++strip) {
      int64_t plane = strip / strips, first_row = strip % strips * kStrip;
      std::byte* target = loop.data(0) + first_row * loop.stride(0, dim);
      const std::byte* source = loop.data(1) + first_row * int64_t(sizeof(T));
      for (size_t outer = 1; outer < loop.rank(); ++outer) {
        if (outer == dim) continue;
        int64_t index = plane % loop.size(outer);
        plane /= loop.size(outer);
        target += index * loop.stride(0, outer);
        source += index * loop.stride(1, outer);
      }
      copy_strip(target, source, std::min(kStrip, rows - first_row));
    }
  });
}

/// Whether the inner rows are as long as a larger element, and lie where one may: then they move
/// as one, as the two parts of a complex number do.
bool rows_are_elements(const StridedLoop& loop, int64_t element) {
  const int64_t bytes = loop.size(0) * element;
  if (loop.rank() < 2 || (bytes != 2 && bytes != 4 && bytes != 8)) return false;
  for (size_t operand : {0, 1}) {
    if (loop.stride(operand, 0) != element) return false;
    if (reinterpret_cast<uintptr_t>(loop.data(operand)) % uint64_t(bytes) != 0) return false;
    for (size_t dim = 1; dim < loop.rank(); ++dim)
      if (loop.stride(operand, dim) % bytes != 0) return false;
  }
  return true;
}

/// The longest rows that move as a few vectors, without a call for each.
constexpr int64_t kShortRow = 64;

/// Moves rows of `bytes` bytes, at most four parts: what lies between the first ones and the last
/// ones moves twice.
template <class Part, int kParts>
void move_rows(std::byte* const* data, const int64_t* strides, int64_t rows, int64_t bytes) {
  constexpr int64_t kHalf = kParts / 2 * int64_t(sizeof(Part));
  std::byte* to = data[0];
  const std::byte* from = data[1];
  for (int64_t row = 0; row < rows; ++row) {
    Part first[kParts / 2], last[kParts / 2];
    std::memcpy(first, from, kHalf);
    std::memcpy(last, from + bytes - kHalf, kHalf);
    std::memcpy(to, first, kHalf);
    std::memcpy(to + bytes - kHalf, last, kHalf);
    to += strides[0];
    from += strides[1];
  }
}

bool has_short_rows(const StridedLoop& loop, int64_t element) {
  const int64_t bytes = loop.size(0) * element;
  return loop.rank() > 1 && bytes > 2 && bytes <= kShortRow && loop.stride(0, 0) == element &&
         loop.stride(1, 0) == element;
}

void copy_short_rows(const StridedLoop& loop, int64_t bytes) {
  using Sixteen = std::array<uint64_t, 2>;
  const auto move = bytes < 4    ? move_rows<uint16_t, 2>
                    : bytes < 8  ? move_rows<uint32_t, 2>
                    : bytes < 16 ? move_rows<uint64_t, 2>
                    : bytes < 32 ? move_rows<Sixteen, 2>
                                 : move_rows<Sixteen, 4>;
  const int64_t rows = loop.count() / loop.size(0);
  parallel_for(0, rows, StridedLoop::kGrain / loop.size(0), [&](int64_t begin, int64_t end) {
    const auto body = [&](std::byte* const* data, const int64_t* strides, int64_t count) {
      move(data, strides, count, bytes);
    };
    loop.run_range(begin, end, body, 1);
  });
}

/// Copies bits between operands of one element size where neither side is one flat block.
void copy_strided(const StridedLoop& loop, int64_t element) {
  if (rows_are_elements(loop, element)) return copy_strided(loop.rows(), loop.size(0) * element);
  if (size_t dim = transposed_dim(loop, element)) {
    switch (element) {
      case 1:
        return copy_transposed<uint8_t>(loop, dim);
      case 2:
        return copy_transposed<uint16_t>(loop, dim);
      case 4:
        return copy_transposed<uint32_t>(loop, dim);
      default:
        return copy_transposed<uint64_t>(loop, dim);
    }
  }
  if (has_short_rows(loop, element)) return copy_short_rows(loop, loop.size(0) * element);
  RowFunction row = moving_row(element);
  loop.run([&](std::byte* const* data, const int64_t* strides, int64_t count) {
    if (strides[0] == element && strides[1] == element) {
      std::memcpy(data[0], data[1], size_t(count * element));
    } else {
      row(data[0], strides[0], data[1], strides[1], count);
    }
  });
}

template <class T>
void fill_row(std::byte* target, int64_t stride, T value, int64_t count) {
  T* to = reinterpret_cast<T*>(target);
  if (stride == int64_t(sizeof(T))) {
    std::fill_n(to, count, value);
    return;
  }
  for (int64_t i = 0; i < count; ++i) *reinterpret_cast<T*>(target + i * stride) = value;
}

/// From this size on a fill goes past the caches: reading the old lines first would cost as much.
constexpr int64_t kStreamBytes = int64_t(16) << 20;

/// Fills dense memory that is aligned to T with `value`, by streaming stores.
template <class T>
void stream_fill(std::byte* target, T value, int64_t bytes) {
  alignas(16) T pattern[16 / sizeof(T)];
  std::fill(std::begin(pattern), std::end(pattern), value);
  __m128i block = _mm_load_si128(reinterpret_cast<const __m128i*>(pattern));
  // The pattern has the period of T, so the ends may be written at any multiple of it.
  int64_t head = -reinterpret_cast<intptr_t>(target) & 15;
  std::memcpy(target, pattern, size_t(head));
  int64_t whole = (bytes - head) / 16 * 16;
  for (int64_t at = head; at < head + whole; at += 16)
    _mm_stream_si128(reinterpret_cast<__m128i*>(target + at), block);
  std::memcpy(target + head + whole, pattern, size_t(bytes - head - whole));
  _mm_sfence();
}

/// Between two memories, or within that of an accelerator: one move between them at most.
void copy_on_devices(const Tensor& target, const Tensor& source) {
  if (target.numel() == 0) return;
  const Tensor near = to_device(source, target.device());
  if (target.device().is_cpu())
    copy(target, near);
  else
    accelerator().copy(target, near);
}

void copy_elements(const Tensor& target, const Tensor& source) {
  if (!target.device().is_cpu() || !source.device().is_cpu()) [[unlikely]]
    return copy_on_devices(target, source);
  StridedLoop loop({&target, &source});
  if (loop.count() == 0) return;
  DType to = target.dtype(), from = source.dtype();
  if (to == from && loop.is_flat()) {
    copy_bytes(loop.data(0), loop.data(1), loop.count() * int64_t(dtype_size(to)));
  } else if (to == from) {
    copy_strided(loop, int64_t(dtype_size(to)));
  } else {
    RowFunction row = row_function(to, from);
    loop.run([&](std::byte* const* data, const int64_t* strides, int64_t count) {
      row(data[0], strides[0], data[1], strides[1], count);
    });
  }
}

}  // namespace

void copy(const Tensor& target, const Tensor& source) {
  if (show_same_elements(target, source)) return;
  if (may_overlap(target, source)) {
    copy_elements(target, clone(source));
  } else {
    copy_elements(target, source);
  }
  target.bump_version();
}

void fill(const Tensor& target, const Scalar& value) {
  if (!target.device().is_cpu()) [[unlikely]] {
    if (target.numel() > 0) accelerator().fill(target, value);
    return target.bump_version();
  }
  visit_dtype(target.dtype(), [&]<class T>() {
    T element = value.to<T>();
    StridedLoop loop({&target});
    if (loop.is_flat() && loop.count() * int64_t(sizeof(T)) >= kStreamBytes) {
      parallel_for(0, loop.count() * int64_t(sizeof(T)), kByteGrain,
                   [&](int64_t begin, int64_t end) {
                     stream_fill<T>(loop.data(0) + begin, element, end - begin);
                   });
      return;
    }
    loop.run([&](std::byte* const* data, const int64_t* strides, int64_t count) {
      fill_row<T>(data[0], strides[0], element, count);
    });
  });
  target.bump_version();
}

Tensor contiguous(const Tensor& tensor) {
  if (tensor.is_contiguous()) return tensor;
  Tensor result = Tensor::empty(tensor.sizes(), tensor.dtype(), tensor.device());
  copy_elements(result, tensor);
  return result;
}

Tensor clone(const Tensor& tensor) {
  return convert_copy(tensor, tensor.dtype());
}

Tensor convert(const Tensor& tensor, DType dtype) {
  return tensor.dtype() == dtype ? tensor : convert_copy(tensor, dtype);
}

Tensor convert_copy(const Tensor& tensor, DType dtype) {
  Tensor result;
  if (has_row_major_strides(tensor)) {
    result = Tensor::empty(tensor.sizes(), dtype, tensor.device());
  } else if (is_dense(tensor)) {
    result = Tensor::empty_strided(tensor.sizes(), tensor.strides(), dtype, tensor.device());
  } else {
    const Tensor* inputs[] = {&tensor};
    result = Tensor::empty_strided(tensor.sizes(), elementwise_strides(tensor.sizes(), inputs),
                                   dtype, tensor.device());
  }
  copy_elements(result, tensor);
  return result;
}

}  // namespace glint
