// Golden tests of the CUDA text: each file of tests/golden/cuda is a kernel, and the entry that it
// becomes.
//
//     # an elementwise kernel: four neighbours a thread
//     kernel relu(%x: f32[s0], %out: f32[s0]) ...
//     ----
//     extern "C" __global__ ...
//     grid ..., 256 threads
//
// `show: all` adds what stands above the entry, `show: bounds` the checks of indices, `show:
// shapes` gives the ways that are worth trying, `show: classes` those for rows of some length;
// `shape: 512 2 usual` cuts the kernel so, `caches: 65536` says how many bytes caches hold.
// GLINT_RECORD=1 writes what comes out into the files.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "backends/cuda/codegen/bind_axes.h"
#include "backends/cuda/codegen/row_classes.h"
#include "backends/cuda/codegen/wrap_line.h"
#include "backends/cuda/codegen/write_program.h"

namespace glint {
namespace {

struct Golden {
  std::string header;
  std::string show;
  cuda::LaunchShape shape;
  int64_t cache_bytes = cuda::WriteOptions().cache_bytes;
  std::string input;
  std::string expected;
};

Golden read_golden(const std::filesystem::path& path) {
  std::ifstream file(path);
  Golden golden;
  std::string line;
  std::string* part = &golden.header;
  while (std::getline(file, line)) {
    if (part == &golden.header && line.starts_with("kernel ")) part = &golden.input;
    if (part == &golden.input && line == "----") {
      part = &golden.expected;
      continue;
    }
    if (part == &golden.header && line.starts_with("show: ")) golden.show = line.substr(6);
    if (part == &golden.header && line.starts_with("shape: "))
      golden.shape = cuda::parse_shape(line.substr(7)).value();
    if (part == &golden.header && line.starts_with("caches: "))
      golden.cache_bytes = std::stoll(line.substr(8));
    *part += line + "\n";
  }
  return golden;
}

std::string launch_text(const cuda::WrittenKernel& kernel) {
  std::string text = fmt::format("grid {}, {} threads:", kernel.grid.text(), kernel.threads);
  for (const cuda::KernelParameter& each : kernel.parameters) {
    text += " " + each.name;
    if (!each.size.is(0) && each.size.text() != each.name)
      text += fmt::format(" ({})", each.size.text());
  }
  return text + "\n";
}

/// The longest of a text's lines.
size_t widest(const std::string& source) {
  size_t widest = 0;
  std::istringstream lines(source);
  for (std::string line; std::getline(lines, line);) widest = std::max(widest, line.size());
  return widest;
}

std::string run(const Golden& golden) {
  auto kernel = parse_kernel(golden.input);
  if (!kernel.ok()) return "error: " + kernel.error().message + "\n";
  if (const auto wrong = verify_kernel(*kernel)) return "error: " + wrong->message + "\n";
  if (golden.show == "axes") return print(cuda::bind_axes(*kernel));
  std::string text;
  if (golden.show == "shapes" || golden.show == "classes") {
    const bool by_rows = golden.show == "classes";
    for (const cuda::LaunchShape& each :
         by_rows ? cuda::row_classes(*kernel).shapes : cuda::candidate_shapes(*kernel))
      text += cuda::print(each) + "\n";
    return text;
  }
  const auto program = cuda::write_program({&*kernel}, {.checks_bounds = golden.show == "bounds",
                                                        .shape = golden.shape,
                                                        .cache_bytes = golden.cache_bytes});
  CHECK(widest(program.source) <= cuda::kWidestLine);
  CHECK(std::ranges::count(program.source, '\n') == static_cast<ptrdiff_t>(program.lines.size()));
  std::istringstream lines(program.source);
  std::string line;
  for (size_t i = 0; std::getline(lines, line); ++i)
    if (golden.show == "all" || program.lines[i].kernel == 0) text += line + "\n";
  return text + launch_text(program.kernels[0]);
}

TEST_CASE("golden tests of the CUDA text") {
  const char* record = std::getenv("GLINT_RECORD");
  const std::filesystem::path folder =
      std::filesystem::path(GLINT_SOURCE_DIR) / "tests/golden/cuda";
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".txt") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  REQUIRE_FALSE(paths.empty());
  for (const auto& path : paths) {
    INFO("tests/golden/cuda/" << path.filename().string()
                              << "   (record again: GLINT_RECORD=1 test_cuda golden*)");
    const Golden golden = read_golden(path);
    const std::string found = run(golden);
    if (record != nullptr && *record == '1') {
      std::ofstream(path) << golden.header << golden.input << "----\n" << found;
    } else {
      CHECK(found == golden.expected);
    }
  }
}

}  // namespace
}  // namespace glint
