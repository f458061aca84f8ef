// From the resolved tree to Program IR. Inside the folder only.
//
//     x = a if c else b          jump_if_false c, to L1
//                                r0 = move a
//                                jump to L2
//                            L1: r0 = move b
//                            L2: x = move r0
//
// One `FunctionLowering` makes one code object. An expression gives the operand that its value is
// in: a local's register itself, a constant, or a temporary, which whoever takes the value
// releases. A local that an expression has to write early, before the rest of the expression may
// raise, is written through a temporary.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "frontend/ast.h"
#include "frontend/parse.h"
#include "frontend/scope.h"
#include "frontend/warnings.h"
#include "ir/program.h"
#include "ir/program_builder.h"

namespace glint::frontend {

using program::Label;
using program::Opcode;
using program::Operand;

/// What all functions of one text share.
struct LoweringContext {
  const ScopeTree& scopes;
  std::string_view text;
  Mode mode = Mode::kFile;
  bool lazy_annotations = false;  ///< `from __future__ import annotations`
  WarningSink warn = {};
  const ExpressionStatement* echoed = nullptr;  ///< of a cell: what its end shows
};

class FunctionLowering {
 public:
  FunctionLowering(LoweringContext& context, const Scope& scope, FunctionLowering* outer,
                   program::CodeKind kind, std::string qualified_name, Span span);

  std::shared_ptr<const program::Code> module(const Module& tree, Span whole);
  std::shared_ptr<const program::Code> function(const Parameters& parameters, const Block& body);
  std::shared_ptr<const program::Code> lambda(const Lambda& node);
  std::shared_ptr<const program::Code> class_body(const ClassDefinition& node, Span at);
  std::shared_ptr<const program::Code> comprehension(const Comprehension& node, Span at);

 private:
  // ---- frame set-up (lower_functions.cpp) ----
  void declare_parameters(const Parameters& parameters);
  void declare_locals();
  std::shared_ptr<const program::Code> finish();
  std::string inner_name(const std::string& name) const;
  uint32_t add_inner(std::shared_ptr<const program::Code> code) {
    return b_.add_function(std::move(code));
  }

  // ---- expressions (lower_expressions.cpp); `into` asks for a register ----
  Operand lower(const Expression& node, uint32_t into = program::kNoRegister);
  Operand lower(const ExpressionPtr& node, uint32_t into = program::kNoRegister) {
    return lower(*node, into);
  }
  /// As `lower`, but safe from later assignments inside the same expression.
  Operand lower_kept(const Expression& node);
  /// In a register of its own that may be written again.
  uint32_t lower_to_temporary(const Expression& node);
  Operand lower_node(const Constant& node, Span at, uint32_t into);
  Operand lower_node(const Name& node, Span at, uint32_t into);
  Operand lower_node(const Unary& node, Span at, uint32_t into);
  Operand lower_node(const Binary& node, Span at, uint32_t into);
  Operand lower_node(const BoolOperation& node, Span at, uint32_t into);
  Operand lower_node(const Compare& node, Span at, uint32_t into);
  Operand lower_node(const Conditional& node, Span at, uint32_t into);
  Operand lower_node(const Lambda& node, Span at, uint32_t into);
  Operand lower_node(const Call& node, Span at, uint32_t into);
  Operand lower_node(const Attribute& node, Span at, uint32_t into);
  Operand lower_node(const Subscript& node, Span at, uint32_t into);
  Operand lower_node(const Slice& node, Span at, uint32_t into);
  Operand lower_node(const Starred& node, Span at, uint32_t into);
  Operand lower_node(const NamedExpression& node, Span at, uint32_t into);
  Operand lower_node(const ListDisplay& node, Span at, uint32_t into);
  Operand lower_node(const TupleDisplay& node, Span at, uint32_t into);
  Operand lower_node(const SetDisplay& node, Span at, uint32_t into);
  Operand lower_node(const DictDisplay& node, Span at, uint32_t into);
  Operand lower_node(const Comprehension& node, Span at, uint32_t into);
  Operand lower_node(const FormattedValue& node, Span at, uint32_t into);
  Operand lower_node(const JoinedString& node, Span at, uint32_t into);
  Operand lower_node(const Yield& node, Span at, uint32_t into);
  Operand lower_node(const YieldFrom& node, Span at, uint32_t into);

  /// Reports what is surely meant otherwise. A node that is lowered twice warns twice.
  template <class Node>
  void warn_of(const Node& node, Span at) {
    if (!context_.warn) return;
    if (auto message = warning_of(node)) context_.warn({std::move(*message), at});
  }
  std::optional<program::Constant> constant_of(const Expression& node) const;
  Operand display(Opcode opcode, const Expressions& items, Span at, uint32_t into);
  /// A list of the items, where one is starred, built step by step.
  uint32_t starred_list(const Expressions& items, Span at);
  Operand call_unpacked(const Call& node, Operand callee, Span at, uint32_t into);
  /// Whether the call is `f(*args)` or `f(*args, **kwargs)` of the function's own parameters, which
  /// are a tuple and a dict as they stand.
  bool hands_on_arguments(const Call& node) const;
  /// Whether it is this parameter, never bound again.
  bool is_own(const Argument& argument, program::ParameterKind kind) const;
  /// Jumps to `target` when the condition is (or is not) true, else goes on. The place of the jumps
  /// is `at`, as in CPython, until a comparison is met: then it is that, and stays so.
  void jump_if(const Expression& condition, bool when, Label target, Span& at);
  /// The place of what is done with an attribute: from its name on, if `at` begins on another line.
  static Span place_of_name(const Attribute& node, Span attribute, Span at);
  void release(Operand operand) {
    if (b_.is_temporary(operand)) b_.release(operand.index());
  }
  void release(const std::vector<Operand>& operands) {
    for (Operand operand : operands) release(operand);
  }
  Operand none() { return b_.constant({program::None{}}); }
  Operand text_constant(std::string text) { return b_.constant({std::move(text)}); }

  // ---- names and targets (lower_targets.cpp) ----
  const NameUse& use_of(const std::string& name) const;
  std::string mangled(const std::string& name) const { return mangle(name, class_name_); }
  uint32_t cell_index(const std::string& name) const;
  Operand load_name(const std::string& name, Span at, uint32_t into = program::kNoRegister);
  void store_name(const std::string& name, Operand value, Span at);
  void delete_name(const std::string& name, Span at);
  /// The register of a plain local, if the name is one.
  std::optional<uint32_t> local_register(const std::string& name) const;
  void assign(const Expression& target, Operand value);
  void unpack(const Expressions& targets, Operand value, Span at);
  void delete_target(const Expression& target);

  // ---- statements (lower_statements.cpp) ----
  void block(const Block& body);
  void visit(const ExpressionStatement& node, Span at);
  void visit(const Assign& node, Span at);
  void visit(const AugmentedAssign& node, Span at);
  void visit(const AnnotatedAssign& node, Span at);
  void visit(const Return& node, Span at);
  void visit(const Raise& node, Span at);
  void visit(const Assert& node, Span at);
  void visit(const Delete& node, Span at);
  void visit(const Pass&, Span) {}
  void visit(const Break& node, Span at);
  void visit(const Continue& node, Span at);
  void visit(const Global&, Span) {}
  void visit(const Nonlocal&, Span) {}
  void visit(const Import& node, Span at);
  void visit(const ImportFrom& node, Span at);
  void visit(const If& node, Span at);
  void visit(const While& node, Span at);
  void visit(const For& node, Span at);
  void visit(const Try& node, Span at);
  void visit(const With& node, Span at);
  void visit(const FunctionDefinition& node, Span at);
  void visit(const ClassDefinition& node, Span at);
  void visit(const Match& node, Span at);
  void with_item(const With& node, size_t item, Span at);
  void note_annotation(const std::string& name, const Expression& annotation, Span at);
  bool has_annotations(const Block& body) const;

  // ---- leaving constructs early (lower_control.cpp) ----
  /// A stretch of instructions that a handler covers; split where code for leaving stands in it.
  struct Region {
    Label target;
    uint32_t exception = 0;
    uint32_t depth = 0;
    uint32_t begin = 0;
    std::vector<std::pair<uint32_t, uint32_t>> ranges;
  };
  /// What `return`, `break` and `continue` have to do on their way out, innermost last.
  struct Construct {
    enum class Kind : uint8_t { kLoop, kCleanup };
    Kind kind = Kind::kCleanup;
    Label break_label = {};
    Label continue_label = {};
    std::function<void()> leave = {};   ///< emits what has to be done
    std::vector<Region*> regions = {};  ///< suspended while it is emitted
  };
  void open(Region& region) { region.begin = b_.position(); }
  void close(Region& region) { region.ranges.emplace_back(region.begin, b_.position()); }
  void add(const Region& region) {
    for (auto [begin, end] : region.ranges) {
      b_.add_handler(begin, end, region.target, region.exception, region.depth);
    }
  }
  /// Runs `emit` outside all constructs from number `first` on, after doing what leaving them asks.
  void leave_to(size_t first, const std::function<void()>& emit);
  void try_finally(const std::function<void()>& body, const std::function<void()>& finally,
                   Span at);
  void try_except(const Try& node, Span at);
  /// Handlers of an exception: whatever leaves `body` drops it, and it goes on where `body` ends.
  void handle(Operand exception, Span at, const std::function<void()>& body);
  void except_clause(const ExceptClause& clause, uint32_t exception, Label next, Span at);

  // ---- functions and classes (lower_functions.cpp) ----
  /// `make_code` makes the body, behind the defaults and annotations, as CPython compiles them.
  using MakeCode = std::function<std::shared_ptr<const program::Code>()>;
  Operand make_function(const MakeCode& make_code, const Parameters& parameters,
                        const Expression* returns, Span at, uint32_t into);
  /// Applies decorators, the last first, and binds the name.
  void bind_decorated(const std::string& name, const Expressions& nodes,
                      const std::vector<Operand>& decorators, Operand value, Span at);
  void comprehension_loop(const Comprehension& node, size_t clause, Operand result,
                          Operand iterator, Span at);

  // ---- patterns (lower_patterns.cpp) ----
  using Captures = std::map<std::string, uint32_t>;
  void lower_pattern(const Pattern& pattern, Operand subject, Label fail, Captures& captures);
  void capture(const std::string& name, Operand subject, Span at, Captures& captures);
  void sequence_pattern(const SequencePattern& node, Span at, Operand subject, Label fail,
                        Captures& captures);
  void mapping_pattern(const MappingPattern& node, Span at, Operand subject, Label fail,
                       Captures& captures);
  void class_pattern(const ClassPattern& node, Span at, Operand subject, Label fail,
                     Captures& captures);

  LoweringContext& context_;
  const Scope& scope_;
  FunctionLowering* outer_;
  program::ProgramBuilder b_;
  std::map<std::string, uint32_t> registers_;
  std::vector<std::string> cell_names_;
  std::string class_name_;
  std::vector<Construct> enclosing_;
  uint32_t handling_depth_ = 0;
};

}  // namespace glint::frontend
