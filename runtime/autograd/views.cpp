// Views on the tape: where a view lies in its base, and its history after the base was written.
//
//     x = w.clone()
//     v = x[0]              v -> SelectBackward0 -> CloneBackward0
//     x.mul_(2)             x -> MulBackward0 -> CloneBackward0
//     v.sum()               v is asked for its history: its memory has another version than
//                           its node speaks of, so now v -> AsStridedBackward0 -> MulBackward0
#include <fmt/format.h>

#include "core/support/check.h"
#include "core/tensor/grad_mode.h"
#include "runtime/autograd/node.h"
#include "runtime/autograd/record.h"

namespace glint::autograd {

namespace {

/// Whether the base was written, through the tape, since the view's history was made.
bool is_outdated(const Tensor& view) {
  if (!view->base || view->view_origin != ViewOrigin::kRecorded || view.is_pending()) return false;
  auto* base = static_cast<AutogradMeta*>(view->base->autograd.get());
  AutogradMeta* own = meta_of(view);
  bool has_history = own && own->node;
  // A leaf is written without a history (an optimiser's step): its views have theirs before.
  if (!base || !base->node)
    return view->base->requires_grad && has_history && own->view_version != view.version();
  return !has_history || own->view_version != view.version();
}

/// A view that was made without grad mode has no history, though what it shows has one. As in
/// PyTorch it says that it requires a gradient, and none flows.
bool hides_history(const Tensor& view) {
  bool recorded =
      view->view_origin == ViewOrigin::kRecorded || view->view_origin == ViewOrigin::kFunction;
  if (!view->base || recorded) return false;
  auto* base = static_cast<AutogradMeta*>(view->base->autograd.get());
  return base && base->node;
}

}  // namespace

ViewGeometry geometry_of(const Tensor& view) {
  const TensorImpl& base = *view->base;
  return {view->sizes, view->strides, view.offset() - base.offset, base.sizes, base.strides};
}

bool requires_grad(const Tensor& tensor) {
  return tensor.requires_grad() || is_outdated(tensor) || hides_history(tensor);
}

/// One of several views that a call gave: where its base was written, nobody knows its history.
static void check_is_only_view(const AutogradMeta& view) {
  const Node& maker = *view.node;
  if (maker.outputs.size() < 2 || !std::holds_alternative<OperatorCall>(maker.work)) return;
  throw ops::OpError{
      "RuntimeError",
      fmt::format("Output {} of {} is a view and its base or another view of its base has been "
                  "modified inplace. This view is the output of a function that returns multiple "
                  "views. Such functions do not allow the output views to be modified inplace. You "
                  "should replace the inplace operation by an out-of-place one.",
                  view.output, maker.short_name(view.output))};
}

Ref<Node> node_of(const Tensor& tensor) {
  AutogradMeta* meta = meta_of(tensor);
  if (!is_outdated(tensor)) return meta ? meta->node : nullptr;
  if (meta && meta->node) check_is_only_view(*meta);
  auto node = make_ref<Node>(ViewOfBase{geometry_of(tensor)});
  node->edges.push_back(edge_of(Tensor(tensor->base)));
  node->outputs.push_back(saved_type(tensor));
  set_history(tensor, node, 0);
  return node;
}

namespace {

/// Whether all of the window lies among the elements of `of`, which has no gaps.
bool lies_within(const Tensor& window, const Tensor& of) {
  int64_t last = window.offset() - of.offset();
  if (!is_dense(of) || last < 0) return false;
  for (int64_t dim = 0; dim < window.rank(); ++dim)
    last += (window.size(dim) - 1) * window.stride(dim);
  return window.numel() == 0 || last < of.numel();
}

}  // namespace

void show_window(const Tensor& window, const Tensor& of) {
  window->base = of->base ? of->base : of.ref();
  window->view_origin = view_origin();
  if (!grad_mode() || !requires_grad(of)) return;
  // Around a view with gaps, gradients go straight to what that is a view of.
  Tensor shown = lies_within(window, of) ? of : Tensor(window->base);
  if (!lies_within(window, shown))
    throw ops::OpError{"NotImplementedError",
                       "as_strided(): no gradient flows to memory beyond the tensor"};
  auto node =
      make_ref<Node>(ViewOfBase{{window->sizes, window->strides, window.offset() - shown.offset(),
                                 shown->sizes, shown->strides}});
  node->edges.push_back(edge_of(shown));
  node->outputs.push_back(saved_type(window));
  set_history(window, node, 0);
}

}  // namespace glint::autograd
