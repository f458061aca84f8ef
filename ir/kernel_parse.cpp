// Text to Kernel IR. A kernel is its header line and the numbered lines below it; it ends where its
// braces are closed and the next line begins with `kernel` or `schedule`, or the text ends.
#include <unordered_map>

#include <fmt/format.h>

#include "ir/kernel.h"
#include "ir/kernel_text.h"
#include "ir/text_cursor.h"

namespace glint {

namespace {

class KernelParser {
 public:
  KernelParser(TextCursor& in, SourceId source) : in_(in), source_(source) {}

  Kernel parse() {
    header();
    while (in_.ok() && !in_.at_end()) {
      if (open_.empty() && (in_.peek("kernel") || in_.peek("schedule"))) break;
      line();
    }
    if (in_.ok() && !open_.empty()) in_.fail("a loop is not closed; expected `}`");
    return std::move(kernel_);
  }

 private:
  void header() {
    in_.expect("kernel");
    kernel_.name = std::string(in_.word());
    if (kernel_.name.empty()) in_.fail("expected the kernel's name");
    in_.expect("(");
    while (in_.ok() && !in_.peek(")")) {
      in_.expect("%");
      KernelBuffer buffer{.name = std::string(in_.word()), .type = {}};
      in_.expect(":");
      buffer.type = parse_tensor_type(in_);
      if (in_.accept("over")) {
        in_.expect("%");
        buffer.over = find_buffer(std::string(in_.word()), false);
      }
      kernel_.buffers.push_back(std::move(buffer));
      ++kernel_.parameter_count;
      if (!in_.accept(",")) break;
    }
    in_.expect(")");
    // The nodes follow from the statements; their order is kept.
    if (in_.accept("from"))
      while (in_.ok() && in_.accept("%")) kernel_.origins.push_back({std::string(in_.word()), {}});
    in_.expect_line_end();
  }

  void line() {
    if (in_.peek_digit()) in_.number();
    if (in_.accept("}")) {
      close();
      return;
    }
    std::string_view word = in_.peek_word();
    if (word == "parallel" || word == "reduce" || word == "scan") {
      loop();
      return;
    }
    if (word == "store")
      store();
    else if (word == "check")
      check();
    else if (word.empty())
      in_.fail("expected a statement");
    else
      named();
    uint32_t origin = origin_of_line();
    in_.expect_line_end();
    if (in_.ok()) kernel_.statements.back().origin = origin;
  }

  void close() {
    in_.expect_line_end();
    if (open_.empty()) {
      in_.fail("there is no loop to close");
      return;
    }
    kernel_.statements[index(open_.back())].get_if<Loop>()->end =
        StatementId(kernel_.statements.size());
    open_.pop_back();
  }

  void loop() {
    std::string_view word = in_.word();
    Loop loop;
    loop.kind = word == "parallel" ? LoopKind::kParallel
                : word == "reduce" ? LoopKind::kReduce
                                   : LoopKind::kScan;
    std::string name(in_.word());
    if (name.empty()) in_.fail("expected the loop's name");
    in_.expect("in");
    in_.expect("0..");
    const bool is_block = in_.accept("min(");
    loop.extent = parse_symint(in_);
    if (is_block) {
      in_.expect(",");
      loop.rest = index_expression();
      in_.expect(")");
    }
    for (auto binding :
         {Binding::kThread, Binding::kVector, Binding::kBlock, Binding::kWarp, Binding::kLane})
      if (in_.accept(binding_word(binding))) loop.binding = binding;
    in_.expect("{");
    in_.expect_line_end();
    open_.push_back(append(loop, std::move(name)));
  }

  void store() {
    in_.word();
    auto [buffer, indices] = place();
    in_.expect("=");
    Store store{buffer, std::move(indices), operand(), {}};
    if (in_.accept("if")) store.mask = operand();
    append(std::move(store), "");
  }

  void check() {
    in_.word();
    Operand condition = operand();
    in_.expect(",");
    auto message = in_.string();
    if (!message) in_.fail("expected the message, in quotes");
    append(Check{condition, message.value_or("")}, "");
  }

  /// A statement that begins with a name: `name = ...` or `name += ...`.
  void named() {
    std::string name(in_.word());
    if (in_.accept("+=")) return accumulate(name);
    in_.expect("=");
    std::string_view word = in_.word();
    if (auto combiner = find_combiner(word); combiner && in_.accept("("))
      return accumulate_by(*combiner, name);
    if (word == "load") return load(std::move(name));
    if (word == "index") {
      append(IndexValue{index_expression()}, std::move(name));
    } else if (word == "reduction") {
      auto combiner = find_combiner(in_.word());
      if (!combiner) in_.fail("expected a combiner, such as `sum` or `argmax`");
      in_.expect(":");
      append(Reduction{combiner.value_or(Combiner::kSum), parse_dtype(in_)}, std::move(name));
    } else if (word == "scratch") {
      scratch(std::move(name));
    } else if (auto function = find_scalar_function(word)) {
      compute(*function, std::move(name));
    } else {
      in_.fail(fmt::format("`{}` is no function of scalars", word));
    }
  }

  /// `acc += x`, for a sum; read for any combiner.
  void accumulate(const std::string& name) {
    Accumulate accumulate{find(name), {}};
    do {
      accumulate.operands.push_back(operand());
    } while (in_.accept(","));
    append(std::move(accumulate), "");
  }

  /// `acc = maximum(acc, x)`: names the combiner once more.
  void accumulate_by(Combiner combiner, const std::string& name) {
    StatementId id = find(name);
    if (!in_.ok()) return;
    auto* reduction = kernel_.statements[index(id)].get_if<Reduction>();
    if (!reduction || reduction->combiner != combiner) {
      in_.fail(fmt::format("`{}` is no reduction by `{}`", name, info(combiner).name));
      return;
    }
    if (in_.word() != name) in_.fail(fmt::format("expected `{}` once more", name));
    in_.expect(",");
    accumulate(name);
    in_.expect(")");
  }

  void load(std::string name) {
    auto [buffer, indices] = place();
    Load load{buffer, std::move(indices), {}, {}};
    if (in_.accept("if")) {
      load.mask = operand();
      in_.expect("else");
      load.otherwise = operand();
    }
    append(std::move(load), std::move(name));
  }

  void scratch(std::string name) {
    KernelBuffer buffer{.name = name, .type = {}, .scratch = true};
    std::string_view word = in_.word();
    bool known = false;
    for (auto scope :
         {ScratchScope::kRegister, ScratchScope::kRow, ScratchScope::kBlock, ScratchScope::kGlobal})
      if (word == scope_word(scope)) buffer.scope = scope, known = true;
    if (!known) in_.fail("expected a scope: `register`, `row`, `block` or `global`");
    buffer.type = parse_tensor_type(in_);
    kernel_.buffers.push_back(std::move(buffer));
    append(Scratch{BufferId(kernel_.buffers.size() - 1)}, std::move(name));
  }

  void compute(ScalarFunction function, std::string name) {
    Compute compute{function, DType::kFloat32, {}};
    do {
      compute.operands.push_back(operand());
    } while (in_.accept(","));
    if (compute.operands.size() != info(function).arity) {
      in_.fail(fmt::format("`{}` takes {} operands", glint::name(function), info(function).arity));
      return;
    }
    if (in_.accept(":")) {
      compute.dtype = parse_dtype(in_);
    } else {
      bool follows = false;
      for (size_t i = function == ScalarFunction::kWhere ? 1 : 0;
           i < compute.operands.size() && !follows; ++i)
        if (auto dtype = kernel_.dtype(compute.operands[i])) compute.dtype = *dtype, follows = true;
      if (!follows || function == ScalarFunction::kCast) in_.fail("expected `:` and the dtype");
    }
    append(std::move(compute), std::move(name));
  }

  std::pair<BufferId, std::vector<IndexExpression>> place() {
    bool parameter = in_.accept("%");
    BufferId buffer = find_buffer(std::string(in_.word()), !parameter);
    std::vector<IndexExpression> indices;
    in_.expect("[");
    while (in_.ok() && !in_.peek("]")) {
      indices.push_back(index_expression());
      if (!in_.accept(",")) break;
    }
    in_.expect("]");
    return {buffer, std::move(indices)};
  }

  IndexExpression index_expression() {
    IndexExpression sum = index_product();
    while (in_.ok()) {
      if (in_.accept("+"))
        sum = sum + index_product();
      else if (in_.accept("-"))
        sum = sum + index_product() * -1;
      else
        break;
    }
    return sum;
  }

  IndexExpression index_product() {
    SymInt factor = 1;
    while (in_.accept("-")) factor = -factor;
    std::optional<StatementId> variable;
    do {
      auto found = names_.find(std::string(in_.peek_word()));
      if (found == names_.end()) {
        factor *= parse_symint_factor(in_);
      } else if (variable) {
        in_.fail("an index is affine: one loop index or value in each product");
      } else {
        in_.word();
        variable = found->second;
      }
    } while (in_.accept("*"));
    return variable ? IndexExpression(*variable) * factor : IndexExpression(factor);
  }

  Operand operand() {
    bool negative_special = in_.peek("-inf") || in_.peek("-nan");
    std::string_view word = in_.peek_word();
    if (!word.empty() && word != "inf" && word != "nan" && !negative_special) {
      StatementId id = find(std::string(in_.word()));
      if (!in_.accept_adjacent(".")) return id;
      auto part = in_.number();
      return {id, static_cast<uint8_t>(part ? part->integer : 0)};
    }
    auto number = in_.number();
    if (!number) {
      in_.fail("expected a value or a number");
      return int64_t(0);
    }
    return number->is_float ? Operand(number->real) : Operand(number->integer);
  }

  StatementId find(const std::string& name) {
    auto found = names_.find(name);
    if (found != names_.end()) return found->second;
    in_.fail(fmt::format("`{}` is not defined before this line", name));
    return StatementId(0);
  }

  BufferId find_buffer(const std::string& name, bool scratch) {
    for (size_t i = 0; i < kernel_.buffers.size(); ++i)
      if (kernel_.buffers[i].scratch == scratch && kernel_.buffers[i].name == name)
        return BufferId(i);
    in_.fail(fmt::format("there is no buffer `{}{}`", scratch ? "" : "%", name));
    return BufferId(0);
  }

  uint32_t origin_of_line() {
    std::vector<Span> spans = parse_origins(in_, source_);
    if (!in_.accept("%")) return Statement::kNoOrigin;
    std::string node(in_.word());
    in_.rest_of_line();  // a listing's margin: the script's text
    for (uint32_t i = 0; i < kernel_.origins.size(); ++i) {
      if (kernel_.origins[i].node != node) continue;
      if (kernel_.origins[i].spans.empty()) kernel_.origins[i].spans = spans;
      return i;
    }
    kernel_.origins.push_back({node, spans});
    return static_cast<uint32_t>(kernel_.origins.size() - 1);
  }

  StatementId append(Statement::Kind kind, std::string name) {
    auto id = StatementId(kernel_.statements.size());
    if (!name.empty()) names_[name] = id;
    kernel_.statements.push_back({std::move(kind), std::move(name), Statement::kNoOrigin});
    return id;
  }

  TextCursor& in_;
  SourceId source_;
  Kernel kernel_;
  std::vector<StatementId> open_;
  std::unordered_map<std::string, StatementId> names_;
};

}  // namespace

Kernel parse_kernel(TextCursor& in, SourceId origin_source) {
  in.skip_lines();
  return KernelParser(in, origin_source).parse();
}

Result<Kernel> parse_kernel(std::string_view text, SourceId origin_source) {
  TextCursor in(text);
  Kernel kernel = parse_kernel(in, origin_source);
  if (in.ok() && !in.at_end()) in.fail("expected nothing after the kernel");
  if (!in.ok()) return in.error();
  return kernel;
}

}  // namespace glint
