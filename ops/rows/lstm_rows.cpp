// What an LSTM does at one place, once the products are made: a row's gates, and its new state.
//
//     cell   = stays * before + enters * new
//     hidden = leaves * tanh(cell)
//
// and the way back. The gates lie one behind the other, as in the weights: enters, stays, new,
// leaves.
#include <algorithm>

#include "ops/rows/row_kernels.h"
#include "ops/scalar/apply.h"

namespace glint::ops::GLINT_INSTRUCTION_SET {
namespace {

struct Tag {};
using Vector = scalar::Lanes<float, 16, Tag>;
constexpr int64_t kLanes = Vector::kLanes;
using Float = Vector::Float;

/// A row of the state, or four of gates `stride` apart, cut to the vectors that begin at `at`.
struct Gates {
  Float enters, stays, fresh, leaves;
};
Gates load_gates(const Vector& b, const float* from, int64_t stride) {
  return {b.load(from), b.load(from + stride), b.load(from + 2 * stride),
          b.load(from + 3 * stride)};
}
void store_gates(const Vector& b, const Gates& gates, float* to, int64_t stride) {
  b.store(to, gates.enters);
  b.store(to + stride, gates.stays);
  b.store(to + 2 * stride, gates.fresh);
  b.store(to + 3 * stride, gates.leaves);
}

void step_vector(const LstmStep& row, int64_t at) {
  const Vector b;
  const Gates given = load_gates(b, row.gates + at, row.stride);
  const Gates seen = load_gates(b, row.seen + at, row.stride);
  const Gates gates = {
      scalar::sigmoid(b, given.enters + seen.enters), scalar::sigmoid(b, given.stays + seen.stays),
      scalar::tanh(b, given.fresh + seen.fresh), scalar::sigmoid(b, given.leaves + seen.leaves)};
  store_gates(b, gates, row.gates + at, row.stride);
  const Float cell = gates.stays * b.load(row.before + at) + gates.enters * gates.fresh;
  b.store(row.cell + at, cell);
  b.store(row.hidden + at, gates.leaves * scalar::tanh(b, cell));
}

void step_back_vector(const LstmStepBack& row, int64_t at) {
  const Vector b;
  const Float one = b.real(1.0);
  const Gates gates = load_gates(b, row.gates + at, row.stride);
  const Float seen = scalar::tanh(b, b.load(row.cell + at));
  b.store(row.hidden + at, gates.leaves * seen);
  const Float of_hidden = b.load(row.of_output + at) + b.load(row.of_hidden + at);
  const Float of_cell = b.load(row.of_cell + at) + of_hidden * gates.leaves * (one - seen * seen);
  const Gates slopes = {of_cell * gates.fresh * gates.enters * (one - gates.enters),
                        of_cell * b.load(row.before + at) * gates.stays * (one - gates.stays),
                        of_cell * gates.enters * (one - gates.fresh * gates.fresh),
                        of_hidden * seen * gates.leaves * (one - gates.leaves)};
  store_gates(b, slopes, row.of_gates + at, row.stride);
  b.store(row.of_cell + at, of_cell * gates.stays);
}

/// Room for the last elements of a row, which do not fill a vector.
struct Rest {
  float gates[4 * kLanes] = {}, other_gates[4 * kLanes] = {};
  float rows[5][kLanes] = {};
};

void copy_gates(const float* from, int64_t from_stride, float* to, int64_t to_stride,
                int64_t count) {
  for (int gate = 0; gate < 4; ++gate)
    std::copy_n(from + gate * from_stride, count, to + gate * to_stride);
}

void step(const LstmStep& row) {
  int64_t at = 0;
  for (; at + kLanes <= row.size; at += kLanes) step_vector(row, at);
  const int64_t count = row.size - at;
  if (count == 0) return;
  Rest rest;
  copy_gates(row.gates + at, row.stride, rest.gates, kLanes, count);
  copy_gates(row.seen + at, row.stride, rest.other_gates, kLanes, count);
  std::copy_n(row.before + at, count, rest.rows[0]);
  step_vector({.size = kLanes,
               .stride = kLanes,
               .seen = rest.other_gates,
               .before = rest.rows[0],
               .gates = rest.gates,
               .cell = rest.rows[1],
               .hidden = rest.rows[2]},
              0);
  copy_gates(rest.gates, kLanes, row.gates + at, row.stride, count);
  std::copy_n(rest.rows[1], count, row.cell + at);
  std::copy_n(rest.rows[2], count, row.hidden + at);
}

void step_back(const LstmStepBack& row) {
  int64_t at = 0;
  for (; at + kLanes <= row.size; at += kLanes) step_back_vector(row, at);
  const int64_t count = row.size - at;
  if (count == 0) return;
  Rest rest;
  copy_gates(row.gates + at, row.stride, rest.gates, kLanes, count);
  const float* given[] = {row.before, row.cell, row.of_output, row.of_hidden, row.of_cell};
  for (size_t i = 0; i < 5; ++i) std::copy_n(given[i] + at, count, rest.rows[i]);
  float hidden[kLanes];
  step_back_vector({.size = kLanes,
                    .stride = kLanes,
                    .gates = rest.gates,
                    .before = rest.rows[0],
                    .cell = rest.rows[1],
                    .of_output = rest.rows[2],
                    .of_hidden = rest.rows[3],
                    .of_cell = rest.rows[4],
                    .of_gates = rest.other_gates,
                    .hidden = hidden},
                   0);
  copy_gates(rest.other_gates, kLanes, row.of_gates + at, row.stride, count);
  std::copy_n(rest.rows[4], count, row.of_cell + at);
  std::copy_n(hidden, count, row.hidden + at);
}

}  // namespace

void fill_lstm(RowTables& tables) {
  tables.lstm = {step, step_back};
}

}  // namespace glint::ops::GLINT_INSTRUCTION_SET
