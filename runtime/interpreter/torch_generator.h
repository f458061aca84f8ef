// `torch.Generator`, and what operators do with the one that they are given.
#pragma once

#include <optional>

#include "core/tensor/device.h"
#include "runtime/interpreter/builtins.h"

namespace glint::runtime {

/// Adds `Generator`, `default_generator`, `get_rng_state` and `set_rng_state` to `torch`.
void fill_torch_generators(Interpreter& in, ModuleObject& module);
ClassObject* generator_class(Interpreter& in);
bool is_generator(Interpreter& in, const Value& value);

/// A seed's 64 bits, of an int from -2^63 to 2^64 - 1; none if it raised.
std::optional<uint64_t> seed_bits(Interpreter& in, const Value& seed);
/// A seed as an int, which is not negative.
Value seed_value(uint64_t seed);

/// While it lives, operators draw from `generator`, and on its device only; nothing happens where
/// that is no generator.
class GeneratorScope {
 public:
  GeneratorScope(Interpreter& in, const Value& generator);
  ~GeneratorScope();
  GeneratorScope(const GeneratorScope&) = delete;
  GeneratorScope& operator=(const GeneratorScope&) = delete;

 private:
  Value kept_;
  std::optional<Device> outer_;
};

}  // namespace glint::runtime
