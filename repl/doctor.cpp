#include "repl/doctor.h"

#include <fmt/format.h>

#include <filesystem>
#include <thread>

#include "backends/cuda/compile/compiler_problem.h"
#include "backends/cuda/compile/machine_code.h"
#include "backends/cuda/compile/nvrtc.h"
#include "backends/cuda/device/device.h"
#include "backends/cuda/device/driver_functions.h"
#include "backends/cuda/libraries/cublas_lt.h"
#include "backends/cuda/libraries/cudnn.h"
#include "backends/cuda/libraries/toolkit.h"
#include "backends/kept_text.h"
#include "core/platform/gemm_onednn.h"
#include "core/platform/lapack.h"
#include "core/support/environment.h"
#include "repl/command_line.h"
#include "repl/plugins.h"
#include "repl/variables.h"
#include "repl/writable_folder.h"

namespace glint {
namespace {

std::string processor() {
  return fmt::format("{} cores; kernels use {}", std::thread::hardware_concurrency(),
                     __builtin_cpu_supports("avx512f") ? "AVX-512" : "AVX2");
}

std::string onednn() {
  return has_onednn() ? "found; it computes matrix products and convolutions"
                      : "none: matrix products and convolutions run by Glint's own kernels; `apt "
                        "install libdnnl2` brings it";
}

std::string lapack_library() {
  return has_lapack() ? "found; it factorises matrices, solves equations with them, and finds "
                        "their eigenvalues and singular values"
                      : "none: `torch.linalg` goes through matrices column by column; `apt install "
                        "libopenblas0` brings it";
}

std::string graphviz() {
  return cuda::find_tool("dot").value_or(
      "none: `:graph --svg` draws nothing; `apt install graphviz` brings it");
}

std::string nvrtc() {
  const auto& found = cuda::load_nvrtc();
  if (!found) return fmt::format("no PTX: {}", found.error().message);
  return fmt::format("NVRTC {} makes PTX, from {}", (*found)->version(), (*found)->path());
}

std::string cublas() {
  const auto& found = cuda::load_cublas_lt();
  if (found)
    return fmt::format("cuBLASLt {} multiplies matrices on a GPU, from {}", (*found)->version(),
                       (*found)->path());
  return fmt::format("none: Glint's own kernels multiply matrices on a GPU; {}",
                     found.error().message);
}

std::string cudnn() {
  const auto& found = cuda::load_cudnn();
  if (found)
    return fmt::format("cuDNN {} convolves on a GPU, from {}", (*found)->version(),
                       (*found)->path());
  return fmt::format("none: Glint's own kernels convolve on a GPU; {}", found.error().message);
}

std::string disassembler() {
  const auto found = cuda::find_disassembler();
  return found ? *found : "none: " + found.error().message;
}

std::string driver() {
  const auto& loaded = cuda::load_driver();
  return loaded ? "of CUDA " + (*loaded)->cuda_version() : "none: " + loaded.error().message;
}

std::string gpu() {
  const auto& found = cuda::open_gpu();
  // Without a driver the line above says why.
  if (!found) return cuda::load_driver() ? "none: " + found.error().message : "none";
  const cuda::GpuProperties& its = (*found)->properties();
  std::string text =
      fmt::format("{}, {:.1f} GiB, compute capability {}.{}", its.name,
                  static_cast<double>(its.memory_bytes) / (1ull << 30), its.major, its.minor);
  if (const auto problem = cuda::compiler_problem())
    text += "; no kernel can be made for it: " + problem->message;
  return text;
}

std::string jupyter() {
  const auto plugin = find_plugin(kJupyterPlugin);
  return plugin ? plugin->string()
                : "none: this build has no kernel for notebooks; `apt install xeus-dev`, then "
                  "build again";
}

std::string explorer() {
  const auto plugin = find_plugin(kExplorePlugin);
  return plugin ? plugin->string()
                : "none: this build cannot serve a report; `apt install libcpp-httplib-dev`, then "
                  "build again";
}

/// What is kept of a kind: ", compiled kernels for GPUs: 12 (0.3 MiB)"; nothing where there is
/// none.
std::string kept_files(const std::filesystem::path& folder, std::string_view what,
                       std::error_code& unread) {
  uint64_t files = 0, bytes = 0;
  for (const auto& each : std::filesystem::directory_iterator(folder, unread)) {
    ++files;
    std::error_code gone;
    const auto size = each.file_size(gone);
    if (!gone) bytes += size;
  }
  if (files == 0) return "";
  return fmt::format(", {}: {} ({:.1f} MiB)", what, files, static_cast<double>(bytes) / (1 << 20));
}

/// The folder, what is kept there, and why nothing can be where that is so.
std::string cache() {
  const std::filesystem::path folder = environment::cache_folder();
  std::string kept, unusable;
  for (const KeptKindInfo& kind : kKeptKinds) {
    const auto place = folder / kind.name;
    std::error_code unread;
    kept += kept_files(place, kind.holds, unread);
    if (!unusable.empty()) continue;
    if (unread && unread != std::errc::no_such_file_or_directory)
      unusable = fmt::format("it cannot be read: {}", unread.message());
    else if (const auto problem = write_problem(place))
      unusable = fmt::format("it cannot be written: {}", *problem);
  }
  if (unusable.empty()) return folder.string() + kept;
  return fmt::format("{}{}; {}; each process compiles anew{} (GLINT_CACHE names another)",
                     folder.string(), kept, unusable, kept.empty() ? "" : " what is not there");
}

struct Finding {
  std::string_view name;
  std::string (*text)();
};
constexpr Finding kFindings[] = {
    {"glint", [] { return std::string(kVersion); }},
    {"processor", processor},
    {"onednn", onednn},
    {"lapack", lapack_library},
    {"graphviz", graphviz},
    {"cuda", nvrtc},
    {"cublas", cublas},
    {"cudnn", cudnn},
    {"sass", disassembler},
    {"driver", driver},
    {"gpu", gpu},
    {"jupyter", jupyter},
    {"explore", explorer},
    {"history", [] { return environment::history_file(); }},
    {"cache", cache},
};

}  // namespace

std::string doctor_text() {
  std::string text;
  for (const Finding& each : kFindings) text += fmt::format("{:<11} {}\n", each.name, each.text());
  for (const environment::VariableInfo& variable : environment::table())
    if (const auto value = environment::value(variable.variable))
      text += fmt::format("{:<11} {}\n", variable.name, *value);
  return text;
}

}  // namespace glint
