// Expressions to instructions. See lower.h for who owns a temporary.

#include <algorithm>

#include "core/support/check.h"
#include "frontend/lower.h"

namespace glint::frontend {

using program::kNoRegister;

namespace {

Opcode opcode_of(BinaryOperator op) {
  return static_cast<Opcode>(static_cast<uint8_t>(Opcode::kAdd) + static_cast<uint8_t>(op));
}
static_assert(static_cast<int>(Opcode::kBitXor) - static_cast<int>(Opcode::kAdd) ==
              static_cast<int>(BinaryOperator::kBitXor));

Opcode opcode_of(ComparisonOperator op) {
  return static_cast<Opcode>(static_cast<uint8_t>(Opcode::kLess) + static_cast<uint8_t>(op));
}
static_assert(static_cast<int>(Opcode::kNotIn) - static_cast<int>(Opcode::kLess) ==
              static_cast<int>(ComparisonOperator::kNotIn));

Opcode opcode_of(UnaryOperator op) {
  switch (op) {
    case UnaryOperator::kNegative:
      return Opcode::kNegative;
    case UnaryOperator::kPositive:
      return Opcode::kPositive;
    case UnaryOperator::kInvert:
      return Opcode::kInvert;
    case UnaryOperator::kNot:
      return Opcode::kNot;
  }
  return Opcode::kNot;
}

bool has_starred(const Expressions& items) {
  for (const ExpressionPtr& item : items) {
    if (item->get_if<Starred>()) return true;
  }
  return false;
}

}  // namespace

Operand FunctionLowering::lower(const Expression& node, uint32_t into) {
  return std::visit([&](const auto& each) { return lower_node(each, node.span, into); }, node.node);
}

Operand FunctionLowering::lower_kept(const Expression& node) {
  Operand value = lower(node);
  // `x + (x := 1)` reads x first. A local's register is only safe when nothing can rebind it.
  bool plain_local = value.is_register() && !b_.is_temporary(value);
  if (!plain_local) return value;
  return b_.emit(Opcode::kMove, node.span, {value});
}

uint32_t FunctionLowering::lower_to_temporary(const Expression& node) {
  Operand value = lower(node);
  if (b_.is_temporary(value)) return value.index();
  return b_.emit(Opcode::kMove, node.span, {value}).index();
}

std::optional<program::Constant> FunctionLowering::constant_of(const Expression& node) const {
  if (const auto* constant = node.get_if<Constant>()) return constant->value;
  if (const auto* unary = node.get_if<Unary>(); unary && unary->op == UnaryOperator::kNegative) {
    const auto* inner = unary->operand->get_if<Constant>();
    if (!inner) return std::nullopt;
    if (const auto* number = std::get_if<int64_t>(&inner->value.value))
      return program::Constant{-*number};
    if (const auto* number = std::get_if<double>(&inner->value.value))
      return program::Constant{-*number};
    return std::nullopt;
  }
  if (const auto* tuple = node.get_if<TupleDisplay>()) {
    program::ConstantTuple items;
    for (const ExpressionPtr& item : tuple->items) {
      std::optional<program::Constant> value = constant_of(*item);
      if (!value) return std::nullopt;
      items.items.push_back(std::move(*value));
    }
    return program::Constant{std::move(items)};
  }
  return std::nullopt;
}

Operand FunctionLowering::lower_node(const Constant& node, Span at, uint32_t into) {
  Operand value = b_.constant(node.value);
  return into == kNoRegister ? value : b_.emit(Opcode::kMove, at, {value}, 0, {}, into);
}

Operand FunctionLowering::lower_node(const Name& node, Span at, uint32_t into) {
  return load_name(node.id, at, into);
}

Operand FunctionLowering::lower_node(const Unary& node, Span at, uint32_t into) {
  if (node.op == UnaryOperator::kNegative) {
    if (const auto* constant = node.operand->get_if<Constant>()) {
      program::Constant value = constant->value;
      if (auto* number = std::get_if<int64_t>(&value.value))
        return lower_node(Constant{{-*number}}, at, into);
      if (auto* number = std::get_if<double>(&value.value))
        return lower_node(Constant{{-*number}}, at, into);
    }
  }
  Operand operand = lower(node.operand);
  release(operand);
  return b_.emit(opcode_of(node.op), at, {operand}, 0, {}, into);
}

namespace {

/// Whether evaluating the expression may rebind a local of this function: it holds a `:=`.
bool may_rebind(const Expression& node);

struct RebindFinder {
  bool any(const ExpressionPtr& node) const { return node && may_rebind(*node); }
  bool any(const Expressions& list) const {
    for (const ExpressionPtr& each : list) {
      if (any(each)) return true;
    }
    return false;
  }
  bool operator()(const NamedExpression&) const { return true; }
  bool operator()(const Yield& node) const { return any(node.value); }
  bool operator()(const YieldFrom& node) const { return any(node.value); }
  bool operator()(const Constant&) const { return false; }
  bool operator()(const Name&) const { return false; }
  bool operator()(const Unary& node) const { return any(node.operand); }
  bool operator()(const Binary& node) const { return any(node.left) || any(node.right); }
  bool operator()(const BoolOperation& node) const { return any(node.values); }
  bool operator()(const Compare& node) const { return any(node.left) || any(node.comparators); }
  bool operator()(const Conditional& node) const {
    return any(node.condition) || any(node.then) || any(node.otherwise);
  }
  bool operator()(const Lambda&) const { return false; }
  bool operator()(const Call& node) const {
    if (any(node.function)) return true;
    for (const Argument& argument : node.arguments) {
      if (any(argument.value)) return true;
    }
    return false;
  }
  bool operator()(const Attribute& node) const { return any(node.value); }
  bool operator()(const Subscript& node) const { return any(node.value) || any(node.index); }
  bool operator()(const Slice& node) const {
    return any(node.lower) || any(node.upper) || any(node.step);
  }
  bool operator()(const Starred& node) const { return any(node.value); }
  bool operator()(const ListDisplay& node) const { return any(node.items); }
  bool operator()(const TupleDisplay& node) const { return any(node.items); }
  bool operator()(const SetDisplay& node) const { return any(node.items); }
  bool operator()(const DictDisplay& node) const { return any(node.keys) || any(node.values); }
  bool operator()(const Comprehension&) const { return false; }
  bool operator()(const FormattedValue& node) const { return any(node.value) || any(node.spec); }
  bool operator()(const JoinedString& node) const { return any(node.parts); }
};

bool may_rebind(const Expression& node) {
  return std::visit(RebindFinder{}, node.node);
}

}  // namespace

Operand FunctionLowering::lower_node(const Binary& node, Span at, uint32_t into) {
  Operand left = may_rebind(*node.right) ? lower_kept(*node.left) : lower(node.left);
  Operand right = lower(node.right);
  release(left);
  release(right);
  return b_.emit(opcode_of(node.op), at, {left, right}, 0, {}, into);
}

Operand FunctionLowering::lower_node(const BoolOperation& node, Span at, uint32_t into) {
  uint32_t result = b_.temporary();
  Label end = b_.new_label();
  for (size_t i = 0; i < node.values.size(); ++i) {
    const Expression& value = *node.values[i];
    Operand made = lower(value, result);
    check(made == Operand::in_register(result), "a value that is not where it was asked for");
    if (i + 1 == node.values.size()) break;
    b_.jump(node.is_and ? Opcode::kJumpIfFalse : Opcode::kJumpIfTrue, at, {made}, end);
  }
  b_.place(end);
  Operand value = Operand::in_register(result);
  if (into == kNoRegister) return value;
  release(value);
  return b_.emit(Opcode::kMove, at, {value}, 0, {}, into);
}

Operand FunctionLowering::lower_node(const Compare& node, Span at, uint32_t into) {
  warn_of(node, at);
  if (node.ops.size() == 1) {
    const ExpressionPtr& only = node.comparators[0];
    Operand left = may_rebind(*only) ? lower_kept(*node.left) : lower(node.left);
    Operand right = lower(only);
    release(left);
    release(right);
    return b_.emit(opcode_of(node.ops[0]), at, {left, right}, 0, {}, into);
  }
  // a < b < c: b is evaluated once, and c only if a < b.
  uint32_t result = b_.temporary();
  Label end = b_.new_label();
  Operand left = lower_kept(*node.left);
  for (size_t i = 0; i < node.ops.size(); ++i) {
    Operand right = lower_kept(*node.comparators[i]);
    b_.emit(opcode_of(node.ops[i]), at, {left, right}, 0, {}, result);
    release(left);
    left = right;
    if (i + 1 < node.ops.size())
      b_.jump(Opcode::kJumpIfFalse, at, {Operand::in_register(result)}, end);
  }
  release(left);
  b_.place(end);
  Operand value = Operand::in_register(result);
  if (into == kNoRegister) return value;
  release(value);
  return b_.emit(Opcode::kMove, at, {value}, 0, {}, into);
}

Operand FunctionLowering::lower_node(const Conditional& node, Span at, uint32_t into) {
  uint32_t result = b_.temporary();
  Label otherwise = b_.new_label();
  Label end = b_.new_label();
  Span place = at;
  jump_if(*node.condition, false, otherwise, place);
  lower(*node.then, result);
  b_.jump(Opcode::kJump, at, {}, end);
  b_.place(otherwise);
  lower(*node.otherwise, result);
  b_.place(end);
  Operand value = Operand::in_register(result);
  if (into == kNoRegister) return value;
  release(value);
  return b_.emit(Opcode::kMove, at, {value}, 0, {}, into);
}

Span FunctionLowering::place_of_name(const Attribute& node, Span attribute, Span at) {
  if (attribute.end_line == at.line) return at;
  at.line = attribute.end_line;
  at.column = attribute.end_column - static_cast<uint32_t>(node.name.size());
  return at;
}

Operand FunctionLowering::lower_node(const Attribute& node, Span at, uint32_t into) {
  Operand object = lower(node.value);
  release(object);
  return b_.emit(Opcode::kAttribute, place_of_name(node, at, at), {object},
                 b_.name(mangled(node.name)), {}, into);
}

Operand FunctionLowering::lower_node(const Subscript& node, Span at, uint32_t into) {
  warn_of(node, at);
  Operand object = may_rebind(*node.index) ? lower_kept(*node.value) : lower(node.value);
  Operand index = lower(node.index);
  release(object);
  release(index);
  return b_.emit(Opcode::kItem, at, {object, index}, 0, {}, into);
}

Operand FunctionLowering::lower_node(const Slice& node, Span at, uint32_t into) {
  auto part = [&](const ExpressionPtr& each) { return each ? lower(each) : none(); };
  Operand lower_bound = part(node.lower);
  Operand upper = part(node.upper);
  Operand step = part(node.step);
  release({lower_bound, upper, step});
  return b_.emit(Opcode::kSlice, at, {lower_bound, upper, step}, 0, {}, into);
}

Operand FunctionLowering::lower_node(const Starred&, Span at, uint32_t) {
  throw SyntaxErrorException{{SyntaxErrorKind::kSyntax, "can't use starred expression here", at}};
}

Operand FunctionLowering::lower_node(const NamedExpression& node, Span at, uint32_t into) {
  if (into == kNoRegister) {
    if (std::optional<uint32_t> local = local_register(node.name)) {
      Operand value = lower(node.value);
      store_name(node.name, value, at);
      release(value);
      return Operand::in_register(*local);
    }
  }
  Operand value = lower(node.value, into);
  store_name(node.name, value, at);
  return value;
}

// ---- displays ----------------------------------------------------------------------------------

uint32_t FunctionLowering::starred_list(const Expressions& items, Span at) {
  Operand list = b_.emit(Opcode::kList, at, {});
  for (const ExpressionPtr& item : items) {
    const auto* starred = item->get_if<Starred>();
    Operand value = lower(starred ? *starred->value : *item);
    if (starred)
      b_.emit_plain(Opcode::kListExtend, at, {list, value, Operand()});
    else
      b_.emit_plain(Opcode::kListAppend, at, {list, value});
    release(value);
  }
  return list.index();
}

Operand FunctionLowering::display(Opcode opcode, const Expressions& items, Span at, uint32_t into) {
  std::vector<Operand> operands;
  bool rebinds = false;
  for (const ExpressionPtr& item : items) rebinds = rebinds || may_rebind(*item);
  for (const ExpressionPtr& item : items)
    operands.push_back(rebinds ? lower_kept(*item) : lower(item));
  release(operands);
  return b_.emit(opcode, at, {}, 0, operands, into);
}

Operand FunctionLowering::lower_node(const ListDisplay& node, Span at, uint32_t into) {
  if (!has_starred(node.items)) return display(Opcode::kList, node.items, at, into);
  Operand list = Operand::in_register(starred_list(node.items, at));
  if (into == kNoRegister) return list;
  release(list);
  return b_.emit(Opcode::kMove, at, {list}, 0, {}, into);
}

Operand FunctionLowering::lower_node(const TupleDisplay& node, Span at, uint32_t into) {
  if (has_starred(node.items)) {
    Operand list = Operand::in_register(starred_list(node.items, at));
    release(list);
    return b_.emit(Opcode::kListToTuple, at, {list}, 0, {}, into);
  }
  program::ConstantTuple constants;
  for (const ExpressionPtr& item : node.items) {
    std::optional<program::Constant> value = constant_of(*item);
    if (!value) return display(Opcode::kTuple, node.items, at, into);
    constants.items.push_back(std::move(*value));
  }
  return lower_node(Constant{{std::move(constants)}}, at, into);
}

Operand FunctionLowering::lower_node(const SetDisplay& node, Span at, uint32_t into) {
  if (!has_starred(node.items)) return display(Opcode::kSet, node.items, at, into);
  Operand set = b_.emit(Opcode::kSet, at, {});
  for (const ExpressionPtr& item : node.items) {
    const auto* starred = item->get_if<Starred>();
    Operand value = lower(starred ? *starred->value : *item);
    b_.emit_plain(starred ? Opcode::kSetUpdate : Opcode::kSetAdd, at, {set, value});
    release(value);
  }
  if (into == kNoRegister) return set;
  release(set);
  return b_.emit(Opcode::kMove, at, {set}, 0, {}, into);
}

Operand FunctionLowering::lower_node(const DictDisplay& node, Span at, uint32_t into) {
  bool plain = true;
  for (const ExpressionPtr& key : node.keys) plain = plain && key;
  if (plain && node.keys.size() <= 64) {
    std::vector<Operand> operands;
    for (size_t i = 0; i < node.keys.size(); ++i) {
      operands.push_back(lower_kept(*node.keys[i]));
      operands.push_back(lower_kept(*node.values[i]));
    }
    release(operands);
    return b_.emit(Opcode::kDict, at, {}, 0, operands, into);
  }
  Operand dict = b_.emit(Opcode::kDict, at, {});
  for (size_t i = 0; i < node.keys.size(); ++i) {
    if (!node.keys[i]) {
      Operand mapping = lower(node.values[i]);
      b_.emit_plain(Opcode::kDictUpdate, at, {dict, mapping});
      release(mapping);
      continue;
    }
    Operand key = lower_kept(*node.keys[i]);
    Operand value = lower(node.values[i]);
    b_.emit_plain(Opcode::kDictInsert, at, {dict, key, value});
    release(key);
    release(value);
  }
  if (into == kNoRegister) return dict;
  release(dict);
  return b_.emit(Opcode::kMove, at, {dict}, 0, {}, into);
}

// ---- strings -----------------------------------------------------------------------------------

Operand FunctionLowering::lower_node(const FormattedValue& node, Span at, uint32_t into) {
  Operand value = node.spec ? lower_kept(*node.value) : lower(node.value);
  Operand spec = node.spec ? lower(node.spec) : Operand();
  release(value);
  if (node.spec) release(spec);
  return b_.emit(Opcode::kFormat, at, {value, spec}, static_cast<uint32_t>(node.conversion), {},
                 into);
}

Operand FunctionLowering::lower_node(const JoinedString& node, Span at, uint32_t into) {
  if (node.parts.empty()) return lower_node(Constant{{std::string()}}, at, into);
  if (node.parts.size() == 1) return lower(node.parts[0], into);
  return display(Opcode::kJoin, node.parts, at, into);
}

// ---- yield -------------------------------------------------------------------------------------

Operand FunctionLowering::lower_node(const Yield& node, Span at, uint32_t into) {
  Operand value = node.value ? lower(node.value) : none();
  release(value);
  return b_.emit(Opcode::kYield, at, {value}, 0, {}, into);
}

Operand FunctionLowering::lower_node(const YieldFrom& node, Span at, uint32_t into) {
  Operand iterable = lower(node.value);
  release(iterable);
  Operand iterator = b_.emit(Opcode::kIterator, at, {iterable});
  Operand result = b_.emit(Opcode::kYieldFrom, at, {iterator}, 0, {}, into);
  release(iterator);
  return result;
}

// ---- calls -------------------------------------------------------------------------------------

Operand FunctionLowering::lower_node(const Call& node, Span at, uint32_t into) {
  warn_of(node, at);
  const auto* name = node.function->get_if<Name>();
  bool bare_super = name && name->id == "super" && node.arguments.empty() && scope_.is_function() &&
                    scope_.names.contains("__class__") && !b_.code().parameters.empty();
  if (bare_super) {
    Operand cls = load_name("__class__", at);
    Operand self = load_name(b_.code().parameters[0].name, at);
    release(cls);
    release(self);
    return b_.emit(Opcode::kSuper, at, {cls, self}, 0, {}, into);
  }
  bool unpacks = node.arguments.size() > program::kMostKeywords;
  bool rebinds = false;
  for (const Argument& argument : node.arguments) {
    unpacks = unpacks || argument.kind == Argument::Kind::kStar ||
              argument.kind == Argument::Kind::kDoubleStar;
    rebinds = rebinds || may_rebind(*argument.value);
  }
  Operand callee;
  const auto* attribute = node.function->get_if<Attribute>();
  if (attribute && !unpacks) {
    Operand object = lower(attribute->value);
    release(object);
    Span method = node.function->span;
    callee = b_.emit(Opcode::kMethod, place_of_name(*attribute, method, method), {object},
                     b_.name(mangled(attribute->name)));
    at = place_of_name(*attribute, method, at);
  } else {
    callee = rebinds ? lower_kept(*node.function) : lower(node.function);
  }
  if (unpacks) return call_unpacked(node, callee, at, into);
  std::vector<Operand> positional;
  std::vector<std::pair<std::string, Operand>> keywords;
  for (const Argument& argument : node.arguments) {
    Operand value = rebinds ? lower_kept(*argument.value) : lower(argument.value);
    if (argument.kind == Argument::Kind::kKeyword)
      keywords.emplace_back(argument.keyword, value);
    else
      positional.push_back(value);
  }
  release(callee);
  release(positional);
  for (auto& [keyword, value] : keywords) release(value);
  return b_.emit_call(Opcode::kCall, at, {callee}, positional, keywords, 0, into);
}

bool FunctionLowering::is_own(const Argument& argument, program::ParameterKind kind) const {
  const auto* name = argument.value->get_if<Name>();
  if (!name) return false;
  auto is_it = [&](const program::Parameter& parameter) {
    return parameter.kind == kind && parameter.name == mangled(name->id);
  };
  if (std::ranges::none_of(b_.code().parameters, is_it)) return false;
  const NameUse& use = scope_.names.at(mangled(name->id));
  return !use.rebound && use.storage == Storage::kRegister;
}

bool FunctionLowering::hands_on_arguments(const Call& node) const {
  const std::vector<Argument>& given = node.arguments;
  if (given.empty() || given.size() > 2) return false;
  bool by_position =
      given[0].kind == Argument::Kind::kStar && is_own(given[0], program::ParameterKind::kStarArgs);
  bool by_keyword = given.size() == 1 || (given[1].kind == Argument::Kind::kDoubleStar &&
                                          is_own(given[1], program::ParameterKind::kStarKeywords));
  return by_position && by_keyword;
}

Operand FunctionLowering::call_unpacked(const Call& node, Operand callee, Span at, uint32_t into) {
  if (hands_on_arguments(node)) {
    Operand tuple = lower(node.arguments[0].value);
    Operand dict = node.arguments.size() > 1 ? lower(node.arguments[1].value) : Operand();
    release(callee);
    return b_.emit(Opcode::kCallUnpacked, at, {callee, tuple, dict}, 0, {}, into);
  }
  Operand list = b_.emit(Opcode::kList, at, {});
  Operand dict;
  // An iterable that is all there is by position is CPython's tuple of arguments as it stands: the
  // complaint about it is the call's.
  size_t stars = 0;
  size_t positional = 0;
  for (const Argument& argument : node.arguments) {
    stars += argument.kind == Argument::Kind::kStar ? 1 : 0;
    positional += argument.kind == Argument::Kind::kPositional ? 1 : 0;
  }
  bool stands_alone = stars == 1 && positional == 0;
  auto keyword_dict = [&] {
    if (dict.none()) dict = b_.emit(Opcode::kDict, at, {});
    return dict;
  };
  for (const Argument& argument : node.arguments) {
    Operand value = lower(argument.value);
    switch (argument.kind) {
      case Argument::Kind::kPositional:
        b_.emit_plain(Opcode::kListAppend, at, {list, value});
        break;
      case Argument::Kind::kStar:
        b_.emit_plain(Opcode::kListExtend, at, {list, value, stands_alone ? callee : Operand()});
        break;
      case Argument::Kind::kKeyword: {
        Operand single =
            b_.emit(Opcode::kDict, at, {}, 0, {text_constant(argument.keyword), value});
        b_.emit_plain(Opcode::kDictMerge, at, {keyword_dict(), single, callee});
        release(single);
        break;
      }
      case Argument::Kind::kDoubleStar:
        b_.emit_plain(Opcode::kDictMerge, at, {keyword_dict(), value, callee});
        break;
    }
    release(value);
  }
  release(callee);
  release(list);
  if (!dict.none()) release(dict);
  return b_.emit(Opcode::kCallUnpacked, at, {callee, list, dict}, 0, {}, into);
}

// ---- conditions --------------------------------------------------------------------------------

void FunctionLowering::jump_if(const Expression& condition, bool when, Label target, Span& at) {
  if (const auto* unary = condition.get_if<Unary>(); unary && unary->op == UnaryOperator::kNot) {
    return jump_if(*unary->operand, !when, target, at);
  }
  if (const auto* chain = condition.get_if<BoolOperation>()) {
    // `a and b` is false as soon as one is: jumping on false, each part jumps by itself.
    bool each_jumps = chain->is_and != when;
    if (each_jumps) {
      for (const ExpressionPtr& value : chain->values) jump_if(*value, when, target, at);
      return;
    }
    Label skip = b_.new_label();
    for (size_t i = 0; i + 1 < chain->values.size(); ++i)
      jump_if(*chain->values[i], !when, skip, at);
    jump_if(*chain->values.back(), when, target, at);
    b_.place(skip);
    return;
  }
  if (condition.get_if<Compare>()) at = condition.span;
  Operand value = lower(condition);
  release(value);
  b_.jump(when ? Opcode::kJumpIfTrue : Opcode::kJumpIfFalse, at, {value}, target);
}

}  // namespace glint::frontend
