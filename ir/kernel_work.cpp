#include "ir/kernel_work.h"

#include <utility>
#include <vector>

namespace glint {
namespace {

int64_t of_function(ScalarFunction function) {
  if (function == ScalarFunction::kCast || function == ScalarFunction::kWhere) return 0;
  return function == ScalarFunction::kFma ? 2 : 1;
}

/// Mean and squares: two differences, a quotient, two sums and a product.
constexpr int64_t kWelford = 6;

int64_t of_statement(const Kernel& kernel, const Statement& statement) {
  if (const auto* compute = statement.get_if<Compute>()) return of_function(compute->function);
  const auto* accumulate = statement.get_if<Accumulate>();
  if (accumulate == nullptr) return 0;
  const auto* reduction = kernel[accumulate->reduction].get_if<Reduction>();
  return reduction->combiner == Combiner::kWelford ? kWelford : 1;
}

SymInt count(const Kernel& kernel, const SymInt* whole) {
  return total_cost(
      kernel, [&](const Statement& statement) { return of_statement(kernel, statement); }, whole);
}

}  // namespace

SymInt total_cost(const Kernel& kernel, const std::function<int64_t(const Statement&)>& cost,
                  const SymInt* whole) {
  SymInt total = 0;
  std::vector<std::pair<size_t, SymInt>> open = {{kernel.statements.size(), 1}};
  for (size_t i = 0; i < kernel.statements.size(); ++i) {
    while (i >= open.back().first && open.size() > 1) open.pop_back();
    const Statement& statement = kernel.statements[i];
    if (const auto* loop = statement.get_if<Loop>()) {
      const SymInt extent = whole && loop == kernel.whole_loop() ? *whole : loop->extent;
      // Blocks in the loop over them, of which the last is shorter: together they are the axis.
      const bool is_block = loop->rest && open.size() > 1;
      open.emplace_back(index(loop->end), is_block
                                              ? open[open.size() - 2].second * loop->rest->constant
                                              : open.back().second * extent);
    } else if (const int64_t each = cost(statement)) {
      total += open.back().second * each;
    }
  }
  return total;
}

SymInt estimate_work(const Kernel& kernel) {
  return total_cost(kernel, [](const Statement& statement) -> int64_t {
    const auto* compute = statement.get_if<Compute>();
    if (!compute) return 1;
    const bool heavy =
        compute->function >= ScalarFunction::kExp && compute->function <= ScalarFunction::kErf;
    return heavy || compute->function == ScalarFunction::kPower ? 8 : 1;
  });
}

SymInt operations(const Kernel& kernel) {
  return count(kernel, nullptr);
}

SymInt operations(const Kernel& kernel, SymInt length) {
  return count(kernel, &length);
}

}  // namespace glint
