// Whether a function pointer of ours calls what a header of NVIDIA's declares: as many parameters,
// each passed alike. A pointer stands for any other, an enumeration for an int of its size.
//
//     static_assert(kSameCall<decltype(cublasLtCreate), decltype(CublasLtApi::create)>);
#pragma once

#include <type_traits>

namespace glint::cuda {

template <class Theirs, class Ours>
constexpr bool passed_alike() {
  if constexpr (std::is_pointer_v<Theirs> || std::is_pointer_v<Ours>) {
    return std::is_pointer_v<Theirs> && std::is_pointer_v<Ours>;
  } else {
    constexpr bool counts = !std::is_floating_point_v<Theirs> && !std::is_floating_point_v<Ours>;
    return sizeof(Theirs) == sizeof(Ours) && (counts || std::is_same_v<Theirs, Ours>);
  }
}

template <class Theirs, class Ours>
constexpr bool kSameCall = false;
template <class R, class... A, class S, class... B>
constexpr bool kSameCall<R(A...), S (*)(B...)> = [] {
  if constexpr (sizeof...(A) != sizeof...(B))
    return false;
  else
    return passed_alike<R, S>() && (passed_alike<std::decay_t<A>, B>() && ...);
}();

}  // namespace glint::cuda
