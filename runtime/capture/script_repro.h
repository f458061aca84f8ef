// How to run again what a stage failed on before there was a graph: the script itself, or a file
// with what was typed.
//
//     repro: glint run /home/ada/train.py
//     repro: glint run /home/ada/.cache/glint/repro_script_3.py     // of a REPL's entries, or -c
#pragma once

#include <string>

#include "core/support/source_map.h"
#include "runtime/interpreter/frame.h"

namespace glint::capture {

/// For the script whose frame is the outermost behind `frame`; writes a file where it has none.
std::string script_repro(const SourceMap& sources, const runtime::Frame* frame);

}  // namespace glint::capture
