#include "runtime/capture/script_repro.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "core/support/environment.h"
#include "core/support/typed_source.h"

namespace glint::capture {
namespace {

/// The entries of a REPL up to that one, each with a blank line behind it, where a block ends; any
/// other text is whole.
std::string text_until(const SourceMap& sources, glint::SourceId last) {
  if (!is_typed(sources.name(last))) return std::string(sources.text(last));
  std::string text;
  for (uint32_t i = 1; i <= static_cast<uint32_t>(last); ++i) {
    auto entry = static_cast<glint::SourceId>(i);
    if (is_typed(sources.name(entry))) text += fmt::format("{}\n\n", sources.text(entry));
  }
  return text;
}

}  // namespace

std::string script_repro(const SourceMap& sources, const runtime::Frame* frame) {
  while (frame->caller) frame = frame->caller;
  glint::SourceId source = frame->program().span.source;
  std::string path(sources.name(source));
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) {
    std::string folder = environment::cache_folder();
    std::filesystem::create_directories(folder, ignored);
    path = fmt::format("{}/repro_script_{}.py", folder, static_cast<uint32_t>(source));
    std::ofstream file(path);
    file << text_until(sources, source);
    file.close();
    if (!file) return fmt::format("no repro: `{}` cannot be written", folder);
  }
  return fmt::format("repro: glint run {}", path);
}

}  // namespace glint::capture
