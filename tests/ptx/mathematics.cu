// Mathematical functions as the compiler expands them: polynomials, approximations, slow paths with
// local memory and called functions.

#define UNARY(name, type, expression)                                        \
  extern "C" __global__ void name(const type* in, type* out, int count) {    \
    int i = blockIdx.x * blockDim.x + threadIdx.x;                           \
    if (i >= count) return;                                                  \
    type x = in[i];                                                          \
    out[i] = (expression);                                                   \
  }

UNARY(exp_f32, float, expf(x))
UNARY(exp2_f32, float, exp2f(x))
UNARY(expm1_f32, float, expm1f(x))
UNARY(log_f32, float, logf(x))
UNARY(log1p_f32, float, log1pf(x))
UNARY(sin_f32, float, sinf(x))
UNARY(cos_f32, float, cosf(x))
UNARY(tan_f32, float, tanf(x))
UNARY(atan_f32, float, atanf(x))
UNARY(asin_f32, float, asinf(x))
UNARY(tanh_f32, float, tanhf(x))
UNARY(erf_f32, float, erff(x))
UNARY(pow_f32, float, powf(x, 1.7f))
UNARY(sqrt_f32, float, sqrtf(x))
UNARY(rsqrt_f32, float, rsqrtf(x))
UNARY(reciprocal_f32, float, 1.0f / x)
UNARY(lgamma_f32, float, lgammaf(x))
UNARY(floor_f32, float, floorf(x))
UNARY(round_f32, float, rintf(x))
UNARY(fmod_f32, float, fmodf(x, 0.7f))
UNARY(fast_exp_f32, float, __expf(x))
UNARY(fast_divide_f32, float, __fdividef(3.0f, x))

UNARY(exp_f64, double, exp(x))
UNARY(log_f64, double, log(x))
UNARY(sin_f64, double, sin(x))
UNARY(cos_f64, double, cos(x))
UNARY(tanh_f64, double, tanh(x))
UNARY(erf_f64, double, erf(x))
UNARY(pow_f64, double, pow(x, 1.7))
UNARY(sqrt_f64, double, sqrt(x))
UNARY(rsqrt_f64, double, rsqrt(x))
UNARY(reciprocal_f64, double, 1.0 / x)
