// Functions of `torch` that are written in the language, and the methods of tensors by their names.
//
//     torch.unique(x), x.unique()       both run `unique` of library/torch/_selection.py
//
// A function is found when its name is first looked up; a method hands its arguments on.
#include "runtime/interpreter/torch_forwarded.h"

#include <algorithm>

#include "runtime/interpreter/builtins.h"

namespace glint::runtime {
namespace {

struct LibraryFunction {
  std::string_view name, file;
};
constexpr LibraryFunction kFunctions[] = {
    {"compile", "torch._compile"},
    {"einsum", "torch._einsum"},
    {"normal", "torch._random"},
    {"randint_like", "torch._random"},
    {"multinomial", "torch._random"},
    {"unique", "torch._selection"},
    {"unique_consecutive", "torch._selection"},
    {"histc", "torch._selection"},
    {"embedding", "torch._selection"},
    {"take_along_dim", "torch._selection"},
    {"cartesian_prod", "torch._selection"},
    {"combinations", "torch._selection"},
    {"searchsorted", "torch._selection"},
    {"bucketize", "torch._selection"},
    {"isin", "torch._selection"},
    {"diff", "torch._selection"},
    {"tensor_split", "torch._selection"},
    {"trace", "torch._selection"},
    {"diag", "torch._selection"},
    {"median", "torch._selection"},
    {"inner", "torch._selection"},
    {"dist", "torch._selection"},
    {"nan_to_num", "torch._selection"},
};

/// A name that the module `file` defines; undefined if it does not, or raised.
Value name_in(Interpreter& in, std::string_view file, std::string_view name) {
  Value module = in.import_module(file);
  if (module.is_undefined()) return Value();
  auto* library = module.try_as<ModuleObject>();
  Value* found = library ? library->dict->find(name) : nullptr;
  return found ? *found : Value();
}

/// A method: its own arguments behind self are the function's.
Value call_function(NativeCall& call) {
  Interpreter& in = call.interpreter;
  Value function = library_function(in, call.function->signature.name);
  if (function.is_undefined()) return Value();
  std::vector<Value> arguments = {call[0]};
  const auto& rest = call[1].as<TupleObject>()->items;
  arguments.insert(arguments.end(), rest.begin(), rest.end());
  return in.call_with_keywords(function, arguments, keyword_pairs(call[2]));
}

constexpr Effects kCalls{.pure = true, .reads_value = true, .calls_back = true};

constexpr NativeDefinition kMethods[] = {
    {"multinomial(self, *args, **kwargs)", call_function, kImpure, "indices drawn by weight"},
    {"unique(self, *args, **kwargs)", call_function, kCalls, "the different values, in order"},
    {"unique_consecutive(self, *args, **kwargs)", call_function, kCalls,
     "the values without repetitions"},
    {"histc(self, *args, **kwargs)", call_function, kCalls, "how many elements each bin has"},
    {"take_along_dim(self, *args, **kwargs)", call_function, kCalls, "elements by their indices"},
    {"isin(self, *args, **kwargs)", call_function, kCalls, "whether elements are among others"},
    {"diff(self, *args, **kwargs)", call_function, kCalls, "differences of neighbours"},
    {"tensor_split(self, *args, **kwargs)", call_function, kCalls, "parts of about equal size"},
    {"trace(self, *args, **kwargs)", call_function, kCalls, "the sum of the diagonal"},
    {"diag(self, *args, **kwargs)", call_function, kCalls, "the diagonal, or a matrix with it"},
    {"median(self, *args, **kwargs)", call_function, kCalls, "the value in the middle"},
    {"inner(self, *args, **kwargs)", call_function, kCalls, "products summed over the last dim"},
    {"dist(self, *args, **kwargs)", call_function, kCalls, "the norm of the difference"},
    {"nan_to_num(self, *args, **kwargs)", call_function, kCalls, "NaN and infinities replaced"},
};

/// Which calls of an operator go to torch._forms: so many arguments by position, or that keyword,
/// or a tensor behind the first.
struct OtherForm {
  std::string_view name;
  size_t positional;
  std::string_view keyword;
  size_t own_least = 0;  ///< arguments that the operator has in any case
  bool second_tensor = false;
};
constexpr OtherForm kForms[] = {
    {"where", 1, {}, 2},
    {"nonzero", 0, "as_tuple"},
    {"relu", 2, "inplace"},
    {"relu6", 2, "inplace"},
    {"silu", 2, "inplace"},
    {"leaky_relu", 3, "inplace"},
    {"elu", 3, "inplace"},
    {"hardtanh", 4, "inplace"},
    {"hardswish", 2, "inplace"},
    {"hardsigmoid", 2, "inplace"},
    {"repeat_interleave", 1, "output_size", 99, true},
};

}  // namespace

Value other_form(Interpreter& in, std::string_view operator_name, std::span<const Value> positional,
                 std::span<StrObject* const> keywords) {
  for (const OtherForm& form : kForms) {
    if (form.name != operator_name) continue;
    bool named = !form.keyword.empty() && std::ranges::any_of(keywords, [&](StrObject* keyword) {
      return keyword->view() == form.keyword;
    });
    bool counted = positional.size() == form.positional && keywords.empty();
    bool tensor = form.second_tensor && positional.size() > 1 && positional[1].is(kTensorKind);
    return named || counted || tensor ? name_in(in, "torch._forms", form.name) : Value();
  }
  return Value();
}

std::optional<size_t> least_of_own_form(std::string_view operator_name) {
  for (const OtherForm& form : kForms)
    if (form.name == operator_name && form.own_least > 0) return form.own_least;
  return std::nullopt;
}

Value library_function(Interpreter& in, std::string_view name) {
  for (const LibraryFunction& function : kFunctions)
    if (function.name == name) return name_in(in, function.file, name);
  return Value();
}

bool is_library_function(std::string_view name) {
  for (const LibraryFunction& function : kFunctions)
    if (function.name == name) return true;
  return false;
}

void add_library_methods(Interpreter& in) {
  in.add_methods(*in.classes().tensor, kMethods);
}

}  // namespace glint::runtime
