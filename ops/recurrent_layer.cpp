#include "ops/recurrent_layer.h"

#include "core/platform/gemm.h"
#include "core/tensor/copy.h"
#include "core/tensor/views.h"
#include "ops/call.h"
#include "ops/multiply.h"
#include "ops/parallel.h"
#include "ops/rows/row_kernels.h"

namespace glint::ops {

namespace {

Tensor as_matrix(const Tensor& tensor, int64_t rows, int64_t columns) {
  return Tensor::view_of(tensor, {rows, columns}, {columns, 1}, tensor.offset());
}

/// The places in the order in which the state goes through them.
class Places {
 public:
  explicit Places(const LstmLayer& layer) : count_(layer.places()), reverse_(layer.reverse) {}
  int64_t count() const { return count_; }
  int64_t at(int64_t step) const { return reverse_ ? count_ - 1 - step : step; }

 private:
  int64_t count_;
  bool reverse_;
};

/// Matrices by place: those that a step reads and writes.
class ByPlace {
 public:
  ByPlace(const Tensor& tensor, const LstmLayer& layer)
      : start_(tensor.data<float>()), step_(tensor.numel() / layer.places()), places_(layer) {}
  float* of(int64_t step) const { return start_ + places_.at(step) * step_; }

 private:
  float* start_;
  int64_t step_;
  Places places_;
};

/// `kernel` of each row, over the threads.
template <class Kernel>
void for_batch(const LstmLayer& layer, Kernel&& kernel) {
  const int64_t least = std::max<int64_t>(1, least_elements(Work::kHeavy) / (4 * layer.width()));
  parallel_for(0, layer.batch(), least, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) kernel(row);
  });
}

Tensor last_of(const Tensor& by_place, const LstmLayer& layer) {
  Tensor last = Tensor::empty({layer.batch(), layer.width()}, DType::kFloat32);
  std::copy_n(ByPlace(by_place, layer).of(layer.places() - 1), last.numel(), last.data<float>());
  return last;
}

}  // namespace

LstmResults run_lstm_layer(const LstmLayer& layer) {
  const int64_t places = layer.places(), batch = layer.batch(), width = layer.width();
  const int64_t stride = 4 * width;
  const Tensor gates = Tensor::empty({places, batch, stride}, DType::kFloat32);
  const Tensor cells = Tensor::empty({places, batch, width}, DType::kFloat32);
  const Tensor output = Tensor::empty({places, batch, width}, DType::kFloat32);
  const Tensor seen = Tensor::empty({batch, stride}, DType::kFloat32);
  multiply(as_matrix(layer.input, places * batch, layer.features()),
           transpose(layer.weight_ih, 0, 1), layer.bias, as_matrix(gates, places * batch, stride));
  const ByPlace all_gates(gates, layer), all_cells(cells, layer), all_hidden(output, layer);
  float* product = seen.data<float>();
  for (int64_t step = 0; step < places; ++step) {
    float* before = step == 0 ? layer.hidden.data<float>() : all_hidden.of(step - 1);
    const float* cell_before = step == 0 ? layer.cell.data<float>() : all_cells.of(step - 1);
    gemm({.m = batch,
          .n = stride,
          .k = width,
          .a = {before, width, 1},
          .b = {layer.weight_hh.data<float>(), 1, width},
          .c = {product, stride, 1},
          .activation = nullptr});
    for_batch(layer, [&](int64_t row) {
      lstm_loops().step({.size = width,
                         .stride = width,
                         .seen = product + row * stride,
                         .before = cell_before + row * width,
                         .gates = all_gates.of(step) + row * stride,
                         .cell = all_cells.of(step) + row * width,
                         .hidden = all_hidden.of(step) + row * width});
    });
  }
  return {output, last_of(output, layer), last_of(cells, layer), gates, cells};
}

namespace {

/// The way back from the last place to the first.
class LayerBack {
 public:
  LayerBack(const LstmLayer& layer, const LstmArrived& arrived)
      : layer_(layer),
        arrived_(arrived),
        of_gates_(Tensor::empty(arrived.gates.sizes(), DType::kFloat32)),
        before_(Tensor::empty(arrived.cells.sizes(), DType::kFloat32)),
        of_hidden_(clone(arrived.hidden)),
        of_cell_(clone(arrived.cell)),
        last_hidden_(Tensor::empty(arrived.hidden.sizes(), DType::kFloat32)) {
    std::copy_n(layer.hidden.data<float>(), layer.hidden.numel(), ByPlace(before_, layer).of(0));
  }

  LstmGradients run() {
    for (int64_t step = layer_.places(); step-- > 0;) {
      step_back(step);
      // The hidden state before took part in the gates alone.
      gemm({.m = layer_.batch(),
            .n = layer_.width(),
            .k = 4 * layer_.width(),
            .a = {ByPlace(of_gates_, layer_).of(step), 4 * layer_.width(), 1},
            .b = {layer_.weight_hh.data<float>(), layer_.width(), 1},
            .c = {of_hidden_.data<float>(), layer_.width(), 1},
            .activation = nullptr});
    }
    return products();
  }

 private:
  /// One place; it brings back the hidden state that it gave, which the next one saw.
  void step_back(int64_t step) const {
    const int64_t width = layer_.width(), stride = 4 * width;
    const ByPlace gates(arrived_.gates, layer_), cells(arrived_.cells, layer_),
        of_output(arrived_.output, layer_), of_gates(of_gates_, layer_), before(before_, layer_);
    const float* cell_before = step == 0 ? layer_.cell.data<float>() : cells.of(step - 1);
    float* hidden = step + 1 == layer_.places() ? last_hidden_.data<float>() : before.of(step + 1);
    for_batch(layer_, [&](int64_t row) {
      lstm_loops().step_back({.size = width,
                              .stride = width,
                              .gates = gates.of(step) + row * stride,
                              .before = cell_before + row * width,
                              .cell = cells.of(step) + row * width,
                              .of_output = of_output.of(step) + row * width,
                              .of_hidden = of_hidden_.data<float>() + row * width,
                              .of_cell = of_cell_.data<float>() + row * width,
                              .of_gates = of_gates.of(step) + row * stride,
                              .hidden = hidden + row * width});
    });
  }

  LstmGradients products() const {
    const int64_t rows = layer_.places() * layer_.batch(), width = layer_.width();
    const Tensor of_gates = as_matrix(of_gates_, rows, 4 * width);
    const Tensor of_input = Tensor::empty(layer_.input.sizes(), DType::kFloat32);
    const Tensor of_weight_ih = Tensor::empty(layer_.weight_ih.sizes(), DType::kFloat32);
    const Tensor of_weight_hh = Tensor::empty(layer_.weight_hh.sizes(), DType::kFloat32);
    multiply(of_gates, layer_.weight_ih, nullptr, as_matrix(of_input, rows, layer_.features()));
    multiply(transpose(of_gates, 0, 1), as_matrix(layer_.input, rows, layer_.features()), nullptr,
             of_weight_ih);
    multiply(transpose(of_gates, 0, 1), as_matrix(before_, rows, width), nullptr, of_weight_hh);
    return {of_input,   of_weight_ih, of_weight_hh, call_eager("sum", {of_gates, 0}),
            of_hidden_, of_cell_};
  }

  const LstmLayer& layer_;
  const LstmArrived& arrived_;
  Tensor of_gates_, before_;  ///< `before_`: the hidden state that each place saw
  Tensor of_hidden_, of_cell_, last_hidden_;
};

}  // namespace

LstmGradients run_lstm_layer_back(const LstmLayer& layer, const LstmArrived& arrived) {
  return LayerBack(layer, arrived).run();
}

}  // namespace glint::ops
