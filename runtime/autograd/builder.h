// The builder that gradient rules and decompositions run with while calls are recorded: each
// operator runs through an OperatorRunner and, in grad mode, lands on the tape itself. That is how
// derivatives of derivatives come about.
#pragma once

#include "ir/op_builder.h"
#include "runtime/autograd/record.h"

namespace glint::autograd {

class RecordingBuilder final : public OpBuilder {
 public:
  explicit RecordingBuilder(OperatorRunner& runner) : runner_(runner) {}

  std::vector<OpValue> call_all(std::string_view target, std::vector<OpArgument> positional,
                                std::vector<OpNamedArgument> named) override;
  TensorType type(const OpValue& value) override;

 private:
  OperatorRunner& runner_;
};

}  // namespace glint::autograd
