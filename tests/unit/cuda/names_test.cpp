// Names and expressions of the CUDA text.
#include <regex>

#include <catch2/catch.hpp>

#include "backends/cuda/codegen/definitions.h"
#include "backends/cuda/codegen/expressions.h"
#include "backends/cuda/codegen/name_table.h"
#include "backends/cuda/codegen/scalar_text.h"

namespace glint::cuda {
namespace {

TEST_CASE("a kernel's names hide nothing that it may call") {
  const std::regex function(R"(__device__ inline [^(=]* (\w+)\()");
  size_t seen = 0;
  for (const PieceText& piece : piece_table()) {
    const std::string text(piece.text);
    for (std::sregex_iterator at(text.begin(), text.end(), function), end; at != end; ++at) {
      const std::string name = (*at)[1];
      INFO(name);
      CHECK(NameTable().fresh(name) != name);
      ++seen;
    }
  }
  CHECK(seen > 20);
  CHECK(NameTable().fresh("exp_f32") != "exp_f32");
  CHECK(NameTable().fresh("sqrt") != "sqrt");
}

TEST_CASE("a name is taken until its scope ends") {
  NameTable names;
  CHECK(names.fresh("x") == "x");
  names.open();
  CHECK(names.fresh("x") == "x1");
  CHECK(names.fresh("for") == "for1");
  CHECK(names.fresh("gr\xc3\xb6\xc3\x9f"
                    "e") == "gr____e");
  CHECK(names.fresh("\xce\xb2") == "v__");
  CHECK(names.fresh("\xce\xb3") == "v__1");
  CHECK(names.fresh("__w") == "v__w");
  names.close();
  CHECK(names.fresh("x") == "x1");
  CHECK(entry_name("relu") == "relu");
  CHECK(entry_name("floor_divide") == "floor_divide");
  CHECK(entry_name("exp") == "exp_kernel");
  CHECK(entry_name("for") == "for_kernel");
  CHECK(entry_name("__add_\xce\xb2") == "v__add___");
  CHECK(entry_name("exp_add") == "exp_add");
}

TEST_CASE("an expression's parentheses are those that it needs") {
  Expressions e;
  const auto x = e.name("x", "float");
  const auto y = e.name("-1.0f", "float");
  const auto sum = e.binary("+", Precedence::kSum, "float", x, y);
  const auto other = e.binary("-", Precedence::kSum, "float", x, sum);
  const auto product = e.binary("*", Precedence::kProduct, "float", other, y);
  std::vector<std::string> lines;
  CHECK(e.text(product, lines) == "(x - (x + -1.0f)) * -1.0f");
  CHECK(e.text(e.sign("-", "float", y), lines) == "-(-1.0f)");
  const auto less = e.binary("<", Precedence::kOrder, "bool", x, sum);
  CHECK(e.text(e.sign("!", "bool", less), lines) == "!(x < x + -1.0f)");
  CHECK(lines.empty());
  const auto square = e.binary("*", Precedence::kProduct, "float", sum, sum);
  CHECK(e.text(square, lines) == "t0 * t0");
  CHECK(lines == std::vector<std::string>{"const float t0 = x + -1.0f;"});
}

TEST_CASE("scalar functions as text") {
  Definitions definitions;
  CHECK(compute_text(definitions, ScalarFunction::kMultiply, DType::kFloat32, {"a", "b"}) ==
        "a * b");
  CHECK(compute_text(definitions, ScalarFunction::kExp, DType::kFloat32, {"a"}) == "exp_f32(a)");
  CHECK(compute_text(definitions, ScalarFunction::kAdd, DType::kBFloat16, {"a", "b"}) ==
        "round_to_bfloat16(a + b)");
  CHECK(compute_text(definitions, ScalarFunction::kFloorDivide, DType::kInt16, {"a", "b"}) ==
        "floor_divide(a, b)");
  CHECK(cast_text(definitions, DType::kFloat32, DType::kInt8, "a") == "(signed char)(int)a");
  CHECK(cast_text(definitions, DType::kInt64, DType::kBool, "a") == "a != 0");
  CHECK(literal_text(1.0, DType::kFloat32) == "1.0f");
  CHECK(literal_text(1e-5, DType::kFloat64) == "1e-05");
  CHECK(literal_text(-INFINITY, DType::kFloat32) == "__int_as_float(0xff800000)");
  CHECK(literal_text(int64_t{7}, DType::kInt64) == "7ll");
}

TEST_CASE("a slow call is made where its value is chosen, never before") {
  size_t calls = 0;
  for (const DType dtype : {DType::kFloat32, DType::kFloat64}) {
    Definitions definitions;
    for (const ScalarFunctionInfo& each : kScalarFunctions)
      if (takes(each.function, dtype) && each.function != ScalarFunction::kCast)
        compute_text(definitions, each.function, dtype, {"a", "b", "c"});
    for (const std::string& line : definitions.lines()) {
      const size_t call = line.find("slow_");
      if (call == std::string::npos || line.starts_with("__device__")) continue;
      INFO(line);
      ++calls;
      CHECK((line.starts_with("  return ") || line.find('?') < call));
    }
  }
  CHECK(calls >= 6);
}

TEST_CASE("a choice too wide for its line keeps a slow call") {
  Expressions e;
  const auto x = e.name("x", "float");
  const auto slow =
      e.slow_call("slow_function_of_a_name_that_takes_most_of_the_line", "float", {x});
  auto usual = x;
  for (int i = 0; i < 12; ++i) usual = e.binary("+", Precedence::kSum, "float", usual, x);
  const auto beyond = e.binary("<", Precedence::kOrder, "bool", x, e.name("0.0f", "float"));
  std::vector<std::string> lines;
  CHECK(e.text(e.choice("float", beyond, slow, usual), lines) ==
        "x < 0.0f ? slow_function_of_a_name_that_takes_most_of_the_line(x) : t0");
  CHECK(lines.size() == 1);
}

}  // namespace
}  // namespace glint::cuda
