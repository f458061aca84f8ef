// Joins of tensors on a device: of a few by a kernel that is generated for so many, of more by one
// that takes any number (part_copies.h).
//
//     cat([x] * 300)      10 launches of 32 parts, all of one program
#pragma once

#include "ops/op.h"

namespace glint::device {

ops::Outputs cat(const ops::OpEntry& entry, ops::Arguments arguments);
/// `stack`, `hstack`, `vstack`: what `cat` makes of views of many.
ops::Outputs cat_of_views(const ops::OpEntry& entry, ops::Arguments arguments);

}  // namespace glint::device
