#include "core/support/environment.h"

#include <cstdlib>
#include <iterator>

namespace glint::environment {
namespace {

constexpr VariableInfo kTable[] = {
    {Variable::kCompile, "GLINT_COMPILE",
     "1 compiles every function of a script without a change to it"},
    {Variable::kBackend, "GLINT_BACKEND", "the backend that `inductor` stands for; default cpu"},
    {Variable::kFail, "GLINT_FAIL",
     "makes a stage or a pass of the compiler fail, to test the way back to eager"},
    {Variable::kCpu, "GLINT_CPU",
     "limits generated and ready-made kernels to x86-64-v3 or x86-64-v4"},
    {Variable::kGpu, "GLINT_GPU",
     "sim offers a simulated GPU as device `cuda`, on any machine; none: no GPU is used; default: "
     "the one there is"},
    {Variable::kGpuRaces, "GLINT_GPU_RACES",
     "off: the simulated GPU does not look for races in shared memory; default on"},
    {Variable::kNvrtc, "GLINT_NVRTC",
     "where NVRTC is, CUDA's compiler library: its file or folder; none: it is not used; default: "
     "where it is usually put"},
    {Variable::kCublasLt, "GLINT_CUBLASLT",
     "where cuBLASLt is, NVIDIA's library for matrix products: its file or folder; none: products "
     "on a GPU run by Glint's own kernels; default: where it is usually put"},
    {Variable::kCudnn, "GLINT_CUDNN",
     "where cuDNN is, NVIDIA's library for convolutions: its file or folder; none: Glint's own "
     "kernels; default: where it is usually put"},
    {Variable::kCudaArch, "GLINT_CUDA_ARCH",
     "whose code is shown, and run by a GPU that takes it: compute_75 and later, or sm_75; default "
     "that of the GPU, else compute_80"},
    {Variable::kCudaBounds, "GLINT_CUDA_BOUNDS",
     "1 has generated CUDA kernels check each access against the sizes of its tensor"},
    {Variable::kThreads, "GLINT_THREADS",
     "how many threads kernels may use; default: as many as there are cores"},
    {Variable::kHistory, "GLINT_HISTORY",
     "the file of the REPL's history; default `glint/history` in $XDG_STATE_HOME or "
     "~/.local/state"},
    {Variable::kStartup, "GLINT_STARTUP",
     "a file whose lines are entered when the REPL begins; default `glint/startup.py` in "
     "$XDG_CONFIG_HOME or ~/.config"},
    {Variable::kCache, "GLINT_CACHE",
     "the folder for repro files and compiled code; default `glint` in $XDG_CACHE_HOME or "
     "~/.cache"},
    {Variable::kPath, "GLINT_PATH", "more folders to import scripts from, separated by colons"},
    {Variable::kNoColour, "NO_COLOR", "any value turns colours off"},
    {Variable::kPager, "PAGER",
     "what shows a long text at the REPL; default `less -R`; `cat` writes it at once"},
};

std::string home_folder(const char* xdg, std::string_view below_home) {
  if (const char* set = std::getenv(xdg); set && *set) return std::string(set) + "/glint";
  const char* home = std::getenv("HOME");
  return std::string(home ? home : ".") + std::string(below_home) + "/glint";
}

}  // namespace

std::span<const VariableInfo> table() {
  return kTable;
}

std::optional<std::string> value(Variable variable) {
  const char* text = std::getenv(kTable[static_cast<size_t>(variable)].name);
  if (!text || !*text) return std::nullopt;
  return text;
}

std::string history_file() {
  if (auto path = value(Variable::kHistory)) return *path;
  return home_folder("XDG_STATE_HOME", "/.local/state") + "/history";
}

std::string startup_file() {
  if (auto path = value(Variable::kStartup)) return *path;
  return home_folder("XDG_CONFIG_HOME", "/.config") + "/startup.py";
}

std::string cache_folder() {
  if (auto path = value(Variable::kCache)) return *path;
  return home_folder("XDG_CACHE_HOME", "/.cache");
}

}  // namespace glint::environment
