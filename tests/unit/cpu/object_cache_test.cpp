// What LLVM has made of a module is kept in a file, and taken from there by the next compile of the
// same module for the same processor, if nothing has happened to it.
#include <chrono>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "kernel_comparison.h"
#include "scratch_cache.h"

namespace glint {
namespace {

namespace fs = std::filesystem;
using tests::ScratchCache;

std::string adds(int number) {
  return fmt::format(
      "kernel add(%x: f32[100], %out: f32[100])\n  parallel i in 0..100 {{\n    a = load %x[i]\n"
      "    b = add a, {}.0\n    store %out[i] = b\n  }}",
      number);
}

struct Compiled {
  cpu::CompiledKernels kernels;
  float of_one = 0.0F;  ///< what it makes of 1
};

Compiled compile(int number, const cpu::CompileOptions& options) {
  const Kernel kernel = kernel_of(adds(number));
  auto compiled = cpu::compile_kernels({&kernel}, options);
  if (!compiled) FAIL(compiled.error().message);
  std::vector<float> x(100, 1.0F), out(100);
  std::byte* const parameters[] = {reinterpret_cast<std::byte*>(x.data()),
                                   reinterpret_cast<std::byte*>(out.data())};
  call_kernel(compiled->kernels[0], nullptr, parameters, nullptr, 0, 100);
  return {std::move(*compiled), out[99]};
}

std::vector<fs::path> kept_files(const ScratchCache& cache) {
  std::vector<fs::path> files;
  for (const auto& each : fs::recursive_directory_iterator(cache.folder))
    if (each.is_regular_file()) files.push_back(each.path());
  return files;
}

/// Files that are written from now on are younger.
void make_old(const fs::path& file) {
  fs::last_write_time(file, fs::last_write_time(file) - std::chrono::hours(1));
}

TEST_CASE("a module's object is kept, and taken by the next compile of it") {
  const ScratchCache cache;
  const Compiled first = compile(2, {});
  CHECK(first.of_one == 3.0F);
  REQUIRE(kept_files(cache).size() == 1);
  const fs::path file = kept_files(cache)[0];
  make_old(file);
  const auto written = fs::last_write_time(file);
  // Both are in this process at once, of one name.
  const Compiled second = compile(2, {});
  CHECK(second.of_one == 3.0F);
  CHECK(first.kernels.kernels[0].function != second.kernels.kernels[0].function);
  CHECK(fs::last_write_time(file) == written);
}

TEST_CASE("another module, or another processor, has another object") {
  const ScratchCache cache;
  const Compiled kept[] = {compile(2, {}), compile(5, {}), compile(5, {.target = "x86-64-v3"})};
  CHECK(kept[0].of_one == 3.0F);
  CHECK(kept[1].of_one == 6.0F);
  CHECK(kept[2].of_one == 6.0F);
  CHECK(kept_files(cache).size() == 3);
}

TEST_CASE("who measures what compiling costs neither takes nor leaves an object") {
  const ScratchCache cache;
  CHECK(compile(2, {.reuses_code = false}).of_one == 3.0F);
  CHECK(kept_files(cache).empty());
}

TEST_CASE("a damaged object is made again") {
  const ScratchCache cache;
  compile(2, {});
  const fs::path file = kept_files(cache)[0];
  const auto bytes = fs::file_size(file);
  for (const uintmax_t left : {bytes - 1, bytes / 2, uintmax_t{0}}) {
    fs::resize_file(file, left);
    CHECK(compile(2, {}).of_one == 3.0F);
    CHECK(fs::file_size(file) == bytes);
  }
}

/// A kept file's text replaced, as one that was written whole (kept_text.cpp).
void replace_kept(const fs::path& file, std::string_view text) {
  std::string head;
  std::getline(std::ifstream(file), head);
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  std::ofstream(file, std::ios::binary) << head << '\n'
                                        << text << fmt::format("\n// end {:016x}\n", hash);
}

TEST_CASE("an object that does not link is made again") {
  const ScratchCache cache;
  compile(2, {});
  const fs::path file = kept_files(cache)[0];
  const auto bytes = fs::file_size(file);
  for (const std::string_view text : {"", "no object",
                                      "\x7f"
                                      "ELF"}) {
    replace_kept(file, text);
    CHECK(compile(2, {}).of_one == 3.0F);
    CHECK(kept_files(cache).empty());
    CHECK(compile(2, {}).of_one == 3.0F);
    CHECK(fs::file_size(file) == bytes);
  }
}

TEST_CASE("where nothing can be kept, kernels are compiled all the same") {
  const ScratchCache cache;
  std::ofstream(cache.folder / "object") << "no folder";
  CHECK(compile(2, {}).of_one == 3.0F);
}

}  // namespace
}  // namespace glint
