// Simple statements, branches and loops to instructions; see lower_control.cpp for what leaves
// them.

#include "frontend/annotation_text.h"
#include "frontend/lower.h"

namespace glint::frontend {

using program::kNoRegister;

void FunctionLowering::block(const Block& body) {
  for (const auto& each : body) {
    std::visit([&](const auto& node) { visit(node, each->span); }, each->node);
  }
}

void FunctionLowering::visit(const ExpressionStatement& node, Span at) {
  bool echoes = (context_.mode == Mode::kSingle && b_.code().kind == program::CodeKind::kModule) ||
                &node == context_.echoed;
  if (context_.mode == Mode::kExpression && b_.code().kind == program::CodeKind::kModule) {
    Operand value = lower(node.value);
    b_.emit_plain(Opcode::kReturn, at, {value});
    return release(value);
  }
  if (node.value->get_if<Constant>() && !echoes) return;
  Operand value = lower(node.value);
  if (echoes) b_.emit_plain(Opcode::kDisplay, at, {value});
  release(value);
}

void FunctionLowering::visit(const Assign& node, Span) {
  // `x = a + b` computes straight into x.
  const auto* name = node.targets.size() == 1 ? node.targets[0]->get_if<Name>() : nullptr;
  if (name) {
    if (std::optional<uint32_t> local = local_register(name->id)) {
      lower(*node.value, *local);
      return;
    }
  }
  // `a, b = x, y` with two plain values builds no tuple.
  const auto* targets =
      node.targets.size() == 1 ? node.targets[0]->get_if<TupleDisplay>() : nullptr;
  const auto* values = node.value->get_if<TupleDisplay>();
  bool pairwise = targets && values && targets->items.size() == values->items.size();
  for (size_t i = 0; pairwise && i < targets->items.size(); ++i) {
    pairwise = !targets->items[i]->get_if<Starred>() && !values->items[i]->get_if<Starred>();
  }
  if (pairwise) {
    std::vector<Operand> parts;
    for (const ExpressionPtr& value : values->items) parts.push_back(lower_kept(*value));
    for (size_t i = 0; i < parts.size(); ++i) assign(*targets->items[i], parts[i]);
    return release(parts);
  }
  Operand value = node.targets.size() > 1 ? lower_kept(*node.value) : lower(*node.value);
  for (const ExpressionPtr& target : node.targets) assign(*target, value);
  release(value);
}

void FunctionLowering::visit(const AugmentedAssign& node, Span at) {
  auto opcode = static_cast<Opcode>(static_cast<uint8_t>(Opcode::kAddInPlace) +
                                    static_cast<uint8_t>(node.op));
  if (const auto* name = node.target->get_if<Name>()) {
    Operand old = load_name(name->id, node.target->span);
    Operand value = lower(node.value);
    release(old);
    release(value);
    std::optional<uint32_t> local = local_register(name->id);
    Operand result = b_.emit(opcode, at, {old, value}, 0, {}, local.value_or(kNoRegister));
    if (!local) {
      store_name(name->id, result, at);
      release(result);
    }
    return;
  }
  if (const auto* attribute = node.target->get_if<Attribute>()) {
    uint32_t member = b_.name(mangled(attribute->name));
    Operand object = lower_kept(*attribute->value);
    Span place = node.target->span;
    Operand old =
        b_.emit(Opcode::kAttribute, place_of_name(*attribute, place, place), {object}, member);
    Operand value = lower(node.value);
    release(old);
    release(value);
    Operand result = b_.emit(opcode, at, {old, value});
    b_.emit_plain(Opcode::kSetAttribute, place_of_name(*attribute, place, at), {object, result},
                  member);
    release(result);
    return release(object);
  }
  const auto& item = std::get<Subscript>(node.target->node);
  Operand object = lower_kept(*item.value);
  Operand index = lower_kept(*item.index);
  Operand old = b_.emit(Opcode::kItem, node.target->span, {object, index});
  Operand value = lower(node.value);
  release(old);
  release(value);
  Operand result = b_.emit(opcode, at, {old, value});
  b_.emit_plain(Opcode::kSetItem, at, {object, index, result});
  release(result);
  release(object);
  release(index);
}

bool FunctionLowering::has_annotations(const Block& body) const {
  for (const auto& each : body) {
    if (std::holds_alternative<AnnotatedAssign>(each->node)) return true;
    if (const auto* branch = std::get_if<If>(&each->node)) {
      if (has_annotations(branch->then) || has_annotations(branch->otherwise)) return true;
    }
  }
  return false;
}

void FunctionLowering::note_annotation(const std::string& name, const Expression& annotation,
                                       Span at) {
  Operand dict = scope_.kind == ScopeKind::kClass
                     ? b_.emit(Opcode::kName, at, {}, b_.name("__annotations__"))
                     : b_.emit(Opcode::kGlobal, at, {}, b_.name("__annotations__"));
  Operand value = context_.lazy_annotations
                      ? text_constant(annotation_text(context_.text, annotation.span))
                      : lower(annotation);
  b_.emit_plain(Opcode::kSetItem, at, {dict, text_constant(mangled(name)), value});
  release(dict);
  release(value);
}

void FunctionLowering::visit(const AnnotatedAssign& node, Span at) {
  if (node.value) {
    Operand value = lower(node.value);
    assign(*node.target, value);
    release(value);
  }
  const auto* name = node.target->get_if<Name>();
  bool kept = scope_.kind == ScopeKind::kModule || scope_.kind == ScopeKind::kClass;
  if (name && kept && !node.target->parenthesised) note_annotation(name->id, *node.annotation, at);
}

void FunctionLowering::visit(const Raise& node, Span at) {
  if (!node.exception) return b_.emit_plain(Opcode::kReraise, at, {Operand()});
  Operand exception = lower_kept(*node.exception);
  Operand cause = node.cause ? lower(node.cause) : Operand();
  b_.emit_plain(Opcode::kRaise, at, {exception, cause});
  release(exception);
  if (node.cause) release(cause);
}

void FunctionLowering::visit(const Assert& node, Span at) {
  warn_of(node, at);
  Label holds = b_.new_label();
  jump_if(*node.condition, true, holds, at);
  Operand error = b_.emit(Opcode::kGlobal, at, {}, b_.name("AssertionError"));
  if (node.message) {
    Operand message = lower(node.message);
    release(error);
    release(message);
    error = b_.emit_call(Opcode::kCall, at, {error}, {message}, {});
  }
  b_.emit_plain(Opcode::kRaise, at, {error, Operand()});
  release(error);
  b_.place(holds);
}

void FunctionLowering::visit(const Delete& node, Span at) {
  for (const ExpressionPtr& target : node.targets) delete_target(*target);
  // What is deleted goes now, also where the expression of an earlier statement had it.
  for (const uint32_t each : b_.free_temporaries())
    b_.emit(Opcode::kMove, at, {none()}, 0, {}, each);
}

void FunctionLowering::visit(const Import& node, Span at) {
  for (const ImportName& each : node.names) {
    Operand module = b_.emit(Opcode::kImport, at, {}, b_.name(each.name));
    std::string bound = each.as_name;
    if (bound.empty()) {
      bound = each.name.substr(0, each.name.find('.'));
      if (bound != each.name) {
        release(module);
        module = b_.emit(Opcode::kImport, at, {}, b_.name(bound));
      }
    }
    store_name(bound, module, at);
    release(module);
  }
}

void FunctionLowering::visit(const ImportFrom& node, Span at) {
  if (node.level == 0 && node.module == "__future__") return;
  Operand module =
      b_.emit(Opcode::kImport, at, {}, b_.name(std::string(node.level, '.') + node.module));
  if (node.names.empty()) b_.emit_plain(Opcode::kImportStar, at, {module});
  for (const ImportName& each : node.names) {
    Operand value = b_.emit(Opcode::kImportFrom, at, {module}, b_.name(each.name));
    store_name(each.as_name.empty() ? each.name : each.as_name, value, at);
    release(value);
  }
  release(module);
}

// ---- branches and loops ------------------------------------------------------------------------

void FunctionLowering::visit(const If& node, Span at) {
  Label otherwise = b_.new_label();
  Span place = at;
  jump_if(*node.condition, false, otherwise, place);
  block(node.then);
  if (node.otherwise.empty()) return b_.place(otherwise);
  Label end = b_.new_label();
  b_.jump(Opcode::kJump, at, {}, end);
  b_.place(otherwise);
  block(node.otherwise);
  b_.place(end);
}

void FunctionLowering::visit(const While& node, Span at) {
  Label body = b_.new_label();
  Label test = b_.new_label();
  Label otherwise = b_.new_label();
  Label end = b_.new_label();
  // The test stands before the loop and again behind its body: one jump a round.
  Span place = at;
  jump_if(*node.condition, false, otherwise, place);
  b_.place(body);
  enclosing_.push_back({Construct::Kind::kLoop, end, test, {}, {}});
  block(node.body);
  enclosing_.pop_back();
  b_.place(test);
  place = at;
  jump_if(*node.condition, true, body, place);
  b_.place(otherwise);
  block(node.otherwise);
  b_.place(end);
}

void FunctionLowering::visit(const For& node, Span at) {
  Label top = b_.new_label();
  Label otherwise = b_.new_label();
  Label end = b_.new_label();
  Operand iterable = lower(node.iterable);
  release(iterable);
  Operand iterator = b_.emit(Opcode::kIterator, at, {iterable});
  b_.place(top);
  const auto* name = node.target->get_if<Name>();
  std::optional<uint32_t> local = name ? local_register(name->id) : std::nullopt;
  uint32_t item = local ? *local : b_.temporary();
  b_.jump(Opcode::kNext, at, {iterator}, otherwise, item);
  if (!local) {
    assign(*node.target, Operand::in_register(item));
    b_.release(item);
  }
  enclosing_.push_back({Construct::Kind::kLoop, end, top, {}, {}});
  block(node.body);
  enclosing_.pop_back();
  b_.jump(Opcode::kJump, at, {}, top);
  b_.place(otherwise);
  block(node.otherwise);
  b_.place(end);
  release(iterator);
}

}  // namespace glint::frontend
