#include "repl/doctor.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <thread>

#include "backends/cuda/device.h"
#include "backends/cuda/driver_functions.h"
#include "backends/cuda/libraries/cublas_lt.h"
#include "backends/cuda/libraries/cudnn.h"
#include "backends/cuda/libraries/toolkit.h"
#include "backends/cuda/machine_code.h"
#include "backends/cuda/nvrtc.h"
#include "core/platform/onednn.h"
#include "core/support/environment.h"
#include "repl/command_line.h"
#include "repl/plugins.h"

namespace glint {
namespace {

std::string processor() {
  return fmt::format("{} cores; kernels use {}", std::thread::hardware_concurrency(),
                     __builtin_cpu_supports("avx512f") ? "AVX-512" : "AVX2");
}

std::string onednn() {
  return has_onednn() ? "found; it computes matrix products"
                      : "none: matrix products run by Glint's own kernels; `apt install libdnnl2` "
                        "brings it";
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

/// The version behind the name of a version: `13` of `13.0`.
uint32_t major_version(const std::string& text) {
  return static_cast<uint32_t>(std::strtoul(text.c_str(), nullptr, 10));
}

std::string driver() {
  const auto& loaded = cuda::load_driver();
  if (!loaded) return "none: " + loaded.error().message;
  const std::string version = (*loaded)->cuda_version();
  std::string text = "of CUDA " + version;
  const auto& nvrtc = cuda::load_nvrtc();
  if (nvrtc && major_version(version) < major_version((*nvrtc)->version()))
    text += fmt::format("; it cannot read what NVRTC {} makes: {}", (*nvrtc)->version(),
                        (*loaded)->advice_where_older());
  return text;
}

std::string gpu() {
  const auto& found = cuda::open_gpu();
  // Without a driver the line above says why.
  if (!found) return cuda::load_driver() ? "none: " + found.error().message : "none";
  const cuda::GpuProperties& its = (*found)->properties();
  return fmt::format("{}, {:.1f} GiB, compute capability {}.{}", its.name,
                     static_cast<double>(its.memory_bytes) / (1ull << 30), its.major, its.minor);
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

/// The folder, and what compiled kernels take there.
std::string cache() {
  namespace fs = std::filesystem;
  const fs::path folder = environment::cache_folder();
  uint64_t files = 0, bytes = 0;
  std::error_code failed;
  for (const fs::directory_entry& each : fs::directory_iterator(folder / "ptx", failed)) {
    ++files;
    const auto size = each.file_size(failed);
    if (!failed) bytes += size;
  }
  std::string text = folder.string();
  if (files > 0)
    text += fmt::format(", {} compiled kernels for GPUs, {:.1f} MiB", files,
                        static_cast<double>(bytes) / (1 << 20));
  return text;
}

struct Finding {
  std::string_view name;
  std::string (*text)();
};
constexpr Finding kFindings[] = {
    {"glint", [] { return std::string(kVersion); }},
    {"processor", processor},
    {"onednn", onednn},
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
