// `:diverge`: a pass or a backend that computes something else is the stage that is named.
#include "runtime/session/diverge.h"

#include <catch2/catch.hpp>

#include "core/support/check.h"
#include "runtime/session/session.h"

namespace glint {
namespace {

std::shared_ptr<const Graph> graph_of(const char* text) {
  Result<Graph> graph = parse_graph(text);
  REQUIRE(graph);
  return std::make_shared<const Graph>(std::move(*graph));
}

constexpr const char* kRight =
    "graph f(%x: f32[2, 2], %y: f32[2, 2]) -> f32[2, 2] {\n"
    "  %mul = multiply %x, %y : f32[2, 2]\n"
    "  return %mul\n"
    "}\n";
constexpr const char* kWrong =
    "graph f(%x: f32[2, 2], %y: f32[2, 2]) -> f32[2, 2] {\n"
    "  %mul = add %x, %y : f32[2, 2]\n"
    "  return %mul\n"
    "}\n";

/// A run of kRight whose passes are `decompose`, sound, and `simplify`, of which `simplified` came.
capture::KeptRun run_with(const char* simplified) {
  capture::KeptRun run;
  run.title = "f";
  run.graph = graph_of(kRight);
  auto log = std::make_shared<passes::PassLog>();
  log->captured = run.graph;
  log->passes.push_back({.name = "decompose", .changed = true, .graph = run.graph});
  log->passes.push_back({.name = "simplify", .changed = true, .graph = graph_of(simplified)});
  run.passes = log;
  run.on.inputs = {Tensor::of<float>({1, 2, 3, 4}, {2, 2}),
                   Tensor::of<float>({2, 2, 2, 5}, {2, 2})};
  return run;
}

std::string text_of(const capture::KeptRun& run) {
  SourceMap sources;
  runtime::Interpreter interpreter(sources);
  auto verdicts =
      compare_stages(stages_of(run, interpreter), tolerance_of(*run.graph), Generator());
  return divergence_text(run.title, verdicts);
}

TEST_CASE("diverge: stages that agree are listed") {
  std::string text = text_of(run_with(kRight));
  INFO(text);
  CHECK(text.ends_with("all stages of `f` agree\n"));
  CHECK(text.find("simplify") != std::string::npos);
}

TEST_CASE("diverge: a pass with another result is named, with the largest difference and place") {
  std::string text = text_of(run_with(kWrong));
  INFO(text);
  CHECK(text.ends_with(
      "`simplify` is the first stage of `f` that differs: output 0 [1, 1] is 9, was 20\n"));
  CHECK(text.find("decompose               agrees") != std::string::npos);
}

TEST_CASE("diverge: another shape, a failure and rounding") {
  Tensor two = Tensor::of<float>({1, 2}, {2});
  Tensor three = Tensor::of<float>({1, 2, 3}, {3});
  Tensor rounded = Tensor::of<float>({1, 2.000001f}, {2});
  using Outputs = std::vector<Tensor>;
  std::vector<DivergeStage> stages = {
      {"graph", [&]() -> Result<Outputs> { return Outputs{two}; }},
      {"rounds", [&]() -> Result<Outputs> { return Outputs{rounded}; }},
      {"throws", []() -> Result<Outputs> { fail("no"); }},
      {"grows", [&]() -> Result<Outputs> { return Outputs{three}; }},
  };
  auto verdicts = compare_stages(stages, {}, Generator());
  CHECK(verdicts[0].kind == StageVerdict::Kind::kReference);
  CHECK(verdicts[1].kind == StageVerdict::Kind::kAgrees);
  CHECK(verdicts[1].largest > 0.0);
  CHECK(verdicts[2].kind == StageVerdict::Kind::kFailed);
  CHECK(verdicts[3].detail == "output 0 is float32[3], was float32[2]");
}

TEST_CASE("diverge: of a session, with the last inputs; random numbers are drawn again") {
  Session session({});
  session.keep_inputs();
  CHECK(!session.diverge(""));
  int exit_code = 0;
  for (const char* entry :
       {"import torch", "@torch.compile\ndef f(x, y): return torch.softmax(x * y, 1)\n",
        "@torch.compile\ndef g(x): return x + torch.rand(3)\n",
        "f(torch.rand(3, 4), torch.rand(4)); f(torch.rand(5, 4), torch.rand(4))",
        "g(torch.ones(3)); after = torch.rand(1)"}) {
    CHECK(session.run_entry(entry, exit_code) == EntryOutcome::kDone);
  }
  for (const char* function : {"f", "g", ""}) {
    auto regions = session.diverge(function);
    REQUIRE(regions);
    REQUIRE(regions->size() == 1);
    std::string text = (*regions)[0].second;
    INFO(text);
    CHECK(text.find("agree\n") != std::string::npos);
    CHECK(text.find("cpu  ") != std::string::npos);
    CHECK(text.find("eager                   reference") != std::string::npos);
  }
  CHECK(session.diverge("h").error().message == "no compiled region of `h` has run");
  const Artifact* time = session.log().latest(Stage::kTime, "f");
  REQUIRE(time);
  std::string lines;
  for (const StageLine& line : time->lines()) lines += line.text + "\n";
  INFO(lines);
  for (const char* step : {"parse", "lower", "capture", "simplify", "llvm", "link", "first run"})
    CHECK(lines.find(step) != std::string::npos);
}

/// The titles and tables of `:diverge f`, behind a session of these entries.
std::vector<std::pair<std::string, std::string>> tables(std::vector<const char*> entries) {
  Session session({});
  session.keep_inputs();
  int exit_code = 0;
  for (const char* entry : entries)
    REQUIRE(session.run_entry(entry, exit_code) == EntryOutcome::kDone);
  auto regions = session.diverge("f");
  REQUIRE(regions);
  return *regions;
}

TEST_CASE("diverge: each region has a table, by its name, held against the script's own code") {
  auto regions = tables({"import torch",
                         "@torch.compile\ndef f(x):\n  y = torch.softmax(x, 1)\n"
                         "  x.item() if x.numel() == 1 else str(x.sum().item())\n"
                         "  z = y * 2 + x\n  return z, [y.sum()]\n",
                         "f(torch.rand(3, 4)); f(torch.rand(3, 4))"});
  REQUIRE(regions.size() == 2);
  CHECK(regions[0].first == "diverge f");
  CHECK(regions[1].first.starts_with("diverge f from 4:"));
  for (auto& [title, text] : regions) {
    INFO(title << "\n" << text);
    CHECK(text.find("eager                   reference") != std::string::npos);
    CHECK(text.ends_with("all stages of `" + title.substr(8) + "` agree\n"));
  }
}

TEST_CASE("diverge: what the script's own code writes is taken back") {
  auto regions = tables({"import torch", "x = torch.zeros(3)",
                         "@torch.compile\ndef f(x):\n  x.add_(1)\n  return x * 2\n", "f(x)"});
  REQUIRE(!regions.empty());
  for (auto& [title, text] : regions) {
    INFO(title << "\n" << text);
    CHECK(text.ends_with("agree\n"));
  }
}

TEST_CASE("diverge: an output that views an input shows what the region writes there") {
  auto regions =
      tables({"import torch", "x = torch.arange(4.0)",
              "@torch.compile\ndef f(x):\n  y = x[1:]\n  x.mul_(2)\n  return y, y + 1\n", "f(x)"});
  REQUIRE(!regions.empty());
  for (auto& [title, text] : regions) {
    INFO(title << "\n" << text);
    CHECK(text.ends_with("all stages of `f` agree\n"));
  }
}

}  // namespace
}  // namespace glint
