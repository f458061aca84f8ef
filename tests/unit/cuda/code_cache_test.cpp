// What was compiled is kept in files: whole or not at all, and no more than there is room for.
#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>

#include "backends/cuda/compile/code_cache.h"
#include "backends/kept_text.h"
#include "scratch_cache.h"

namespace glint::cuda {
namespace {

namespace fs = std::filesystem;
using tests::ScratchCache;

fs::path only_file(const fs::path& folder) {
  for (const auto& each : fs::recursive_directory_iterator(folder))
    if (each.is_regular_file()) return each.path();
  return {};
}

TEST_CASE("code is found again, with its machine code, for its text and architecture alone") {
  const ScratchCache cache;
  CHECK_FALSE(find_code("text", "sm_90"));
  keep_code("text", "sm_90",
            {"ptx\n",
             std::string("\x7f"
                         "ELF\0\n",
                         6),
             "a warning\n"});
  const auto found = find_code("text", "sm_90");
  REQUIRE(found);
  CHECK(found->ptx == "ptx\n");
  CHECK(found->cubin.size() == 6);
  CHECK(found->log == "a warning\n");
  CHECK_FALSE(find_code("text", "sm_80"));
  // Its PTX is that of the architecture that machine code is made for.
  REQUIRE(find_code("text", "compute_90"));
  CHECK(*find_code("text", "compute_90") == KeptCode{"ptx\n", "", "a warning\n"});
  CHECK_FALSE(find_code("text", "compute_80"));
  CHECK_FALSE(find_code("text ", "sm_90"));
}

TEST_CASE("a file that broke off, or that somebody else wrote, is not taken") {
  const ScratchCache cache;
  keep_code("text", "compute_80", {.ptx = "0123456789"});
  const fs::path file = only_file(cache.folder);
  fs::resize_file(file, fs::file_size(file) - 1);
  CHECK_FALSE(find_code("text", "compute_80"));
  std::ofstream(file) << "// glint 0 of 4 bytes: PTX 2, machine code 0\nno";
  CHECK_FALSE(find_code("text", "compute_80"));
  std::ofstream(file) << "";
  CHECK_FALSE(find_code("text", "compute_80"));
}

TEST_CASE("a file that was damaged is not taken, wherever it was") {
  const ScratchCache cache;
  keep_text(KeptKind::kPtx, "key", "add.rn.f32");
  const fs::path file = only_file(cache.folder);
  const auto size = static_cast<long>(fs::file_size(file));
  REQUIRE(find_text(KeptKind::kPtx, "key") == "add.rn.f32");
  for (long at = 0; at < size; ++at) {
    std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
    bytes.seekg(at);
    const auto byte = static_cast<char>(bytes.get());
    const auto put = [&](char value) {
      bytes.seekp(at);
      bytes.put(value);
      bytes.flush();
    };
    put(static_cast<char>(byte ^ 1));
    CHECK_FALSE(find_text(KeptKind::kPtx, "key"));
    put(byte);
  }
  CHECK(find_text(KeptKind::kPtx, "key") == "add.rn.f32");
}

TEST_CASE("the oldest files go first") {
  const ScratchCache cache;
  const auto now = fs::file_time_type::clock::now();
  for (int age = 0; age < 4; ++age) {
    const fs::path file = cache.folder / std::to_string(age);
    std::ofstream(file) << std::string(100, 'x');
    fs::last_write_time(file, now - std::chrono::hours(age));
  }
  trim_texts(cache.folder.string(), 250);
  CHECK(fs::exists(cache.folder / "0"));
  CHECK(fs::exists(cache.folder / "1"));
  CHECK_FALSE(fs::exists(cache.folder / "2"));
  CHECK_FALSE(fs::exists(cache.folder / "3"));
  trim_texts((cache.folder / "nothing").string(), 250);
}

}  // namespace
}  // namespace glint::cuda
