// Program IR as bytes, so that a program that never changes is lowered once: the build lowers the
// library (library/embed), and an import reads its code objects where it would parse their text.
//
//     std::string bytes = write_bytes(*code);                         // in the build
//     std::shared_ptr<const Code> same = read_bytes(bytes, source);   // in every run
//
// Numbers are LEB128 (seven bits a byte, the lowest first), so most fields take one byte. An
// instruction has the fields that `instruction_table` gives it, and its span as the distance from
// the span before. Which source the spans are in is not written: it is the reader's to say.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "ir/program.h"

namespace glint::program {

/// The bytes of `code` and of all functions in it. Every known span has to be in one source.
std::string write_bytes(const Code& code);

/// The code object that `write_bytes` had, its spans in `source`. The bytes are the program's own:
/// what another version or nobody wrote is not looked out for.
std::shared_ptr<const Code> read_bytes(std::string_view bytes, SourceId source);

}  // namespace glint::program
