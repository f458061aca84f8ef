#include "backends/cuda/compile/compile_cuda.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <deque>
#include <map>

#include "backends/cuda/compile/code_cache.h"
#include "backends/cuda/compile/number_behind.h"
#include "backends/cuda/compile/nvrtc.h"
#include "backends/cuda/compile/shared_bytes.h"
#include "backends/cuda/device/device.h"
#include "backends/statement_margin.h"
#include "core/support/environment.h"

namespace glint::cuda {
namespace {

constexpr std::string_view kDefaultArchitecture = "compute_80";

uint64_t programs = 0;

/// Compiled kernels by their text, architecture and options; the oldest go.
class KernelCache {
 public:
  static constexpr size_t kMost = 512;

  const CompiledKernel* find(const std::string& key) const {
    const auto found = kernels_.find(key);
    return found == kernels_.end() ? nullptr : &found->second;
  }
  void add(const std::string& key, CompiledKernel kernel) {
    if (!kernels_.emplace(key, std::move(kernel)).second) return;
    order_.push_back(key);
    if (order_.size() <= kMost) return;
    kernels_.erase(order_.front());
    order_.pop_front();
  }

 private:
  std::map<std::string, CompiledKernel> kernels_;
  std::deque<std::string> order_;
};

Result<std::vector<CompiledKernel>> compile_together(const std::vector<const Kernel*>& kernels,
                                                     const std::string& architecture,
                                                     const WriteOptions& write,
                                                     std::span<const LaunchShape> shapes) {
  WrittenProgram program = write_program(kernels, write, shapes);
  auto output = compile_text(program.source, architecture);
  if (!output) return output.error();
  if (output->ptx.empty()) return located_error(output->diagnostics, program, kernels);
  auto module = std::make_shared<CompiledModule>();
  module->source = std::move(program.source);
  module->lines = std::move(program.lines);
  module->ptx = std::move(output->ptx);
  module->cubin = std::move(output->cubin);
  module->architecture = architecture;
  const auto shared = shared_bytes(module->ptx);
  std::vector<CompiledKernel> compiled;
  for (size_t i = 0; i < kernels.size(); ++i) {
    WrittenKernel& each = program.kernels[i];
    const Loop* const whole = kernels[i]->whole_loop();
    const auto bytes = shared.find(each.entry);
    compiled.push_back({each.entry, module, std::move(each.parameters), each.grid, each.threads,
                        each.rows, each.elements, bytes == shared.end() ? 0 : bytes->second,
                        std::move(each.checks), each.moved,
                        whole ? std::optional(whole->extent) : std::nullopt});
  }
  return compiled;
}

/// Whether a symbol stands in a kernel's text: `s1`, and not `s12` or `%s1`.
bool mentions(std::string_view text, std::string_view symbol) {
  const auto is_of_name = [](char c) { return std::isalnum(c) != 0 || c == '_' || c == '%'; };
  for (size_t at = text.find(symbol); at != std::string_view::npos;
       at = text.find(symbol, at + 1)) {
    const size_t end = at + symbol.size();
    if ((at == 0 || !is_of_name(text[at - 1])) && (end == text.size() || !is_of_name(text[end])))
      return true;
  }
  return false;
}

/// Of a kernel's symbols that are no sizes.
std::string least_values(std::string_view text) {
  const ShapeEnvironment& symbols = ShapeEnvironment::current();
  std::string values;
  for (uint32_t k = 0; k < symbols.symbol_count(); ++k)
    if (symbols.least(k) != 2 && mentions(text, fmt::format("s{}", k)))
      values += fmt::format("s{} >= {}\n", k, symbols.least(k));
  return values;
}

}  // namespace

/// NVRTC names the text, and its own header, by the folder at hand, where neither is:
/// `.file 1 "/home/me/glint.cu"`.
static void remove_folder(std::string& ptx) {
  for (const std::string_view name : {"/glint.cu\"", "/__nv_nvrtc_builtin_header.h\""}) {
    for (size_t at = ptx.find(name); at != std::string::npos; at = ptx.find(name)) {
      const size_t open = ptx.rfind('"', at);
      ptx.erase(open + 1, at - open);
    }
  }
}

bool runs_on(std::string_view architecture, const GpuProperties& gpu) {
  const uint32_t its = gpu.major * 10 + gpu.minor;
  const uint32_t least = number_behind(architecture, "_");
  if (std::isdigit(static_cast<unsigned char>(architecture.back())) == 0) return least == its;
  const bool is_machine_code = architecture.starts_with("sm_");
  return least <= its && (!is_machine_code || least / 10 == gpu.major);
}

Result<std::string> architecture_of(const CudaOptions& options) {
  if (!options.architecture.empty()) return options.architecture;
  const auto asked = environment::value(environment::Variable::kCudaArch);
  if (asked && !options.for_launch) return *asked;
  const Result<Gpu*>& gpu = open_gpu();
  if (!gpu) return std::string(kDefaultArchitecture);
  const GpuProperties& properties = (*gpu)->properties();
  if (properties.is_simulated) return properties.architecture();
  if (asked && runs_on(*asked, properties)) return *asked;
  const auto& nvrtc = load_nvrtc();
  if (!nvrtc) return nvrtc.error();
  return (*nvrtc)->architecture_for(properties.major, properties.minor);
}

uint64_t program_count() {
  return programs;
}

Result<CompiledText> compile_text(const std::string& source, const std::string& architecture,
                                  const std::vector<std::string>& header_folders) {
  ++programs;
  return code_of_text(source, architecture, header_folders);
}

Result<CompiledText> code_of_text(const std::string& source, const std::string& architecture,
                                  const std::vector<std::string>& header_folders) {
  // Another toolkit's headers make other code.
  std::string target = architecture;
  for (const std::string& folder : header_folders) target += " " + folder;
  if (auto kept = find_code(source, target))
    return CompiledText{std::move(kept->ptx), std::move(kept->cubin), parse_log(kept->log, source)};
  const auto& nvrtc = load_nvrtc();
  if (!nvrtc) return nvrtc.error();
  auto output = nvrtc.value()->compile(source, architecture, header_folders);
  if (!output) return output.error();
  remove_folder(output->ptx);
  if (!output->ptx.empty()) keep_code(source, target, {output->ptx, output->cubin, output->log});
  return CompiledText{std::move(output->ptx), std::move(output->cubin),
                      parse_log(output->log, source)};
}

Result<std::shared_ptr<const CompiledModule>> compiled_module(std::string source) {
  auto architecture = architecture_of({});
  if (!architecture) return architecture.error();
  auto compiled = compile_text(source, *architecture);
  if (!compiled) return compiled.error();
  if (compiled->ptx.empty()) return located_error(compiled->diagnostics, {}, {});
  auto module = std::make_shared<CompiledModule>();
  module->source = std::move(source);
  module->ptx = std::move(compiled->ptx);
  module->cubin = std::move(compiled->cubin);
  module->architecture = std::move(*architecture);
  return std::shared_ptr<const CompiledModule>(std::move(module));
}

Error located_error(const std::vector<Diagnostic>& diagnostics, const WrittenProgram& program,
                    const std::vector<const Kernel*>& kernels) {
  for (const Diagnostic& each : diagnostics) {
    if (!each.is_error()) continue;
    Error error{"nvrtc: " + each.message};
    const uint32_t line = each.header.empty() ? each.line : each.instantiated_at;
    if (line == 0 || line > program.lines.size()) return error;
    const SourceLine& from = program.lines[line - 1];
    error.message += fmt::format(" (line {}", line);
    if (from.kernel < kernels.size()) {
      const Kernel& kernel = *kernels[from.kernel];
      error.message += fmt::format(", kernel {}", kernel.name);
      if (from.statement < kernel.statements.size()) {
        error.message += fmt::format(", statement {}", from.statement);
        const KernelOrigin* origin = origin_of(kernel, from.statement);
        if (origin != nullptr && !origin->spans.empty()) error.span = origin->spans.front();
      }
    }
    error.message += ")";
    return error;
  }
  return Error{"nvrtc: it made no PTX and did not say why"};
}

Result<std::vector<CompiledKernel>> compile_cuda(const std::vector<const Kernel*>& kernels,
                                                 const CudaOptions& options) {
  static KernelCache& cache = *new KernelCache;
  const Result<std::string> found_architecture = architecture_of(options);
  if (!found_architecture) return found_architecture.error();
  const std::string& architecture = *found_architecture;
  const WriteOptions& write = options.write;
  if (!options.reuses_code) return compile_together(kernels, architecture, write, options.shapes);
  std::vector<CompiledKernel> result(kernels.size());
  std::vector<const Kernel*> missing;
  std::vector<LaunchShape> shapes;
  std::vector<size_t> places;
  std::vector<std::string> keys;
  for (size_t i = 0; i < kernels.size(); ++i) {
    const LaunchShape& shape = options.shapes.empty() ? write.shape : options.shapes[i];
    const std::string text = print(*kernels[i]);
    std::string key = fmt::format("{}\n{}\n{}\n{}\n{}\n{}", architecture, write.checks_bounds,
                                  write.cache_bytes, least_values(text), print(shape), text);
    if (const CompiledKernel* known = cache.find(key)) {
      result[i] = *known;
      continue;
    }
    missing.push_back(kernels[i]);
    shapes.push_back(shape);
    places.push_back(i);
    keys.push_back(std::move(key));
  }
  if (missing.empty()) return result;
  auto compiled = compile_together(missing, architecture, write, shapes);
  if (!compiled) return compiled.error();
  for (size_t k = 0; k < missing.size(); ++k) {
    result[places[k]] = (*compiled)[k];
    cache.add(keys[k], std::move((*compiled)[k]));
  }
  return result;
}

}  // namespace glint::cuda
