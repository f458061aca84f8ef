// Lanes that read across memory, at sizes around those of tiles and vectors, and what depends on
// constant extents: short indices, wide stretches of columns.
#include <fmt/format.h>

#include "kernel_comparison.h"

namespace glint {
namespace {

const char* const kTargets[] = {"", "x86-64-v3"};

TEST_CASE("transposes in tiles of 16 x 16") {
  for (const char* dtype : {"f32", "f64", "bf16", "u8"}) {
    const std::string text = fmt::format(R"(kernel transpose(%x: {0}[s0, s1], %out: {0}[s1, s0])
  parallel i in 0..s1 {{
    parallel j in 0..s0 {{
      a = load %x[j, i]
      b = add a, a
      store %out[i, j] = b
    }}
  }})",
                                         dtype);
    for (const char* target : kTargets) {
      for (const auto& [rows, columns] : {std::pair{16, 16}, {15, 17}, {37, 100}, {64, 48}}) {
        compare_kernel(text, {.symbols = {rows, columns}, .low = 0, .target = target});
      }
    }
  }
}

TEST_CASE("a tile beside what is read along and what is masked") {
  const char* text =
      R"(kernel mixed(%x: f32[70, 45], %y: f32[45, 70], %z: f32[70, 45], %out: f32[45, 70])
  parallel i in 0..45 {
    parallel j in 0..70 {
      a = load %x[j, i]
      b = load %y[i, j]
      c = greater b, 0.0
      d = load %z[j, i] if c else 7.0
      e = subtract a, b
      f = add e, d
      store %out[i, j] = f
    }
  })";
  for (const char* target : kTargets) compare_kernel(text, {.target = target});
}

TEST_CASE("every second, third, fourth and fifth element, and backwards") {
  for (const char* dtype : {"f32", "f64", "bf16", "i32", "u8"}) {
    for (int step : {2, 3, 4, 5}) {
      for (int count : {1, 16, 33, 100}) {
        const std::string text = fmt::format(R"(kernel steps(%x: {0}[3, {1}], %out: {0}[3, {2}])
  parallel i in 0..3 {{
    parallel j in 0..{2} {{
      a = load %x[i, {3}*j]
      store %out[i, j] = a
    }}
  }})",
                                             dtype, (count - 1) * step + 1, count, step);
        compare_kernel(text, {.low = 0});
      }
    }
  }
  const char* backwards = R"(kernel backwards(%x: f32[100], %out: f32[100])
  parallel j in 0..100 {
    a = load %x[99 - j]
    store %out[j] = a
  })";
  for (const char* target : kTargets) compare_kernel(backwards, {.target = target});
}

TEST_CASE("argmax of constant extents notes short indices") {
  for (int extent : {1, 5, 64, 100, 129}) {
    const std::string text = fmt::format(R"(kernel arg(%x: f32[6, {0}], %out: i64[6], %low: i64[6])
  parallel i in 0..6 {{
    m = reduction argmax : f32
    l = reduction argmin : f32
    reduce j in 0..{0} {{
      a = load %x[i, j]
      n = index j
      p = index 2*j + 1
      m += a, n
      l += a, p
    }}
    store %out[i] = m.1
    store %low[i] = l.1
  }})",
                                         extent);
    compare_kernel(text, {.specials = true});
    compare_kernel(text, {});
    const std::string with_value =
        fmt::format(R"(kernel best(%x: f32[6, {0}], %out: i64[6], %value: f32[6])
  parallel i in 0..6 {{
    m = reduction argmax : f32
    reduce j in 0..{0} {{
      a = load %x[i, j]
      n = index j
      m += a, n
    }}
    store %out[i] = m.1
    store %value[i] = m.0
  }})",
                    extent);
    compare_kernel(with_value, {.specials = true});
  }
}

TEST_CASE("large sums of columns, in wide stretches") {
  compare_kernel(R"(kernel columns(%x: f32[4100, 260], %out: f32[260])
  parallel j in 0..260 {
    acc = reduction sum : f32
    reduce i in 0..4100 {
      a = load %x[i, j]
      acc += a
    }
    store %out[j] = acc
  })",
                 {.tolerance = 1e-4});
}

}  // namespace
}  // namespace glint
