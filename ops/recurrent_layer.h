// An LSTM's layer on the processor, float32: all places in one call.
//
// The product with the input is made for all places at once; then place by place the product with
// the hidden state, and one pass over the gates (ops/rows). The way back goes through the places
// the other way round, and leaves the gradients of the gates, with which the weights' gradients are
// two large products.
//
//     input 20 x 8 x 64                                          places, batch, features
//     gates 20 x 8 x 4*32, cells 20 x 8 x 32, output 20 x 8 x 32
#pragma once

#include "core/tensor/tensor.h"

namespace glint::ops {

/// What a layer is called with, row-major: input [places, batch, features], weights
/// [4 * hidden, features] and [4 * hidden, hidden], the state before the first place
/// [batch, hidden]. `reverse` begins at the last place.
struct LstmLayer {
  Tensor input, weight_ih, weight_hh;
  const Tensor* bias = nullptr;  ///< [4 * hidden]
  Tensor hidden, cell;
  bool reverse = false;

  int64_t places() const { return input.size(0); }
  int64_t batch() const { return input.size(1); }
  int64_t features() const { return input.size(2); }
  int64_t width() const { return weight_hh.size(1); }  ///< of a state
};

/// By place; `gates` are what comes of the four functions, one behind the other.
struct LstmResults {
  Tensor output, hidden, cell;
  Tensor gates, cells;
};
LstmResults run_lstm_layer(const LstmLayer& layer);

/// The gradients that arrive, row-major, and what the forward pass has computed.
struct LstmArrived {
  Tensor output, hidden, cell;
  Tensor gates, cells;
};
struct LstmGradients {
  Tensor input, weight_ih, weight_hh, bias, hidden, cell;
};
LstmGradients run_lstm_layer_back(const LstmLayer& layer, const LstmArrived& arrived);

}  // namespace glint::ops
