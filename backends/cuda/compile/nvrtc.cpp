#include "backends/cuda/compile/nvrtc.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <mutex>

#include "backends/cuda/compile/c_headers.h"
#include "backends/cuda/compile/interrupts_postponed.h"
#include "backends/cuda/device/device.h"
#include "backends/cuda/libraries/find_function.h"
#include "backends/cuda/libraries/foreign_code.h"
#include "backends/cuda/libraries/load_library.h"
#include "backends/cuda/libraries/toolkit.h"
#include "core/support/apart.h"

namespace glint::cuda {
namespace {

using Program = struct OpaqueProgram*;
constexpr int kSuccess = 0;

/// NVRTC's functions, as its manual has them.
struct Functions {
  int (*version)(int* major, int* minor);
  const char* (*error_text)(int result);
  int (*create)(Program*, const char* source, const char* name, int headers,
                const char* const* header_texts, const char* const* header_names);
  int (*compile)(Program, int count, const char* const* options);
  int (*destroy)(Program*);
  int (*ptx_size)(Program, size_t*);
  int (*ptx)(Program, char*);
  int (*cubin_size)(Program, size_t*);
  int (*cubin)(Program, char*);
  int (*log_size)(Program, size_t*);
  int (*log)(Program, char*);
  int (*architecture_count)(int*);
  int (*architectures)(int*);
};

bool find_functions(void* library, Functions& f) {
  return find_function(library, "nvrtcVersion", f.version) &&
         find_function(library, "nvrtcGetErrorString", f.error_text) &&
         find_function(library, "nvrtcCreateProgram", f.create) &&
         find_function(library, "nvrtcCompileProgram", f.compile) &&
         find_function(library, "nvrtcDestroyProgram", f.destroy) &&
         find_function(library, "nvrtcGetPTXSize", f.ptx_size) &&
         find_function(library, "nvrtcGetPTX", f.ptx) &&
         find_function(library, "nvrtcGetCUBINSize", f.cubin_size) &&
         find_function(library, "nvrtcGetCUBIN", f.cubin) &&
         find_function(library, "nvrtcGetProgramLogSize", f.log_size) &&
         find_function(library, "nvrtcGetProgramLog", f.log) &&
         find_function(library, "nvrtcGetNumSupportedArchs", f.architecture_count) &&
         find_function(library, "nvrtcGetSupportedArchs", f.architectures);
}

constexpr SoughtLibrary kNvrtc = {.name = "NVRTC",
                                  .purpose = "CUDA's compiler library",
                                  .stem = "libnvrtc",
                                  .versions = {"13", "12"},
                                  .folder = "cuda_nvrtc",
                                  .package = "nvidia-cuda-nvrtc",
                                  .variable = environment::Variable::kNvrtc,
                                  .companion = "libnvrtc-builtins"};

class LoadedNvrtc final : public Nvrtc {
 public:
  LoadedNvrtc(std::string path, const Functions& functions)
      : path_(std::move(path)), functions_(functions) {
    int major = 0;
    int minor = 0;
    functions_.version(&major, &minor);
    version_ = fmt::format("{}.{}", major, minor);
    int count = 0;
    functions_.architecture_count(&count);
    architectures_.resize(static_cast<size_t>(std::max(count, 0)));
    functions_.architectures(architectures_.data());
    std::ranges::sort(architectures_);
  }
  const std::string& path() const override { return path_; }
  const std::string& version() const override { return version_; }

  Result<std::string> architecture_for(uint32_t major, uint32_t minor) const override {
    const int wanted = static_cast<int>(major * 10 + minor);
    const auto above = std::ranges::upper_bound(architectures_, wanted);
    if (above == architectures_.begin())
      return Error{fmt::format(
          "NVRTC {} makes no code for a GPU of compute capability {}.{}: it takes an older one "
          "(`pip install nvidia-cuda-nvrtc-cu12`, and GLINT_NVRTC set to its folder)",
          version_, major, minor)};
    // Machine code runs on later GPUs of the same generation, PTX on those of later ones too.
    const int nearest = *std::prev(above);
    const bool same_generation = nearest / 10 == static_cast<int>(major);
    return fmt::format("{}_{}", same_generation ? "sm" : "compute", nearest);
  }

  Result<NvrtcOutput> compile(const std::string& source, const std::string& architecture,
                              const std::vector<std::string>& header_folders) const override {
    std::call_once(first_, [this] { postpone_interrupts([this] { compile_nothing(); }); });
    return apart::run<Result<NvrtcOutput>>([this, source, architecture, header_folders] {
      return compile_here(source, architecture, header_folders);
    });
  }

 private:
  /// While NVRTC reads the first program of a process, Ctrl-C is a handler of its own, which ends
  /// the process. So that one is empty: it costs what NVRTC's start would have cost the first
  /// kernel.
  void compile_nothing() const {
    const ForeignCode foreign;
    NvrtcOutput output;
    if (compile_with("", {"--minimal"}, output) != kSuccess) compile_with("", {}, output);
  }

  /// All of CUDA's declarations are only read where a text needs them: textures, and what is named
  /// `cuda...`. Without them the same text has the same code, in four fifths of the time.
  Result<NvrtcOutput> compile_here(const std::string& source, const std::string& architecture,
                                   const std::vector<std::string>& header_folders) const {
    const ForeignCode foreign;
    std::vector<std::string> options = {"--gpu-architecture=" + architecture, "--std=c++17",
                                        "--generate-line-info",
                                        // Each operation rounds once, as on the processor: nothing
                                        // is contracted or approximated.
                                        "--fmad=false"};
    for (const std::string& folder : header_folders) options.push_back("--include-path=" + folder);
    if (header_folders.empty()) {
      options.emplace_back("--minimal");
      NvrtcOutput output;
      if (compile_with(source, options, output) == kSuccess) return output;
      options.pop_back();  // it needs more, or is wrong, or NVRTC is older than that option (12.4)
    }
    NvrtcOutput output;
    const int status = compile_with(source, options, output);
    if (status != kSuccess &&
        std::ranges::none_of(parse_log(output.log, source), &Diagnostic::is_error))
      return failure(status);
    return output;
  }
  int compile_with(const std::string& source, const std::vector<std::string>& options,
                   NvrtcOutput& output) const {
    Program program = nullptr;
    std::vector<const char*> names, texts, words;
    for (const Header& header : c_headers()) {
      names.push_back(header.name);
      texts.push_back(header.text);
    }
    for (const std::string& option : options) words.push_back(option.c_str());
    int status = functions_.create(&program, source.c_str(), kSourceName,
                                   static_cast<int>(names.size()), texts.data(), names.data());
    if (status != kSuccess) return status;
    status = functions_.compile(program, static_cast<int>(words.size()), words.data());
    output.log = text(program, functions_.log_size, functions_.log);
    if (status == kSuccess) {
      output.ptx = text(program, functions_.ptx_size, functions_.ptx);
      output.cubin = bytes(program, functions_.cubin_size, functions_.cubin);
    }
    functions_.destroy(&program);
    return status;
  }
  Error failure(int status) const {
    return Error{fmt::format("nvrtc: {}", functions_.error_text(status))};
  }
  static std::string bytes(Program program, int (*size)(Program, size_t*),
                           int (*get)(Program, char*)) {
    size_t length = 0;
    if (size(program, &length) != kSuccess || length == 0) return "";
    std::string buffer(length, '\0');
    return get(program, buffer.data()) == kSuccess ? buffer : "";
  }
  static std::string text(Program program, int (*size)(Program, size_t*),
                          int (*get)(Program, char*)) {
    std::string buffer = bytes(program, size, get);
    buffer.resize(std::min(buffer.find('\0'), buffer.size()));
    return buffer;
  }

  std::string path_;
  std::string version_;
  Functions functions_;
  std::vector<int> architectures_;  ///< 75, 80, ...: in order
  mutable std::once_flag first_;
};

Result<const Nvrtc*> find_nvrtc() {
  Functions functions{};
  auto found = load_library(
      kNvrtc, [&functions](void* library) { return find_functions(library, functions); });
  if (!found) return found.error();
  return static_cast<const Nvrtc*>(new LoadedNvrtc(std::move(found->path), functions));
}

}  // namespace

const Result<const Nvrtc*>& load_nvrtc() {
  static const Result<const Nvrtc*> loaded = find_nvrtc();
  return loaded;
}

std::vector<std::string> folders_for_includes(const std::string& source) {
  const auto& nvrtc = load_nvrtc();
  const bool includes = source.find("#include") != std::string::npos;
  return nvrtc && includes ? header_folders((*nvrtc)->path()) : std::vector<std::string>();
}

}  // namespace glint::cuda
