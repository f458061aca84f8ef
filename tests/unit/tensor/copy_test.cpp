// Copies, fills, conversions and the loop planner, against element-by-element reference loops.
#include "core/tensor/copy.h"

#include <catch2/catch.hpp>
#include <numeric>
#include <random>

#include "core/tensor/strided_loop.h"
#include "core/tensor/views.h"

namespace glint {
namespace {

Tensor counting(Dims sizes, DType dtype = DType::kFloat32) {
  Tensor x = Tensor::empty(sizes, dtype);
  visit_dtype(dtype, [&]<class T>() {
    for (int64_t i = 0; i < x.numel(); ++i) x.data<T>()[i] = convert_element<T>(i % 120);
  });
  return x;
}

/// Element `index` in row-major order, whatever the strides.
template <class T>
T at(const Tensor& x, int64_t index) {
  int64_t offset = 0;
  for (int64_t dim = x.rank(); dim-- > 0;) {
    offset += index % x.size(dim) * x.stride(dim);
    index /= x.size(dim);
  }
  return x.data<T>()[offset];
}

template <class T>
bool same_elements(const Tensor& a, const Tensor& b) {
  for (int64_t i = 0; i < a.numel(); ++i)
    if (at<T>(a, i) != at<T>(b, i)) return false;
  return true;
}

TEST_CASE("copies between layouts keep every element") {
  for (DType dtype : {DType::kUInt8, DType::kBFloat16, DType::kFloat32, DType::kInt64}) {
    visit_dtype(dtype, [&]<class T>() {
      for (Dims sizes : {Dims{5, 7}, Dims{64, 64}, Dims{130, 67}, Dims{3, 70, 33}, Dims{2, 3, 4, 5},
                         Dims{1, 9}, Dims{0, 4}, Dims{}, Dims{300, 300}}) {
        Tensor x = counting(sizes, dtype);
        for (int64_t dim = 0; dim + 1 < x.rank(); ++dim) {
          Tensor t = transpose(x, dim, -1);
          REQUIRE(same_elements<T>(contiguous(t), t));
          Tensor target = transpose(Tensor::empty(sizes, dtype), dim, -1);
          copy(target, t);
          REQUIRE(same_elements<T>(target, t));
        }
        REQUIRE(same_elements<T>(clone(x), x));
      }
    });
  }
}

TEST_CASE("short rows move whole, and nothing beside them") {
  for (DType dtype : {DType::kUInt8, DType::kBFloat16, DType::kFloat32, DType::kInt64}) {
    visit_dtype(dtype, [&]<class T>() {
      for (int64_t length = 1; length <= 70; ++length) {
        const Tensor x = counting({3, 5, length + 2}, dtype);
        const Tensor rows = Tensor::view_of(x, Dims{3, 5, length}, x.strides(), 1);
        REQUIRE(same_elements<T>(contiguous(rows), rows));
        const Tensor windows =
            Tensor::view_of(x, Dims{3, 3, length}, Dims{5 * (length + 2), 1, 1}, 0);
        REQUIRE(same_elements<T>(contiguous(windows), windows));
        const Tensor target = Tensor::empty({3, 5, length + 2}, dtype);
        fill(target, Scalar(int64_t(7)));
        copy(Tensor::view_of(target, Dims{3, 5, length}, target.strides(), 1), rows);
        for (int64_t i = 0; i < target.numel(); ++i) {
          const int64_t column = i % (length + 2);
          const bool inside = column > 0 && column <= length;
          REQUIRE(target.data<T>()[i] == (inside ? x.data<T>()[i] : convert_element<T>(7)));
        }
      }
    });
  }
}

TEST_CASE("a clone keeps a dense layout and packs a loose one") {
  Tensor x = counting({4, 6});
  CHECK(Dims(clone(transpose(x, 0, 1)).strides()) == Dims{1, 6});
  CHECK(Dims(clone(slice(x, 1, 0, 3)).strides()) == Dims{3, 1});
  CHECK(Dims(clone(expand(slice(x, 0, 0, 1), {4, 6})).strides()) == Dims{6, 1});
}

TEST_CASE("copy broadcasts, converts and survives overlap") {
  Tensor x = Tensor::full({3, 4}, Scalar(0), DType::kInt32);
  copy(x, Tensor::of<float>({1.5f, -2.5f, 3.5f, 4.5f}, {4}));
  CHECK(at<int32_t>(x, 9) == -2);
  Tensor y = counting({10});
  copy(slice(y, 0, 1, 10), slice(y, 0, 0, 9));
  CHECK(at<float>(y, 9) == 8.0f);
  Tensor square = counting({8, 8});
  copy(square, transpose(square, 0, 1));
  CHECK(at<float>(square, 1) == 8.0f);
}

TEST_CASE("large copies, fills and conversions run on all threads") {
  Tensor x = counting({1000, 1001});
  CHECK(same_elements<float>(clone(x), x));
  Tensor half = convert(x, DType::kBFloat16);
  CHECK(same_elements<float>(convert(half, DType::kFloat32), x));
  fill(x, Scalar(2.5));
  CHECK(at<float>(x, 1000 * 1001 - 1) == 2.5f);
  // Past the caches, and not aligned to 16 bytes at either end.
  Tensor big = Tensor::full({5 << 20}, Scalar(1), DType::kFloat32);
  fill(slice(big, 0, 1, (5 << 20) - 1), Scalar(7));
  CHECK(at<float>(big, 0) == 1.0f);
  CHECK(at<float>(big, 1) == 7.0f);
  CHECK(at<float>(big, (5 << 20) - 2) == 7.0f);
  CHECK(at<float>(big, (5 << 20) - 1) == 1.0f);
  int64_t sevens = std::count(big.data<float>(), big.data<float>() + big.numel(), 7.0f);
  CHECK(sevens == (5 << 20) - 2);
}

TEST_CASE("a loop over equal dense operands is flat") {
  Tensor a = counting({8, 16}), b = counting({8, 16});
  StridedLoop loop({&a, &b});
  CHECK(loop.is_flat());
  CHECK(loop.rank() == 1);
  CHECK(loop.size(0) == 128);
}

TEST_CASE("the planner coalesces, reorders and repeats") {
  Tensor a = counting({2, 3, 4});
  Tensor row = counting({4}), column = counting({3, 1});
  StridedLoop with_row({&a, &a, &row});
  CHECK(with_row.rank() == 2);
  CHECK(with_row.size(0) == 4);
  CHECK(with_row.size(1) == 6);
  CHECK(with_row.stride(2, 1) == 0);
  StridedLoop with_column({&a, &column});
  CHECK(with_column.rank() == 3);
  Tensor t = permute(a, {2, 0, 1});
  StridedLoop permuted({&t, &t});
  CHECK(permuted.rank() == 1);
  CHECK(permuted.size(0) == 24);
  Tensor none = Tensor::empty({0, 3}, DType::kFloat32);
  StridedLoop empty({&none});
  CHECK(empty.count() == 0);
  empty.run([](std::byte* const*, const int64_t*, int64_t) { FAIL("nothing to visit"); });
}

TEST_CASE("every element is visited once, in parallel too") {
  Tensor out = Tensor::full({37, 1, 500, 11}, Scalar(0), DType::kInt64);
  Tensor b = counting({500, 1}, DType::kInt64);
  StridedLoop loop({&out, &b});
  loop.run(
      [](std::byte* const* data, const int64_t* strides, int64_t count) {
        for (int64_t i = 0; i < count; ++i)
          *reinterpret_cast<int64_t*>(data[0] + i * strides[0]) +=
              1 + *reinterpret_cast<int64_t*>(data[1] + i * strides[1]);
      },
      /*grain=*/1000);
  bool all = true;
  for (int64_t i = 0; i < out.numel(); ++i)
    all = all && at<int64_t>(out, i) == 1 + i / 11 % 500 % 120;
  CHECK(all);
}

TEST_CASE("results take the layout of their operands") {
  Tensor x = counting({4, 6});
  Tensor t = transpose(x, 0, 1);
  const Tensor* both[] = {&t, &t};
  CHECK(elementwise_strides(t.sizes(), both) == Dims{1, 6});
  Tensor row = counting({4});
  const Tensor* mixed[] = {&t, &row};
  CHECK(elementwise_strides(t.sizes(), mixed) == Dims{1, 6});
  const Tensor* plain[] = {&x};
  CHECK(elementwise_strides(x.sizes(), plain) == Dims{6, 1});
  Tensor channels = permute(counting({2, 5, 5, 3}), {0, 3, 1, 2});
  const Tensor* last[] = {&channels};
  CHECK(elementwise_strides(channels.sizes(), last) == Dims{75, 1, 15, 3});
}

}  // namespace
}  // namespace glint
