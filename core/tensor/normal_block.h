// Sixteen float32 normals from sixteen uniforms, bit for bit as PyTorch's vector code makes them.
//
// Box-Muller: the first eight values give the radius, the last eight the angle.
//
//     radius = sqrt(-2 log(1 - u[j]))     angle = 2 pi u[j + 8]
//     u[j] = radius cos(angle) deviation + mean      u[j + 8] = radius sin(angle) deviation + mean
//
// The logarithm and the sine and cosine are Cephes' single-precision polynomials, eight at a time,
// with a fused multiply-add wherever a product meets a sum: the roundings are part of the answer.
#pragma once

namespace glint {

void float_normal_block(float* data, float mean, float deviation);

}  // namespace glint
