#include "repl/examples.h"

#include <algorithm>

#include "repl/render/text.h"

namespace glint {
namespace {

constexpr std::string_view kHeading = "\n## ";

struct Section {
  std::string_view name, text;
};

std::vector<Section> sections() {
  std::vector<Section> found;
  std::string_view page = examples_page();
  for (size_t at = page.find(kHeading); at != std::string_view::npos;) {
    const size_t begin = at + kHeading.size(), end = page.find('\n', begin);
    at = page.find(kHeading, end);
    std::string_view text = page.substr(end, at == std::string_view::npos ? at : at + 1 - end);
    text.remove_prefix(std::min(text.find_first_not_of('\n'), text.size()));
    text = text.substr(0, text.find_last_not_of('\n') + 1);
    found.push_back({page.substr(begin, end - begin), text});
  }
  return found;
}

}  // namespace

std::string_view example_markdown(std::string_view name) {
  const std::vector<Section> all = sections();
  auto section = std::ranges::find(all, name, &Section::name);
  return section == all.end() ? std::string_view() : section->text;
}

std::string example_of(std::string_view name) {
  std::string text;
  bool in_block = false;
  for (std::string_view line : render::lines_of(example_markdown(name))) {
    if (line.starts_with("```")) {
      in_block = !in_block;
      continue;
    }
    text += line.empty() ? "\n" : "  " + std::string(line) + "\n";
  }
  return text;
}

std::vector<std::string_view> example_names() {
  std::vector<std::string_view> names;
  for (const Section& section : sections()) names.push_back(section.name);
  return names;
}

}  // namespace glint
