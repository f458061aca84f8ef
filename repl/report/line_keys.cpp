#include "repl/report/line_keys.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "backends/statement_margin.h"

namespace glint::report {
namespace {

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::string_view word_at(std::string_view text, size_t begin) {
  size_t end = begin;
  while (end < text.size() && is_word(text[end])) ++end;
  return text.substr(begin, end - begin);
}

/// `   3  c = multiply a, b`
std::optional<uint32_t> leading_number(std::string_view text) {
  const size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return std::nullopt;
  uint32_t number = 0;
  const auto read = std::from_chars(text.data() + begin, text.data() + text.size(), number);
  if (read.ec != std::errc()) return std::nullopt;
  const bool ends = read.ptr < text.data() + text.size() && *read.ptr == ' ';
  return ends ? std::optional(number) : std::nullopt;
}

/// The name of the function that begins in a line of generated code; empty where none does.
std::string_view function_begun(Stage stage, std::string_view text) {
  auto behind = [&](std::string_view mark) {
    const size_t at = text.find(mark);
    return at == std::string_view::npos ? std::string_view() : word_at(text, at + mark.size());
  };
  switch (stage) {
    case Stage::kLlvm:
      return text.starts_with("define ") ? behind("@") : std::string_view();
    case Stage::kAssembly:
    case Stage::kSass: {
      const std::string_view word = word_at(text, 0);
      return text == std::string(word) + ":" ? word : std::string_view();
    }
    case Stage::kPtx:
      return behind(".entry ");
    case Stage::kCuda: {
      if (text.find("__global__") == std::string_view::npos) return {};
      const size_t end = text.rfind('(');
      if (end == std::string_view::npos) return {};
      size_t begin = end;
      while (begin > 0 && is_word(text[begin - 1])) --begin;
      return text.substr(begin, end - begin);
    }
    default:
      return {};
  }
}

}  // namespace

std::vector<KeyId> LineKeys::nodes_named(std::string_view text) const {
  std::vector<KeyId> keys;
  for (size_t at = text.find('%'); at != std::string_view::npos; at = text.find('%', at + 1)) {
    const KeyId key = links_.known_node(region_, std::string(word_at(text, at + 1)));
    if (key != kNone && std::ranges::find(keys, key) == keys.end()) keys.push_back(key);
  }
  return keys;
}

std::vector<KeyId> LineKeys::graph_line(std::string_view text) const {
  const size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  const bool defines = text[begin] == '%';
  return nodes_named(defines ? text.substr(0, text.find(" = ")) : text);
}

std::vector<KeyId> LineKeys::kernel_line(const StageLine& line) {
  const std::string_view text = line.text;
  auto named = [&](std::string_view mark) {
    const size_t at = text.find(mark);
    return at == std::string_view::npos ? std::string()
                                        : std::string(word_at(text, at + mark.size()));
  };
  if (text.starts_with("kernel ")) {
    kernel_ = begun_++;
    return {links_.kernel(region_, named("kernel "))};
  }
  if (text.starts_with("schedule ")) kernel_ = kNone;
  if (kernel_ != kNone && kernel_ < kernels_.size())
    if (auto number = leading_number(text))
      return {links_.statement(region_, kernels_[kernel_], *number)};
  if (text.starts_with("  launch ")) return {links_.kernel(region_, named("  launch "))};
  const size_t call = text.find(" from %");
  return call == std::string_view::npos ? graph_line(text) : nodes_named(text.substr(call));
}

uint32_t LineKeys::kernel_begun(std::string_view text) const {
  const std::string_view name = function_begun(stage_, text);
  if (name.empty()) return kNone;
  auto found = std::ranges::find(kernels_, name);
  // A name that was taken got a number; code stands in the order of the kernels.
  if (found == kernels_.end()) return begun_ < kernels_.size() ? begun_ : kNone;
  return static_cast<uint32_t>(found - kernels_.begin());
}

std::vector<KeyId> LineKeys::code_line(const StageLine& line) {
  const uint32_t begun = kernel_begun(line.text);
  if (begun != kNone) {
    kernel_ = begun;
    ++begun_;
    return {links_.kernel(region_, kernels_[begun])};
  }
  if (kernel_ == kNone) return links_.spans(line.origins);
  const bool native = stage_ == Stage::kLlvm || stage_ == Stage::kAssembly;
  if (auto number = statement_in_margin(line.text, native ? ";" : "//"))
    return {links_.statement(region_, kernels_[kernel_], *number)};
  return links_.spans(line.origins);
}

std::vector<KeyId> LineKeys::keys_of(const StageLine& line) {
  std::vector<KeyId> keys;
  switch (stage_) {
    case Stage::kGraph:
    case Stage::kPasses:
      keys = graph_line(line.text);
      break;
    case Stage::kMemory:
      keys = nodes_named(line.text);
      break;
    case Stage::kKernels:
      keys = kernel_line(line);
      break;
    case Stage::kLlvm:
    case Stage::kAssembly:
    case Stage::kCuda:
    case Stage::kPtx:
    case Stage::kSass:
      return code_line(line);
    default:
      break;
  }
  return keys.empty() ? links_.spans(line.origins) : keys;
}

}  // namespace glint::report
