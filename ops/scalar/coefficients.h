// The numbers behind the scalar functions: polynomial coefficients and split constants, one table
// for float32 arithmetic and one for float64.
//
// The polynomials interpolate the named remainder at Chebyshev nodes of the reduced interval (60
// digits, then rounded), which is within a small factor of the minimax polynomial; the comment
// gives the largest relative error of the function rebuilt from it. A split constant `kLn2High +
// kLn2Low` holds more digits than one number can (Cody and Waite, "Software Manual for the
// Elementary Functions", 1980). Lowest power first.
//
//     Coefficients<float>::kExp   e^r = 1 + r + r^2 (c0 + c1 r + c2 r^2 + ...)   on |r| <= ln2 / 2
#pragma once

#include <cstdint>

namespace glint::scalar {

template <class Real>
struct Coefficients;

template <>
struct Coefficients<float> {
  using Bits = int32_t;
  static constexpr int kMantissaBits = 23;
  static constexpr int kExponentBias = 127;
  static constexpr double kSmallestNormal = 0x1p-126;
  /// 1.5 * 2^23: adding it rounds to an integer, which is left in the low bits.
  static constexpr double kRounder = 12582912.0;
  /// 1.5 * 2^19: rounds to sixteenths.
  static constexpr double kSixteenthRounder = 786432.0;

  static constexpr double kLn2High = 0.693145752;  // 15 bits: n * kLn2High is exact
  static constexpr double kLn2Low = 1.42860677e-06;
  static constexpr double kLog2EHigh = 1.44269502;
  static constexpr double kLog2ELow = 1.92596303e-08;
  static constexpr double kLog10EHigh = 0.434294492;
  static constexpr double kLog10ELow = -1.010305e-08;
  static constexpr double kLog10Of2High = 0.30103001;
  static constexpr double kLog10Of2Low = -1.43209888e-08;
  static constexpr double kHalfPi[3] = {1.57079637, -4.37113883e-08, -1.71512451e-15};
  /// Above it, sine and cosine leave the reduction to the C library.
  static constexpr double kLargestAngle = 100000.0;
  /// exp is infinite above, 0 below; between them n = round(x / ln2) fits two half scalings.
  static constexpr double kExpLargest = 89.0;
  static constexpr double kExpSmallest = -104.5;
  static constexpr double kExp2Largest = 128.5;
  static constexpr double kExp2Smallest = -151.0;
  /// 1 + e^x rounds to 1 from here down.
  static constexpr double kOnePlusExpIsOne = -40.0;
  /// tanh rounds to 1 above.
  static constexpr double kTanhSaturates = 10.0;

  // (e^r - 1 - r) / r^2 on |r| <= ln2 / 2; 2^-29
  static constexpr double kExp[] = {0.5,           0.166666672,   0.041666463,
                                    0.00833331048, 0.00139336858, 0.000198910304};
  // e^r / s - 1 on |r| <= ln2 / 32, where s = 1.0032943544; 2^-27
  static constexpr double kExpSixteenth[] = {-0.00328353164, 0.99671644, 0.49837774, 0.166123316};
  /// 2^(k/16) s. With this s all sixteen lie near a float32: within 0.22 units of the last place.
  static constexpr float kRootsOfTwo[16] = {1.00329435f, 1.04771399f, 1.09410024f, 1.14254022f,
                                            1.19312477f, 1.24594891f, 1.30111182f, 1.35871696f,
                                            1.41887248f, 1.48169136f, 1.5472914f,  1.61579585f,
                                            1.68733323f, 1.76203787f, 1.84004998f, 1.92151594f};
  // (log1p(f) - f + f^2 / 2) / f^3 on |f| <= 1/3; 2^-28
  static constexpr double kLog[] = {0.333333343,  -0.249999434, 0.199999481,
                                    -0.166734025, 0.142919466,  -0.122868508,
                                    0.109139226,  -0.124334492, 0.113410354};
  // the same on [-1/4, 1/2]; 2^-28
  static constexpr double kLog1p[] = {0.333333343, -0.25000003,  0.200001404, -0.166665986,
                                      0.142765179, -0.124859191, 0.112942763, -0.105573736,
                                      0.084437944, -0.0359965749};
  // (sin r - r) / r^3 in r^2 on |r| <= pi / 4; 2^-28
  static constexpr double kSin[] = {-0.166666672, 0.00833333191, -0.000198400827, 2.72493139e-06};
  // (cos r - 1 + r^2 / 2) / r^4 in r^2 on |r| <= pi / 4; 2^-30
  static constexpr double kCos[] = {0.0416666679, -0.00138888881, 2.48005963e-05, -2.73004474e-07};
  // (atan a - a) / a^3 in a^2 on [0, 1]; 2^-26
  static constexpr double kAtan[] = {-0.333333343,   0.199999496,  -0.142840043,  0.110882618,
                                     -0.089318268,   0.0703191459, -0.0489605144, 0.0263050012,
                                     -0.00914462935, 0.00148869189};
  // (asin a - a) / a^3 in a^2 on [0, 1/2]; 2^-28
  static constexpr double kAsin[] = {0.166666657,  0.0750009418, 0.0445994027,
                                     0.0311006624, 0.0171492379, 0.0336908475};
  // erf(x) / x - 1 in x^2 on [0, 1]; 2^-27
  static constexpr double kErf[] = {0.128379166,   -0.37612626,    0.112835944,   -0.0268542115,
                                    0.00518908724, -0.00080168643, 7.87587487e-05};
  // log(erfc t) / t + t on [1, 4]; error of erf 2^-26
  static constexpr double kErfTail[] = {-1.1289506,      0.366007328,    -0.108063936,
                                        0.0252888128,    -0.00436579436, 0.000513801468,
                                        -3.63416366e-05, 1.15244313e-06};
};

template <>
struct Coefficients<double> {
  using Bits = int64_t;
  static constexpr int kMantissaBits = 52;
  static constexpr int kExponentBias = 1023;
  static constexpr double kSmallestNormal = 0x1p-1022;
  static constexpr double kRounder = 6755399441055744.0;  // 1.5 * 2^52

  static constexpr double kLn2High = 0.6931471806019545;  // 32 bits
  static constexpr double kLn2Low = -4.2009150726810846e-11;
  static constexpr double kLog2EHigh = 1.4426950408889634;
  static constexpr double kLog2ELow = 2.0355273740931033e-17;
  static constexpr double kLog10EHigh = 0.4342944819032518;
  static constexpr double kLog10ELow = 1.098319650216765e-17;
  static constexpr double kLog10Of2High = 0.3010299956639812;
  static constexpr double kLog10Of2Low = -2.8037281277851704e-18;
  static constexpr double kHalfPi[3] = {1.5707963267948966, 6.123233995736766e-17,
                                        -1.4973849048591698e-33};
  static constexpr double kLargestAngle = 1000000.0;
  static constexpr double kExpLargest = 710.0;
  static constexpr double kExpSmallest = -746.0;
  static constexpr double kExp2Largest = 1024.5;
  static constexpr double kExp2Smallest = -1076.0;
  /// 1 + e^x rounds to 1 from here down.
  static constexpr double kOnePlusExpIsOne = -40.0;
  static constexpr double kTanhSaturates = 20.0;

  // 2^-60
  static constexpr double kExp[] = {0.5,
                                    0.1666666666666667,
                                    0.04166666666666667,
                                    0.008333333333326112,
                                    0.001388888888888373,
                                    0.0001984126987490126,
                                    2.4801587325605324e-05,
                                    2.7557255297969643e-06,
                                    2.7557273570102135e-07,
                                    2.5105259538448494e-08,
                                    2.091471734171749e-09};
  // (2 atanh(s) - 2 s) / s^3 in s^2 on |s| <= 1/5; 2^-60
  static constexpr double kAtanh[] = {0.6666666666666666, 0.40000000000007857, 0.2857142856731398,
                                      0.2222222304201285, 0.18181738124060123, 0.15388847910642214,
                                      0.132100997526584,  0.13606021764231466};
  // 2^-57
  static constexpr double kSin[] = {-0.16666666666666666,    0.008333333333333331,
                                    -0.00019841269841265017, 2.755731921930192e-06,
                                    -2.5052106219521895e-08, 1.6058529572267877e-10,
                                    -7.586576588171073e-13};
  // 2^-59
  static constexpr double kCos[] = {0.041666666666666664,   -0.0013888888888888887,
                                    2.4801587301584618e-05, -2.7557319221382114e-07,
                                    2.087675578389404e-09,  -1.1470459749675607e-11,
                                    4.745804889760674e-14};
  // (atan a - a) / a^3 in a^2 on [0, 7/16]; 2^-58
  static constexpr double kAtan[] = {
      -0.3333333333333333,  0.1999999999999941,  -0.14285714285566806,  0.11111111096645038,
      -0.09090908355602592, 0.07692285554889286, -0.06666241923359964,  0.05876946456755061,
      -0.05216679739313656, 0.04492259293193656, -0.033128134256069586, 0.014773184616983806};
  // (asin a - a) / a^3 in a^2 on [0, 1/2]; 2^-57
  static constexpr double kAsin[] = {
      0.16666666666666669, 0.07499999999998433,  0.04464285714635543,  0.030381944138531247,
      0.02237217294214989, 0.017352392720869973, 0.013971212973552933, 0.011479177415184906,
      0.01032281435018578, 0.005457506718640358, 0.01740087944269402,  -0.014851887071247204,
      0.028757851367421566};
  // (sinh a - a) / a^3 in a^2 on [0, 1]; 2^-57
  static constexpr double kSinh[] = {0.16666666666666666,    0.008333333333333299,
                                     0.00019841269841324198, 2.7557319191381816e-06,
                                     2.5052117695907823e-08, 1.6057679623801638e-10,
                                     7.746178593018827e-13};
};

}  // namespace glint::scalar
