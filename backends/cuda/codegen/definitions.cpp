#include "backends/cuda/codegen/definitions.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "backends/cuda/codegen/text_lanes.h"
#include "core/tensor/float16.h"
#include "ops/scalar/apply.h"

namespace glint::cuda {
namespace {

/// From so many operations on a function has a definition of its own.
constexpr size_t kInlineSize = 3;

struct TypeWords {
  std::string_view value;
  std::string_view memory;
};

const TypeWords& words_of(DType dtype) {
  static constexpr std::array<TypeWords, kDTypeCount> kWords = {{
      {"bool", "bool"},
      {"unsigned char", "unsigned char"},
      {"signed char", "signed char"},
      {"short", "short"},
      {"int", "int"},
      {"int64", "int64"},
      {"float", "Half"},
      {"float", "BFloat16"},
      {"float", "float"},
      {"double", "double"},
  }};
  return kWords[static_cast<size_t>(dtype)];
}

/// `1` is an integer; `1.0` is not.
std::string with_point(std::string digits) {
  return digits.find_first_of(".e") == std::string::npos ? digits + ".0" : digits;
}

std::string float_text(float value) {
  if (!std::isfinite(value))
    return fmt::format("__int_as_float({:#x})", std::bit_cast<uint32_t>(value));
  return with_point(fmt::format("{}", value)) + "f";
}

std::string double_text(double value) {
  if (!std::isfinite(value))
    return fmt::format("__longlong_as_double({:#x})", std::bit_cast<uint64_t>(value));
  return with_point(fmt::format("{}", value));
}

/// One function of `names`, in either form: a number or a truth value.
template <class Real>
Expressions::Id expression_of(Expressions& in, Definitions& definitions, ScalarFunction function,
                              const std::vector<std::string>& names) {
  const TextLanes<Real> b(in, definitions);
  const char* type = sizeof(Real) == 4 ? "float" : "double";
  const auto operand = [&](size_t i) {
    return b.wrap(in.name(names[std::min(i, names.size() - 1)], type));
  };
  if (info(function).result == ScalarResult::kBool)
    return scalar::compare_floating(b, function, operand(0), operand(1)).id;
  return scalar::apply_floating(b, function, operand(0), operand(1), operand(2)).id;
}

Expressions::Id expression_of(Expressions& in, Definitions& definitions, ScalarFunction function,
                              DType dtype, const std::vector<std::string>& names) {
  return dtype == DType::kFloat64 ? expression_of<double>(in, definitions, function, names)
                                  : expression_of<float>(in, definitions, function, names);
}

std::string function_name(ScalarFunction function, DType dtype) {
  return fmt::format("{}_{}", name(function), dtype_short_name(dtype));
}

void append_text(std::vector<std::string>& lines, std::string_view text) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace

std::string_view value_type(DType dtype) {
  return words_of(dtype).value;
}
std::string_view memory_type(DType dtype) {
  return words_of(dtype).memory;
}

std::string literal_text(double value, DType dtype) {
  switch (dtype) {
    case DType::kFloat64:
      return double_text(value);
    case DType::kFloat16:
      return float_text(static_cast<float>(Float16(static_cast<float>(value))));
    case DType::kBFloat16:
      return float_text(static_cast<float>(BFloat16(static_cast<float>(value))));
    case DType::kFloat32:
      return float_text(static_cast<float>(value));
    case DType::kBool:
      return value != 0 ? "true" : "false";
    default:
      return literal_text(static_cast<int64_t>(value), dtype);
  }
}

std::string literal_text(int64_t value, DType dtype) {
  if (is_floating(dtype) || is_bool(dtype)) return literal_text(static_cast<double>(value), dtype);
  if (dtype == DType::kInt64 && value == std::numeric_limits<int64_t>::min())
    return "(-9223372036854775807ll - 1)";
  if (dtype == DType::kInt64) return fmt::format("{}ll", value);
  if (dtype == DType::kInt32 && value == std::numeric_limits<int32_t>::min())
    return "(-2147483647 - 1)";
  if (dtype == DType::kInt32) return fmt::format("{}", value);
  return fmt::format("({}){}", value_type(dtype), value);
}

void Definitions::use(Piece piece) {
  if (!pieces_.insert(piece).second) return;
  for (const Piece before : piece_table()[static_cast<size_t>(piece)].uses) use(before);
}

std::string_view Definitions::memory(DType dtype) {
  if (dtype == DType::kFloat16) use(Piece::kHalf);
  if (dtype == DType::kBFloat16) use(Piece::kBFloat16);
  return memory_type(dtype);
}

std::string Definitions::floating(ScalarFunction function, DType dtype,
                                  const std::vector<std::string>& operands) {
  Expressions in;
  // What an attempt at a line of its own would need, the definition needs too.
  const auto root = expression_of(in, *this, function, dtype, operands);
  std::vector<std::string> before;
  if (in.size_of(root) <= kInlineSize) {
    std::string text = in.text(root, before);
    if (before.empty()) return text;
  }
  define(function, dtype);
  std::string arguments;
  for (const std::string& each : operands) arguments += (arguments.empty() ? "" : ", ") + each;
  return fmt::format("{}({})", function_name(function, dtype), arguments);
}

void Definitions::define(ScalarFunction function, DType dtype) {
  const std::string named = function_name(function, dtype);
  for (const Defined& each : functions_)
    if (each.name == named) return;
  static constexpr std::string_view kNames[] = {"x", "y", "z"};
  const std::string_view type = value_type(dtype);
  std::vector<std::string> names;
  std::string parameters;
  for (size_t i = 0; i < info(function).arity; ++i) {
    names.emplace_back(kNames[i]);
    parameters += fmt::format("{}{} {}", i ? ", " : "", type, kNames[i]);
  }
  Expressions in;
  const auto root = expression_of(in, *this, function, dtype, names);
  std::vector<std::string> body;
  const std::string result = in.text(root, body);
  const bool truth = info(function).result == ScalarResult::kBool;
  std::vector<std::string> lines = {
      fmt::format("// `{}` of ops/scalar, the definition that all backends share.", name(function)),
      fmt::format("__device__ inline {} {}({}) {{", truth ? "bool" : type, named, parameters)};
  for (const std::string& line : body) lines.push_back("  " + line);
  lines.push_back(fmt::format("  return {};", result));
  lines.emplace_back("}");
  functions_.push_back({named, std::move(lines)});
}

std::string Definitions::slow(const char* function, size_t arity) {
  const std::string named = fmt::format("slow_{}_f64", function);
  for (const Defined& each : functions_)
    if (each.name == named) return named;
  const std::string_view parameters = arity == 1 ? "double x" : "double x, double y";
  functions_.push_back(
      {named,
       {fmt::format("// CUDA's own `{}`, for what ops/scalar leaves to the C library.", function),
        fmt::format("__device__ __noinline__ double {}({}) {{", named, parameters),
        fmt::format("  return {}({});", function, arity == 1 ? "x" : "x, y"), "}"}});
  return named;
}

std::string Definitions::table(std::span<const float> numbers) {
  const auto [found, added] =
      tables_.try_emplace({numbers.begin(), numbers.end()}, fmt::format("table{}", tables_.size()));
  return found->second;
}

std::string Definitions::reduction(Combiner combiner, DType dtype) {
  std::string named = reduction_name(combiner, dtype);
  if (reductions_.try_emplace(named, reduction_text(combiner, dtype)).second) {
    use(Piece::kFromLane);
    if (is_integer(dtype) && combiner == Combiner::kSum) use(Piece::kWrappingAdd);
    if (is_integer(dtype) && combiner == Combiner::kProduct) use(Piece::kWrappingMultiply);
  }
  return named;
}

std::vector<std::string> Definitions::lines() const {
  std::vector<std::string> lines;
  const auto end_part = [&lines] { lines.emplace_back(); };
  const auto add_pieces = [&](bool totals) {
    for (const PieceText& each : piece_table()) {
      if (!pieces_.contains(each.piece) || (each.piece > Piece::kFromLane) != totals) continue;
      append_text(lines, each.text);
      end_part();
    }
  };
  add_pieces(false);
  for (const auto& [numbers, named] : tables_) {
    std::string list;
    for (const float number : numbers) list += (list.empty() ? "" : ", ") + float_text(number);
    lines.push_back(
        fmt::format("__device__ const float {}[{}] = {{{}}};", named, numbers.size(), list));
    end_part();
  }
  for (const Defined& each : functions_) {
    lines.insert(lines.end(), each.lines.begin(), each.lines.end());
    end_part();
  }
  for (const auto& [named, text] : reductions_) {
    append_text(lines, text);
    end_part();
  }
  add_pieces(true);
  return lines;
}

}  // namespace glint::cuda
