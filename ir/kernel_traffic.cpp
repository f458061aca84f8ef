// How many bytes a launch of a kernel moves: each element that its loops reach, once.
//
//     parallel i in 0..10 {
//       a = load %ids[i]                  8*10 bytes
//       parallel j in 0..64 {
//         b = load %table[a, j]           4*10*64, however many rows the table has
//         c = load %bias[j]               4*64, in every row the same
//         store %out[i, j] = ...          4*10*64, written
//
//   1. An index made of loops takes as many values as they have iterations together, and no more
//      than lie between its least and its greatest. One that a loaded value is in takes one an
//      iteration of the loops that it depends on, and no more than its dimension has. Dimensions
//      that share loops are counted together; the others multiply (`Reaches`).
//   2. Accesses of one buffer at the same indices are one, also in different loops over one axis.
//   3. Several others together reach no more than the smallest box around them (`together`).
//
// What is a number of the call's is an argument, and moves nothing. Counts are exact but for
// indices that repeat (`table[[3, 3]]`) and for masks, which count as if all held.
#include <algorithm>
#include <optional>
#include <set>
#include <tuple>

#include "ir/kernel.h"
#include "ir/kernel_values.h"

namespace glint {
namespace {

/// What an index takes: no less, and no more.
struct Bounds {
  SymInt least;
  SymInt greatest;
  SymInt count() const { return greatest - least + 1; }
};
/// How many elements an access reaches, and by dimension where they lie, if the loops tell.
struct Reach {
  SymInt count = 1;
  std::vector<std::optional<Bounds>> box = {};
};

/// Dimensions that share loops.
struct Group {
  Loops loops = {};
  SymInt room = 1;   ///< of the box
  Loops alone = {};  ///< each all that some index is made of: it tells its turns apart
  bool is_masked = false;
};

class Reaches {
 public:
  explicit Reaches(const Kernel& kernel) : kernel_(kernel), loops_(kernel) {}

  /// Of a load or a store, which is statement `at`.
  template <class Access>
  Reach of(const Access& access, size_t at) const {
    const std::vector<IndexExpression>& indices = access.indices;
    const bool is_masked = access.mask.has_value();
    const TensorType& type = kernel_[access.buffer].type;
    Reach reach;
    std::vector<Group> groups;
    for (size_t dim = 0; dim < indices.size(); ++dim) {
      reach.box.push_back(bounds(indices[dim]));
      if (type.is_spread(dim)) continue;
      Group group{
          .loops = loops_of(indices[dim], at), .room = type.sizes[dim], .is_masked = is_masked};
      if (reach.box[dim]) group.room = room(*reach.box[dim], type.sizes[dim], is_masked);
      if (reach.box[dim] && group.loops.size() == 1) group.alone = group.loops;
      add(groups, std::move(group));
    }
    for (const Group& group : groups) reach.count *= count(group);
    return reach;
  }

 private:
  /// What lies within the dimension; without a mask all does.
  static SymInt room(const Bounds& bounds, SymInt size, bool is_masked) {
    return is_masked ? minimum(bounds.count(), size) : bounds.count();
  }

  static void add(std::vector<Group>& groups, Group group) {
    std::erase_if(groups, [&](const Group& other) {
      const bool shares = std::ranges::any_of(
          other.loops, [&](StatementId loop) { return group.loops.contains(loop); });
      if (!shares) return false;
      group.loops.insert(other.loops.begin(), other.loops.end());
      group.alone.insert(other.alone.begin(), other.alone.end());
      group.room *= other.room;
      return true;
    });
    groups.push_back(std::move(group));
  }

  SymInt count(const Group& group) const {
    const SymInt turns = iterations(group.loops);
    if (group.alone == group.loops && !group.is_masked) return turns;
    return minimum(turns, group.room);
  }

  const Loop& loop(StatementId id) const { return *kernel_[id].get_if<Loop>(); }

  /// Of those around statement `at`: a reduction's own are behind it.
  Loops loops_of(const IndexExpression& expression, size_t at) const {
    Loops loops;
    for (const IndexTerm& term : expression.terms)
      for (const StatementId id : loops_[term.variable])
        if (index(loop(id).end) > at) loops.insert(id);
    return loops;
  }

  /// Whether the loop goes over blocks of an axis, with all loops that choose the block among
  /// `loops`: together they are the axis.
  template <class Contains>
  bool is_block(StatementId id, const Contains& contains) const {
    const Loop& inner = loop(id);
    return inner.rest && std::ranges::all_of(inner.rest->terms, [&](const IndexTerm& term) {
             return contains(term.variable);
           });
  }

  SymInt iterations(const Loops& loops) const {
    SymInt turns = 1;
    Loops counted;
    for (const StatementId id : loops) {
      if (!is_block(id, [&](StatementId each) { return loops.contains(each); })) continue;
      turns *= loop(id).rest->constant;
      counted.insert(id);
      for (const IndexTerm& term : loop(id).rest->terms) counted.insert(term.variable);
    }
    for (const StatementId id : loops)
      if (!counted.contains(id)) turns *= loop(id).extent;
    return turns;
  }

  /// With the values that are computed from indices in their place.
  IndexExpression expanded(const IndexExpression& index) const {
    IndexExpression whole(index.constant);
    for (const IndexTerm& term : index.terms) {
      const auto* value = kernel_[term.variable].get_if<IndexValue>();
      whole = whole + (value ? expanded(value->expression) : IndexExpression(term.variable)) *
                          term.coefficient;
    }
    return whole;
  }

  /// Nothing where a loaded value or the sign of a factor decides.
  std::optional<Bounds> bounds(const IndexExpression& index) const {
    const IndexExpression whole = expanded(index);
    for (const IndexTerm& term : whole.terms)
      if (!kernel_[term.variable].get_if<Loop>() || !known_less(term.coefficient, 0))
        return std::nullopt;
    return Bounds{extreme(whole, false), extreme(ends(whole), true)};
  }

  SymInt extreme(const IndexExpression& index, bool greatest) const {
    SymInt sum = index.constant;
    for (const IndexTerm& term : index.terms)
      if ((known_less(term.coefficient, 0) == true) != greatest)
        sum += term.coefficient * (loop(term.variable).extent - 1);
    return sum;
  }

  /// Puts the end of the axis in the place of a block's index that counts up.
  IndexExpression ends(IndexExpression index) const {
    for (const IndexTerm& term : std::vector(index.terms)) {
      const Loop* inner = &loop(term.variable);
      const auto named = [&](StatementId each) { return !index.coefficient(each).is(0); };
      if (!inner->rest || known_less(term.coefficient, 0) != false ||
          !is_block(term.variable, named))
        continue;
      const IndexExpression last = *inner->rest + IndexExpression(SymInt(-1));
      index = index + (last + IndexExpression(term.variable) * -1) * term.coefficient;
    }
    return index;
  }

  const Kernel& kernel_;
  ValueLoops loops_;
};

/// The room of the smallest box around all; a dimension's size where they cannot be compared.
SymInt room_around(const std::vector<Reach>& reaches, const TensorType& type) {
  SymInt room = 1;
  for (size_t dim = 0; dim < type.rank(); ++dim) {
    if (type.is_spread(dim)) continue;
    std::optional<Bounds> around = reaches[0].box[dim];
    for (const Reach& reach : reaches) {
      const std::optional<Bounds>& box = reach.box[dim];
      const auto comes_before =
          around && box ? known_less_equal(box->least, around->least) : std::nullopt;
      const auto ends_behind =
          around && box ? known_less_equal(around->greatest, box->greatest) : std::nullopt;
      if (!comes_before || !ends_behind) {
        around.reset();
        break;
      }
      if (*comes_before) around->least = box->least;
      if (*ends_behind) around->greatest = box->greatest;
    }
    room *= around ? minimum(around->count(), type.sizes[dim]) : type.sizes[dim];
  }
  return room;
}

SymInt together(const std::vector<Reach>& reaches, const TensorType& type) {
  if (reaches.empty()) return 0;
  SymInt sum = 0;
  for (const Reach& reach : reaches) sum += reach.count;
  return reaches.size() == 1 ? sum : minimum(sum, room_around(reaches, type));
}

/// What loads and stores reach, a parameter each.
struct Touched {
  std::vector<std::vector<Reach>> loads, stores;
};

Touched touched(const Kernel& kernel) {
  const Reaches reaches(kernel);
  const ValueNumbers numbers(kernel);
  Touched found{std::vector<std::vector<Reach>>(kernel.parameter_count),
                std::vector<std::vector<Reach>>(kernel.parameter_count)};
  std::set<std::tuple<BufferId, bool, std::vector<int64_t>>> known;
  const auto add = [&](std::vector<std::vector<Reach>>& to, const auto& access, size_t at) {
    if (index(access.buffer) >= kernel.parameter_count) return;
    if (known.emplace(access.buffer, access.mask.has_value(), numbers.key(access.indices)).second)
      to[index(access.buffer)].push_back(reaches.of(access, at));
  };
  for (size_t i = 0; i < kernel.statements.size(); ++i) {
    if (const auto* store = kernel.statements[i].get_if<Store>()) add(found.stores, *store, i);
    if (const auto* load = kernel.statements[i].get_if<Load>()) add(found.loads, *load, i);
  }
  return found;
}

}  // namespace

/// What a launch has written itself it finds near: a parameter that is stored to is not read.
Traffic traffic(const Kernel& kernel) {
  Traffic total{0, 0};
  const Touched found = touched(kernel);
  for (size_t i = 0; i < kernel.parameter_count; ++i) {
    const TensorType& type = kernel.buffers[i].type;
    if (type.scalar) continue;
    const auto size = static_cast<int64_t>(dtype_size(type.dtype));
    if (!found.stores[i].empty())
      total.written += together(found.stores[i], type) * size;
    else
      total.read += together(found.loads[i], type) * size;
  }
  return total;
}

Traffic traffic(const Kernel& kernel, SymInt length) {
  Traffic total{0, 0};
  const std::vector<bool> written = kernel.written();
  for (size_t i = 0; i < kernel.parameter_count; ++i) {
    const TensorType& type = kernel.buffers[i].type;
    if (type.scalar) continue;
    SymInt bytes = static_cast<int64_t>(dtype_size(type.dtype));
    if (type.rank() != 0) bytes *= length;
    (written[i] ? total.written : total.read) += bytes;
  }
  return total;
}

}  // namespace glint
