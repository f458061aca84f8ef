// Which of a kernel's forms this processor runs.
#pragma once

namespace glint {

/// The widest vectors to use, in bits, 512, 256 or 128: the processor's, or what the user limits it
/// to by `GLINT_CPU`.
int vector_bits();

}  // namespace glint
