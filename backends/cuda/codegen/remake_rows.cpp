// What shared memory does not hold of a row's scratch, where it is made again, of what is read
// again, instead of being written down: an exponential takes less time than two accesses of memory.
//
//     t = scratch row f32[s1]               float f;
//     reduce j in 0..s1 {                   if (kept) f = t[slot + 256 * element];
//       b = load %x[i, j]                   else {
//       c = subtract b, acc                   const float b = x_4.at[element];
//       d = exp c                  ->         const float c = b - acc.value;
//       store t[j] = d                        const float d = exp_f32(c);
//       ...                                   f = d;
//     }                                     }
//     parallel j in 0..s1 {
//       f = load t[j]
//
//   1. What is stored depends on a few loads of rows that nobody writes, and on what stands before
//      the loop; it takes one slow function at most.
//   2. Where it is loaded, the statements that make it are written once more, with the indices of
//      the loop at hand; rows that they read are read there as its own are.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "backends/cuda/codegen/kernel_writer.h"
#include "ir/kernel_edit.h"

namespace glint::cuda {
namespace {

/// What is made again reads so many rows at most, and is so much arithmetic.
constexpr int kMostLoads = 2;
constexpr size_t kMostStatements = 12;

bool is_slow(ScalarFunction function) {
  return function == ScalarFunction::kPower ||
         (function >= ScalarFunction::kExp && function <= ScalarFunction::kErf);
}

}  // namespace

/// The statements that make what a store of the nest stores, the last one its value; none where
/// that would take longer than to write it down.
std::vector<size_t> KernelWriter::made_of(const Nest& nest, size_t store) const {
  const Operand& value = kernel_.statements[store].get_if<Store>()->value;
  std::set<size_t> needed;
  const auto need = [&](StatementId id) {
    if (index(id) >= nest.first && index(id) < nest.last) needed.insert(index(id));
  };
  if (value.is_literal() || index(value.statement()) < nest.first) return {};
  need(value.statement());
  int loads = 0;
  int slow = 0;
  for (size_t i = store; i-- > nest.first;) {
    if (!needed.contains(i)) continue;
    Statement statement = kernel_.statements[i];
    const auto access = access_of(statement);
    const auto* compute = statement.get_if<Compute>();
    if (access ? written_[index(access->buffer)] || !is_row_vector(*access, nest)
               : compute == nullptr || kernel_.dtype(StatementId(i)) == DType::kFloat64)
      return {};
    loads += access.has_value();
    slow += compute != nullptr && is_slow(compute->function);
    if (compute == nullptr) continue;
    bool takes_index = false;
    for_each_id(statement, [&](StatementId id) {
      takes_index |= kernel_[id].get_if<Loop>() != nullptr;
      need(id);
    });
    if (takes_index) return {};
  }
  if (loads > kMostLoads || slow > 1 || needed.size() > kMostStatements) return {};
  return {needed.begin(), needed.end()};
}

/// Gives the loops in which something was made the indices of the nest at hand.
void KernelWriter::name_as(const Nest& made, const Nest& nest) {
  for (size_t k = 0; k < made.loops.size(); ++k)
    value_names_[made.loops[k]] = value_names_[nest.loops[k]];
}

/// Loads of the nest at hand: its own, and those of what is made again in it.
std::vector<size_t> KernelWriter::row_loads(const Nest& nest) {
  std::vector<size_t> loads;
  for (size_t i = nest.first; i < nest.last; ++i) {
    const auto access = access_of(kernel_.statements[i]);
    if (!access) continue;
    const auto scratch = kept_scratch_.find(access->buffer);
    if (scratch != kept_scratch_.end() && !access->stores) {
      name_as(scratch->second.made_in, nest);
      for (const size_t each : scratch->second.remade)
        if (access_of(kernel_.statements[each])) loads.push_back(each);
    } else if (!access->stores) {
      loads.push_back(i);
    }
  }
  return loads;
}

/// A load of scratch that is kept, or made again.
void KernelWriter::write_remade(size_t i, const Kept& kept) {
  const auto holds_load = [i](const Nest& each) { return each.first <= i && i < each.last; };
  const Nest& nest = *std::ranges::find_if(nests_, holds_load);
  const DType dtype = *kernel_.dtype(Operand(StatementId(i)));
  value_names_[i] = names_.fresh(kernel_.statements[i].name);
  line(fmt::format("{} {};", value_type(dtype), value_names_[i]));
  line(fmt::format("if ({}) {} = {};", is_kept_, value_names_[i], kept_text(kept)));
  open("else");
  name_as(kept.made_in, nest);
  is_remaking_ = true;
  for (const size_t each : kept.remade) write_statement(each);
  is_remaking_ = false;
  statement_ = static_cast<uint32_t>(i);
  line(fmt::format("{} = {};", value_names_[i], value_names_[kept.remade.back()]));
  close();
}

}  // namespace glint::cuda
