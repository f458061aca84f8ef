// Names and assignment targets: where a name's value is kept decides which instruction reads and
// writes it.

#include "core/support/check.h"
#include "frontend/lower.h"

namespace glint::frontend {

const NameUse& FunctionLowering::use_of(const std::string& name) const {
  auto found = scope_.names.find(name);
  check(found != scope_.names.end(), "a name that the scope pass did not see");
  return found->second;
}

uint32_t FunctionLowering::cell_index(const std::string& name) const {
  for (uint32_t i = 0; i < cell_names_.size(); ++i) {
    if (cell_names_[i] == name) return i;
  }
  fail("a cell that the scope pass did not make");
}

std::optional<uint32_t> FunctionLowering::local_register(const std::string& written) const {
  std::string name = mangled(written);
  if (use_of(name).storage != Storage::kRegister) return std::nullopt;
  return registers_.at(name);
}

Operand FunctionLowering::load_name(const std::string& written, Span at, uint32_t into) {
  std::string name = mangled(written);
  switch (use_of(name).storage) {
    case Storage::kRegister: {
      uint32_t index = registers_.at(name);
      Operand local = Operand::in_register(index);
      b_.emit_plain(Opcode::kCheckBound, at, {local}, index);
      if (into == program::kNoRegister) return local;
      return b_.emit(Opcode::kMove, at, {local}, 0, {}, into);
    }
    case Storage::kCell:
      return b_.emit(Opcode::kCell, at, {}, cell_index(name), {}, into);
    case Storage::kGlobal:
      return b_.emit(Opcode::kGlobal, at, {}, b_.name(name), {}, into);
    case Storage::kName:
      return b_.emit(Opcode::kName, at, {}, b_.name(name), {}, into);
  }
  fail("a storage without a load");
}

void FunctionLowering::store_name(const std::string& written, Operand value, Span at) {
  std::string name = mangled(written);
  switch (use_of(name).storage) {
    case Storage::kRegister:
      if (value == Operand::in_register(registers_.at(name))) return;
      b_.emit(Opcode::kMove, at, {value}, 0, {}, registers_.at(name));
      return;
    case Storage::kCell:
      return b_.emit_plain(Opcode::kSetCell, at, {value}, cell_index(name));
    case Storage::kGlobal:
      return b_.emit_plain(Opcode::kSetGlobal, at, {value}, b_.name(name));
    case Storage::kName:
      return b_.emit_plain(Opcode::kSetName, at, {value}, b_.name(name));
  }
}

void FunctionLowering::delete_name(const std::string& written, Span at) {
  std::string name = mangled(written);
  switch (use_of(name).storage) {
    case Storage::kRegister: {
      uint32_t index = registers_.at(name);
      b_.emit_plain(Opcode::kCheckBound, at, {Operand::in_register(index)}, index);
      b_.emit_plain(Opcode::kDeleteLocal, at, {Operand::in_register(index)}, index);
      return;
    }
    case Storage::kCell:
      return b_.emit_plain(Opcode::kDeleteCell, at, {}, cell_index(name));
    case Storage::kGlobal:
      return b_.emit_plain(Opcode::kDeleteGlobal, at, {}, b_.name(name));
    case Storage::kName:
      return b_.emit_plain(Opcode::kDeleteName, at, {}, b_.name(name));
  }
}

void FunctionLowering::assign(const Expression& target, Operand value) {
  if (const auto* name = target.get_if<Name>()) return store_name(name->id, value, target.span);
  if (const auto* tuple = target.get_if<TupleDisplay>())
    return unpack(tuple->items, value, target.span);
  if (const auto* list = target.get_if<ListDisplay>())
    return unpack(list->items, value, target.span);
  if (const auto* attribute = target.get_if<Attribute>()) {
    Operand object = lower(attribute->value);
    b_.emit_plain(Opcode::kSetAttribute, place_of_name(*attribute, target.span, target.span),
                  {object, value}, b_.name(mangled(attribute->name)));
    return release(object);
  }
  const auto* item = target.get_if<Subscript>();
  check(item != nullptr, "a target that the parser should have refused");
  Operand object = lower_kept(*item->value);
  Operand index = lower(item->index);
  b_.emit_plain(Opcode::kSetItem, target.span, {object, index, value});
  release(object);
  release(index);
}

void FunctionLowering::unpack(const Expressions& targets, Operand value, Span at) {
  std::optional<size_t> star;
  for (size_t i = 0; i < targets.size(); ++i) {
    if (!targets[i]->get_if<Starred>()) continue;
    check(!star, "two stars among targets, which the scope pass should have refused");
    star = i;
  }
  std::vector<Operand> parts;
  for (size_t i = 0; i < targets.size(); ++i) parts.push_back(Operand::in_register(b_.temporary()));
  if (star)
    b_.emit_plain(Opcode::kUnpackStar, at, {value}, static_cast<uint32_t>(*star), parts);
  else
    b_.emit_plain(Opcode::kUnpack, at, {value}, 0, parts);
  for (size_t i = 0; i < targets.size(); ++i) {
    const auto* starred = targets[i]->get_if<Starred>();
    assign(starred ? *starred->value : *targets[i], parts[i]);
    release(parts[i]);
  }
}

void FunctionLowering::delete_target(const Expression& target) {
  if (const auto* name = target.get_if<Name>()) return delete_name(name->id, target.span);
  auto each = [&](const Expressions& items) {
    for (const ExpressionPtr& item : items) delete_target(*item);
  };
  if (const auto* tuple = target.get_if<TupleDisplay>()) return each(tuple->items);
  if (const auto* list = target.get_if<ListDisplay>()) return each(list->items);
  if (const auto* attribute = target.get_if<Attribute>()) {
    Operand object = lower(attribute->value);
    b_.emit_plain(Opcode::kDeleteAttribute, place_of_name(*attribute, target.span, target.span),
                  {object}, b_.name(mangled(attribute->name)));
    return release(object);
  }
  const auto* item = target.get_if<Subscript>();
  check(item != nullptr, "a target that the parser should have refused");
  Operand object = lower_kept(*item->value);
  Operand index = lower(item->index);
  b_.emit_plain(Opcode::kDeleteItem, target.span, {object, index});
  release(object);
  release(index);
}

}  // namespace glint::frontend
