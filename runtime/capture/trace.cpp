#include "runtime/capture/trace.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/tensor/grad_mode.h"
#include "ir/liveness.h"
#include "runtime/capture/symbolic_value.h"
#include "runtime/interpreter/builtins_files.h"
#include "runtime/interpreter/prepared.h"
#include "runtime/interpreter/protocol.h"
#include "runtime/interpreter/torch_modules.h"

namespace glint::capture {

using namespace runtime;  // NOLINT: the interpreter's object structs, by their names
using program::Opcode;
using runtime::Value;

Trace::Trace(Interpreter& interpreter, Frame& entry, const CompileOptions& options,
             const VaryingSizes& varying, const SourceMap* sources, std::optional<End> end)
    : interpreter_(interpreter),
      entry_(&entry),
      options_(options),
      varying_(varying),
      texts_(sources),
      seen_registers_(entry.register_count(), false),
      end_(std::move(end)),
      entry_depth_(entry.depth),
      begins_behind_break_(entry.position() > 0),
      entry_grad_state_(grad_state()) {
  made_.graph.name = entry.program().name;
  if (made_.graph.name.empty() || made_.graph.name[0] == '<') made_.graph.name = "region";
}

Tracer::Step Trace::stop(DiagnosticId id, std::string detail) {
  stopped_ = Diagnostic{id, places_.spans.front(), std::move(detail)};
  stopped_in_ = places_.function;
  return Step::kStop;
}

const Value& Trace::operand(Frame& frame, program::Operand which) const {
  static const Value nothing;
  if (which.none()) return nothing;
  if (which.is_constant()) return frame.code->constants[which.index()];
  return frame.registers[which.index()];
}

Tracer::Step Trace::step(Frame& frame, uint32_t pc) {
  if (frame.depth < entry_depth_) {
    left_ = true;
    return Step::kStop;
  }
  at_ = {at_.step + 1, 0};
  const program::Code& code = frame.program();
  const program::Instruction& at = code.instructions[pc];
  sizes_.note_relations();
  span_ = at.span;
  frame_ = &frame;
  opcode_ = at.opcode;
  method_call_ = false;
  places_.move_to(frame, entry_depth_, texts_);
  made_.builder.set_origins(places_.spans);
  if (interpreter_.take_missed_stop()) {
    missed_stop_ = true;
    return Step::kStop;
  }
  if (&frame == entry_ && at.opcode == Opcode::kReturn) {
    if (at.a.is_register() && !note_register(frame, at.a.index())) return Step::kStop;
    return Step::kStop;
  }
  last_at_depth_.resize(frame.depth - entry_depth_ + 1);
  last_at_depth_.back() = at_.step;
  if (end_ && at_.step == end_->instruction) {
    stopped_ = end_->reason;
    stopped_in_ = end_->function;
    return Step::kStop;
  }
  if (sources_.deepest() > kDeepestSource) {
    return stop(DiagnosticId::kBreakRegionTooLong,
                fmt::format("a value is reached through {} others", kDeepestSource));
  }
  if (at_.step > kMostInstructions) {
    return stop(DiagnosticId::kBreakRegionTooLong,
                fmt::format("{} instructions were run", kMostInstructions));
  }
  if (made_.graph.nodes.size() >= kMostNodes) {
    return stop(DiagnosticId::kBreakRegionTooLong,
                fmt::format("the graph has {} nodes", kMostNodes));
  }
  if (&frame == entry_) {
    bool fine = true;
    program::for_each_read(code, at,
                           [&](uint32_t index) { fine = fine && note_register(frame, index); });
    if (!fine) return Step::kStop;
  } else if (pc == 0) {
    bool noted = definition_reads_.note_defaults(frame);
    definition_reads_.calls({});
    if (!noted) return Step::kStop;
  }
  Step result = instruction(frame, pc, at);
  if (&frame == entry_) {
    writing_.clear();
    if (result == Step::kRun)
      program::for_each_write(code, at, [&](uint32_t index) {
        if (!seen_registers_[index]) writing_.push_back(index);
        seen_registers_[index] = true;
      });
  }
  return result;
}

void Trace::explain_stop(const Frame& top) {
  const bool returns =
      &top == entry_ && top.program().instructions[top.position()].opcode == Opcode::kReturn;
  if (stopped_ || left_ || (returns && !missed_stop_)) return;
  stop(DiagnosticId::kBreakUnsupportedValue,
       "a native function needs what the region does not know");
}

std::optional<Trace::End> Trace::half_done(const Frame& top) const {
  if (missed_stop_ && stopped_) return End{last_at_depth_[0], *stopped_, stopped_in_};
  size_t depth = top.depth - entry_depth_;
  if (!stopped_ || depth >= last_at_depth_.size()) return std::nullopt;
  bool below = depth + 1 < last_at_depth_.size();
  if (!below && consuming_ != at_.step) return std::nullopt;
  return End{last_at_depth_[depth], *stopped_, stopped_in_};
}

void Trace::caught(Frame& frame, uint32_t exception) {
  if (&frame != entry_) return;
  for (uint32_t index : writing_) seen_registers_[index] = false;
  writing_.clear();
  seen_registers_[exception] = true;
}

bool Trace::note_register(Frame& frame, uint32_t index) {
  if (seen_registers_[index]) return true;
  seen_registers_[index] = true;
  const Value& value = frame.registers[index];
  if (value.is_undefined()) return true;
  const program::Code& code = frame.program();
  std::string name =
      index < code.local_names.size()
          ? code.local_names[index]
          : fmt::format("<value {} from before the region>", index - code.local_names.size());
  SourceId source = sources_.local(index, name);
  if (!note_loaded(value, source)) return false;
  if (is_symbolic(source)) frame.registers[index] = value_from(value, source);
  return true;
}

// ---- outside values ----------------------------------------------------------------------------

void Trace::add_guard(Guard guard) {
  guard.span = span_;
  if (guard.kind == GuardKind::kIdentity || guard.kind == GuardKind::kType) {
    bool defined = guard.expected.is(kClassKind) || guard.expected.is(kFunctionKind);
    if (defined) {
      auto [found, added] = definitions_.try_emplace(guard.expected.object());
      if (added) found->second = definition_of(guard.expected);
      guard.definition = found->second;
    }
  }
  guards_.push_back(std::move(guard));
}

SourceId Trace::object_source(const Value& object) {
  auto [found, added] =
      object_index_.try_emplace(object.object(), static_cast<uint32_t>(objects_.size()));
  if (added) objects_.push_back(object);
  std::string name = actual(object);
  if (auto* function = object.try_as<FunctionObject>()) name = std::string(function->name->view());
  if (auto* cls = object.try_as<ClassObject>()) name = std::string(cls->name->view());
  return sources_.object(found->second, name);
}

SourceId Trace::member_source(const InstanceObject& instance, std::string_view name) {
  SourceId cls = object_source(Value(instance.cls));
  return sources_.child(cls, SourceKind::kAttribute, name);
}

bool Trace::note(const Value& value, SourceId source) {
  if (auto known = floats_.of_source.find(source); known != floats_.of_source.end()) {
    specialise_float(known->second);
    return true;
  }
  if (!noted_sources_.insert(static_cast<uint32_t>(source)).second) return true;
  if (plain_number(value)) return true;  // symbolic: the region's own
  if (!value.is_object()) {
    if (value.is_int() && is_varying(value.as_int(), source)) {
      note_integer(value.as_int(), source);
      return true;
    }
    add_guard({.kind = GuardKind::kEquals, .source = source, .expected = value});
    return true;
  }
  kept_.push_back(value);
  bool known = outside_.contains(value.object());
  if (known) note_same(value, source);
  if (value.is(kTensorKind)) {
    if (traced(tensor_of(value))) return true;  // pending: the region's own, put there by it
    if (!known) outside_[value.object()] = source;
    return note_tensor(tensor_of(value), source);
  }
  if (!known) outside_[value.object()] = source;
  switch (value.kind()) {
    case kStrKind:
    case kBytesKind:
    case kBigIntKind:
    case kNumberKind:
    case kComplexKind:
    case kRangeKind:
      add_guard({.kind = GuardKind::kEquals, .source = source, .expected = value});
      return true;
    case kListKind:
    case kTupleKind:
    case kDictKind:
    case kInstanceKind:
    case kSetKind:
    case kFrozenSetKind:
    case kIteratorKind:
      add_guard({.kind = GuardKind::kType,
                 .source = source,
                 .expected = Value(Ref<ClassObject>(class_of(value))),
                 .object_kind = value.kind()});
      return true;
    case kSliceKind:
      return definition_reads_.note_slice(value, source);
    case kBoundMethodKind: {
      // A method is bound anew at each reading: its parts are what counts.
      auto* bound = value.as<BoundMethodObject>();
      add_guard({.kind = GuardKind::kType,
                 .source = source,
                 .expected = Value(Ref<ClassObject>(class_of(value))),
                 .object_kind = value.kind()});
      return containers_.note_plain(bound->self, sources_.child(source, SourceKind::kSelf, 0)) &&
             note(bound->function, sources_.child(source, SourceKind::kFunctionOf, 0));
    }
    case kBoundNativeKind:
      add_guard({.kind = GuardKind::kCode, .source = source, .expected = value});
      return containers_.note_plain(value.as<BoundNativeObject>()->self,
                                    sources_.child(source, SourceKind::kSelf, 0));
    case kFunctionKind:
      if (is_made_anew(*value.as<FunctionObject>(), source))
        return note_closure(*value.as<FunctionObject>(), source);
      break;
    case kNativeDataKind:
      // A graph holds nothing of a file, whatever is asked of it: another one serves as well, and
      // nobody keeps one open that the script has let go.
      if (dynamic_cast<const FileObject*>(value.object()) == nullptr) break;
      add_guard({.kind = GuardKind::kType,
                 .source = source,
                 .expected = Value(Ref<ClassObject>(class_of(value))),
                 .object_kind = value.kind()});
      return true;
    default:
      break;
  }
  add_guard({.kind = GuardKind::kIdentity, .source = source, .expected = value});
  return true;
}

bool Trace::is_made_anew(const FunctionObject& function, SourceId source) const {
  SourceKind kind = sources_[source].kind;
  bool variable = kind == SourceKind::kLocal || kind == SourceKind::kCell ||
                  kind == SourceKind::kCellOf || kind == SourceKind::kItem;
  bool nested = function.qualified_name->view().find("<locals>") != std::string_view::npos;
  return variable && nested && !function.keyword_defaults && !function.attributes;
}

bool Trace::note_closure(const FunctionObject& function, SourceId source) {
  add_guard({.kind = GuardKind::kCode,
             .source = source,
             .expected = Value(Ref<FunctionObject>(const_cast<FunctionObject*>(&function)))});
  for (size_t i = 0; i < function.defaults.size(); ++i) {
    if (function.defaults[i].is_int()) continue;  // where a call uses it: `note_defaults`
    SourceId part = sources_.child(source, SourceKind::kDefault, static_cast<uint32_t>(i));
    if (!containers_.note_plain(function.defaults[i], part)) return false;
  }
  return true;
}

SourceId Trace::function_source(FunctionObject* function) {
  auto known = outside_.find(function);
  return known != outside_.end() ? known->second
                                 : object_source(Value(Ref<FunctionObject>(function)));
}

bool Trace::is_varying(int64_t number, SourceId source) const {
  if (options_.dynamic == DynamicSizes::kNever) return false;
  if (number == std::numeric_limits<int64_t>::min()) return false;
  if (varying_.contains({sources_.text(source), kWholeValue})) return true;
  // 0 and 1 are special to too much code to be anything but themselves, until they change.
  return options_.dynamic == DynamicSizes::kAlways && number != 0 && number != 1;
}

void Trace::note_integer(int64_t number, SourceId source) {
  SymInt symbol = sizes_.shapes.new_symbol(number, std::numeric_limits<int64_t>::min());
  Guard guard{.kind = GuardKind::kInteger, .source = source};
  guard.sizes.push_back({.constant = {}, .symbol = *symbol.maybe_symbol(), .binds = true});
  add_guard(std::move(guard));
  sizes_.of_source[source] = symbol;
}

Value Trace::value_from(const Value& value, SourceId source) {
  if (auto real = floats_.of_source.find(source); real != floats_.of_source.end())
    return floats_.value(real->second);
  if (const Value* slice = definition_reads_.symbolic_slice(source)) return *slice;
  auto found = sizes_.of_source.find(source);
  return found == sizes_.of_source.end() ? value : sizes_.value(found->second);
}

bool Trace::may_vary(int64_t number, const Tensor& tensor) const {
  // Places on a GPU are counted in 32 bits, by the number of elements.
  return number >= 2 && number <= kGreatestSize && options_.dynamic != DynamicSizes::kNever &&
         (tensor.device().is_cpu() || has_row_major_strides(tensor));
}

void Trace::note_strides(const Tensor& tensor, const std::string& name, Guard& guard,
                         TensorType& type) {
  guard.lies_in_order = tensor->contiguous;
  for (size_t i = 0; i < tensor.strides().size(); ++i) {
    const int64_t stride = tensor.strides()[i];
    // Between elements of which there is one, it says what the tensor was cut out of, no more.
    const bool unused = tensor->contiguous && tensor.sizes()[i] == 1;
    const bool changes = unused || varying_.contains({name, kStrides + i});
    SizeGuard expected;
    if (may_vary(stride, tensor) && changes) {
      type.strides.push_back(sizes_.shapes.new_symbol(stride));
      expected.symbol = *type.strides.back().maybe_symbol();
      expected.binds = true;
    } else {
      type.strides.emplace_back(stride);
      expected.constant = stride;
    }
    guard.strides.push_back(expected);
  }
}

bool Trace::note_tensor(const Tensor& tensor, SourceId source) {
  if (tensor.requires_grad() || tensor->inference) note_grad_mode();
  Guard guard{.kind = GuardKind::kTensor, .source = source};
  guard.dtype = tensor.dtype();
  guard.device = tensor.device();
  guard.flag = tensor.requires_grad();
  guard.inference = tensor->inference;
  TensorType type = TensorType::tensor(tensor.dtype(), {});
  std::string name = sources_.text(source);
  const DimensionMarks* marks = marks_of(tensor);
  const bool row_major = has_row_major_strides(tensor);
  for (size_t i = 0; i < tensor.sizes().size(); ++i) {
    int64_t size = tensor.sizes()[i];
    bool marked = marks && (marks->dynamic >> i & 1) != 0;
    bool fixed = marks && (marks->fixed >> i & 1) != 0;
    bool changes = (options_.dynamic == DynamicSizes::kAlways && row_major) || marked ||
                   varying_.contains({name, i});
    bool symbolic = may_vary(size, tensor) && changes && !fixed;
    SizeGuard expected;
    if (!symbolic) {
      expected.constant = size;
      type.sizes.push_back(size);
    } else {
      // Equal sizes share a symbol, as they nearly always mean the same thing.
      auto [found, added] = sizes_.of_size.try_emplace(size, SymInt(0));
      if (added) found->second = sizes_.shapes.new_symbol(size);
      expected.symbol = *found->second.maybe_symbol();
      expected.binds = added;
      type.sizes.push_back(found->second);
    }
    guard.sizes.push_back(expected);
  }
  if (!row_major) note_strides(tensor, name, guard, type);
  add_guard(std::move(guard));
  if (tensor_writes_.shares_memory(tensor)) {
    stop(DiagnosticId::kBreakMutation,
         fmt::format("`{}` shares its memory with a tensor that the region writes", name));
    return false;
  }
  sizes_.of_tensor[&tensor.impl()] = type.sizes;
  sizes_.strides_of_tensor[&tensor.impl()] = type.strides;
  if (!made_.parameter_of(tensor)) {
    // A parameter of the graph only when an operator uses it; its type is kept until then.
    outside_[&tensor.impl()] = source;
  }
  return true;
}

void Trace::note_grad_mode() {
  if (grad_mode_noted_) return;
  grad_mode_noted_ = true;
  guards_.push_back({.kind = GuardKind::kGradMode, .grad_state = entry_grad_state_, .span = span_});
}

void Trace::note_autocast() {
  if (autocast_noted_) return;
  autocast_noted_ = true;
  guards_.push_back({.kind = GuardKind::kAutocast, .grad_state = entry_grad_state_, .span = span_});
}

void Trace::note_default_dtype() {
  if (default_dtype_reads() != dtype_reads_at_entry_)
    guards_.push_back({.kind = GuardKind::kDefaultDtype, .dtype = default_dtype(), .span = span_});
}

void Trace::finish_guards() {
  // A view that goes out says in which mode it was made.
  if (!made_.output_bases().empty()) note_grad_mode();
  // What it leaves, it leaves as a whole.
  if (new_grad_state()) {
    note_grad_mode();
    note_autocast();
  }
  writes_.guard_written_objects();
  guard_compared_objects();
  writes_.guard_written_cells();
  sizes_.add_guards(made_.graph, guards_);
  std::erase_if(guards_, [&](const Guard& guard) {
    return guard.kind == GuardKind::kFloat && floats_.fixed.contains(guard.source);
  });
  // A size that the first guard binds must be read before others compare with it, and relations
  // come last; otherwise cheap checks come first.
  auto cost = [](const Guard& guard) {
    switch (guard.kind) {
      case GuardKind::kTensor:
        return 0;
      case GuardKind::kGradMode:
      case GuardKind::kDefaultDtype:
      case GuardKind::kIdentity:
      case GuardKind::kCode:
      case GuardKind::kType:
        return 1;
      case GuardKind::kEquals:
      case GuardKind::kInteger:
      case GuardKind::kFloat:
      case GuardKind::kLength:
      case GuardKind::kKeys:
      case GuardKind::kSame:
      case GuardKind::kDistinct:
      case GuardKind::kVariable:
      case GuardKind::kLeaf:
      case GuardKind::kUnshared:
      case GuardKind::kCurrent:
        return 2;
      case GuardKind::kFits:
      case GuardKind::kRelation:
        return 3;
      case GuardKind::kAbsent:
      case GuardKind::kNames:
      case GuardKind::kKey:
        return 4;
      case GuardKind::kOutcome:
        return 5;
      case GuardKind::kAutocast:
        return guard.grad_state.autocast.any() ? 1 : 6;
    }
    return 6;
  };
  std::stable_sort(guards_.begin(), guards_.end(),
                   [&](const Guard& a, const Guard& b) { return cost(a) < cost(b); });
}

bool Trace::made_inside(const FunctionObject& function) {
  return made_code_.contains(function.code.get()) && !outside_.contains(&function);
}

bool Trace::made_inside(const CellObject& cell_object) {
  return inside_cells_.contains(&cell_object);
}

void Trace::undo_writes() {
  tensor_writes_.undo();
  writes_.journal().undo();
}

std::optional<SourceId> Trace::source_of(const Value& object) {
  auto found = outside_.find(object.object());
  if (found == outside_.end()) return std::nullopt;
  return found->second;
}

}  // namespace glint::capture
