// `torch.Generator`: random numbers with a state of their own, and the state of all others.
//
//     g = torch.Generator().manual_seed(42)
//     torch.randn(3, generator=g)             draws from g; the default generator stays as it was
//     torch.Generator(device="cuda")          for tensors of a GPU: a seed and an offset
//
// Operators draw from the default generator. A call with `generator=` exchanges the states of both
// for as long as it runs.
#include "runtime/interpreter/torch_generator.h"

#include <cstring>
#include <ctime>
#include <utility>

#include "core/tensor/generator.h"
#include "ops/random.h"
#include "runtime/interpreter/big_ints.h"
#include "runtime/interpreter/number_objects.h"
#include "runtime/interpreter/torch_values.h"

namespace glint::runtime {

std::optional<uint64_t> seed_bits(Interpreter& in, const Value& given) {
  const Value& seed = number_in(given);
  int64_t small = 0;
  if (!is_big_int(seed))
    return index_of(in, seed, small) ? std::optional(static_cast<uint64_t>(small)) : std::nullopt;
  const std::optional<std::string> bytes = big_of(seed).to_bytes(sizeof(uint64_t), false);
  uint64_t bits = 0;
  if (bytes) return std::memcpy(&bits, bytes->data(), sizeof bits), bits;
  in.raise("ValueError", "Overflow when unpacking long long");
  return std::nullopt;
}
Value seed_value(uint64_t seed) {
  return int_of(BigInt::of_bytes({reinterpret_cast<const char*>(&seed), sizeof seed}, false));
}

namespace {

struct RandomStateObject final : NativeDataObject {
  /// Of `torch.default_generator`, unused: its state is the default one.
  Generator own;
  bool is_default = false;
  Device device;
  explicit RandomStateObject(ClassObject* of) : NativeDataObject(of) {}
  Generator& generator() { return is_default ? default_generator() : own; }
  DeviceGenerator& far() { return generator().on_device; }
  bool is_far() const { return !device.is_cpu(); }
};

RandomStateObject& state_object(NativeCall& call) {
  return *static_cast<RandomStateObject*>(call[0].object());
}

Value construct_generator(NativeCall& call) {
  Device device;
  if (given_not_none(call[0]) && !device_of(call.interpreter, call[0], device)) return Value();
  auto made = make_ref<RandomStateObject>(generator_class(call.interpreter));
  made->device = device.is_cpu() ? device : Device::cuda();
  return Value(std::move(made));
}

void put_seed(RandomStateObject& object, uint64_t seed) {
  if (object.is_far())
    object.far() = {seed};
  else
    object.generator().seed(seed);
}

Value generator_manual_seed(NativeCall& call) {
  std::optional<uint64_t> seed = seed_bits(call.interpreter, call[1]);
  if (!seed) return Value();
  put_seed(state_object(call), *seed);
  return call[0];
}
Value generator_initial_seed(NativeCall& call) {
  RandomStateObject& object = state_object(call);
  return seed_value(object.is_far() ? object.far().seed : object.generator().initial_seed());
}
Value generator_seed(NativeCall& call) {
  put_seed(state_object(call), static_cast<uint64_t>(std::time(nullptr)));
  return generator_initial_seed(call);
}
Value generator_device(NativeCall& call) {
  return device_value(state_object(call).device);
}

Value refuse_offset(NativeCall& call) {
  return call.raise("RuntimeError", "CPU Generator does not use offset");
}
Value refuse_loose_offset(NativeCall& call) {
  return call.raise("RuntimeError", "offset must be a multiple of 4");
}
Value generator_get_offset(NativeCall& call) {
  RandomStateObject& object = state_object(call);
  return object.is_far() ? int_value(static_cast<int64_t>(object.far().offset))
                         : refuse_offset(call);
}
Value generator_set_offset(NativeCall& call) {
  int64_t offset = 0;
  if (!int_argument(call, 1, offset)) return Value();
  RandomStateObject& object = state_object(call);
  if (!object.is_far()) return refuse_offset(call);
  if (offset % 4 != 0) return refuse_loose_offset(call);
  object.far().offset = static_cast<uint64_t>(offset);
  return call[0];
}

/// The state as bytes, to be given back to `set_state` and otherwise opaque.
template <class State>
Tensor state_of(const State& state) {
  static_assert(std::is_trivially_copyable_v<State>);
  Tensor bytes = Tensor::empty({static_cast<int64_t>(sizeof(State))}, DType::kUInt8);
  std::memcpy(bytes.raw_data(), static_cast<const void*>(&state), sizeof(State));
  return bytes;
}
template <class State>
bool read_state(NativeCall& call, const Value& value, State& state) {
  if (!is_tensor(value) || tensor_of(value).dtype() != DType::kUInt8) {
    call.raise("TypeError", "expected a torch.ByteTensor");
    return false;
  }
  Tensor bytes = tensor_of(value);
  if (!call.interpreter.demand_value(bytes)) return false;
  if (!bytes.device().is_cpu()) {
    call.raise("TypeError", "RNG state must be a torch.ByteTensor");
    return false;
  }
  if (!bytes.is_contiguous() || bytes.bytes() != sizeof(State)) {
    call.raise("RuntimeError", "RNG state is wrong size");
    return false;
  }
  std::memcpy(static_cast<void*>(&state), bytes.raw_data(), sizeof(State));
  return true;
}
/// That of a GPU stays as it is.
bool put_state(NativeCall& call, Generator& generator, const Value& value) {
  const DeviceGenerator kept = generator.on_device;
  const bool done = read_state(call, value, generator);
  generator.on_device = kept;
  return done;
}
bool put_state(NativeCall& call, DeviceGenerator& generator, const Value& value) {
  DeviceGenerator given = generator;
  if (!read_state(call, value, given)) return false;
  if (given.offset % 4 != 0) return refuse_loose_offset(call), false;
  generator = given;
  return true;
}

Value generator_get_state(NativeCall& call) {
  RandomStateObject& object = state_object(call);
  return value_of(object.is_far() ? state_of(object.far()) : state_of(object.generator()));
}
Value generator_set_state(NativeCall& call) {
  RandomStateObject& object = state_object(call);
  const bool done = object.is_far() ? put_state(call, object.far(), call[1])
                                    : put_state(call, object.generator(), call[1]);
  return done ? call[0] : Value();
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
    {"get_offset(self)", generator_get_offset, kImpure, "how far the seed was used, on a GPU"},
    {"set_offset(self, offset)", generator_set_offset, kImpure, "goes there, on a GPU"},
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
  auto far = make_ref<RandomStateObject>(cls);
  far->is_default = true;
  far->device = Device::cuda();
  module.dict->set("_default_cuda_generator", Value(far));
  in.add_functions(module, kFunctions);
}

namespace {
void exchange(RandomStateObject& given) {
  if (given.is_default) return;
  if (given.is_far())
    std::swap(given.own.on_device, default_generator().on_device);
  else
    std::swap(given.own, default_generator());
}
}  // namespace

GeneratorScope::GeneratorScope(Interpreter& in, const Value& generator) {
  if (!is_generator(in, generator)) return;
  auto* given = static_cast<RandomStateObject*>(generator.object());
  kept_ = generator;
  outer_ = std::exchange(ops::given_generator, given->device);
  exchange(*given);
}

GeneratorScope::~GeneratorScope() {
  if (!kept_.defined()) return;
  ops::given_generator = outer_;
  exchange(*static_cast<RandomStateObject*>(kept_.object()));
}

bool is_generator(Interpreter& in, const Value& value) {
  auto* object = value.try_as<NativeDataObject>();
  return object && object->cls.get() == generator_class(in);
}

}  // namespace glint::runtime
