// Convolutions: sums over windows of a signal, an image or a volume, times weights.
//
//     convolution(x, w, b, stride=[2], padding=[1], dilation=[1], ...)
//         out[n, o, p] = b[o] + sum over c, k of w[o, c, k] * x[n, c, 2 * p + k - 1]
//
// A window is a view (`unfold`), so a convolution is one product over all of them: a row for each
// window, a column for each output channel. Its gradients are products over the same rows: that of
// the weights has the windows as a factor, that of the input adds each window's gradient where the
// window was seen. These are operators of their own, which a library may compute as a whole, and
// each is linear in both its tensors, so that their gradients are the three operators again.
#include <fmt/format.h>

#include "ops/convolution_call.h"
#include "ops/convolution_checks.h"
#include "ops/families.h"
#include "ops/gradient.h"
#include "ops/infer.h"
#include "ops/layout.h"
#include "ops/matrix.h"
#include "ops/samples.h"

namespace glint::ops {

void check_window_numbers(std::span<const SymInt> padding, std::span<const SymInt> stride,
                          std::span<const SymInt> dilation) {
  const auto any = [](std::span<const SymInt> numbers, int64_t least) {
    return std::ranges::any_of(numbers, [&](SymInt each) { return decide_less(each, least); });
  };
  if (any(padding, 0)) throw OpError{"RuntimeError", "negative padding is not supported"};
  if (any(stride, 1)) throw OpError{"RuntimeError", "non-positive stride is not supported"};
  if (any(dilation, 1))
    throw OpError{"RuntimeError",
                  fmt::format("dilation should be greater than zero, but got {}",
                              ints_text(std::vector<SymInt>(dilation.begin(), dilation.end())))};
}

void check_groups_of_weight(const std::vector<SymInt>& weight, SymInt groups) {
  if (decide_equal(weight[0], floor_divide(weight[0], groups) * groups)) return;
  throw OpError{
      "RuntimeError",
      fmt::format("Given groups={0}, expected weight to be divisible by {0} at dimension 0, but "
                  "got weight of size [{1}] instead",
                  groups.text(), ints_text(weight))};
}

OpValue convolution_bias_gradient(GradientCall& g) {
  std::vector<SymInt> dims = {0};
  for (size_t i = 2; i < g.b.rank(g.out()); ++i) dims.push_back(SymInt(i));
  return g.b.sum(g.out(), dims);
}

namespace {

/// A list with one number for each dimension that windows move in.
std::vector<SymInt> for_each_dim(const OpArgument& given, size_t count, std::string_view name) {
  std::vector<SymInt> numbers = as_ints(given);
  if (numbers.size() == 1) numbers.resize(count, numbers[0]);
  if (numbers.size() != count)
    throw OpError{
        "RuntimeError",
        fmt::format("expected {0} to be a single integer value or a list of {1} values to "
                    "match the convolution dimensions, but got {0}={2}",
                    name, count, ints_text(numbers))};
  return numbers;
}

/// How windows lie over an input of [n, channels, sizes...].
struct Windows {
  size_t dims = 0;  ///< that they move in
  std::vector<SymInt> kernel, stride, padding, dilation;
  SymInt groups = 1;

  Windows(std::vector<SymInt> of_weight, OpArguments rest)
      : dims(of_weight.size() - 2), kernel(of_weight.begin() + 2, of_weight.end()) {
    stride = for_each_dim(rest[0], dims, "stride");
    padding = for_each_dim(rest[1], dims, "padding");
    dilation = for_each_dim(rest[2], dims, "dilation");
    groups = as_int(rest[3]);
  }
  /// How far a window reaches in a dimension.
  SymInt reach(size_t i) const { return (kernel[i] - 1) * dilation[i] + 1; }
  SymInt padded(const std::vector<SymInt>& input, size_t i) const {
    return input[2 + i] + padding[i] * 2;
  }
  SymInt places(const std::vector<SymInt>& input, size_t i) const {
    return floor_divide(padded(input, i) - reach(i), stride[i]) + 1;
  }
  /// The padding as `pad` takes it: the last dimension first.
  std::vector<SymInt> ends() const {
    std::vector<SymInt> ends;
    for (size_t i = dims; i-- > 0;) ends.insert(ends.end(), {padding[i], padding[i]});
    return ends;
  }
};

std::string sizes_by_x(const std::vector<SymInt>& sizes) {
  std::string text;
  for (const SymInt size : sizes) text += (text.empty() ? "" : " x ") + size.text();
  return "(" + text + ")";
}

[[noreturn]] void refuse(const std::string& message) {
  throw OpError{"RuntimeError", message};
}

void check_windows(const Windows& w, const std::vector<SymInt>& x,
                   const std::vector<SymInt>& weight) {
  check_window_numbers(w.padding, w.stride, w.dilation);
  if (decide_less(w.groups, 1)) refuse("non-positive groups is not supported");
  if (!decide_equal(x[1], weight[1] * w.groups))
    refuse(
        fmt::format("Given groups={}, weight of size {}, expected input{} to have {} channels, "
                    "but got {} channels instead",
                    w.groups.text(), ints_text(weight), ints_text(x), (weight[1] * w.groups).text(),
                    x[1].text()));
  check_groups_of_weight(weight, w.groups);
  std::vector<SymInt> padded, reach;
  bool fits = true;
  for (size_t i = 0; i < w.dims; ++i) {
    padded.push_back(w.padded(x, i));
    reach.push_back(w.reach(i));
    fits = fits && !decide_less(padded[i], reach[i]);
  }
  if (!fits)
    refuse(
        fmt::format("Calculated padded input size per channel: {}. Kernel size: {}. Kernel size "
                    "can't be greater than actual input size",
                    sizes_by_x(padded), sizes_by_x(reach)));
}

void check_call(OpBuilder& b, OpArguments arguments) {
  const auto x = b.sizes(arguments[0].tensor()), weight = b.sizes(arguments[1].tensor());
  if (weight.size() < 3 || weight.size() > 5)
    refuse(fmt::format("a convolution's weight has 3 to 5 dimensions, but got {}", weight.size()));
  if (x.size() != weight.size())
    refuse(
        fmt::format("Expected {0}-dimensional input for {0}-dimensional weight {1}, but got "
                    "{2}-dimensional input of size {3} instead",
                    weight.size(), ints_text(weight), x.size(), ints_text(x)));
  if (as_bool(arguments[6]))
    throw OpError{"NotImplementedError", "transposed convolutions are not available"};
  const DType dtype = b.dtype(arguments[0].tensor()), other = b.dtype(arguments[1].tensor());
  if (dtype != other)
    refuse(fmt::format("expected scalar type {} but found {}", scalar_type_name(dtype),
                       scalar_type_name(other)));
  if (arguments[2].is_none()) return;
  const auto bias = b.sizes(arguments[2].tensor());
  if (bias.size() != 1 || !decide_equal(bias[0], weight[0]))
    refuse(
        fmt::format("Given weight of size {}, expected bias to be 1-dimensional with {} elements, "
                    "but got bias of size {} instead",
                    ints_text(weight), weight[0].text(), ints_text(bias)));
}

/// A row for each window of each of the batch: [n, places..., channels, kernel...], a view.
OpValue window_rows(OpBuilder& b, OpValue x, const Windows& w) {
  if (std::ranges::any_of(w.padding, [](SymInt pad) { return !pad.is(0); }))
    x = b.call("pad", {x, w.ends()});
  for (size_t i = 0; i < w.dims; ++i) {
    x = b.call("unfold", {x, SymInt(2 + i), w.reach(i), w.stride[i]});
    if (!w.dilation[i].is(1))
      x = b.call("slice", {x, SymInt(2 + w.dims + i), nullptr, nullptr, w.dilation[i]});
  }
  std::vector<SymInt> order = {0};
  for (size_t i = 0; i < w.dims; ++i) order.push_back(SymInt(2 + i));
  order.push_back(1);
  for (size_t i = 0; i < w.dims; ++i) order.push_back(SymInt(2 + w.dims + i));
  return b.permute(x, order);
}

/// A group's part of window rows, as a matrix.
OpValue group_matrix(OpBuilder& b, const OpValue& rows, const Windows& w, int64_t group,
                     SymInt channels) {
  const auto dim = int64_t(1 + w.dims);
  OpValue part = w.groups.is(1) ? rows : b.call("narrow", {rows, dim, channels * group, channels});
  const auto sizes = b.sizes(rows);
  const SymInt places = product(std::span(sizes).first(1 + w.dims));
  return b.reshape(part, {places, channels * product(w.kernel)});
}

/// A group's part of [outputs, channels, kernel...], as a matrix with a row for each output.
OpValue weight_matrix(OpBuilder& b, const OpValue& weight, const Windows& w, int64_t group) {
  const auto sizes = b.sizes(weight);
  const SymInt outputs = floor_divide(sizes[0], w.groups);
  OpValue part = w.groups.is(1) ? weight : b.call("narrow", {weight, 0, outputs * group, outputs});
  return b.reshape(part, {outputs, sizes[1] * product(w.kernel)});
}

/// [n, outputs, places...] as a matrix with a row for each window.
OpValue result_rows(OpBuilder& b, const OpValue& result) {
  auto sizes = b.sizes(result);
  const SymInt outputs = std::exchange(sizes[1], 1);
  return b.reshape(b.call("movedim", {result, 1, -1}), {product(sizes), outputs});
}

OpValue joined(OpBuilder& b, const std::vector<OpValue>& parts, int64_t dim) {
  if (parts.size() == 1) return parts[0];
  OpArgument::List list;
  for (const OpValue& part : parts) list.emplace_back(part);
  return b.call("cat", {OpArgument(std::move(list)), dim});
}

std::vector<OpValue> convolution(OpBuilder& b, OpArguments arguments) {
  check_call(b, arguments);
  const OpValue x = arguments[0].tensor(), weight = arguments[1].tensor();
  const auto sizes = b.sizes(x), of_weight = b.sizes(weight);
  const OpArgument rest[] = {arguments[3], arguments[4], arguments[5], arguments[8]};
  const Windows w(of_weight, rest);
  check_windows(w, sizes, of_weight);
  const OpValue rows = window_rows(b, x, w);
  std::vector<OpValue> parts;
  const int64_t groups = as_constant(arguments[8]);
  for (int64_t i = 0; i < groups; ++i) {
    OpValue part = group_matrix(b, rows, w, i, of_weight[1]);
    OpValue matrix = b.call("t", {weight_matrix(b, weight, w, i)});
    const bool adds = groups == 1 && !arguments[2].is_none();
    parts.push_back(adds ? b.call("addmm", {arguments[2], part, matrix})
                         : b.call("mm", {part, matrix}));
  }
  OpValue result = joined(b, parts, 1);
  if (groups > 1 && !arguments[2].is_none()) result = b.add(result, arguments[2]);
  std::vector<SymInt> made = {sizes[0]};
  for (size_t i = 0; i < w.dims; ++i) made.push_back(w.places(sizes, i));
  made.push_back(of_weight[0]);
  return {b.call("contiguous", {b.call("movedim", {b.reshape(result, made), -1, 1})})};
}

// ---- gradients ---------------------------------------------------------------------------------

/// Each window's gradient is added where the window was seen: the way back of `unfold`, dimension
/// by dimension, from [n, channels, places..., kernel...].
OpValue fold(OpBuilder& b, OpValue windows, const Windows& w, const std::vector<SymInt>& sizes) {
  for (size_t i = w.dims; i-- > 0;) {
    const auto dim = int64_t(2 + i);
    const SymInt places = b.sizes(windows)[size_t(dim)], seen = places * w.kernel[i];
    OpValue starts = b.unsqueeze(b.call("arange_sized", {places, 0, w.stride[i]}), 1);
    OpValue within = b.call("arange_sized", {w.kernel[i], 0, w.dilation[i]});
    OpValue index = b.reshape(b.add(starts, within), {seen});
    auto merged = b.sizes(windows), whole = merged;
    merged.pop_back();
    whole.pop_back();
    merged[size_t(dim)] = seen;
    whole[size_t(dim)] = w.padded(sizes, i);
    OpValue beside = b.reshape(b.call("movedim", {windows, -1, dim + 1}), merged);
    OpValue zeros = b.expand(b.full({}, 0, b.dtype(windows)), whole);
    windows = b.call("index_add", {zeros, dim, index, beside});
  }
  for (size_t i = 0; i < w.dims; ++i)
    if (!w.padding[i].is(0))
      windows = b.call("narrow", {windows, int64_t(2 + i), w.padding[i], sizes[2 + i]});
  return windows;
}

/// Of a gradient operator: its tensors have as many dimensions as what is asked for.
void check_gradient_call(OpBuilder& b, OpArguments arguments) {
  const size_t rank = as_ints(arguments[2]).size();
  if (rank < 3 || rank > 5 || b.rank(arguments[0].tensor()) != rank ||
      b.rank(arguments[1].tensor()) != rank)
    refuse("a convolution's gradients have 3 to 5 dimensions, as its input has");
}

/// convolution_of_input(gradient, weight, size, stride, padding, dilation, groups)
std::vector<OpValue> of_input(OpBuilder& b, OpArguments arguments) {
  check_gradient_call(b, arguments);
  const OpValue weight = arguments[1].tensor();
  const auto sizes = as_ints(arguments[2]), of_weight = b.sizes(weight);
  const Windows w(of_weight, arguments.subspan(3));
  const OpValue rows = result_rows(b, arguments[0].tensor());
  const SymInt outputs = floor_divide(of_weight[0], w.groups);
  std::vector<OpValue> parts;
  for (int64_t i = 0; i < as_constant(arguments[6]); ++i) {
    OpValue part = w.groups.is(1) ? rows : b.call("narrow", {rows, 1, outputs * i, outputs});
    OpValue columns = b.call("mm", {part, weight_matrix(b, weight, w, i)});
    std::vector<SymInt> shape = {sizes[0]};
    for (size_t k = 0; k < w.dims; ++k) shape.push_back(w.places(sizes, k));
    shape.push_back(of_weight[1]);
    shape.insert(shape.end(), w.kernel.begin(), w.kernel.end());
    parts.push_back(b.call("movedim", {b.reshape(columns, shape), int64_t(1 + w.dims), 1}));
  }
  return {b.call("contiguous", {fold(b, joined(b, parts, 1), w, sizes)})};
}

/// convolution_of_weight(gradient, input, size, stride, padding, dilation, groups)
std::vector<OpValue> of_weight(OpBuilder& b, OpArguments arguments) {
  check_gradient_call(b, arguments);
  const auto size = as_ints(arguments[2]);
  const Windows w(size, arguments.subspan(3));
  const OpValue rows = window_rows(b, arguments[1].tensor(), w);
  const OpValue gradients = result_rows(b, arguments[0].tensor());
  const SymInt outputs = floor_divide(size[0], w.groups);
  std::vector<OpValue> parts;
  for (int64_t i = 0; i < as_constant(arguments[6]); ++i) {
    OpValue part =
        w.groups.is(1) ? gradients : b.call("narrow", {gradients, 1, outputs * i, outputs});
    parts.push_back(b.call("mm", {b.call("t", {part}), group_matrix(b, rows, w, i, size[1])}));
  }
  return {b.reshape(joined(b, parts, 0), size)};
}

OpArgument sizes_of(GradientCall& g, std::string_view parameter) {
  return OpArgument(g.sizes(parameter));
}

/// The rules of `convolution`, and of the two below, which take a size before the windows.
OpValue input_gradient(GradientCall& g) {
  return g.b.call("convolution_of_input", {g.out(), g["weight"], sizes_of(g, "input"), g["stride"],
                                           g["padding"], g["dilation"], g["groups"]});
}
OpValue weight_gradient(GradientCall& g) {
  return g.b.call("convolution_of_weight", {g.out(), g["input"], sizes_of(g, "weight"), g["stride"],
                                            g["padding"], g["dilation"], g["groups"]});
}
OpValue convolved(GradientCall& g, OpArgument input, OpArgument weight) {
  return g.b.call("convolution", {std::move(input), std::move(weight), nullptr, g["stride"],
                                  g["padding"], g["dilation"], false, 0, g["groups"]});
}

// ---- samples -----------------------------------------------------------------------------------

/// Stride, padding, dilation, groups.
struct Form {
  int64_t stride, padding, dilation, groups;
};
constexpr Form kForms[] = {{1, 0, 1, 1}, {2, 1, 1, 1}, {1, 2, 2, 1}, {1, 1, 1, 2}};

std::vector<Sample> convolution_samples(const OpEntry& entry) {
  std::vector<Sample> samples;
  for (const Form& form : kForms) {
    const int64_t channels = 4 / form.groups;
    samples.push_back(
        {{sample_tensor({2, 4, 9}), sample_tensor({6, channels, 3}), sample_tensor({6}),
          form.stride, form.padding, form.dilation, false, 0, form.groups}});
    samples.push_back({{sample_tensor({1, 4, 6, 7}), sample_tensor({2, channels, 2, 3}), nullptr,
                        form.stride, form.padding, form.dilation, false, 0, form.groups}});
  }
  samples.push_back({{sample_tensor({1, 2, 3, 4, 3}), sample_tensor({2, 2, 2, 2, 2}),
                      sample_tensor({2}), 1, 1, 1, false, 0, 1}});
  samples.push_back(
      {{sample_tensor({0, 2, 5}), sample_tensor({1, 2, 3}), nullptr, 1, 0, 1, false, 0, 1}});
  return samples;
}

/// The same, with a gradient in place of the input or of the weight.
template <bool kOfInput>
std::vector<Sample> gradient_samples(const OpEntry& entry) {
  std::vector<Sample> samples;
  for (const Form& form : kForms) {
    const int64_t channels = 4 / form.groups;
    const int64_t places = (9 + 2 * form.padding - 2 * form.dilation - 1) / form.stride + 1;
    const std::vector<SymInt> input = {2, 4, 9}, weight = {6, channels, 3};
    const Tensor other = kOfInput ? sample_tensor({6, channels, 3}) : sample_tensor({2, 4, 9});
    samples.push_back({{sample_tensor({2, 6, places}), other, kOfInput ? input : weight,
                        form.stride, form.padding, form.dilation, form.groups}});
  }
  return samples;
}

constexpr OpEntry kEntries[] = {
    {
        .name = "convolution",
        .signature =
            "convolution(input: Tensor, weight: Tensor, bias: Tensor | None, stride: Size, "
            "padding: Size, dilation: Size, transposed: bool, output_padding: Size, "
            "groups: int) -> Tensor",
        .torch = "convolution",
        .doc =
            "Windows of a signal, an image or a volume times weights: an output channel for each "
            "of weight, in groups that see a part of the input's channels each.",
        .eager = eager_convolution,
        .decomposition = convolution,
        .gradients = {{"input", "weight", input_gradient},
                      {"weight", "input", weight_gradient},
                      {"bias", "", convolution_bias_gradient}},
        .tolerance = kProducts,
        .samples = convolution_samples,
    },
    {
        .name = "convolution_of_input",
        .signature = "convolution_of_input(gradient: Tensor, weight: Tensor, size: Size, stride: "
                     "Size, padding: Size, dilation: Size, groups: int) -> Tensor",
        .doc = "The gradient of a convolution's input, of that size.",
        .eager = eager_convolution,
        .decomposition = of_input,
        .gradients = {{"gradient", "weight",
                       [](GradientCall& g) { return convolved(g, g.out(), g["weight"]); }},
                      {"weight", "gradient",
                       [](GradientCall& g) {
                         return g.b.call("convolution_of_weight",
                                         {g["gradient"], g.out(), sizes_of(g, "weight"),
                                          g["stride"], g["padding"], g["dilation"], g["groups"]});
                       }}},
        .grad_name = "ConvolutionBackwardBackward0",
        .tolerance = kProducts,
        .samples = gradient_samples<true>,
    },
    {
        .name = "convolution_of_weight",
        .signature = "convolution_of_weight(gradient: Tensor, input: Tensor, size: Size, stride: "
                     "Size, padding: Size, dilation: Size, groups: int) -> Tensor",
        .doc = "The gradient of a convolution's weight, of that size.",
        .eager = eager_convolution,
        .decomposition = of_weight,
        .gradients = {{"gradient", "input",
                       [](GradientCall& g) { return convolved(g, g["input"], g.out()); }},
                      {"input", "gradient",
                       [](GradientCall& g) {
                         return g.b.call("convolution_of_input",
                                         {g["gradient"], g.out(), sizes_of(g, "input"), g["stride"],
                                          g["padding"], g["dilation"], g["groups"]});
                       }}},
        .grad_name = "ConvolutionBackwardBackward0",
        .tolerance = kProducts,
        .samples = gradient_samples<false>,
    },
};

static_assert(complete(kEntries));

}  // namespace

std::span<const OpEntry> convolution_entries() {
  return kEntries;
}

}  // namespace glint::ops
