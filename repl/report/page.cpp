#include "repl/report/page.h"

#include "core/support/check.h"
#include "repl/render/palette.h"
#include "repl/report/json.h"
#include "repl/report/page_texts.h"

namespace glint::report {
namespace {

/// All embedded texts of a kind, one behind the other.
std::string texts_of(std::string_view ending) {
  std::string all;
  for (const PageText& each : page_texts())
    if (each.name.ends_with(ending)) all += each.text;
  return all;
}

/// The frame has a mark for each part.
void fill(std::string& frame, std::string_view mark, const std::string& text) {
  const size_t at = frame.find(mark);
  check(at != std::string::npos, "the frame of the page has a mark for each of its parts");
  frame.replace(at, mark.size(), text);
}

}  // namespace

std::string html_page(const Document& document) {
  std::string page = texts_of(".html");
  // From the last part to the first, so that no text is searched for marks.
  fill(page, "{{scripts}}", texts_of(".js"));
  fill(page, "{{document}}", to_json(document));
  fill(page, "{{style}}", texts_of(".css") + render::colour_styles());
  fill(page, "{{title}}", html_text(document.title));
  return page;
}

std::string html_text(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

}  // namespace glint::report
