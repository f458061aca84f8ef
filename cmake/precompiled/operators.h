// What whoever computes with operators reads: tensors, graphs, the table of operators.
#pragma once

#include "library.h"

#include "ir/kernel.h"
#include "ir/op_builder.h"
#include "ops/op.h"
