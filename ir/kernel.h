// Kernel IR: how it is computed. A kernel is loop nests over scalars.
//
//     kernel multiply_relu_sum(%x: f32[s0, 8], %y: f32[s0, 8], %out: f32[s0])   from %mul %relu
//     %sum
//        0  parallel i in 0..s0 {
//        1    acc = reduction sum : f32                5:11 %sum
//        2    reduce j in 0..8 {
//        3      a = load %x[i, j]                      5:22 %mul
//        4      b = load %y[i, j]                      5:22 %mul
//        5      c = multiply a, b                      5:22 %mul
//        6      d = maximum c, 0.0                     5:11 %relu
//        7      acc += d                               5:11 %sum
//             }
//        8    store %out[i] = acc                      5:11 %sum
//           }
//
// Semantics
//   Statements   Flat, in the order of the text; a statement's id is its number. A loop holds the
//                statements up to its `end`. A value is named by the statement that makes it.
//   Loops        `parallel`: the iterations are independent. `reduce`: independent but for the
//                reductions that they feed; any order, any grouping. `scan`: in order. An axis is
//                unbound until a backend's schedule step binds it (`reduce j in 0..8 vector {`):
//                thread, vector with a masked tail; block, warp, lane. Several loops may follow one
//                another in the same block: all of one is done before the next begins, so that
//                softmax is one kernel of three loops over each row. A loop over one block of a
//                longer axis ends with the axis: `reduce j in 0..min(64, 1000 - 64*i) {`.
//   Buffers      Parameters (`%x`) are memory that the launch passes, seen with the kernel's own
//                sizes and strides (strides in braces; absent is row-major). A kernel that stores
//                to a parameter has it as an output, and never loads what it has not stored. Two
//                parameters do not overlap if one is stored to, except where `%out over %x` says
//                that element [i] of both may be the same place: then each element of %x is loaded
//                before the store to the same indices, and not after. A parameter without brackets
//                (`%lr: f64`) is one number, loaded as `%lr[]`.
//   Scratch      `t = scratch row f32[1024]`: uninitialised memory, one for each iteration of the
//                loops around it. Scope says how near: register, row (this iteration's worker),
//                block (shared by a block's workers), global.
//   Indices      One affine expression a dimension: constants and sizes, times loop indices and
//                int64 values (an indirect load). In bounds whenever the statement runs, unless a
//                mask forbids it: `a = load %x[i, j - 1] if p else 0.0`, `store ... if p`.
//   Scalars      `c = multiply a, b`: a ScalarFunction, in the operands' dtype; see
//                scalar_function.h for rounding. A dtype follows where the operands do not tell:
//                `e = cast d : bf16`. `n = index 8*i + j` gives an int64. Literal operands take the
//                dtype of the others.
//   Reductions   `acc = reduction C : f32` starts at C's identity; `acc = C(acc, x)` combines, for
//   a
//                sum `acc += x`; `acc` is the value, behind the reduce loops or in a scan so far.
//                A tuple's parts are `acc.0`, `acc.1`. See Combiner.
//   Checks       `check p, "message"`: when p is false the launch fails with the message; what it
//                has stored is void. (The region then runs eagerly, which raises.)
//
// The schedule says what to run in which order on which memory:
//
//     schedule f(%x: f32[s0, 8], %y: f32[s0, 8]) -> f32[s0] {
//       slot 0   4*s0 bytes, output
//       %out = tensor f32[s0] in slot 0
//       launch multiply_relu_sum(%x, %y, %out)        reads 64*s0 bytes, writes 4*s0
//       return %out
//     }
//
// All memory is known before the first step: slots marked `output` are allocated for each call,
// the others lie one behind the other, 64-byte aligned, in one workspace. A view is a pointer
// computed from its base. So a call executes launches and library calls and nothing else.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/support/result.h"
#include "core/support/span.h"
#include "core/support/stage_log.h"
#include "core/tensor/dtype.h"
#include "ir/argument.h"
#include "ir/scalar_function.h"
#include "ir/size_facts.h"
#include "ir/symbolic.h"
#include "ir/tensor_type.h"

namespace glint {

// ---- kernels -----------------------------------------------------------------------------------

/// A statement, and its number in the text.
enum class StatementId : uint32_t {};
/// A buffer of one kernel: parameters first, then scratch.
enum class BufferId : uint32_t {};
constexpr size_t index(StatementId id) {
  return static_cast<size_t>(id);
}
constexpr size_t index(BufferId id) {
  return static_cast<size_t>(id);
}

/// What a statement takes: a value made before (`part` of a reduction's tuple), or a literal.
struct Operand {
  std::variant<StatementId, int64_t, double> value;
  uint8_t part = 0;

  Operand(StatementId id, uint8_t which = 0) : value(id), part(which) {}
  Operand(int64_t literal) : value(literal) {}
  Operand(int literal) : value(static_cast<int64_t>(literal)) {}
  Operand(double literal) : value(literal) {}
  bool is_literal() const { return value.index() != 0; }
  StatementId statement() const { return std::get<StatementId>(value); }
  /// A literal's value, whichever it is.
  double number() const {
    return value.index() == 1 ? static_cast<double>(std::get<1>(value)) : std::get<2>(value);
  }
  bool operator==(const Operand& other) const;  ///< literals by bits
};

/// `coefficient * (a loop's index, or an int64 value)`.
struct IndexTerm {
  SymInt coefficient = 1;
  StatementId variable;
  bool operator==(const IndexTerm&) const = default;
};

/// An affine expression; terms in order of their variables, no coefficient zero.
struct IndexExpression {
  SymInt constant = 0;
  std::vector<IndexTerm> terms;

  IndexExpression() = default;
  IndexExpression(SymInt value) : constant(value) {}
  IndexExpression(StatementId variable) : terms{{1, variable}} {}
  bool is_constant() const { return terms.empty(); }
  /// The factor of a variable; 0 if it does not occur.
  SymInt coefficient(StatementId variable) const;
  bool operator==(const IndexExpression&) const = default;
};
IndexExpression operator+(const IndexExpression& a, const IndexExpression& b);
IndexExpression operator*(const IndexExpression& a, SymInt factor);

enum class LoopKind : uint8_t { kParallel, kReduce, kScan };
/// How a backend runs an axis. CPU: thread, vector. GPU: block, warp, lane, vector.
enum class Binding : uint8_t { kUnbound, kThread, kVector, kBlock, kWarp, kLane };

/// What a reduction combines by, and what it starts with.
///   sum 0, product 1            maximum, minimum: the dtype's least or greatest (NaN wins)
///   any false, all true
///   argmax, argmin              (value, int64 index) of v and n; the least index of equals,
///                               the first NaN if there is one; starts at (identity, 0)
///   welford                     (mean, sum of squared deviations, count), all in one floating
///                               dtype, of v; starts at (0, 0, 0)
enum class Combiner : uint8_t {
  kSum,
  kProduct,
  kMaximum,
  kMinimum,
  kAny,
  kAll,
  kArgmax,
  kArgmin,
  kWelford,
};
struct CombinerInfo {
  Combiner combiner;
  std::string_view name;
  uint8_t parts;     ///< how many values it holds
  uint8_t operands;  ///< how many it combines at once
};
const CombinerInfo& info(Combiner combiner);
std::optional<Combiner> find_combiner(std::string_view name);
/// The dtype of a part, for a reduction of `dtype`.
DType part_dtype(Combiner combiner, DType dtype, uint8_t part);

enum class ScratchScope : uint8_t { kRegister, kRow, kBlock, kGlobal };

/// Runs the statements up to `end` for each index in 0..extent.
struct Loop {
  LoopKind kind = LoopKind::kParallel;
  SymInt extent;
  Binding binding = Binding::kUnbound;
  StatementId end{};  ///< one past the last statement inside
  /// Of a loop over one block of a longer axis: what is left of the axis, if that may be less than
  /// the extent. `reduce j in 0..min(64, 1000 - 64*i) {`
  std::optional<IndexExpression> rest = {};
  bool operator==(const Loop&) const = default;
};
struct Load {
  BufferId buffer;
  std::vector<IndexExpression> indices;
  std::optional<Operand> mask;       ///< bool; where false nothing is read
  std::optional<Operand> otherwise;  ///< the value then; there whenever mask is
  bool operator==(const Load&) const = default;
};
struct Store {
  BufferId buffer;
  std::vector<IndexExpression> indices;
  Operand value;
  std::optional<Operand> mask;
  bool operator==(const Store&) const = default;
};
struct Compute {
  ScalarFunction function;
  DType dtype;  ///< in which it computes: the operands' (cast: the result's)
  std::vector<Operand> operands;
  bool operator==(const Compute&) const = default;
};
/// An int64 value from an index expression.
struct IndexValue {
  IndexExpression expression;
  bool operator==(const IndexValue&) const = default;
};
struct Reduction {
  Combiner combiner;
  DType dtype;
  bool operator==(const Reduction&) const = default;
};
struct Accumulate {
  StatementId reduction;
  std::vector<Operand> operands;
  bool operator==(const Accumulate&) const = default;
};
/// Opens a scratch buffer: `buffers[buffer]` holds its type and scope.
struct Scratch {
  BufferId buffer;
  bool operator==(const Scratch&) const = default;
};
struct Check {
  Operand condition;
  std::string message;
  bool operator==(const Check&) const = default;
};

struct Statement {
  using Kind =
      std::variant<Loop, Load, Store, Compute, IndexValue, Reduction, Accumulate, Scratch, Check>;
  Kind kind;
  std::string name;             ///< of the value or the loop's index; empty for others
  uint32_t origin = kNoOrigin;  ///< in `Kernel::origins`

  static constexpr uint32_t kNoOrigin = ~0u;
  template <class T>
  const T* get_if() const {
    return std::get_if<T>(&kind);
  }
  template <class T>
  T* get_if() {
    return std::get_if<T>(&kind);
  }
  bool operator==(const Statement&) const = default;
};

struct KernelBuffer {
  std::string name;      ///< without `%`
  TensorType type = {};  ///< device unused
  bool scratch = false;
  ScratchScope scope = ScratchScope::kRow;
  /// The parameter that this output may share its memory with, element by element.
  std::optional<BufferId> over = {};
  bool operator==(const KernelBuffer&) const = default;
};

/// Where statements come from: one entry a graph node.
struct KernelOrigin {
  std::string node;  ///< without `%`
  std::vector<Span> spans;
};

struct Kernel {
  std::string name;
  uint32_t parameter_count = 0;
  std::vector<KernelBuffer> buffers;  ///< parameters first
  std::vector<Statement> statements;
  std::vector<KernelOrigin> origins;

  const Statement& operator[](StatementId id) const { return statements[index(id)]; }
  const KernelBuffer& operator[](BufferId id) const { return buffers[index(id)]; }
  /// The dtype of an operand's value; a literal has none.
  std::optional<DType> dtype(const Operand& operand) const;
  /// Which parameters are stored to, and which are loaded.
  std::vector<bool> written() const;
  std::vector<bool> read() const;
  /// The parallel loop that is the whole kernel, if it is one: its range can be split, and cut
  /// short where the kernel is flat.
  const Loop* whole_loop() const;
  /// Whether the kernel is several parallel loops, as joins are, that read nothing that is written
  /// and keep nothing between them: parts of each may run side by side.
  bool has_loops_apart() const;
  /// Whether the kernel is one loop over elements that lie one behind the other: each parameter has
  /// one for each iteration, or one for all.
  bool is_flat() const;
};

// ---- schedules ---------------------------------------------------------------------------------

/// A tensor of a schedule.
enum class TensorId : uint32_t {};
constexpr size_t index(TensorId id) {
  return static_cast<size_t>(id);
}

using ScheduleArgument = BasicArgument<TensorId>;
using ScheduleNamedArgument = BasicNamedArgument<TensorId>;

/// A piece of memory: allocated anew for each call if it leaves with an output, else a part of the
/// workspace that several tensors use one after the other.
struct Slot {
  SymInt bytes;
  bool output = false;
  /// Of an output that is the new value of an input: it is written there.
  std::optional<TensorId> input = {};
  bool operator==(const Slot&) const = default;
};

struct ScheduleTensor {
  enum class Role : uint8_t { kInput, kConstant, kSlot, kView };
  std::string name;
  TensorType type = {};
  Role role = Role::kSlot;
  uint32_t slot = 0;                 ///< of kSlot
  TensorId base{};                   ///< of kView
  SymInt offset = 0;                 ///< of kView: elements from the base's first
  std::vector<std::byte> data = {};  ///< of kConstant
  bool operator==(const ScheduleTensor&) const = default;
};

/// Runs `kernels[kernel]`, on one list of tensors or on several that do not depend on one another:
///
///     launch add(%a, %b, %c)           reads 512 bytes, writes 256
///        and (%d, %e, %f) for 16       reads 128 bytes, writes 64
///
/// `for`: the kernel is flat, and its loop runs so far and no further; the tensors are as short.
struct Launch {
  uint32_t kernel = 0;
  std::vector<TensorId> arguments = {};  ///< one a parameter, list behind list
  std::vector<SymInt> lengths = {};      ///< one a list; empty if no list is short
  bool operator==(const Launch&) const = default;
};
/// Calls a library operator of ops/ into ready outputs: `call %c = matmul %a, %b`. Epilogues that
/// the library fuses are arguments: `bias=%v, activation="relu"`.
struct LibraryCall {
  Name target;
  std::vector<ScheduleNamedArgument> arguments;
  std::vector<TensorId> outputs;
  std::string node;  ///< the graph node
  std::vector<Span> spans;
};

struct Step {
  std::variant<Launch, LibraryCall> kind;
};

struct Schedule {
  std::string name;
  std::vector<ScheduleTensor> tensors;  ///< inputs first, in order
  uint32_t input_count = 0;
  std::vector<Slot> slots;
  std::vector<Kernel> kernels;
  std::vector<Step> steps;
  /// May repeat, be inputs (the same tensor is returned) or views.
  std::vector<TensorId> outputs;
  SizeFacts sizes = {};  ///< of the symbols, as the graph has them

  const ScheduleTensor& operator[](TensorId id) const { return tensors[index(id)]; }
  /// How many lists of tensors a launch runs its kernel on, and one of them.
  size_t list_count(const Launch& launch) const;
  std::span<const TensorId> list(const Launch& launch, size_t which) const;
  /// Bytes of the workspace: the slots that are no outputs, each rounded up to 64.
  SymInt workspace_bytes() const;
  /// Where a workspace slot begins.
  SymInt slot_offset(uint32_t slot) const;
};

/// Bytes that one launch of a kernel moves at least: each element that its loops reach, once.
struct Traffic {
  SymInt read;
  SymInt written;
};
Traffic traffic(const Kernel& kernel);
/// The same for a flat kernel of which only the first iterations run.
Traffic traffic(const Kernel& kernel, SymInt length);

// ---- text --------------------------------------------------------------------------------------

/// Equal but for what text does not hold: the file and the end of each span.
bool same_kernel(const Kernel& a, const Kernel& b);
bool same_schedule(const Schedule& a, const Schedule& b);

std::vector<StageLine> kernel_lines(const Kernel& kernel);
/// All kernels, each once, then the schedule.
std::vector<StageLine> schedule_lines(const Schedule& schedule);
std::string print(const Kernel& kernel);
std::string print(const Schedule& schedule);
/// Read the text forms; the error's span has the line and column in the text. Statement numbers and
/// traffic are not read: they follow from the rest.
Result<Kernel> parse_kernel(std::string_view text, SourceId origin_source = SourceId(1));
Result<Schedule> parse_schedule(std::string_view text, SourceId origin_source = SourceId(1));

/// Checks, and names the first violation (nothing when all hold):
///   1. loops nest: each loop's end lies behind it and not beyond the end of the loop around it;
///   2. parameters come before scratch; names of parameters and of scratch are unique, and words;
///   3. each scratch buffer has one Scratch statement, before its uses, in a block around them;
///   4. every operand, index variable and reduction is made by an earlier statement whose block is
///      still open; an index variable is a loop or an int64 value;
///   5. a load or store has as many indices as its buffer has dimensions;
///   6. operands have the function's arity and one dtype within its domain (where: bool first;
///      cast: any), literals fit it; masks and checks are bool; stored values have the buffer's
///      dtype; `otherwise` stands with `mask`, and fits the buffer;
///   7. an accumulate stands inside a reduce or scan loop that is inside its reduction's block, and
///      takes the combiner's number of operands, of its dtype; a reduction is read outside the
///      reduce loops that feed it, or inside a scan loop;
///   8. a parameter that is stored to and loaded has its store before the load in the text; `over`
///      names an earlier parameter of the same dtype;
///   9. `part` is less than the number of values that the statement makes;
///  10. what is left of an axis is made of loops around, and of sizes;
///  11. without a mask, an index made of loop indices and sizes stays within its dimension, where
///      the sizes tell.
/// `symbols`: values for s0, s1, ...; all sizes then tell.
std::optional<Error> verify_kernel(const Kernel& kernel, std::span<const int64_t> symbols = {});
/// Checks every kernel, and:
///   1. inputs are exactly the first `input_count` tensors; names are unique words;
///   2. slots exist and hold their tensors (where the sizes tell); a view's base stands before it;
///   3. a launch passes one tensor a parameter, of its dtype, with as many elements (where the
///      sizes tell), none written that is an input, a constant or a view of one; several times that
///      many if it has several lists, of which none reads what another writes; only a flat kernel
///      is launched for short lists;
///   4. what a step reads is an input, a constant, or written by an earlier step and not since
///      overwritten by another tensor in its slot;
///   5. an output is an input, a constant, in an output slot, or a view of such; nothing is written
///      to an output's slot after its tensor;
///   6. a slot that is the memory of an input is an output's, holds one tensor, of the input's
///   type,
///      and no step behind the one that writes it reads the input, nor is the input returned.
std::optional<Error> verify_schedule(const Schedule& schedule,
                                     std::span<const int64_t> symbols = {});

}  // namespace glint
