#include "backends/cuda/codegen/loop_nest.h"

#include <algorithm>
#include <map>
#include <set>

#include "ir/kernel_edit.h"

namespace glint::cuda {

Nest nest_at(const Kernel& kernel, size_t at) {
  Nest nest;
  const auto* loop = kernel.statements[at].get_if<Loop>();
  for (;;) {
    nest.loops.push_back(at);
    nest.first = at + 1;
    nest.last = index(loop->end);
    if (nest.first >= nest.last) return nest;
    const auto* inner = kernel.statements[nest.first].get_if<Loop>();
    if (inner == nullptr || inner->end != loop->end || inner->kind != loop->kind) return nest;
    loop = inner;
    ++at;
  }
}

SymInt extent_of(const Kernel& kernel, const Nest& nest) {
  SymInt extent = 1;
  for (const size_t i : nest.loops) extent *= kernel.statements[i].get_if<Loop>()->extent;
  return extent;
}

std::vector<Nest> inner_nests(const Kernel& kernel, size_t first, size_t last) {
  std::vector<Nest> nests;
  for (size_t i = first; i < last; ++i) {
    if (kernel.statements[i].get_if<Loop>() == nullptr) continue;
    nests.push_back(nest_at(kernel, i));
    i = nests.back().last - 1;
  }
  return nests;
}

std::vector<bool> vary_along(const Kernel& kernel, const Nest& nest) {
  std::vector<bool> varies(nest.last - nest.first, false);
  for (size_t i = nest.first; i < nest.last; ++i) {
    Statement copy = kernel.statements[i];
    for_each_id(copy, [&](StatementId id) {
      const bool is_inside = index(id) >= nest.first && index(id) < nest.last;
      if (index(id) == nest.loops.back() || (is_inside && varies[index(id) - nest.first]))
        varies[i - nest.first] = true;
    });
  }
  return varies;
}

std::vector<size_t> needed_by_accumulates(const Kernel& kernel, const Nest& nest) {
  std::set<size_t> needed;
  for (size_t i = nest.last; i-- > nest.first;) {
    if (kernel.statements[i].get_if<Accumulate>() != nullptr) needed.insert(i);
    if (!needed.contains(i)) continue;
    Statement copy = kernel.statements[i];
    for_each_id(copy, [&](StatementId id) {
      if (index(id) >= nest.first && index(id) < nest.last) needed.insert(index(id));
    });
  }
  return {needed.begin(), needed.end()};
}

bool is_shareable_scan(const Kernel& kernel, const Nest& nest) {
  if (nest.loops.size() != 1 || kernel.statements[nest.loops[0]].get_if<Loop>()->rest) return false;
  if (holds<Check>(kernel, nest.first, nest.last) ||
      holds<Scratch>(kernel, 0, kernel.statements.size()) ||
      loads_stored(kernel, nest.first, nest.last, nest.first, nest.last))
    return false;
  bool reads_reductions = false;
  for (const size_t i : needed_by_accumulates(kernel, nest)) {
    const auto* accumulate = kernel.statements[i].get_if<Accumulate>();
    Statement copy = kernel.statements[i];
    for_each_id(copy, [&](StatementId id) {
      const bool feeds = accumulate != nullptr && id == accumulate->reduction;
      reads_reductions |= !feeds && kernel[id].get_if<Reduction>() != nullptr;
    });
  }
  return !reads_reductions;
}

bool is_shareable(const Kernel& kernel, size_t first, size_t last) {
  std::map<StatementId, size_t> fed_by;  // the nest, by its first loop
  const std::vector<Nest> nests = inner_nests(kernel, first, last);
  for (const Nest& nest : nests) {
    if (kernel.statements[nest.loops[0]].get_if<Loop>()->kind == LoopKind::kScan &&
        (nests.size() > 1 || !is_shareable_scan(kernel, nest)))
      return false;
    if (holds<Loop>(kernel, nest.first, nest.last) ||
        holds<Reduction>(kernel, nest.first, nest.last) ||
        holds<Scratch>(kernel, nest.first, nest.last))
      return false;
    for (size_t i = nest.first; i < nest.last; ++i) {
      const auto* accumulate = kernel.statements[i].get_if<Accumulate>();
      if (accumulate == nullptr) continue;
      const auto [found, added] = fed_by.try_emplace(accumulate->reduction, nest.loops[0]);
      if (index(accumulate->reduction) < first || found->second != nest.loops[0]) return false;
    }
  }
  return true;
}

bool made_inside(const IndexExpression& place, const Nest& nest) {
  return std::ranges::any_of(place.terms, [&](const IndexTerm& term) {
    return index(term.variable) >= nest.first && index(term.variable) < nest.last;
  });
}

bool may_be_one(const Kernel& kernel, BufferId a, BufferId b) {
  return a == b || kernel[a].over == b || kernel[b].over == a ||
         (kernel[a].over && kernel[a].over == kernel[b].over);
}

bool loads_stored(const Kernel& kernel, size_t first, size_t last, size_t stores_first,
                  size_t stores_last) {
  for (size_t i = stores_first; i < stores_last; ++i) {
    const auto store = access_of(kernel.statements[i]);
    if (!store || !store->stores) continue;
    for (size_t k = first; k < last; ++k) {
      const auto load = access_of(kernel.statements[k]);
      if (load && !load->stores && load->buffer == store->buffer) return true;
    }
  }
  return false;
}

bool are_independent(const Kernel& kernel) {
  size_t at = 0;
  for (const Nest& nest : inner_nests(kernel, 0, kernel.statements.size())) {
    const size_t first = nest.loops[0];
    if (first != at || kernel.statements[first].get_if<Loop>()->kind != LoopKind::kParallel)
      return false;
    if (loads_stored(kernel, nest.first, nest.last, 0, first)) return false;
    for (size_t i = nest.first; i < nest.last; ++i) {
      const auto store = access_of(kernel.statements[i]);
      if (!store || !store->stores) continue;
      for (size_t before = 0; before < first; ++before) {
        const auto access = access_of(kernel.statements[before]);
        const bool same_store = access && access->stores && access->buffer == store->buffer;
        // Several nests may store parts of one buffer.
        if (access && !same_store && may_be_one(kernel, access->buffer, store->buffer))
          return false;
      }
    }
    at = nest.last;
  }
  return at > 0 && at == kernel.statements.size();
}

bool is_turned(const Kernel& kernel, const Nest& nest, size_t loop, size_t statement) {
  const auto access = access_of(kernel.statements[statement]);
  if (!access || access->stores || access->masked || kernel[access->buffer].type.scalar)
    return false;
  const IndexExpression place = memory_place(kernel, access->buffer, *access->indices);
  const SymInt across = place.coefficient(StatementId(nest.loops.back()));
  if (!place.coefficient(StatementId(loop)).is(1) || across.is(0) || across.is(1)) return false;
  for (const IndexTerm& term : place.terms)
    if (std::find(nest.loops.begin(), nest.loops.end(), index(term.variable)) == nest.loops.end())
      return false;
  for (size_t i = nest.first; i < nest.last; ++i) {
    const auto store = access_of(kernel.statements[i]);
    if (store && store->stores && may_be_one(kernel, store->buffer, access->buffer)) return false;
  }
  return true;
}

std::optional<size_t> turned_loop(const Kernel& kernel, const Nest& nest) {
  constexpr int64_t kLong = 16;
  const auto is_long = [&](size_t loop) {
    return kernel.statements[loop].get_if<Loop>()->extent.maybe_constant().value_or(kLong) >= kLong;
  };
  if (!is_long(nest.loops.back())) return std::nullopt;
  for (size_t k = 0; k + 1 < nest.loops.size(); ++k) {
    if (!is_long(nest.loops[k])) continue;
    for (size_t i = nest.first; i < nest.last; ++i)
      if (is_turned(kernel, nest, nest.loops[k], i)) return nest.loops[k];
  }
  return std::nullopt;
}

}  // namespace glint::cuda
