// What the tests of operators and of their gradients on the backends share: a call that has been
// sent through the passes, with what it has to give.
#pragma once

#include <catch2/catch.hpp>
#include <cmath>

#include "backends/backend.h"
#include "core/support/check.h"
#include "core/tensor/copy.h"
#include "ops/call.h"

namespace glint {

/// The largest difference of two tensors relative to the tolerance; nans agree with nans.
inline double difference(const Tensor& got, const Tensor& expected, const ops::OpEntry& entry) {
  const ops::Tolerance& tolerance = entry.tolerance;
  // A composite's parts each round to 16 bits, its eager kernel only once.
  const double parts = ops::kind(entry) == ops::OpKind::kComposite ? 5.0 : 1.0;
  const Tensor x = convert(contiguous(got), DType::kFloat64);
  const Tensor y = convert(contiguous(expected), DType::kFloat64);
  double worst = 0;
  for (int64_t i = 0; i < x.numel(); ++i) {
    const double a = x.data<double>()[i];
    const double b = y.data<double>()[i];
    if (a == b || (std::isnan(a) && std::isnan(b))) continue;
    double allowed = tolerance.absolute + tolerance.relative * std::abs(b);
    if (expected.dtype() == DType::kBFloat16) allowed += 0.016 * parts * std::max(1.0, std::abs(b));
    if (expected.dtype() == DType::kFloat16) allowed += 0.002 * parts * std::max(1.0, std::abs(b));
    const double off = std::abs(a - b) / allowed;
    worst = std::isnan(off) ? 1e30 : std::max(worst, off);
  }
  return worst;
}

/// A sample on its way through the passes.
struct Case {
  ops::Outputs expected;
  std::vector<Tensor> inputs;
  std::string text;
  Schedule schedule;
};

inline void check_case(const ops::OpEntry& entry, const Case& each, const Backend& backend) {
  INFO(each.text << "\n" << print(each.schedule));
  auto compiled = backend.compile(each.schedule, {});
  if (!compiled) FAIL(compiled.error().message);
  std::vector<RunInput> inputs;
  for (const Tensor& tensor : each.inputs) inputs.push_back({&tensor.impl(), nullptr});
  std::vector<Tensor> outputs;
  const RunStatus status = compiled.value()->run(inputs, {}, outputs);
  REQUIRE_FALSE(status);
  REQUIRE(outputs.size() == each.expected.size());
  for (size_t i = 0; i < outputs.size(); ++i) {
    CHECK(outputs[i].dtype() == each.expected[i].dtype());
    REQUIRE(same_dims(outputs[i].sizes(), each.expected[i].sizes()));
    CHECK(difference(outputs[i], each.expected[i], entry) <= 1.0);
  }
}

/// Reports what `body` throws as a failure of the test.
template <class Body>
void guarded(Body&& body) {
  try {
    body();
  } catch (const InternalError& error) {
    FAIL_CHECK(error.what());
  } catch (const ops::OpError& error) {
    FAIL_CHECK(error.message);
  }
}

/// Makes the machine code of all kernels of the cases as one module, where each finds it cached: a
/// module for each would take longer.
inline void compile_together(const std::vector<Case>& cases, const Backend& backend) {
  Schedule all;
  for (const Case& each : cases)
    all.kernels.insert(all.kernels.end(), each.schedule.kernels.begin(),
                       each.schedule.kernels.end());
  auto compiled = backend.compile(all, {});
  if (!compiled) FAIL_CHECK(compiled.error().message);
}

}  // namespace glint
