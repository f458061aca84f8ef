#include "backends/cuda/listing/text_lines.h"

#include <fmt/format.h>

#include <algorithm>

#include "backends/cuda/device/device.h"

namespace glint::cuda {

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string_view line_at(const std::vector<std::string_view>& lines, uint32_t number) {
  return number == 0 || number > lines.size() ? std::string_view() : lines[number - 1];
}

uint32_t line_in_text(const std::vector<std::string>& files, simulator::SourceLine at) {
  const bool is_own = at.file < files.size() && files[at.file].ends_with(kSourceName);
  return is_own ? at.line : 0;
}

std::string without_tabs(std::string_view line, size_t column) {
  const size_t begin = std::min(line.find_first_not_of('\t'), line.size());
  const std::string indentation(4 * begin, ' ');
  line.remove_prefix(begin);
  const size_t tab = line.find('\t');
  if (tab == std::string_view::npos) return indentation + std::string(line);
  const std::string_view opcode = line.substr(0, line.find_last_not_of(" \t", tab) + 1);
  std::string operands(line.substr(line.find_first_not_of('\t', tab)));
  std::ranges::replace(operands, '\t', ' ');
  return fmt::format("{}{:<{}}{}", indentation, opcode, std::max(column, opcode.size() + 2),
                     operands);
}

uint32_t TextLines::line_of(simulator::SourceLine own, simulator::SourceLine of_entry) {
  uint32_t line = is_written_by_hand_ ? line_in_text(files_, own) : 0;
  if (line == 0) line = line_in_text(files_, of_entry);
  if (line != 0) last_ = line;
  return last_;
}

}  // namespace glint::cuda
