// How a function written in C++ is declared, called, and calls back.
//
//     Value native_len(NativeCall& call) {
//       int64_t length = length_of(call.interpreter, call[0]);
//       return length < 0 ? Value() : Value(length);          // undefined: an exception is pending
//     }
//     constexpr NativeDefinition kFunctions[] = {
//         {"len(obj, /)", native_len, {.reads_length = true}, "the number of items"}};
//
// The signature is Python text. Arguments arrive bound: `call[i]` is parameter number i; `*args` is
// one tuple, `**kwargs` one dict. Defaults may be None, True, False, numbers, quoted strings, `()`;
// the default `...` leaves the argument undefined. Methods of types name `self` first.
//
// A native raises by `return call.raise("ValueError", "...")` or passes on a callee's exception by
// returning undefined.
//
// A native that runs script code has two ways. `call.interpreter.call(f, args)` runs a nested loop:
// simple, bounded by the recursion limit, and no region can end inside it. `make_resumable` keeps
// the native's state in an object instead: its `resume` asks for the next call and is resumed with
// the result, without C++ recursion.
#pragma once

#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/interpreter/object.h"
#include "runtime/interpreter/value.h"

namespace glint::runtime {

class Interpreter;

/// What of its arguments a native hashes.
enum class Hashes : uint8_t {
  kNothing,
  kKeys,   ///< of a dict, or the first of each pair
  kItems,  ///< all that it gets
};

/// What a native asks of its first argument's attributes.
enum class AttributeQuery : uint8_t {
  kNone,
  kValue,     ///< of the one that the second argument names
  kPresence,  ///< whether there is such a one
  kDict,      ///< all, as `__dict__`
  kNames,     ///< all names, also the class's
};

/// What a native does to its arguments and the world. Undeclared is impure.
struct Effects {
  bool pure = false;         ///< nothing beyond what the other members say
  bool reads_value = false;  ///< of its arguments
  bool reads_length = false;
  bool reads_keys = false;
  bool reads_elements = false;
  bool mutates = false;     ///< its first argument (self)
  bool calls_back = false;  ///< runs script code: a key function, `__eq__`, a generator
  bool advances_iterator = false;
  bool prints = false;  ///< its only effect on the world is output
  bool impure = false;  ///< time, input, open, id, exec, random numbers
  /// The native is capture's own business (`torch.compile`, `torch._dynamo.*`) or a tensor operator
  /// that reaches `call_operator`: the tracer lets it run.
  bool traceable = false;
  bool differentiates = false;  ///< runs the tape that leads to its first argument backward
  bool makes_tensor = false;    ///< a new one, of the numbers in its arguments, and does no more

  // How deep it looks. Where nothing is said: into all that its arguments hold.
  bool hands_out_items = false;  ///< of its arguments, one by one, looking into none (`values`)
  bool hands_on = false;         ///< keeps or gives back what it gets, as it is (`append`, `list`)
  bool takes_varying = false;    ///< and needs no number among it to be known (`append`)
  bool looks_up = false;         ///< its second argument is a key or a position
  bool searches = false;         ///< compares its second argument with the items of the first
  bool spares_items = false;     ///< looks into no item of its first argument (`pop`)
  bool looks_at_kind = false;    ///< what an argument is, not what it holds (`callable`)
  bool spares_sizes = false;     ///< looks at no size of a tensor (`dtype`)
  Hashes hashes = Hashes::kNothing;
  AttributeQuery query = AttributeQuery::kNone;

  // The state of the tape.
  bool reads_grad_mode = false;
  bool reads_autocast = false;
  bool watches_gradient = false;  ///< that arrives at its first argument

  bool declared() const {
    return pure || reads_value || reads_length || reads_keys || reads_elements || mutates ||
           calls_back || advances_iterator || prints || traceable || differentiates;
  }
};
inline constexpr Effects kPure{.pure = true, .reads_value = true};
inline constexpr Effects kImpure{.impure = true};

struct NativeParameter {
  std::string name;
  program::ParameterKind kind = program::ParameterKind::kPositional;
  bool has_default = false;
  Value default_value;  ///< undefined for `...`
};
struct NativeSignature {
  std::string name;
  std::vector<NativeParameter> parameters;
  uint32_t positional = 0;   ///< how many can be passed by position
  uint32_t required = 0;     ///< how many of those must be given
  bool simple = false;       ///< positional parameters only: no `*args`, `**kwargs`, keyword-only
  bool complete = false;     ///< behind the positional ones: nothing, or what has a default
  bool simple_only = false;  ///< and none of them can be passed by name
};
/// Whether what stands behind the positional parameters, if anything, has a default.
bool completes_itself(const NativeSignature& signature);
/// Parses the text of a signature; a malformed one fails a check.
NativeSignature parse_signature(std::string_view text);

struct NativeCall {
  Interpreter& interpreter;
  /// One value per parameter, owned by the caller for the time of the call.
  const Value* arguments;
  size_t count;
  NativeFunctionObject* function;
  /// So many of the arguments were given by their place, the others by name, or not at all.
  size_t positional = count;

  const Value& operator[](size_t index) const { return arguments[index]; }
  /// Raises; gives undefined, to be returned. `exception` names a builtin class.
  Value raise(std::string_view exception, std::string message) const;
};

using NativeFunction = Value (*)(NativeCall&);

struct NativeDefinition {
  std::string_view signature;
  NativeFunction function;
  Effects effects = {};
  std::string_view doc = {};
};

struct NativeFunctionObject : Container {
  static constexpr ObjectKind kKind = kNativeFunctionKind;
  NativeSignature signature;
  NativeFunction function;
  Effects effects;
  std::string doc;
  std::string module_name;
  ClassObject* owner = nullptr;  ///< of a method: the type
  /// Numbers of scripts' subclasses of int and float arrive as plain ones: methods of those types.
  bool takes_plain_numbers = false;
  Value data;  ///< for the native's own use (an operator's entry, a closure)
  explicit NativeFunctionObject(const NativeDefinition& definition);
  void traverse(Visitor& visit) override { visit(data); }
  void clear() override { data = Value(); }
};
Ref<NativeFunctionObject> make_native(const NativeDefinition& definition);

/// A native's state while it calls back. `resume` is called first with undefined, then with each
/// result that it asked for.
class Resumable {
 public:
  enum class Step : uint8_t {
    kDone,    ///< `result` is the native's value
    kCall,    ///< call `callable(*arguments)`, then resume with its value
    kNext,    ///< advance iterator `callable`; resume with the item, or undefined at the end
    kRaised,  ///< an exception is pending
  };
  virtual ~Resumable() = default;
  virtual Step resume(Interpreter& interpreter, Value value) = 0;
  /// Where a native wants to see an exception of its callee: return true to have cleared it, and be
  /// resumed with undefined.
  virtual bool catches(Interpreter&) { return false; }
  /// Names every reference that it keeps beyond the members below, for the cycle collector.
  virtual void traverse(Visitor&) {}

  Value result;
  Value callable;
  std::vector<Value> arguments;

 protected:
  Step done(Value value) {
    result = std::move(value);
    return Step::kDone;
  }
  Step call(Value function, std::initializer_list<Value> values) {
    callable = std::move(function);
    arguments.assign(values);
    return Step::kCall;
  }
  Step next(Value iterator) {
    callable = std::move(iterator);
    return Step::kNext;
  }
};

/// To be returned by a native: its value will be what `state` ends with.
///
///     return make_resumable(call, std::make_unique<SortWithKey>(list, key));
Value make_resumable(NativeCall& call, std::unique_ptr<Resumable> state);

}  // namespace glint::runtime
