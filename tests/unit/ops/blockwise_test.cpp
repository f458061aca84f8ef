// Formulas that are run a block at a time: every decomposition of the table gives what its
// operators give one by one, to the last bit, and lies in memory as that does.
#include "ops/blockwise.h"

#include <catch2/catch.hpp>
#include <cstring>

#include "core/tensor/copy.h"
#include "core/tensor/views.h"
#include "ops/builders.h"
#include "ops/infer.h"
#include "ops/samples.h"

namespace glint::ops {
namespace {

bool are_same(const Tensor& a, const Tensor& b) {
  if (a.dtype() != b.dtype() || !same_dims(a.sizes(), b.sizes())) return false;
  if (!same_dims(a.strides(), b.strides())) return false;
  const Tensor x = contiguous(a), y = contiguous(b);
  return x.numel() == 0 ||
         std::memcmp(x.raw_data(), y.raw_data(), size_t(x.numel()) * x.element_size()) == 0;
}

std::vector<OpArgument> values_of(const OpEntry& entry, const Sample& sample) {
  std::vector<OpArgument> arguments;
  for (const Argument& argument : sample.arguments)
    arguments.push_back(map_argument<OpValue>(argument, eager_value));
  return complete_arguments(entry, std::move(arguments), {});
}

void compare(const OpEntry& entry, const Sample& sample) {
  const auto arguments = values_of(entry, sample);
  const std::vector<OpValue> expected = entry.decomposition(eager_builder(), arguments);
  BlockwiseBuilder builder;
  const std::vector<Tensor> found = builder.tensors(entry.decomposition(builder, arguments));
  REQUIRE(found.size() == expected.size());
  for (size_t i = 0; i < found.size(); ++i) CHECK(are_same(found[i], eager_tensor(expected[i])));
}

TEST_CASE("decompositions in blocks", "[ops]") {
  size_t compared = 0;
  for (const OpEntry& entry : op_table()) {
    if (!entry.decomposition || entry.effects.random || entry.effects.mutates) continue;
    if (std::string_view(entry.name).find("empty") != std::string_view::npos) continue;
    INFO(entry.name);
    for (const Sample& sample : entry.samples(entry)) {
      if (sample.error) continue;
      compare(entry, sample);
      ++compared;
    }
  }
  CHECK(compared > 2000);
}

OpValue number(double value, DType dtype) {
  return eager_value(Tensor::scalar(value, dtype));
}

TEST_CASE("a formula longer than a block, with all that may be put off", "[ops]") {
  for (DType dtype : {DType::kFloat32, DType::kFloat64, DType::kBFloat16})
    for (int64_t count : {1, 511, 512, 513, 5000}) {
      const OpValue x = eager_value(sample_tensor({count}, dtype));
      const OpValue y = eager_value(sample_tensor({1, count}, dtype));
      const auto formula = [&](OpBuilder& b) -> std::vector<OpValue> {
        const OpValue positive = b.greater(x, 0.5);
        const OpValue scaled = b.multiply(b.add(x, number(0.25, dtype)), 3);
        const OpValue chosen = b.where(positive, scaled, b.exp(b.negative(x)));
        const OpValue counted = b.multiply(positive, chosen);  // a truth value as a number
        const OpValue either = b.call("logical_or", {positive, b.less(chosen, 1)});
        const OpValue total = b.sum(counted, {0});  // runs what came before
        const OpValue wide = b.to(b.subtract(chosen, total), DType::kFloat64);
        return {b.where(either, wide, 0.0), b.add(counted, y), chosen, x};
      };
      BlockwiseBuilder blockwise;
      const auto expected = formula(eager_builder());
      const std::vector<Tensor> found = blockwise.tensors(formula(blockwise));
      for (size_t i = 0; i < expected.size(); ++i)
        CHECK(are_same(found[i], eager_tensor(expected[i])));
    }
}

TEST_CASE("tensors that lie alike in another order are run as they lie", "[ops]") {
  for (const Dims& order : {Dims{1, 0, 2}, Dims{2, 0, 1}, Dims{0, 1, 2}}) {
    const Tensor turned = permute(sample_tensor({7, 30, 50}, DType::kFloat32), order);
    const OpValue x = eager_value(turned);
    const OpValue y = eager_value(permute(sample_tensor({7, 30, 50}, DType::kFloat32), order));
    const OpValue plain = eager_value(sample_tensor(turned.sizes(), DType::kFloat32));
    const OpValue single = eager_value(permute(sample_tensor({1, 30, 50}, DType::kFloat32), order));
    const auto formula = [&](OpBuilder& b) -> std::vector<OpValue> {
      const OpValue product = b.multiply(b.add(x, 1), y);
      const OpValue chosen = b.where(b.greater(product, 0.5), product, b.exp(y));
      const OpValue mixed = b.add(b.multiply(chosen, 2), plain);  // runs what lies otherwise
      const OpValue spread = b.multiply(b.negative(single), x);
      CHECK(b.type(chosen).full_strides() == type_of(turned).full_strides());
      return {product,
              chosen,
              mixed,
              spread,
              b.to(chosen, DType::kFloat64),
              plain,
              b.call("sum", {b.multiply(x, y)}),
              b.exp(plain)};
    };
    BlockwiseBuilder blockwise;
    const auto expected = formula(eager_builder());
    const std::vector<Tensor> found = blockwise.tensors(formula(blockwise));
    for (size_t i = 0; i < expected.size(); ++i)
      CHECK(are_same(found[i], eager_tensor(expected[i])));
  }
}

TEST_CASE("sums of all that a formula gives are those of the operators, to the last bit", "[ops]") {
  for (DType dtype : {DType::kFloat32, DType::kFloat64, DType::kBFloat16})
    for (int64_t count : {1, 63, 64, 513, 16384, 16385, 70001}) {
      const OpValue x = eager_value(sample_tensor({count}, dtype));
      const OpValue y = eager_value(sample_tensor({count, 1, 1}, dtype));
      const auto formula = [&](OpBuilder& b) -> std::vector<OpValue> {
        const OpValue distance = b.call("abs", {b.subtract(x, 0.3)});
        const OpValue total = b.call("sum", {distance});
        const OpValue again = b.multiply(distance, total);  // what was summed is wanted after all
        const OpValue mean = b.call("mean", {b.multiply(y, y)});
        const OpValue typed = b.call("sum", {b.exp(x)}, {{Name("dtype"), dtype}});
        const OpValue wide = b.call("sum", {b.exp(x)}, {{Name("dtype"), DType::kFloat64}});
        return {total, again, mean, typed, wide, b.call("sum", {b.exp(x), OpArgument(), true})};
      };
      BlockwiseBuilder blockwise;
      const auto expected = formula(eager_builder());
      const std::vector<Tensor> found = blockwise.tensors(formula(blockwise));
      for (size_t i = 0; i < expected.size(); ++i)
        CHECK(are_same(found[i], eager_tensor(expected[i])));
    }
}

TEST_CASE("errors are those of the operators", "[ops]") {
  BlockwiseBuilder b;
  const OpValue truth = eager_value(sample_tensor({4}, DType::kBool));
  const OpValue other = eager_value(sample_tensor({3}, DType::kFloat32));
  CHECK_THROWS_AS(b.subtract(truth, truth), OpError);
  CHECK_THROWS_AS(b.add(b.exp(truth), other), OpError);
}

}  // namespace
}  // namespace glint::ops
