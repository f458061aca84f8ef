#include "backends/library_call.h"

#include <optional>

#include "core/tensor/copy.h"
#include "ops/call.h"
#include "ops/library.h"
#include "ops/op.h"

namespace glint {
namespace {

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

RunStatus call_library(const LibraryCall& call, std::span<const int64_t> symbols,
                       const std::function<Tensor(TensorId)>& tensor) {
  const ops::OpEntry* entry = ops::find_op(call.target.text());
  if (entry == nullptr) return "the schedule calls an operator that does not exist";
  const ops::Signature& signature = ops::signature(*entry);
  std::vector<ops::Argument> arguments;
  for (const ops::Parameter& parameter : signature.parameters) {
    arguments.push_back(parameter.default_value);
  }
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    const ScheduleNamedArgument& argument = call.arguments[i];
    // Arguments without a name come first, in the order of the parameters.
    const auto place =
        argument.name.empty() ? std::optional<size_t>(i) : signature.find(argument.name.text());
    if (!place || *place >= arguments.size())
      return "the schedule passes an argument that its operator does not take";
    arguments[*place] = bind_argument(argument.value, symbols, tensor);
  }
  try {
    std::vector<Tensor> ready;
    for (TensorId output : call.outputs) ready.push_back(tensor(output));
    if (ops::run_into(*entry, arguments, ready)) return std::nullopt;
    const ops::Outputs results = ops::call_eager(*entry, arguments);
    for (size_t i = 0; i < call.outputs.size(); ++i) copy(ready[i], results[i]);
  } catch (const ops::OpError&) {
    return "an operator of the library refused its arguments";
  }
  return std::nullopt;
}

}  // namespace glint
