// `match` in a trace: what a pattern looks at is guarded, and nothing else.
//
//     case [first, second]:      the length of a sequence
//     case {"lr": rate}:         that the mapping has the key, and what is under it
//     case Point(x, y=0):        the class, its `__match_args__`, and the attributes it names

#include <algorithm>

#include "runtime/capture/trace.h"
#include "runtime/interpreter/attributes.h"
#include "runtime/interpreter/protocol.h"

namespace glint::capture {

using namespace runtime;  // NOLINT: the interpreter's object structs, by their names
using runtime::Value;

Tracer::Step Trace::match_sequence(Frame& frame, uint32_t, const program::Instruction& at) {
  return containers_.note_length(operand(frame, at.a)) ? Step::kRun : Step::kStop;
}

Tracer::Step Trace::match_key(Frame& frame, uint32_t, const program::Instruction& at) {
  const Value& mapping = operand(frame, at.a);
  const Value& key = operand(frame, at.b);
  if (!is_outside(mapping)) return contents(key);
  auto* name = key.try_as<StrObject>();
  if (!name) return contents(mapping);
  if (writes_.journal().wrote(mapping.object(), key)) return Step::kRun;
  Value* found = mapping.as<DictObject>()->find(name);
  if (!found) return key_test(key, mapping);
  SourceId entry = sources_.child(outside_source(mapping), SourceKind::kEntry, name->view());
  return containers_.note_plain(*found, entry) ? Step::kRun : Step::kStop;
}

Tracer::Step Trace::match_class(Frame& frame, uint32_t, const program::Instruction& at) {
  const Value& subject = operand(frame, at.a);
  auto* cls = operand(frame, at.b).try_as<ClassObject>();
  if (!cls || at.tail_count == 0 || !is_instance(subject, cls)) return Step::kRun;
  if (subject.is(kTensorKind)) specialise_sizes(tensor_of(subject));
  std::vector<Value> names;
  auto add = [&](const Value& tuple, size_t most) {
    if (auto* all = tuple.try_as<TupleObject>())
      for (size_t i = 0; i < std::min(most, all->items.size()); ++i) names.push_back(all->items[i]);
  };
  size_t positional = static_cast<size_t>(at.tail_count - at.keyword_count);
  if (Value* arguments = positional > 0 ? cls->lookup("__match_args__") : nullptr) {
    Step step = note_attribute(operand(frame, at.b), "__match_args__");
    if (step != Step::kRun || !containers_.note_contents(*arguments)) return Step::kStop;
    add(*arguments, positional);
  }
  if (at.keyword_count > 0) add(operand(frame, at.keywords), at.keyword_count);
  for (const Value& each : names) {
    auto* name = each.try_as<StrObject>();
    if (!name) continue;
    Step step = note_attribute(subject, std::string(name->view()));
    if (step != Step::kRun) return step;
  }
  return Step::kRun;
}

}  // namespace glint::capture
