// A PTX module as it was written: declarations, functions, and their statements in order, with
// names not yet resolved. `parse_module` makes it from text; `link_program` (program.h) turns one
// entry of it into code that runs.
//
//     .entry add(.param .u64 add_param_0) { ... @%p1 bra $L_end; add.f32 %f3, %f1, %f2; ... }
//
// Every instruction keeps its place in the PTX text and, where the text has `.loc` lines, the line
// of the CUDA source that it came from.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "backends/cuda/simulator/type.h"
#include "core/support/result.h"

namespace glint::simulator {

/// A place in the PTX text; both count from 1.
struct Place {
  uint32_t line = 0;
  uint32_t column = 0;
};

/// What is wrong with a text, and where.
struct TextError {
  Place place;
  std::string what;
};

/// What `.loc` says: a line of file `file` (see `Module::files`); line 0 is "nowhere".
struct SourceLine {
  uint32_t file = 0;
  uint32_t line = 0;
  auto operator<=>(const SourceLine&) const = default;
};

/// The lines that an instruction came from; all one where nothing was inlined.
struct CodeLines {
  SourceLine inner;  ///< of the innermost function, in a header maybe
  SourceLine own;    ///< the innermost in the entry's file
  SourceLine entry;  ///< of the entry: where all that was called
};

struct Operand {
  enum class Kind : uint8_t {
    kName,     ///< `%r1`, `%tid.x`, `$L_end`, `buffer`, `buffer+4`
    kInteger,  ///< `-7`
    kFloat,    ///< `0f3F800000`, `1.5`
    kAddress,  ///< `[%rd1+16]`, `[buffer]`, `[64]`
    kVector,   ///< `{%f1, %f2}`
    kList,     ///< `(param0, param1)`, of calls
  };
  Kind kind = Kind::kName;
  std::string name;
  std::string second;             ///< the `%p1` of `%r1|%p1`
  bool negated = false;           ///< `!%p1`
  uint64_t bits = 0;              ///< of an integer, or of a float of `float_size`
  uint8_t float_size = 0;         ///< in bytes: 4 for `0f...`, else 8
  int64_t offset = 0;             ///< of an address or a name
  std::vector<Operand> elements;  ///< of a vector or list
  Place place;
};

struct InstructionText {
  std::string opcode;  ///< `ld.global.v4.f32`
  std::string guard;   ///< `%p1`; empty: always
  bool guard_negated = false;
  std::vector<Operand> operands;
  /// Operands of a form that is not known. Whoever needs the instruction says so: of one that is
  /// outside the set its name is the better word.
  std::optional<TextError> malformed;
  Place place;
  CodeLines lines;
};

struct Label {
  std::string name;
};
/// `name: .branchtargets A, B;`
struct BranchTargets {
  std::string name;
  std::vector<std::string> labels;
};
/// `.reg .f32 %f<10>` declares %f0 to %f9; without a count, one register.
struct RegisterDeclaration {
  Type type = Type::kNone;
  std::string name;
  std::optional<uint32_t> count;
};
/// A variable of global, shared, local, constant or parameter space.
struct Variable {
  Space space = Space::kGlobal;
  Type type = Type::kNone;
  std::string name;
  uint32_t alignment = 1;
  uint64_t count = 1;             ///< elements
  bool open = false;              ///< `name[]`: dynamic shared memory
  std::vector<uint64_t> initial;  ///< the bits of the first elements; the others are zero
  std::string initial_address;    ///< a name whose address is among these; such are zero there
  Place place;

  uint64_t size() const { return count * size_of(type); }
};
struct OpenScope {};
struct CloseScope {};

using Statement = std::variant<InstructionText, Label, BranchTargets, RegisterDeclaration, Variable,
                               OpenScope, CloseScope>;

/// What an entry promises of its launches, from `__launch_bounds__` and its like.
struct LaunchBounds {
  uint32_t most_threads = 0;              ///< `.maxntid`, of all axes together; 0: nothing is said
  std::array<uint32_t, 3> required = {};  ///< `.reqntid`, by axis; 0 as well
  uint32_t most_registers = 0;            ///< `.maxnreg`, of a thread; 0 as well
};

struct Function {
  std::string name;
  bool entry = false;
  bool defined = false;  ///< has a body
  std::vector<Variable> results;
  std::vector<Variable> parameters;
  LaunchBounds bounds;
  std::vector<Statement> body;
  Place place;
};

/// The text that a module was made of, as `.file` names it; empty where nobody is to see it.
struct SourceText {
  std::string name;
  std::string text;
};

struct Module {
  std::string version;              ///< `8.8`
  std::string target;               ///< `sm_80`
  std::vector<std::string> files;   ///< by the number that `.file` gives
  SourceText source;                ///< what faults quote
  std::vector<Variable> variables;  ///< of the whole module
  std::vector<Function> functions;

  const Function* find(std::string_view name) const;
};

/// Reads PTX text. The error's message begins with the place: `12:5: expected ...`.
Result<Module> parse_module(std::string_view text);

/// `12:5: what`, as errors about PTX text begin where no line of the source is known.
Error error_at(Place place, std::string_view what);

}  // namespace glint::simulator
