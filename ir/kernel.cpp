#include "ir/kernel.h"

#include <algorithm>
#include <bit>

#include "core/support/check.h"
#include "ir/kernel_edit.h"
#include "ir/kernel_name.h"
#include "ir/text_cursor.h"

namespace glint {

bool Operand::operator==(const Operand& other) const {
  if (value.index() != other.value.index() || part != other.part) return false;
  if (value.index() == 2)
    return std::bit_cast<uint64_t>(std::get<2>(value)) ==
           std::bit_cast<uint64_t>(std::get<2>(other.value));
  return value == other.value;
}

SymInt IndexExpression::coefficient(StatementId variable) const {
  for (const IndexTerm& term : terms)
    if (term.variable == variable) return term.coefficient;
  return 0;
}

IndexExpression operator+(const IndexExpression& a, const IndexExpression& b) {
  IndexExpression sum(a.constant + b.constant);
  auto x = a.terms.begin();
  auto y = b.terms.begin();
  while (x != a.terms.end() || y != b.terms.end()) {
    if (y == b.terms.end() || (x != a.terms.end() && x->variable < y->variable)) {
      sum.terms.push_back(*x++);
    } else if (x == a.terms.end() || y->variable < x->variable) {
      sum.terms.push_back(*y++);
    } else {
      SymInt coefficient = x->coefficient + y->coefficient;
      if (!coefficient.is(0)) sum.terms.push_back({coefficient, x->variable});
      ++x, ++y;
    }
  }
  return sum;
}

IndexExpression operator*(const IndexExpression& a, SymInt factor) {
  if (factor.is(0)) return IndexExpression(SymInt(0));
  IndexExpression scaled(a.constant * factor);
  for (const IndexTerm& term : a.terms)
    scaled.terms.push_back({term.coefficient * factor, term.variable});
  return scaled;
}

namespace {
constexpr CombinerInfo kCombiners[] = {
    {Combiner::kSum, "sum", 1, 1},         {Combiner::kProduct, "product", 1, 1},
    {Combiner::kMaximum, "maximum", 1, 1}, {Combiner::kMinimum, "minimum", 1, 1},
    {Combiner::kAny, "any", 1, 1},         {Combiner::kAll, "all", 1, 1},
    {Combiner::kArgmax, "argmax", 2, 2},   {Combiner::kArgmin, "argmin", 2, 2},
    {Combiner::kWelford, "welford", 3, 1},
};
}  // namespace

const CombinerInfo& info(Combiner combiner) {
  return kCombiners[static_cast<size_t>(combiner)];
}

std::optional<Combiner> find_combiner(std::string_view name) {
  for (const CombinerInfo& row : kCombiners)
    if (row.name == name) return row.combiner;
  return std::nullopt;
}

DType part_dtype(Combiner combiner, DType dtype, uint8_t part) {
  bool is_index = (combiner == Combiner::kArgmax || combiner == Combiner::kArgmin) && part == 1;
  return is_index ? DType::kInt64 : dtype;
}

std::optional<DType> Kernel::dtype(const Operand& operand) const {
  if (operand.is_literal()) return std::nullopt;
  const Statement& statement = (*this)[operand.statement()];
  if (auto* load = statement.get_if<Load>()) return (*this)[load->buffer].type.dtype;
  if (auto* compute = statement.get_if<Compute>())
    return info(compute->function).result == ScalarResult::kBool ? DType::kBool : compute->dtype;
  if (auto* reduction = statement.get_if<Reduction>())
    return part_dtype(reduction->combiner, reduction->dtype, operand.part);
  if (statement.get_if<IndexValue>() || statement.get_if<Loop>()) return DType::kInt64;
  return std::nullopt;
}

std::vector<bool> Kernel::written() const {
  std::vector<bool> found(parameter_count, false);
  for (const Statement& statement : statements)
    if (auto* store = statement.get_if<Store>(); store && index(store->buffer) < parameter_count)
      found[index(store->buffer)] = true;
  return found;
}

std::vector<bool> Kernel::read() const {
  std::vector<bool> found(parameter_count, false);
  for (const Statement& statement : statements)
    if (auto* load = statement.get_if<Load>(); load && index(load->buffer) < parameter_count)
      found[index(load->buffer)] = true;
  return found;
}

const Loop* Kernel::whole_loop() const {
  if (statements.empty()) return nullptr;
  const auto* loop = statements[0].get_if<Loop>();
  bool whole = loop && loop->kind == LoopKind::kParallel && index(loop->end) == statements.size();
  return whole ? loop : nullptr;
}

bool Kernel::has_loops_apart() const {
  if (parameter_count != buffers.size() || whole_loop()) return false;
  for (size_t i = 0; i < statements.size();) {
    const auto* loop = statements[i].get_if<Loop>();
    if (!loop || loop->kind != LoopKind::kParallel) return false;
    i = index(loop->end);
  }
  const std::vector<bool> stored = written(), loaded = read();
  for (size_t i = 0; i < stored.size(); ++i)
    if (stored[i] && loaded[i]) return false;
  return !statements.empty();
}

bool Kernel::is_flat() const {
  const Loop* loop = whole_loop();
  if (!loop || parameter_count != buffers.size()) return false;
  for (const KernelBuffer& buffer : buffers) {
    const TensorType& type = buffer.type;
    if (type.rank() != 0 &&
        (type.rank() != 1 || !type.contiguous() || type.sizes[0] != loop->extent))
      return false;
  }
  auto in_step = [](const std::vector<IndexExpression>& indices) {
    return indices.empty() || indices[0] == IndexExpression(StatementId(0));
  };
  return std::all_of(statements.begin() + 1, statements.end(), [&](const Statement& statement) {
    if (auto* load = statement.get_if<Load>()) return in_step(load->indices);
    if (auto* store = statement.get_if<Store>())
      return !store->indices.empty() && in_step(store->indices);
    return statement.get_if<Compute>() || statement.get_if<IndexValue>();
  });
}

namespace {

SymInt round_up(SymInt bytes) {
  return ceil_divide(bytes, 64) * 64;
}

}  // namespace

size_t Schedule::list_count(const Launch& launch) const {
  size_t parameters = kernels[launch.kernel].parameter_count;
  return parameters == 0 ? 1 : launch.arguments.size() / parameters;
}

std::span<const TensorId> Schedule::list(const Launch& launch, size_t which) const {
  size_t parameters = kernels[launch.kernel].parameter_count;
  return std::span(launch.arguments).subspan(which * parameters, parameters);
}

SymInt Schedule::workspace_bytes() const {
  return slot_offset(static_cast<uint32_t>(slots.size()));
}

SymInt Schedule::slot_offset(uint32_t slot) const {
  SymInt offset = 0;
  for (uint32_t i = 0; i < slot; ++i)
    if (!slots[i].output) offset += round_up(slots[i].bytes);
  return offset;
}

// ---- equality ----------------------------------------------------------------------------------

namespace {

bool same_statement(const Kernel& a, const Kernel& b, size_t i) {
  const Statement& x = a.statements[i];
  const Statement& y = b.statements[i];
  if (x.kind != y.kind || x.name != y.name) return false;
  bool has_x = x.origin != Statement::kNoOrigin, has_y = y.origin != Statement::kNoOrigin;
  if (has_x != has_y) return false;
  return !has_x || (a.origins[x.origin].node == b.origins[y.origin].node &&
                    same_origins(a.origins[x.origin].spans, b.origins[y.origin].spans));
}

}  // namespace

void name_loops(Kernel& kernel) {
  std::vector<StatementId> ends;
  for (size_t at = 0; at < kernel.statements.size(); ++at) {
    while (!ends.empty() && index(ends.back()) <= at) ends.pop_back();
    const auto* loop = kernel.statements[at].get_if<Loop>();
    if (!loop) continue;
    kernel.statements[at].name = loop_name(ends.size());
    ends.push_back(loop->end);
  }
}

bool same_kernel(const Kernel& a, const Kernel& b) {
  if (a.name != b.name || a.parameter_count != b.parameter_count || a.buffers != b.buffers ||
      a.statements.size() != b.statements.size())
    return false;
  for (size_t i = 0; i < a.statements.size(); ++i)
    if (!same_statement(a, b, i)) return false;
  return true;
}

bool same_schedule(const Schedule& a, const Schedule& b) {
  if (a.name != b.name || a.sizes != b.sizes || a.tensors != b.tensors ||
      a.input_count != b.input_count || a.slots != b.slots || a.outputs != b.outputs ||
      a.kernels.size() != b.kernels.size() || a.steps.size() != b.steps.size())
    return false;
  for (size_t i = 0; i < a.kernels.size(); ++i)
    if (!same_kernel(a.kernels[i], b.kernels[i])) return false;
  for (size_t i = 0; i < a.steps.size(); ++i) {
    const auto& x = a.steps[i].kind;
    const auto& y = b.steps[i].kind;
    if (x.index() != y.index()) return false;
    if (auto* launch = std::get_if<Launch>(&x)) {
      if (*launch != std::get<Launch>(y)) return false;
      continue;
    }
    const auto& p = std::get<LibraryCall>(x);
    const auto& q = std::get<LibraryCall>(y);
    if (p.target != q.target || p.arguments != q.arguments || p.outputs != q.outputs ||
        p.node != q.node || !same_origins(p.spans, q.spans))
      return false;
  }
  return true;
}

}  // namespace glint
