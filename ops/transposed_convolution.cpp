// Transposed convolutions: each element times weights, added where a convolution's window would
// have seen it.
//
//     transposed_convolution(x, w, b, stride=[2], padding=[1], output_padding=[1], ...)
//         out[n, o, p] = b[o] + sum over c, k with 2 * q + k - 1 = p of w[c, o, k] * x[n, c, q]
//
// This is how a gradient goes back through a convolution with the same windows, so it decomposes
// into that operator, and its own gradient into the convolution (V. Dumoulin, F. Visin, "A guide to
// convolution arithmetic for deep learning", 2016, section 4).
#include <fmt/format.h>

#include "ops/convolution_checks.h"
#include "ops/families.h"
#include "ops/gradient.h"
#include "ops/infer.h"
#include "ops/layout.h"
#include "ops/matrix.h"
#include "ops/samples.h"

namespace glint::ops {

namespace {

[[noreturn]] void refuse(const std::string& message) {
  throw OpError{"RuntimeError", message};
}

/// The call's numbers, one for each dimension that windows move in.
struct Windows {
  std::vector<SymInt> kernel, stride, padding, output_padding, dilation;
  SymInt groups = 1;

  Windows(const std::vector<SymInt>& weight, OpArguments arguments)
      : kernel(weight.begin() + 2, weight.end()),
        stride(as_ints(arguments[3])),
        padding(as_ints(arguments[4])),
        output_padding(as_ints(arguments[5])),
        dilation(as_ints(arguments[7])),
        groups(as_int(arguments[6])) {}

  size_t dims() const { return kernel.size(); }
  /// How large the result is without padding that only it has.
  SymInt least(const std::vector<SymInt>& x, size_t i) const {
    return (x[2 + i] - 1) * stride[i] - padding[i] * 2 + (kernel[i] - 1) * dilation[i] + 1;
  }
};

std::string by_direction(std::string_view what, const std::vector<SymInt>& numbers) {
  constexpr std::string_view kDirections[] = {"depth", "height", "width"};
  std::string text;
  // A signal is an image of one row.
  if (numbers.size() == 1)
    text = fmt::format(" {}_height: {}", what, what == "output_padding" ? 0 : 1);
  for (size_t i = 0; i < numbers.size(); ++i)
    text += fmt::format(" {}_{}: {}", what, kDirections[3 - numbers.size() + i], numbers[i].text());
  return text;
}

void check_numbers(const Windows& w) {
  check_window_numbers(w.padding, w.stride, w.dilation);
  if (std::ranges::any_of(w.output_padding, [](SymInt each) { return decide_less(each, 0); }))
    refuse("negative output_padding is not supported");
  if (decide_less(w.groups, 1)) refuse("non-positive groups is not supported");
  for (size_t i = 0; i < w.dims(); ++i)
    if (!decide_less(w.output_padding[i], w.stride[i]) &&
        !decide_less(w.output_padding[i], w.dilation[i]))
      refuse("output padding must be smaller than either stride or dilation, but got" +
             by_direction("output_padding", w.output_padding) + by_direction("stride", w.stride) +
             by_direction("dilation", w.dilation));
}

void check_channels(const Windows& w, const std::vector<SymInt>& x,
                    const std::vector<SymInt>& weight) {
  check_groups_of_weight(weight, w.groups);
  if (!decide_equal(x[1], weight[0]))
    refuse(
        fmt::format("Given transposed=1, weight of size {}, expected input{} to have {} channels, "
                    "but got {} channels instead",
                    ints_text(weight), ints_text(x), weight[0].text(), x[1].text()));
}

void check_result(const Windows& w, const std::vector<SymInt>& x) {
  std::string given, made;
  bool fits = true;
  for (size_t i = 0; i < w.dims(); ++i) {
    const SymInt size = w.least(x, i) + w.output_padding[i];
    given += (i == 0 ? "" : " x ") + x[2 + i].text();
    made += (i == 0 ? "" : " x ") + size.text();
    fits = fits && !decide_less(size, 1);
  }
  if (!fits)
    refuse(
        fmt::format("Given input size per channel: ({}). Calculated output size per channel: "
                    "({}). Output size is too small",
                    given, made));
}

void check_call(OpBuilder& b, OpArguments arguments, const Windows& w) {
  const auto x = b.sizes(arguments[0].tensor()), weight = b.sizes(arguments[1].tensor());
  check_numbers(w);
  check_channels(w, x, weight);
  const DType dtype = b.dtype(arguments[0].tensor()), other = b.dtype(arguments[1].tensor());
  if (dtype != other)
    refuse(fmt::format("expected scalar type {} but found {}", scalar_type_name(dtype),
                       scalar_type_name(other)));
  check_result(w, x);
  if (arguments[2].is_none()) return;
  const auto bias = b.sizes(arguments[2].tensor());
  const SymInt outputs = weight[1] * w.groups;
  if (bias.size() != 1 || !decide_equal(bias[0], outputs))
    refuse(
        fmt::format("Given transposed=1, weight of size {}, expected bias to be 1-dimensional with "
                    "{} elements, but got bias of size {} instead",
                    ints_text(weight), outputs.text(), ints_text(bias)));
}

/// transposed_convolution(input, weight, bias, stride, padding, output_padding, groups, dilation)
std::vector<OpValue> transposed_convolution(OpBuilder& b, OpArguments arguments) {
  const auto x = b.sizes(arguments[0].tensor()), weight = b.sizes(arguments[1].tensor());
  if (weight.size() < 3 || weight.size() > 5 || x.size() != weight.size())
    refuse(
        fmt::format("Expected {0}-dimensional input for {0}-dimensional weight {1}, but got "
                    "{2}-dimensional input of size {3} instead",
                    weight.size(), ints_text(weight), x.size(), ints_text(x)));
  const Windows w(weight, arguments);
  check_call(b, arguments, w);
  std::vector<SymInt> size = {x[0], weight[1] * w.groups}, beyond;
  for (size_t i = 0; i < w.dims(); ++i) {
    // As many as a convolution with these windows leaves unseen; what is more no element reaches.
    const SymInt padding = w.output_padding[i];
    const SymInt unseen = decide_less(padding, w.stride[i]) ? padding : w.stride[i] - 1;
    size.push_back(w.least(x, i) + unseen);
    beyond.insert(beyond.begin(), {SymInt(0), padding - unseen});
  }
  OpValue result = b.call("convolution_of_input", {arguments[0], arguments[1], size, arguments[3],
                                                   arguments[4], arguments[7], arguments[6]});
  if (std::ranges::any_of(beyond, [](SymInt each) { return !each.is(0); }))
    result = b.call("pad", {result, beyond});
  if (arguments[2].is_none()) return {result};
  std::vector<SymInt> by_channel = {size[1]};
  by_channel.resize(w.dims() + 1, SymInt(1));
  return {b.add(result, b.reshape(arguments[2].tensor(), by_channel))};
}

// ---- gradients ---------------------------------------------------------------------------------

/// Of the part of the result that elements reach.
OpValue reached(GradientCall& g) {
  OpValue gradient = g.out();
  const auto stride = as_ints(g["stride"]), padding = as_ints(g["output_padding"]);
  for (size_t i = 0; i < stride.size(); ++i) {
    if (decide_less(padding[i], stride[i])) continue;
    const auto dim = int64_t(2 + i);
    const SymInt beyond = padding[i] - (stride[i] - 1);
    gradient = g.b.call("narrow", {gradient, dim, 0, g.b.sizes(gradient)[size_t(dim)] - beyond});
  }
  return gradient;
}

OpValue input_gradient(GradientCall& g) {
  return g.b.call("convolution", {reached(g), g["weight"], nullptr, g["stride"], g["padding"],
                                  g["dilation"], false, 0, g["groups"]});
}

OpValue weight_gradient(GradientCall& g) {
  return g.b.call("convolution_of_weight", {g["input"], reached(g), OpArgument(g.sizes("weight")),
                                            g["stride"], g["padding"], g["dilation"], g["groups"]});
}

// ---- samples -----------------------------------------------------------------------------------

std::vector<Sample> samples_of(const OpEntry& entry) {
  using Sizes = std::vector<SymInt>;
  std::vector<Sample> samples;
  struct Form {
    int64_t stride, padding, output_padding, dilation, groups;
  };
  for (const Form& f : {Form{1, 0, 0, 1, 1}, {2, 1, 1, 1, 1}, {1, 1, 1, 2, 1}, {3, 1, 2, 1, 2}}) {
    samples.push_back({{sample_tensor({2, 4, 5}), sample_tensor({4, 3, 3}),
                        sample_tensor({3 * f.groups}), Sizes{f.stride}, Sizes{f.padding},
                        Sizes{f.output_padding}, f.groups, Sizes{f.dilation}}});
    samples.push_back({{sample_tensor({1, 4, 3, 4}), sample_tensor({4, 2, 2, 3}), nullptr,
                        Sizes{f.stride, f.stride}, Sizes{f.padding, 0}, Sizes{0, f.output_padding},
                        f.groups, Sizes{f.dilation, f.dilation}}});
  }
  samples.push_back(
      {{sample_tensor({1, 2, 2, 3, 2}), sample_tensor({2, 2, 2, 2, 2}), sample_tensor({2}),
        Sizes{2, 1, 2}, Sizes{1, 0, 1}, Sizes{1, 0, 0}, 1, Sizes{1, 1, 1}}});
  return samples;
}

constexpr OpEntry kEntries[] = {
    {
        .name = "transposed_convolution",
        .signature =
            "transposed_convolution(input: Tensor, weight: Tensor, bias: Tensor | None, stride: "
            "Size, padding: Size, output_padding: Size, groups: int, dilation: Size) -> Tensor",
        .torch = "_transposed_convolution",
        .doc = "Each element of a signal, an image or a volume times weights, added where a "
               "convolution's window would have seen it.",
        .decomposition = transposed_convolution,
        .gradients = {{"input", "weight", input_gradient},
                      {"weight", "input", weight_gradient},
                      {"bias", "", convolution_bias_gradient}},
        .grad_name = "ConvolutionBackward0",
        .tolerance = kProducts,
        .samples = samples_of,
    },
};

static_assert(complete(kEntries));

}  // namespace

std::span<const OpEntry> transposed_convolution_entries() {
  return kEntries;
}

}  // namespace glint::ops
