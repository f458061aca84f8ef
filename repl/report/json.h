// The document as JSON, in the compact form that the page reads.
//
//     {"format": 1, "title": "demo.py", "stages": [["graph", "the tensor operations ..."], ...],
//      "keys": [[0, 1, 5, 19, 5, 24, 3], [1, "%mul", 0, [4]], ...],
//      "panels": [{"stage": 5, "title": "f", "region": 0, "lines": [["%mul = ...", [9]], ...]}]}
//
// A span's key is [0, source, line, column, end line, end column, the key around it], any other
// [kind, name, region, the keys that it is from]; -1 stands for none. What a page would read as
// markup (`<`, `&`) and what ends a line in a script is written as an escape, so that the text may
// stand between the tags of a page as it is; bytes that are no UTF-8 become U+FFFD.
#pragma once

#include <string>
#include <string_view>

#include "repl/report/document.h"

namespace glint::report {

std::string to_json(const Document& document);

/// `"a\u003c/script>"`
std::string json_string(std::string_view text);

}  // namespace glint::report
