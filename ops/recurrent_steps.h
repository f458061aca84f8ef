// An LSTM's layer as operators: what runs on a device and in dtypes that have no loop of their own,
// and what is recorded where derivatives of derivatives are wanted.
//
//     gates          linear(hidden, weight_hh) + linear(input[place], weight_ih, bias)
//     cell           sigmoid(stays) * cell + sigmoid(enters) * tanh(new)
//     hidden         sigmoid(leaves) * tanh(cell)
#pragma once

#include <vector>

#include "ops/op.h"

namespace glint::ops {

/// The number of places must be known: each is a few operators.
std::vector<OpValue> lstm_layer_steps(OpBuilder& b, OpArguments arguments);
/// From the arguments of the layer alone: what the forward pass has computed is computed again.
std::vector<OpValue> lstm_layer_backward_steps(OpBuilder& b, OpArguments arguments);

}  // namespace glint::ops
