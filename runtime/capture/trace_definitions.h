// What belongs to functions, classes and slices that a region reaches without an instruction that
// loads it: defaults, attributes of an object's class, names, bounds.
//
//     def inner(x, k=n): ...     a call without k uses the default: it is guarded, or may vary
//     Net().rate                 of an object of the region's own: the class is from outside
//     vars(o), dir(o)            an object's insides
#pragma once

#include <map>
#include <optional>
#include <string>

#include "ir/program.h"
#include "runtime/capture/callee.h"
#include "runtime/capture/source.h"
#include "runtime/interpreter/object.h"
#include "runtime/interpreter/tracer.h"

namespace glint::capture {

class Trace;

class DefinitionReads {
 public:
  using Step = runtime::Tracer::Step;
  explicit DefinitionReads(Trace& trace) : trace_(trace) {}

  /// The instruction at work calls a function of the script's; or the call has been entered.
  void calls(CallAtWork call) { called_ = std::move(call); }
  /// The defaults that a call inside the region has just used are from outside.
  bool note_defaults(runtime::Frame& frame);
  /// Whether it was there before the region, however it was reached: a class, module or function.
  bool is_definition(const runtime::Value& object) const;
  /// The source of such an object, which is the same one at each call.
  SourceId adopt(const runtime::Value& definition);
  /// No class in its order has such an attribute up to `before`; null: none at all.
  void note_missing(const runtime::ClassObject& cls, const Ref<runtime::StrObject>& name,
                    const runtime::ClassObject* before = nullptr);
  /// An attribute of an object's own is read or written: its class has no property in the way.
  void note_left_to_objects(const runtime::ClassObject& cls, const Ref<runtime::StrObject>& name);
  /// `object.name` where no source leads to the object: its class may be from outside.
  Step read_inside_attribute(runtime::Frame& frame, uint32_t pc, const program::Instruction& at,
                             const runtime::Value& object, const std::string& name);
  /// `super().name`.
  Step read_super_attribute(runtime::Frame& frame, uint32_t pc, const program::Instruction& at,
                            const runtime::SuperObject& object, const std::string& name);
  /// Attributes that hand out an object's insides: `__dict__`, `__defaults__`; nothing: it is none.
  std::optional<Step> read_insides(const runtime::Value& object, const std::string& name);
  /// `vars(object)`, `dir(object)`.
  std::optional<Step> insides_call(runtime::Frame& frame, const program::Instruction& at);

  /// A slice from outside, whose bounds may vary; where they are used as they are.
  bool note_slice(const runtime::Value& slice, SourceId source);
  bool note_slice_plain(const runtime::Value& slice, SourceId source);
  /// What stands for a slice from outside with bounds that vary; null: none do.
  const runtime::Value* symbolic_slice(SourceId source) const;

 private:
  /// What the guards on a class say of it; null: it is a builtin one.
  Definition* guarded(const runtime::ClassObject& cls);
  bool note_defaults_of(runtime::Frame& frame, SourceId source);
  bool note_default_int(runtime::Frame& frame, uint32_t default_number, uint32_t place,
                        SourceId source);
  Step read_own_dict(const runtime::Value& object);
  Step read_defaults(const runtime::Value& function);
  /// `dir(object)`.
  Step read_names(const runtime::Value& object);

  Trace& trace_;
  CallAtWork called_;
  std::map<SourceId, runtime::Value> slice_of_source_;
};

}  // namespace glint::capture
