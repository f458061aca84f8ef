// The trace: the interpreter runs as always, except that tensors are pending and add nodes.
//
//     def f(x):                 registers x                      graph
//         y = x * 2             x is local 0: guard tensor x     %x: f32[8]
//         return y.relu()       y pending                        %mul = mul %x, 2
//                                                                %relu = relu %mul
//
// `Trace` is the `Tracer` of one capture. Before an instruction it looks at what the instruction
// reads: a value from outside the region gets its source noted and a guard (on the value itself for
// scalars, on type and contents as they are read for containers). Tensor operators are appended to
// the graph through type inference and give pending tensors. Where an instruction needs a tensor's
// value, changes something outside, or has an effect, the trace stops before it; the reason is
// kept.
//
// The rules are here: for each instruction in trace_instructions.cpp, for calls in trace_calls.cpp,
// for keys in trace_keys.cpp, for symbolic sizes in trace_sizes.cpp and trace_size_calls.cpp, for
// floats in trace_floats.cpp, for operators and natives in trace_operators.cpp. What a trace knows,
// and the rules for one kind of thing, are parts with headers of their own: see the members.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/support/diagnostic.h"
#include "ir/program.h"
#include "runtime/capture/guard.h"
#include "runtime/capture/module_path.h"
#include "runtime/capture/options.h"
#include "runtime/capture/recipe.h"
#include "runtime/capture/script_places.h"
#include "runtime/capture/source.h"
#include "runtime/capture/tensor_writes.h"
#include "runtime/capture/trace_contents.h"
#include "runtime/capture/trace_definitions.h"
#include "runtime/capture/trace_effects.h"
#include "runtime/capture/trace_gradients.h"
#include "runtime/capture/trace_view_writes.h"
#include "runtime/capture/trace_writes.h"
#include "runtime/capture/traced_floats.h"
#include "runtime/capture/traced_graph.h"
#include "runtime/capture/traced_sizes.h"
#include "runtime/interpreter/interpreter.h"
#include "runtime/interpreter/torch_values.h"
#include "runtime/interpreter/tracer.h"

namespace glint::capture {

/// Which sizes of which sources have been seen to change: `x[0]`; of an int, `kWholeValue`.
using VaryingSizes = std::set<std::pair<std::string, size_t>>;
inline constexpr size_t kWholeValue = static_cast<size_t>(-1);
/// Of a tensor, from here on: its strides.
inline constexpr size_t kStrides = size_t{1} << 32;

class Trace final : public runtime::Tracer, public RecipeWriter::Trace {
 public:
  /// Where a trace has to end at the latest: before the instruction of that number, for that
  /// reason.
  struct End {
    uint32_t instruction = 0;
    Diagnostic reason;
    std::string function;  ///< that the reason was met in
  };
  Trace(runtime::Interpreter& interpreter, runtime::Frame& entry, const CompileOptions& options,
        const VaryingSizes& varying, const SourceMap* sources, std::optional<End> end = {});

  // ---- Tracer ----
  Step step(runtime::Frame& frame, uint32_t pc) override;
  void caught(runtime::Frame& frame, uint32_t exception) override;
  bool entering_native(const runtime::NativeFunctionObject& native, const runtime::Value* arguments,
                       size_t count) override;
  bool call_operator(const ops::OpEntry& entry, std::span<const runtime::Value> arguments,
                     std::vector<runtime::Value>& results) override;
  bool demand_value(const Tensor& tensor) override;
  bool opens_numpy_value() override;
  bool lie_apart(const Tensor& written, const Tensor& read) override;
  std::optional<TensorType> type(const Tensor& tensor) override;
  std::optional<SymInt> size_of(const runtime::Value& value) override;
  bool reads_items(const runtime::Value& container) override {
    return containers_.note_contents(container);
  }
  runtime::Value value_of_size(SymInt size) override { return sizes_.value(size); }
  Tensor number_of(const ops::OpEntry& entry, size_t place,
                   std::span<const runtime::Value> arguments) override;
  runtime::Value value_of_number(const Tensor& tensor) override;
  Tensor literal(const Tensor& made) override;
  runtime::Value plain(const runtime::Value& value) override;
  runtime::Value handed(const runtime::NativeFunctionObject& native,
                        const runtime::Value& value) override;
  void differentiating(const autograd::Node* node) override;
  runtime::Value size_along(const Tensor& tensor, size_t dim) override;

  // ---- RecipeWriter::Trace ----
  std::optional<uint32_t> output_of(const Tensor& tensor) override {
    return made_.output_of(tensor);
  }
  std::optional<SourceId> source_of(const runtime::Value& object) override;
  bool made_inside(const runtime::FunctionObject& function) override;
  bool made_inside(const runtime::CellObject& cell_object) override;

  // ---- The result ----
  /// The graph, what goes into it and what comes out of it.
  TracedGraph& made() { return made_; }
  const TracedGraph& made() const { return made_; }
  ShapeEnvironment& shapes() { return sizes_.shapes; }
  const SourceTable& sources() const { return sources_; }
  std::vector<Guard>& guards() { return guards_; }
  std::vector<runtime::Value>& objects() { return objects_; }
  /// The steps that floats from outside take.
  const FloatProgram& floats() const { return floats_.program; }
  /// Those that guards are about; null where there are none.
  std::shared_ptr<FloatComparisons> float_comparisons() const;
  /// What was written to tensors from outside.
  TensorWrites& tensor_writes() { return tensor_writes_; }
  /// What gradients take of the outputs.
  TraceGradients& gradients() { return gradients_; }
  /// The trace stopped where the script hooks into the tape that is at work in it.
  bool looks_at_tape() const { return looks_at_tape_; }
  /// Puts back what was set on objects from outside: the trace has never been.
  void undo_writes();
  /// Whether something outside is not what it was before the trace, or is to be.
  bool has_written() const { return !writes_.journal().empty() || !tensor_writes_.empty(); }
  /// Why the trace stopped early; nothing when it ended at the entry frame's return.
  const std::optional<Diagnostic>& stopped() const { return stopped_; }
  /// The function that it was running then: the entry's, or one that this calls.
  const std::string& stopped_in() const { return stopped_in_; }
  /// Whether the region read or wrote a register of the entry frame.
  bool touched(uint32_t register_index) const { return seen_registers_[register_index]; }
  /// The entry frame has ended by an exception that a frame around it handles.
  bool left() const { return left_; }
  /// The instruction before which the trace stopped, counted from 1 like `OperatorCall::step`.
  uint32_t steps() const { return at_.step; }
  TraceEffects& effects() { return effects_; }
  /// Ends the trace with a reason where a native stopped it and gave none: a region that ends for
  /// no reason would be entered again at the same place, for ever.
  void explain_stop(const runtime::Frame& top);
  /// The trace stopped under a native that had begun, and may have advanced an iterator or filled a
  /// list: it cannot begin again from there. Where a trace from the same entry has to end instead.
  std::optional<End> half_done(const runtime::Frame& top) const;
  /// The grad mode where the trace stopped, if that is not the entry's.
  std::optional<GradState> new_grad_state() const;
  /// The outputs of the region's own memory that were made in inference mode, where it begins
  /// without, or the other way round.
  std::vector<uint32_t> outputs_of_other_mode() const;
  /// The outputs of the region's own memory that it has written, and how often.
  std::vector<std::pair<uint32_t, uint32_t>> written_outputs() const;
  /// No tensor operator came by within the limit of instructions: not worth capturing.
  bool only_python() const { return made_.graph.call_count() == 0; }
  /// The default dtype becomes a guard, if what was traced asked for it.
  void note_default_dtype();
  /// The relations decided on sizes become guards, and so does which objects are not the same.
  void finish_guards();
  /// What was written to objects from outside.
  ObjectWrites& writes() { return writes_; }

 private:
  friend class ContainerReads;
  friend class DefinitionReads;
  friend class ObjectWrites;
  friend class TraceGradients;
  using Contents = ContainerReads::Contents;

  static constexpr uint32_t kMostInstructions = 100'000;
  static constexpr size_t kMostNodes = 2'000;
  /// A chain of attributes or items: each guard follows it from its beginning.
  static constexpr uint32_t kDeepestSource = 200;

  // ---- outside values ----
  /// Notes where a value from outside comes from and guards it; false: it cannot be traced.
  bool note(const runtime::Value& value, SourceId source);
  /// A second way to an object: it is the same one at each call.
  void note_same(const runtime::Value& value, SourceId source);
  /// `left is right` is read.
  void note_identity(const runtime::Value& left, const runtime::Value& right);
  /// Whether a function from outside is likely to be another object at the next call.
  bool is_made_anew(const runtime::FunctionObject& function, SourceId source) const;
  bool note_closure(const runtime::FunctionObject& function, SourceId source);
  SourceId function_source(runtime::FunctionObject* function);
  void note_grad_mode();
  void note_autocast() override;
  bool note_tensor(const Tensor& tensor, SourceId source);
  bool is_varying(int64_t number, SourceId source) const;
  /// Whether a size or stride of the tensor may be a symbol.
  bool may_vary(int64_t number, const Tensor& tensor) const;
  /// Strides that are not those of rows, for its guard and its type.
  void note_strides(const Tensor& tensor, const std::string& name, Guard& guard, TensorType& type);
  void note_integer(int64_t number, SourceId source);
  /// As `note`, of a value that `value_from` then gives: a float may be any.
  bool note_loaded(const runtime::Value& value, SourceId source);
  bool is_symbolic(SourceId source) const {
    return sizes_.of_source.contains(source) || floats_.of_source.contains(source) ||
           definition_reads_.symbolic_slice(source);
  }
  /// The value that a noted source has in the region: a symbolic int where it varies, a symbolic
  /// float.
  runtime::Value value_from(const runtime::Value& value, SourceId source);
  bool is_outside(const runtime::Value& value) const {
    return value.is_object() && outside_.contains(value.object());
  }
  SourceId outside_source(const runtime::Value& value) const { return outside_.at(value.object()); }
  SourceId object_source(const runtime::Value& object);
  /// Where the class of an instance, which the guard on its type says, has a method or attribute.
  SourceId member_source(const runtime::InstanceObject& instance, std::string_view name);
  void add_guard(Guard guard);
  /// The entry frame's register, when an instruction reads it for the first time.
  bool note_register(runtime::Frame& frame, uint32_t index);

  // ---- instructions (trace_instructions.cpp): a rule each, or one for a family ----
  struct InstructionRules;
  Step instruction(runtime::Frame& frame, uint32_t pc, const program::Instruction& at);
  Step global(runtime::Frame& frame, uint32_t pc, const program::Instruction& at);
  Step set_global(runtime::Frame& frame, uint32_t pc, const program::Instruction& at);
  Step cell(runtime::Frame& frame, uint32_t pc, const program::Instruction& at);
  Step make_cell(runtime::Frame& frame, uint32_t pc, const program::Instruction& at);
  Step set_cell(runtime::Frame& frame, uint32_t pc, const program::Instruction& at);
  Step truth(runtime::Frame& frame, uint32_t pc, const program::Instruction& at);
  Step operands(runtime::Frame& frame, uint32_t pc, const program::Instruction& at);
  Step operate_in_place(runtime::Frame& frame, uint32_t pc, const program::Instruction& at);
  Step identity(runtime::Frame& frame, uint32_t pc, const program::Instruction& at);
  Step membership(runtime::Frame& frame, uint32_t pc, const program::Instruction& at);
  Step attribute(runtime::Frame& frame, uint32_t pc, const program::Instruction& at);
  Step set_attribute(runtime::Frame& frame, uint32_t pc, const program::Instruction& at);
  Step item(runtime::Frame& frame, uint32_t pc, const program::Instruction& at);
  /// Of a list or tuple from outside.
  Step item_at(runtime::Frame& frame, uint32_t pc, const program::Instruction& at,
               const runtime::Value& container, size_t position);
  Step match_sequence(runtime::Frame& frame, uint32_t pc, const program::Instruction& at);
  Step match_key(runtime::Frame& frame, uint32_t pc, const program::Instruction& at);
  Step match_class(runtime::Frame& frame, uint32_t pc, const program::Instruction& at);
  Step set_item(runtime::Frame& frame, uint32_t pc, const program::Instruction& at);
  Step display(runtime::Frame& frame, uint32_t pc, const program::Instruction& at);
  Step fill_display(runtime::Frame& frame, uint32_t pc, const program::Instruction& at);
  Step format(runtime::Frame& frame, uint32_t pc, const program::Instruction& at);
  Step iterate(runtime::Frame& frame, uint32_t pc, const program::Instruction& at);
  Step next(runtime::Frame& frame, uint32_t pc, const program::Instruction& at);
  Step suspend(runtime::Frame& frame, uint32_t pc, const program::Instruction& at);
  Step enter_context(runtime::Frame& frame, uint32_t pc, const program::Instruction& at);
  Step exit_context(runtime::Frame& frame, uint32_t pc, const program::Instruction& at);
  Step echo(runtime::Frame& frame, uint32_t pc, const program::Instruction& at);
  Step function(runtime::Frame& frame, uint32_t pc, const program::Instruction& at);
  /// All contents are read, and guarded.
  Step contents(const runtime::Value& value, Contents read = Contents::kAll);
  Step contents(const runtime::Value& left, const runtime::Value& right, Contents read);
  SourceId globals_source(const runtime::Value& globals);
  /// Where a cell of the frame is found from the entry; nothing: it is not.
  std::optional<SourceId> cell_source(const runtime::Frame& frame, uint32_t index);
  /// `object.name` is read: where it lies in an object from outside, it is noted.
  Step read_attribute(runtime::Frame& frame, uint32_t pc, const program::Instruction& at,
                      const runtime::Value& object, const std::string& name);
  Step read_module_attribute(runtime::Frame& frame, uint32_t pc, const program::Instruction& at,
                             const runtime::ModuleObject& module, const std::string& name);
  Step read_instance_attribute(runtime::Frame& frame, uint32_t pc, const program::Instruction& at,
                               runtime::InstanceObject& instance, const std::string& name);
  Step read_class_attribute(runtime::Frame& frame, uint32_t pc, const program::Instruction& at,
                            const runtime::ClassObject& cls, const std::string& name);
  Step read_function_attribute(runtime::Frame& frame, uint32_t pc, const program::Instruction& at,
                               const runtime::Value& function,
                               const Ref<runtime::DictObject>& attributes, const std::string& name);
  /// The same where no instruction of the script's reads it: what varies is guarded as it is.
  Step note_attribute(const runtime::Value& object, const std::string& name);

  // ---- keys (trace_keys.cpp) ----
  /// Whether a function of the script's is that special method of the object.
  bool has_hook(const runtime::Value& object, runtime::Special which) const;
  /// The object is told apart from others: it is none of those at a later hit either.
  void note_key(const runtime::Value& key);
  /// So are all keys, or items, that the container holds.
  void note_keys(const runtime::Value& container);
  void guard_compared_objects();
  /// What a native compares of its arguments.
  void note_compared(bool searches, const runtime::Value* arguments, size_t count);
  /// Where a key is found at a later hit; nothing: it is not, or looking it up runs script code.
  std::optional<SourceId> key_source(const runtime::Value& key);
  std::optional<SourceId> entry_source(const runtime::Value& dict, const runtime::Value& key);
  bool can_test(const runtime::Value& key, const runtime::Value& container);
  /// `key in container`: of a dict or set from outside only that entry is guarded.
  Step key_test(const runtime::Value& key, const runtime::Value& container);
  Step read_entry(runtime::Frame& frame, uint32_t pc, const program::Instruction& at,
                  const runtime::Value& dict, const runtime::Value& key);
  /// Of an object of `class Table(dict)`.
  std::optional<Step> read_extra_attribute(runtime::Frame& frame, uint32_t pc,
                                           const program::Instruction& at,
                                           const runtime::Value& object, const std::string& name);

  // ---- calls (trace_calls.cpp) ----
  Step call(runtime::Frame& frame, uint32_t pc, const program::Instruction& at);
  Step call_unpacked(runtime::Frame& frame, uint32_t pc, const program::Instruction& at);
  /// Whether its call ends the region: see `CompileOptions::has_own_regions`.
  bool has_own_regions(const runtime::Value& callee) const;
  /// `getattr(object, name)`, `hasattr(object, name)`: a reading of that attribute.
  std::optional<Step> attribute_call(runtime::Frame& frame, uint32_t pc,
                                     const program::Instruction& at);
  /// The same where a native that reads an attribute by its name is called in another way.
  bool note_named_attribute(const runtime::NativeFunctionObject& native,
                            const runtime::Value* arguments, size_t count);
  /// `d.get(key, otherwise)`: of a dict from outside only that entry is guarded.
  std::optional<Step> entry_call(runtime::Frame& frame, uint32_t pc,
                                 const program::Instruction& at);
  /// `torch.tensor([1.0, 2.0])`: a constant of the graph.
  std::optional<Step> literal_tensor(runtime::Frame& frame, uint32_t pc,
                                     const program::Instruction& at);
  /// Whether a call of a builtin type can be part of the region.
  bool may_construct(runtime::Frame& frame, const program::Instruction& at, std::string_view name);

  Step stop(DiagnosticId id, std::string detail);
  const runtime::Value& operand(runtime::Frame& frame, program::Operand which) const;

  // ---- sizes (trace_sizes.cpp) ----
  /// The sizes as the region knows them; nothing for a tensor that it has not met.
  std::optional<std::vector<SymInt>> sizes_of(const Tensor& tensor) const;
  void specialise_sizes(const Tensor& tensor);
  /// Numbers in place of symbolic ints, in the value and in what it holds.
  void make_plain(runtime::Value& place);
  void make_plain(runtime::Frame& frame, program::Operand which);
  void make_plain(runtime::Frame& frame, std::span<const program::Operand> several);
  void make_arguments_plain(runtime::Frame& frame, const program::Instruction& at);
  void make_operator_arguments_plain(runtime::Frame& frame, const program::Instruction& at,
                                     const ops::OpEntry& entry, bool bound);
  /// What symbolic ints change in an instruction; nothing: it runs as always.
  std::optional<Step> size_instruction(runtime::Frame& frame, uint32_t pc,
                                       const program::Instruction& at);
  std::optional<Step> computed_size(runtime::Frame& frame, uint32_t pc,
                                    const program::Instruction& at);
  std::optional<Step> size_operator(runtime::Frame& frame, uint32_t pc,
                                    const program::Instruction& at, SymInt size);
  std::optional<Step> size_attribute(runtime::Frame& frame, uint32_t pc,
                                     const program::Instruction& at);
  std::optional<Step> size_call(runtime::Frame& frame, uint32_t pc, const program::Instruction& at);
  /// `int(n)`, `list(n)`, `Net(n)`: a class is called.
  std::optional<Step> size_construction(runtime::Frame& frame, uint32_t pc,
                                        const program::Instruction& at,
                                        const runtime::ClassObject& cls);
  /// `max(n, 4)`.
  std::optional<Step> size_combination(runtime::Frame& frame, uint32_t pc,
                                       const program::Instruction& at, std::string_view name);
  std::optional<Step> size_query(runtime::Frame& frame, uint32_t pc, const program::Instruction& at,
                                 std::string_view name, const Tensor& tensor,
                                 std::span<const program::Operand> rest);
  bool sizes_are_plain(const runtime::NativeFunctionObject& native, const runtime::Value* arguments,
                       size_t count);

  // ---- floats in containers from outside (trace_float_items.cpp) ----
  /// Whether it is a list or tuple from outside with a float in it, which nobody has written.
  bool holds_floats(const runtime::Value& container) const;
  /// Its items, the floats among them as ones that vary; false: the trace stops.
  bool load_items(const runtime::Value& container, std::vector<runtime::Value>& items);
  /// `first, second = group["betas"]`.
  std::optional<Step> unpack_floats(runtime::Frame& frame, uint32_t pc,
                                    const program::Instruction& at);
  /// `sum(rates)`, `list(rates)`.
  std::optional<Step> call_on_floats(runtime::Frame& frame, uint32_t pc,
                                     const program::Instruction& at);
  /// What an iterator over a list or tuple walks; undefined: it is another iterator.
  static runtime::Value walked(const runtime::Value& iterator);
  /// `for rate in rates`: the next of them.
  std::optional<Step> next_float(runtime::Frame& frame, uint32_t pc,
                                 const program::Instruction& at);
  /// `epoch in (30, 60)`.
  std::optional<Step> number_membership(runtime::Frame& frame, uint32_t pc,
                                        const program::Instruction& at);

  // ---- floats (trace_floats.cpp) ----
  bool any_symbolic() const { return sizes_.shapes.symbol_count() > 0 || !floats_.program.empty(); }
  /// Guards the floats and sizes that a step is computed from: they stay what they are. `reason` is
  /// for who reads the guard.
  void specialise_float(uint32_t step, const std::string& reason = {});
  /// Of a step that gives an int: guards that it is what it is, whatever it is computed from.
  runtime::Value settle_whole(uint32_t step);
  std::optional<Step> float_instruction(runtime::Frame& frame, uint32_t pc,
                                        const program::Instruction& at);
  /// How a comparison of two numbers comes out, which becomes a guard; nothing where they are no
  /// numbers.
  std::optional<bool> decide_floats(program::Opcode opcode, const runtime::Value& left,
                                    const runtime::Value& right);
  bool decide_steps(program::Opcode opcode, uint32_t left, uint32_t right);
  /// `lr < 0.1`, `not momentum`, `if momentum:`.
  std::optional<Step> float_comparison(runtime::Frame& frame, uint32_t pc,
                                       const program::Instruction& at);
  /// `min(1, step / 100)`, `sum(rates)`.
  std::optional<runtime::Value> float_combination(std::string_view name,
                                                  std::span<const runtime::Value> numbers);
  /// Where an int may be the least of several numbers, or the greatest: which of them it is now is
  /// guarded, and that is the value. Also in what the value holds.
  void settle(runtime::Value& place);
  void settle(runtime::Frame& frame, program::Operand which);
  /// `math.sqrt(n)`, `abs(lr)`.
  std::optional<Step> float_call(runtime::Frame& frame, uint32_t pc, const program::Instruction& at,
                                 const runtime::NativeFunctionObject& native);
  /// Whether the operator may take another number there at each hit.
  bool takes_any_number(const ops::OpEntry& entry, size_t place,
                        std::span<const runtime::Value> arguments, const SymFloatObject& number);
  /// Whether a float that may be any is within float16: a guard from then on.
  bool is_float16(const runtime::Value& number);
  /// An operator's argument without symbolic floats, but where the operator takes any number.
  runtime::Value operator_argument(const ops::OpEntry& entry, size_t place,
                                   std::span<const runtime::Value> arguments);
  /// The parameter of the graph that is a symbolic float.
  glint::Value number_parameter(uint32_t step);
  /// Writes the result of an instruction that the trace performs itself.
  Step put(runtime::Frame& frame, uint32_t pc, const program::Instruction& at,
           runtime::Value value);
  /// A load from outside: notes the value, and performs it where the value is a varying int.
  Step load(runtime::Frame& frame, uint32_t pc, const program::Instruction& at,
            const runtime::Value& value, SourceId source);

  // ---- operators ----
  bool graph_argument(const runtime::Value& value, Argument& out,
                      int levels = runtime::kArgumentLevels);
  bool graph_tensor(const Tensor& tensor, Argument& out);
  /// Whether the region may have what is there; its first tensor decides.
  bool is_at(Device device);
  bool stays_on_device(const ops::OpEntry& entry, std::span<const runtime::Value> arguments,
                       std::vector<runtime::Value>& results);
  bool trace_operator(const ops::OpEntry& entry, std::span<const runtime::Value> arguments,
                      std::vector<runtime::Value>& results);
  bool trace_in_place(const ops::OpEntry& entry, std::span<const runtime::Value> arguments,
                      std::vector<runtime::Value>& results);
  /// Whether its memory has no gaps.
  static bool can_lay_out_as(const TensorType& type);
  /// The same values, laid out as the type says, where its memory has no gaps.
  void lay_out_as(const TensorType& type, glint::Value& value);
  /// The new value of a written tensor, laid out as the tensor is; refused where it cannot be.
  bool fit_to_type(const ops::OpEntry& entry, const TensorType& type, bool is_view,
                   glint::Value& value);
  bool refuse_operator(DiagnosticId id, std::string detail);
  /// What is made from now on stands for a call of the forward pass: at its place, in its module.
  void follow(NodeId forward);
  /// A name for the graph's parameter that is found there.
  std::string parameter_name(SourceId source) const;
  TracedTensor* traced(const Tensor& tensor) const { return made_.traced(tensor); }

  runtime::Interpreter& interpreter_;
  runtime::Frame* entry_;
  const CompileOptions& options_;
  const VaryingSizes& varying_;
  const SourceMap* texts_;                 ///< null: none of them is the library's
  Span span_ = {};                         ///< of the instruction at work
  ScriptPlaces places_;                    ///< its own, and where the script asked for it
  const runtime::Frame* frame_ = nullptr;  ///< whose that is; null where none is

  // What the trace knows of the region's values; then what it does with each kind of thing.
  TracedSizes sizes_{span_};
  TracedFloats floats_;
  TracedGraph made_{sizes_.shapes};
  ViewWrites view_writes_{made_, sizes_.shapes, tensor_writes_};
  TensorWrites tensor_writes_{made_};
  TraceEffects effects_{made_};
  ModulePaths modules_;
  TraceGradients gradients_{*this};
  /// The calls whose results were written over since, by their nodes' sequence on the tape.
  std::unordered_map<uint64_t, NodeId> written_over_;
  ContainerReads containers_{*this};
  DefinitionReads definition_reads_{*this};
  ObjectWrites writes_{*this};
  // What is outside.
  SourceTable sources_;
  std::vector<Guard> guards_;
  std::vector<runtime::Value> objects_;
  std::unordered_map<const RefCounted*, uint32_t> object_index_;
  std::unordered_map<const RefCounted*, SourceId> outside_;
  std::unordered_map<const RefCounted*, std::shared_ptr<Definition>> definitions_;
  std::vector<runtime::Value> kept_;  ///< so that no address is used again during the trace
  std::vector<bool> seen_registers_;  ///< read before, or written by the trace itself
  std::vector<uint32_t> writing_;     ///< what the entry frame's instruction at work adds to them
  std::unordered_set<const RefCounted*> inside_cells_;
  std::vector<runtime::Value> compared_;                    ///< what `note_key` was told
  std::unordered_set<const RefCounted*> compared_objects_;  ///< the same
  /// The tables of the region's own whose keys were noted: their version, and how much was known to
  /// be from outside.
  std::unordered_map<const runtime::HashTable*, std::pair<uint64_t, size_t>> noted_tables_;
  std::unordered_set<uint32_t> noted_sources_;
  std::set<std::pair<const RefCounted*, std::string>> hidden_builtins_;
  // Where the trace is.
  std::optional<Diagnostic> stopped_;
  std::string stopped_in_;
  program::Opcode opcode_ = program::Opcode::kMove;
  OperatorCall at_;  ///< the instruction at work, and the operators that it has called
  std::optional<End> end_;
  std::vector<uint32_t> last_at_depth_;  ///< the number of the last instruction, by frame
  bool reads_plainly_ = false;           ///< see `note_attribute`
  bool missed_stop_ = false;             ///< a native went on after a stop
  uint32_t consuming_ = 0;               ///< the last instruction that gave a native an iterator
  uint32_t entry_depth_;
  bool begins_behind_break_;  ///< the entry frame has run already, up to where the region begins
  std::unordered_set<const program::Code*> made_code_;  ///< of functions that the region made
  GradState entry_grad_state_;
  uint64_t dtype_reads_at_entry_ = default_dtype_reads();
  bool grad_mode_noted_ = false;
  bool autocast_noted_ = false;
  bool left_ = false;
  bool method_call_ = false;  ///< the instruction at work calls a tensor's method
  bool looks_at_tape_ = false;
};

}  // namespace glint::capture
