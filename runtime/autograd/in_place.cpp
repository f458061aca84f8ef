// Writes on the tape. A write computes what its functional form does, recorded, puts that into the
// tensor's memory, and hands the tensor its history:
//
//     y.mul_(w)          product = y * w, recorded; y's memory is overwritten; y's history is the
//                        product's
//     y[0].mul_(w)       the same for the view y[0]; besides, the whole of y has changed: its
//     history
//                        becomes CopySlices, whose edges lead to what y was and to the product
//
// Other views of y are brought up to date when somebody asks for their history: `node_of` sees that
// the memory has another version than the one that their node speaks of, and gives the view a new
// node, which shows the base through the view's geometry.
#include <fmt/format.h>

#include "core/support/check.h"
#include "core/tensor/grad_mode.h"
#include "core/tensor/show_memory.h"
#include "ops/call.h"
#include "ops/gradient.h"
#include "ops/infer.h"
#include "runtime/autograd/record.h"

namespace glint::autograd {

namespace {

/// A view that may not be written because of the call that gave it.
void refuse_write(const Tensor& target, const Node& maker, std::string_view why) {
  throw ops::OpError{
      "RuntimeError",
      fmt::format("Output {} of {} is a view and is being modified inplace. {}",
                  output_number(target), maker.short_name(meta_of(target)->output), why)};
}

/// Whether the call gives a list of views, though it be of one.
bool gives_several(const Node& maker) {
  const auto* call = std::get_if<OperatorCall>(&maker.work);
  const bool lists = call && (call->entry->output_form == ops::OutputForm::kTuple ||
                              call->entry->output_form == ops::OutputForm::kList);
  return lists || maker.outputs.size() > 1;
}

void check_maker(const Tensor& target) {
  // Asked before its history is: this one of several views has none, if its base was written.
  AutogradMeta* meta = meta_of(target);
  bool one_of_several = meta && meta->node && gives_several(*meta->node);
  Ref<Node> maker = one_of_several ? meta->node : node_of(target);
  if (!maker) return;
  auto* region = std::get_if<CompiledCall>(&maker->work);
  // A region is the calls that it stands for, which the view is of one of.
  bool stands_for_calls = region && (region->exact || !region->backward);
  if (gives_several(*maker) && !stands_for_calls)
    refuse_write(target, *maker,
                 "This view is the output of a function that returns multiple views. Such "
                 "functions do not allow the output views to be modified inplace. You should "
                 "replace the inplace operation by an out-of-place one.");
  if (target->view_origin == ViewOrigin::kFunction)
    refuse_write(target, *maker,
                 "This view was created inside a custom Function (or because an input was returned "
                 "as-is) and the autograd logic to handle view+inplace would override the custom "
                 "backward associated with the custom Function, leading to incorrect gradients. "
                 "This behavior is forbidden. You can fix this by cloning the output of the custom "
                 "Function.");
}

/// Whether a view comes from a leaf that is itself a view, of what requires no gradient: both have
/// the same base.
bool shows_leaf(const Tensor& target) {
  if (Tensor(target->base).requires_grad()) return false;
  Edge edge = edge_of(target);
  while (edge && !edge.node->edges.empty()) edge = edge.node->edges[0];
  const auto* end = edge ? std::get_if<AccumulateGradient>(&edge.node->work) : nullptr;
  return end && end->leaf->base.get() == target->base.get();
}

void check_may_write(const Tensor& target) {
  check_made_with_grad_mode(target, "is being");
  if (target->base) {
    check_maker(target);
    const Tensor base(target->base);
    if ((base.requires_grad() && is_leaf(base)) || shows_leaf(target))
      throw ops::OpError{
          "RuntimeError",
          "a view of a leaf Variable that requires grad is being used in an in-place operation."};
  }
  if (target.requires_grad() && is_leaf(target))
    throw ops::OpError{
        "RuntimeError",
        "a leaf Variable that requires grad is being used in an in-place operation."};
}

/// The written tensor's old value, for rules that read it: a copy with its history.
Tensor keep_old_value(OperatorRunner& runner, const Tensor& target) {
  static const ops::OpEntry& clone = *ops::find_op("clone");
  const ops::Argument arguments[] = {target};
  Tensor copy = runner.run(clone, arguments)[0];
  if (Edge edge = edge_of(target)) set_history(copy, edge.node, edge.output);
  return copy;
}

/// Whether some node may save the first argument of the functional form.
bool may_save_target(const ops::OpEntry& functional) {
  if (!ops::has_gradients(functional)) return true;
  const std::string& first = ops::signature(functional).parameters[0].name;
  for (const ops::InputGradient& gradient : functional.gradients)
    if (gradient.rule && ops::saves(gradient, first)) return true;
  return false;
}

/// What is recorded for an in-place form.
const ops::OpEntry& recorded_form(const ops::OpEntry& entry) {
  std::string_view own = entry.functional_form->recorded_in_place;
  return own.empty() ? *entry.functional_form : *ops::find_op(own);
}

void overwrite(OperatorRunner& runner, const Tensor& target, const Tensor& value) {
  static const ops::OpEntry& copy = *ops::find_op("copy_from_");
  const ops::Argument arguments[] = {target, value};
  runner.run(copy, arguments);
}

void take_history(const Tensor& target, const Edge& from) {
  if (from) return set_history(target, from.node, from.output);
  target->autograd = nullptr;
  set_requires_grad(target, false);
}

/// A call that saved its result saved the copy that is written into the target. What it reads is
/// the target, as in PyTorch: a later write to that is seen, and the copy is free.
void save_target(const Edge& from, const Tensor& value, const Tensor& target) {
  auto* call = from ? std::get_if<OperatorCall>(&from.node->work) : nullptr;
  if (!call) return;
  SavedTensor& saved = call->results[from.output];
  bool same =
      saved.tensor.defined() && value.dtype() == target.dtype() && value->sizes == target->sizes;
  if (same) saved = {without_history(target), version_of(target)};
}

/// The base of a written view: what it was, except for the part that was computed.
void rebase(const Tensor& base, const Edge& before, const Tensor& view, const Edge& part) {
  if (!before && !part) return;
  auto node = make_ref<Node>(CopySlices{geometry_of(view)});
  node->edges = {before, part};
  node->outputs.push_back(saved_type(base));
  set_history(base, std::move(node), 0);
  // The view's own history follows from the base's (`node_of`).
  make_meta(view).node = nullptr;
}

/// The function that writes `out` in the end, as messages name it.
std::string_view writer_name(const ops::OpEntry& entry) {
  constexpr std::pair<std::string_view, std::string_view> kWriters[] = {
      {"norm", "linalg_vector_norm"}, {"outer", "mul"}, {"hstack", "cat"}, {"vstack", "cat"}};
  for (const auto& [name, writer] : kWriters)
    if (name == entry.name) return writer;
  return ops::signature(entry).name;
}

}  // namespace

std::vector<Tensor> call_in_place(OperatorRunner& runner, const ops::OpEntry& entry,
                                  ops::Arguments arguments) {
  const ops::OpEntry& functional = recorded_form(entry);
  if (entry.decomposition == nullptr && std::string_view(entry.name).ends_with(".out"))
    throw ops::OpError{"RuntimeError",
                       fmt::format("{}(): functions with out=... arguments don't support automatic "
                                   "differentiation, but one of the arguments requires grad.",
                                   writer_name(functional))};
  const Tensor& target = arguments[0].tensor();
  check_may_write(target);
  std::vector<ops::Argument> inputs(arguments.begin(), arguments.end());
  std::vector<ops::InferArgument> types = ops::infer_arguments(arguments);
  // Raises where the result would not fit; sizes that masks decide are known when it has run.
  if (!functional.sizes_from_values || !functional.sizes_from_values(types))
    ops::infer(entry, types);
  if (may_save_target(functional)) inputs[0] = keep_old_value(runner, target);
  Tensor value = call_operator(runner, functional, inputs)[0];
  Edge part = edge_of(value);
  if (auto* call = part ? std::get_if<OperatorCall>(&part.node->work) : nullptr)
    call->in_place = true;
  if (target->base) {
    Tensor base(target->base);
    Edge before = edge_of(base);
    overwrite(runner, target, value);
    save_target(part, value, target);
    rebase(base, before, target, part);
  } else {
    overwrite(runner, target, value);
    save_target(part, value, target);
    take_history(target, part);
  }
  return {target};
}

void check_may_restride(const Tensor& target) {
  if (grad_mode() && target.requires_grad()) check_may_write(target);
}

void become_view(const Tensor& target, const Tensor& view) {
  Edge history = edge_of(view);
  show_memory(target.impl(), view.impl());
  target.bump_version();
  if (history) set_history(target, history.node, history.output);
}

}  // namespace glint::autograd
