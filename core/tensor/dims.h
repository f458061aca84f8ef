// Sizes or strides of a tensor: a vector of int64 whose first six live inside the object.
//
// Nearly all tensors have six dimensions or fewer, so making one allocates nothing for its shape.
//
//     Dims sizes = {8, 16};   sizes[0] == 8   sizes.size() == 2   IntSpan view = sizes;
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <span>
#include <string>

namespace glint {

using IntSpan = std::span<const int64_t>;

class Dims {
 public:
  static constexpr uint32_t kInline = 6;

  Dims() : rank_(0) {}
  Dims(std::initializer_list<int64_t> values) : Dims(IntSpan(values.begin(), values.size())) {}
  Dims(IntSpan values) { init(values.data(), values.size()); }  // NOLINT: meant to convert
  Dims(size_t rank, int64_t value) {
    reserve_new(rank);
    std::fill_n(data(), rank, value);
  }
  Dims(const Dims& other) { init(other.data(), other.rank_); }
  Dims(Dims&& other) noexcept : rank_(other.rank_) {
    std::memcpy(static_cast<void*>(&inline_), &other.inline_, sizeof(inline_));
    other.rank_ = 0;
  }
  Dims& operator=(const Dims& other) {
    if (this != &other) assign(other);
    return *this;
  }
  Dims& operator=(Dims&& other) noexcept {
    if (this == &other) return *this;
    free_heap();
    rank_ = other.rank_;
    std::memcpy(static_cast<void*>(&inline_), &other.inline_, sizeof(inline_));
    other.rank_ = 0;
    return *this;
  }
  ~Dims() { free_heap(); }

  void assign(IntSpan values) {
    if (values.size() != rank_) {
      free_heap();
      reserve_new(values.size());
    }
    std::copy(values.begin(), values.end(), data());
  }
  void push_back(int64_t value) { insert(rank_, value); }
  void insert(size_t at, int64_t value);
  void erase(size_t at);
  /// Grows with zeros or cuts off at the end.
  void resize(size_t rank);
  void clear() { resize(0); }

  size_t size() const { return rank_; }
  bool empty() const { return rank_ == 0; }
  int64_t* data() { return rank_ <= kInline ? inline_ : heap_; }
  const int64_t* data() const { return rank_ <= kInline ? inline_ : heap_; }
  int64_t& operator[](size_t i) { return data()[i]; }
  int64_t operator[](size_t i) const { return data()[i]; }
  int64_t& back() { return data()[rank_ - 1]; }
  int64_t back() const { return data()[rank_ - 1]; }
  int64_t* begin() { return data(); }
  int64_t* end() { return data() + rank_; }
  const int64_t* begin() const { return data(); }
  const int64_t* end() const { return data() + rank_; }
  operator IntSpan() const { return {data(), rank_}; }

  friend bool operator==(const Dims& a, const Dims& b) {
    return a.rank_ == b.rank_ && std::equal(a.begin(), a.end(), b.begin());
  }

 private:
  void init(const int64_t* values, size_t rank) {
    reserve_new(rank);
    int64_t* target = data();
    for (size_t i = 0; i < rank; ++i) target[i] = values[i];
  }
  /// Sets the rank of an object that owns no heap memory.
  void reserve_new(size_t rank) {
    rank_ = uint32_t(rank);
    if (rank > kInline) [[unlikely]]
      heap_ = new int64_t[rank];
  }
  void free_heap() {
    if (rank_ > kInline) [[unlikely]]
      delete[] heap_;
  }

  uint32_t rank_;
  union {
    int64_t inline_[kInline];
    int64_t* heap_;
  };
};

inline bool same_dims(IntSpan a, IntSpan b) {
  return std::ranges::equal(a, b);
}

/// The product of the sizes: how many elements a tensor of that shape has.
inline int64_t element_count(IntSpan sizes) {
  int64_t count = 1;
  for (int64_t size : sizes) count *= size;
  return count;
}

/// Row-major strides, in elements. As in PyTorch, a size of 0 counts as 1.
Dims contiguous_strides(IntSpan sizes);

/// `[2, 3]`, as PyTorch's messages write a shape.
std::string to_string(IntSpan dims);

}  // namespace glint
