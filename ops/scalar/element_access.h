// How elements in memory become lanes: load, widen to the type that computes, round and store.
//
//     Access<BFloat16Memory, Tag>::load(pointer)   16 bfloat16 numbers as 16 float32
//
// bfloat16 and float16 compute in float32 and round to nearest even when stored. A vector holds 16
// float32 (one AVX-512 register, two of AVX2) or 8 float64.
#pragma once

#include <cstdint>
#include <cstring>

#include "ops/scalar/lanes.h"

namespace glint::scalar {

struct Float32Memory {
  using Element = float;
  using Real = float;
};
struct Float64Memory {
  using Element = double;
  using Real = double;
};
struct BFloat16Memory {
  using Element = uint16_t;
  using Real = float;
};
struct Float16Memory {
  using Element = uint16_t;
  using Real = float;
};

template <class Memory, class Tag>
struct Access {
  using Element = typename Memory::Element;
  static constexpr int kLanes = sizeof(typename Memory::Real) == 4 ? 16 : 8;
  using B = Lanes<typename Memory::Real, kLanes, Tag>;
  using Float = typename B::Float;
  static constexpr bool kDirect =
      std::is_same_v<Memory, Float32Memory> || std::is_same_v<Memory, Float64Memory>;
  typedef Element Stored __attribute__((ext_vector_type(kLanes)));
  typedef uint32_t Words __attribute__((ext_vector_type(kLanes)));
  typedef _Float16 Halves __attribute__((ext_vector_type(kLanes)));
  typedef uint8_t Bytes __attribute__((ext_vector_type(kLanes)));

  static Float widen(Stored stored) {
    if constexpr (kDirect) {
      return __builtin_bit_cast(Float, stored);
    } else if constexpr (std::is_same_v<Memory, BFloat16Memory>) {
      return __builtin_bit_cast(Float, __builtin_convertvector(stored, Words) << 16);
    } else {
      return __builtin_convertvector(__builtin_bit_cast(Halves, stored), Float);
    }
  }

  static Stored round(Float value) {
    if constexpr (kDirect) {
      return __builtin_bit_cast(Stored, value);
    } else if constexpr (std::is_same_v<Memory, BFloat16Memory>) {
      const Words bits = __builtin_bit_cast(Words, value);
      const Words upper = bits >> 16;
      const Words rounded = (bits + 0x7fffu + (upper & 1u)) >> 16;
      return __builtin_convertvector((value != value) ? (upper | 0x40u) : rounded, Stored);
    } else {
      return __builtin_bit_cast(Stored, __builtin_convertvector(value, Halves));
    }
  }

  static Float load(const Element* from) {
    Stored stored;
    std::memcpy(&stored, from, sizeof stored);
    return widen(stored);
  }
  static void store(Element* to, Float value) {
    const Stored stored = round(value);
    std::memcpy(to, &stored, sizeof stored);
  }
  /// One number for all lanes, which lies as what computes: of 16-bit floats, in float32.
  static Float splat(const void* number) {
    typename Memory::Real read;
    std::memcpy(&read, number, sizeof read);
    return Float(read);
  }

  static void store(bool* to, typename B::Mask mask) {
    const Bytes bytes = __builtin_convertvector(mask & 1, Bytes);
    std::memcpy(to, &bytes, sizeof bytes);
  }
};

}  // namespace glint::scalar
