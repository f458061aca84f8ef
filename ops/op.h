// One entry per operator: `OpEntry` is everything that Glint knows of an operator, written once.
//
//     constexpr OpEntry kEntries[] = {{
//         .name = "multiply",
//         .signature = "mul(input: Tensor, other: Tensor | Number) -> Tensor",
//         .torch = "mul multiply",
//         .method = "mul multiply",
//         .operators = "__mul__ __rmul__",
//         .doc = "The product of two tensors, element by element.",
//         .lowering = Pointwise{ScalarFunction::kMultiply},
//         .forms = Forms::kInPlaceAndOut,
//         .samples = binary_samples,
//     }};
//
// From it come the Python-level function and methods, argument checks (call.h), shape inference
// (infer.h), eager execution (call.h), tracing, lowering, the manual (documentation.h) and the
// table's tests.
//
// How a caller dispatches. Find the entry once (`find_op` by the graph's name, `find_torch` and
// `find_method` by Python's), bind the arguments (`bind`, call.h), which gives one argument a
// parameter in the signature's order, defaults filled in, then `call_eager(entry, arguments)`.
// Tensors among the arguments are `Tensor`; Python numbers stay numbers, so that promotion can tell
// them from 0-dim tensors.
//
// How types are inferred. `infer(entry, arguments)` (infer.h) takes the same bound arguments with
// a TensorType in place of each tensor and gives the outputs' types. Sizes are SymInt; a rule that
// has to choose asks `decide_equal` and friends, which record relations during capture.
//
// How an operator is compiled. `kind(entry)` tells:
//   primitive   `lowering` says what loop nest it is: see the structs below;
//   library     a step of the schedule (matrix products, sort, random numbers): the backend runs
//               `entry.eager` on the buffers;
//   composite   `decomposition` writes it with other operators.
// A primitive may have a decomposition too, for those arguments that its lowering does not cover
// (`add` with alpha); it then gives no values for the arguments that the lowering does cover.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/tensor/tensor.h"
#include "ir/argument.h"
#include "ir/kernel.h"
#include "ir/op_builder.h"
#include "ir/scalar_function.h"
#include "ir/tensor_type.h"
#include "ir/view_map.h"

namespace glint::ops {

class GradientCall;
struct OpEntry;
struct Signature;

/// A mistake of the user's: the interpreter raises `exception` (a builtin exception's name) with
/// `message`, worded as PyTorch words it.
struct OpError {
  const char* exception;  ///< "TypeError", "RuntimeError", "IndexError", "ValueError", ...
  std::string message;
};

/// Eager arguments: tensors are tensors. `Arguments` has one a parameter, in the signature's order.
using Argument = BasicArgument<Tensor>;
using Arguments = std::span<const Argument>;
/// The same for type inference, and for decompositions.
using InferArgument = BasicArgument<TensorType>;
using InferArguments = std::span<const InferArgument>;
using OpArguments = std::span<const OpArgument>;

/// What an eager call gives: mostly one tensor, which then takes no memory of its own.
class Outputs {
 public:
  Outputs() = default;
  Outputs(Tensor only) : first_(std::move(only)) {}  // NOLINT: meant to convert
  Outputs(Tensor first, Tensor second) : first_(std::move(first)) {
    rest_.push_back(std::move(second));
  }
  explicit Outputs(std::vector<Tensor> tensors);

  size_t size() const { return first_.defined() ? 1 + rest_.size() : 0; }
  const Tensor& operator[](size_t i) const { return i == 0 ? first_ : rest_[i - 1]; }
  Tensor take_first() { return std::move(first_); }
  std::vector<Tensor> to_vector() const;

 private:
  Tensor first_;
  std::vector<Tensor> rest_;
};

using EagerKernel = Outputs (*)(const OpEntry& entry, Arguments arguments);
/// Writes the result into `out`, which has its sizes and dtype and may be one of the arguments;
/// false, and nothing written, where an argument is not plain enough.
using BlockKernel = bool (*)(const OpEntry& entry, Arguments arguments, const Tensor& out);
using InferRule = std::vector<TensorType> (*)(const OpEntry& entry, InferArguments arguments);
using Decomposition = std::vector<OpValue> (*)(OpBuilder& b, OpArguments arguments);
using ViewRule = ViewMap (*)(const OpEntry& entry, InferArguments arguments);
/// From a call and the gradients of its results to the gradient of one input (gradient.h); an empty
/// value says that none flows.
using GradientRule = OpValue (*)(GradientCall& g);
/// The gradient of an operator for one of its parameters.
struct InputGradient {
  const char* of = nullptr;  ///< the parameter
  /// What the rule reads, separated by spaces: parameters, and `result` or the name of a result.
  const char* saves = "";
  GradientRule rule = nullptr;
};

// ---- lowerings ---------------------------------------------------------------------------------

/// `out[i] = function(a[i], b[i], ...)` over the broadcast operands, which are the leading
/// parameters. Operands are cast to `computation_dtype` (infer.h) first; `entry.dtype_rule` says
/// which that is, and `infer` what the result has.
struct Pointwise {
  ScalarFunction function;
};
/// `out = combiner over the parameter "dim" of input` (all dimensions for None), "keepdim" as
/// usual. The input is cast to `reduction_dtype` (infer.h). kArgmax, kArgmin give the index part.
struct Reduce {
  Combiner combiner;
};
/// A running combination along "dim": `out[.., i, ..] = in[.., 0, ..] C ... C in[.., i, ..]`.
struct Scan {
  Combiner combiner;
};
/// How a write to a view becomes a new value of what it shows.
enum class WayBack : uint8_t {
  kNone,     ///< by no operator
  kScatter,  ///< one that takes what was seen, the view's new value and the view's arguments
  kSame,     ///< the view's own, with the same arguments
  kItself,   ///< none: the view shows all, as it is
  kReshape,  ///< all elements are seen, in their order: it gets the sizes of what was seen
};
/// The first argument seen through an index map: the result shares its memory. A reshape that
/// `may_copy` copies where strides cannot describe it; a `copies` view always gives a new tensor,
/// of the input's sizes and layout.
struct View {
  ViewRule rule;
  bool may_copy = false;
  bool copies = false;
  WayBack back = WayBack::kNone;
  const char* scatter = "";  ///< of WayBack::kScatter: the operator
};
/// Every element is the parameter "fill_value" (or `value` where the signature has none).
struct Fill {
  double value = 0.0;
};
/// `out[i] = start + i * step` of the parameters with these names.
struct Iota {};
/// The first argument, each element converted to the result's dtype.
struct Convert {};
/// The first argument copied into a contiguous tensor.
struct Copy {};
/// `out[i, j] = input[i, index[i, j]]` along "dim" (gather; bounds are checked).
struct GatherAlong {};
/// `out[i, k, j] = input[i, index[k], j]` along "dim" (index_select; bounds are checked).
struct SelectAlong {};
/// The first argument, element by element, where the parameter "condition" is true; where it is
/// false the call fails with the parameter "message".
struct Checked {};
/// The list argument "tensors" one behind the other along "dim".
struct Concatenate {};
/// Scalar operations of a call that gives `result`, a multiply-add as two.
using OperationCount = SymInt (*)(InferArguments arguments, const TensorType& result);
/// A step of the schedule, run by `entry.eager`. Null: what it does is not counted in operations.
struct Library {
  OperationCount operations = nullptr;
};
using Lowering = std::variant<std::monostate, Pointwise, Reduce, Scan, View, Fill, Iota, Convert,
                              Copy, Checked, GatherAlong, SelectAlong, Concatenate, Library>;

/// The dtype of pointwise operators and reductions. `result_type` is PyTorch's over the tensor,
/// 0-dim and Python-number operands.
enum class DTypeRule : uint8_t {
  kPromote,         ///< result_type
  kFloat,           ///< result_type; integers and bool become the default float
  kBool,            ///< computes in result_type, gives bool
  kIntegerToInt64,  ///< integers and bool become int64 (sum, prod, cumsum); or the "dtype" argument
  kFloatingOnly,    ///< the operand's; integers are an error (mean, var)
  kIndex,           ///< int64
  kOwn,             ///< `infer` says
};

/// A parameter, none of the operands, whose number may be another one at each call of compiled
/// code: the decomposition computes with it.
struct VaryingNumber {
  const char* parameter = nullptr;
  /// The operand that has to be a floating tensor: else the number's value decides on the dtype.
  const char* floating = nullptr;
};
/// What the operator does with numbers: which may vary in compiled code.
struct Numbers {
  static constexpr size_t kMost = 2;
  VaryingNumber vary[kMost] = {};
  /// Their values choose how to compute (`power`): none of them varies.
  bool fixed = false;
  /// The gradient rules only compute with them, and so take any in a graph too.
  bool any_in_gradients = false;
  /// PyTorch makes a tensor of one, which it keeps for the gradient and frees as it frees tensors.
  bool kept = false;
  /// Parameters, separated by spaces, whose number becomes one of the dtype that computes, and
  /// has to be within it: of 16-bit floats their own, or float32.
  const char* held = "";
  bool held_in_float32 = false;
};

/// Which overlaps of memory an in-place form lets pass, as PyTorch does: a write of one value
/// everywhere is the same in any order.
struct Overlaps {
  bool repeated_target = false;
  size_t checked_inputs = SIZE_MAX;  ///< arguments from this one on are read before the write
  /// Of a repeated target only what changes is written: the rest of an element's places must not
  /// bring back its old value.
  bool writes_changes = false;
};

/// What a call does beside computing its outputs.
struct Effects {
  bool random = false;          ///< draws from the generator: never dead, merged or reordered
  bool mutates = false;         ///< writes its first argument, and gives it back
  bool synchronises = false;    ///< needs the values now (`item`)
  bool may_fail = false;        ///< depending on values (an index out of range)
  bool data_dependent = false;  ///< the output's sizes depend on values (`nonzero`)
};

/// Which further forms are generated: `mul_` and `__imul__`; `torch.mul(..., out=)`.
enum class Forms : uint8_t { kNone, kOut, kInPlace, kInPlaceAndOut };

/// Which dtypes `out=` takes, and PyTorch's words for the others.
struct OutputDType {
  /// {0}, {1}: the dtype of the result and of `out`, as Float; {2}, {3}: the same as float.
  const char* words = "result type {0} can't be cast to the desired output type {1}";
  bool exact = false;  ///< the result's alone, else all that the result can be cast to
  const char* exception = "RuntimeError";
  /// Of an operator with two forms: whether these arguments are of the one that asks for this.
  bool (*concerns)(InferArguments inputs) = nullptr;
};
inline constexpr OutputDType kFoundDType = {"Found dtype {1} but expected {0}", true};
inline constexpr OutputDType kExpectedDType = {
    "Expected out tensor to have dtype {2}, but got {3} instead", true};

/// How an eager call's outputs reach Python: one tensor, a named tuple (where there are several:
/// `max` without dim gives one), a tuple or list of any number, or the truth of a 0-dim tensor.
enum class OutputForm : uint8_t { kTensor, kNamedTuple, kTuple, kList, kTruth };

struct Tolerance {
  double relative = 1e-5;  ///< of float32 between backends
  double absolute = 1e-6;
};

/// One call to try: bound arguments (one a parameter) and, for an error sample, what it raises.
struct Sample {
  std::vector<Argument> arguments;
  std::optional<OpError> error = std::nullopt;
};
using SampleRule = std::vector<Sample> (*)(const OpEntry& entry);

struct OpEntry {
  /// The name in graphs, `multiply`; unique.
  const char* name;
  /// Python's form with annotations; its name is the one that PyTorch's messages use.
  /// Types: Tensor, Number, int, float, bool, str, dtype, device, Size (int or list of int),
  /// Tensors (list of Tensor), `T | None`. `*size: int` takes ints or one list.
  const char* signature;
  /// Python names, separated by spaces: `torch.X`, `Tensor.X`, `torch.nn.functional.X`, and the
  /// special methods of the operators.
  const char* torch = "";
  const char* method = "";
  const char* functional = "";
  const char* operators = "";
  /// One or two sentences.
  const char* doc;
  DTypeRule dtype_rule = DTypeRule::kOwn;
  /// May be left out of pointwise operators, reductions, views and composites: it follows.
  InferRule infer = nullptr;
  /// May be left out likewise; a composite has one where a single launch matters (softmax).
  EagerKernel eager = nullptr;
  Lowering lowering = {};
  Decomposition decomposition = nullptr;
  /// Of a composite of pointwise steps: all of them at once, for the eager and the in-place form.
  BlockKernel write_blocks = nullptr;
  /// The rules, one an input that has a gradient (gradient.h).
  static constexpr size_t kMostGradients = 6;
  InputGradient gradients[kMostGradients] = {};
  /// Of a library step without rules: what is recorded in its place, made of operators that have
  /// some.
  Decomposition recorded = nullptr;
  /// The name in `grad_fn`, `MulBackward0`, where it does not follow from the signature's, or
  /// depends on the arguments.
  const char* grad_name = "";
  const char* (*grad_name_of)(Arguments arguments) = nullptr;
  /// The same of the in-place form, where PyTorch has a rule of its own for that.
  const char* in_place_grad_name = "";
  /// The operator that is recorded for the in-place form, where its rule is another one: it reads
  /// the result, as the input is no more.
  const char* recorded_in_place = "";
  /// The first so many results have gradients; those behind are kept for the rules alone.
  size_t differentiable_results = SIZE_MAX;
  /// False: gradients end here (`detach`).
  bool differentiable = true;
  /// PyTorch has no derivative of it, and `backward` raises: here too, though the operators that it
  /// is made of may have some.
  bool lacks_derivative = false;
  /// Its tensors may be on several devices: it moves them, or takes indices from the processor.
  bool any_device = false;
  /// The first argument gives sizes and a dtype, and no element of it is read (`fill`).
  bool reads_only_type = false;
  Effects effects = {};
  /// Where `effects.data_dependent` holds for some arguments only (`one_hot` without the number of
  /// classes): whether for these.
  bool (*sizes_from_values)(InferArguments arguments) = nullptr;
  Numbers numbers = {};
  /// PyTorch's kernel, which takes floats alone as the first argument, as its error calls it.
  const char* floats_kernel = nullptr;
  Forms forms = Forms::kNone;
  OutputDType output_dtype = {};
  Overlaps overlaps = {};
  /// PyTorch has it twice, with a tensor or a number as the last argument: its errors name both.
  bool takes_tensor_or_number = false;
  /// The in-place form's method, where it does not follow from the functional names (`copy_`).
  const char* in_place = "";
  OutputForm output_form = OutputForm::kTensor;
  /// Of a named tuple: "values indices", and its type's name, `torch.return_types.max`.
  const char* output_names = "";
  Tolerance tolerance = {};
  SampleRule samples = nullptr;
  /// Of a generated in-place or out= form: what it was generated from.
  const OpEntry* functional_form = nullptr;
  /// What `signature(entry)` parsed.
  mutable const Signature* parsed_signature = nullptr;

  template <class T>
  const T* lowers_to() const {
    return std::get_if<T>(&lowering);
  }
};

enum class OpKind : uint8_t { kPrimitive, kLibrary, kComposite };
OpKind kind(const OpEntry& entry);
std::string_view kind_name(OpKind kind);

/// For `static_assert(complete(kEntries))` below a family's entries: the failing branch names the
/// field that an entry lacks.
consteval bool complete(std::span<const OpEntry> entries) {
  for (const OpEntry& entry : entries) {
    if (!entry.name || !entry.signature) throw "name or signature is missing";
    if (!entry.doc) throw "doc is missing";
    if (!entry.samples) throw "samples is missing";
    if (entry.lacks_derivative && entry.gradients[0].rule)
      throw "lacks_derivative is set beside gradients";
    bool lowers = !std::holds_alternative<std::monostate>(entry.lowering);
    if (!lowers && !entry.decomposition) throw "lowering or decomposition is missing";
    if (std::holds_alternative<Library>(entry.lowering) && !entry.eager) throw "eager is missing";
    if (std::holds_alternative<Library>(entry.lowering) && !entry.infer) throw "infer is missing";
    if (std::holds_alternative<Pointwise>(entry.lowering) && entry.dtype_rule == DTypeRule::kOwn &&
        !entry.infer)
      throw "dtype_rule or infer is missing";
  }
  return true;
}

// ---- the table ---------------------------------------------------------------------------------

/// All entries, generated in-place and out= forms behind the written ones. Built on first use.
std::span<const OpEntry> op_table();
/// By the graph's name: `multiply`, `multiply_`. Null if there is none.
const OpEntry* find_op(std::string_view name);
/// `torch.NAME`; `Tensor.NAME` (special methods too); `torch.nn.functional.NAME`.
const OpEntry* find_torch(std::string_view name);
const OpEntry* find_method(std::string_view name);
const OpEntry* find_functional(std::string_view name);
/// All Python names of one of the three places, for binding modules and for completion.
enum class PythonPlace : uint8_t { kTorch, kMethod, kFunctional };
std::vector<std::pair<std::string_view, const OpEntry*>> python_names(PythonPlace place);

// ---- parameters --------------------------------------------------------------------------------

/// What a parameter takes; one bit each.
enum TypeBits : uint16_t {
  kTakesTensor = 1,
  kTakesNumber = 2,  ///< bool, int or float
  kTakesInt = 4,
  kTakesFloat = 8,  ///< int or float
  kTakesBool = 16,
  kTakesString = 32,
  kTakesDType = 64,
  kTakesDevice = 128,
  kTakesSize = 256,     ///< an int or a list of ints
  kTakesTensors = 512,  ///< a list of tensors
  kTakesNone = 1024,
};
struct Parameter {
  std::string name;
  uint16_t types = 0;
  bool keyword_only = false;
  bool variadic = false;  ///< `*size: int`
  bool required = true;
  Argument default_value;
};
struct Signature {
  std::string name;  ///< Python's
  std::vector<Parameter> parameters;
  std::string result;
  /// The parameter's place, or nothing.
  std::optional<size_t> find(std::string_view parameter) const;
};
/// Parsed on first use.
const Signature& signature(const OpEntry& entry);
Signature parse_signature(std::string_view text);
/// Whether names, separated by spaces, have this one among them.
bool has_word(std::string_view names, std::string_view word);

}  // namespace glint::ops
