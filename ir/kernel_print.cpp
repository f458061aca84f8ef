// Kernel IR to text: the statement's number, the statement indented by its loops, where it is from.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "ir/kernel.h"
#include "ir/kernel_text.h"
#include "ir/text_cursor.h"

namespace glint {

std::string_view loop_word(LoopKind kind) {
  static constexpr std::array<std::string_view, 3> kWords{"parallel", "reduce", "scan"};
  return kWords[static_cast<size_t>(kind)];
}

std::string_view binding_word(Binding binding) {
  static constexpr std::array<std::string_view, 6> kWords{"",      "thread", "vector",
                                                          "block", "warp",   "lane"};
  return kWords[static_cast<size_t>(binding)];
}

std::string_view scope_word(ScratchScope scope) {
  static constexpr std::array<std::string_view, 4> kWords{"register", "row", "block", "global"};
  return kWords[static_cast<size_t>(scope)];
}

namespace {

class StatementPrinter {
 public:
  explicit StatementPrinter(const Kernel& kernel) : kernel_(kernel) {}

  std::string text(const Statement& statement) {
    statement_ = &statement;
    return std::visit(*this, statement.kind);
  }

  std::string operator()(const Loop& loop) const {
    std::string text = fmt::format("{} {} in 0..{} ", loop_word(loop.kind), statement_->name,
                                   loop.rest ? block_extent(loop) : loop.extent.text());
    if (loop.binding != Binding::kUnbound) text += std::string(binding_word(loop.binding)) + " ";
    return text + "{";
  }
  std::string operator()(const Load& load) const {
    std::string text =
        fmt::format("{} = load {}", statement_->name, place(load.buffer, load.indices));
    if (load.mask)
      text += fmt::format(" if {} else {}", operand(*load.mask), operand(*load.otherwise));
    return text;
  }
  std::string operator()(const Store& store) const {
    std::string text =
        fmt::format("store {} = {}", place(store.buffer, store.indices), operand(store.value));
    if (store.mask) text += " if " + operand(*store.mask);
    return text;
  }
  std::string operator()(const Compute& compute) const {
    std::string text = fmt::format("{} = {}", statement_->name, name(compute.function));
    for (size_t i = 0; i < compute.operands.size(); ++i)
      text += (i ? ", " : " ") + operand(compute.operands[i]);
    if (!dtype_follows(kernel_, compute))
      text += fmt::format(" : {}", dtype_short_name(compute.dtype));
    return text;
  }
  std::string operator()(const IndexValue& value) const {
    return fmt::format("{} = index {}", statement_->name, index_text(kernel_, value.expression));
  }
  std::string operator()(const Reduction& reduction) const {
    return fmt::format("{} = reduction {} : {}", statement_->name, info(reduction.combiner).name,
                       dtype_short_name(reduction.dtype));
  }
  std::string operator()(const Accumulate& accumulate) const {
    const std::string& name = kernel_[accumulate.reduction].name;
    Combiner combiner = kernel_[accumulate.reduction].get_if<Reduction>()->combiner;
    if (combiner == Combiner::kSum) return name + " += " + operand(accumulate.operands[0]);
    std::string text = fmt::format("{0} = {1}({0}", name, info(combiner).name);
    for (const Operand& each : accumulate.operands) text += ", " + operand(each);
    return text + ")";
  }
  std::string operator()(const Scratch& scratch) const {
    const KernelBuffer& buffer = kernel_[scratch.buffer];
    return fmt::format("{} = scratch {} {}", buffer.name, scope_word(buffer.scope),
                       buffer.type.text());
  }
  std::string operator()(const Check& check) const {
    return fmt::format("check {}, {}", operand(check.condition), quoted(check.message));
  }

 private:
  /// `min(64, 1000 - 64*i)`
  std::string block_extent(const Loop& loop) const {
    return fmt::format("min({}, {})", loop.extent.text(), index_text(kernel_, *loop.rest));
  }
  std::string operand(const Operand& value) const { return operand_text(kernel_, value); }
  std::string place(BufferId buffer, const std::vector<IndexExpression>& indices) const {
    std::string text = (kernel_[buffer].scratch ? "" : "%") + kernel_[buffer].name + "[";
    for (size_t i = 0; i < indices.size(); ++i)
      text += (i ? ", " : "") + index_text(kernel_, indices[i]);
    return text + "]";
  }

  const Kernel& kernel_;
  const Statement* statement_ = nullptr;
};

std::string header_text(const Kernel& kernel) {
  std::string text = "kernel " + kernel.name + "(";
  for (uint32_t i = 0; i < kernel.parameter_count; ++i) {
    const KernelBuffer& buffer = kernel.buffers[i];
    text += fmt::format("{}%{}: {}", i ? ", " : "", buffer.name, buffer.type.text());
    if (buffer.over) text += " over %" + kernel[*buffer.over].name;
  }
  text += ")";
  if (!kernel.origins.empty()) text += "   from";
  for (const KernelOrigin& origin : kernel.origins) text += " %" + origin.node;
  return text;
}

}  // namespace

bool dtype_follows(const Kernel& kernel, const Compute& compute) {
  if (compute.function == ScalarFunction::kCast) return false;
  size_t first = compute.function == ScalarFunction::kWhere ? 1 : 0;
  for (size_t i = first; i < compute.operands.size(); ++i)
    if (auto dtype = kernel.dtype(compute.operands[i])) return *dtype == compute.dtype;
  return false;
}

std::string operand_text(const Kernel& kernel, const Operand& operand) {
  if (auto* integer = std::get_if<int64_t>(&operand.value)) return std::to_string(*integer);
  if (auto* real = std::get_if<double>(&operand.value)) return number_text(*real);
  const Statement& statement = kernel[operand.statement()];
  auto* reduction = statement.get_if<Reduction>();
  if (reduction && info(reduction->combiner).parts > 1)
    return fmt::format("{}.{}", statement.name, operand.part);
  return statement.name;
}

std::string index_text(const Kernel& kernel, const IndexExpression& expression) {
  std::string text;
  for (const IndexTerm& term : expression.terms) {
    std::string variable = kernel[term.variable].name;
    std::string coefficient = term.coefficient.text();
    bool negative = term.coefficient.is_constant() && term.coefficient.constant() < 0;
    if (negative) coefficient.erase(0, 1);
    if (!text.empty())
      text += negative ? " - " : " + ";
    else if (negative)
      text += "-";
    if (coefficient == "1")
      text += variable;
    else if (coefficient.find_first_of("+-/%") == std::string::npos)
      text += coefficient + "*" + variable;
    else
      text += "(" + coefficient + ")*" + variable;
  }
  if (expression.constant.is(0) && !text.empty()) return text;
  std::string constant = expression.constant.text();
  if (text.empty()) return constant;
  if (constant.starts_with('-') && expression.constant.is_constant())
    return text + " - " + constant.substr(1);
  return text + " + " + (constant.starts_with('-') ? "(" + constant + ")" : constant);
}

std::vector<std::string> statement_lines(const Kernel& kernel) {
  std::vector<std::string> lines;
  std::vector<StatementId> ends;
  StatementPrinter printer(kernel);
  for (size_t number = 0; number < kernel.statements.size(); ++number) {
    while (!ends.empty() && ends.back() <= StatementId(number)) ends.pop_back();
    const Statement& statement = kernel.statements[number];
    lines.push_back(
        fmt::format("{:>4}  {:{}}{}", number, "", 2 * ends.size(), printer.text(statement)));
    if (auto* loop = statement.get_if<Loop>()) ends.push_back(loop->end);
  }
  return lines;
}

std::vector<StageLine> kernel_lines(const Kernel& kernel) {
  struct Row {
    std::string text;
    const KernelOrigin* origin;
  };
  std::vector<Row> rows;
  std::vector<StatementId> ends;
  size_t width = 0;
  std::vector<std::string> statements = statement_lines(kernel);
  auto close_loops = [&](StatementId at) {
    while (!ends.empty() && ends.back() <= at) {
      ends.pop_back();
      rows.push_back({std::string(6 + 2 * ends.size(), ' ') + "}", nullptr});
    }
  };
  for (size_t number = 0; number < kernel.statements.size(); ++number) {
    close_loops(StatementId(number));
    const Statement& statement = kernel.statements[number];
    const KernelOrigin* origin =
        statement.origin == Statement::kNoOrigin ? nullptr : &kernel.origins[statement.origin];
    std::string text = std::move(statements[number]);
    if (origin && text.size() <= 64) width = std::max(width, text.size());
    rows.push_back({std::move(text), origin});
    if (auto* loop = statement.get_if<Loop>()) ends.push_back(loop->end);
  }
  close_loops(StatementId(kernel.statements.size()));

  std::vector<StageLine> lines{{header_text(kernel), {}}};
  for (Row& row : rows) {
    if (!row.origin) {
      lines.push_back({std::move(row.text), {}});
      continue;
    }
    std::string from = origins_text(row.origin->spans);
    from += (from.empty() ? "%" : " %") + row.origin->node;
    lines.push_back({fmt::format("{:<{}}   {}", row.text, width, from), row.origin->spans});
  }
  return lines;
}

std::string print(const Kernel& kernel) {
  std::string text;
  for (const StageLine& line : kernel_lines(kernel)) text += line.text + "\n";
  return text;
}

}  // namespace glint
