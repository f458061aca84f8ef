// The order of a row's elements: equal ones stay in the order that they have, NaN is the greatest.
//
//     RowOrder<float> order;
//     order.sort(in, 4, /*descending=*/false, values, indices);
//         in = [3, 1, 2, 1]: values = [1, 1, 2, 3], indices = [1, 3, 2, 0]
//
// An element becomes a whole number without sign that compares as it does. Short rows are sorted by
// comparison, long ones digit by digit from the lowest, which never compares two elements and
// keeps what is equal in order (Knuth, The Art of Computer Programming 3, 5.2.5); digits that all
// numbers share are left out, so that small integers take a pass or two.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/tensor/dtype.h"

namespace glint::ops {

/// A number that is less where the element is.
inline uint32_t sort_key(float value) {
  constexpr uint32_t kSign = 0x8000'0000;
  if (value != value) return ~uint32_t(0);
  const auto bits = std::bit_cast<uint32_t>(value == 0 ? 0.0f : value);
  return bits & kSign ? ~bits : bits | kSign;
}
inline uint64_t sort_key(double value) {
  constexpr uint64_t kSign = 0x8000'0000'0000'0000;
  if (value != value) return ~uint64_t(0);
  const auto bits = std::bit_cast<uint64_t>(value == 0 ? 0.0 : value);
  return bits & kSign ? ~bits : bits | kSign;
}
template <class T>
auto sort_key(T value) {
  if constexpr (std::is_same_v<T, bool>) {
    return uint8_t(value);
  } else if constexpr (std::is_integral_v<T>) {
    using Key = std::make_unsigned_t<T>;
    return std::is_signed_v<T> ? Key(Key(value) ^ (Key(1) << (8 * sizeof(T) - 1))) : Key(value);
  } else {
    return sort_key(convert_element<float>(value));
  }
}

/// Sorts rows of up to `kMost` elements, one after the other, in memory that it keeps.
template <class T>
class RowOrder {
 public:
  static constexpr int64_t kMost = std::numeric_limits<uint32_t>::max();

  void sort(const T* in, int64_t count, bool descending, T* values, int64_t* indices) {
    items_.resize(size_t(count));
    for (int64_t i = 0; i < count; ++i) {
      const Key key = sort_key(in[i]);
      items_[size_t(i)] = {descending ? Key(~key) : key, uint32_t(i)};
    }
    if (count < kLong)
      std::ranges::stable_sort(items_, {}, &Item::key);
    else
      sort_by_digits();
    for (int64_t i = 0; i < count; ++i) {
      indices[i] = items_[size_t(i)].place;
      values[i] = in[indices[i]];
    }
  }

 private:
  using Key = decltype(sort_key(T()));
  struct Item {
    Key key;
    uint32_t place;
  };
  using Counts = std::array<uint32_t, 256>;
  static constexpr int64_t kLong = 512;

  static size_t digit(Key key, size_t place) { return size_t(key >> (8 * place)) & 0xff; }

  void sort_by_digits() {
    std::array<Counts, sizeof(Key)> counts = {};
    for (const Item& item : items_)
      for (size_t place = 0; place < sizeof(Key); ++place) ++counts[place][digit(item.key, place)];
    others_.resize(items_.size());
    for (size_t place = 0; place < sizeof(Key); ++place) {
      if (counts[place][digit(items_[0].key, place)] == items_.size()) continue;
      uint32_t start = 0;
      for (uint32_t& count : counts[place]) start += std::exchange(count, start);
      for (const Item& item : items_) others_[counts[place][digit(item.key, place)]++] = item;
      items_.swap(others_);
    }
  }

  std::vector<Item> items_, others_;
};

}  // namespace glint::ops
