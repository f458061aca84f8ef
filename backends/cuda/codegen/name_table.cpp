#include "backends/cuda/codegen/name_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace glint::cuda {
namespace {

/// Words of C++ and of what kernels may call (pieces.cpp, text_lanes.h); in order.
constexpr std::string_view kReserved[] = {"alignas",
                                          "alignof",
                                          "and",
                                          "asm",
                                          "auto",
                                          "bool",
                                          "break",
                                          "case",
                                          "catch",
                                          "ceil",
                                          "ceilf",
                                          "char",
                                          "class",
                                          "const",
                                          "constexpr",
                                          "continue",
                                          "copysign",
                                          "copysignf",
                                          "count_there",
                                          "decltype",
                                          "default",
                                          "delete",
                                          "do",
                                          "double",
                                          "else",
                                          "enum",
                                          "explicit",
                                          "export",
                                          "extern",
                                          "fabs",
                                          "fabsf",
                                          "false",
                                          "float",
                                          "floor",
                                          "floor_divide",
                                          "floor_remainder",
                                          "floorf",
                                          "fma",
                                          "fmaf",
                                          "for",
                                          "friend",
                                          "goto",
                                          "if",
                                          "inline",
                                          "int",
                                          "int64",
                                          "integer_abs",
                                          "integer_power",
                                          "integer_sign",
                                          "is_aligned",
                                          "lane",
                                          "load",
                                          "load_kept",
                                          "load_streamed",
                                          "long",
                                          "namespace",
                                          "new",
                                          "noexcept",
                                          "not",
                                          "nullptr",
                                          "operator",
                                          "or",
                                          "part",
                                          "private",
                                          "protected",
                                          "public",
                                          "register",
                                          "return",
                                          "rint",
                                          "rintf",
                                          "row",
                                          "scratch",
                                          "shift_left",
                                          "shift_right",
                                          "short",
                                          "signed",
                                          "sizeof",
                                          "sqrt",
                                          "sqrtf",
                                          "static",
                                          "status",
                                          "store",
                                          "struct",
                                          "switch",
                                          "template",
                                          "this",
                                          "thread",
                                          "threads",
                                          "throw",
                                          "true",
                                          "trunc",
                                          "trunc_remainder",
                                          "truncf",
                                          "try",
                                          "typedef",
                                          "typeid",
                                          "typename",
                                          "uint64",
                                          "union",
                                          "unsigned",
                                          "using",
                                          "virtual",
                                          "void",
                                          "volatile",
                                          "warp",
                                          "while",
                                          "workspace",
                                          "wrapping_add",
                                          "wrapping_multiply",
                                          "wrapping_subtract",
                                          "xor"};

/// Of functions and types above the kernels, which end in a dtype, and of CUDA's own.
bool looks_defined(std::string_view name) {
  const size_t end = name.rfind('_');
  if (end == std::string_view::npos) return name.ends_with("Idx") || name.ends_with("Dim");
  const std::string_view last = name.substr(end + 1);
  return name.starts_with("__") || last == "f32" || last == "f64" || last == "total" ||
         last == "of" || last == "lane" || last == "memory" || last == "half" ||
         last == "bfloat16" || last == "block" || last == "scan" || last == "before";
}

}  // namespace

bool NameTable::is_taken(const std::string& name) const {
  if (std::binary_search(std::begin(kReserved), std::end(kReserved), name)) return true;
  return looks_defined(name) || std::any_of(scopes_.begin(), scopes_.end(), [&](const auto& scope) {
           return scope.contains(name);
         });
}

std::string NameTable::fresh_in(std::string_view wanted, std::set<std::string>& scope) {
  std::string name;
  for (const char c : wanted)
    name += std::isalnum(static_cast<unsigned char>(c)) && static_cast<unsigned char>(c) < 128
                ? c
                : '_';
  // Those that begin with two underscores are the compiler's own, with whatever behind them.
  const bool begins_so = name.empty() || std::isdigit(static_cast<unsigned char>(name[0]));
  if (begins_so || name.starts_with("__")) name = "v" + name;
  if (looks_defined(name)) name += "_value";
  const std::string stem = name;
  for (int number = 1; is_taken(name); ++number) name = fmt::format("{}{}", stem, number);
  scope.insert(name);
  return name;
}

std::string entry_name(std::string_view kernel) {
  NameTable names;
  std::string name = names.fresh(kernel);
  return name.find('_') == std::string::npos ? name + "_kernel" : name;
}

}  // namespace glint::cuda
