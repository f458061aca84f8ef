// The loops of a kernel as CUDA runs them: nests, and what makes a body one that a team can share.
//
//     parallel i in 0..s0 {            the outer nest: its points are dealt out to teams
//       acc = reduction sum : f32
//       reduce j in 0..8 {             inner nests, one behind the other: each is dealt out to the
//         reduce k in 0..4 { ... }     members of a team
//       }
//       store ...
//     }
#pragma once

#include <vector>

#include "ir/kernel.h"
#include "ir/kernel_access.h"

namespace glint::cuda {

/// Loops of one kind that hold nothing but one another, and the statements inside.
struct Nest {
  std::vector<size_t> loops;  ///< outermost first
  size_t first = 0;           ///< the body
  size_t last = 0;            ///< one past it
};

/// The nest that begins at the loop `at`.
Nest nest_at(const Kernel& kernel, size_t at);
/// How many iterations it has.
SymInt extent_of(const Kernel& kernel, const Nest& nest);

/// Whether [first, last) has a statement of type T.
template <class T>
bool holds(const Kernel& kernel, size_t first, size_t last) {
  for (size_t i = first; i < last; ++i)
    if (kernel.statements[i].get_if<T>() != nullptr) return true;
  return false;
}

/// The nests of a body [first, last), in order.
std::vector<Nest> inner_nests(const Kernel& kernel, size_t first, size_t last);

/// Whether the members of a team can share the body's nests: they hold no loops, no scratch and no
/// reductions, and each reduction is fed by one of them. A scan is shared where it is the only one.
bool is_shareable(const Kernel& kernel, size_t first, size_t last);

/// Of each statement of a nest's body, whether it depends on the innermost loop.
std::vector<bool> vary_along(const Kernel& kernel, const Nest& nest);

/// The statements of a nest that its accumulates need, with these, in order.
std::vector<size_t> needed_by_accumulates(const Kernel& kernel, const Nest& nest);
/// Whether a team can share a scan: what is accumulated does not depend on what has been.
bool is_shareable_scan(const Kernel& kernel, const Nest& nest);

/// Whether the kernel is parallel nests one behind the other, of which none reads what another
/// writes: any thread may be in any of them.
bool are_independent(const Kernel& kernel);

/// The loop along which a load reads side by side where the nest's innermost loop does not, both
/// being long: a transpose. Nothing if there is none.
std::optional<size_t> turned_loop(const Kernel& kernel, const Nest& nest);
/// Whether a load of the nest reads along `loop`, at a place that its loops alone decide on, what
/// the nest does not write.
bool is_turned(const Kernel& kernel, const Nest& nest, size_t loop, size_t statement);

/// Whether a place depends on what the body of a nest makes.
bool made_inside(const IndexExpression& place, const Nest& nest);

/// Whether two buffers may be the same memory.
bool may_be_one(const Kernel& kernel, BufferId a, BufferId b);
/// Whether some statement of [first, last) loads memory that one of [stores_first, stores_last)
/// writes.
bool loads_stored(const Kernel& kernel, size_t first, size_t last, size_t stores_first,
                  size_t stores_last);

}  // namespace glint::cuda
