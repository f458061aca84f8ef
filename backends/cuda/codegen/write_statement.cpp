// Single statements: values, loads, stores, checks; and the text of indices and sizes.
#include <fmt/format.h>

#include <algorithm>

#include "backends/cuda/codegen/kernel_writer.h"
#include "backends/cuda/codegen/scalar_text.h"
#include "core/support/check.h"
#include "ir/compared_index.h"

namespace glint::cuda {
namespace {

std::string one_line(std::string text) {
  for (char& c : text)
    if (c == '\n' || c == '\\') c = ' ';
  return text;
}

}  // namespace

void KernelWriter::write_statement(size_t i) {
  statement_ = static_cast<uint32_t>(i);
  const Statement& statement = kernel_.statements[i];
  if (const auto* load = statement.get_if<Load>()) {
    write_load(i, *load);
  } else if (const auto* store = statement.get_if<Store>()) {
    write_store(*store);
  } else if (const auto* compute = statement.get_if<Compute>()) {
    if (compute->function == ScalarFunction::kCast) return write_cast(i, *compute);
    std::vector<std::string> operands;
    for (size_t k = 0; k < compute->operands.size(); ++k) {
      const bool condition = compute->function == ScalarFunction::kWhere && k == 0;
      operands.push_back(operand(compute->operands[k], condition ? DType::kBool : compute->dtype));
    }
    define(i, compute_text(definitions_, compute->function, compute->dtype, operands));
  } else if (const auto* value = statement.get_if<IndexValue>()) {
    define(i, index_text(value->expression, true));
  } else if (const auto* reduction = statement.get_if<Reduction>()) {
    const std::string type = definitions_.reduction(reduction->combiner, reduction->dtype);
    value_names_[i] = names_.fresh(statement.name);
    line(fmt::format("{0} {1} = {0}::identity();", type, value_names_[i]));
  } else if (const auto* accumulate = statement.get_if<Accumulate>()) {
    write_accumulate(*accumulate);
  } else if (const auto* scratch = statement.get_if<Scratch>()) {
    write_scratch(*scratch);
  } else if (const auto* tested = statement.get_if<Check>()) {
    write_check(i, operand(tested->condition, DType::kBool), tested->message);
  }
}

/// A value that is held as it is has no second name.
void KernelWriter::write_cast(size_t i, const Compute& cast) {
  const Operand& operand = cast.operands[0];
  const DType from = kernel_.dtype(operand).value_or(cast.dtype);
  const std::string given = this->operand(operand, from);
  const std::string text = cast_text(definitions_, from, cast.dtype, given);
  const bool is_same = text == given && value_type(from) == value_type(cast.dtype);
  if (is_same && !operand.is_literal() && given == value_names_[index(operand.statement())])
    value_names_[i] = given;
  else
    define(i, text);
}

/// A constant of the statement's name and dtype.
void KernelWriter::define(size_t i, const std::string& value) {
  const auto dtype = kernel_.dtype(Operand(StatementId(i)));
  check(dtype.has_value(), "only a value is defined");
  value_names_[i] = names_.fresh(kernel_.statements[i].name);
  line(fmt::format("const {} {} = {};", value_type(*dtype), value_names_[i], value));
}

// ---- memory ------------------------------------------------------------------------------------

std::string KernelWriter::from_memory(DType dtype, std::string text) {
  const bool is_half = dtype == DType::kFloat16 || dtype == DType::kBFloat16;
  return is_half ? "from_memory(" + text + ")" : text;
}

std::string KernelWriter::to_memory(DType dtype, std::string text) {
  if (dtype == DType::kFloat16) return "to_half(" + text + ")";
  return dtype == DType::kBFloat16 ? "to_bfloat16(" + text + ")" : text;
}

std::string KernelWriter::place(BufferId buffer, const std::vector<IndexExpression>& indices) {
  // What is left of scratch that is kept lies as what is kept does: each lane beside its
  // neighbours.
  if (const auto kept = kept_scratch_.find(buffer); kept != kept_scratch_.end())
    return fmt::format("{}[{}]", buffer_names_[index(buffer)], kept_at_);
  IndexExpression at = memory_place(kernel_, buffer, indices);
  if (const auto apart = scratch_steps_.find(buffer); apart != scratch_steps_.end())
    at = at * SymInt(apart->second);
  return fmt::format("{}[{}]", buffer_names_[index(buffer)], index_text(at, false));
}

void KernelWriter::write_load(size_t i, const Load& load) {
  const KernelBuffer& buffer = kernel_[load.buffer];
  const DType dtype = buffer.type.dtype;
  if (buffer.type.scalar) return define(i, buffer_names_[index(load.buffer)]);
  if (const auto tile = tiles_.find(i); tile != tiles_.end())
    return define(i, from_memory(dtype, tile->second + "[lane][row]"));
  const Kept* kept = is_remaking_ ? nullptr : kept_at(i, load.buffer);
  const bool reads = kept != nullptr && !kept->fills;
  if (reads && kept->shared && !kept->remade.empty()) return write_remade(i, *kept);
  if (reads && !kept->shared) return define(i, kept_text(*kept));
  std::string text = from_memory(dtype, element_text(i, load));
  if (reads) text = fmt::format("{} ? {} : {}", is_kept_, kept_text(*kept), text);
  if (load.mask)
    text = fmt::format("{} ? {} : {}", operand(*load.mask, DType::kBool), text,
                       operand(*load.otherwise, dtype));
  define(i, text);
  if (kept != nullptr && kept->fills)
    line(fmt::format("{}{} = {};", kept->shared ? fmt::format("if ({}) ", is_kept_) : "",
                     kept_text(*kept), value_names_[i]));
}

/// What a load names in memory, or in the vector that has been read.
std::string KernelWriter::element_text(size_t i, const Load& load) {
  if (const auto found = vectors_.find(i); found != vectors_.end())
    return fmt::format("{}.at[{}]", found->second, vector_at_);
  if (const auto found = ahead_.find(i); found != ahead_.end()) return found->second;
  write_bounds(i, *access_of(kernel_.statements[i]), load.mask);
  definitions_.memory(kernel_[load.buffer].type.dtype);
  return place(load.buffer, load.indices);
}

/// Where a load or a store finds what its member keeps; null where it keeps nothing.
const KernelWriter::Kept* KernelWriter::kept_at(size_t i, BufferId buffer) const {
  if (const auto found = kept_loads_.find(i); found != kept_loads_.end()) return &found->second;
  const auto scratch = kept_scratch_.find(buffer);
  return scratch == kept_scratch_.end() ? nullptr : &scratch->second;
}

std::string KernelWriter::kept_text(const Kept& kept) const {
  return fmt::format("{}[{}]", kept.array, kept_at_);
}

void KernelWriter::write_store(const Store& store) {
  const DType dtype = kernel_[store.buffer].type.dtype;
  definitions_.memory(dtype);
  const std::string value = operand(store.value, dtype);
  const size_t i = statement_;
  if (const auto found = vectors_.find(i); found != vectors_.end())
    return line(fmt::format("{}.at[{}] = {};", found->second, vector_at_, to_memory(dtype, value)));
  if (const Kept* kept = kept_at(i, store.buffer)) {
    const std::string keeps = fmt::format("{} = {};", kept_text(*kept), value);
    if (!kept->shared) return line(keeps);
    line(fmt::format("if ({}) {}", is_kept_, keeps));
    if (!kept->remade.empty()) return;
    return line(
        fmt::format("else {} = {};", place(store.buffer, store.indices), to_memory(dtype, value)));
  }
  std::string condition = mine_;
  const auto also = [&condition](const std::string& other) {
    if (other.empty()) return;
    condition += (condition.empty() ? "" : " && ") + other;
  };
  const bool is_scratch = index(store.buffer) >= kernel_.parameter_count;
  if (is_scratch) condition.clear();  // each column has its own
  if (!is_shared_) also(words().first);
  if (store.mask) also(operand(*store.mask, DType::kBool));
  write_bounds(i, *access_of(kernel_.statements[i]), store.mask);
  const std::string text =
      fmt::format("{} = {};", place(store.buffer, store.indices), to_memory(dtype, value));
  line(condition.empty() ? text : fmt::format("if ({}) {}", condition, text));
}

void KernelWriter::write_accumulate(const Accumulate& accumulate) {
  const auto& reduction = *kernel_[accumulate.reduction].get_if<Reduction>();
  std::string arguments = operand(accumulate.operands[0], reduction.dtype);
  if (accumulate.operands.size() > 1)
    arguments += ", " + operand(accumulate.operands[1], DType::kInt64);
  line(fmt::format("{}.add({});", value_names_[index(accumulate.reduction)], arguments));
}

// ---- checks ------------------------------------------------------------------------------------

/// The launch fails, and a check of an index leaves that too; this thread ends.
void KernelWriter::write_check(size_t i, const std::string& condition, const std::string& message) {
  const auto number = static_cast<int32_t>(i + 1);
  checks_[number] = message;
  std::string failure = fmt::format("*status = {};", number);
  const auto* check = kernel_.statements[i].get_if<Check>();
  if (const auto compared = check ? compared_index(kernel_, *check) : std::nullopt) {
    definitions_.use(Piece::kFail);
    failure =
        fmt::format("fail(status, {}, {}, {});", number, operand(compared->index, DType::kInt64),
                    operand(compared->size, DType::kInt64));
  }
  const bool is_name = condition.find(' ') == std::string::npos;
  open(is_name ? fmt::format("if (!{})", condition) : fmt::format("if (!({}))", condition));
  line(fmt::format("{}  // {}", failure, one_line(message)));
  line("return;");
  close();
}

void KernelWriter::write_bounds(size_t i, const Access& access,
                                const std::optional<Operand>& mask) {
  if (!options_.checks_bounds) return;
  std::string condition;
  const TensorType& type = kernel_[access.buffer].type;
  for (size_t d = 0; d < access.indices->size(); ++d) {
    const std::string at = index_text((*access.indices)[d], true);
    condition += fmt::format("{0}0 <= {1} && {1} < {2}", d ? " && " : "", at, size(type.sizes[d]));
  }
  if (condition.empty()) return;
  if (mask) condition = fmt::format("!{} || ({})", operand(*mask, DType::kBool), condition);
  write_check(i, condition, "index out of bounds");
}

// ---- text of operands, indices and sizes -------------------------------------------------------

std::string KernelWriter::operand(const Operand& operand, DType dtype) {
  if (const auto* number = std::get_if<int64_t>(&operand.value))
    return literal_text(*number, dtype);
  if (const auto* number = std::get_if<double>(&operand.value)) return literal_text(*number, dtype);
  const StatementId id = operand.statement();
  const std::string& name = value_names_[index(id)];
  check(!name.empty(), "a value is made before it is used");
  if (const auto* reduction = kernel_[id].get_if<Reduction>()) {
    std::string text =
        fmt::format("{}.{}", name, reduction_part(reduction->combiner, operand.part));
    // What was added up as float is of the dtype only now.
    return operand.part == 1 ? text : rounded_text(definitions_, reduction->dtype, std::move(text));
  }
  if (kernel_[id].get_if<Loop>() != nullptr && is_narrow_) return "(int64)" + name;
  return name;
}

/// A sum of products; `wide`: in 64 bits, whatever the loops count in.
std::string KernelWriter::index_text(const IndexExpression& expression, bool wide) {
  std::string text;
  for (const IndexTerm& term : expression.terms) {
    std::string variable = value_names_[index(term.variable)];
    check(!variable.empty(), "an index is made before it is used");
    const bool is_loop = kernel_[term.variable].get_if<Loop>() != nullptr;
    if (wide && is_narrow_ && is_loop) variable = "(int64)" + variable;
    const auto known = term.coefficient.maybe_constant();
    const bool negative = known && *known < 0;
    const SymInt magnitude = negative ? SymInt(-*known) : term.coefficient;
    if (!text.empty())
      text += negative ? " - " : " + ";
    else if (negative)
      text += "-";
    if (!magnitude.is(1)) text += factor(magnitude) + " * ";
    text += variable;
  }
  const SymInt constant = expression.constant;
  if (text.empty()) return size(constant);
  if (constant.is(0)) return text;
  const auto known = constant.maybe_constant();
  if (known && *known < 0) return fmt::format("{} - {}", text, -*known);
  return fmt::format("{} + {}", text, factor(constant));
}

/// A size in C++: a number, a polynomial of symbols, which are arguments, or an argument of its
/// own.
std::string KernelWriter::size(SymInt value) {
  if (const auto known = value.maybe_constant()) return fmt::format("{}", *known);
  const auto argument = [&](SymInt meaning, std::string_view wanted) -> std::string {
    const auto [found, added] = size_names_.try_emplace(meaning.key(), "");
    if (added) {
      found->second = names_.fresh_argument(wanted);
      sizes_.push_back({KernelParameter::Kind::kSize, found->second, 0, DType::kInt64, meaning});
    }
    return found->second;
  };
  const std::string text = value.text();
  const bool is_polynomial = text.find_first_of("/%,") == std::string::npos;
  if (!is_polynomial) return argument(value, fmt::format("size{}", sizes_.size()));
  std::string result;
  for (size_t i = 0; i < text.size();) {
    if (text[i] != 's') {
      result += text[i] == '*' ? " * " : std::string(1, text[i]);
      ++i;
      continue;
    }
    size_t end = i + 1;
    while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end]))) ++end;
    const auto number = static_cast<uint32_t>(std::stoul(text.substr(i + 1, end - i - 1)));
    result += argument(SymInt::symbol(number), text.substr(i, end - i));
    i = end;
  }
  return result;
}

/// A size as a factor: in parentheses if it is a sum or a product.
std::string KernelWriter::factor(SymInt value) {
  const std::string text = size(value);
  return text.find(' ') == std::string::npos ? text : "(" + text + ")";
}

}  // namespace glint::cuda
