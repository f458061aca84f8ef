#include "core/support/stage_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace glint {
const std::vector<StageInfo>& stage_table() {
  static const std::vector<StageInfo> table = {
      {Stage::kTokens, "tokens", "the script as the tokenizer cuts it, indentation included"},
      {Stage::kAst, "ast", "the syntax tree, names resolved"},
      {Stage::kProgram, "program", "the register code that the interpreter runs"},
      {Stage::kBreaks, "breaks", "where regions ended, why, and what to do about it"},
      {Stage::kGuards, "guards", "what must hold for compiled code to be used again"},
      {Stage::kGraph, "graph", "the tensor operations of a region, as captured"},
      {Stage::kPasses, "passes", "what each pass changed, and how long it took"},
      {Stage::kFusion, "fusion", "which operations share a kernel, and why"},
      {Stage::kKernels, "kernels", "loop nests and the schedule that launches them"},
      {Stage::kMemory, "memory", "the buffers between kernels and when each is live"},
      {Stage::kLlvm, "llvm", "LLVM IR after optimisation"},
      {Stage::kAssembly, "asm", "the machine code that runs"},
      {Stage::kCuda, "cuda", "the kernels as CUDA C++, with or without a GPU"},
      {Stage::kPtx, "ptx", "the PTX that NVRTC makes of that, if it is installed"},
      {Stage::kSass, "sass", "the GPU's machine code, if a disassembler is installed"},
      {Stage::kGpu, "gpu",
       "the launches of the kernels on a GPU, and what the simulated one counted"},
      {Stage::kTime, "time", "what each step cost, from the text to the first result"},
  };
  return table;
}

std::optional<Stage> find_stage(std::string_view name) {
  for (const StageInfo& info : stage_table()) {
    if (info.name == name) return info.stage;
  }
  return std::nullopt;
}

void StageLog::add(Artifact artifact) {
  artifacts_.push_back(std::move(artifact));
  const Artifact& added = artifacts_.back();
  const bool begins = artifacts_.size() < 2 || artifacts_.end()[-2].compile != added.compile;
  // Looking through all of them for each would be most of a script that compiles a lot.
  if (added.compile != 0 && begins) forget_old_compiles(added);
  if (listener_) listener_(artifacts_.back());
}

void StageLog::forget_old_compiles(const Artifact& newest) {
  auto is_of_definition = [function = newest.function,
                           at = newest.definition](const Artifact& artifact) {
    return artifact.compile != 0 && artifact.definition == at && artifact.function == function;
  };
  const void* owner = owner_of(newest.compile);
  std::set<uint32_t> of_definition, of_owner;
  for (const Artifact& artifact : artifacts_) {
    if (!is_of_definition(artifact)) continue;
    of_definition.insert(artifact.compile);
    if (owner_of(artifact.compile) == owner) of_owner.insert(artifact.compile);
  }
  const bool owner_has_too_many = of_owner.size() > kKeptCompiles;
  if (!owner_has_too_many && of_definition.size() <= kKeptOfDefinition) return;
  const uint32_t oldest = *(owner_has_too_many ? of_owner : of_definition).begin();
  if (kept_since_ && oldest >= *kept_since_) return;
  std::erase_if(artifacts_, [&](const Artifact& artifact) {
    return artifact.compile == oldest && is_of_definition(artifact);
  });
}

/// An owner is known by its address: who gives one keeps it for as long as the log lives.
const void* StageLog::owner_of(uint32_t compile) const {
  return compile == 0 || compile > owners_.size() ? nullptr : owners_[compile - 1];
}

const Artifact* StageLog::latest(Stage stage, std::string_view function) const {
  auto matches = [&](const Artifact& artifact) {
    return artifact.stage == stage && is_named(artifact.function, function);
  };
  auto found = std::find_if(artifacts_.rbegin(), artifacts_.rend(), matches);
  return found == artifacts_.rend() ? nullptr : &*found;
}

std::string Artifact::title() const {
  return region_title(function, begin, region);
}

std::string region_title(std::string_view function, const Span& begin, uint32_t number) {
  std::string title(function);
  if (begin.known()) title += fmt::format(" from {}:{}", begin.line, begin.column);
  if (number > 1) title += fmt::format(", entry {}", number);
  return title;
}

bool is_named(std::string_view qualified, std::string_view asked) {
  if (asked.empty() || qualified == asked) return true;
  return qualified.size() > asked.size() && qualified.ends_with(asked) &&
         qualified[qualified.size() - asked.size() - 1] == '.';
}

}  // namespace glint
