#include "ops/loss_parts.h"

#include <fmt/format.h>

#include "ops/infer.h"

namespace glint::ops {

void check_reduction(const OpArgument& reduction) {
  const std::string& how = *reduction.get_if<std::string>();
  if (how != "none" && how != "mean" && how != "sum")
    throw OpError{"ValueError", fmt::format("{} is not a valid value for reduction", how)};
}

OpValue reduced(OpBuilder& b, OpValue loss, const OpArgument& reduction) {
  check_reduction(reduction);
  const std::string& how = *reduction.get_if<std::string>();
  if (how == "none") return loss;
  return how == "mean" ? b.call("mean", {loss}) : b.call("sum", {loss});
}

OpValue loss_share(GradientCall& g) {
  if (*g["reduction"].get_if<std::string>() != "mean") return g.out();
  return g.b.divide(g.out(), product(broadcast(g.sizes("input"), g.sizes("target"))));
}

}  // namespace glint::ops
