// The stage log: the one stream in which every stage says what it made.
//
// A stage hands over an artifact: what kind it is, whose it is, a recipe that makes its text when
// somebody asks, the source span of each line of that text, and how long the stage took. The REPL's
// `:` commands, `--show`, `glint show`, the report and the tests are renderings of this log;
// nothing prints from inside a stage, and a run that nobody looks into never makes a line of text.
//
//     log.add({.stage = Stage::kGraph, .function = "f", .entry = 1,
//              .text = [graph] { return print(graph); }, .milliseconds = 0.21});
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/span.h"

namespace glint {

/// What an artifact shows, in the order in which a program passes through. `stage_table` has the
/// word by which each is asked for.
enum class Stage : uint8_t {
  kTokens,
  kAst,
  kProgram,
  kBreaks,
  kGuards,
  kGraph,
  kPasses,
  kFusion,
  kKernels,
  kMemory,
  kLlvm,
  kAssembly,
  kCuda,
  kPtx,
  kSass,
  kGpu,
  kTime,
};

struct StageInfo {
  Stage stage;
  std::string_view name;         ///< the word of the `:` command and of `--show`
  std::string_view description;  ///< one line for the help
};

/// Every stage, in order; `stage_table()[size_t(stage)].stage == stage`.
const std::vector<StageInfo>& stage_table();
std::optional<Stage> find_stage(std::string_view name);

/// One line of an artifact's text and the source that it came from: of each place the script's
/// own line, then that of the library, if the library did it.
struct StageLine {
  std::string text;
  std::vector<Span> origins;
};

struct Artifact {
  Stage stage = Stage::kProgram;
  std::string function;  ///< qualified name of the script function it belongs to
  Span definition = {};  ///< where that function stands
  uint32_t compile = 0;  ///< which compile made it: 0 for stages before capture
  uint32_t region = 0;   ///< the region's number among those that begin at its place, from 1
  Span begin = {};       ///< where the region begins, if not at the function's beginning
  /// Makes the text; holds the stage's value, by value, so it stays good after the stage is gone.
  std::function<std::vector<StageLine>()> lines;
  double milliseconds = 0.0;

  /// Whose it is, in words: see `region_title`.
  std::string title() const;
};

/// `f`; `f, entry 2`, for other types or sizes; `f from 11:12`, behind a break.
std::string region_title(std::string_view function, const Span& begin, uint32_t number);
/// Whether a qualified name is meant by `asked`: all of it, or the last parts (`forward` is
/// `Net.forward`). Nothing asked means every name.
bool is_named(std::string_view qualified, std::string_view asked);

/// The artifacts of a session. Of each function the last `kKeptCompiles` compiles are kept: two are
/// one if their name and definition are. Closures and modules of one definition, whose compiles
/// have different owners, have as many each, and `kKeptOfDefinition` together.
class StageLog {
 public:
  static constexpr size_t kKeptCompiles = 8;
  static constexpr size_t kKeptOfDefinition = 64;

  /// Called with each artifact as it arrives (`glint run --show`); at most one listener.
  void listen(std::function<void(const Artifact&)> listener) { listener_ = std::move(listener); }
  void add(Artifact artifact);
  /// A new compile's number, from 1; `owner` tells apart what has one definition.
  uint32_t begin_compile(const void* owner = nullptr) {
    owners_.push_back(owner);
    return compiles();
  }
  uint32_t compiles() const { return static_cast<uint32_t>(owners_.size()); }

  /// Begins a stretch of which nothing is forgotten until `forget`: for who counts what was
  /// compiled. Gives a compile's number that nothing before bears; what comes from here on bears it
  /// or a later one. One stretch at a time: a second one ends the first.
  uint32_t keep() { return kept_since_.emplace(begin_compile()); }
  void forget() { kept_since_.reset(); }

  const std::deque<Artifact>& artifacts() const { return artifacts_; }
  /// The newest artifact of a stage, of a function if one is named (by its full name or the last
  /// part of it); null when there is none.
  const Artifact* latest(Stage stage, std::string_view function = {}) const;
  void clear() { artifacts_.clear(); }

 private:
  void forget_old_compiles(const Artifact& newest);
  const void* owner_of(uint32_t compile) const;

  std::deque<Artifact> artifacts_;
  std::function<void(const Artifact&)> listener_;
  std::vector<const void*> owners_;  ///< of each compile, from 1
  std::optional<uint32_t> kept_since_;
};

}  // namespace glint
