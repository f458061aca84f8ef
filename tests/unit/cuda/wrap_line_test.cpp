// Lines of CUDA C++ that are too long, as they are broken.
#include "backends/cuda/codegen/wrap_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <catch2/catch.hpp>

#include "backends/cuda/kernels/convolution_kernel.h"
#include "backends/cuda/kernels/matrix_kernel.h"

namespace glint::cuda {
namespace {

std::string wrapped(std::string_view line, size_t width) {
  return fmt::format("{}", fmt::join(wrapped_line(line, width), "\n"));
}

TEST_CASE("long lines: what fits stays", "[wrap]") {
  CHECK(wrapped("  a = b + c;", 12) == "  a = b + c;");
  CHECK(wrapped("  nowhere_to_break_it();", 12) == "  nowhere_to_break_it();");
}

TEST_CASE("long lines: behind a = where the rest fits, else within it", "[wrap]") {
  CHECK(wrapped("  const float a = load<4>(x + 12 * i, whole, next);", 42) ==
        "  const float a =\n"
        "      load<4>(x + 12 * i, whole, next);");
  CHECK(wrapped("  a = load<4, 5>(x + 12 * i, whole, 4099 - k, next);", 30) ==
        "  a = load<4, 5>(x + 12 * i,\n"
        "                 whole,\n"
        "                 4099 - k,\n"
        "                 next);");
  CHECK(wrapped("  const bool aligned = is_aligned<4>(x) && is_aligned<4>(y) && is_aligned<4>(z);",
                62) ==
        "  const bool aligned = is_aligned<4>(x) && is_aligned<4>(y)\n"
        "                       && is_aligned<4>(z);");
  CHECK(wrapped("           ? from_memory(a[at * a_row + k]) : (float)0;", 46) ==
        "           ? from_memory(a[at * a_row + k])\n"
        "           : (float)0;");
  CHECK(wrapped("  const Vector<float, 4> x_4 = load<4>(x + i, next);", 44) ==
        "  const Vector<float, 4> x_4 =\n"
        "      load<4>(x + i, next);");
  CHECK(wrapped("  const float c = kept ? t[slot + 4 * at] : rest[slot + 4 * at];", 54) ==
        "  const float c =\n"
        "      kept ? t[slot + 4 * at] : rest[slot + 4 * at];");
}

TEST_CASE("long lines: statements by their parts", "[wrap]") {
  CHECK(wrapped("  for (int64 i = blockIdx.x * 8 + warp; i < s0; i += gridDim.x * 8) {", 54) ==
        "  for (int64 i = blockIdx.x * 8 + warp; i < s0;\n"
        "       i += gridDim.x * 8) {");
  CHECK(wrapped("  if (at < rows && along < columns) out[at * step + along] = total;", 50) ==
        "  if (at < rows && along < columns)\n"
        "    out[at * step + along] = total;");
  CHECK(wrapped("  *status = 3;  // an index, or a number, is wrong", 30) ==
        "  // an index, or a number, is\n"
        "  // wrong\n"
        "  *status = 3;");
  CHECK(wrapped("// one two three four", 12) == "// one two\n// three\n// four");
}

TEST_CASE("long lines: what goes on stays where it is, and one empty line is enough", "[wrap]") {
  CHECK(wrapped("        int64 added_row, int64 added_column, float alpha) {", 48) ==
        "        int64 added_row, int64 added_column,\n"
        "        float alpha) {");
  CHECK(wrapped_text("a;\n\n\n\nb;\n") == "a;\n\nb;\n");
}

TEST_CASE("long lines: texts of products and convolutions have none", "[wrap]") {
  const auto check_text = [](const std::string& text) {
    size_t begin = 0;
    while (begin < text.size()) {
      const size_t end = std::min(text.find('\n', begin), text.size());
      const std::string line = text.substr(begin, end - begin);
      INFO(line);
      CHECK(line.size() <= kWidestLine);
      // A loop's pragma stands where the loop does.
      if (line.ends_with("#pragma unroll"))
        CHECK(text.find_first_not_of(' ', end + 1) - end - 1 == line.size() - 14);
      begin = end + 1;
    }
  };
  for (const DType dtype : {DType::kFloat16, DType::kBFloat16, DType::kFloat32, DType::kFloat64,
                            DType::kUInt8, DType::kInt64}) {
    for (const MatrixTile tile : matrix_tiles(dtype))
      for (const bool adds : {false, is_floating(dtype)})
        check_text(matrix_product_text(
            dtype, {.adds = adds, .scales = adds, .activation = adds ? "gelu" : "none"}, tile));
    for (const ConvolutionPass pass :
         {ConvolutionPass::kForward, ConvolutionPass::kOfInput, ConvolutionPass::kOfWeight})
      for (const int dims : {1, 2, 3})
        check_text(convolution_text(
            {.pass = pass, .dtype = dtype, .dims = dims, .has_bias = true, .part = 4}));
  }
}

}  // namespace
}  // namespace glint::cuda
