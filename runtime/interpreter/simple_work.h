// The instructions that never push a frame, one method each.
//
//     Work(in, frame, op).run()      false: it raised
#pragma once

#include "runtime/interpreter/machine.h"

namespace glint::runtime {

/// One instruction at work; each method does one opcode's job and gives false if it raised.
class Work {
 public:
  Work(Interpreter& interpreter, Frame& frame_at, Op& op_at)
      : in(interpreter), frame(frame_at), op(op_at), code(*frame_at.code) {}

  bool run();

  Interpreter& in;
  Frame& frame;
  Op& op;
  FunctionCode& code;

 private:
  const Value& at(int32_t index) const {
    return operand(frame.registers, code.constants.data(), index);
  }
  const Value& a() const { return at(op.a); }
  const Value& b() const { return at(op.b); }
  const Value& c() const { return at(op.c); }
  StrObject* name() const { return code.names[op.immediate].get(); }
  bool put(Value value) {
    if (value.is_undefined()) return false;
    frame.registers[op.result].swap(value);
    return true;
  }
  /// `Machine::op_simple` adds one.
  bool jump() {
    frame.pc = code.code(frame.traced) + op.immediate - 1;
    return true;
  }
  bool fail(std::string_view exception, std::string message) {
    in.raise(exception, std::move(message));
    return false;
  }
  std::vector<Value> tail() const {
    std::vector<Value> values;
    values.reserve(op.tail_count);
    for (size_t i = 0; i < op.tail_count; ++i)
      values.push_back(at(code.operands[op.tail_begin + i]));
    return values;
  }

  struct Table;
  bool global();
  bool undefined_name();
  bool set_global();
  bool delete_global();
  bool name_in_namespace();
  bool set_name();
  bool delete_name();
  bool make_cell();
  bool set_cell();
  bool delete_cell();
  bool delete_local();
  bool check_bound();
  bool unbound(const std::string& variable, bool free);
  bool cell();
  bool delete_attribute_of();
  bool delete_item_of();
  bool slice();
  bool unpack();
  bool unpack_star();
  bool list();
  bool tuple();
  bool list_to_tuple();
  bool set();
  bool add_to_set();
  bool dict();
  bool insert_in_dict();
  bool extend_list();
  bool update_set();
  bool update_dict();
  bool merge_keywords();
  bool format();
  bool join();
  bool function();
  bool super();
  bool match_exception();
  bool end_handler();
  bool import_module();
  bool import_from();
  bool import_star();
  bool match_sequence();
  bool match_mapping();
  bool match_key();
  bool match_class();
  bool display();
};

}  // namespace glint::runtime
