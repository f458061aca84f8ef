// Kernel IR to LLVM IR: one function a kernel.
//
//     i32 @multiply_relu_sum(ptr context, ptr scratch, ptr parameters, ptr sizes,
//                            i64 begin, i64 end)
//
// `parameters` holds the buffers' addresses, `sizes` the values of the symbolic expressions that
// the kernel uses (in the order of `size_expressions`), [begin, end) the part of the outermost
// parallel loop that this call does, or of each of several in shares, `scratch` memory for row
// buffers. The result is 0, or one more than the number of the check that failed.
//
// Values. A statement's value is uniform (one number) or varying (one a lane): inside a loop that
// runs in lanes (loop_plan.h) what depends on the loop's index is varying, everything else stays
// uniform and is spread where it meets a varying operand. bool is i1; bfloat16 and float16 are held
// as the float32 that they round to. A loop in lanes is emitted twice: whole vectors, then the rest
// under a mask; a heavy one (loop_plan.h) once, narrow, and under a mask throughout.
//
// Debug locations, of code that is listed: line n + 1 is statement n of the kernel's text.
//
// Only the sources of this folder that emit IR include this file.
#pragma once

#include <llvm/IR/DIBuilder.h>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "backends/cpu/ir_lanes.h"
#include "backends/cpu/loop_plan.h"
#include "ir/kernel.h"

namespace glint::cpu {

/// The emitted function's parameters, those of `KernelFunction` (schedule_runner.h).
enum KernelArgument : unsigned { kContext, kScratch, kParameters, kSizes, kBegin, kEnd };

/// A statement's value in the function being emitted.
struct Emitted {
  llvm::Value* value = nullptr;
  bool varying = false;
};

/// A reduction while it runs: stack slots that the optimiser turns into registers.
struct Accumulator {
  std::vector<llvm::AllocaInst*> total;    ///< one a part
  std::vector<llvm::AllocaInst*> partial;  ///< one a part, inside a loop in lanes or in blocks
  llvm::AllocaInst* nan_seen = nullptr;    ///< of maxima: whether a lane has met a nan
  llvm::AllocaInst* first_nan = nullptr;   ///< of short partial indices: where each lane met one
  unsigned total_lanes = 0;                ///< not 0 inside a parallel loop in lanes
  unsigned partial_lanes = 0;
  std::optional<StatementId> index_axis;  ///< of short partial indices: the loop that they count
  bool wide_total = false;                ///< a narrower total that is kept in float64
};

/// In so many parts are loops that lie apart (`has_loops_apart`) divided: a call does parts `begin`
/// to `end` of each.
constexpr int64_t kShares = 4096;

/// What the emitted function expects from its caller.
struct EmittedKernel {
  std::string symbol;
  std::vector<SymInt> size_expressions;
  SymInt scratch_bytes = 0;
  int64_t stretch = 1;  ///< lanes of the whole kernel's loop, if others are inside it
  std::optional<SymInt> thread_extent = {};  ///< of what [begin, end) is a part
};

class KernelEmitter {
 public:
  /// `with_lines`: for a listing. Code that only runs does without debug locations, which take
  /// about 7 % of compiling.
  KernelEmitter(llvm::Module& module, const Kernel& kernel, std::string symbol, bool avx512,
                bool with_lines);
  /// Appends the function to the module.
  EmittedKernel emit();

 private:
  // kernel_emitter.cpp: structure
  bool is_innermost(size_t i) const;
  void begin_function();
  void attach_debug_info(llvm::Function* function);
  void emit_range(size_t first, size_t last);
  void emit_statement(size_t i);
  void emit_whole();
  llvm::Value* share_of(size_t i, const Loop& loop, llvm::Value* shares);
  void emit_loop(size_t i, const Loop& loop);
  void emit_loop(size_t i, const Loop& loop, llvm::Value* low, llvm::Value* high);
  void emit_lanes_loop(size_t i, const Loop& loop, llvm::Value* low, llvm::Value* high);
  void emit_lanes_range(size_t i, const Loop& loop, llvm::Value* low, llvm::Value* high);
  void emit_tiled(size_t i, llvm::Value* low, llvm::Value* high);
  void emit_strips(size_t i, llvm::Value* low, llvm::Value* high, bool whole);
  using LoopBody = std::function<void(llvm::Value*)>;
  void emit_counted(llvm::Value* low, llvm::Value* high, llvm::Value* step, const char* name,
                    const LoopBody& body);
  void emit_body_and_rest(llvm::Value* low, llvm::Value* high, unsigned repeats, bool parallel,
                          const LoopBody& body);
  void emit_rows(llvm::Value* low, llvm::Value* high, SymInt extent, const LoopBody& body);
  void emit_rest(llvm::Value* low, llvm::Value* high, llvm::Value* count, const LoopBody& body);
  void emit_one_body(llvm::Value* low, llvm::Value* high, const LoopBody& body);
  llvm::Value* mask_below(llvm::Value* count);
  void emit_check(const Check& check, size_t i);
  void emit_scratch(const Scratch& scratch);

  // emit_prefetch.cpp
  /// What the loop `carrier` prefetches for the access of the loop `column` within the loop `row`.
  struct Prefetch {
    size_t carrier;
    size_t column;
    size_t row;
    int64_t rows_ahead;  ///< for reading; 0: for writing in this row
    BufferId buffer;
    std::vector<IndexExpression> indices;
  };
  void plan_prefetches(size_t row, const Loop& loop);
  void emit_prefetches(size_t carrier, llvm::Value* counter);
  void prefetch_lines(llvm::Value* pointer, unsigned ahead, unsigned bytes, bool writes);
  void prefetch_soon(llvm::Value* pointer, DType dtype);

  // emit_memory.cpp: addresses, loads and stores
  struct Place {
    llvm::Value* uniform;             ///< elements from the buffer's start
    std::optional<SymInt> lane_step;  ///< nothing: the same place for all lanes
    llvm::Value* varying = nullptr;   ///< a further offset for each lane
  };
  Place place(BufferId buffer, const std::vector<IndexExpression>& indices);
  void emit_load(size_t i, const Load& load);
  void emit_store(const Store& store);
  Emitted index_value(const IndexExpression& expression);
  llvm::Value* element_pointer(BufferId buffer, llvm::Value* index);
  llvm::Value* lane_pointers(BufferId buffer, const Place& place);
  llvm::Value* size(SymInt expression);
  llvm::Value* decode(DType dtype, llvm::Value* stored, unsigned lanes);
  llvm::Value* encode(DType dtype, llvm::Value* value, unsigned lanes);
  void tag_memory(llvm::Instruction* access, BufferId buffer);

  // emit_across.cpp: lanes that do not lie next to each other
  static bool is_short_step(SymInt step);
  llvm::Value* load_every(const Load& load, llvm::Value* pointer, int64_t step);
  void emit_tiles(size_t i, const Loop& loop);
  llvm::AllocaInst* transposed_tile(DType dtype, llvm::Value* corner, llvm::Value* step);
  llvm::Value* tile_row(size_t load, DType dtype);

  // emit_compute.cpp: scalar functions
  void emit_compute(size_t i, const Compute& compute);
  llvm::Value* floating(const Compute& compute, const std::vector<llvm::Value*>& operands,
                        unsigned lanes);
  llvm::Value* integral(const Compute& compute, const std::vector<llvm::Value*>& operands,
                        unsigned lanes);
  llvm::Value* truth_value(DType dtype, llvm::Value* value);
  llvm::Value* logical(ScalarFunction function, llvm::Value* x, llvm::Value* y);
  llvm::Value* convert(llvm::Value* value, DType from, DType to, unsigned lanes);
  llvm::Value* round_to_storage(DType dtype, llvm::Value* value, unsigned lanes);

  // emit_reduction.cpp
  void emit_reduction(size_t i, const Reduction& reduction);
  void emit_accumulate(const Accumulate& accumulate);
  std::vector<size_t> fed_by(size_t first, size_t last) const;
  bool feeds_deeper(size_t i, const Loop& loop, const std::vector<size_t>& reductions) const;
  void open_partials(const std::vector<size_t>& reductions, unsigned lanes, unsigned width);
  void shorten_indices(size_t i, const Loop& loop);
  llvm::Constant* lane_numbers(unsigned lanes);
  llvm::Value* partial_place(llvm::AllocaInst* slot);
  void close_partials(const std::vector<size_t>& reductions);
  Emitted reduction_value(StatementId id, uint8_t part);
  std::vector<llvm::Value*> combine(const Reduction& reduction, unsigned lanes,
                                    const std::vector<llvm::Value*>& a,
                                    const std::vector<llvm::Value*>& b);
  std::vector<llvm::Value*> fold_lanes(const Reduction& reduction, Accumulator& accumulator,
                                       std::vector<llvm::Value*> parts);
  bool is_value_read(size_t reduction) const;
  std::vector<llvm::Value*> first_of_best(const Reduction& reduction, llvm::Value* values,
                                          llvm::Value* indices, llvm::Value* nans);
  void note_first_nan(Accumulator& accumulator, const std::vector<llvm::Value*>& values);
  llvm::Value* better_number(const Reduction& reduction, llvm::Value* x, llvm::Value* y);
  llvm::Value* better_or_nan(const Reduction& reduction, llvm::Value* so_far, llvm::Value* value);
  void note_nan(Accumulator& accumulator, llvm::Value* value);
  std::vector<llvm::Value*> identity(const Reduction& reduction, unsigned lanes);
  void accumulate_welford(const Reduction& reduction, Accumulator& accumulator, llvm::Value* value);
  void accumulate_index(const Reduction& reduction, Accumulator& accumulator,
                        const std::vector<llvm::AllocaInst*>& slots,
                        const std::vector<llvm::Value*>& values);
  bool has_blocked_sum(const std::vector<size_t>& reductions) const;

  // emit_scan.cpp
  bool has_wide_total(size_t i, const Reduction& reduction) const;
  void accumulate_scan(const Reduction& reduction, Accumulator& accumulator, llvm::Value* value);

  // values
  Emitted value_of(const Operand& operand, DType dtype);
  llvm::Value* operand(const Operand& operand, DType dtype, bool varying);
  bool is_varying(const Operand& operand) const;
  llvm::Value* spread(llvm::Value* value);
  llvm::Value* literal(const Operand& operand, DType dtype);
  llvm::Type* value_type(DType dtype, unsigned lanes);
  llvm::Type* memory_type(DType dtype, unsigned lanes);
  llvm::Type* with_lanes(llvm::Type* type, unsigned lanes);
  DType dtype_of(const Operand& operand, DType otherwise) const;
  unsigned lanes_of(bool varying) const { return varying ? lanes_ : 0; }
  llvm::DebugLoc line_of(size_t statement) const;
  void set_line(size_t statement) { b().SetCurrentDebugLocation(line_of(statement)); }
  llvm::Value* all_lanes_mask();
  Builder& b() { return builder_; }

  llvm::Module& module_;
  const Kernel& kernel_;
  std::string symbol_;
  Builder builder_;
  Emission emission_;
  std::vector<LoopPlan> plans_;
  bool with_lines_;

  llvm::Function* function_ = nullptr;
  llvm::DISubprogram* subprogram_ = nullptr;  ///< null: no debug locations
  std::vector<llvm::Value*> buffers_;
  std::vector<Emitted> values_;
  std::map<size_t, Accumulator> accumulators_;
  std::vector<SymInt> size_expressions_;
  std::map<uint64_t, llvm::Value*> sizes_;
  SymInt scratch_bytes_ = 0;
  std::optional<SymInt> thread_extent_;
  llvm::MDNode* alias_domain_ = nullptr;
  std::vector<llvm::MDNode*> alias_scopes_;

  std::vector<Prefetch> prefetches_;
  /// The part of an outer parallel loop that runs inside the loop in lanes.
  struct Strip {
    size_t loop;
    llvm::Value* start;
    llvm::Value* stop;
    bool whole;  ///< stop = start + 16
  };
  std::optional<Strip> strip_;
  std::map<size_t, llvm::AllocaInst*> tiles_;  ///< by load, inside a strip

  unsigned lanes_ = 0;                    ///< 0 outside loops in lanes
  std::optional<StatementId> lane_axis_;  ///< the loop in lanes
  llvm::Value* lane_mask_ = nullptr;      ///< null: all lanes run
  /// Where the lanes' partial results begin, if there are more of those than lanes.
  llvm::Value* partial_offset_ = nullptr;
  bool in_scan_ = false;  ///< inside a scan loop in lanes
  bool waits_for_memory_ =
      false;  ///< inside a light reduction in lanes, that nothing else prefetches for
};

}  // namespace glint::cpu
