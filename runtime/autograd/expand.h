// One node of a compiled region, and the calls that it stands for.
//
//     h, loss = region(x)          one node: h is its result 0, loss its result 1, and loss is
//                                  computed from h
//     h.register_hook(f)           f wants the gradient that flows from loss to h, which the
//     loss.backward()              compiled backward does not show: the forward runs once more,
//                                  operator by operator, and its nodes take the region's place
//
// That is done only where somebody looks: a hook or `retain_grad` on such a result, or
// `autograd.grad(loss, h)`.
#pragma once

#include <span>

#include "runtime/autograd/record.h"

namespace glint::autograd {

/// The region that the node stands for, if it can be expanded; else null.
const CompiledCall* expandable(const Node& node);

/// Expands the node where somebody looks at a result that others are computed from: a hook, or the
/// caller, who collects the gradients of the results `wanted`. Whether it is expanded, now or
/// before: then a gradient for its result i goes to `CompiledCall::expanded[i]`. Throws OpError
/// where an input of the region has been written since.
bool expand_if_watched(OperatorRunner& runner, Node& node, std::span<const uint32_t> wanted);

/// Called where a hook or `retain_grad` was set on a tensor: the region that made it is expanded at
/// once, while what it ran on is what it was. Where that was written already, it is left to the
/// backward to complain, if it comes to that.
void look_into_maker(OperatorRunner& runner, const Tensor& tensor);

}  // namespace glint::autograd
