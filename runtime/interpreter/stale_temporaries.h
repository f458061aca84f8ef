// Temporaries that nothing reads any more.
//
//     print(make())           the result stays in a register until another value comes there
//
// They keep objects alive a little longer than CPython does. Where a script asks who is alive
// (`gc.collect`, a weak reference) they are let go first; the variables of functions are not.
#pragma once

namespace glint::runtime {

class Interpreter;

void drop_stale_temporaries(Interpreter& in);

}  // namespace glint::runtime
