#include "backends/cuda/launch/text_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <tuple>
#include <utility>

#include "backends/cuda/codegen/kernel_writer.h"
#include "backends/cuda/codegen/wrap_line.h"
#include "backends/cuda/compile/compile_cuda.h"
#include "backends/cuda/compile/nvrtc.h"
#include "backends/cuda/compile/register_counts.h"
#include "backends/cuda/device/device_memory.h"
#include "backends/cuda/device/launch_entry.h"
#include "backends/cuda/launch/static_shared.h"
#include "ops/op.h"

namespace glint::cuda {
namespace {

/// As the texts that go by strides say.
constexpr uint32_t kThreads = 256;

/// `glint.cu:3: error: identifier "y" is undefined`, each error on a line of its own.
std::string errors_text(const std::vector<Diagnostic>& diagnostics, const std::string& source,
                        uint32_t block_bytes) {
  std::string text;
  for (const Diagnostic& each : diagnostics) {
    if (!each.is_error()) continue;
    if (!text.empty()) text += "\n";
    text += print(with_static_shared(each, source, block_bytes));
  }
  return text.empty() ? "nvrtc made no PTX and did not say why" : text;
}

[[noreturn]] void fail_to_make(const std::string& message) {
  throw ops::OpError{"RuntimeError", message};
}

constexpr const char* kNoHeaders =
    "\nCUDA's headers were not found: they are a toolkit's (/usr/local/cuda/include), or those of "
    "`pip install nvidia-cuda-runtime`";

/// The name that C++ made of a kernel's; `part` is what stands for the kernel's own in it. A
/// template's arguments follow behind an `I`.
std::string hint_of_mangled(const std::string& name, const std::string& part) {
  if (name.compare(name.find(part) + part.size(), 1, "I") == 0)
    return fmt::format("\nthe kernel is there as `{}`, made of a template: that name finds it",
                       name);
  return fmt::format("\nthe kernel is there as `{}`: write `extern \"C\"` before `__global__`",
                     name);
}

std::string hint_of_none(const std::string& source) {
  if (source.find("template") == std::string::npos)
    return "\nthe source has no `__global__` function";
  return "\nthe source makes no `__global__` function of a template: "
         "`template __global__ void f<int>(int*);` makes one";
}

/// A kernel that is not found may be there under a name that C++ made of it. Nothing of one that is
/// there, and is at fault otherwise.
std::string hint_of_name(const std::string& ptx, const std::string& source,
                         const std::string& entry) {
  if (ptx.find(".entry " + entry + "(") != std::string::npos) return "";
  const std::string name_alone = entry.substr(0, entry.find('<'));
  const std::string part = fmt::format("{}{}", name_alone.size(), name_alone);  // of `_Z5scalePf`
  constexpr std::string_view kWord = ".entry ";
  std::string names;
  for (size_t at = ptx.find(kWord); at != std::string::npos; at = ptx.find(kWord, at + 1)) {
    const size_t begin = at + kWord.size();
    const std::string name = ptx.substr(begin, ptx.find('(', begin) - begin);
    if (name.starts_with("_Z") && name.find(part) != std::string::npos)
      return hint_of_mangled(name, part);
    names += fmt::format("{}`{}`", names.empty() ? "" : ", ", name);
  }
  return names.empty() ? hint_of_none(source) : fmt::format("\nthe source has {}", names);
}

/// The number that a text begins with.
uint32_t number_at(std::string_view text) {
  uint32_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// Of `.u64 .ptr .align 1 scale_param_0`, or `.align 4 .b8 scale_param_1[12]`.
TextParameter parameter_of(std::string_view declared) {
  if (const size_t bracket = declared.find('['); bracket != std::string_view::npos)
    return {.type = "b8", .bytes = number_at(declared.substr(bracket + 1)), .is_struct = true};
  const std::string_view type = declared.substr(1, declared.find(' ') - 1);
  return {.type = std::string(type), .bytes = number_at(type.substr(1)) / 8};
}

std::deque<WrittenText>& texts_of_users() {
  static auto& all = *new std::deque<WrittenText>;
  return all;
}

std::vector<std::string>& untold_warnings() {
  static auto& all = *new std::vector<std::string>;
  return all;
}

/// A text that has several kernels is compiled for each of them.
void note_warnings(const std::string& source, const std::vector<Diagnostic>& diagnostics) {
  const auto is_of_text = [&](const WrittenText& each) { return each.module->source == source; };
  if (std::ranges::any_of(texts_of_users(), is_of_text)) return;
  for (const Diagnostic& each : diagnostics)
    if (!each.is_error()) untold_warnings().push_back(print(each));
}

RegistersOf registers_by_machine_code(const std::string& source, const std::string& architecture) {
  return [=](const std::string& entry) {
    const auto count = assembled_registers(source, architecture, entry);
    return count ? std::optional(*count) : std::nullopt;
  };
}

std::shared_ptr<const CompiledModule> written_module(const std::string& source,
                                                     const CompiledText& compiled,
                                                     const std::string& architecture) {
  auto module = std::make_shared<CompiledModule>();
  module->source = source;
  module->ptx = compiled.ptx;
  module->cubin = compiled.cubin;
  module->architecture = architecture;
  module->is_written_by_hand = true;
  return module;
}

TextKernel make(const std::string& source, const std::string& entry, TextAuthor author) {
  Gpu& gpu = need_gpu_beside_launches();
  const auto architecture = architecture_of({.for_launch = true});
  if (!architecture) fail_to_make(architecture.error().message);
  const bool may_include =
      author == TextAuthor::kUser && source.find("#include") != std::string::npos;
  const std::vector<std::string> folders = folders_for_includes(source);
  const auto compiled = compile_text(source, *architecture, folders);
  if (!compiled) fail_to_make(compiled.error().message);
  const uint32_t block_bytes = gpu.properties().block_shared_bytes;
  if (compiled->ptx.empty())
    fail_to_make(errors_text(compiled->diagnostics, source, block_bytes) +
                 (may_include && folders.empty() ? kNoHeaders : ""));
  if (auto problem = static_shared_problem(source, entry, compiled->ptx, block_bytes))
    fail_to_make(print(*problem));
  auto module = gpu.load({compiled->ptx, compiled->cubin, source, author == TextAuthor::kUser,
                          registers_by_machine_code(source, *architecture)});
  if (!module) fail_on_device(module.error());
  auto found = (*module)->entry(entry);
  if (!found) fail_to_make(found.error().message + hint_of_name(compiled->ptx, source, entry));
  if (author == TextAuthor::kUser) {
    note_warnings(source, compiled->diagnostics);
    texts_of_users().push_back({entry, written_module(source, *compiled, *architecture)});
  }
  return {std::move(*module), std::move(*found), text_parameters(compiled->ptx, entry)};
}

}  // namespace

const TextKernel& write_kernel(const std::string& source, const std::string& entry) {
  const TextKernel& kernel = text_kernel(source, entry, TextAuthor::kUser);
  std::deque<WrittenText>& all = texts_of_users();
  const auto found = std::ranges::find_if(all, [&](const WrittenText& each) {
    return each.entry == entry && each.module->source == source;
  });
  std::rotate(found, found + 1, all.end());
  return kernel;
}

const std::deque<WrittenText>& written_texts() {
  return texts_of_users();
}

std::vector<std::string> take_warnings() {
  return std::exchange(untold_warnings(), {});
}

std::vector<TextParameter> text_parameters(const std::string& ptx, const std::string& entry) {
  std::vector<TextParameter> parameters;
  const size_t begin = std::min(ptx.find(".entry " + entry + "("), ptx.size());
  const size_t end = std::min(ptx.find(')', begin), ptx.size());
  constexpr std::string_view kWord = ".param ";
  for (size_t at = ptx.find(kWord, begin); at < end; at = ptx.find(kWord, at + 1)) {
    const size_t from = at + kWord.size();
    const size_t to = std::min(ptx.find(',', from), end);
    parameters.push_back(parameter_of(std::string_view(ptx).substr(from, to - from)));
  }
  return parameters;
}

void TextKernel::launch(int64_t blocks, uint32_t threads,
                        std::vector<GpuArgument> arguments) const {
  GpuLaunch launch;
  launch.grid[0] = static_cast<uint32_t>(std::max<int64_t>(blocks, 1));
  launch.block[0] = threads;
  launch.arguments = std::move(arguments);
  launch_entry(*entry_, launch);
}

void TextKernel::launch_blocks(int64_t blocks, std::vector<GpuArgument> arguments) const {
  launch(std::min(blocks, kMostBlocks), kThreads, std::move(arguments));
}

void TextKernel::launch_threads(int64_t threads, std::vector<GpuArgument> arguments) const {
  launch_blocks((threads + kThreads - 1) / kThreads, std::move(arguments));
}

const TextKernel& text_kernel(const std::string& source, const std::string& entry,
                              TextAuthor author) {
  static auto& known = *new std::map<std::tuple<std::string, std::string, TextAuthor>, TextKernel>;
  const std::tuple key(entry, source, author);
  const auto found = known.find(key);
  if (found != known.end()) return found->second;
  // Names that are put into a text of ours make some of its lines too long; a user's is as it is.
  const bool is_ours = author == TextAuthor::kGlint;
  return known.emplace(key, make(is_ours ? wrapped_text(source) : source, entry, author))
      .first->second;
}

}  // namespace glint::cuda
