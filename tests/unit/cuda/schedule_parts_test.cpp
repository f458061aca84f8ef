// A listing has the order in which its schedule runs, whichever one a compiler's text has.
#include "backends/cuda/listing/schedule_parts.h"

#include "kernel_texts.h"

namespace glint {
namespace {

using namespace tests;

constexpr const char* kText = R"(kernel %(%x: f32[64], %out: f32[64])   from %y
  parallel i in 0..64 {
    a = load %x[i]
    store %out[i] = a
  }
)";

Kernel named(const std::string& name) {
  std::string text = kText;
  return kernel_of(text.replace(text.find('%'), 1, name));
}

TEST_CASE("parts stand in the order of a schedule's steps") {
  Schedule schedule;
  schedule.kernels = {named("first"), named("second")};
  LibraryCall call;
  call.node = "c";
  for (const uint32_t kernel : {1u, 0u, 1u}) schedule.steps.push_back({Launch{.kernel = kernel}});
  schedule.steps.insert(schedule.steps.begin() + 1, Step{call});
  const cuda::ListedSchedule listed(schedule, nullptr);
  const auto parts = cuda::parts_of(listed);
  REQUIRE(parts.size() == 3);
  CHECK(parts[0].cut == 1);
  CHECK(parts[1].call != nullptr);
  CHECK(parts[2].cut == 0);

  std::vector<cuda::CompiledKernel> compiled(2);
  compiled[0].entry = "first";
  compiled[1].entry = "second";
  cuda::KernelSections sections(2);
  const auto label = [](std::string_view line) {
    return line.ends_with(':') ? line.substr(0, line.size() - 1) : std::string_view();
  };
  sections.add({{"head", {}}, {"", {}}, {"first:", {}}, {"ret", {}}, {"", {}}, {"second:", {}}},
               compiled, label);
  std::vector<std::string> texts;
  for (const StageLine& line : cuda::in_order(
           listed, std::move(sections),
           [](const LibraryCall& each) { return std::vector<StageLine>{{each.node, {}}}; }))
    texts.push_back(line.text);
  CHECK(texts == std::vector<std::string>{"head", "", "second:", "", "c", "", "first:", "ret"});
}

}  // namespace
}  // namespace glint
