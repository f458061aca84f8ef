// Whole schedules on both backends: outputs, workspace, views, constants, changing sizes, failures.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <numeric>

#include "backends/cpu/cpu_backend.h"
#include "backends/interp/interp_backend.h"
#include "core/support/thread_pool.h"

namespace glint {
namespace {

const char* const kTwoKernels = R"(kernel double(%x: f32[s0, 8], %out: f32[s0, 8])
  parallel i in 0..s0 {
    parallel j in 0..8 {
      a = load %x[i, j]
      b = add a, a
      store %out[i, j] = b
    }
  }
kernel row_sum(%x: f32[s0, 8], %out: f32[s0])
  parallel i in 0..s0 {
    acc = reduction sum : f32
    reduce j in 0..8 {
      a = load %x[i, j]
      acc += a
    }
    store %out[i] = acc
  }
schedule f(%x: f32[s0, 8]) -> (f32[s0], f32[s0, 8]) {
  slot 0   32*s0 bytes, workspace
  slot 1   4*s0 bytes, output
  %twice = tensor f32[s0, 8] in slot 0
  %sum = tensor f32[s0] in slot 1
  launch double(%x, %twice)
  launch row_sum(%twice, %sum)
  return %sum, %x
}
)";

Schedule parsed(const char* text) {
  auto schedule = parse_schedule(text);
  if (!schedule) FAIL(schedule.error().message);
  if (const auto wrong = verify_schedule(*schedule)) FAIL(wrong->message);
  return schedule.value();
}

Tensor counting(std::initializer_list<int64_t> sizes) {
  Tensor tensor = Tensor::empty(sizes, DType::kFloat32);
  std::iota(tensor.data<float>(), tensor.data<float>() + tensor.numel(), 0.0f);
  return tensor;
}

TEST_CASE("a schedule of two launches runs at every size through one compile") {
  const Schedule schedule = parsed(kTwoKernels);
  for (const Backend* backend : {&cpu_backend(), &interp_backend()}) {
    auto compiled = backend->compile(schedule, {});
    REQUIRE(compiled.ok());
    for (int64_t n = 2; n <= 70; ++n) {
      const Tensor x = counting({n, 8});
      const RunInput inputs[] = {{&x.impl(), nullptr}};
      const int64_t symbols[] = {n};
      std::vector<Tensor> outputs;
      CHECK_FALSE(compiled.value()->run(inputs, symbols, outputs));
      REQUIRE(outputs.size() == 2);
      CHECK(outputs[1].is_same(x));
      REQUIRE(outputs[0].size(0) == n);
      for (int64_t i = 0; i < n; ++i) {
        const float first = static_cast<float>(8 * i);
        CHECK(outputs[0].data<float>()[i] == 2 * (8 * first + 28));
      }
    }
  }
}

/// `count` times x + n with lengths that fall from `longest`, as one launch.
std::string lists_text(int count, int64_t longest) {
  std::string inputs, types, declared, lists, outputs;
  for (int k = 0; k < count; ++k) {
    const int64_t length = longest - 7 * k;
    const char* comma = k == 0 ? "" : ", ";
    inputs += fmt::format("{}%x{}: f32[{}]", comma, k, length);
    types += fmt::format("{}f32[{}]", comma, length);
    declared += fmt::format("  slot {}   {} bytes, output\n", k, 4 * length);
    lists +=
        fmt::format("  {} (%x{}, %n, %y{}) for {}\n", k == 0 ? "launch add" : "and", k, k, length);
    outputs += fmt::format("{}%y{}", comma, k);
  }
  for (int k = 0; k < count; ++k)
    declared += fmt::format("  %y{} = tensor f32[{}] in slot {}\n", k, longest - 7 * k, k);
  return fmt::format(
      "kernel add(%x: f32[{0}], %n: f64, %out: f32[{0}])\n"
      "  parallel i in 0..{0} {{\n"
      "    a = load %x[i]\n    b = load %n[]\n    c = cast b : f32\n    d = add a, c\n"
      "    store %out[i] = d\n  }}\n"
      "schedule f({1}, %n: f64) -> ({2}) {{\n{3}{4}  return {5}\n}}\n",
      longest, inputs, types, declared, lists, outputs);
}

TEST_CASE("a launch runs its lists, each as far as it goes, on any number of threads") {
  const int before = num_threads();
  for (const int64_t longest : {int64_t{90}, int64_t{70000}, int64_t{400000}}) {
    const int count = 12;
    const Schedule schedule = parsed(lists_text(count, longest).c_str());
    for (const Backend* backend : {&cpu_backend(), &interp_backend()}) {
      if (backend == &interp_backend() && longest > 100) continue;
      auto compiled = backend->compile(schedule, {});
      REQUIRE(compiled.ok());
      for (const int threads : {1, 3}) {
        set_num_threads(threads);
        std::vector<Tensor> tensors;
        std::vector<RunInput> inputs;
        const double number = 0.5;
        for (int k = 0; k < count; ++k) tensors.push_back(counting({longest - 7 * k}));
        for (const Tensor& tensor : tensors) inputs.push_back({&tensor.impl(), nullptr});
        inputs.push_back({nullptr, &number});
        std::vector<Tensor> outputs;
        CHECK_FALSE(compiled.value()->run(inputs, {}, outputs));
        for (int k = 0; k < count; ++k)
          for (int64_t i = 0; i < longest - 7 * k; ++i)
            if (outputs[static_cast<size_t>(k)].data<float>()[i] != static_cast<float>(i) + 0.5f)
              FAIL("list " << k << ", element " << i);
      }
    }
  }
  set_num_threads(before);
}

TEST_CASE("a failed check is the status of the run") {
  const Schedule schedule = parsed(R"(kernel bounds(%index: i64[4], %out: i64[4])
  parallel i in 0..4 {
    n = load %index[i]
    p = less n, 2
    check p, "index out of range"
    store %out[i] = n
  }
schedule f(%index: i64[4]) -> i64[4] {
  slot 0   32 bytes, output
  %out = tensor i64[4] in slot 0
  launch bounds(%index, %out)
  return %out
}
)");
  for (const Backend* backend : {&cpu_backend(), &interp_backend()}) {
    auto compiled = backend->compile(schedule, {});
    REQUIRE(compiled.ok());
    std::vector<Tensor> outputs;
    const Tensor good = Tensor::of<int64_t>({0, 1, 0, 1}, IntSpan(std::array<int64_t, 1>{4}));
    const Tensor bad = Tensor::of<int64_t>({0, 1, 5, 1}, IntSpan(std::array<int64_t, 1>{4}));
    const RunInput good_input[] = {{&good.impl(), nullptr}};
    const RunInput bad_input[] = {{&bad.impl(), nullptr}};
    CHECK_FALSE(compiled.value()->run(good_input, {}, outputs));
    const RunStatus status = compiled.value()->run(bad_input, {}, outputs);
    REQUIRE(status);
    CHECK(*status == "index out of range");
  }
}

TEST_CASE("a stage that is made to fail names itself") {
  const Schedule schedule = parsed(kTwoKernels);
  for (const char* stage : {"llvm", "link"}) {
    auto compiled = cpu_backend().compile(schedule, {.fail_stage = stage});
    REQUIRE_FALSE(compiled.ok());
    CHECK(compiled.error().message == std::string(stage) + ": made to fail by GLINT_FAIL");
  }
  CHECK_FALSE(interp_backend().compile(schedule, {.fail_stage = "interp"}).ok());
}

TEST_CASE("large work is split over threads, with the same result") {
  const Schedule schedule = parsed(R"(kernel work(%x: f32[s0], %out: f32[s0])
  parallel i in 0..s0 {
    a = load %x[i]
    b = sin a
    c = exp b
    store %out[i] = c
  }
schedule f(%x: f32[s0]) -> f32[s0] {
  slot 0   4*s0 bytes, output
  %out = tensor f32[s0] in slot 0
  launch work(%x, %out)
  return %out
}
)");
  auto compiled = cpu_backend().compile(schedule, {});
  REQUIRE(compiled.ok());
  const int threads = num_threads();
  const Tensor x = counting({1000003});
  const RunInput inputs[] = {{&x.impl(), nullptr}};
  const int64_t symbols[] = {1000003};
  std::vector<Tensor> one, two;
  set_num_threads(1);
  CHECK_FALSE(compiled.value()->run(inputs, symbols, one));
  set_num_threads(2);
  CHECK_FALSE(compiled.value()->run(inputs, symbols, two));
  set_num_threads(threads);
  CHECK(std::memcmp(one[0].raw_data(), two[0].raw_data(), one[0].bytes()) == 0);
}

}  // namespace
}  // namespace glint
