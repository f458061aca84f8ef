// Whether this build has the address sanitizer, under which tests take five to ten times as long:
// those that run many samples run some of them there, and the release runs them all.
//
//   for (uint32_t seed = 1; seed <= (kSanitized ? 50 : 200); ++seed)
#pragma once

namespace glint::tests {

#if __has_feature(address_sanitizer)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace glint::tests
