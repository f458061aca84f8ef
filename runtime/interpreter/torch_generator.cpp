// `torch.Generator`: random numbers with a state of their own, and the state of all others.
//
//     g = torch.Generator().manual_seed(42)
//     torch.randn(3, generator=g)             draws from g; the default generator stays as it was
//
// Operators draw from the default generator. A call with `generator=` exchanges the states of both
// for as long as it runs.
#include "runtime/interpreter/torch_generator.h"

#include <cstring>
#include <ctime>
#include <utility>

#include "core/tensor/generator.h"
#include "runtime/interpreter/torch_values.h"

namespace glint::runtime {
namespace {

struct RandomStateObject final : NativeDataObject {
  /// Of `torch.default_generator`, unused: its state is the default one.
  Generator own;
  bool is_default = false;
  explicit RandomStateObject(ClassObject* of) : NativeDataObject(of) {}
  Generator& generator() { return is_default ? default_generator() : own; }
};

Generator& generator_of(NativeCall& call) {
  return static_cast<RandomStateObject*>(call[0].object())->generator();
}

Value construct_generator(NativeCall& call) {
  Device device;
  if (given_not_none(call[0]) && !device_of(call.interpreter, call[0], device)) return Value();
  return Value(make_ref<RandomStateObject>(generator_class(call.interpreter)));
}

Value generator_manual_seed(NativeCall& call) {
  int64_t seed = 0;
  if (!int_argument(call, 1, seed)) return Value();
  generator_of(call).seed(static_cast<uint64_t>(seed));
  return call[0];
}
Value generator_initial_seed(NativeCall& call) {
  return int_value(static_cast<int64_t>(generator_of(call).initial_seed()));
}
Value generator_seed(NativeCall& call) {
  generator_of(call).seed(static_cast<uint64_t>(std::time(nullptr)));
  return generator_initial_seed(call);
}
Value generator_device(NativeCall& call) {
  return device_value(Device::cpu());
}

/// The state as bytes, to be given back to `set_state` and otherwise opaque.
Tensor state_of(const Generator& generator) {
  Tensor state = Tensor::empty({static_cast<int64_t>(sizeof(Generator))}, DType::kUInt8);
  std::memcpy(state.raw_data(), static_cast<const void*>(&generator), sizeof(Generator));
  return state;
}
bool put_state(NativeCall& call, Generator& generator, const Value& value) {
  if (!is_tensor(value) || tensor_of(value).dtype() != DType::kUInt8) {
    call.raise("TypeError", "expected a torch.ByteTensor");
    return false;
  }
  Tensor state = tensor_of(value);
  if (!call.interpreter.demand_value(state)) return false;
  if (!state.is_contiguous() || state.bytes() != sizeof(Generator)) {
    call.raise("RuntimeError", "RNG state is wrong size");
    return false;
  }
  std::memcpy(static_cast<void*>(&generator), state.raw_data(), sizeof(Generator));
  return true;
}
static_assert(std::is_trivially_copyable_v<Generator>);

Value generator_get_state(NativeCall& call) {
  return value_of(state_of(generator_of(call)));
}
Value generator_set_state(NativeCall& call) {
  return put_state(call, generator_of(call), call[1]) ? call[0] : Value();
}
Value torch_get_rng_state(NativeCall& call) {
  return value_of(state_of(default_generator()));
}
Value torch_set_rng_state(NativeCall& call) {
  return put_state(call, default_generator(), call[0]) ? Value::none() : Value();
}

constexpr NativeDefinition kMethods[] = {
    {"manual_seed(self, seed)", generator_manual_seed, kImpure, "starts the random numbers"},
    {"initial_seed(self)", generator_initial_seed, kImpure, "the seed in use"},
    {"seed(self)", generator_seed, kImpure, "starts the random numbers anew"},
    {"get_state(self)", generator_get_state, kImpure, "the state, as a tensor of bytes"},
    {"set_state(self, new_state)", generator_set_state, kImpure, "goes back to a state"},
};
constexpr NativeDefinition kFunctions[] = {
    {"get_rng_state()", torch_get_rng_state, kImpure, "the state of the default generator"},
    {"set_rng_state(new_state)", torch_set_rng_state, kImpure, "goes back to a state"},
};
constexpr NativeDefinition kDeviceProperty = {"device(self)", generator_device, kPure,
                                              "where it draws"};

}  // namespace

ClassObject* generator_class(Interpreter& in) {
  const std::string key = "torch._C.Generator";
  if (Value* found = in.modules().find(key)) return found->as<ClassObject>();
  Ref<ClassObject> made =
      in.new_class("Generator", in.classes().object, kNativeDataKind, "torch._C");
  in.add_methods(*made, kMethods);
  in.add_property(*made, kDeviceProperty);
  set_constructor(*made, {"Generator(device=None)", construct_generator, kImpure,
                          "random numbers with a state of their own"});
  in.modules().set(key, Value(made));
  return made.get();
}

void fill_torch_generators(Interpreter& in, ModuleObject& module) {
  ClassObject* cls = generator_class(in);
  auto standard = make_ref<RandomStateObject>(cls);
  standard->is_default = true;
  module.dict->set("Generator", Value(Ref<ClassObject>(cls)));
  module.dict->set("default_generator", Value(standard));
  in.add_functions(module, kFunctions);
}

GeneratorScope::GeneratorScope(Interpreter& in, const Value& generator) {
  auto* object = generator.try_as<NativeDataObject>();
  if (!object || object->cls.get() != generator_class(in)) return;
  auto* given = static_cast<RandomStateObject*>(object);
  if (given->is_default) return;
  kept_ = generator;
  std::swap(given->own, default_generator());
}

GeneratorScope::~GeneratorScope() {
  if (kept_.defined())
    std::swap(static_cast<RandomStateObject*>(kept_.object())->own, default_generator());
}

bool is_generator(Interpreter& in, const Value& value) {
  auto* object = value.try_as<NativeDataObject>();
  return object && object->cls.get() == generator_class(in);
}

}  // namespace glint::runtime
