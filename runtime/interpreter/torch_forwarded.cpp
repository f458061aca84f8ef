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
    {"positive", "torch._elementwise"},
    {"deg2rad", "torch._elementwise"},
    {"rad2deg", "torch._elementwise"},
    {"frac", "torch._elementwise"},
    {"sgn", "torch._elementwise"},
    {"signbit", "torch._elementwise"},
    {"copysign", "torch._elementwise"},
    {"isposinf", "torch._elementwise"},
    {"isneginf", "torch._elementwise"},
    {"isreal", "torch._elementwise"},
    {"heaviside", "torch._elementwise"},
    {"fmax", "torch._elementwise"},
    {"fmin", "torch._elementwise"},
    {"hypot", "torch._elementwise"},
    {"xlogy", "torch._elementwise"},
    {"logit", "torch._elementwise"},
    {"logaddexp", "torch._elementwise"},
    {"logaddexp2", "torch._elementwise"},
    {"float_power", "torch._elementwise"},
    {"sinc", "torch._elementwise"},
    {"ldexp", "torch._elementwise"},
    {"rsub", "torch._elementwise"},
    {"nansum", "torch._elementwise"},
    {"nanmean", "torch._elementwise"},
    {"aminmax", "torch._elementwise"},
    {"std_mean", "torch._elementwise"},
    {"var_mean", "torch._elementwise"},
    {"msort", "torch._elementwise"},
    {"mode", "torch._elementwise"},
    {"quantile", "torch._elementwise"},
    {"cummax", "torch._elementwise"},
    {"cummin", "torch._elementwise"},
    {"logcumsumexp", "torch._elementwise"},
    {"fliplr", "torch._arrangements"},
    {"flipud", "torch._arrangements"},
    {"rot90", "torch._arrangements"},
    {"atleast_1d", "torch._arrangements"},
    {"atleast_2d", "torch._arrangements"},
    {"atleast_3d", "torch._arrangements"},
    {"column_stack", "torch._arrangements"},
    {"row_stack", "torch._arrangements"},
    {"dstack", "torch._arrangements"},
    {"hsplit", "torch._arrangements"},
    {"vsplit", "torch._arrangements"},
    {"dsplit", "torch._arrangements"},
    {"split_with_sizes", "torch._arrangements"},
    {"narrow_copy", "torch._arrangements"},
    {"block_diag", "torch._arrangements"},
    {"diagflat", "torch._arrangements"},
    {"diag_embed", "torch._arrangements"},
    {"tril_indices", "torch._arrangements"},
    {"triu_indices", "torch._arrangements"},
    {"vander", "torch._arrangements"},
    {"logspace", "torch._arrangements"},
    {"vdot", "torch._arrangements"},
    {"addmv", "torch._arrangements"},
    {"addr", "torch._arrangements"},
    {"addbmm", "torch._arrangements"},
    {"chain_matmul", "torch._arrangements"},
    {"matrix_power", "torch._arrangements"},
    {"cross", "torch._arrangements"},
    {"tensordot", "torch._arrangements"},
    {"trapezoid", "torch._arrangements"},
    {"trapz", "torch._arrangements"},
    {"cumulative_trapezoid", "torch._arrangements"},
    {"cov", "torch._arrangements"},
    {"corrcoef", "torch._arrangements"},
    {"is_same_size", "torch._arrangements"},
    {"is_nonzero", "torch._arrangements"},
    {"scalar_tensor", "torch._arrangements"},
    {"asarray", "torch._arrangements"},
    {"unravel_index", "torch._arrangements"},
    {"celu", "torch.nn.functional"},
    {"selu", "torch.nn.functional"},
    {"prelu", "torch.nn.functional"},
    {"threshold", "torch.nn.functional"},
    {"pairwise_distance", "torch.nn.functional"},
    {"cosine_similarity", "torch.nn.functional"},
    {"batch_norm", "torch.nn.functional"},
    {"bilinear", "torch.nn.functional"},
    {"sum_to_size", "torch._arrangements"},
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
    {"positive(self, *args, **kwargs)", call_function, kCalls, "the tensor itself"},
    {"deg2rad(self, *args, **kwargs)", call_function, kCalls, "degrees as radians"},
    {"rad2deg(self, *args, **kwargs)", call_function, kCalls, "radians as degrees"},
    {"frac(self, *args, **kwargs)", call_function, kCalls, "what is behind the point"},
    {"sgn(self, *args, **kwargs)", call_function, kCalls, "the sign"},
    {"signbit(self, *args, **kwargs)", call_function, kCalls, "whether the sign is set"},
    {"copysign(self, *args, **kwargs)", call_function, kCalls, "the magnitude with another sign"},
    {"isposinf(self, *args, **kwargs)", call_function, kCalls, "whether elements are infinite"},
    {"isneginf(self, *args, **kwargs)", call_function, kCalls,
     "whether elements are minus infinity"},
    {"isreal(self, *args, **kwargs)", call_function, kCalls, "True everywhere"},
    {"heaviside(self, *args, **kwargs)", call_function, kCalls, "0 below zero, 1 above"},
    {"fmax(self, *args, **kwargs)", call_function, kCalls,
     "the greater, where one is NaN the other"},
    {"fmin(self, *args, **kwargs)", call_function, kCalls,
     "the lesser, where one is NaN the other"},
    {"hypot(self, *args, **kwargs)", call_function, kCalls, "the length of the third side"},
    {"xlogy(self, *args, **kwargs)", call_function, kCalls, "x * log(y), 0 where x is 0"},
    {"logit(self, *args, **kwargs)", call_function, kCalls, "the inverse of sigmoid"},
    {"logaddexp(self, *args, **kwargs)", call_function, kCalls, "log(exp(x) + exp(y))"},
    {"logaddexp2(self, *args, **kwargs)", call_function, kCalls, "the same to base 2"},
    {"float_power(self, *args, **kwargs)", call_function, kCalls, "a power in float64"},
    {"sinc(self, *args, **kwargs)", call_function, kCalls, "sin(pi x) / (pi x)"},
    {"ldexp(self, *args, **kwargs)", call_function, kCalls, "x * 2 ** y"},
    {"nansum(self, *args, **kwargs)", call_function, kCalls, "the sum without NaN"},
    {"nanmean(self, *args, **kwargs)", call_function, kCalls, "the mean without NaN"},
    {"aminmax(self, *args, **kwargs)", call_function, kCalls, "the least and the greatest"},
    {"msort(self, *args, **kwargs)", call_function, kCalls, "sorted along the first dimension"},
    {"mode(self, *args, **kwargs)", call_function, kCalls, "the most frequent elements"},
    {"quantile(self, *args, **kwargs)", call_function, kCalls, "elements by their rank"},
    {"cummax(self, *args, **kwargs)", call_function, kCalls, "the greatest so far"},
    {"cummin(self, *args, **kwargs)", call_function, kCalls, "the least so far"},
    {"logcumsumexp(self, *args, **kwargs)", call_function, kCalls, "logarithms of running sums"},
    {"fliplr(self, *args, **kwargs)", call_function, kCalls, "columns reversed"},
    {"flipud(self, *args, **kwargs)", call_function, kCalls, "rows reversed"},
    {"rot90(self, *args, **kwargs)", call_function, kCalls, "quarter turns"},
    {"hsplit(self, *args, **kwargs)", call_function, kCalls, "parts side by side"},
    {"vsplit(self, *args, **kwargs)", call_function, kCalls, "parts one below the other"},
    {"dsplit(self, *args, **kwargs)", call_function, kCalls, "parts in depth"},
    {"split_with_sizes(self, *args, **kwargs)", call_function, kCalls, "parts of these sizes"},
    {"narrow_copy(self, *args, **kwargs)", call_function, kCalls, "a copy of a part"},
    {"diagflat(self, *args, **kwargs)", call_function, kCalls, "a matrix with this diagonal"},
    {"diag_embed(self, *args, **kwargs)", call_function, kCalls, "matrices with these diagonals"},
    {"vdot(self, *args, **kwargs)", call_function, kCalls, "the sum of products"},
    {"addmv(self, *args, **kwargs)", call_function, kCalls, "a matrix by a vector, added"},
    {"addr(self, *args, **kwargs)", call_function, kCalls, "the outer product, added"},
    {"addbmm(self, *args, **kwargs)", call_function, kCalls, "products of batches, added up"},
    {"matrix_power(self, *args, **kwargs)", call_function, kCalls, "the matrix times itself"},
    {"cross(self, *args, **kwargs)", call_function, kCalls, "the cross product"},
    {"cov(self, *args, **kwargs)", call_function, kCalls, "the covariances of rows"},
    {"corrcoef(self, *args, **kwargs)", call_function, kCalls, "the correlations of rows"},
    {"is_same_size(self, *args, **kwargs)", call_function, kCalls, "whether the sizes agree"},
    {"is_nonzero(self, *args, **kwargs)", call_function, kCalls,
     "whether the only element is not 0"},
    {"sum_to_size(self, *args, **kwargs)", call_function, kCalls, "summed down to sizes"},
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
