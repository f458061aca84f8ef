// Tensors and their memory: allocation, views that alias, broadcasting, overlap.
#include "core/tensor/tensor.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <new>
#include <numeric>

#include "core/tensor/allocator.h"
#include "core/tensor/copy.h"
#include "core/tensor/views.h"

namespace glint {
namespace {

Tensor counting(Dims sizes) {
  Tensor x = Tensor::empty(sizes, DType::kFloat32);
  std::iota(x.data<float>(), x.data<float>() + x.numel(), 0.0f);
  return x;
}

Dims strides_of(const Tensor& x) {
  return Dims(x.strides());
}
Dims sizes_of(const Tensor& x) {
  return Dims(x.sizes());
}

TEST_CASE("dims keep six values inside and more outside") {
  Dims dims = {1, 2, 3};
  for (int64_t i = 4; i <= 9; ++i) dims.push_back(i);
  CHECK(dims == Dims{1, 2, 3, 4, 5, 6, 7, 8, 9});
  Dims moved = std::move(dims);
  moved.erase(0);
  moved.insert(1, 42);
  CHECK(moved == Dims{2, 42, 3, 4, 5, 6, 7, 8, 9});
  moved.resize(3);
  CHECK(moved == Dims{2, 42, 3});
  Dims copied = moved;
  moved[0] = 0;
  CHECK(copied[0] == 2);
  CHECK(to_string(copied) == "[2, 42, 3]");
  CHECK(contiguous_strides(Dims{2, 0, 3}) == Dims{3, 3, 1});
}

TEST_CASE("memory is aligned, recycled and counted") {
  size_t before = allocator_statistics().live_bytes;
  for (size_t bytes : {0, 1, 64, 65, 1000, 1025, 5000, 1 << 20, (1 << 20) + 1, 5 << 20}) {
    void* block = allocate_bytes(size_t(bytes));
    CHECK(reinterpret_cast<uintptr_t>(block) % kAllocationAlignment == 0);
    CHECK(allocator_statistics().live_bytes >= before + size_t(bytes));
    std::memset(block, 1, size_t(bytes));
    free_bytes(block, size_t(bytes));
  }
  CHECK(allocator_statistics().live_bytes == before);
  reset_allocator_peak();
  {
    Tensor x = Tensor::empty({1000}, DType::kFloat32);
  }
  CHECK(allocator_statistics().peak_bytes >= before + 4000);
  release_cached_memory();
}

TEST_CASE("a size beyond all bounds is out of memory, not a small block") {
  CHECK_THROWS_AS(Tensor::empty({int64_t(1) << 62, 8}, DType::kFloat32), std::bad_alloc);
  CHECK_THROWS_AS(Tensor::empty({int64_t(1) << 40, int64_t(1) << 40}, DType::kInt64),
                  std::bad_alloc);
  CHECK(Tensor::empty({int64_t(1) << 40, 0}, DType::kInt64).numel() == 0);
}

TEST_CASE("views alias and share the version") {
  Tensor x = counting({2, 3, 4});
  Tensor t = transpose(x, 0, 2);
  CHECK(sizes_of(t) == Dims{4, 3, 2});
  CHECK(strides_of(t) == Dims{1, 4, 12});
  CHECK(!t.is_contiguous());
  uint32_t version = x.version();
  fill(select(t, 0, 1), Scalar(-1));
  CHECK(x.version() == version + 1);
  CHECK(x.data<float>()[1] == -1.0f);
  CHECK(x.data<float>()[2] == 2.0f);
  CHECK(sizes_of(permute(x, {2, 0, 1})) == Dims{4, 2, 3});
  CHECK(strides_of(permute(x, {-1, 0, 1})) == Dims{1, 12, 4});
}

TEST_CASE("slices clamp as Python's do") {
  Tensor x = counting({10});
  auto first = [](const Tensor& t) { return t.data<float>()[0]; };
  Tensor s = slice(x, 0, 2, 9, 3);
  CHECK(sizes_of(s) == Dims{3});
  CHECK(strides_of(s) == Dims{3});
  CHECK(first(s) == 2.0f);
  CHECK(slice(x, 0, -3, 100).numel() == 3);
  CHECK(slice(x, 0, 5, 2).numel() == 0);
  CHECK(slice(x, 0, 0, -2).numel() == 8);
  CHECK(first(select(x, 0, -1)) == 9.0f);
}

TEST_CASE("squeeze, unsqueeze and expand change sizes only") {
  Tensor x = counting({3, 1, 2});
  CHECK(sizes_of(squeeze(x, 1)) == Dims{3, 2});
  CHECK(sizes_of(squeeze(x, 0)) == Dims{3, 1, 2});
  CHECK(sizes_of(squeeze(x)) == Dims{3, 2});
  CHECK(strides_of(unsqueeze(x, 0)) == Dims{6, 2, 2, 1});
  CHECK(strides_of(unsqueeze(x, -1)) == Dims{2, 2, 1, 1});
  Tensor e = expand(x, {5, -1, 4, 2});
  CHECK(sizes_of(e) == Dims{5, 3, 4, 2});
  CHECK(strides_of(e) == Dims{0, 2, 0, 1});
  CHECK(repeats_elements(e));
  CHECK(!repeats_elements(transpose(x, 0, 2)));
}

TEST_CASE("view follows PyTorch's rule of strides") {
  Tensor x = counting({2, 3, 4});
  CHECK(strides_of(*view(x, Dims{6, -1})) == Dims{4, 1});
  CHECK(!view(transpose(x, 0, 1), Dims{6, 4}));
  CHECK(strides_of(*view(transpose(x, 0, 1), Dims{3, 2, 2, 2})) == Dims{4, 12, 2, 1});
  CHECK(!view(x, Dims{5, -1}));
  CHECK(strides_of(*view(slice(x, 2, 0, 2), Dims{6, 2})) == Dims{4, 1});
  CHECK(!view(slice(x, 2, 0, 2), Dims{12}));
  CHECK(sizes_of(*view(Tensor::empty({0, 3}, DType::kFloat32), Dims{3, 0})) == Dims{3, 0});
  CHECK(sizes_of(*view(Tensor::scalar(Scalar(1), DType::kInt64), Dims{1, 1})) == Dims{1, 1});
  Tensor copied = reshape(transpose(x, 0, 2), {24});
  CHECK(copied.data<float>()[1] == 12.0f);
  CHECK(copied.storage() != x.storage());
}

TEST_CASE("shapes broadcast from the right") {
  CHECK(*broadcast_sizes(Dims{3, 1}, Dims{4}) == Dims{3, 4});
  CHECK(*broadcast_sizes(Dims{}, Dims{2, 0}) == Dims{2, 0});
  CHECK(*broadcast_sizes(Dims{1}, Dims{0}) == Dims{0});
  CHECK(!broadcast_sizes(Dims{3}, Dims{4}));
}

TEST_CASE("overlap is a matter of storage and range") {
  Tensor x = counting({10});
  CHECK(may_overlap(slice(x, 0, 0, 6), slice(x, 0, 5, 10)));
  CHECK(!may_overlap(slice(x, 0, 0, 5), slice(x, 0, 5, 10)));
  CHECK(!may_overlap(x, counting({10})));
  CHECK(show_same_elements(slice(x, 0, 2, 6), slice(x, 0, 2, 6)));
  CHECK(!show_same_elements(slice(x, 0, 2, 6), slice(x, 0, 2, 5)));
  CHECK(!show_same_elements(slice(x, 0, 0, 0), slice(counting({10}), 0, 0, 0)));
}

TEST_CASE("one id stands for dtype, sizes, strides and gradient") {
  Tensor a = counting({2, 3}), b = counting({2, 3}), c = counting({3, 2});
  CHECK(meta_id(a) == meta_id(b));
  CHECK(meta_id(a) != meta_id(c));
  CHECK(meta_id(transpose(c, 0, 1)) != meta_id(a));
  Tensor d = counting({2, 3});
  d->requires_grad = true;
  CHECK(meta_id(d) != meta_id(a));
}

TEST_CASE("item gives Python's kind of number") {
  CHECK(Tensor::scalar(Scalar(true), DType::kBool).item() == Scalar(true));
  CHECK(Tensor::scalar(Scalar(7), DType::kInt32).item() == Scalar(int64_t(7)));
  CHECK(Tensor::scalar(Scalar(0.1), DType::kFloat32).item().as_double() == double(0.1f));
}

TEST_CASE("devices read and write") {
  CHECK(to_string(Device::cuda(1)) == "cuda:1");
  CHECK(parse_device("cpu") == Device::cpu());
  CHECK(parse_device("cuda:0") == Device::cuda(0));
  CHECK(!parse_device("tpu"));
  CHECK(!parse_device("cuda:x"));
}

}  // namespace
}  // namespace glint
