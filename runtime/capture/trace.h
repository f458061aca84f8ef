// The trace: the interpreter runs as always, except that tensors are pending and add nodes.
//
//     def f(x):                 registers x                      graph
//         y = x * 2             x is local 0: guard tensor x     %x: f32[8]
//         return y.relu()       y pending                        %mul = mul %x, 2 ; %relu = relu
//         %mul
//
// `Trace` is the `Tracer` of one capture. Before an instruction it looks at what the instruction
// reads: a value from outside the region gets its source noted and a guard (on the value itself for
// scalars, on type and contents as they are read for containers). Tensor operators are appended to
// the graph through type inference and give pending tensors. Where an instruction needs a tensor's
// value, changes something outside, or has an effect, the trace stops before it; the reason is
// kept.
//
// What is reached without an instruction that loads it (a default, a class) is in
// trace_definitions.cpp. The rules for each instruction are in trace_instructions.cpp, for calls in
// trace_calls.cpp, for symbolic sizes in trace_sizes.cpp and trace_size_calls.cpp, for floats in
// trace_floats.cpp, for operators and natives in trace_operators.cpp.
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
#include "ir/graph.h"
#include "ir/program.h"
#include "ir/symbolic.h"
#include "passes/graph_builder.h"
#include "runtime/capture/callee.h"
#include "runtime/capture/guard.h"
#include "runtime/capture/journal.h"
#include "runtime/capture/options.h"
#include "runtime/capture/recipe.h"
#include "runtime/capture/region_gradients.h"
#include "runtime/capture/source.h"
#include "runtime/capture/symbolic_float.h"
#include "runtime/capture/traced_tensor.h"
#include "runtime/interpreter/interpreter.h"
#include "runtime/interpreter/torch_values.h"
#include "runtime/interpreter/tracer.h"

namespace glint::capture {

/// Which sizes of which sources have been seen to change: `x[0]`; of an int, `kWholeValue`.
using VaryingSizes = std::set<std::pair<std::string, size_t>>;
inline constexpr size_t kWholeValue = static_cast<size_t>(-1);

class Trace final : public runtime::Tracer, public RecipeWriter::Trace {
 public:
  /// Where a trace has to end at the latest: before the instruction of that number, for that
  /// reason.
  struct End {
    uint32_t instruction = 0;
    Diagnostic reason;
  };
  Trace(runtime::Interpreter& interpreter, runtime::Frame& entry, const CompileOptions& options,
        const VaryingSizes& varying, std::optional<End> end = {});

  // ---- Tracer ----
  Step step(runtime::Frame& frame, uint32_t pc) override;
  void caught(runtime::Frame& frame, uint32_t exception) override;
  bool entering_native(const runtime::NativeFunctionObject& native, const runtime::Value* arguments,
                       size_t count) override;
  bool call_operator(const ops::OpEntry& entry, std::span<const runtime::Value> arguments,
                     std::vector<runtime::Value>& results) override;
  bool demand_value(const Tensor& tensor) override;
  std::optional<TensorType> type(const Tensor& tensor) override;
  std::optional<SymInt> size_of(const runtime::Value& value) override;
  runtime::Value value_of_size(SymInt size) override { return size_value(size); }
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
  std::optional<uint32_t> output_of(const Tensor& tensor) override;
  std::optional<SourceId> source_of(const runtime::Value& object) override;
  bool made_inside(const runtime::FunctionObject& function) override;
  bool made_inside(const runtime::CellObject& cell_object) override;

  // ---- The result ----
  const Graph& graph() const { return graph_; }
  /// The graph with its parameters in front, in the order of `parameters()`.
  Graph finish_graph() const { return finish_graph({}); }
  /// The same, with more parameters behind those.
  Graph finish_graph(std::span<const glint::Value> more) const;
  ShapeEnvironment& shapes() { return shapes_; }
  const SourceTable& sources() const { return sources_; }
  std::vector<Guard>& guards() { return guards_; }
  std::vector<runtime::Value>& objects() { return objects_; }
  /// The source of each graph parameter, in order, and the tensors of this first run.
  const std::vector<SourceId>& parameters() const { return parameters_; }
  const std::vector<Tensor>& inputs() const { return inputs_; }
  /// The steps that floats from outside take, and those whose values are the graph's numbers: its
  /// parameters behind the tensors.
  const FloatProgram& floats() const { return floats_; }
  const std::vector<uint32_t>& numbers() const { return numbers_; }
  /// The pending tensors that are outputs of the graph, in the graph's order.
  const std::vector<Tensor>& outputs() const { return outputs_; }
  /// Whose views outputs are, of inputs and of other outputs. A view of neither loses its base.
  std::vector<OutputBase> output_bases() const;
  /// Which outputs are written into which inputs (numbers in `outputs()` and `inputs()`): the
  /// tensors from outside that in-place operators wrote. Makes their values outputs.
  std::vector<InputUpdate> finish_updates();
  /// The tensors from outside whose `grad` was set, each once, in order.
  std::vector<Tensor> set_gradients() const;
  /// The same, each with what it was before.
  const std::vector<std::pair<Tensor, Tensor>>& gradients_before() const {
    return gradients_before_;
  }
  /// Differentiates the outputs that are on the tape, for gradients from outside: the joint graph.
  /// An error where that cannot be done. After `finish_updates`.
  Result<JointGraph> differentiate();
  /// The outputs that are on the tape; `went_backward`: those that were differentiated already.
  std::vector<uint32_t> taped_outputs(bool went_backward) const;
  /// The calls that gave those outputs, as eager execution has them.
  std::shared_ptr<const std::vector<autograd::EagerCall>> eager_calls(
      const std::vector<uint32_t>& outputs) const;
  /// The nodes of calls that ran without grad mode.
  const std::set<std::string>& unrecorded_nodes() const { return unrecorded_nodes_; }
  /// The trace stopped where the script hooks into the tape that is at work in it.
  bool looks_at_tape() const { return looks_at_tape_; }
  /// Whether an output shares its memory with a tensor that others see, so that a write to one
  /// would change the history of the other.
  bool shows_live_tensor(uint32_t output) const;
  /// What the live tape has saved becomes output too, so that it stays good outside.
  void keep_tape();
  /// Puts back what was set on objects from outside: the trace has never been.
  void undo_writes();
  /// Whether something outside is not what it was before the trace, or is to be.
  bool has_written() const {
    return !journal_.empty() || !gradients_before_.empty() || !written_.empty();
  }
  /// Why the trace stopped early; nothing when it ended at the entry frame's return.
  const std::optional<Diagnostic>& stopped() const { return stopped_; }
  /// Whether the region read or wrote a register of the entry frame.
  bool touched(uint32_t register_index) const { return seen_registers_[register_index]; }
  /// The entry frame has ended by an exception that a frame around it handles.
  bool left() const { return left_; }
  /// The instruction before which the trace stopped, counted from 1 like `OperatorCall::step`.
  uint32_t steps() const { return at_.step; }
  const std::vector<EffectOutput>& effects() const { return effects_; }
  /// The trace stopped under a native that had begun, and may have advanced an iterator or filled a
  /// list: it cannot begin again from there. Where a trace from the same entry has to end instead.
  std::optional<End> half_done(const runtime::Frame& top) const;
  /// The grad mode where the trace stopped, if that is not the entry's.
  std::optional<bool> new_grad_mode() const;
  /// Forgets what the instruction drew and checked that the region ends before: it runs again.
  void drop_unfinished();
  /// A draw of random numbers happens, and a bad index raises, even if nobody looks at the result.
  void keep_effects();
  bool draws() const { return !draws_.empty(); }
  /// Whether one of its operators may fail by its operands' values.
  bool checks_values() const { return !checks_.empty(); }
  /// The names of the nodes that were called as methods of a tensor.
  const std::set<std::string>& method_nodes() const { return method_nodes_; }
  /// No tensor operator came by within the limit of instructions: not worth capturing.
  bool only_python() const { return graph_.call_count() == 0; }
  /// Makes every pending tensor that somebody still holds an output of the graph.
  void keep_all_alive();
  /// The relations decided on sizes become guards, and so does which objects are not the same.
  void finish_guards();
  /// What the region wrote to objects from outside.
  Journal& journal() { return journal_; }
  /// The same with recipes for values; false: a value cannot be carried (the writer says why).
  bool write_journal(RecipeWriter& writer, std::vector<JournalEntry>& entries);

 private:
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
  bool note_slice(const runtime::Value& slice, SourceId source);
  bool note_slice_plain(const runtime::Value& slice, SourceId source);

  // ---- definitions (trace_definitions.cpp): classes, functions and what belongs to them ----
  /// The defaults that a call inside the region has just used are from outside.
  bool note_defaults(runtime::Frame& frame);
  bool note_defaults_of(runtime::Frame& frame, SourceId source);
  bool note_default_int(runtime::Frame& frame, uint32_t default_number, uint32_t place,
                        SourceId source);
  CallAtWork called_;
  /// Whether it was there before the region, however it was reached: a class, module or function.
  bool is_definition(const runtime::Value& object) const;
  /// The source of such an object, which is the same one at each call.
  SourceId adopt(const runtime::Value& definition);
  /// The class of an object that is guarded has no such attribute, nor has a base.
  void note_absent(const runtime::ClassObject& cls, const Ref<runtime::StrObject>& name);
  /// `object.name` where no source leads to the object: its class may be from outside.
  Step read_inside_attribute(runtime::Frame& frame, uint32_t pc, const program::Instruction& at,
                             const runtime::Value& object, const std::string& name);
  /// `super().name`.
  Step read_super_attribute(runtime::Frame& frame, uint32_t pc, const program::Instruction& at,
                            const runtime::SuperObject& object, const std::string& name);
  /// Attributes that hand out an object's insides: `__dict__`, `__defaults__`; nothing: it is none.
  std::optional<Step> read_insides(const runtime::Value& object, const std::string& name);
  Step read_own_dict(const runtime::Value& object);
  Step read_defaults(const runtime::Value& function);
  /// `dir(object)`.
  Step read_names(const runtime::Value& object);
  /// `vars(object)`, `dir(object)`.
  std::optional<Step> insides_call(runtime::Frame& frame, const program::Instruction& at);
  void note_grad_mode();
  bool note_tensor(const Tensor& tensor, SourceId source);
  bool is_varying(int64_t number, SourceId source) const;
  void note_integer(int64_t number, SourceId source);
  /// As `note`, of a value that `value_from` then gives: a float may be any.
  bool note_loaded(const runtime::Value& value, SourceId source);
  bool is_symbolic(SourceId source) const {
    return symbol_of_source_.contains(source) || float_of_source_.contains(source) ||
           slice_of_source_.contains(source);
  }
  /// The value that a noted source has in the region: a symbolic int where it varies, a symbolic
  /// float.
  runtime::Value value_from(const runtime::Value& value, SourceId source);

  // ---- contents (trace_contents.cpp) ----
  /// What of a container is read: the keys (of a list, the items), the items, or the containers in
  /// it too, those in a container of the region's own included.
  enum class Contents : uint8_t { kKeys, kItems, kAll };
  bool note_contents(const runtime::Value& container, Contents read = Contents::kAll);
  bool note_content(const runtime::Value& value, SourceId source, Contents read);
  /// A value that is used as it is: an int cannot vary.
  bool note_plain(const runtime::Value& value, SourceId source);
  bool note_list_contents(const runtime::Value& container, const std::vector<runtime::Value>& items,
                          Contents read);
  bool note_dict_contents(const runtime::Value& container, Contents read);
  bool note_own_content(const runtime::Value& value, Contents read);
  bool note_outside_contents(const runtime::Value& container, Contents read);
  bool note_own_contents(const runtime::Value& container);
  /// The keys of a dict, or what a set has in it, in order.
  bool note_table(const runtime::Value& container);
  /// What a native reads of an argument.
  Contents read_by(const runtime::NativeFunctionObject& native, const runtime::Value* arguments,
                   size_t place) const;
  /// A native takes an item from an iterator, or what a function of the script returned.
  bool note_handed(const runtime::NativeFunctionObject& native, const runtime::Value& value);
  /// Natives that hand what they get from the script back to it.
  static bool gives_back(const runtime::NativeFunctionObject& native);
  bool note_length(const runtime::Value& container);
  /// What `len` and a condition ask: also of what the region has written.
  bool note_size(const runtime::Value& container);
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
  /// The same where no instruction of the script's reads it: what varies is guarded as it is.
  Step note_attribute(const runtime::Value& object, const std::string& name);

  // ---- keys (trace_keys.cpp) ----
  /// Whether a function of the script's is that special method of the object.
  bool has_hook(const runtime::Value& object, runtime::Special which) const;
  /// The object is told apart from others: it is none of those at a later hit either.
  void note_key(const runtime::Value& key);
  /// So are all keys, or items, that the container holds.
  void note_keys(const runtime::Value& container);
  /// What a native compares of its arguments.
  void note_compared(std::string_view native, const runtime::Value* arguments, size_t count);
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

  // ---- writes (trace_writes.cpp, trace_container_writes.cpp): noted in the journal, then run ----
  Step write_attribute(const runtime::Value& object, const Ref<runtime::StrObject>& name,
                       const runtime::Value& value);
  Step write_own_attribute(const runtime::Value& object, const Ref<runtime::StrObject>& name,
                           const runtime::Value& value);
  /// `torch.nn.Module.__setattr__` where it sets no parameter and no module: done here.
  Step write_module_attribute(const runtime::Value& object, const Ref<runtime::StrObject>& name,
                              const runtime::Value& value);
  Step write_item(const runtime::Value& container, const runtime::Value& key,
                  const runtime::Value& value);
  Step write_list_item(const runtime::Value& list, const runtime::Value& key,
                       const runtime::Value& value);
  Step write_entry(const runtime::Value& dict, const runtime::Value& key,
                   const runtime::Value& value);
  Step operate_on_container(const runtime::Value& container, program::Opcode opcode,
                            const runtime::Value& other);
  /// A native changes the container, list, dict or set from outside that is its first argument.
  Step write_by_native(const runtime::NativeFunctionObject& native, const runtime::Value* arguments,
                       size_t count);
  Step extend_list(const runtime::Value& list, const runtime::Value& items);
  Step pop_item(const runtime::Value& list, const runtime::Value& position);
  Step insert_item(const runtime::Value& list, const runtime::Value& position,
                   const runtime::Value& value);
  Step pop_entry(const runtime::Value& dict, const runtime::Value& key);
  Step update_dict(const runtime::Value& dict, const runtime::Value& other);
  Step update_set(const runtime::Value& set, const runtime::Value& elements);
  Step change_set(const runtime::Value& set, WriteKind kind, const runtime::Value& element);
  Step remove_element(const runtime::Value& set, const runtime::Value& element);
  Step clear_container(const runtime::Value& container);
  /// See `Journal::Written::origins`; null where all that the list held is guarded.
  std::vector<int64_t>* origins_of(const runtime::Value& list);
  struct NativeWrites;
  /// A change that only its result describes: what the container held is guarded.
  Step rewrite(const runtime::Value& container);
  /// The write of a place of `holder` becomes part of the journal; the trace stops where a value
  /// cannot be carried to later hits.
  Step journal_write(const runtime::Value& holder, Write write);
  /// A write that ends the region.
  Step refuse_write(const runtime::Value& object);
  Step refuse_attribute(const runtime::Value& object);
  bool can_carry(const runtime::Value& value);
  /// Whether the region has set what the class, or a base of it, has for the name.
  bool wrote_in_class(const runtime::ClassObject& cls, const Ref<runtime::StrObject>& name) const;
  Step write_class_attribute(const runtime::Value& object, const Ref<runtime::StrObject>& name,
                             const runtime::Value& value);
  /// Objects of which one was written are not the same, or the same, at each hit.
  void guard_written_objects();
  void guard_compared_objects();
  void guard_written_cells();
  /// `A(v=%sum)`, of one that the region makes.
  std::string instance_text(const runtime::InstanceObject& instance) const;
  std::string value_text(const runtime::Value& value) const;

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
  runtime::Value size_value(SymInt size);
  runtime::Value shape_value(const std::vector<SymInt>& sizes);
  /// The sizes as the region knows them; nothing for a tensor that it has not met.
  std::optional<std::vector<SymInt>> sizes_of(const Tensor& tensor) const;
  /// Guards that the size stays what it is.
  void specialise(SymInt size);
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
  std::optional<runtime::Value> combine_sizes(std::string_view name,
                                              const std::vector<runtime::Value>& items);
  std::optional<SymInt> size_arithmetic(program::Opcode opcode, SymInt a, SymInt b);
  /// What the script computed, if it needs no more than 64 bits in this call; guards that it never
  /// does.
  std::optional<SymInt> fitting(SymInt result);
  void guard_magnitudes();
  std::optional<bool> compare_sizes(program::Opcode opcode, const runtime::Value& left,
                                    const runtime::Value& right);
  bool decide(Relation::Kind kind, SymInt left, SymInt right);
  /// The relations decided since the last instruction belong to that.
  void note_relations();
  bool sizes_are_plain(const runtime::NativeFunctionObject& native, const runtime::Value* arguments,
                       size_t count);

  // ---- floats (trace_floats.cpp) ----
  bool any_symbolic() const { return shapes_.symbol_count() > 0 || !floats_.empty(); }
  runtime::Value float_value(uint32_t step);
  /// Guards the floats and sizes that a step is computed from: they stay what they are. `reason` is
  /// for who reads the guard.
  void specialise_float(uint32_t step, const std::string& reason = {});
  /// Whether one of the floats that it is made of has been another one before.
  bool varies(uint32_t step) const;
  /// Of each step of the float program up to this one: whether this one is made of it.
  std::vector<bool> needed_for(uint32_t step) const;
  /// The step that has a number's value, if it is one: a plain or symbolic int or float.
  std::optional<uint32_t> float_operand(const runtime::Value& value);
  /// The float that an operator or native gives for numbers, some of them symbolic; nothing where
  /// it gives no float, or raises.
  std::optional<runtime::Value> compute_float(FloatStep step,
                                              std::span<const runtime::Value> operands);
  std::optional<Step> float_instruction(runtime::Frame& frame, uint32_t pc,
                                        const program::Instruction& at);
  /// `math.sqrt(n)`, `abs(lr)`.
  std::optional<Step> float_call(runtime::Frame& frame, uint32_t pc, const program::Instruction& at,
                                 const runtime::NativeFunctionObject& native);
  /// `first, second = group["betas"]`.
  std::optional<Step> unpack_floats(runtime::Frame& frame, uint32_t pc,
                                    const program::Instruction& at);
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

  // ---- gradients (trace_gradients.cpp) ----
  /// Whether `backward` may run inside the region: the graph that it runs through is the region's
  /// own, down to leaves from outside.
  bool may_run_backward(const runtime::Value& roots);
  /// Why not, of the nodes behind one tensor; empty: it may. Adds the leaves that it meets.
  std::string_view obstacle_behind(const Tensor& root, std::vector<Tensor>& leaves);
  std::string_view obstacle_at(const autograd::Node& node, std::vector<Tensor>& leaves);
  Step gradient(const Tensor& tensor);
  Step set_gradient(runtime::Frame& frame, uint32_t pc, const Tensor& tensor,
                    const runtime::Value& value);
  /// The `grad` of a tensor from outside is read, unless the region has set it.
  bool note_gradient(const Tensor& tensor);
  /// The `grad` of a tensor from outside is about to be set.
  void keep_gradient(const Tensor& tensor);
  void note_leaf(const Tensor& tensor);
  bool write_outside(const ops::OpEntry& entry, std::span<const runtime::Value> arguments,
                     std::vector<runtime::Value>& results);
  /// The calls that lead to the outputs, as the tape has them.
  std::vector<autograd::OperatorCall*> calls_on_tape() const;
  /// By output: whether the tape saves nothing of its memory.
  std::vector<bool> writable_outputs() const;
  /// The gradients of the taped outputs, to the inputs that require one; undefined: none flows.
  std::vector<Tensor> run_tape(std::span<const uint32_t> outputs, std::span<const Tensor> tangents,
                               std::span<const Tensor> wanted);
  bool shares_written_memory(const Tensor& tensor) const;
  OutsideWrite* written(const Tensor& tensor);
  /// Whether somebody holds a pending tensor that shows that memory.
  bool is_shown(uint32_t memory) const;
  /// Leaves the gradients among the graph's outputs.
  Result<JointGraph> differentiate_outputs();
  bool is_written_memory(const Tensor& tensor);

  // ---- operators ----
  /// A result of an operator that does more than compute it.
  struct EffectResult {
    Tensor tensor;  ///< which may be written later
    glint::Value value;
    OperatorCall call;
  };
  void keep_effect(const EffectResult& result);
  /// Why the tape would not see what a write means for the views in use; none: it need not.
  std::optional<std::string> obstacle_by_history(const Tensor& target,
                                                 std::span<const runtime::Value> arguments);
  bool graph_argument(const runtime::Value& value, Argument& out,
                      int levels = runtime::kArgumentLevels);
  bool graph_tensor(const Tensor& tensor, Argument& out);
  bool trace_operator(const ops::OpEntry& entry, std::span<const runtime::Value> arguments,
                      std::vector<runtime::Value>& results);
  bool trace_in_place(const ops::OpEntry& entry, std::span<const runtime::Value> arguments,
                      std::vector<runtime::Value>& results);
  /// The new value of a written tensor, laid out as the tensor is; refused where it cannot be.
  bool fit_to_type(const ops::OpEntry& entry, const TensorType& type, bool is_view,
                   glint::Value& value);
  bool refuse_operator(DiagnosticId id, std::string detail);
  /// A name for the graph's parameter that is found there.
  std::string parameter_name(SourceId source) const;
  runtime::Value pending_tensor(glint::Value value, uint32_t memory);
  /// The number of a tensor's memory, also of one from outside.
  uint32_t memory_of(const Tensor& tensor);
  bool is_outside_memory(uint32_t memory) const;
  /// Why the tensor's memory cannot get a new value as its object does; nothing where it can.
  std::optional<std::string> obstacle_to_write(const Tensor& target);

  // ---- Writes through views (trace_view_writes.cpp) ----
  /// The tensor that a pending one shows, however many views away: itself, if it is no view.
  const TensorImpl& owner_of(const Tensor& tensor) const;
  /// `y[0] += 1` ends with `y[0]` being copied to `y[0]`: nothing is left to do.
  bool is_copy_of_itself(const ops::OpEntry& entry, std::span<const runtime::Value> arguments);
  bool is_same_view(glint::Value left, glint::Value right) const;
  std::optional<std::string> obstacle_to_write_through(const Tensor& view,
                                                       std::span<const runtime::Value> arguments);
  /// A tensor has a new value: so has what it is a view of, and so have all views of that.
  void write_through(const Tensor& view);
  /// The value of what is seen, after the view of it by `step` got a new one.
  glint::Value value_seen(const ViewStep& step, glint::Value seen, glint::Value view);
  /// Takes the views of that memory once more which are in use.
  void renew_views(uint32_t memory);
  TracedTensor* traced(const Tensor& tensor) const;

  uint64_t number_;  ///< of all traces
  runtime::Interpreter& interpreter_;
  runtime::Frame* entry_;
  const CompileOptions& options_;
  const VaryingSizes& varying_;

  Graph graph_;
  passes::GraphBuilder builder_;
  ShapeEnvironment shapes_;
  /// Rules of gradients compute sizes too.
  ShapeEnvironment::Scope scope_{shapes_};
  std::vector<Span> relation_spans_;  ///< where each relation was decided
  /// What the script computed on sizes, and where: see `fitting`.
  std::vector<std::pair<SymInt, Span>> computed_;
  std::unordered_map<int64_t, SymInt> symbol_of_size_;
  std::map<SourceId, SymInt> symbol_of_source_;
  std::map<SourceId, runtime::Value> slice_of_source_;  ///< slices with bounds that vary
  FloatProgram floats_;
  std::map<SourceId, uint32_t> float_of_source_;  ///< steps
  std::set<SourceId> fixed_floats_;               ///< guarded to be what they are
  std::vector<uint32_t> numbers_;
  std::map<uint32_t, glint::Value> number_of_step_;
  std::unordered_map<const TensorImpl*, std::vector<SymInt>> outside_sizes_;

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
  /// Cells from outside that were read or written, with each way to them.
  std::vector<std::pair<runtime::CellObject*, SourceId>> outside_cells_;
  Journal journal_;
  std::vector<runtime::Value> compared_;  ///< what `note_key` was told
  std::unordered_set<uint32_t> noted_sources_;
  std::set<std::pair<const RefCounted*, std::string>> hidden_builtins_;
  std::set<SourceId> known_keys_;                      ///< whose keys are guarded
  std::unordered_set<const RefCounted*> looked_into_;  ///< by the `note_contents` at work

  std::vector<SourceId> parameters_;
  std::vector<Tensor> inputs_;
  std::unordered_map<const TensorImpl*, glint::Value> parameter_of_;
  std::vector<Tensor> outputs_;
  std::unordered_map<const TensorImpl*, uint32_t> output_index_;

  std::vector<Tensor> pending_;  ///< all that were made, to find those still alive
  uint32_t memories_ = 0;        ///< how many have been numbered
  std::unordered_map<const Storage*, uint32_t> outside_memories_;
  std::optional<Diagnostic> stopped_;
  Span span_ = {};
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
  bool entry_grad_mode_;
  bool grad_mode_noted_ = false;
  std::unordered_set<uint32_t> inside_constants_;  ///< nodes: what `torch.tensor` made
  std::vector<EffectResult> draws_;                ///< of random operators
  std::unordered_set<size_t> dropped_;             ///< nodes: calls that the region does not make
  std::vector<EffectResult> checks_;  ///< of those that may fail by their operands' values
  std::vector<EffectOutput> effects_;
  std::map<uint32_t, uint32_t> part_writes_;  ///< by memory: how often a view of it was written
  std::vector<OutsideWrite> written_;  ///< tensors from outside, in the order of first writes
  /// The `grad`s that were set, with what they were; and whose `grad` is guarded, or set.
  std::vector<std::pair<Tensor, Tensor>> gradients_before_;
  std::unordered_set<const TensorImpl*> known_gradients_;
  std::unordered_set<const TensorImpl*> known_leaves_;
  Phase phase_ = Phase::kForward;  ///< of the operators at work
  bool left_ = false;
  bool method_call_ = false;  ///< the instruction at work calls a tensor's method
  std::set<std::string> method_nodes_;
  std::set<std::string> unrecorded_nodes_;
  bool looks_at_tape_ = false;
};

}  // namespace glint::capture
