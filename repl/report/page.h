// The document as one HTML file that opens by itself: the texts of `page/`, which are embedded at
// build time, around the document's JSON. It fetches nothing, and a policy in it forbids that it
// ever does.
//
//     write_file("out.html", html_page(document))
#pragma once

#include <string>

#include "repl/report/document.h"

namespace glint::report {

std::string html_page(const Document& document);

/// `a &lt; b`: a text between tags or in an attribute.
std::string html_text(std::string_view text);

}  // namespace glint::report
