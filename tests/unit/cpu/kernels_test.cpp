// Kernels by hand, on the processor against the interpreter: every form of loop, fixed and symbolic
// sizes, sizes that leave a rest, sizes 0 and 1, both instruction sets.
#include "kernel_comparison.h"
#include "sanitized.h"

namespace glint {
namespace {

const char* const kTargets[] = {"", "x86-64-v3"};

TEST_CASE("an elementwise kernel at every size") {
  const char* text = R"(kernel chain(%x: f32[s0], %y: f32[s0], %out: f32[s0])
  parallel i in 0..s0 {
    a = load %x[i]
    b = load %y[i]
    c = multiply a, b
    d = tanh c
    e = maximum d, 0.0
    store %out[i] = e
  })";
  for (const char* target : kTargets) {
    for (int64_t n : {0, 1, 2, 3, 15, 16, 17, 31, 64, 65, 100, 1000}) {
      compare_kernel(text, {.symbols = {n}, .target = target, .specials = true});
    }
  }
}

TEST_CASE("a long elementwise kernel of much arithmetic, several vectors at once") {
  const char* text = R"(kernel long(%x: f32[20005], %out: f32[20005])
  parallel i in 0..20005 {
    a = load %x[i]
    b = sin a
    c = tanh b
    d = sigmoid c
    store %out[i] = d
  })";
  for (const char* target : kTargets) compare_kernel(text, {.target = target, .specials = true});
}

TEST_CASE("rows summed after a product") {
  const char* text = R"(kernel multiply_relu_sum(%x: f32[s0, s1], %y: f32[s0, s1], %out: f32[s0])
  parallel i in 0..s0 {
    acc = reduction sum : f32
    reduce j in 0..s1 {
      a = load %x[i, j]
      b = load %y[i, j]
      c = multiply a, b
      d = maximum c, 0.0
      acc += d
    }
    store %out[i] = acc
  })";
  for (const char* target : kTargets) {
    for (int64_t n : {0, 1, 8, 63, 64, 65, 200, 40000}) {
      compare_kernel(text, {.symbols = {3, n}, .tolerance = 1e-5, .target = target});
    }
  }
}

TEST_CASE("rows reduced after much arithmetic: narrow code, partial results in memory") {
  const char* text = R"(kernel heavy(%x: f32[s0, s1], %out: f32[s0], %most: f32[s0])
  parallel i in 0..s0 {
    acc = reduction sum : f32
    m = reduction maximum : f32
    reduce j in 0..s1 {
      a = load %x[i, j]
      b = sin a
      c = tanh b
      d = exp c
      acc += d
      m += d
    }
    store %out[i] = acc
    store %most[i] = m
  })";
  for (const char* target : kTargets) {
    for (int64_t n : {0, 1, 5, 16, 31, 32, 33, 63, 64, 65, 200, 40000}) {
      compare_kernel(text, {.symbols = {3, n}, .tolerance = 1e-5, .target = target});
    }
    compare_kernel(text,
                   {.symbols = {3, 77}, .tolerance = 1e-5, .target = target, .specials = true});
  }
}

TEST_CASE("columns summed") {
  const char* text = R"(kernel columns(%x: f32[s0, s1], %out: f32[s1])
  parallel j in 0..s1 {
    acc = reduction sum : f32
    m = reduction maximum : f32
    reduce i in 0..s0 {
      a = load %x[i, j]
      acc += a
      m += a
    }
    c = add acc, m
    store %out[j] = c
  })";
  for (const char* target : kTargets) {
    for (int64_t n : {1, 5, 31, 32, 33, 100, 300}) {
      compare_kernel(text, {.symbols = {70, n}, .tolerance = 1e-5, .target = target});
    }
  }
}

TEST_CASE("softmax over rows") {
  const char* text = R"(kernel softmax(%x: f32[s0, s1], %out: f32[s0, s1])
  parallel i in 0..s0 {
    m = reduction maximum : f32
    reduce j in 0..s1 {
      a = load %x[i, j]
      m += a
    }
    s = reduction sum : f32
    t = scratch row f32[s1]
    reduce k in 0..s1 {
      b = load %x[i, k]
      c = subtract b, m
      d = exp c
      s += d
      store t[k] = d
    }
    r = reciprocal s
    parallel l in 0..s1 {
      e = load t[l]
      f = multiply e, r
      store %out[i, l] = f
    }
  })";
  for (int64_t n : {1, 7, 64, 100, 1024}) {
    compare_kernel(text, {.symbols = {4, n}, .tolerance = 1e-6});
  }
}

TEST_CASE("exponentials behind a maximum overflow as ever, unless it is their own row's") {
  const auto text = [](const std::string& greatest, const std::string& counted) {
    return "kernel f(%x: f32[s0, s1], %y: f32[s0, s1], %out: f32[s0, s1])\n"
           "  parallel i in 0..s0 {\n"
           "    m = reduction maximum : f32\n"
           "    reduce j in 0.." +
           counted +
           " {\n"
           "      a = load " +
           greatest +
           "\n"
           "      m += a\n"
           "    }\n"
           "    parallel k in 0..s1 {\n"
           "      b = load %x[i, k]\n"
           "      c = subtract b, m\n"
           "      d = exp c\n"
           "      store %out[i, k] = d\n"
           "    }\n"
           "  }";
  };
  for (const char* greatest : {"%x[i, j]", "%y[i, j]", "%x[0, j]"}) {
    for (const char* counted : {"s1", "3"}) {
      compare_kernel(text(greatest, counted), {.symbols = {5, 40}, .low = -1e20, .high = 1e20});
      compare_kernel(text(greatest, counted), {.symbols = {5, 40}, .specials = true});
    }
  }
}

TEST_CASE("welford's mean and variance") {
  const char* text = R"(kernel moments(%x: f32[s0, s1], %mean: f32[s0], %var: f32[s0])
  parallel i in 0..s0 {
    w = reduction welford : f32
    reduce j in 0..s1 {
      a = load %x[i, j]
      w += a
    }
    v = divide w.1, w.2
    store %mean[i] = w.0
    store %var[i] = v
  })";
  for (int64_t n : {1, 2, 63, 64, 65, 300}) {
    compare_kernel(text, {.symbols = {3, n}, .tolerance = 1e-5});
  }
}

TEST_CASE("argmax and argmin, nan first, least index of equals") {
  for (const char* dtype : {"f32", "f64", "i64", "i32", "u8", "bf16"}) {
    const std::string type = dtype;
    const std::string text = "kernel arg(%x: " + type +
                             "[s0, s1], %out: i64[s0], %low: i64[s0])\n" +
                             R"(  parallel i in 0..s0 {
    m = reduction argmax : )" +
                             type + R"(
    l = reduction argmin : )" +
                             type + R"(
    reduce j in 0..s1 {
      a = load %x[i, j]
      n = index j
      m += a, n
      l += a, n
    }
    store %out[i] = m.1
    store %low[i] = l.1
  })";
    for (int64_t n : {1, 5, 64, 129}) {
      compare_kernel(text, {.symbols = {6, n}, .specials = true});
      compare_kernel(text, {.symbols = {6, n}});
    }
  }
}

TEST_CASE("running sums along rows and columns") {
  const char* rows = R"(kernel cumsum(%x: f32[s0, s1], %out: f32[s0, s1])
  parallel i in 0..s0 {
    acc = reduction sum : f32
    scan j in 0..s1 {
      a = load %x[i, j]
      acc += a
      store %out[i, j] = acc
    }
  })";
  const char* columns = R"(kernel cumsum(%x: f32[s0, s1], %out: f32[s0, s1])
  parallel j in 0..s1 {
    acc = reduction sum : f32
    scan i in 0..s0 {
      a = load %x[i, j]
      acc += a
      store %out[i, j] = acc
    }
  })";
  for (const char* target : kTargets) {
    for (int64_t n : {1, 15, 16, 17, 100}) {
      compare_kernel(rows, {.symbols = {3, n}, .tolerance = 1e-5, .target = target});
      compare_kernel(columns, {.symbols = {n, 33}, .tolerance = 1e-5, .target = target});
    }
  }
}

TEST_CASE("gather through indices, transposes and broadcasts") {
  compare_kernel(R"(kernel gather(%x: f32[9, s1], %index: i64[s0], %out: f32[s0, s1])
  parallel i in 0..s0 {
    parallel j in 0..s1 {
      n = load %index[i]
      p = greater_equal n, 0
      q = less n, 9
      r = logical_and p, q
      check r, "index out of range"
      a = load %x[n, j]
      store %out[i, j] = a
    }
  })",
                 {.symbols = {20, 37}, .low = 0, .high = 8.9});
  compare_kernel(R"(kernel along(%x: f32[40], %index: i64[s0], %out: f32[s0])
  parallel i in 0..s0 {
    n = load %index[i]
    a = load %x[n]
    store %out[i] = a
  })",
                 {.symbols = {77}, .low = 0, .high = 39.9});
  compare_kernel(R"(kernel transpose(%x: f32[s0, s1], %out: f32[s1, s0])
  parallel i in 0..s1 {
    parallel j in 0..s0 {
      a = load %x[j, i]
      store %out[i, j] = a
    }
  })",
                 {.symbols = {20, 37}});
  compare_kernel(R"(kernel outer(%x: f32[s0], %y: f32[s1], %out: f32[s0, s1])
  parallel i in 0..s0 {
    parallel j in 0..s1 {
      a = load %x[i]
      b = load %y[j]
      c = subtract a, b
      store %out[i, j] = c
    }
  })",
                 {.symbols = {20, 37}});
}

TEST_CASE("a failed check stops the launch and names itself") {
  const int failed = compare_kernel(R"(kernel bounds(%index: i64[s0], %out: i64[s0])
  parallel i in 0..s0 {
    n = load %index[i]
    p = less n, 2
    check p, "index out of range"
    store %out[i] = n
  })",
                                    {.symbols = {50}, .low = 0, .high = 9});
  CHECK(failed == 3);
}

TEST_CASE("masks: padding and concatenation") {
  compare_kernel(R"(kernel shift(%x: f32[s0], %out: f32[s0])
  parallel i in 0..s0 {
    n = index i
    p = greater n, 0
    a = load %x[i - 1] if p else 7.0
    q = not_equal n, 5
    store %out[i] = a if q
  })",
                 {.symbols = {50}});
}

TEST_CASE("several loops are done in shares of each", "[shares]") {
  constexpr auto kJoin = R"(kernel cat(%x: f32[s0, s1], %y: f32[3, s1], %out: f32[s0 + 3, s1])
  parallel i in 0..s0 {
    parallel j in 0..s1 {
      a = load %x[i, j]
      store %out[i, j] = a
    }
  }
  parallel i in 0..3 {
    parallel j in 0..s1 {
      b = load %y[i, j]
      c = exp b
      store %out[i + s0, j] = c
    }
  })";
  CHECK(parse_kernel(kJoin)->has_loops_apart());
  for (const int64_t rows : {1, 2, 7, 300, 5000}) compare_kernel(kJoin, {.symbols = {rows, 17}});
  // The rows of a transposed part run in lanes.
  compare_kernel(R"(kernel cat(%x: f32[s0, 5], %y: f32[s0, 5]{1, s0}, %out: f32[s0 + s0, 5])
  parallel i in 0..s0 {
    parallel j in 0..5 {
      a = load %x[i, j]
      store %out[i, j] = a
    }
  }
  parallel i in 0..s0 {
    parallel j in 0..5 {
      b = load %y[i, j]
      store %out[i + s0, j] = b
    }
  })",
                 {.symbols = {1003}});
}

TEST_CASE("loops that hand something on are done whole") {
  CHECK(!parse_kernel(R"(kernel twice(%x: f32[8], %y: f32[8], %out: f32[8])
  parallel i in 0..8 {
    a = load %x[i]
    store %y[i] = a
  }
  parallel i in 0..8 {
    b = load %y[7 - i]
    store %out[i] = b
  })")
             ->has_loops_apart());
}

struct FunctionCase {
  const char* dtypes;
  ScalarDomain domain;
};

TEST_CASE("every scalar function in every dtype agrees to the bit") {
  for (const ScalarFunctionInfo& row : kScalarFunctions) {
    if (row.function == ScalarFunction::kCast || row.function == ScalarFunction::kWhere) continue;
    std::vector<std::string> texts;
    size_t turn = static_cast<size_t>(row.function);
    for (const DTypeInfo& dtype : kDTypeTable) {
      // By turns: every function in some dtypes, every dtype with some functions.
      if (tests::kSanitized && turn++ % 3 != 0) continue;
      if (!takes(row.function, dtype.dtype)) continue;
      const std::string type(dtype.short_name);
      const std::string result = row.result == ScalarResult::kBool ? "b8" : type;
      std::string text =
          "kernel f(%x: " + type + "[s0], %y: " + type + "[s0], %out: " + result +
          "[s0])\n  parallel i in 0..s0 {\n    a = load %x[i]\n    b = load %y[i]\n" +
          "    c = " + std::string(row.name) + " a";
      if (row.arity > 1) text += ", b";
      if (row.arity > 2) text += ", a";
      texts.push_back(text + "\n    store %out[i] = c\n  }\n");
    }
    for (const char* target : kTargets) compile_together(texts, target);
    for (const std::string& text : texts) {
      compare_kernel(text, {.symbols = {37}, .low = -5, .high = 5, .specials = true});
      compare_kernel(text, {.symbols = {21}, .low = -1e6, .high = 1e6, .target = "x86-64-v3"});
    }
  }
}

TEST_CASE("every cast agrees to the bit") {
  for (const DTypeInfo& from : kDTypeTable) {
    std::vector<std::string> texts;
    for (const DTypeInfo& to : kDTypeTable) {
      if (from.dtype == to.dtype) continue;
      texts.push_back("kernel f(%x: " + std::string(from.short_name) +
                      "[s0], %out: " + std::string(to.short_name) +
                      "[s0])\n  parallel i in 0..s0 {\n    a = load %x[i]\n    b = cast a : " +
                      std::string(to.short_name) + "\n    store %out[i] = b\n  }\n");
    }
    for (const char* target : kTargets) compile_together(texts, target);
    for (const std::string& text : texts) {
      compare_kernel(text, {.symbols = {45}, .low = 0, .high = 100});
      compare_kernel(text, {.symbols = {45}, .low = -100, .high = 100, .target = "x86-64-v3"});
    }
  }
}

TEST_CASE("reductions of every kind and dtype") {
  for (const char* combiner : {"sum", "product", "maximum", "minimum"}) {
    for (const char* dtype : {"f32", "f64", "bf16", "f16", "i64", "i32", "u8"}) {
      const std::string type = dtype;
      const std::string text = "kernel r(%x: " + type + "[s0, s1], %out: " + type + "[s0])\n" +
                               "  parallel i in 0..s0 {\n    acc = reduction " + combiner + " : " +
                               type + R"(
    reduce j in 0..s1 {
      a = load %x[i, j]
      acc += a
    }
    store %out[i] = acc
  })";
      const bool is_product = std::string(combiner) == "product";
      compare_kernel(text, {.symbols = {3, 70},
                            .tolerance = type[0] == 'b' ? 0.02 : 2e-3,
                            .low = is_product ? 0.9 : -3,
                            .high = is_product ? 1.1 : 3});
    }
  }
  for (const char* combiner : {"any", "all"}) {
    const std::string text = std::string("kernel r(%x: b8[s0, s1], %out: b8[s0])\n") +
                             "  parallel i in 0..s0 {\n    acc = reduction " + combiner + R"( : b8
    reduce j in 0..s1 {
      a = load %x[i, j]
      acc += a
    }
    store %out[i] = acc
  })";
    for (int64_t n : {1, 3, 70}) compare_kernel(text, {.symbols = {9, n}, .low = 0, .high = 1.2});
  }
}

TEST_CASE("a whole tensor summed in one loop") {
  const char* text = R"(kernel total(%x: f32[s0], %out: f32[])
  acc = reduction sum : f32
  reduce i in 0..s0 {
    a = load %x[i]
    acc += a
  }
  store %out[] = acc)";
  for (int64_t n : {1, 64, 16384, 16385, 100000}) {
    compare_kernel(text, {.symbols = {n}, .tolerance = 1e-4});
  }
}

}  // namespace
}  // namespace glint
