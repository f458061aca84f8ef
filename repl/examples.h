// An example of each command, with what it prints: the sections of repl/examples.md, which is
// embedded in the program.
//
//     example_of("mode")       a line of prose, if there is one, then ">>> :mode compiled",
//     "compiled"
//
// tests/tools/session_test.py enters the page's sessions and compares what is printed now.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace glint {

/// The whole page, in Markdown.
std::string_view examples_page();
/// The section of that name, in Markdown, without its heading; empty where there is none.
std::string_view example_markdown(std::string_view name);
/// The same for a terminal: the lines of blocks are indented, their fences left out.
std::string example_of(std::string_view name);
/// The sections, in their order.
std::vector<std::string_view> example_names();

}  // namespace glint
