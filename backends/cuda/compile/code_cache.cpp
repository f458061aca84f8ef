#include "backends/cuda/compile/code_cache.h"

#include <fmt/format.h>

#include <cstdio>

#include "backends/kept_text.h"

namespace glint::cuda {
namespace {

/// Changes whenever NVRTC is asked for something else than before, or something else is kept.
constexpr std::string_view kVersion = "3";

std::string key_of(const std::string& source, const std::string& architecture) {
  return fmt::format("{}\n{}\n{}", kVersion, architecture, source);
}

}  // namespace

static std::optional<KeptCode> read_code(const std::string& source,
                                         const std::string& architecture) {
  const auto text = find_text(KeptKind::kPtx, key_of(source, architecture));
  if (!text) return std::nullopt;
  const size_t head = text->find('\n') + 1;
  size_t ptx = 0, log = 0;
  if (std::sscanf(text->c_str(), "PTX %zu log %zu", &ptx, &log) != 2) return std::nullopt;
  const size_t cubin = head + ptx + log;
  if (cubin > text->size()) return std::nullopt;
  return KeptCode{text->substr(head, ptx), text->substr(cubin), text->substr(head + ptx, log)};
}

std::optional<KeptCode> find_code(const std::string& source, const std::string& architecture) {
  auto found = read_code(source, architecture);
  constexpr std::string_view kVirtual = "compute_";
  if (found || !architecture.starts_with(kVirtual)) return found;
  found = read_code(source, "sm_" + architecture.substr(kVirtual.size()));
  if (found) found->cubin.clear();  // a GPU of a later generation does not take it
  return found;
}

void keep_code(const std::string& source, const std::string& architecture, const KeptCode& code) {
  keep_text(KeptKind::kPtx, key_of(source, architecture),
            fmt::format("PTX {} log {}\n", code.ptx.size(), code.log.size()) + code.ptx + code.log +
                code.cubin);
}

}  // namespace glint::cuda
