// How NVIDIA's libraries are looked for, and how many plans of theirs are kept.
#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "backends/cuda/libraries/load_library.h"
#include "backends/cuda/libraries/plan_cache.h"
#include "backends/cuda/libraries/toolkit.h"

namespace glint::cuda {
namespace {

constexpr SoughtLibrary kSought = {.name = "cuBLASLt",
                                   .purpose = "NVIDIA's library for matrix products",
                                   .stem = "libcublasLt",
                                   .versions = {"13", "12"},
                                   .folder = "cublas",
                                   .package = "nvidia-cublas",
                                   .variable = environment::Variable::kCublasLt};

TEST_CASE("a library is looked for where its variable says, and nowhere else") {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / "glint_libraries_test";
  fs::create_directories(folder);
  for (const char* name : {"libcublasLt.so.12", "libcublasLt.so.13", "libcublasLt.alt.so.13"})
    std::ofstream(folder / name) << "no library";

  setenv("GLINT_CUBLASLT", folder.c_str(), 1);
  CHECK(library_files(kSought) == std::vector{(folder / "libcublasLt.so.13").string()});
  // What is there is no library.
  const auto found = load_library(kSought, [](void*) { return true; });
  REQUIRE(!found);
  CHECK(found.error().message == "cuBLASLt at `" + folder.string() +
                                     "`, where GLINT_CUBLASLT says, cannot be loaded: " +
                                     (folder / "libcublasLt.so.13").string() + ": file too short");

  setenv("GLINT_CUBLASLT", "/nowhere", 1);
  CHECK(load_library(kSought, [](void*) { return true; }).error().message ==
        "there is no cuBLASLt at `/nowhere`, where GLINT_CUBLASLT says; "
        "`pip install nvidia-cublas` brings one");

  setenv("GLINT_CUBLASLT", "none", 1);
  CHECK(library_files(kSought).empty());
  CHECK(load_library(kSought, [](void*) { return true; }).error().message ==
        "GLINT_CUBLASLT says that cuBLASLt is not used");

  unsetenv("GLINT_CUBLASLT");
  const auto usual = library_files(kSought);
  REQUIRE(usual.size() >= 3);
  CHECK(usual[0] == "libcublasLt.so.13");  // the loader's to find
  CHECK(load_library(kSought, [](void*) { return false; }).error().message ==
        "cuBLASLt, NVIDIA's library for matrix products, was not found; `pip install "
        "nvidia-cublas` brings it, or set GLINT_CUBLASLT to its file or folder");
  fs::remove_all(folder);
}

TEST_CASE("CUDA's headers are best those beside NVRTC") {
  namespace fs = std::filesystem;
  const fs::path root = fs::canonical(fs::temp_directory_path()) / "glint_headers_test";
  const auto make = [](const fs::path& file) {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << "";
    return file.string();
  };
  const std::string toolkit = make(root / "cuda/lib/libnvrtc.so.13");
  make(root / "cuda/include/cuda_fp16.h");
  fs::create_directories(root / "cuda/include/cccl");
  CHECK(header_folders(toolkit) ==
        std::vector{(root / "cuda/include").string(), (root / "cuda/include/cccl").string()});
  const std::string package = make(root / "nvidia/cuda_nvrtc/lib/libnvrtc.so.12");
  make(root / "nvidia/cuda_runtime/include/cuda_fp16.h");
  CHECK(header_folders(package) == std::vector{(root / "nvidia/cuda_runtime/include").string()});
  fs::remove_all(root);
}

TEST_CASE("the plan that was used longest ago makes room for a new one") {
  PlanCache<int, int> plans(2);
  int made = 0;
  const auto use = [&](int key) {
    return plans.find_or_make(key, [&] {
      ++made;
      return key * 10;
    });
  };
  CHECK(use(1) == 10);
  CHECK(use(2) == 20);
  CHECK(use(1) == 10);
  CHECK(use(3) == 30);  // in the place of 2
  CHECK(use(1) == 10);
  CHECK(made == 3);
  CHECK(use(2) == 20);
  CHECK(made == 4);
  CHECK(plans.size() == 2);
}

}  // namespace
}  // namespace glint::cuda
