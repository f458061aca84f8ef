#include "runtime/device/one_operator.h"

#include <algorithm>
#include <map>
#include <memory>

#include "backends/cuda/cuda_backend.h"
#include "backends/cuda/device/device_memory.h"
#include "core/support/check.h"
#include "core/support/interruption.h"
#include "core/tensor/accelerator.h"
#include "ops/call.h"
#include "ops/device_calls.h"
#include "ops/infer.h"
#include "runtime/device/kernel_batches.h"
#include "runtime/device/operator_schedule.h"
#include "runtime/interpreter/interpreter.h"

namespace glint::device {
namespace {

/// What was compiled for calls of one key, for sizes of which the relations hold.
struct Compiled {
  OperatorSchedule plan;
  std::unique_ptr<CompiledSchedule> schedule;

  bool fits(std::span<const int64_t> symbols) const {
    return std::ranges::all_of(plan.relations,
                               [&](const Relation& each) { return each.holds(symbols); });
  }
};

using Alternatives = std::vector<std::unique_ptr<Compiled>>;

std::unique_ptr<Compiled> make(const ops::OpEntry& entry, ops::Arguments arguments,
                               const AbstractCall& call) {
  auto made = std::make_unique<Compiled>();
  try {
    made->plan = operator_schedule(entry, call);
  } catch (const ops::OpError&) {
    ops::infer(entry, ops::infer_arguments(arguments));  // its words, with sizes and not symbols
    throw;
  }
  if (!made->plan.schedule) return made;
  if (!call.has_target()) build_family(entry, arguments, call);
  auto compiled = cuda_backend().compile(*made->plan.schedule, {});
  interruption::check();
  if (!compiled) cuda::fail_on_device(compiled.error());
  made->schedule = std::move(*compiled);
  return made;
}

/// What was compiled for such a call, or is now.
Compiled& compiled_for(const ops::OpEntry& entry, ops::Arguments arguments,
                       const AbstractCall& call) {
  static auto& known = *new std::map<std::string, Alternatives>;
  Alternatives& alternatives = known[call.key()];
  for (const auto& each : alternatives)
    if (each->fits(call.symbols())) return *each;
  alternatives.push_back(make(entry, arguments, call));
  check(alternatives.back()->fits(call.symbols()),
        "what was decided for these sizes holds for them");
  return *alternatives.back();
}

std::vector<Tensor> run(Compiled& compiled, const AbstractCall& call) {
  std::vector<Tensor> outputs;
  if (const RunStatus fault = compiled.schedule->run(call.inputs(), call.symbols(), outputs))
    ops::throw_device_assert(*fault);
  return outputs;
}

/// Ctrl-C while the call is compiled or runs is an exception of the call, as its own errors are.
template <class F>
auto with_interrupts(const F& work) {
  try {
    return work();
  } catch (const interruption::Interrupted&) {
    runtime::Interpreter& interpreter = runtime::Interpreter::current();
    if (interpreter.raise_interrupt()) interpreter.take_pending();
    throw ops::OpError{"KeyboardInterrupt", ""};
  }
}

/// Whether an argument shows memory of the target, but as the same elements.
bool shows_others(ops::Arguments arguments, const Tensor& target) {
  bool found = false;
  for (const ops::Argument& argument : arguments)
    for_each_value(argument, [&](const Tensor& tensor) {
      found = found || (may_overlap(tensor, target) && !show_same_elements(tensor, target));
    });
  return found;
}

ops::Outputs run_by_parts(const ops::OpEntry& entry, ops::Arguments arguments) {
  if (entry.decomposition) {
    ops::Outputs outputs = ops::run_decomposition(entry, arguments);
    if (outputs.size() > 0) return outputs;
  }
  check(entry.eager != nullptr, "an operator whose result is its argument only looks at types");
  return entry.eager(entry, arguments);
}

}  // namespace

std::vector<ops::Argument> with_operands_near(ops::Arguments arguments, Device device) {
  std::vector<ops::Argument> given;
  for (const ops::Argument& argument : arguments)
    given.push_back(ops::map_argument<Tensor>(argument, [&](const Tensor& tensor) {
      return tensor.defined() ? to_device(tensor, device) : tensor;
    }));
  return given;
}

ops::Outputs run_operator(const ops::OpEntry& entry, ops::Arguments arguments) {
  const AbstractCall call(entry, arguments);
  return with_interrupts([&] {
    Compiled& compiled = compiled_for(entry, arguments, call);
    if (compiled.plan.shares_memory)
      return run_by_parts(entry, with_operands_near(arguments, Device::cuda()));
    return ops::Outputs(run(compiled, call));
  });
}

bool run_operator_into(const ops::OpEntry& entry, ops::Arguments arguments, const Tensor& target) {
  const bool is_kernel = !entry.effects.random && !entry.lowers_to<ops::Library>();
  if (!is_kernel || repeats_elements(target) || shows_others(arguments, target)) return false;
  const AbstractCall call(entry, arguments, &target);
  return with_interrupts([&] {
    Compiled& compiled = compiled_for(entry, arguments, call);
    if (!compiled.schedule) return false;
    run(compiled, call);
    return true;
  });
}

}  // namespace glint::device
