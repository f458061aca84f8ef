#include "passes/collapse_axes.h"

#include <algorithm>
#include <optional>

#include "ir/kernel_access.h"
#include "ir/kernel_edit.h"

namespace glint::passes {

namespace {

constexpr int kUntouched = -1;

class Collapser {
 public:
  explicit Collapser(Kernel& kernel) : kernel_(kernel) {}

  void run() {
    for (size_t at = 0; at + 1 < kernel_.statements.size();) {
      if (try_pair(StatementId(at)))
        at = at > 0 ? at - 1 : 0;  // the loop around may now fit too
      else
        ++at;
    }
    name_loops(kernel_);
  }

 private:
  const Loop* loop(StatementId id) const {
    return index(id) < kernel_.statements.size() ? kernel_[id].get_if<Loop>() : nullptr;
  }

  /// A loop, and the one that is its only statement.
  struct Pair {
    StatementId outer{};
    StatementId inner{};
  };
  std::optional<Pair> pair_at(StatementId outer) const {
    const auto inner = StatementId(index(outer) + 1);
    const Loop* a = loop(outer);
    const Loop* b = loop(inner);
    if (!a || !b || a->kind != b->kind || a->kind == LoopKind::kScan || a->end != b->end ||
        a->binding != Binding::kUnbound || b->binding != Binding::kUnbound)
      return std::nullopt;
    return Pair{outer, inner};
  }

  /// The pair at `outer` and those that go over the same buffers become one loop each, or none
  /// does.
  bool try_pair(StatementId outer) {
    const auto first = pair_at(outer);
    if (!first) return false;
    pairs_ = {*first};
    merged_dim_.assign(kernel_.buffers.size(), kUntouched);
    seen_.assign(kernel_.buffers.size(), false);
    for (size_t done = 0; done < pairs_.size(); ++done)
      if (!all_fit(pairs_[done]) || !add_others()) return false;
    merge();
    return true;
  }

  bool inside(const Pair& pair, size_t statement) const {
    return statement > index(pair.inner) && statement < index(loop(pair.inner)->end);
  }

  bool all_fit(const Pair& pair) {
    outer_ = pair.outer;
    inner_ = pair.inner;
    for (size_t i = index(inner_) + 1; i < index(loop(inner_)->end); ++i)
      if (!fits(i)) return false;
    return true;
  }

  /// Adds the pairs whose loops index, side by side, what a pair found so far merges. False if
  /// something else does.
  bool add_others() {
    for (size_t i = 0; i < kernel_.statements.size(); ++i) {
      const auto access = access_of(kernel_.statements[i]);
      if (!access || merged_dim_[index(access->buffer)] < 0) continue;
      if (std::ranges::any_of(pairs_, [&](const Pair& pair) { return inside(pair, i); })) continue;
      const auto dim = static_cast<size_t>(merged_dim_[index(access->buffer)]);
      const auto& terms = (*access->indices)[dim].terms;
      const auto pair = terms.size() == 1 ? pair_at(terms[0].variable) : std::nullopt;
      if (!pair || !inside(*pair, i)) return false;
      const bool shares_loop = std::ranges::any_of(pairs_, [&](const Pair& other) {
        return other.inner == pair->outer || other.outer == pair->inner;
      });
      if (shares_loop) return false;
      pairs_.push_back(*pair);
    }
    return true;
  }

  bool fits(size_t at) {
    const Statement& statement = kernel_.statements[at];
    if (const auto access = access_of(statement))
      return access_fits(access->buffer, *access->indices);
    if (auto* value = statement.get_if<IndexValue>())
      return value->expression.coefficient(outer_) ==
             value->expression.coefficient(inner_) * loop(inner_)->extent;
    // A loop's index as a value on its own.
    if (auto* compute = statement.get_if<Compute>())
      return std::none_of(compute->operands.begin(), compute->operands.end(),
                          [&](const Operand& operand) { return names_loop(operand); });
    if (auto* accumulate = statement.get_if<Accumulate>())
      return std::none_of(accumulate->operands.begin(), accumulate->operands.end(),
                          [&](const Operand& operand) { return names_loop(operand); });
    return true;
  }

  bool names_loop(const Operand& operand) const {
    return !operand.is_literal() &&
           (operand.statement() == outer_ || operand.statement() == inner_);
  }

  /// Each access of a buffer must merge the same dimensions of it.
  bool access_fits(BufferId id, const std::vector<IndexExpression>& indices) {
    const int dim = dimension(kernel_[id].type, indices);
    if (dim == kNever) return false;
    int& known = merged_dim_[index(id)];
    if (seen_[index(id)] && known != dim) return false;
    seen_[index(id)] = true;
    known = dim;
    return true;
  }

  static constexpr int kNever = -2;

  /// The dimension indexed by the outer loop, where the inner one indexes the next and both lie
  /// as one; kUntouched if neither loop occurs.
  int dimension(const TensorType& type, const std::vector<IndexExpression>& indices) const {
    int found = kUntouched;
    for (size_t dim = 0; dim < indices.size(); ++dim) {
      bool has_outer = !indices[dim].coefficient(outer_).is(0);
      bool has_inner = !indices[dim].coefficient(inner_).is(0);
      if (!has_outer && !has_inner) continue;
      if (found != kUntouched && static_cast<size_t>(found) + 1 == dim) continue;
      bool side_by_side = found == kUntouched && dim + 1 < indices.size() &&
                          indices[dim] == IndexExpression(outer_) &&
                          indices[dim + 1] == IndexExpression(inner_);
      if (!side_by_side || !lie_as_one(type, dim)) return kNever;
      found = static_cast<int>(dim);
    }
    return found;
  }

  bool lie_as_one(const TensorType& type, size_t dim) const {
    if (type.sizes[dim] != loop(outer_)->extent || type.sizes[dim + 1] != loop(inner_)->extent)
      return false;
    return type.contiguous() || type.strides[dim] == type.strides[dim + 1] * type.sizes[dim + 1];
  }

  void merge() {
    for (size_t i = 0; i < kernel_.buffers.size(); ++i)
      if (merged_dim_[i] >= 0) merge_type(kernel_.buffers[i].type, merged_dim_[i]);
    for (Statement& statement : kernel_.statements) {
      if (auto* load = statement.get_if<Load>()) {
        merge_indices(load->buffer, load->indices);
      } else if (auto* store = statement.get_if<Store>()) {
        merge_indices(store->buffer, store->indices);
      }
    }
    // The last first: the numbers of those before it stay.
    std::ranges::sort(pairs_, std::greater<>(), &Pair::inner);
    for (const Pair& pair : pairs_) merge_loops(pair);
  }

  void merge_loops(const Pair& pair) {
    outer_ = pair.outer;
    inner_ = pair.inner;
    for (Statement& statement : kernel_.statements)
      if (auto* value = statement.get_if<IndexValue>()) drop_term(value->expression);
    kernel_.statements[index(outer_)].get_if<Loop>()->extent *= loop(inner_)->extent;
    kernel_.statements.erase(kernel_.statements.begin() + static_cast<long>(index(inner_)));
    for (Statement& statement : kernel_.statements) renumber(statement);
  }

  static void merge_type(TensorType& type, int at) {
    auto dim = static_cast<size_t>(at);
    type.simplify();
    type.sizes[dim] *= type.sizes[dim + 1];
    type.sizes.erase(type.sizes.begin() + at + 1);
    if (!type.strides.empty()) type.strides.erase(type.strides.begin() + at);
    type.normalise();
  }

  void merge_indices(BufferId buffer, std::vector<IndexExpression>& indices) {
    int dim = merged_dim_[index(buffer)];
    if (dim >= 0) indices.erase(indices.begin() + dim + 1);
  }

  /// `8*i + j` becomes `j`, and `j` then takes the place of `i`.
  void drop_term(IndexExpression& expression) {
    SymInt coefficient = expression.coefficient(inner_);
    std::erase_if(expression.terms, [&](const IndexTerm& term) { return term.variable == inner_; });
    for (IndexTerm& term : expression.terms)
      if (term.variable == outer_) term.coefficient = coefficient;
  }

  void renumber(StatementId& id) const {
    if (id > inner_) id = StatementId(index(id) - 1);
  }
  void renumber(Statement& statement) const {
    if (auto* loop = statement.get_if<Loop>()) renumber(loop->end);
    for_each_id(statement, [this](StatementId& id) { renumber(id); });
  }

  Kernel& kernel_;
  std::vector<Pair> pairs_;  ///< that become loops
  StatementId outer_{};      ///< of the one that is looked at
  StatementId inner_{};
  std::vector<int> merged_dim_;  ///< of each buffer
  std::vector<bool> seen_;
};

}  // namespace

void collapse_axes(Kernel& kernel) {
  Collapser(kernel).run();
}

}  // namespace glint::passes
