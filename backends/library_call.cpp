#include "backends/library_call.h"

#include <algorithm>
#include <optional>

#include "core/tensor/copy.h"
#include "ir/call_types.h"
#include "ops/call.h"
#include "ops/device_calls.h"
#include "ops/library.h"

namespace glint {
namespace {

/// Whether an argument depends on the run: a tensor, or a size with a symbol in it.
bool varies(const ScheduleArgument& argument) {
  if (std::holds_alternative<TensorId>(argument.value)) return true;
  if (const auto* size = std::get_if<SymInt>(&argument.value)) return !size->symbols().empty();
  const auto* list = std::get_if<ScheduleArgument::List>(&argument.value);
  return list != nullptr && std::ranges::any_of(*list, varies);
}

/// An argument of the schedule as the operator takes it: tensors for ids, ints for symbols.
ops::Argument bind_argument(const ScheduleArgument& argument, std::span<const int64_t> symbols,
                            const std::function<Tensor(TensorId)>& tensor) {
  return std::visit(
      [&]<class T>(const T& value) -> ops::Argument {
        if constexpr (std::is_same_v<T, TensorId>) {
          return tensor(value);
        } else if constexpr (std::is_same_v<T, SymInt>) {
          return SymInt(value.evaluate(symbols));
        } else if constexpr (std::is_same_v<T, ScheduleArgument::List>) {
          ops::Argument::List list;
          for (const auto& item : value) list.push_back(bind_argument(item, symbols, tensor));
          return list;
        } else if constexpr (std::is_same_v<T, std::monostate>) {
          return nullptr;
        } else {
          return value;
        }
      },
      argument.value);
}

}  // namespace

PreparedLibraryCall::PreparedLibraryCall(const Schedule& schedule, const LibraryCall& call)
    : text_(call_text(schedule, call)), outputs_(call.outputs) {
  entry_ = ops::find_op(call.target.text());
  if (entry_ == nullptr) {
    malformed_ = "the schedule calls an operator that does not exist";
    return;
  }
  const ops::Signature& signature = ops::signature(*entry_);
  for (const ops::Parameter& parameter : signature.parameters) {
    arguments_.push_back(parameter.default_value);
  }
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    const ScheduleNamedArgument& argument = call.arguments[i];
    // Arguments without a name come first, in the order of the parameters.
    const auto place =
        argument.name.empty() ? std::optional<size_t>(i) : signature.find(argument.name.text());
    if (!place || *place >= arguments_.size()) {
      malformed_ = "the schedule passes an argument that its operator does not take";
      return;
    }
    if (const auto* id = std::get_if<TensorId>(&argument.value.value)) {
      arguments_[*place] = Tensor();
      tensors_.push_back({*place, *id});
    } else if (varies(argument.value)) {
      others_.push_back({*place, argument.value});
    } else {
      arguments_[*place] = bind_argument(argument.value, {}, {});
    }
  }
}

class PreparedLibraryCall::Binding {
 public:
  Binding(PreparedLibraryCall& call, std::span<const int64_t> symbols,
          const std::function<Tensor(TensorId)>& tensor)
      : call_(call) {
    for (const TensorArgument& each : call.tensors_) call.tensor_at(each.place) = tensor(each.id);
    for (const OtherArgument& each : call.others_)
      call.arguments_[each.place] = bind_argument(each.argument, symbols, tensor);
    for (const TensorId output : call.outputs_) {
      call.ready_.push_back(tensor(output));
      call.versions_.push_back(call.ready_.back().version());
    }
  }
  /// What fills a step's outputs is no write of the script's: their versions stay.
  ~Binding() {
    for (size_t i = 0; i < call_.ready_.size(); ++i)
      call_.ready_[i].storage()->reset_version(call_.versions_[i]);
    call_.versions_.clear();
    for (const TensorArgument& each : call_.tensors_) call_.tensor_at(each.place) = Tensor();
    for (const OtherArgument& each : call_.others_) call_.arguments_[each.place] = nullptr;
    call_.ready_.clear();
  }
  Binding(const Binding&) = delete;
  Binding& operator=(const Binding&) = delete;

 private:
  PreparedLibraryCall& call_;
};

RunStatus PreparedLibraryCall::run(std::span<const int64_t> symbols,
                                   const std::function<Tensor(TensorId)>& tensor,
                                   const Take& take) {
  if (malformed_) return malformed_;
  const Binding binding(*this, symbols, tensor);
  try {
    const bool near = !accelerator_named || ready_[0].device().is_cpu();
    std::optional<RunningCall> running;
    if (!near) {
      if (launched_ == nullptr) launched_ = &launches_of({text_, TunedCalls::at_work()});
      running.emplace(*launched_);
    }
    const bool done = near ? ops::run_into(*entry_, arguments_, ready_)
                           : ops::run_into_on_device(*entry_, arguments_, ready_);
    if (done) return std::nullopt;
    const ops::Outputs results = ops::call_eager(*entry_, arguments_);
    for (size_t i = 0; i < ready_.size(); ++i)
      if (!take(outputs_[i], results[i])) copy(ready_[i], results[i]);
  } catch (const ops::OpError& error) {
    if (auto failed = ops::failed_device_check(error)) {
      failed_check_ = std::move(*failed);
      return failed_check_;
    }
    return "an operator of the library refused its arguments";
  }
  return std::nullopt;
}

}  // namespace glint
