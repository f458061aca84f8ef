// What whoever handles a script's values reads: objects, calls, the interpreter.
#pragma once

#include "operators.h"

#include "runtime/interpreter/interpreter.h"
#include "runtime/interpreter/protocol.h"
