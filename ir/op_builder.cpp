#include "ir/op_builder.h"

#include "core/support/check.h"

namespace glint {

OpValue OpBuilder::call(std::string_view target, std::vector<OpArgument> positional,
                        std::vector<OpNamedArgument> named) {
  std::vector<OpValue> outputs = call_all(target, std::move(positional), std::move(named));
  check(outputs.size() == 1, "an operator with one output was expected");
  return std::move(outputs.front());
}

OpValue OpBuilder::to(OpValue x, DType wanted) {
  if (dtype(x) == wanted) return x;
  return call("to", {std::move(x), wanted});
}

OpValue OpBuilder::reduce(std::string_view target, OpValue x, std::vector<SymInt> dims,
                          bool keepdim) {
  std::vector<OpNamedArgument> named{{Name("dim"), OpArgument(dims)}};
  if (keepdim) named.push_back({Name("keepdim"), true});
  return call(target, {std::move(x)}, std::move(named));
}

OpValue OpBuilder::full(std::vector<SymInt> sizes, OpArgument value, DType wanted) {
  return call("full", {OpArgument(sizes), std::move(value)}, {{Name("dtype"), wanted}});
}

}  // namespace glint
