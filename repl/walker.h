// A walk on the terminal, one step at a time: what `:step` opens.
//
//     graph f   2 of 4
//       %matmul = matmul %softmax, %y   : f32[4, 8]
//     > %mul = multiply %matmul, 2      : f32[4, 8]
//       %sum = sum %mul, dim=1          : f32[4]
//
//     reads  %matmul  float32[4, 8]  0.5, ...
//
// Right, Down, Enter, Space or n goes on; Left, Up, Backspace or p goes back; Home and End; a
// number and Enter goes to the step of that number. In a warp's way l and L go to the next line of
// the source and the one before, b and B to a barrier, a shuffle or a store. q, Esc, Ctrl-C or
// Ctrl-D leaves; Ctrl-Z goes back to the shell until `fg`. The last view stays on the screen.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
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
  const WalkStep& step() const { return walk().steps[places_[at_].second]; }
  bool act_on_letter(std::string_view letter);
  /// Whether the key is part of a number, or ends one.
  bool act_on_number(const Key& key);
  void go(bool onwards);
  /// To the step of that number in the walk, or the one next to it.
  void go_to(uint64_t number);
  /// To the next step that is such a one; where a walk has none, to its end first.
  void jump(bool onwards, bool (*is_one)(const WalkStep&));

  const std::vector<Walk>* walks_;
  std::vector<std::pair<size_t, size_t>> places_;  ///< walk and step of each stop
  size_t at_ = 0;
  std::string number_;  ///< as far as it was typed
};

/// Goes along the walks until a key leaves. The terminal must be usable.
void walk_on_terminal(const std::vector<Walk>& walks);

/// All steps as text, for a pipe and a notebook.
std::string walk_text(const Walk& walk);

}  // namespace glint
