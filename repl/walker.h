// A walk on the terminal, one step at a time: what `:step` opens.
//
//     graph f   2 of 4
//       %matmul = matmul %softmax, %y   : f32[4, 8]
//     > %mul = multiply %matmul, 2      : f32[4, 8]
//       %sum = sum %mul, dim=1          : f32[4]
//
//     reads  %matmul  float32[4, 8]  0.5, ...
//
// Right, Down, Enter, Space or n goes on; Left, Up, Backspace or p goes back; Home and End; q, Esc,
// Ctrl-C or Ctrl-D leaves; Ctrl-Z goes back to the shell until `fg`. The last view stays on the
// screen.
#pragma once

#include <string>
#include <vector>

#include "repl/keys.h"
#include "runtime/session/walk.h"

namespace glint {

/// Where somebody stands in some walks that follow one another.
class WalkPosition {
 public:
  explicit WalkPosition(const std::vector<Walk>& walks);
  /// Moves as the key says; false: it leaves.
  bool act(const Key& key);
  /// The view, so many columns wide and at most so many lines high.
  std::vector<std::string> view(size_t columns, size_t height) const;

 private:
  const Walk& walk() const { return (*walks_)[places_[at_].first]; }

  const std::vector<Walk>* walks_;
  std::vector<std::pair<size_t, size_t>> places_;  ///< walk and step of each stop
  size_t at_ = 0;
};

/// Goes along the walks until a key leaves. The terminal must be usable.
void walk_on_terminal(const std::vector<Walk>& walks);

/// All steps as text, for a pipe and a notebook.
std::string walk_text(const Walk& walk);

}  // namespace glint
