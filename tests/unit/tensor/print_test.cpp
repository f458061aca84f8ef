// Printing, character for character: the cases of tests/golden/tensor/record.py in the same order,
// against print.txt.
#include "core/tensor/print.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>

#include "core/tensor/generator.h"
#include "core/tensor/views.h"

namespace glint {
namespace {

std::vector<std::string> recorded_cases() {
  std::ifstream file(GLINT_SOURCE_DIR "/tests/golden/tensor/print.txt");
  std::vector<std::string> cases;
  std::string line, text;
  while (std::getline(file, line)) {
    if (line == "----") {
      text.pop_back();  // the last line's newline
      cases.push_back(text);
      text.clear();
    } else {
      text += line + "\n";
    }
  }
  return cases;
}

/// Compares each text with the next recorded one.
class Comparison {
 public:
  void operator()(const Tensor& tensor, std::string_view suffix = {}) {
    INFO("case " << next_);
    REQUIRE(next_ < expected_.size());
    CHECK(repr(tensor, suffix) == expected_[next_]);
    ++next_;
  }
  bool done() const { return next_ == expected_.size(); }

 private:
  std::vector<std::string> expected_ = recorded_cases();
  size_t next_ = 0;
};

Tensor normal(Dims sizes, DType dtype = DType::kFloat32) {
  Tensor x = Tensor::empty(sizes, dtype);
  fill_normal(x, 0.0, 1.0, default_generator());
  return x;
}

void compare_floats(Comparison& compare) {
  constexpr float kInf = INFINITY, kNan = NAN;
  for (Dims sizes : {Dims{}, Dims{3}, Dims{8, 16}, Dims{2, 3, 4}}) compare(normal(sizes));
  compare(normal({40}, DType::kFloat64));
  for (Dims sizes : {Dims{5, 300}, Dims{2, 8, 9, 10}, Dims{1001}, Dims{150}})
    compare(normal(sizes));
  compare(normal({3, 3}, DType::kBFloat16));
  compare(normal({3, 3}, DType::kFloat16));
  std::vector<std::vector<float>> rows = {
      {1, 2, 3},           {1, -2, 0},   {0, 0},      {0, -0.0f, kNan}, {kInf, 1, -kInf},
      {kNan, 1.5f, -kInf}, {1e-5f, 1},   {1e9f, 1},   {1e9f},           {1e8f},
      {123456, 1, 0},      {1000.5f, 1}, {1001.5f, 1}};
  for (const std::vector<float>& row : rows)
    compare(Tensor::of<float>(row, Dims{int64_t(row.size())}));
  compare(Tensor::of<float>({1e-5f, kNan, kInf, -0.0f}, {2, 2}));
  compare(Tensor::of<double>({1e-300, 1e300, 0.1}, {3}));
  compare(Tensor::of<double>({1.0 / 3}, {}));
}

void compare_others(Comparison& compare) {
  compare(Tensor::of<int64_t>({1, -200, 3}, {3}));
  compare(Tensor::of<int32_t>({1, 2}, {2}));
  compare(Tensor::of<uint8_t>({1, 200}, {2}));
  compare(Tensor::of<bool>({true, false}, {2}));
  compare(Tensor::of<bool>({true}, {}));
  compare(Tensor::of<int64_t>({5}, {}));
  compare(Tensor::empty({0}, DType::kFloat32));
  compare(Tensor::empty({0, 3}, DType::kFloat32));
  compare(Tensor::empty({0}, DType::kInt64));
  compare(Tensor::empty({2, 0}, DType::kBool));
}

void compare_gradients(Comparison& compare) {
  constexpr std::string_view kSuffix = "grad_fn=<MulBackward0>";
  Tensor leaf = normal({3});
  leaf->requires_grad = true;
  compare(leaf);
  compare(leaf, kSuffix);
  compare(normal({9}, DType::kFloat64), kSuffix);
  compare(normal({6}, DType::kFloat64), kSuffix);
  Tensor parameter = normal({2});
  parameter->requires_grad = parameter->is_parameter = true;
  compare(parameter);
}

void compare_options(Comparison& compare) {
  Tensor order = Tensor::empty({2000}, DType::kInt64);
  fill_permutation(order, default_generator());
  compare(order);
  compare(reshape(order, {40, 50}));
  compare(transpose(reshape(order, {2, 1000}), 0, 1));
  print_options() = {.precision = 2, .threshold = 5, .edge_items = 2, .line_width = 40};
  compare(normal({3, 7}));
  compare(normal({30}));
  print_options() = {.scientific = PrintOptions::Scientific::kAlways};
  compare(normal({3}));
  compare(Tensor::of<float>({1, 2}, {2}));
  print_options() = {.scientific = PrintOptions::Scientific::kNever};
  compare(Tensor::of<float>({1e-6f, 1e6f}, {2}));
  print_options() = {};
}

TEST_CASE("tensors print as PyTorch prints them") {
  default_generator().seed(0);
  Comparison compare;
  compare_floats(compare);
  compare_others(compare);
  compare_gradients(compare);
  compare_options(compare);
  CHECK(compare.done());
}

}  // namespace
}  // namespace glint
