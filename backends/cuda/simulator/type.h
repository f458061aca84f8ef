// The fundamental types of PTX, and its state spaces: one row each, for the lexical names, the
// sizes and how values are read.
//
//     type_named("f16x2")->size == 4;  info(Type::kS64).name == "s64"
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace glint::simulator {

enum class Type : uint8_t {
  kNone,
  kPred,
  kB8,
  kB16,
  kB32,
  kB64,
  kU8,
  kU16,
  kU32,
  kU64,
  kS8,
  kS16,
  kS32,
  kS64,
  kF16,
  kBF16,
  kF32,
  kF64,
  kF16x2,
  kBF16x2,
};

enum class TypeClass : uint8_t { kNone, kPredicate, kBits, kUnsigned, kSigned, kFloat, kPacked };

struct TypeInfo {
  Type type;
  std::string_view name;
  uint8_t size;  ///< in bytes; of a predicate, of the mask of its 32 lanes
  TypeClass kind;
};

/// Every type, in the order of `Type`.
std::span<const TypeInfo> type_table();
const TypeInfo& info(Type type);
std::optional<TypeInfo> type_named(std::string_view name);

inline uint8_t size_of(Type type) {
  return info(type).size;
}

/// Where a variable or an access is. A generic address may lie in any of the others.
enum class Space : uint8_t { kGeneric, kGlobal, kShared, kLocal, kConstant, kParameter, kRegister };

std::string_view space_name(Space space);
std::optional<Space> space_named(std::string_view name);

}  // namespace glint::simulator
