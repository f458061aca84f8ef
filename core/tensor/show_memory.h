// Lets a tensor object show what another one shows.
//
//     x.data = y            x stays the object that it is, and from now on has y's memory
//
// Handles to the target see the change; its history, attributes and Python object stay its own.
#pragma once

#include "core/tensor/tensor.h"

namespace glint {

/// Gives `target` the memory of `source`, and with it place, sizes, strides, dtype and device.
void show_memory(TensorImpl& target, const TensorImpl& source);

}  // namespace glint
