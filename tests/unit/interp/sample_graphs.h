// Graphs of one call from the operator table's samples, and the comparison of a backend with eager.
#pragma once

#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "backends/backend.h"
#include "core/support/check.h"
#include "ops/call.h"
#include "ops/infer.h"
#include "passes/graph_builder.h"
#include "passes/operators.h"
#include "passes/pipeline.h"

namespace glint::tests {

/// Functional operators without randomness, whose results do not depend on anything but values.
inline bool is_comparable(const ops::OpEntry& entry) {
  const ops::Effects& effects = entry.effects;
  const bool values_are_any = std::string_view(entry.name).find("empty") != std::string_view::npos;
  if (values_are_any) return false;
  return entry.samples && !entry.functional_form && !effects.random && !effects.mutates &&
         !effects.data_dependent && !effects.synchronises;
}

struct SampleGraph {
  Graph graph;
  std::vector<Tensor> inputs;
  std::unique_ptr<ShapeEnvironment> environment;
};

/// Sizes of at least 2 become symbols, equal sizes the same one; only for contiguous tensors.
inline TensorType with_symbols(TensorType type, ShapeEnvironment& environment,
                               std::map<int64_t, SymInt>& symbols) {
  if (!type.contiguous()) return type;
  for (SymInt& size : type.sizes) {
    int64_t value = size.constant();
    if (value < 2) continue;
    auto found = symbols.find(value);
    if (found == symbols.end()) found = symbols.emplace(value, environment.new_symbol(value)).first;
    size = found->second;
  }
  return type;
}

/// Nothing if the call cannot be made with symbolic sizes.
inline std::optional<SampleGraph> sample_graph(const ops::OpEntry& entry, const ops::Sample& sample,
                                               bool symbolic) {
  SampleGraph made;
  made.environment = std::make_unique<ShapeEnvironment>();
  ShapeEnvironment::Scope scope(*made.environment);
  std::map<int64_t, SymInt> symbols;
  made.graph.name = "sample";
  std::vector<Argument> arguments;
  bool mixed = false;  // sizes that are symbols beside equal ones that are not
  for (const ops::Argument& argument : sample.arguments)
    arguments.push_back(passes::convert_argument<Value>(argument, [&](const Tensor& tensor) {
      TensorType type = ops::type_of(tensor);
      mixed |= symbolic && !type.contiguous();
      if (symbolic) type = with_symbols(std::move(type), *made.environment, symbols);
      made.inputs.push_back(tensor);
      return made.graph.add_parameter("x", std::move(type));
    }));
  if (symbolic && (mixed || made.environment->symbol_count() == 0)) return std::nullopt;
  try {
    for (size_t i = arguments.size(); i < ops::signature(entry).parameters.size(); ++i)
      arguments.push_back(
          passes::convert_argument<Value>(ops::signature(entry).parameters[i].default_value,
                                          [](const Tensor&) { return Value(); }));
    passes::GraphBuilder builder(made.graph, {});
    NodeId node = builder.append(entry, arguments);
    for (uint32_t i = 0; i < made.graph[node].outputs.size(); ++i)
      made.graph.outputs.push_back({node, i});
    if (made.graph.outputs.empty()) return std::nullopt;  // unbind of nothing
  } catch (const ops::OpError&) {
    return std::nullopt;
  } catch (const InternalError&) {
    if (symbolic) return std::nullopt;  // the rule wants a plain number: capture specialises
    throw;
  }
  return made;
}

inline double element(const Tensor& tensor, const std::vector<int64_t>& place) {
  int64_t offset = 0;
  for (size_t i = 0; i < place.size(); ++i) offset += place[i] * tensor.strides()[i];
  return visit_dtype(tensor.dtype(),
                     [&]<class T>() { return convert_element<double>(tensor.data<T>()[offset]); });
}

/// Empty if both tensors are alike: dtype, sizes, strides, elements within the tolerance.
inline std::string difference(const Tensor& expected, const Tensor& found,
                              const ops::Tolerance& tolerance) {
  if (expected.dtype() != found.dtype())
    return fmt::format("dtype {} instead of {}", dtype_name(found.dtype()),
                       dtype_name(expected.dtype()));
  std::vector<int64_t> sizes(expected.sizes().begin(), expected.sizes().end());
  if (sizes != std::vector<int64_t>(found.sizes().begin(), found.sizes().end()))
    return "other sizes";
  TensorType a = ops::type_of(expected), b = ops::type_of(found);
  if (a.strides != b.strides)
    return fmt::format("laid out as {} instead of {}", b.text(), a.text());
  double factor = dtype_size(expected.dtype()) == 2 ? 4e3 : 1.0;
  std::vector<int64_t> place(sizes.size(), 0);
  for (int64_t n = 0; n < expected.numel(); ++n) {
    double x = element(expected, place), y = element(found, place);
    bool same = x == y || (std::isnan(x) && std::isnan(y)) ||
                std::abs(x - y) <= factor * (tolerance.absolute + tolerance.relative * std::abs(x));
    if (!same) return fmt::format("element {} is {} instead of {}", n, y, x);
    for (size_t d = sizes.size(); d-- > 0 && ++place[d] == sizes[d];) place[d] = 0;
  }
  return {};
}

/// Runs the sample eagerly and compiled; what differs, or an empty text.
inline std::string compare_sample(const SampleGraph& made, const ops::OpEntry& entry,
                                  const ops::Sample& sample, const Backend& backend, int& kernels) {
  std::vector<Tensor> expected;
  try {
    expected = ops::call_eager(entry, sample.arguments).to_vector();
  } catch (const ops::OpError& error) {
    return "eager raises: " + error.message;
  }
  ShapeEnvironment::Scope scope(*made.environment);
  try {
    passes::PassLog log;
    Schedule schedule = passes::run_pipeline(made.graph, {.verify_calls = true}, log);
    auto again = parse_schedule(print(schedule));
    if (!again.ok()) return "its text does not read back: " + again.error().message;
    if (!same_schedule(schedule, *again)) return "its text reads back as something else";
    kernels += static_cast<int>(schedule.kernels.size());
    auto compiled = backend.compile(schedule, {});
    if (!compiled.ok()) return "does not compile: " + compiled.error().message;
    std::vector<RunInput> inputs;
    for (const Tensor& input : made.inputs) inputs.push_back({&input.impl(), nullptr});
    std::vector<Tensor> outputs;
    auto failed = (*compiled)->run(inputs, made.environment->hints(), outputs);
    if (failed) return fmt::format("fails: {}", *failed);
    if (outputs.size() != expected.size()) return "another number of outputs";
    for (size_t i = 0; i < outputs.size(); ++i) {
      std::string text = difference(expected[i], outputs[i], entry.tolerance);
      if (!text.empty()) return text + "\n" + print(schedule);
    }
  } catch (const InternalError& error) {
    return error.what();
  }
  return {};
}

}  // namespace glint::tests
