#include "ir/symbolic.h"

#include <limits>

#include <catch2/catch.hpp>

#include "ir/symbolic_range.h"
#include "ir/tensor_type.h"
#include "ir/view_map.h"

using namespace glint;

namespace {
SymInt s(uint32_t k) {
  return SymInt::symbol(k);
}
}  // namespace

TEST_CASE("expressions have one normal form") {
  CHECK((s(0) + 1) * 4 == s(0) * 4 + 4);
  CHECK(((s(0) + 1) * 4).text() == "4*s0 + 4");
  CHECK(s(0) * s(1) == s(1) * s(0));
  CHECK(s(0) - s(0) == SymInt(0));
  CHECK((s(0) + s(1)) * (s(0) - s(1)) == s(0) * s(0) - s(1) * s(1));
  CHECK((s(1) - s(0) * 2 - 3).text() == "-2*s0 + s1 - 3");
}

TEST_CASE("division of sizes") {
  CHECK(floor_divide(s(0) * 8, 8) == s(0));
  CHECK(floor_divide(s(0) * 8 + 3, 4).text() == "2*s0");
  CHECK(floor_divide(s(0) * 8 - 1, 4) == s(0) * 2 - 1);
  CHECK(remainder(s(0) * 8 - 1, 4) == SymInt(3));
  CHECK(floor_divide(s(0), 2).text() == "(s0 // 2)");
  CHECK(remainder(s(0) * 8 + 3, 4) == SymInt(3));
  CHECK(remainder(s(0), 4).text() == "(s0 % 4)");
  CHECK(floor_divide(-7, 2) == SymInt(-4));
  CHECK(remainder(-7, 2) == SymInt(1));
  CHECK(ceil_divide(9, 4) == SymInt(3));
  CHECK(floor_divide(s(0) * s(1), s(1)) == s(0));
}

TEST_CASE("the text of a size reads back") {
  for (SymInt value : {SymInt(17), s(0), s(0) * 4 - 8, floor_divide(s(0) + 1, 2) * 3 + s(1),
                       maximum(s(0), s(1)), minimum(s(0) * s(1), 100), remainder(s(2), s(0)),
                       floor_divide(floor_divide(s(0), 2) + 1, s(1) + 2)}) {
    auto read = parse_symint(value.text());
    REQUIRE(read.ok());
    CHECK(*read == value);
  }
  const auto least = parse_symint("-9223372036854775808");
  REQUIRE(least.ok());
  CHECK(least->is(std::numeric_limits<int64_t>::min()));
  CHECK_FALSE(parse_symint("9223372036854775808").ok());
  CHECK_FALSE(parse_symint("4*").ok());
  CHECK_FALSE(parse_symint("s0 // 0").ok());
}

TEST_CASE("evaluating and substituting") {
  int64_t values[] = {10, 3};
  CHECK((s(0) * 4 + floor_divide(s(0), s(1))).evaluate(values) == 43);
  SymInt replaced[] = {s(1) + 1, 3};
  CHECK((s(0) * 2).substitute(replaced) == s(1) * 2 + 2);
  CHECK((s(3) + s(1)).symbols() == std::vector<uint32_t>{1, 3});
}

TEST_CASE("what is known, and what is decided by hints") {
  ShapeEnvironment environment;
  ShapeEnvironment::Scope scope(environment);
  SymInt a = environment.new_symbol(6), b = environment.new_symbol(6);
  CHECK(known_equal(a, 1) == false);
  CHECK(known_less(0, a) == true);
  CHECK_FALSE(known_equal(a, b).has_value());
  CHECK(environment.relations().empty());
  CHECK(decide_equal(a, b));
  CHECK(decide_equal(b, a));
  REQUIRE(environment.relations().size() == 1);
  CHECK(environment.relations()[0].text() == "s0 == s1");
  CHECK_FALSE(decide_less(a, 4));
  CHECK(environment.relations()[1].text() == "4 <= s0");
  CHECK(a.hint() == 6);
}

TEST_CASE("any integer is a plain value, the lowest too") {
  constexpr int64_t kLowest = std::numeric_limits<int64_t>::min();
  const int64_t kHalf = int64_t{1} << 30;
  for (int64_t value : {kLowest, kLowest + 1, kLowest + kHalf, kLowest + 2 * kHalf - 1,
                        kLowest + 2 * kHalf, int64_t{-1}, -(kLowest + 1)}) {
    SymInt plain = value;
    CHECK(plain.is_constant());
    CHECK(plain.constant() == value);
    CHECK(plain.maybe_constant() == value);
    CHECK(plain.is(value));
    CHECK(plain == SymInt(value));
    CHECK(plain.hint() == value);
    CHECK(plain.text() == std::to_string(value));
    CHECK((s(0) + plain).evaluate(std::vector<int64_t>{0}) == value);
  }
  CHECK_FALSE(SymInt(kLowest) == SymInt(kLowest + 1));
  CHECK_FALSE(SymInt(kLowest).is(kLowest + 1));
  CHECK(SymInt(kLowest) + 1 == SymInt(kLowest + 1));
  CHECK(SymInt(kLowest).symbols().empty());
  CHECK_FALSE(s(0).is_constant());
}

TEST_CASE("how large a size gets") {
  auto evaluate = [](SymInt value, int64_t a, int64_t b) {
    int64_t values[] = {a, b};
    return evaluate_exactly(value, values);
  };
  constexpr int64_t kLarge = int64_t{1} << 32;
  CHECK(evaluate(s(0) * s(0) + 1, 5, 0) == 26);
  CHECK(evaluate(s(0) * s(0), kLarge >> 1, 0) == int64_t{1} << 62);
  CHECK_FALSE(evaluate(s(0) * s(0), kLarge, 0).has_value());
  CHECK_FALSE(evaluate(-s(0), std::numeric_limits<int64_t>::min(), 0).has_value());
  CHECK(evaluate(floor_divide(s(0), s(1)), -7, 2) == -4);
  CHECK(evaluate(remainder(s(0), s(1)), -7, 2) == 1);
  CHECK_FALSE(evaluate(floor_divide(s(0), s(1)), 7, 0).has_value());
  CHECK_FALSE(evaluate(maximum(s(0) * s(0), s(1)), kLarge, 3).has_value());
  CHECK(evaluate(minimum(s(0) * s(0), s(1)), 9, 3) == 3);
  CHECK(greatest_magnitude(s(0) * s(0) - s(1) * 3 + 1, 16) == 256 + 48 + 1);
  CHECK(greatest_magnitude(floor_divide(s(0), s(1)) * 2, 16) == 32);
  CHECK(greatest_magnitude(SymInt(-7), 16) == 7);
}

TEST_CASE("tensor types read back") {
  for (std::string_view text :
       {"f32[]", "f32[s0, 8]", "bf16[8, s0]{1, 8}", "i64", "b8[2] cuda:1", "f64[(s0 // 2), 3]"}) {
    auto type = parse_tensor_type(text);
    REQUIRE(type.ok());
    CHECK(type->text() == text);
  }
  CHECK(parse_tensor_type("f32[2, 3]{3, 1}")->text() == "f32[2, 3]");
  CHECK_FALSE(parse_tensor_type("f32[2]{1, 2}").ok());
}

TEST_CASE("views lie over their base by strides") {
  TensorType base = TensorType::tensor(DType::kFloat32, {s(0), 8});
  ViewMap transpose{.sizes = {8, s(0)}, .base = {{0, {{1, 1}}}, {0, {{0, 1}}}}};
  auto view = apply(transpose, base);
  REQUIRE(view);
  CHECK(view->type.text() == "f32[8, s0]{1, 8}");
  CHECK_FALSE(apply(ViewMap::reshape({s(0) * 8}), view->type));
  auto halves = apply(ViewMap::reshape({2, 4, s(0)}), view->type);
  REQUIRE(halves);
  CHECK(halves->type.text() == "f32[2, 4, s0]{4, 1, 8}");
  ViewMap slice{.sizes = {s(0), 2}, .base = {{0, {{0, 1}}}, {1, {{1, 3}}}}};
  CHECK(apply(slice, base)->offset == SymInt(1));
  CHECK(apply(slice, base)->type.text() == "f32[s0, 2]{8, 3}");
}
