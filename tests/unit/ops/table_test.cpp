// The table of operators checks itself: every entry is complete, its samples meet every kind of
// tensor, inference agrees with results, and decompositions agree with eager kernels.
#include <catch2/catch.hpp>

#include <cmath>
#include <cstring>
#include <map>

#include <fmt/format.h>

#include "core/tensor/copy.h"
#include "core/tensor/generator.h"
#include "core/tensor/views.h"
#include "describe_call.h"
#include "ops/call.h"
#include "ops/forms.h"
#include "ops/infer.h"
#include "ops/sample_kinds.h"
#include "ops/samples.h"

namespace glint::ops {
namespace {

std::vector<InferArgument> types_of(const std::vector<Argument>& arguments) {
  std::vector<InferArgument> types = infer_arguments(arguments);
  return types;
}

double element(const Tensor& x, int64_t i) {
  double value = 0;
  visit_dtype(x.dtype(), [&]<class T>() { value = convert_element<double>(x.data<T>()[i]); });
  return value;
}

/// The first difference beyond the tolerance, in words; empty if there is none.
std::string difference(const Tensor& got, const Tensor& wanted, const Tolerance& tolerance) {
  if (got.dtype() != wanted.dtype()) return "dtype";
  if (!same_dims(got.sizes(), wanted.sizes())) return "sizes";
  Tensor a = contiguous(got), b = contiguous(wanted);
  // A bfloat16 step is rounded once in a kernel and several times in a decomposition.
  double factor = a.element_size() == 2 ? 4000.0 : 1.0;
  for (int64_t i = 0; i < a.numel(); ++i) {
    double x = element(a, i), y = element(b, i);
    if (x == y || (std::isnan(x) && std::isnan(y))) continue;
    if (std::abs(x - y) <= factor * (tolerance.absolute + tolerance.relative * std::abs(y)))
      continue;
    return fmt::format("element {}: {} against {}", i, x, y);
  }
  return "";
}

TEST_CASE("every entry is complete", "[ops]") {
  for (const OpEntry& entry : op_table()) {
    INFO(entry.name);
    CHECK(std::strlen(entry.doc) > 0);
    CHECK_NOTHROW(signature(entry));
    CHECK(signature(entry).parameters.size() <= BoundArguments::kMost);
    if (entry.functional_form) continue;
    CHECK(!entry.samples(entry).empty());
    for (const auto& parameter : signature(entry).parameters) CHECK(parameter.types != 0);
  }
}

TEST_CASE("what an entry names is there", "[ops]") {
  for (const OpEntry& entry : op_table()) {
    INFO(entry.name);
    for (const VaryingNumber& number : entry.numbers.vary) {
      if (!number.parameter) continue;
      CHECK(signature(entry).find(number.parameter));
      if (number.floating) CHECK(signature(entry).find(number.floating));
    }
    const auto* view = entry.lowers_to<View>();
    if (view && view->back == WayBack::kScatter) CHECK(find_op(view->scatter));
  }
}

TEST_CASE("inference agrees with results", "[ops]") {
  for (const OpEntry& entry : op_table()) {
    if (entry.functional_form || entry.effects.data_dependent) continue;
    for (const Sample& sample : every_sample(entry)) {
      INFO(describe(entry, sample.arguments));
      try {
        auto types = infer(entry, types_of(sample.arguments));
        Outputs outputs = call_eager(entry, sample.arguments);
        REQUIRE(outputs.size() == types.size());
        for (size_t i = 0; i < types.size(); ++i) {
          TensorType got = type_of(outputs[i]);
          CHECK(got.dtype == types[i].dtype);
          CHECK(got.sizes == types[i].sizes);
          if (outputs[i].numel() > 0) CHECK(got.text() == types[i].text());
        }
      } catch (const OpError& error) {
        FAIL(error.exception << ": " << error.message);
      }
    }
  }
}

TEST_CASE("decompositions agree with eager kernels", "[ops]") {
  for (const OpEntry& entry : op_table()) {
    if (entry.functional_form || !entry.eager || !entry.decomposition) continue;
    for (const Sample& sample : every_sample(entry)) {
      INFO(describe(entry, sample.arguments));
      std::vector<OpArgument> converted;
      for (const Argument& argument : sample.arguments)
        converted.push_back(map_argument<OpValue>(argument, eager_value));
      auto values = entry.decomposition(eager_builder(), converted);
      // A decomposition leaves to the lowering what that covers.
      if (values.empty() && kind(entry) != OpKind::kComposite) continue;
      Outputs outputs = call_eager(entry, sample.arguments);
      REQUIRE(values.size() == outputs.size());
      for (size_t i = 0; i < values.size(); ++i)
        CHECK(difference(outputs[i], eager_tensor(values[i]), entry.tolerance) == "");
    }
  }
}

TEST_CASE("in-place forms agree with functional ones", "[ops]") {
  for (const OpEntry& entry : op_table()) {
    if (!entry.functional_form || entry.infer != infer_in_place || entry.effects.random) continue;
    const OpEntry& functional = *entry.functional_form;
    for (const Sample& sample : functional.samples(functional)) {
      INFO(describe(entry, sample.arguments));
      const Tensor* input = sample.arguments[0].get_if<Tensor>();
      if (!input || repeats_elements(*input)) continue;
      Tensor wanted = call_eager_one(functional, sample.arguments);
      if (!same_dims(wanted.sizes(), input->sizes()) || wanted.dtype() != input->dtype()) continue;
      std::vector<Argument> arguments = sample.arguments;
      Tensor target = clone(*input);
      arguments[0] = target;
      for (size_t i = 1; i < arguments.size(); ++i)
        if (arguments[i].is_value() && arguments[i].tensor().is_same(*input)) arguments[i] = target;
      uint32_t version = target.version();
      Tensor got = call_eager_one(entry, arguments);
      CHECK(got.is_same(target));
      CHECK(target.version() > version);
      CHECK(difference(got, wanted, {0, 0}) == "");
    }
  }
}

TEST_CASE("an operator that reads only a type gives the same for other elements", "[ops]") {
  for (const OpEntry& entry : op_table()) {
    INFO(entry.name);
    bool named_so = std::string_view(entry.name).ends_with("_like");
    if (named_so) CHECK(entry.reads_only_type);
    if (!entry.reads_only_type || entry.functional_form || entry.effects.random) continue;
    if (std::string_view(entry.name) == "empty_like") continue;  // elements as they lie there
    for (const Sample& sample : every_sample(entry)) {
      INFO(describe(entry, sample.arguments));
      std::vector<Argument> others = sample.arguments;
      others[0] = call_eager_one(*find_op("logical_not"), {&others[0], 1});
      others[0] = call_eager_one(
          *find_op("to"), std::vector<Argument>{others[0], sample.arguments[0].tensor().dtype()});
      Tensor wanted = call_eager_one(entry, sample.arguments);
      CHECK(difference(call_eager_one(entry, others), wanted, {0, 0}) == "");
    }
  }
}

/// The operators that have no use for a kind of tensor, or refuse it.
struct Exempt {
  std::string_view kinds, because, operators;
};
constexpr Exempt kExempt[] = {
    {"zero_dim", "it works along a dimension, or takes rows and columns",
     "tril triu unflatten select slice narrow diagonal split chunk unbind cat slice_scatter "
     "diagonal_scatter mm mm_epilogue bmm matmul mv dot outer baddbmm linear cdist layer_norm "
     "rms_norm trace vdot cross diagonal_copy diag_embed batch_norm batch_norm_backward "
     "batch_norm_known group_norm group_norm_backward "
     "glu convolution convolution_of_input convolution_of_weight transposed_convolution max_pool "
     "max_pool_of_input window_sum window_sum_of_input fft_c2c fft_r2c fft_c2r "
     "lstm_layer lstm_layer_backward attention attention_backward resample resample_of_input"},
    {"zero_dim", "there is nothing in it to choose among",
     "index index_add index_copy index_reduce"},
    {"empty", "the greatest of nothing is an error", "max_all min_all median_all"},
    {"special", "what is no probability is refused", "binary_cross_entropy"},
    {"empty", "its sizes are arguments", "as_strided"},
    {"overlapping special", "it reads the type alone", "new_zeros new_ones new_empty"},
    {"special", "it reads the type alone", "new_full"},
    {"empty size_one strided overlapping special", "the result is random",
     "bernoulli geometric standard_gamma poisson binomial"},
    {"zero_dim empty size_one strided overlapping special", "it writes its own tensor", "resize_"},
};

bool has_word(std::string_view words, std::string_view word) {
  return fmt::format(" {} ", words).find(fmt::format(" {} ", word)) != std::string::npos;
}

bool is_exempt(std::string_view kind, std::string_view name) {
  return std::ranges::any_of(kExempt, [&](const Exempt& exempt) {
    return has_word(exempt.kinds, kind) && has_word(exempt.operators, name);
  });
}

TEST_CASE("samples meet every kind of tensor", "[ops]") {
  std::map<std::string, std::string> lacking;
  for (const OpEntry& entry : op_table()) {
    if (entry.functional_form) continue;
    const SampleKinds seen = kinds_of(every_sample(entry));
    if (!seen.tensors) continue;  // it makes tensors of numbers
    const bool binary = entry.lowers_to<Pointwise>() && operand_count(entry) > 1;
    const std::pair<std::string_view, bool> kinds[] = {
        {"zero_dim", seen.zero_dim},
        {"empty", seen.empty},
        {"size_one", seen.size_one},
        {"broadcast", seen.broadcast || !binary},
        {"strided", seen.strided},
        {"overlapping", seen.overlapping},
        {"special", seen.has_special_values() || !seen.floating}};
    for (const auto& [kind, is_seen] : kinds)
      if (is_seen == is_exempt(kind, entry.name))
        lacking[std::string(kind)] += fmt::format(" {}{}", is_seen ? "(has) " : "", entry.name);
  }
  for (const auto& [kind, names] : lacking) FAIL_CHECK(kind << ":" << names);
}

}  // namespace
}  // namespace glint::ops
