#include "backends/cuda/launch/static_shared.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string_view>

#include "backends/cuda/compile/shared_bytes.h"

namespace glint::cuda {
namespace {

constexpr uint64_t kMostDeclared = 48 * 1024;

bool is_of_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// `scale` of `_Z5scaleIiEvPT_`, and of `scale`.
std::string_view name_in_source(std::string_view entry) {
  if (!entry.starts_with("_Z")) return entry;
  std::string_view rest = entry.substr(2);
  size_t length = 0;
  for (; !rest.empty() && std::isdigit(static_cast<unsigned char>(rest[0])) != 0;
       rest.remove_prefix(1))
    length = 10 * length + static_cast<size_t>(rest[0] - '0');
  return length == 0 ? entry : rest.substr(0, length);
}

/// Where a kernel of that name begins: behind `__global__`, before a parenthesis.
size_t place_of(std::string_view source, std::string_view name) {
  for (size_t at = source.find(name); at != std::string_view::npos;
       at = source.find(name, at + 1)) {
    const size_t end = at + name.size();
    const size_t next = source.find_first_not_of(" \t\n", end);
    const bool is_whole = (at == 0 || !is_of_name(source[at - 1])) &&
                          next != std::string_view::npos && source[next] == '(';
    const size_t global = source.rfind("__global__", at);
    if (is_whole && global != std::string_view::npos &&
        source.substr(global, at - global).find_first_of(";{}") == std::string_view::npos)
      return at;
  }
  return std::string_view::npos;
}

Diagnostic problem(std::string_view source, std::string_view entry, uint64_t bytes,
                   uint32_t block_bytes) {
  const std::string_view name = name_in_source(entry);
  Diagnostic made{
      .message = fmt::format(
          "`{}` declares {} bytes of shared memory, of which a kernel can declare {}; `extern "
          "__shared__` and `shared_mem` give it up to {}",
          name, bytes, kMostDeclared, block_bytes)};
  const size_t at = place_of(source, name);
  if (at == std::string_view::npos) return made;
  made.line = 1 + static_cast<uint32_t>(std::ranges::count(source.substr(0, at), '\n'));
  const size_t begin = at == 0 ? 0 : source.rfind('\n', at - 1) + 1;
  std::string_view line = source.substr(begin, source.find('\n', at) - begin);
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  made.quote = fmt::format("\n    {}", line);
  return made;
}

}  // namespace

std::optional<Diagnostic> static_shared_problem(const std::string& source, const std::string& entry,
                                                const std::string& ptx, uint32_t block_bytes) {
  const uint64_t bytes = shared_bytes(ptx, entry);
  if (bytes <= kMostDeclared) return std::nullopt;
  return problem(source, entry, bytes, block_bytes);
}

Diagnostic with_static_shared(Diagnostic diagnostic, const std::string& source,
                              uint32_t block_bytes) {
  constexpr std::string_view kBegin = "Entry function '";
  constexpr std::string_view kMiddle = "' uses too much shared data (";
  const std::string_view text = diagnostic.message;
  const size_t middle = text.find(kMiddle);
  if (!text.starts_with(kBegin) || middle == std::string_view::npos) return diagnostic;
  const std::string entry(text.substr(kBegin.size(), middle - kBegin.size()));
  const std::string number(text.substr(middle + kMiddle.size()));
  return problem(source, entry, std::strtoull(number.c_str(), nullptr, 16), block_bytes);
}

}  // namespace glint::cuda
