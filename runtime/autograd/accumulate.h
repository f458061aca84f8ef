// Where gradients end: what arrives at a leaf becomes its `grad`, or is added to it.
//
//     w.grad is None        the gradient itself, laid out as w; a copy where somebody else sees it
//     w.grad is a tensor    added in place, so that whoever holds it sees the sum
#pragma once

#include <initializer_list>
#include <ranges>
#include <string_view>
#include <utility>
#include <vector>

#include "core/tensor/tensor.h"
#include "ops/op.h"
#include "runtime/autograd/node.h"
#include "runtime/autograd/record.h"

namespace glint::autograd {

/// The one result of an operator.
Tensor call_one(OperatorRunner& runner, std::string_view name,
                std::initializer_list<ops::Argument> arguments);

/// One more gradient of a leaf that has one. A gradient that may be differentiated again
/// (`creates_graph`) is a new tensor.
void add_to_gradient(OperatorRunner& runner, bool creates_graph, AutogradMeta& meta,
                     const Tensor& more);

/// The gradient of a leaf, its first or one more.
void keep_gradient(OperatorRunner& runner, bool creates_graph, const Tensor& leaf, Tensor gradient);

/// What a result keeps is its own, and contiguous: the gradient itself goes on.
void retain_gradient(OperatorRunner& runner, AutogradMeta& meta, const Tensor& gradient);

/// The gradients that were there before they were changed.
class GradientChanges {
 public:
  void note(AutogradMeta& meta) { before_.emplace_back(&meta, meta.gradient); }
  void take_back() {
    for (auto& [meta, gradient] : before_ | std::views::reverse) meta->gradient = gradient;
  }

 private:
  std::vector<std::pair<AutogradMeta*, Tensor>> before_;
};

}  // namespace glint::autograd
