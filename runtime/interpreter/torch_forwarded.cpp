// Functions of `torch` that are written in the language, and the methods of tensors by their names.
//
//     torch.unique(x), x.unique()       both run `unique` of library/torch/_selection.py
//
// A function is found when its name is first looked up; a method hands its arguments on. What they
// do is said in one place, under the function's `def`: docs/functions.md and `help` read it there.
#include "runtime/interpreter/torch_forwarded.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "runtime/interpreter/builtins.h"
#include "runtime/interpreter/torch_values.h"

namespace glint::runtime {
namespace {

using Method = LibraryFunction::Method;
constexpr LibraryFunction kFunctions[] = {
    {"compile", "torch._compile"},
    {"vmap", "torch._vmap"},
    {"save", "torch.serialization"},
    {"load", "torch.serialization"},
    {"einsum", "torch._einsum"},
    {"from_numpy", "torch._numpy"},
    {"normal", "torch._random"},
    {"randint_like", "torch._random"},
    {"multinomial", "torch._random", Method::kDraws},
    {"unique", "torch._selection", Method::kPure},
    {"unique_consecutive", "torch._selection", Method::kPure},
    {"histc", "torch._selection", Method::kPure},
    {"embedding", "torch._selection"},
    {"take_along_dim", "torch._selection", Method::kPure},
    {"cartesian_prod", "torch._selection"},
    {"combinations", "torch._selection"},
    {"conv1d", "torch.nn._windows"},
    {"conv2d", "torch.nn._windows"},
    {"conv3d", "torch.nn._windows"},
    {"isin", "torch._selection"},
    {"diff", "torch._selection", Method::kPure},
    {"tensor_split", "torch._selection", Method::kPure},
    {"diag", "torch._selection", Method::kPure},
    {"median", "torch._selection", Method::kPure},
    {"inner", "torch._selection", Method::kPure},
    {"positive", "torch._elementwise", Method::kPure},
    {"isreal", "torch._elementwise", Method::kPure},
    {"float_power", "torch._elementwise", Method::kPure},
    {"rsub", "torch._elementwise"},
    {"nanmean", "torch._elementwise", Method::kPure},
    {"msort", "torch._elementwise", Method::kPure},
    {"quantile", "torch._elementwise", Method::kPure},
    {"nanquantile", "torch._elementwise", Method::kPure},
    {"nanmedian", "torch._statistics", Method::kPure},
    {"histogram", "torch._statistics", Method::kPure},
    {"gradient", "torch._statistics"},
    {"renorm", "torch._statistics", Method::kPure},
    {"pdist", "torch._statistics"},
    {"range", "torch._statistics"},
    {"polygamma", "torch._special"},
    {"mvlgamma", "torch._special", Method::kPure},
    {"igamma", "torch._special", Method::kPure},
    {"igammac", "torch._special", Method::kPure},
    {"gcd", "torch._special", Method::kPure},
    {"lcm", "torch._special", Method::kPure},
    {"frexp", "torch._special", Method::kPure},
    {"hann_window", "torch._signal_windows"},
    {"hamming_window", "torch._signal_windows"},
    {"blackman_window", "torch._signal_windows"},
    {"bartlett_window", "torch._signal_windows"},
    {"kaiser_window", "torch._signal_windows"},
    {"ctc_loss", "torch._functional_names"},
    {"storage", "torch.storage", Method::kAlone},
    {"untyped_storage", "torch.storage", Method::kAlone},
    {"apply_", "torch._methods", Method::kAlone},
    {"map_", "torch._methods", Method::kAlone},
    {"put", "torch._methods", Method::kPure},
    {"put_", "torch._methods", Method::kAlone},
    {"renorm_", "torch._methods", Method::kAlone},
    {"float_power_", "torch._methods", Method::kAlone},
    {"gcd_", "torch._methods", Method::kPure},
    {"lcm_", "torch._methods", Method::kPure},
    {"is_shared", "torch._methods", Method::kAlone},
    {"adjoint", "torch._methods", Method::kPure},
    {"fliplr", "torch._arrangements", Method::kPure},
    {"flipud", "torch._arrangements", Method::kPure},
    {"rot90", "torch._arrangements", Method::kPure},
    {"atleast_1d", "torch._arrangements"},
    {"atleast_2d", "torch._arrangements"},
    {"atleast_3d", "torch._arrangements"},
    {"column_stack", "torch._arrangements"},
    {"row_stack", "torch._arrangements"},
    {"dstack", "torch._arrangements"},
    {"hsplit", "torch._arrangements", Method::kPure},
    {"vsplit", "torch._arrangements", Method::kPure},
    {"dsplit", "torch._arrangements", Method::kPure},
    {"split_with_sizes", "torch._arrangements", Method::kPure},
    {"narrow_copy", "torch._arrangements", Method::kPure},
    {"block_diag", "torch._arrangements"},
    {"diagflat", "torch._arrangements", Method::kPure},
    {"diag_embed", "torch._arrangements", Method::kPure},
    {"tril_indices", "torch._arrangements"},
    {"triu_indices", "torch._arrangements"},
    {"vander", "torch._arrangements"},
    {"logspace", "torch._arrangements"},
    {"chain_matmul", "torch._arrangements"},
    {"matrix_power", "torch._arrangements", Method::kPure},
    {"fill_diagonal_", "torch._arrangements", Method::kPure},
    {"cross", "torch._arrangements", Method::kPure},
    {"tensordot", "torch._arrangements"},
    {"trapezoid", "torch._arrangements"},
    {"trapz", "torch._arrangements"},
    {"cumulative_trapezoid", "torch._arrangements"},
    {"cov", "torch._arrangements", Method::kPure},
    {"corrcoef", "torch._arrangements", Method::kPure},
    {"is_same_size", "torch._arrangements", Method::kPure},
    {"is_nonzero", "torch._arrangements", Method::kPure},
    {"scalar_tensor", "torch._arrangements"},
    {"asarray", "torch._arrangements"},
    {"unravel_index", "torch._arrangements"},
    {"prelu", "torch.nn.functional"},
    {"pairwise_distance", "torch.nn.functional"},
    {"cosine_similarity", "torch.nn.functional"},
    {"bilinear", "torch.nn.functional"},
    {"sum_to_size", "torch._arrangements", Method::kPure},
    {"batch_norm", "torch._elementwise"},
    {"set_default_tensor_type", "torch._typed_tensors"},
    {"conv_transpose1d", "torch.nn._windows"},
    {"conv_transpose2d", "torch.nn._windows"},
    {"conv_transpose3d", "torch.nn._windows"},
    {"max_pool1d", "torch.nn._windows"},
    {"max_pool2d", "torch.nn._windows"},
    {"max_pool3d", "torch.nn._seldom_pooling"},
    {"avg_pool1d", "torch.nn._windows"},
    {"adaptive_avg_pool1d", "torch.nn._windows"},
    {"max_pool1d_with_indices", "torch.nn._seldom_functions"},
    {"adaptive_max_pool1d", "torch._functional_names"},
    {"pixel_shuffle", "torch.nn._resize"},
    {"pixel_unshuffle", "torch.nn._resize"},
    {"channel_shuffle", "torch.nn._resize"},
    {"rrelu", "torch._functional_names"},
    {"rrelu_", "torch._functional_names"},
    {"kl_div", "torch._functional_names"},
    {"margin_ranking_loss", "torch._functional_names"},
    {"hinge_embedding_loss", "torch._functional_names"},
    {"cosine_embedding_loss", "torch._functional_names"},
    {"triplet_margin_loss", "torch._functional_names"},
    {"poisson_nll_loss", "torch._functional_names"},
    {"binary_cross_entropy_with_logits", "torch._functional_names"},
    {"group_norm", "torch._functional_names"},
    {"instance_norm", "torch._functional_names"},
    {"alpha_dropout", "torch._functional_names"},
    {"feature_dropout", "torch._functional_names"},
    {"constant_pad_nd", "torch._functional_names"},
    {"empty_strided", "torch._functional_names"},
    {"clamp_min_", "torch._functional_names"},
    {"clamp_max_", "torch._functional_names"},
    {"is_signed", "torch._functional_names"},
    {"inverse", "torch.linalg._torch_names", Method::kPure},
    {"matrix_exp", "torch.linalg._torch_names", Method::kPure},
    {"orgqr", "torch.linalg._torch_names", Method::kPure},
    {"det", "torch.linalg._torch_names", Method::kPure},
    {"slogdet", "torch.linalg._torch_names", Method::kPure},
    {"logdet", "torch.linalg._torch_names", Method::kPure},
    {"svd", "torch.linalg._torch_names", Method::kPure},
    {"pinverse", "torch.linalg._torch_names", Method::kPure},
    {"cholesky_solve", "torch.linalg._torch_names", Method::kPure},
    {"cholesky_inverse", "torch.linalg._torch_names", Method::kPure},
    {"complex", "torch._complex._functions"},
    {"polar", "torch._complex._functions"},
    {"view_as_complex", "torch._complex._functions"},
    {"view_as_real", "torch._complex._functions"},
    {"real", "torch._complex._functions"},
    {"imag", "torch._complex._functions"},
    {"angle", "torch._complex._functions", Method::kPure},
    {"conj", "torch._complex._functions", Method::kPure},
    {"conj_physical", "torch._complex._functions", Method::kPure},
    {"resolve_conj", "torch._complex._functions", Method::kPure},
    {"is_conj", "torch._complex._functions", Method::kPure},
    {"sparse_coo_tensor", "torch.sparse"},
    {"spmm", "torch.sparse._operations"},
    {"to_sparse", "torch.sparse._operations", Method::kAlone},
    {"to_sparse_coo", "torch.sparse._operations", Method::kAlone},
    {"to_dense", "torch.sparse", Method::kAlone},
    {"stft", "torch._spectra", Method::kPure},
    {"istft", "torch._spectra", Method::kPure},
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
  const std::string_view name = call.function->signature.name;
  const auto* row = std::ranges::find(kFunctions, name, &LibraryFunction::name);
  Value function = name_in(in, row->file, name);
  if (function.is_undefined()) return Value();
  std::vector<Value> arguments = {call[0]};
  const auto& rest = call[1].as<TupleObject>()->items;
  arguments.insert(arguments.end(), rest.begin(), rest.end());
  return in.call_with_keywords(function, arguments, keyword_pairs(call[2]));
}

constexpr Effects kCalls{.pure = true, .reads_value = true, .calls_back = true};

constexpr size_t kNever = 99;
/// Which calls of an operator go to torch._forms: so many arguments by position, or one of those
/// keywords, or a tensor or a dtype behind the first.
enum class Second : uint8_t { kAny, kTensor, kDType };
struct OtherForm {
  std::string_view name;
  size_t positional;
  std::array<std::string_view, 3> keywords;
  size_t own_least = 0;  ///< arguments that the operator has in any case
  Second second = Second::kAny;
  bool only_functional = false;  ///< the one of torch.nn.functional
  size_t many = kNever;          ///< by position, or more than that, also beside keywords
};
constexpr OtherForm loss(std::string_view name, size_t many, std::string_view besides = {}) {
  return {name, kNever, {"size_average", "reduce", besides}, 0, Second::kAny, true, many};
}
constexpr OtherForm kForms[] = {
    {"where", 1, {}, 2},
    {"softmax", 1, {}, 2, Second::kAny, true},
    {"log_softmax", 1, {}, 2, Second::kAny, true},
    {"nonzero", 0, {"as_tuple", "out"}},
    {"relu", 2, {"inplace"}},
    {"relu6", 2, {"inplace"}},
    {"silu", 2, {"inplace"}},
    {"leaky_relu", 3, {"inplace"}},
    {"elu", 3, {"inplace"}},
    {"hardtanh", 4, {"inplace"}},
    {"hardswish", 2, {"inplace"}},
    {"hardsigmoid", 2, {"inplace"}},
    {"selu", 2, {"inplace"}},
    {"celu", 3, {"inplace"}},
    {"mish", 2, {"inplace"}},
    {"threshold", 4, {"inplace"}},
    {"dropout", 4, {"inplace"}},
    loss("mse_loss", 3, "weight"),
    loss("l1_loss", 3, "weight"),
    loss("smooth_l1_loss", 3),
    loss("binary_cross_entropy", 4),
    loss("binary_cross_entropy_with_logits", 4),
    loss("nll_loss", 4),
    loss("cross_entropy", 4),
    {"huber_loss", kNever, {"weight"}},
    {"repeat_interleave", 1, {"output_size"}, kNever, Second::kTensor},
    {"sort", kNever, {"stable"}},
    {"argsort", kNever, {"stable"}},
    {"view", kNever, {"dtype"}, 0, Second::kDType},
};

bool contains(std::span<StrObject* const> keywords, std::string_view name) {
  return std::ranges::any_of(keywords, [&](StrObject* keyword) { return keyword->view() == name; });
}

/// What takes the call of an operator that names a memory format.
Value formatted(Interpreter& in, std::string_view operator_name) {
  const Value forms = name_in(in, "torch._memory_format", "forms");
  const Value* form = forms.defined() ? forms.as<DictObject>()->find(operator_name) : nullptr;
  return form ? *form : Value();
}

}  // namespace

Value other_form(Interpreter& in, std::string_view operator_name, std::span<const Value> positional,
                 std::span<StrObject* const> keywords, bool is_functional) {
  if (contains(keywords, "memory_format")) return formatted(in, operator_name);
  for (const OtherForm& form : kForms) {
    if (form.name != operator_name || (form.only_functional && !is_functional)) continue;
    bool named = std::ranges::any_of(keywords, [&](StrObject* keyword) {
      return std::ranges::find(form.keywords, keyword->view()) != form.keywords.end();
    });
    bool counted = (positional.size() == form.positional && keywords.empty()) ||
                   positional.size() >= form.many;
    bool second = positional.size() > 1 && form.second != Second::kAny &&
                  (form.second == Second::kTensor ? positional[1].is(kTensorKind)
                                                  : dtype_of(positional[1]).has_value());
    return named || counted || second ? name_in(in, "torch._forms", form.name) : Value();
  }
  return Value();
}

std::optional<size_t> least_of_own_form(std::string_view operator_name) {
  for (const OtherForm& form : kForms)
    if (form.name == operator_name && form.own_least > 0) return form.own_least;
  return std::nullopt;
}

size_t most_by_position(std::string_view operator_name) {
  size_t most = std::numeric_limits<size_t>::max();
  for (const OtherForm& form : kForms)
    if (form.name == operator_name && form.only_functional) most = std::min(most, form.many - 1);
  return most;
}

Value library_function(Interpreter& in, std::string_view name) {
  for (const LibraryFunction& function : kFunctions)
    if (function.name == name) return name_in(in, function.file, name);
  return Value();
}

bool is_library_function(std::string_view name) {
  for (const LibraryFunction& function : kFunctions)
    if (function.name == name) return function.method != Method::kAlone;
  return false;
}

std::span<const LibraryFunction> library_functions() {
  return kFunctions;
}

void add_library_methods(Interpreter& in) {
  for (const LibraryFunction& function : kFunctions) {
    if (function.method == Method::kNone) continue;
    std::string signature = fmt::format("{}(self, *args, **kwargs)", function.name);
    const bool is_impure = function.method == Method::kDraws || function.method == Method::kAlone;
    Effects effects = is_impure ? kImpure : kCalls;
    NativeDefinition definition{signature, call_function, effects};
    in.add_methods(*in.classes().tensor, {&definition, 1});
  }
}

}  // namespace glint::runtime
