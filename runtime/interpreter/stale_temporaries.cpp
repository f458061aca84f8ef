#include "runtime/interpreter/stale_temporaries.h"

#include <memory>
#include <unordered_map>
#include <vector>

#include "ir/liveness.h"
#include "runtime/interpreter/interpreter.h"
#include "runtime/interpreter/prepared.h"

namespace glint::runtime {
namespace {

/// What is live where, kept with the code that it is of.
struct Known {
  std::shared_ptr<const program::Code> code;
  program::Liveness liveness;
  explicit Known(std::shared_ptr<const program::Code> of) : code(std::move(of)), liveness(*code) {}
};

const program::Liveness& liveness_of(const std::shared_ptr<const program::Code>& code) {
  constexpr size_t kMostKept = 256;
  static auto* known = new std::unordered_map<const program::Code*, std::unique_ptr<Known>>();
  auto found = known->find(code.get());
  if (found != known->end()) return found->second->liveness;
  if (known->size() == kMostKept) known->clear();
  return known->emplace(code.get(), std::make_unique<Known>(code)).first->second->liveness;
}

/// Takes them out of the frame first: what dies may run a script.
void take_stale(Frame& frame, std::vector<Value>& stale) {
  const auto first = static_cast<uint32_t>(frame.program().local_names.size());
  const uint32_t pc = frame.position();
  const program::Liveness& liveness = liveness_of(frame.code->program);
  std::vector<bool> kept(frame.register_count());
  for (uint32_t index : liveness.live_registers(pc)) kept[index] = true;
  for (uint32_t index : liveness.live_while_waiting(pc)) kept[index] = true;
  for (uint32_t index = first; index < kept.size(); ++index)
    if (!kept[index] && frame.registers[index].is_object())
      stale.push_back(std::exchange(frame.registers[index], Value()));
}

}  // namespace

void drop_stale_temporaries(Interpreter& in) {
  std::vector<Value> stale;
  for (Frame* frame = in.top_frame(); frame; frame = frame->caller)
    if (frame->code) take_stale(*frame, stale);
}

}  // namespace glint::runtime
