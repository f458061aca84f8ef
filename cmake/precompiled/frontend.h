// What the front end reads: ANTLR's runtime, the tree, the Program IR.
#pragma once

#include "library.h"

#include <antlr4-runtime.h>

#include "frontend/ast.h"
#include "ir/program.h"
