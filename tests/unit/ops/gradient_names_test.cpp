// The names of `grad_fn`, against what PyTorch prints for the same calls: an operator with rules
// has the name that its entry says, a composite that of the operator that makes its result.
#include <catch2/catch.hpp>

#include <algorithm>
#include <map>

#include "core/tensor/copy.h"
#include "core/tensor/views.h"
#include "ops/call.h"
#include "ops/gradient.h"
#include "ops/infer.h"
#include "ops/samples.h"

namespace glint::ops {
namespace {

/// Runs at once, composites without rules operator by operator, and notes which operator made each
/// tensor that depends on a tracked one.
class NameRecorder final : public OpBuilder {
 public:
  std::vector<OpValue> call_all(std::string_view target, std::vector<OpArgument> positional,
                                std::vector<OpNamedArgument> named) override {
    const OpEntry& entry = *find_op(target);
    return run(entry, complete_arguments(entry, std::move(positional), named));
  }
  TensorType type(const OpValue& value) override { return eager_builder().type(value); }

  std::vector<OpValue> run(const OpEntry& entry, std::vector<OpArgument> arguments) {
    if (!has_gradients(entry) && entry.decomposition) {
      auto values = entry.decomposition(*this, arguments);
      if (!values.empty()) return values;
    }
    bool tracked = false;
    std::vector<Argument> eager;
    for (const OpArgument& argument : arguments)
      eager.push_back(map_argument<Tensor>(argument, [&](const OpValue& value) {
        tracked = tracked || names_.contains(value.object.get());
        return eager_tensor(value);
      }));
    Outputs outputs = call_eager(entry, eager);
    std::vector<OpValue> values;
    for (size_t i = 0; i < outputs.size(); ++i) {
      values.push_back(eager_value(outputs[i]));
      kept_.push_back(values.back());
      if (tracked && has_gradients(entry) && is_floating(outputs[i].dtype()))
        names_.try_emplace(values[i].object.get(), gradient_name(entry, saved_of(entry, eager)));
    }
    return values;
  }

  void track(const OpValue& value) { names_[value.object.get()] = "None"; }
  std::string name_of(const OpValue& value) { return names_[value.object.get()]; }

 private:
  /// What a record keeps of the arguments: tensors that no rule reads are undefined.
  static std::vector<Argument> saved_of(const OpEntry& entry, std::vector<Argument> arguments) {
    const auto& parameters = signature(entry).parameters;
    for (size_t i = 0; i < arguments.size(); ++i) {
      bool saved = std::ranges::any_of(entry.gradients, [&](const InputGradient& gradient) {
        return gradient.rule && saves(gradient, parameters[i].name);
      });
      if (!saved) for_each_value(arguments[i], [](Tensor& tensor) { tensor = Tensor(); });
    }
    return arguments;
  }

  std::map<const RefCounted*, std::string> names_;
  std::vector<OpValue> kept_;
};

/// The name of the last operator of a call whose floating tensors all require gradients.
std::string recorded_name(const char* name, const std::vector<Argument>& given) {
  const OpEntry& entry = *find_op(name);
  NameRecorder recorder;
  std::vector<OpArgument> arguments;
  for (const Argument& argument : complete_arguments<Tensor>(entry, given, {}))
    arguments.push_back(map_argument<OpValue>(argument, [&](const Tensor& x) {
      OpValue value = eager_value(x);
      if (is_floating(x.dtype())) recorder.track(value);
      return value;
    }));
  return recorder.name_of(recorder.run(entry, arguments)[0]);
}

struct Named {
  const char* name;
  std::vector<Argument> arguments;
  const char* wanted;
};

void check_names(const std::vector<Named>& calls) {
  for (const Named& call : calls) {
    INFO(call.name);
    CHECK(recorded_name(call.name, call.arguments) == call.wanted);
  }
}

Tensor x() {
  return sample_tensor({3, 4});
}
Argument size_of(std::initializer_list<int64_t> values) {
  Argument::List list;
  for (int64_t value : values) list.push_back(value);
  return Argument(list);
}
Tensor indices(std::initializer_list<int64_t> sizes) {
  return Tensor::zeros(sizes, DType::kInt64);
}
Tensor mask() {
  return Tensor::full({3, 4}, true, DType::kBool);
}

TEST_CASE("grad_fn of elementwise operators", "[ops][gradient]") {
  const std::pair<const char*, const char*> plain[] = {
      {"negative", "NegBackward0"},
      {"abs", "AbsBackward0"},
      {"sign", "SignBackward0"},
      {"square", "PowBackward0"},
      {"reciprocal", "ReciprocalBackward0"},
      {"exp", "ExpBackward0"},
      {"exp2", "Exp2Backward0"},
      {"expm1", "Expm1Backward0"},
      {"log", "LogBackward0"},
      {"log2", "Log2Backward0"},
      {"log10", "Log10Backward0"},
      {"log1p", "Log1PBackward0"},
      {"sqrt", "SqrtBackward0"},
      {"rsqrt", "RsqrtBackward0"},
      {"sin", "SinBackward0"},
      {"cos", "CosBackward0"},
      {"tan", "TanBackward0"},
      {"asin", "AsinBackward0"},
      {"acos", "AcosBackward0"},
      {"atan", "AtanBackward0"},
      {"sinh", "SinhBackward0"},
      {"cosh", "CoshBackward0"},
      {"tanh", "TanhBackward0"},
      {"sigmoid", "SigmoidBackward0"},
      {"erf", "ErfBackward0"},
      {"erfc", "ErfcBackward0"},
      {"erfinv", "ErfinvBackward0"},
      {"asinh", "AsinhBackward0"},
      {"acosh", "AcoshBackward0"},
      {"atanh", "AtanhBackward0"},
      {"lgamma", "LgammaBackward0"},
      {"digamma", "DigammaBackward0"},
      {"cauchy", "CauchyBackward0"},
      {"log_normal", "LogNormalBackward0"},
      {"floor", "FloorBackward0"},
      {"ceil", "CeilBackward0"},
      {"trunc", "TruncBackward0"},
      {"round", "RoundBackward0"},
      {"relu", "ReluBackward0"},
      {"relu6", "HardtanhBackward0"},
      {"gelu", "GeluBackward0"},
      {"silu", "SiluBackward0"},
      {"softplus", "SoftplusBackward0"},
      {"leaky_relu", "LeakyReluBackward0"},
      {"elu", "EluBackward0"},
      {"log_sigmoid", "LogSigmoidBackward0"},
      {"hardtanh", "HardtanhBackward0"},
      {"tril", "TrilBackward0"},
      {"triu", "TriuBackward0"},
      {"clone", "CloneBackward0"},
      {"bernoulli_fill", "BernoulliBackward2"},
      {"uniform", "UniformBackward0"},
      {"normal", "NormalBackward0"},
      {"exponential", "ExponentialBackward0"},
      {"zero", "ZeroBackward0"},
      {"dropout", "MulBackward0"},
  };
  for (const auto& [name, wanted] : plain) check_names({{name, {x()}, wanted}});
  check_names({
      {"round", {x(), 2}, "RoundBackward1"},
      {"add", {x(), x()}, "AddBackward0"},
      {"add", {x(), 2}, "AddBackward0"},
      {"subtract", {x(), x()}, "SubBackward0"},
      {"subtract", {2, x()}, "RsubBackward1"},
      {"multiply", {x(), 2}, "MulBackward0"},
      {"divide", {x(), x()}, "DivBackward0"},
      {"divide", {1, x()}, "MulBackward0"},
      {"divide", {x(), x(), "floor"}, "DivBackward2"},
      {"remainder", {x(), x()}, "RemainderBackward1"},
      {"fmod", {x(), x()}, "FmodBackward1"},
      {"power", {x(), 2}, "PowBackward0"},
      {"power", {x(), 0.5}, "PowBackward0"},
      {"power", {x(), x()}, "PowBackward1"},
      {"power", {2, x()}, "PowBackward2"},
      {"maximum", {x(), x()}, "MaximumBackward0"},
      {"minimum", {x(), x()}, "MinimumBackward0"},
      {"atan2", {x(), x()}, "Atan2Backward0"},
      {"where", {mask(), x(), x()}, "WhereBackward0"},
      {"where_method", {x(), mask(), 0}, "WhereBackward0"},
      {"clamp", {x(), 0, 1}, "ClampBackward1"},
      {"clamp", {x(), x(), x()}, "ClampBackward0"},
      {"clamp_min", {x(), 0}, "ClampMinBackward0"},
      {"clamp_min", {x(), x()}, "ClampMinBackward1"},
      {"clamp_max", {x(), 0}, "ClampMaxBackward0"},
      {"clamp_max", {x(), x()}, "ClampMaxBackward1"},
      {"lerp", {x(), x(), 0.5}, "LerpBackward0"},
      {"lerp", {x(), x(), x()}, "LerpBackward1"},
      {"addcmul", {x(), x(), x()}, "AddcmulBackward0"},
      {"addcdiv", {x(), x(), x()}, "AddcdivBackward0"},
      {"masked_fill", {x(), mask(), 1}, "MaskedFillBackward0"},
      {"masked_fill", {x(), mask(), sample_tensor({})}, "MaskedFillBackward1"},
      {"fill", {x(), 1}, "FillBackward2"},
      {"copy_from", {x(), x()}, "CopyBackwards"},
      {"to", {x(), DType::kFloat64}, "ToCopyBackward0"},
      {"to_float64", {x()}, "ToCopyBackward0"},
      {"type_as", {x(), sample_tensor({1}, DType::kFloat64)}, "ToCopyBackward0"},
  });
}

TEST_CASE("grad_fn of reductions", "[ops][gradient]") {
  check_names({
      {"sum", {x()}, "SumBackward0"},
      {"sum", {x(), 0}, "SumBackward1"},
      {"prod", {x()}, "ProdBackward0"},
      {"prod", {x(), 0}, "ProdBackward1"},
      {"mean", {x()}, "MeanBackward0"},
      {"mean", {x(), 0}, "MeanBackward1"},
      {"amax", {x()}, "AmaxBackward0"},
      {"amin", {x(), 0}, "AminBackward0"},
      {"max", {x()}, "MaxBackward1"},
      {"max", {x(), 0}, "MaxBackward0"},
      {"max", {x(), x()}, "MaximumBackward0"},
      {"min", {x()}, "MinBackward1"},
      {"min", {x(), 0}, "MinBackward0"},
      {"min", {x(), x()}, "MinimumBackward0"},
      {"var", {x()}, "VarBackward0"},
      {"std", {x()}, "StdBackward0"},
      {"norm", {x()}, "LinalgVectorNormBackward0"},
      {"norm", {x(), 1, 0}, "LinalgVectorNormBackward0"},
      {"logsumexp", {x(), 0}, "LogsumexpBackward0"},
      {"cumsum", {x(), 0}, "CumsumBackward0"},
      {"cumprod", {x(), 0}, "CumprodBackward0"},
      {"softmax", {x(), 0}, "SoftmaxBackward0"},
      {"log_softmax", {x(), 0}, "LogSoftmaxBackward0"},
      {"layer_norm", {x(), size_of({4})}, "NativeLayerNormBackward0"},
      {"rms_norm", {x(), size_of({4})}, "MulBackward0"},
      {"sort", {x()}, "SortBackward0"},
      {"topk", {x(), 2}, "TopkBackward0"},
  });
}

TEST_CASE("grad_fn of views and shapes", "[ops][gradient]") {
  Tensor turned = transpose(x(), 0, 1), row = sample_tensor({1, 3});
  Argument list{Argument::List{x(), x()}};
  check_names({
      {"permute", {x(), size_of({1, 0})}, "PermuteBackward0"},
      {"transpose", {x(), 0, 1}, "TransposeBackward0"},
      {"t", {x()}, "TBackward0"},
      {"movedim", {x(), 0, 1}, "PermuteBackward0"},
      {"reshape", {x(), size_of({4, 3})}, "ViewBackward0"},
      {"view", {x(), size_of({12})}, "ViewBackward0"},
      {"flatten", {x()}, "ViewBackward0"},
      {"ravel", {turned}, "ViewBackward0"},
      {"unflatten", {x(), 1, size_of({2, 2})}, "ViewBackward0"},
      {"squeeze", {row}, "SqueezeBackward0"},
      {"squeeze", {row, 0}, "SqueezeBackward1"},
      {"squeeze", {row, size_of({0})}, "SqueezeBackward2"},
      {"unsqueeze", {x(), 0}, "UnsqueezeBackward0"},
      {"expand", {x(), size_of({2, 3, 4})}, "ExpandBackward0"},
      {"broadcast_to", {x(), size_of({2, 3, 4})}, "ExpandBackward0"},
      {"expand_as", {row, sample_tensor({2, 3})}, "ExpandBackward0"},
      {"view_as", {x(), sample_tensor({12})}, "ViewBackward0"},
      {"reshape_as", {x(), sample_tensor({12})}, "ViewBackward0"},
      {"select", {x(), 0, 1}, "SelectBackward0"},
      {"slice", {x(), 0, 1}, "SliceBackward0"},
      {"narrow", {x(), 0, 1, 1}, "SliceBackward0"},
      {"diagonal", {x()}, "DiagonalBackward0"},
      {"alias", {x()}, "AliasBackward0"},
      {"split", {x(), 2}, "SplitBackward0"},
      {"split", {x(), size_of({1, 2})}, "SplitWithSizesBackward0"},
      {"chunk", {x(), 2}, "SplitBackward0"},
      {"unbind", {x()}, "UnbindBackward0"},
      {"repeat", {x(), size_of({2, 2})}, "RepeatBackward0"},
      {"tile", {x(), size_of({2})}, "RepeatBackward0"},
      {"repeat_interleave", {x(), 2, 0}, "ViewBackward0"},
      {"flip", {x(), size_of({0})}, "FlipBackward0"},
      {"roll", {x(), 1, 0}, "RollBackward0"},
      {"contiguous", {turned}, "CloneBackward0"},
      {"cat", {list}, "CatBackward0"},
      {"stack", {list}, "StackBackward0"},
      {"hstack", {list}, "CatBackward0"},
      {"vstack", {list}, "CatBackward0"},
  });
}

TEST_CASE("grad_fn of reading and writing by index", "[ops][gradient]") {
  Tensor places = indices({3, 4}), one = indices({1}), row = sample_tensor({1, 4});
  Argument list{Argument::List{one}};
  check_names({
      {"gather", {x(), 1, places}, "GatherBackward0"},
      {"index_select", {x(), 0, one}, "IndexSelectBackward0"},
      {"embedding", {one, x()}, "EmbeddingBackward0"},
      {"index", {x(), list}, "IndexBackward0"},
      {"scatter", {x(), 1, places, x()}, "ScatterBackward0"},
      {"scatter", {x(), 1, places, 1.0}, "ScatterBackward1"},
      {"scatter_add", {x(), 1, places, x()}, "ScatterAddBackward0"},
      {"masked_select", {x(), mask()}, "MaskedSelectBackward0"},
      {"index_add", {x(), 0, one, row}, "IndexAddBackward0"},
      {"index_copy", {x(), 0, one, row}, "IndexCopyBackward0"},
      {"index_put", {x(), list, row}, "IndexPutBackward0"},
      {"select_scatter", {x(), sample_tensor({4}), 0, 0}, "SelectScatterBackward0"},
      {"slice_scatter", {x(), row, 0, 0, 1}, "SliceScatterBackward0"},
      {"diagonal_scatter", {x(), sample_tensor({3})}, "DiagonalScatterBackward0"},
      {"masked_scatter", {x(), mask(), x()}, "MaskedScatterBackward0"},
  });
}

TEST_CASE("grad_fn of products", "[ops][gradient]") {
  auto of = [](std::initializer_list<int64_t> sizes) { return sample_tensor(sizes); };
  Tensor strided = transpose(of({3, 2, 4}), 0, 1);
  check_names({
      {"mm", {of({3, 4}), of({4, 5})}, "MmBackward0"},
      {"bmm", {of({2, 3, 4}), of({2, 4, 5})}, "BmmBackward0"},
      {"mv", {of({3, 4}), of({4})}, "MvBackward0"},
      {"dot", {of({4}), of({4})}, "DotBackward0"},
      {"outer", {of({3}), of({4})}, "MulBackward0"},
      {"addmm", {of({5}), of({3, 4}), of({4, 5})}, "AddmmBackward0"},
      {"baddbmm", {of({2, 3, 5}), of({2, 3, 4}), of({2, 4, 5})}, "BaddbmmBackward0"},
      {"matmul", {of({3, 4}), of({4, 5})}, "MmBackward0"},
      {"matmul", {of({4}), of({4})}, "DotBackward0"},
      {"matmul", {of({3, 4}), of({4})}, "MvBackward0"},
      {"matmul", {of({2, 3, 4}), of({4, 5})}, "UnsafeViewBackward0"},
      {"matmul", {of({2, 3, 4}), of({2, 4, 5})}, "UnsafeViewBackward0"},
      {"matmul", {of({2, 1, 3, 4}), of({3, 4, 5})}, "UnsafeViewBackward0"},
      {"linear", {of({3, 4}), of({5, 4}), of({5})}, "AddmmBackward0"},
      {"linear", {of({3, 4}), of({5, 4})}, "MmBackward0"},
      {"linear", {of({4}), of({5, 4}), of({5})}, "UnsafeViewBackward0"},
      {"linear", {of({2, 3, 4}), of({5, 4}), of({5})}, "UnsafeViewBackward0"},
      {"linear", {of({2, 3, 4}), of({5, 4})}, "UnsafeViewBackward0"},
      {"linear", {strided, of({5, 4}), of({5})}, "AddBackward0"},
  });
}

TEST_CASE("grad_fn of losses", "[ops][gradient]") {
  Tensor p = Tensor::full({3, 4}, 0.5, DType::kFloat32);
  check_names({
      {"mse_loss", {x(), x()}, "MseLossBackward0"},
      {"l1_loss", {x(), x()}, "MeanBackward0"},
      {"l1_loss", {x(), x(), "none"}, "AbsBackward0"},
      {"l1_loss", {x(), x(), "sum"}, "SumBackward0"},
      {"smooth_l1_loss", {x(), x()}, "SmoothL1LossBackward0"},
      {"binary_cross_entropy", {p, p}, "BinaryCrossEntropyBackward0"},
      {"binary_cross_entropy_with_logits", {x(), p}, "BinaryCrossEntropyWithLogitsBackward0"},
      {"nll_loss", {x(), indices({3})}, "NllLossBackward0"},
      {"nll_loss", {sample_tensor({2, 3, 4}), indices({2, 4})}, "NllLoss2DBackward0"},
      {"cross_entropy", {x(), indices({3})}, "NllLossBackward0"},
      {"cross_entropy", {sample_tensor({2, 3, 4}), indices({2, 4})}, "NllLoss2DBackward0"},
  });
}

TEST_CASE("only what has rules has a name", "[ops][gradient]") {
  for (const OpEntry& entry : op_table()) {
    if (entry.functional_form || has_gradients(entry)) continue;
    INFO(entry.name);
    CHECK(std::string_view(entry.grad_name).empty());
    CHECK(entry.grad_name_of == nullptr);
  }
}

}  // namespace
}  // namespace glint::ops
