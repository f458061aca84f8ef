// Recording: which calls of operators become nodes of the tape, and what the nodes save.
//
//     call_operator(runner, mul, {w, 3})     runs `mul`; w requires a gradient, so the result's
//     history is
//                                   MulBackward0 with one edge, to w
//
// An operator with gradient rules becomes one node. One without runs its decomposition, operator
// by operator, each recorded. Saved is what the rules of the wanted inputs say that they read, and
// nothing else; a tensor that is not saved may be freed or overwritten.
#pragma once

#include <string_view>
#include <vector>

#include "ir/tensor_type.h"
#include "runtime/autograd/node.h"

namespace glint::autograd {

/// Runs operators, eagerly or into a trace; the interpreter implements it.
class OperatorRunner {
 public:
  virtual ~OperatorRunner() = default;
  /// Runs one call, without recording it. Throws OpError, or Interrupted.
  virtual std::vector<Tensor> run(const ops::OpEntry& entry, ops::Arguments arguments) = 0;
  virtual TensorType type(const Tensor& tensor) = 0;
  /// Whether calls run at once, and nobody looks at each of them.
  virtual bool runs_at_once() const { return false; }
  /// What runs from now on is the derivative of this node's call; null: no longer.
  virtual void differentiating(const Node* node) {}
  /// Where the script is, as a traceback has it; and a warning to the user.
  virtual std::string where() = 0;
  virtual void warn(const std::string& message) = 0;
};

/// Thrown where an operator cannot run for a reason that is no mistake of the user's: an exception
/// is already pending, or a trace has ended.
struct Interrupted {};

/// Whether a call has to be recorded: grad mode is on, and a tensor requires a gradient.
bool wants_record(ops::Arguments arguments);

/// Throws where a tensor was made in inference mode: no node may keep it.
void check_may_save(const Tensor& tensor);

/// Runs one call, and records it if it has to be. One argument a parameter, in the signature's
/// order; trailing defaults may be left off.
std::vector<Tensor> call_operator(OperatorRunner& runner, const ops::OpEntry& entry,
                                  ops::Arguments arguments);

/// Puts a call that has run, of an operator with gradient rules, on the tape.
void record(const ops::OpEntry& entry, ops::Arguments arguments, std::vector<Tensor>& results);

/// A write into the first argument, recorded: `x.mul_(y)` computes `x * y`, puts it into x's
/// memory, and x's history becomes the product's (in_place.cpp).
std::vector<Tensor> call_in_place(OperatorRunner& runner, const ops::OpEntry& entry,
                                  ops::Arguments arguments);

/// `x.t_()`: lets a tensor become a view that was made of it, with the view's history. Before that
/// view is made, `check_may_restride` throws where the tensor must stay what it is.
void check_may_restride(const Tensor& target);
void become_view(const Tensor& target, const Tensor& view);
/// Makes a tensor a view of another on the same storage, whose sizes and strides need not be those
/// of a view of it; gradients flow to that one (views.cpp).
void show_window(const Tensor& window, const Tensor& of);

/// Throws where a view was made without grad mode: how its memory "is being" written, or was.
void check_made_with_grad_mode(const Tensor& view, std::string_view written);

/// Another tensor on the same memory, without history.
Tensor without_history(const Tensor& tensor);

}  // namespace glint::autograd
