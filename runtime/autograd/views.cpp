// Views on the tape: where a view lies in its base, and its history after the base was written.
//
//     x = w.clone()
//     v = x[0]              v -> SelectBackward0 -> CloneBackward0
//     x.mul_(2)             x -> MulBackward0 -> CloneBackward0
//     v.sum()               v is asked for its history: its memory has another version than
//                           its node speaks of, so now v -> AsStridedBackward0 -> MulBackward0
//
// A view that was made without grad mode has no history: it says that it requires a gradient where
// its base does, and none flows. Once the memory is written nobody can say what its history is, and
// to ask for that raises.
#include <fmt/format.h>

#include "core/support/check.h"
#include "core/tensor/grad_mode.h"
#include "runtime/autograd/node.h"
#include "runtime/autograd/record.h"

namespace glint::autograd {

namespace {

bool was_made_otherwise(const Tensor& view) {
  return view->view_origin == ViewOrigin::kNoGrad || view->view_origin == ViewOrigin::kInference;
}

/// Whether a view shows what requires a gradient, and its memory was written since its history was
/// made.
bool shows_written(const Tensor& view) {
  const TensorImpl* base = view->base.get();
  return base && base->requires_grad && !base->inference && view->view_version != version_of(view);
}

/// Whether the view's history follows from its base's.
bool is_outdated(const Tensor& view) {
  return view->view_origin == ViewOrigin::kRecorded && !view.is_pending() && shows_written(view);
}

}  // namespace

bool hides_history(const Tensor& tensor) {
  return was_made_otherwise(tensor) && shows_written(tensor);
}

void check_made_with_grad_mode(const Tensor& view, std::string_view written) {
  if (!view->base || !was_made_otherwise(view)) return;
  const bool inference = view->view_origin == ViewOrigin::kInference;
  AutogradMeta* own = meta_of(view);
  std::string which = own && own->node
                          ? fmt::format("Output {} of {} is a view of a view which", own->output,
                                        own->node->short_name(own->output))
                          : "A view";
  throw ops::OpError{
      "RuntimeError",
      fmt::format("{} was created in {} and {} modified inplace {}. Given that this use case is "
                  "ambiguous and error-prone, it is forbidden. You can clarify your code by moving "
                  "both the view and the inplace either both inside the {} block (if you don't "
                  "want the inplace to be tracked) or both outside (if you want the inplace to be "
                  "tracked).",
                  which, inference ? "inference mode" : "no_grad mode", written,
                  inference ? "in normal mode" : "with grad mode enabled",
                  inference ? "inference_mode" : "no_grad")};
}

ViewGeometry geometry_of(const Tensor& view) {
  const TensorImpl& base = *view->base;
  return {view->sizes, view->strides, view.offset() - base.offset, base.sizes, base.strides};
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
  if (hides_history(tensor))
    check_made_with_grad_mode(tensor, "its base or another view of its base has been");
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
  remember_base(window.impl(), of.impl(), version_of(of));
  if (!grad_mode() || !of.requires_grad()) return;
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
