#include "backends/cuda/compile/nvrtc.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>

#include "backends/cuda/compile/c_headers.h"
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
    return apart::run<Result<NvrtcOutput>>([this, source, architecture, header_folders] {
      return compile_here(source, architecture, header_folders);
    });
  }

 private:
  Result<NvrtcOutput> compile_here(const std::string& source, const std::string& architecture,
                                   const std::vector<std::string>& header_folders) const {
    const ForeignCode foreign;
    Program program = nullptr;
    std::vector<const char*> names, texts;
    for (const Header& header : c_headers()) {
      names.push_back(header.name);
      texts.push_back(header.text);
    }
    int status = functions_.create(&program, source.c_str(), kSourceName,
                                   static_cast<int>(names.size()), texts.data(), names.data());
    if (status != kSuccess) return failure(status);
    const std::string target = "--gpu-architecture=" + architecture;
    // Each operation rounds once, as on the processor: nothing is contracted or approximated.
    std::vector<const char*> options = {target.c_str(), "--std=c++17", "--generate-line-info",
                                        "--fmad=false"};
    std::vector<std::string> folders;
    for (const std::string& folder : header_folders) folders.push_back("--include-path=" + folder);
    for (const std::string& folder : folders) options.push_back(folder.c_str());
    status = functions_.compile(program, static_cast<int>(options.size()), options.data());
    NvrtcOutput output;
    output.diagnostics = parse_log(text(program, functions_.log_size, functions_.log));
    if (status == kSuccess) {
      output.ptx = text(program, functions_.ptx_size, functions_.ptx);
      output.cubin = bytes(program, functions_.cubin_size, functions_.cubin);
    }
    functions_.destroy(&program);
    const bool said_why = std::any_of(output.diagnostics.begin(), output.diagnostics.end(),
                                      [](const Diagnostic& each) { return each.is_error; });
    if (status != kSuccess && !said_why) return failure(status);
    return output;
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
};

Result<const Nvrtc*> find_nvrtc() {
  Functions functions{};
  auto found = load_library(
      kNvrtc, [&functions](void* library) { return find_functions(library, functions); });
  if (!found) return found.error();
  return static_cast<const Nvrtc*>(new LoadedNvrtc(std::move(found->path), functions));
}

bool is_severity(std::string_view word) {
  return word == "error" || word == "catastrophic error" || word == "warning";
}

/// The number at the front of a text; 0 where there is none.
uint32_t leading_number(std::string_view text) {
  uint32_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// `glint.cu(3): error: ...`; nothing of the lines that quote the source.
bool parse_line(std::string_view line, Diagnostic& found) {
  const size_t close = line.find("): ");
  if (close == std::string_view::npos) return false;
  const size_t open = line.rfind('(', close);
  if (open == std::string_view::npos) return false;
  const std::string_view number = line.substr(open + 1, close - open - 1);
  if (number.empty() || number.find_first_not_of("0123456789") != std::string_view::npos)
    return false;
  const std::string_view rest = line.substr(close + 3);
  const size_t colon = rest.find(": ");
  if (colon == std::string_view::npos) return false;
  std::string_view severity = rest.substr(0, colon);
  severity = severity.substr(0, severity.find(" #"));
  if (!is_severity(severity)) return false;
  found = {leading_number(number), severity != "warning", std::string(rest.substr(colon + 2))};
  if (line.substr(0, open) != kSourceName) found.header = line.substr(0, open);
  return true;
}

/// `instantiation of class "A<T> [with T=int]" at line 3 of glint.cu`; the file is left out where
/// it is the diagnostic's. The last of several is the outermost.
void note_instantiation(std::string_view line, Diagnostic& diagnostic) {
  constexpr std::string_view kPlace = " at line ";
  const size_t place = line.rfind(kPlace);
  if (place == std::string_view::npos) return;
  const std::string_view at = line.substr(place + kPlace.size());
  const size_t of = at.find(" of ");
  const std::string_view file =
      of == std::string_view::npos ? std::string_view(diagnostic.header) : at.substr(of + 4);
  if (file.empty() || file == kSourceName) diagnostic.instantiated_at = leading_number(at);
}

}  // namespace

std::vector<Diagnostic> parse_log(std::string_view log) {
  std::vector<Diagnostic> found;
  bool instantiations = false;
  while (!log.empty()) {
    const size_t end = std::min(log.find('\n'), log.size());
    const std::string_view line = log.substr(0, end);
    log.remove_prefix(std::min(end + 1, log.size()));
    Diagnostic diagnostic;
    if (line.empty()) {
      instantiations = false;
    } else if (parse_line(line, diagnostic)) {
      found.push_back(std::move(diagnostic));
    } else if (line.starts_with("ptxas error")) {  // `ptxas error   : Entry function 'f' uses ...`
      const size_t colon = line.find(": ");
      found.push_back(
          {0, true, std::string(line.substr(colon == std::string_view::npos ? 0 : colon + 2))});
    } else if (line.starts_with("nvrtc: error: ")) {
      found.push_back({0, true, std::string(line.substr(14))});
    } else if (line.starts_with("error at ")) {  // `error at end of source: expected a "}"`
      found.push_back({0, true, std::string(line)});
    } else if (!found.empty()) {
      instantiations |= line.find(" detected during") != std::string_view::npos;
      if (instantiations) note_instantiation(line, found.back());
    }
  }
  return found;
}

std::string print(const Diagnostic& diagnostic) {
  if (diagnostic.line == 0) return diagnostic.message;
  std::string text =
      fmt::format("{}:{}: {}: {}", diagnostic.header.empty() ? kSourceName : diagnostic.header,
                  diagnostic.line, diagnostic.is_error ? "error" : "warning", diagnostic.message);
  if (diagnostic.instantiated_at != 0)
    text += fmt::format("\n  detected during instantiation at {}:{}", kSourceName,
                        diagnostic.instantiated_at);
  return text;
}

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
