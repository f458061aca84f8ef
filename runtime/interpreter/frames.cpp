// Frames on their stack and on the heap.
#include "runtime/interpreter/frame.h"

#include <sys/mman.h>

#include <cstdlib>
#include <new>

#include "runtime/interpreter/machine.h"

namespace glint::runtime {

uint32_t Frame::register_count() const {
  return code ? code->program->register_count : 0;
}
const program::Code& Frame::program() const {
  return *code->program;
}
uint32_t Frame::position() const {
  return code ? static_cast<uint32_t>(Machine::frame_index(*this)) : 0;
}

static void lay_out(Frame* frame, FunctionCode& code) {
  frame->code = &code;
  frame->registers = reinterpret_cast<Value*>(frame + 1);
  std::memset(static_cast<void*>(frame->registers), 0, code.frame_bytes - sizeof(Frame));
  frame->cells = reinterpret_cast<Ref<CellObject>*>(frame->registers + code.register_count);
}

Frame* Machine::push(Interpreter& in, FunctionCode& code, FunctionObject* function,
                     DictObject* globals, Receiver receiver) {
  uint32_t depth = in.frame_ ? in.frame_->depth + 1 : 1;
  size_t space = static_cast<size_t>(in.stack_end_ - in.stack_top_);
  if (depth > in.recursion_limit_ || space < code.frame_bytes) {
    in.raise("RecursionError", "maximum recursion depth exceeded");
    return nullptr;
  }
  auto* frame = new (in.stack_top_) Frame();
  in.stack_top_ += code.frame_bytes;
  lay_out(frame, code);
  frame->traced = in.tracer_ != nullptr;
  frame->pc = code.code(frame->traced);
  frame->caller = in.frame_;
  frame->function = function;
  if (function) function->retain();
  frame->globals = globals;
  if (!function) globals->retain();
  frame->result_register = receiver.result_register;
  frame->then = receiver.then;
  frame->handled_base = static_cast<uint32_t>(in.handled_.size());
  frame->depth = depth;
  if (function && code.cell_count > code.own_cells) fill_free_cells(*frame, *function);
  in.frame_ = frame;
  return frame;
}

void Machine::fill_free_cells(Frame& frame, FunctionObject& function) {
  for (size_t i = 0; i < function.closure.size(); ++i) {
    frame.cells[frame.code->own_cells + i] = function.closure[i];
  }
}

Frame* Machine::push_native(Interpreter& in, std::unique_ptr<Resumable> state, Receiver receiver) {
  uint32_t depth = in.frame_ ? in.frame_->depth + 1 : 1;
  size_t space = static_cast<size_t>(in.stack_end_ - in.stack_top_);
  if (depth > in.recursion_limit_ || space < sizeof(Frame)) {
    in.raise("RecursionError", "maximum recursion depth exceeded");
    return nullptr;
  }
  auto* frame = new (in.stack_top_) Frame();
  in.stack_top_ += sizeof(Frame);
  frame->caller = in.frame_;
  frame->resumable = std::move(state);
  frame->result_register = receiver.result_register;
  frame->then = receiver.then;
  frame->handled_base = static_cast<uint32_t>(in.handled_.size());
  frame->depth = depth;
  in.frame_ = frame;
  return frame;
}

void Machine::release_registers(Frame& frame) {
  if (!frame.code) return;
  Value* registers = frame.registers;
  for (uint32_t i = 0; i < frame.code->register_count; ++i) registers[i].~Value();
  for (uint32_t i = 0; i < frame.code->cell_count; ++i) frame.cells[i].~Ref<CellObject>();
}

void Machine::destroy_frame(Frame* frame) {
  release_registers(*frame);
  if (frame->function) {
    if (!frame->borrows_function) frame->function->release();
  } else if (frame->globals) {
    frame->globals->release();
  }
  frame->~Frame();
}

void Machine::pop(Interpreter& in, Frame* frame) {
  in.frame_ = frame->caller;
  if (in.handled_.size() > frame->handled_base) in.handled_.resize(frame->handled_base);
  if (GeneratorObject* generator = frame->generator) {
    generator->state = GeneratorObject::State::kFinished;
    generator->free_frame();
    generator->release();  // the reference of its running
    return;
  }
  // The registers go while the memory is still taken: a destructor may run script code.
  destroy_frame(frame);
  in.stack_top_ = reinterpret_cast<char*>(frame);
}

Frame* Machine::generator_frame(Interpreter& in, Frame* frame) {
  size_t bytes = frame->code->frame_bytes;
  void* memory = std::malloc(bytes);
  if (!memory) throw std::bad_alloc();
  auto* copy = new (memory) Frame();
  copy->code = frame->code;
  copy->registers = reinterpret_cast<Value*>(copy + 1);
  copy->cells = reinterpret_cast<Ref<CellObject>*>(copy->registers + copy->code->register_count);
  std::memcpy(static_cast<void*>(copy->registers), static_cast<void*>(frame->registers),
              bytes - sizeof(Frame));
  copy->pc = frame->pc;
  copy->traced = frame->traced;
  copy->function = frame->function;
  copy->globals = frame->globals;
  copy->owned = std::move(frame->owned);
  in.frame_ = frame->caller;
  frame->~Frame();
  in.stack_top_ = reinterpret_cast<char*>(frame);
  return copy;
}

void GeneratorObject::free_frame() {
  if (Frame* dead = std::exchange(frame, nullptr)) {
    Machine::destroy_frame(dead);
    std::free(dead);
  }
  state = State::kFinished;
}

void GeneratorObject::traverse(Visitor& visit) {
  if (!frame || state == State::kRunning) return;
  for (uint32_t i = 0; i < frame->code->register_count; ++i) visit(frame->registers[i]);
  for (uint32_t i = 0; i < frame->code->cell_count; ++i) visit(frame->cells[i]);
  visit(frame->owned);
  if (frame->function) {
    visit.visit(frame->function);
  } else if (frame->globals) {
    visit.visit(frame->globals);
  }
}

}  // namespace glint::runtime
