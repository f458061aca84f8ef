// What is pasted, taken apart into the entries that typing it would have made.
//
//     def f(x):               one entry: the lines of a block and the empty ones between them
//         return x
//     f(1)                    the next, although no empty line ended the block
//     print("not yet")        the rest, where no line end follows: it waits for Enter
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace glint {

struct PastedEntries {
  std::vector<std::string> complete = {};  ///< each can run, in order
  std::string rest = {};                   ///< what stays in the editor, to be gone on with
};

/// Takes a text apart; `is_complete` says whether an entry can run as it stands. Each entry begins
/// with a line that is not empty, and ends before the first line that cannot belong to it.
PastedEntries split_pasted(std::string_view text,
                           const std::function<bool(const std::string&)>& is_complete);

/// The text without the prompts (`>>> `, `... `, `In [3]: `, `   ...: `) of a session that it was
/// copied from, and without what that session printed: its lines without one. Only a text that
/// begins with a prompt has them: a line `...` is an expression elsewhere.
std::string without_prompts(std::string_view text);

/// The text as far out as its first line, where no line stands further out.
std::string without_margin(std::string_view text);

/// A text's lines; at least one, the last one empty where the text ends in a line end.
std::vector<std::string> split_lines(std::string_view text);

}  // namespace glint
