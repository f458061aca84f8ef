// The texts of `page/`, embedded by cmake/report.cmake.
#pragma once

#include <span>
#include <string_view>

namespace glint::report {

struct PageText {
  std::string_view name;  ///< `links.js`
  std::string_view text;
};

/// In the order in which they stand in the page.
std::span<const PageText> page_texts();

}  // namespace glint::report
