// How much shared memory the entries of a program declare, by its PTX.
//
//     .shared .align 4 .b8 totals[32];         what several entries have stands before them
//     .visible .entry f(...) {
//         .shared .align 1 .u8 last;           an entry's own stand in it
//         mov.u32 %r1, totals;
//     }
//                                              {"f": 36}
#pragma once

#include <cstdint>
#include <map>
#include <string_view>

namespace glint::cuda {

/// The bytes of the `.shared` variables that each entry has, by its name; the names are parts of
/// `ptx`. What a launch gives, `extern __shared__`, is none of them.
std::map<std::string_view, uint32_t> shared_bytes(std::string_view ptx);
/// Of one of them; 0 where there is no such entry.
uint32_t shared_bytes(std::string_view ptx, std::string_view entry);

}  // namespace glint::cuda
