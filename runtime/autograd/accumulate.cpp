#include "runtime/autograd/accumulate.h"

#include "core/support/check.h"
#include "core/tensor/grad_mode.h"
#include "ops/call.h"
#include "ops/gradient.h"
#include "runtime/autograd/builder.h"
#include "runtime/autograd/memory_order.h"

namespace glint::autograd {

Tensor call_one(OperatorRunner& runner, std::string_view name,
                std::initializer_list<ops::Argument> arguments) {
  const ops::OpEntry* entry = ops::find_op(name);
  check(entry != nullptr, "the engine calls an operator that exists");
  return call_operator(runner, *entry, {arguments.begin(), arguments.size()})[0];
}

namespace {

/// PyTorch's rule: where a leaf's memory has no gaps its gradient lies as it does, else in order;
/// dimensions of size 1 say nothing.
bool lies_as(const Tensor& leaf, const Tensor& gradient) {
  if (!is_dense(leaf)) return gradient.is_contiguous();
  for (size_t dim = 0; dim < leaf.sizes().size(); ++dim)
    if (leaf.sizes()[dim] != 1 && leaf.strides()[dim] != gradient.strides()[dim]) return false;
  return true;
}

/// A copy that lies so.
Tensor laid_out_as(OperatorRunner& runner, const Tensor& leaf, const Tensor& gradient) {
  if (!is_dense(leaf) || leaf.is_contiguous()) return call_one(runner, "contiguous", {gradient});
  RecordingBuilder b(runner);
  OpValue ordered = to_memory_order(b, ops::eager_value(gradient), leaf->strides);
  return ops::eager_tensor(from_memory_order(b, std::move(ordered), leaf->strides));
}

}  // namespace

void add_to_gradient(OperatorRunner& runner, bool creates_graph, AutogradMeta& meta,
                     const Tensor& more) {
  GradModeScope scope(creates_graph);
  if (creates_graph)
    meta.gradient = call_one(runner, "add", {meta.gradient, more});
  else
    call_one(runner, "add_", {meta.gradient, more});
}

void keep_gradient(OperatorRunner& runner, bool creates_graph, const Tensor& tensor,
                   Tensor gradient) {
  AutogradMeta& meta = make_meta(tensor);
  if (meta.gradient.defined()) return add_to_gradient(runner, creates_graph, meta, gradient);
  // A gradient that somebody else may still see, or that is no plain tensor, is copied.
  bool own = gradient->ref_count() <= (gradient.is_pending() ? 2 : 1) && !gradient->base;
  if (!lies_as(tensor, gradient))
    meta.gradient = laid_out_as(runner, tensor, gradient);
  else
    meta.gradient = own || creates_graph ? gradient : call_one(runner, "clone", {gradient});
}

void retain_gradient(OperatorRunner& runner, AutogradMeta& meta, const Tensor& gradient) {
  if (!gradient.defined()) return;
  meta.gradient =
      meta.gradient.defined()
          ? call_one(runner, "add", {meta.gradient, gradient})
          : call_one(runner, gradient.is_contiguous() ? "clone" : "contiguous", {gradient});
}

}  // namespace glint::autograd
