// Generators: frames that wait on the heap.
//
// Resuming links the generator's frame on top of its receiver's; `yield` unlinks it and hands the
// value to the receiver: the `next` instruction of a loop, a `yield from` (whose own frame then
// yields on), a native that asked for the next item, or C++.
#include "runtime/interpreter/machine.h"

namespace glint::runtime {

using program::Opcode;

void Machine::link(Interpreter& in, GeneratorObject& generator, Receiver receiver) {
  Frame* frame = generator.frame;
  bool traced = in.tracer_ != nullptr;
  if (frame->traced != traced) {
    size_t index = frame_index(*frame);
    frame->traced = traced;
    frame->pc = frame->code->code(traced) + index;
  }
  frame->caller = in.frame_;
  frame->depth = in.frame_ ? in.frame_->depth + 1 : 1;
  frame->then = receiver.then;
  frame->result_register = receiver.result_register;
  frame->handled_base = static_cast<uint32_t>(in.handled_.size());
  frame->generator = &generator;
  generator.retain();
  generator.state = GeneratorObject::State::kRunning;
  in.frame_ = frame;
  if (in.tracer_) in.tracer_->pushed(*frame);
}

Frame* Machine::resume(Interpreter& in, GeneratorObject& generator, Value sent, Receiver receiver) {
  using State = GeneratorObject::State;
  if (generator.state == State::kRunning) {
    in.raise("ValueError", "generator already executing");
    return unwind(in);
  }
  if (generator.state == State::kFinished) {
    return generator_ended(in, receiver, Value::none());
  }
  Frame* frame = generator.frame;
  uint32_t depth = in.frame_ ? in.frame_->depth + 1 : 1;
  if (depth > in.recursion_limit_) {
    in.raise("RecursionError", "maximum recursion depth exceeded");
    return unwind(in);
  }
  if (generator.state == State::kCreated && !sent.is_none()) {
    in.raise("TypeError", "can't send non-None value to a just-started generator");
    return unwind(in);
  }
  State before = generator.state;
  link(in, generator, receiver);
  if (before == State::kCreated) return frame;
  if (frame->pc->opcode == Opcode::kYieldFrom) {
    in.sent_ = std::move(sent);
    return frame;  // the instruction runs again and passes it on
  }
  return store(*frame, *frame->pc, std::move(sent));
}

/// Unlinks a running generator's frame.
static Receiver suspend(Interpreter& in, Frame& frame, std::vector<Value>& handled) {
  Receiver receiver{frame.caller, frame.then, frame.result_register};
  if (handled.size() > frame.handled_base) handled.resize(frame.handled_base);
  GeneratorObject* generator = frame.generator;
  generator->state = GeneratorObject::State::kSuspended;
  frame.caller = nullptr;
  frame.generator = nullptr;
  generator->release();
  return receiver;
}

Frame* Machine::hand_out(Interpreter& in, Frame& generator_frame, Value value) {
  Frame* frame = &generator_frame;
  for (;;) {
    in.frame_ = frame->caller;
    Receiver receiver = suspend(in, *frame, in.handled_);
    bool delegates = receiver.frame && receiver.then == Continuation::kGenerator &&
                     receiver.frame->code && receiver.frame->pc->opcode == Opcode::kYieldFrom;
    if (!delegates) {
      if (receiver.then == Continuation::kGenerator) receiver.then = Continuation::kStore;
      return deliver(in, receiver, std::move(value));
    }
    frame = receiver.frame;
  }
}

Frame* Machine::op_yield(Interpreter& in, Frame& frame, Op& op) {
  Value value = operand(frame.registers, frame.code->constants.data(), op.a);
  return hand_out(in, frame, std::move(value));
}

Frame* Machine::op_yield_from(Interpreter& in, Frame& frame, Op& op) {
  Value sent = in.sent_.defined() ? std::move(in.sent_) : Value::none();
  in.sent_ = Value();
  const Value& inner = operand(frame.registers, frame.code->constants.data(), op.a);
  if (auto* generator = inner.try_as<GeneratorObject>()) {
    return resume(in, *generator, std::move(sent),
                  {&frame, Continuation::kGenerator, static_cast<uint32_t>(op.result)});
  }
  Value item;
  if (sent.is_none()) {
    item = next_item(in, inner);
  } else {
    item = in.call_method(inner, "send", {sent});
  }
  if (item.defined()) return hand_out(in, frame, std::move(item));
  if (in.raised() && !in.pending_is("StopIteration")) return unwind(in);
  Value result = std::move(in.stop_value_);
  if (in.raised()) {
    Ref<ExceptionObject> stop = in.take_pending();
    result = stop->args->items.empty() ? Value::none() : stop->args->items[0];
  }
  if (result.is_undefined()) result = Value::none();
  return store(frame, op, std::move(result));
}

Frame* Machine::generator_ended(Interpreter& in, Receiver receiver, Value value) {
  if (receiver.then == Continuation::kExit) {
    in.stop_value_ = std::move(value);
    in.result_ = Value();
    in.run_end_ = RunEnd::kReturned;
    return nullptr;
  }
  Frame& frame = *receiver.frame;
  if (receiver.then == Continuation::kNative) {
    in.stop_value_ = std::move(value);
    return drive(in, frame, Value());
  }
  if (frame.pc->opcode == Opcode::kNext) return jump(frame, frame.pc->immediate);
  return store(frame, *frame.pc, std::move(value));  // yield from
}

Value Machine::resume_nested(Interpreter& in, GeneratorObject& generator, Value sent) {
  in.stop_value_ = Value();
  if (generator.state == GeneratorObject::State::kFinished) {
    in.stop_value_ = Value::none();
    return Value();
  }
  Frame* outer = in.frame_;
  Frame* frame = nullptr;
  {
    // A failure to resume must not unwind the frames of the loop outside.
    using State = GeneratorObject::State;
    if (generator.state == State::kRunning) {
      return in.raise("ValueError", "generator already executing");
    }
    if (generator.state == State::kCreated && !sent.is_none()) {
      return in.raise("TypeError", "can't send non-None value to a just-started generator");
    }
    if (outer && outer->depth + 1 > in.recursion_limit_) {
      return in.raise("RecursionError", "maximum recursion depth exceeded");
    }
  }
  frame = resume(in, generator, std::move(sent), {outer, Continuation::kExit, 0});
  return nested_result(in, run(in, frame), generator.frame);
}

void GeneratorObject::destroy() {
  bool unfinished = state == State::kSuspended && !frame->code->program->handlers.empty();
  if (unfinished && Interpreter::alive()) {
    retain();
    Machine::close_quietly(Interpreter::current(), *this);
    free_frame();
    if (--refs_ > 0) return;
  }
  Container::destroy();
}

void Machine::close_quietly(Interpreter& in, GeneratorObject& generator) {
  Value pending = std::move(in.pending_), stop = std::move(in.stop_value_);
  bool reraising = in.reraising_;
  in.pending_ = Value();
  throw_into(in, generator, in.new_exception_object("GeneratorExit", ""));
  in.pending_ = std::move(pending);
  in.stop_value_ = std::move(stop);
  in.reraising_ = reraising;
}

Value Machine::throw_into(Interpreter& in, GeneratorObject& generator,
                          Ref<ExceptionObject> exception) {
  using State = GeneratorObject::State;
  in.stop_value_ = Value();
  if (generator.state == State::kRunning) {
    return in.raise("ValueError", "generator already executing");
  }
  if (generator.state != State::kSuspended) {
    generator.free_frame();
    return in.raise(std::move(exception));
  }
  Frame* frame = generator.frame;
  if (frame->pc->opcode == Opcode::kYieldFrom) {
    const Value& inner = operand(frame->registers, frame->code->constants.data(), frame->pc->a);
    if (auto* delegate = inner.try_as<GeneratorObject>()) {
      Ref<GeneratorObject> held(delegate);
      generator.state = State::kRunning;
      Value item = throw_into(in, *delegate, exception);
      generator.state = State::kSuspended;
      if (item.defined()) return item;
      if (!in.raised()) {  // it ended: its value is that of `yield from`
        Value ended = std::move(in.stop_value_);
        link(in, generator, {in.frame_, Continuation::kExit, 0});
        store(*frame, *frame->pc, ended.is_undefined() ? Value::none() : std::move(ended));
        return nested_result(in, run(in, frame), frame);
      }
      exception = in.take_pending();
    }
  }
  link(in, generator, {in.frame_, Continuation::kExit, 0});
  in.raise(std::move(exception));
  Frame* next = unwind(in);
  RunEnd end = next ? run(in, next) : in.run_end_;
  if (end == RunEnd::kReturned && in.raised()) return Value();
  return nested_result(in, end, frame);
}

}  // namespace glint::runtime
