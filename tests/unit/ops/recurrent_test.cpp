// An LSTM's layer in one call against the operators that it is made of elsewhere.
#include "ops/recurrent_steps.h"

#include <catch2/catch.hpp>

#include "ops/call.h"
#include "ops/op.h"

namespace glint::ops {
namespace {

void check_agrees(const char* name, Decomposition steps) {
  const OpEntry& entry = *find_op(name);
  for (const Sample& sample : entry.samples(entry)) {
    std::vector<OpArgument> arguments;
    for (const Argument& argument : sample.arguments)
      arguments.push_back(map_argument<OpValue>(argument, eager_value));
    const Outputs together = call_eager(entry, sample.arguments);
    const std::vector<OpValue> stepwise = steps(eager_builder(), arguments);
    REQUIRE(together.size() == stepwise.size());
    for (size_t i = 0; i < stepwise.size(); ++i) {
      INFO(name << ", result " << i);
      const Tensor close =
          call_eager("allclose", {together[i], eager_tensor(stepwise[i]), entry.tolerance.relative,
                                  entry.tolerance.absolute, false});
      CHECK(close.item().as_bool());
    }
  }
}

TEST_CASE("an LSTM's layer is the steps that it is made of", "[ops]") {
  check_agrees("lstm_layer", lstm_layer_steps);
  check_agrees("lstm_layer_backward", lstm_layer_backward_steps);
}

}  // namespace
}  // namespace glint::ops
