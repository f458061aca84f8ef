#include "backends/cuda/codegen/name_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "ir/kernel_name.h"

namespace glint::cuda {
namespace {

/// Words of C++, and types above the kernels; in order.
constexpr std::string_view kWords[] = {
    "alignas", "alignof", "and",       "asm",      "auto",      "bool",     "break",    "case",
    "catch",   "char",    "class",     "const",    "constexpr", "continue", "decltype", "default",
    "delete",  "do",      "double",    "else",     "enum",      "explicit", "export",   "extern",
    "false",   "float",   "for",       "friend",   "goto",      "if",       "inline",   "int",
    "int64",   "long",    "namespace", "new",      "noexcept",  "not",      "nullptr",  "operator",
    "or",      "private", "protected", "public",   "register",  "return",   "short",    "signed",
    "sizeof",  "static",  "struct",    "switch",   "template",  "this",     "throw",    "true",
    "try",     "typedef", "typeid",    "typename", "uint64",    "union",    "unsigned", "using",
    "virtual", "void",    "volatile",  "while",    "xor"};

/// What kernels may call (pieces.cpp, text_lanes.h), and have as variables; in order.
constexpr std::string_view kOwn[] = {"ceil",
                                     "ceilf",
                                     "copysign",
                                     "copysignf",
                                     "count_there",
                                     "fabs",
                                     "fabsf",
                                     "fail",
                                     "floor",
                                     "floor_divide",
                                     "floor_remainder",
                                     "floorf",
                                     "fma",
                                     "fmaf",
                                     "integer_abs",
                                     "integer_power",
                                     "integer_sign",
                                     "is_aligned",
                                     "lane",
                                     "load",
                                     "load_kept",
                                     "load_streamed",
                                     "part",
                                     "rint",
                                     "rintf",
                                     "row",
                                     "scratch",
                                     "shift_left",
                                     "shift_right",
                                     "sqrt",
                                     "sqrtf",
                                     "status",
                                     "store",
                                     "thread",
                                     "threads",
                                     "trunc",
                                     "trunc_remainder",
                                     "truncf",
                                     "warp",
                                     "workspace",
                                     "wrapping_add",
                                     "wrapping_multiply",
                                     "wrapping_subtract"};

template <size_t N>
bool is_among(const std::string_view (&names)[N], std::string_view name) {
  return std::binary_search(std::begin(names), std::end(names), name);
}

/// Of functions and types above the kernels, which end in a dtype, and of CUDA's own.
bool looks_defined(std::string_view name) {
  const size_t end = name.rfind('_');
  if (end == std::string_view::npos) return name.ends_with("Idx") || name.ends_with("Dim");
  const std::string_view last = name.substr(end + 1);
  return name.starts_with("__") || last == "f32" || last == "f64" || last == "total" ||
         last == "of" || last == "lane" || last == "memory" || last == "half" ||
         last == "bfloat16" || last == "block" || last == "scan" || last == "before";
}

/// A name of C++ like `wanted`.
std::string spelled(std::string_view wanted) {
  std::string name;
  for (const char c : wanted)
    name += std::isalnum(static_cast<unsigned char>(c)) && static_cast<unsigned char>(c) < 128
                ? c
                : '_';
  // Those that begin with two underscores are the compiler's own, with whatever behind them.
  const bool begins_so = name.empty() || std::isdigit(static_cast<unsigned char>(name[0]));
  return begins_so || name.starts_with("__") ? "v" + name : name;
}

}  // namespace

bool NameTable::is_taken(const std::string& name) const {
  if (is_among(kWords, name) || is_among(kOwn, name)) return true;
  return looks_defined(name) || std::any_of(scopes_.begin(), scopes_.end(), [&](const auto& scope) {
           return scope.contains(name);
         });
}

std::string NameTable::fresh_in(std::string_view wanted, std::set<std::string>& scope) {
  std::string name = spelled(wanted);
  if (looks_defined(name)) name += "_value";
  const std::string stem = name;
  for (int number = 1; is_taken(name); ++number) name = fmt::format("{}{}", stem, number);
  scope.insert(name);
  return name;
}

/// Functions may share a name, whatever they are called from: of what kernels call no name is
/// taken.
std::string entry_name(std::string_view kernel) {
  const std::string name = kernel_name(spelled(kernel));
  const bool is_variable = name.ends_with("Idx") || name.ends_with("Dim");
  return is_among(kWords, name) || is_variable ? name + "_kernel" : name;
}

}  // namespace glint::cuda
