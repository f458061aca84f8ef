// The parts of the library in library/ that are written in C++ for their speed: `_bisect`,
// `_counting`, `_json`, `_lapack`, `_numpy_random` and `_re`, which bisect.py, collections,
// json.py, torch.linalg, numpy.random and re are written with.
//
//     from _counting import counts
//     counts("abca")                      # {"a": 2, "b": 1, "c": 1}
#pragma once

#include "runtime/interpreter/interpreter.h"

namespace glint::runtime {

void fill_bisect(Interpreter& in, ModuleObject& module);
void fill_counting(Interpreter& in, ModuleObject& module);
void fill_json(Interpreter& in, ModuleObject& module);
void fill_lapack(Interpreter& in, ModuleObject& module);
void fill_numpy_random(Interpreter& in, ModuleObject& module);
void fill_re(Interpreter& in, ModuleObject& module);

}  // namespace glint::runtime
