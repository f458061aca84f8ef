#include "runtime/autograd/builder.h"

#include "core/support/check.h"
#include "ops/builders.h"
#include "ops/call.h"

namespace glint::autograd {

std::vector<OpValue> RecordingBuilder::call_all(std::string_view target,
                                                std::vector<OpArgument> positional,
                                                std::vector<OpNamedArgument> named) {
  const ops::OpEntry* entry = ops::find_op(target);
  check(entry != nullptr, "a rule calls an operator that exists");
  auto complete = ops::complete_arguments(*entry, std::move(positional), named);
  std::vector<ops::Argument> arguments;
  arguments.reserve(complete.size());
  for (const OpArgument& argument : complete)
    arguments.push_back(ops::map_argument<Tensor>(argument, ops::eager_tensor));
  std::vector<OpValue> values;
  for (const Tensor& tensor : call_operator(runner_, *entry, arguments))
    values.push_back(ops::eager_value(tensor));
  return values;
}

TensorType RecordingBuilder::type(const OpValue& value) {
  return runner_.type(ops::eager_tensor(value));
}

}  // namespace glint::autograd
