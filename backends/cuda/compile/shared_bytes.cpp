#include "backends/cuda/compile/shared_bytes.h"

#include <algorithm>
#include <vector>

#include "backends/cuda/compile/number_behind.h"

namespace glint::cuda {
namespace {

constexpr std::string_view kEntry = ".entry ";

struct SharedVariable {
  std::string_view name;
  uint32_t alignment = 1;
  uint32_t bytes = 0;
};

/// `.shared .align 4 .b8 totals[32];` and `.shared .align 1 .u8 last;`
SharedVariable shared_variable(std::string_view line) {
  const uint32_t alignment = std::max(number_behind(line, ".align "), 1u);
  const bool is_array = line.find('[') != std::string_view::npos;
  const size_t end = line.find_first_of("[;");
  const size_t begin = line.rfind(' ', end) + 1;
  return {line.substr(begin, end - begin), alignment,
          is_array ? number_behind(line, "[") : alignment};
}

std::vector<SharedVariable> shared_variables(std::string_view text) {
  std::vector<SharedVariable> variables;
  constexpr std::string_view kDeclares = ".shared .align";
  for (size_t at = text.find(kDeclares); at != std::string_view::npos;
       at = text.find(kDeclares, at + 1)) {
    const SharedVariable variable = shared_variable(text.substr(at, text.find('\n', at) - at));
    const bool is_dynamic = variable.bytes == 0;
    if (!is_dynamic) variables.push_back(variable);
  }
  return variables;
}

/// Of those that the entry's text names, each where its alignment has it.
uint32_t bytes_of(std::string_view entry, const std::vector<SharedVariable>& before) {
  uint32_t total = 0, greatest = 1;
  const auto align = [&](uint32_t to) { total = (total + to - 1) / to * to; };
  for (const auto& variables : {before, shared_variables(entry)}) {
    for (const SharedVariable& variable : variables) {
      if (entry.find(variable.name) == std::string_view::npos) continue;
      align(variable.alignment);
      total += variable.bytes;
      greatest = std::max(greatest, variable.alignment);
    }
  }
  align(greatest);
  return total;
}

}  // namespace

std::map<std::string_view, uint32_t> shared_bytes(std::string_view ptx) {
  std::map<std::string_view, uint32_t> bytes;
  size_t begin = std::min(ptx.find(kEntry), ptx.size());
  const std::vector<SharedVariable> before = shared_variables(ptx.substr(0, begin));
  while (begin < ptx.size()) {
    const size_t end = std::min(ptx.find("\n}", begin), ptx.size());
    const std::string_view entry = ptx.substr(begin, end - begin);
    const std::string_view name = entry.substr(kEntry.size(), entry.find('(') - kEntry.size());
    bytes.emplace(name, bytes_of(entry, before));
    begin = std::min(ptx.find(kEntry, end), ptx.size());
  }
  return bytes;
}

uint32_t shared_bytes(std::string_view ptx, std::string_view entry) {
  const auto bytes = shared_bytes(ptx);
  const auto found = bytes.find(entry);
  return found == bytes.end() ? 0 : found->second;
}

}  // namespace glint::cuda
