#include "ops/short_rows.h"

#include <cstring>

namespace glint::ops {

namespace {

constexpr int64_t kLongest = 128;  ///< elements of a row that is short
constexpr int64_t kRoom = 1024;    ///< elements of a buffer
constexpr int64_t kVector = 64;    ///< bytes

/// Rows of one operand: byte steps between elements and between rows.
struct Rows {
  const std::byte* first;
  int64_t step, row_step;
};

/// One number for each row. Whole vectors are stored, the next row's over what is too much.
template <class T>
void repeat_numbers(const Rows& rows, int64_t count, int64_t length, std::byte* to) {
  constexpr int64_t kLanes = kVector / int64_t(sizeof(T));
  typedef T Vector __attribute__((ext_vector_type(kLanes)));
  for (int64_t row = 0; row < count; ++row, to += length * int64_t(sizeof(T))) {
    T number;
    std::memcpy(&number, rows.first + row * rows.row_step, sizeof number);
    const Vector vector = number;
    for (int64_t at = 0; at < length; at += kLanes)
      std::memcpy(to + at * int64_t(sizeof(T)), &vector, sizeof vector);
  }
}

template <class T>
void copy_rows(const Rows& rows, int64_t count, int64_t length, std::byte* to) {
  for (int64_t row = 0; row < count; ++row) {
    const std::byte* from = rows.first + row * rows.row_step;
    for (int64_t i = 0; i < length; ++i, from += rows.step, to += sizeof(T))
      std::memcpy(to, from, sizeof(T));
  }
}

template <class T>
void lay_out(const Rows& rows, int64_t count, int64_t length, std::byte* to) {
  if (rows.step == 0) return repeat_numbers<T>(rows, count, length, to);
  copy_rows<T>(rows, count, length, to);
}

/// An operand's elements for as many rows as a buffer has room for.
class Operand {
 public:
  Operand(const StridedLoop& walk, size_t place, size_t element_size)
      : step_(walk.stride(place, 0)),
        row_step_(walk.stride(place, 1)),
        size_(element_size),
        dense_(step_ == int64_t(size_) && row_step_ == step_ * walk.size(0)) {}

  /// The elements of `count` rows from `first` on, one behind the other.
  const std::byte* rows(const std::byte* first, int64_t count, int64_t length) {
    if (dense_) return first;
    // Rows that repeat one lie ready.
    if (row_step_ == 0 && first == laid_out_ && count <= ready_) return buffer_;
    laid_out_ = first;
    ready_ = count;
    const Rows rows = {first, step_, row_step_};
    if (size_ == 1) lay_out<uint8_t>(rows, count, length, buffer_);
    if (size_ == 2) lay_out<uint16_t>(rows, count, length, buffer_);
    if (size_ == 4) lay_out<uint32_t>(rows, count, length, buffer_);
    if (size_ == 8) lay_out<uint64_t>(rows, count, length, buffer_);
    return buffer_;
  }
  const std::byte* behind(const std::byte* first, int64_t count) const {
    return first + count * row_step_;
  }

 private:
  int64_t step_, row_step_;
  size_t size_;
  bool dense_;
  const std::byte* laid_out_ = nullptr;
  int64_t ready_ = 0;
  alignas(kVector) std::byte buffer_[kRoom * 8 + kVector];
};

}  // namespace

bool run_short_rows(const StridedLoop& walk, std::span<const Tensor* const> operands,
                    scalar::BinaryLoop loop, int64_t grain) {
  const auto size = [&](size_t place) { return operands[place]->element_size(); };
  if (walk.rank() < 2 || walk.size(0) > kLongest) return false;
  const int64_t length = walk.size(0), out_row = length * int64_t(size(0));
  if (walk.stride(0, 0) != int64_t(size(0)) || walk.stride(0, 1) != out_row) return false;
  parallel_for(0, walk.count() / length, std::max<int64_t>(1, grain / length),
               [&](int64_t begin, int64_t end) {
                 Operand left(walk, 1, size(1)), right(walk, 2, size(2));
                 walk.run_range(
                     begin, end,
                     [&](std::byte* const* first, const int64_t*, int64_t rows) {
                       std::byte* out = first[0];
                       const std::byte *a = first[1], *b = first[2];
                       for (int64_t at = 0; at < rows;) {
                         const int64_t count = std::min(rows - at, kRoom / length);
                         loop(left.rows(a, count, length), right.rows(b, count, length), out,
                              count * length);
                         out += count * out_row;
                         a = left.behind(a, count);
                         b = right.behind(b, count);
                         at += count;
                       }
                     },
                     /*inner=*/1);
               });
  return true;
}

}  // namespace glint::ops
