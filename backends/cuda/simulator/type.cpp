#include "backends/cuda/simulator/type.h"

#include <algorithm>
#include <array>

namespace glint::simulator {
namespace {

constexpr std::array<TypeInfo, 20> kTypes = {{
    {Type::kNone, "", 0, TypeClass::kNone},
    {Type::kPred, "pred", 4, TypeClass::kPredicate},
    {Type::kB8, "b8", 1, TypeClass::kBits},
    {Type::kB16, "b16", 2, TypeClass::kBits},
    {Type::kB32, "b32", 4, TypeClass::kBits},
    {Type::kB64, "b64", 8, TypeClass::kBits},
    {Type::kU8, "u8", 1, TypeClass::kUnsigned},
    {Type::kU16, "u16", 2, TypeClass::kUnsigned},
    {Type::kU32, "u32", 4, TypeClass::kUnsigned},
    {Type::kU64, "u64", 8, TypeClass::kUnsigned},
    {Type::kS8, "s8", 1, TypeClass::kSigned},
    {Type::kS16, "s16", 2, TypeClass::kSigned},
    {Type::kS32, "s32", 4, TypeClass::kSigned},
    {Type::kS64, "s64", 8, TypeClass::kSigned},
    {Type::kF16, "f16", 2, TypeClass::kFloat},
    {Type::kBF16, "bf16", 2, TypeClass::kFloat},
    {Type::kF32, "f32", 4, TypeClass::kFloat},
    {Type::kF64, "f64", 8, TypeClass::kFloat},
    {Type::kF16x2, "f16x2", 4, TypeClass::kPacked},
    {Type::kBF16x2, "bf16x2", 4, TypeClass::kPacked},
}};

struct SpaceInfo {
  Space space;
  std::string_view name;
};
constexpr std::array<SpaceInfo, 7> kSpaces = {{
    {Space::kGeneric, "generic"},
    {Space::kGlobal, "global"},
    {Space::kShared, "shared"},
    {Space::kLocal, "local"},
    {Space::kConstant, "const"},
    {Space::kParameter, "param"},
    {Space::kRegister, "reg"},
}};

}  // namespace

std::span<const TypeInfo> type_table() {
  return kTypes;
}
const TypeInfo& info(Type type) {
  return kTypes[static_cast<size_t>(type)];
}

std::optional<TypeInfo> type_named(std::string_view name) {
  const auto* row = std::find_if(kTypes.begin() + 1, kTypes.end(),
                                 [&](const TypeInfo& type) { return type.name == name; });
  if (row == kTypes.end()) return std::nullopt;
  return *row;
}

std::string_view space_name(Space space) {
  return kSpaces[static_cast<size_t>(space)].name;
}

std::optional<Space> space_named(std::string_view name) {
  const auto* row = std::find_if(kSpaces.begin(), kSpaces.end(),
                                 [&](const SpaceInfo& space) { return space.name == name; });
  if (row == kSpaces.end()) return std::nullopt;
  return row->space;
}

}  // namespace glint::simulator
