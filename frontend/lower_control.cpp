// Leaving constructs: `return`, `break` and `continue` through `finally` and `with`, and
// exceptions.
//
//     for x in xs:              while the loop is left, the `finally` block runs first: its code is
//         try:                  copied to where the `break` stands, outside the range that the
//             break             handler covers, so that an exception in it is not caught twice
//         finally:
//             f()
//
// Every handler begins with its exception pushed on the frame's stack of handled ones; every way
// out of it either ends in `end_handler` or raises, which cuts the stack by itself.

#include "frontend/lower.h"

namespace glint::frontend {

void FunctionLowering::leave_to(size_t first, const std::function<void()>& emit) {
  std::vector<Construct> left(
      std::make_move_iterator(enclosing_.begin() + static_cast<long>(first)),
      std::make_move_iterator(enclosing_.end()));
  uint32_t depth = handling_depth_;
  // From the innermost out: each construct's code runs outside itself and all inside it.
  for (size_t i = left.size(); i-- > 0;) {
    enclosing_.resize(first + i);
    for (Region* region : left[i].regions) close(*region);
    if (left[i].leave) left[i].leave();
  }
  emit();
  for (Construct& construct : left) {
    for (Region* region : construct.regions) open(*region);
    enclosing_.push_back(std::move(construct));
  }
  handling_depth_ = depth;
}

void FunctionLowering::visit(const Return& node, Span at) {
  Operand value =
      node.value ? (enclosing_.empty() ? lower(node.value) : lower_kept(*node.value)) : none();
  leave_to(0, [&] { b_.emit_plain(Opcode::kReturn, at, {value}); });
  release(value);
}

void FunctionLowering::visit(const Break&, Span at) {
  for (size_t i = enclosing_.size(); i-- > 0;) {
    if (enclosing_[i].kind != Construct::Kind::kLoop) continue;
    Label target = enclosing_[i].break_label;
    return leave_to(i + 1, [&] { b_.jump(Opcode::kJump, at, {}, target); });
  }
}

void FunctionLowering::visit(const Continue&, Span at) {
  for (size_t i = enclosing_.size(); i-- > 0;) {
    if (enclosing_[i].kind != Construct::Kind::kLoop) continue;
    Label target = enclosing_[i].continue_label;
    return leave_to(i + 1, [&] { b_.jump(Opcode::kJump, at, {}, target); });
  }
}

void FunctionLowering::handle(Operand exception, Span at, const std::function<void()>& body) {
  ++handling_depth_;
  enclosing_.push_back({Construct::Kind::kCleanup,
                        {},
                        {},
                        [&, exception] {
                          b_.emit_plain(Opcode::kEndHandler, at, {exception});
                          --handling_depth_;
                        },
                        {}});
  body();
  enclosing_.pop_back();
  --handling_depth_;
  b_.emit_plain(Opcode::kReraise, at, {exception});
}

void FunctionLowering::try_finally(const std::function<void()>& body,
                                   const std::function<void()>& finally, Span at) {
  Region region{b_.new_label(), b_.temporary(), handling_depth_, 0, {}};
  Label end = b_.new_label();
  enclosing_.push_back({Construct::Kind::kCleanup, {}, {}, finally, {&region}});
  open(region);
  body();
  close(region);
  enclosing_.pop_back();
  finally();
  b_.jump(Opcode::kJump, at, {}, end);
  b_.place(region.target);
  Operand exception = Operand::in_register(region.exception);
  handle(exception, at, finally);
  add(region);
  b_.release(region.exception);
  b_.place(end);
}

void FunctionLowering::visit(const Try& node, Span at) {
  if (node.finally.empty()) return try_except(node, at);
  try_finally(
      [&] {
        if (node.handlers.empty())
          block(node.body);
        else
          try_except(node, at);
      },
      [&] { block(node.finally); }, at);
}

void FunctionLowering::try_except(const Try& node, Span at) {
  Region region{b_.new_label(), b_.temporary(), handling_depth_, 0, {}};
  Label end = b_.new_label();
  enclosing_.push_back({Construct::Kind::kCleanup, {}, {}, {}, {&region}});
  open(region);
  block(node.body);
  close(region);
  enclosing_.pop_back();
  block(node.otherwise);
  b_.jump(Opcode::kJump, at, {}, end);
  // The rows of the body come before those of anything around it, and behind those inside it.
  add(region);
  b_.place(region.target);
  Operand exception = Operand::in_register(region.exception);
  handle(exception, at, [&] {
    for (const ExceptClause& clause : node.handlers)
      except_clause(clause, region.exception, end, at);
  });
  b_.release(region.exception);
  b_.place(end);
}

void FunctionLowering::except_clause(const ExceptClause& clause, uint32_t exception, Label next,
                                     Span at) {
  Operand caught = Operand::in_register(exception);
  Label no_match = b_.new_label();
  if (clause.type) {
    Operand type = lower(clause.type);
    release(type);
    Operand matches = b_.emit(Opcode::kMatchException, clause.span, {caught, type});
    b_.jump(Opcode::kJumpIfFalse, clause.span, {matches}, no_match);
    release(matches);
  }
  auto finish = [&] {
    b_.emit_plain(Opcode::kEndHandler, at, {caught});
    b_.jump(Opcode::kJump, at, {}, next);
  };
  if (clause.name.empty()) {
    block(clause.body);
    finish();
    return b_.place(no_match);
  }
  store_name(clause.name, caught, clause.span);
  // Whatever way the clause ends, the name is unbound: first bound, as the body may have deleted
  // it.
  auto forget = [&] {
    store_name(clause.name, none(), clause.span);
    delete_name(clause.name, clause.span);
  };
  try_finally([&] { block(clause.body); }, forget, clause.span);
  finish();
  b_.place(no_match);
}

void FunctionLowering::visit(const With& node, Span at) {
  with_item(node, 0, at);
}

void FunctionLowering::with_item(const With& node, size_t item, Span at) {
  if (item == node.items.size()) return block(node.body);
  const WithItem& entry = node.items[item];
  Operand context = lower(entry.context);
  Operand exit = Operand::in_register(b_.temporary());
  Operand value = b_.emit(Opcode::kEnterContext, at, {context}, 0, {exit});
  release(context);
  Region region{b_.new_label(), b_.temporary(), handling_depth_, 0, {}};
  Label end = b_.new_label();
  auto leave = [&, at, exit] {
    Operand ignored = b_.emit(Opcode::kExitContext, at, {exit, Operand()});
    release(ignored);
  };
  enclosing_.push_back({Construct::Kind::kCleanup, {}, {}, leave, {&region}});
  open(region);
  if (entry.target) assign(*entry.target, value);
  release(value);
  with_item(node, item + 1, at);
  close(region);
  enclosing_.pop_back();
  leave();
  b_.jump(Opcode::kJump, at, {}, end);
  add(region);
  b_.place(region.target);
  Operand exception = Operand::in_register(region.exception);
  Operand suppressed = b_.emit(Opcode::kExitContext, at, {exit, exception});
  Label swallowed = b_.new_label();
  b_.jump(Opcode::kJumpIfTrue, at, {suppressed}, swallowed);
  release(suppressed);
  b_.emit_plain(Opcode::kReraise, at, {exception});
  b_.place(swallowed);
  b_.emit_plain(Opcode::kEndHandler, at, {exception});
  b_.release(region.exception);
  release(exit);
  b_.place(end);
}

}  // namespace glint::frontend
