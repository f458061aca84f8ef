// `glint explore FILE`: the report of a script on a page of this machine's own, made anew as the
// script changes.
//
//     $ glint explore demo.py
//     glint: http://127.0.0.1:43121/5f0c.../     until Ctrl-C
//
// 1. `glint report` runs the script in a process of its own, which a change ends; what it prints
// goes
//    to the terminal. So nothing that a script does ends the server.
// 2. The page is kept, with a few lines that ask for its number and load it again when that has
//    changed; a browser then keeps its place, which the page's address holds.
// 3. Every fifth of a second the Python files of the script's folder are looked at.
//
// A plugin serves it (repl/explore), so that no other start of the program pays for its libraries.
#pragma once

#include "repl/command_line.h"

namespace glint {

/// Gives the process's exit code, where it cannot begin.
int explore_script(const ExploreRequest& request);

/// The page with the lines that load it again when its number is not `version` any more.
std::string live_page(std::string page, uint64_t version);

}  // namespace glint
