// `_numpy_random`: NumPy's sources of random bits and what is drawn from them (core/random), for
// library/numpy/random.
//
//     source = _numpy_random.Source("PCG64")
//     source.seed([42])
//     stream = _numpy_random.Stream(source, False)      as a `Generator`; True: as a `RandomState`
//     stream.draw("normal", (2, 3), (0.0, 1.0))         a tensor
//     stream.draw("normal", None, (0.0, 1.0))           a float
//
// Where a parameter is a tensor, it is contiguous, of float64 (int64 for `integers`), and has as
// many elements as the result.
#include <algorithm>
#include <functional>
#include <random>

#include "runtime/interpreter/modules_library.h"
#include "runtime/interpreter/number_objects.h"
#include "runtime/interpreter/numpy_random_arguments.h"

namespace glint::runtime {
namespace {

random::BitSource& bits_of(NativeCall& call) {
  return *static_cast<SourceObject*>(call[0].object())->bits;
}
Value make_source(NativeCall& call) {
  auto made = make_ref<SourceObject>(call.function->data.as<ClassObject>());
  std::string_view kind;
  if (!text_argument(call, 0, kind)) return Value();
  if (kind == "MT19937")
    made->bits = std::make_unique<random::TwisterSource>();
  else if (kind == "PCG64")
    made->bits = std::make_unique<random::PcgSource>();
  else
    return call.raise("ValueError", fmt::format("there is no source {}", kind));
  return Value(std::move(made));
}

Value source_seed(NativeCall& call) {
  std::vector<uint32_t> entropy;
  if (!words_argument(call, 1, entropy)) return Value();
  bits_of(call).seed(random::seed_words(entropy, bits_of(call).seed_size()));
  return Value::none();
}
/// By one word, or by the words of an array, as `RandomState` does.
Value source_legacy_seed(NativeCall& call) {
  auto* twister = dynamic_cast<random::TwisterSource*>(&bits_of(call));
  if (!twister) return call.raise("TypeError", "can only re-seed a MT19937 BitGenerator");
  if (const Value& word = number_in(call[1]); word.is_int()) {
    twister->twister.seed_word(static_cast<uint32_t>(word.as_int()));
    return Value::none();
  }
  std::vector<uint32_t> key;
  if (!words_argument(call, 1, key)) return Value();
  if (key.empty()) return call.raise("ValueError", "Seed must be non-empty");
  twister->twister.seed_words(key);
  return Value::none();
}
Value source_state(NativeCall& call) {
  return words_value(bits_of(call).state());
}
Value source_set_state(NativeCall& call) {
  std::vector<uint32_t> words;
  if (!words_argument(call, 1, words)) return Value();
  if (!bits_of(call).set_state(words))
    return call.raise("ValueError", "state vector is the wrong size");
  return Value::none();
}

Value make_stream(NativeCall& call) {
  auto* source = dynamic_cast<SourceObject*>(call[0].is_object() ? call[0].object() : nullptr);
  if (!source) return call.raise("TypeError", "a source is needed");
  return Value(make_ref<StreamObject>(call.function->data.as<ClassObject>(),
                                      Ref<SourceObject>(source),
                                      call[1].is_integral() && call[1].as_bool()));
}

Value mixed_words(NativeCall& call) {
  std::vector<uint32_t> entropy;
  int64_t count = 0;
  if (!words_argument(call, 0, entropy) || !int_argument(call, 1, count)) return Value();
  return words_value(random::seed_words(entropy, static_cast<size_t>(std::max<int64_t>(count, 0))));
}
Value entropy_of_machine(NativeCall& call) {
  std::random_device device;
  std::vector<uint32_t> words(4);
  std::ranges::generate(words, std::ref(device));
  return words_value(words);
}

constexpr NativeDefinition kSource[] = {
    {"seed(self, entropy, /)", source_seed, kImpure, "starts by words of 32 bits, mixed"},
    {"legacy_seed(self, seed, /)", source_legacy_seed, kImpure, "starts as RandomState does"},
    {"state(self, /)", source_state, kImpure, "the state as words of 32 bits"},
    {"set_state(self, words, /)", source_set_state, kImpure, "goes back to a state"},
};
constexpr NativeDefinition kFunctions[] = {
    {"mixed_words(entropy, count, /)", mixed_words, kImpure, "words that entropy is mixed to"},
    {"entropy()", entropy_of_machine, kImpure, "four words that nobody knows"},
};

void add_class(Interpreter& in, ModuleObject& module, std::string_view name,
               std::span<const NativeDefinition> methods, const NativeDefinition& constructor) {
  Ref<ClassObject> cls = in.new_class(name, in.classes().object, kNativeDataKind, "_numpy_random");
  in.add_methods(*cls, methods);
  set_constructor(*cls, constructor);
  cls->construct->data = Value(cls);
  module.dict->set(name, Value(cls));
}

}  // namespace

void fill_numpy_random(Interpreter& in, ModuleObject& module) {
  in.add_functions(module, kFunctions);
  add_class(in, module, "Source", kSource,
            {"Source(kind, /)", make_source, kImpure, "MT19937 or PCG64"});
  add_class(in, module, "Stream", numpy_stream_methods(),
            {"Stream(source, legacy, /)", make_stream, kImpure, "what is drawn from a source"});
}

}  // namespace glint::runtime
