#include "backends/cuda/kernels/convolution_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "backends/cuda/codegen/wrap_line.h"
#include "backends/cuda/kernels/element_words.h"
#include "backends/cuda/kernels/matrix_product.h"
#include "backends/cuda/kernels/tile_text.h"
#include "backends/cuda/launch/launch_kernel.h"
#include "backends/cuda/launch/text_kernel.h"
#include "core/tensor/copy.h"

namespace glint::cuda {
namespace {

using Numbers = std::vector<int64_t>;

// ---- the text ----------------------------------------------------------------------------------

constexpr std::string_view kBody = R"(
// {about}
// A block makes a tile of {side} by {side} of a group's product: its rows are channels of `out`, its
// columns {columns_are}, and it sums over {steps_are}.
extern "C" __global__ void __launch_bounds__(256)
{entry}(const {memory}* __restrict__ {left}, const {memory}* __restrict__ {right},
        const {memory}* __restrict__ bias, {memory}* __restrict__ out,
        int rows, int columns, int inner,
        int64 left_group, int64 left_row, int run, int64 run_step,
        int channels, int64 channel_step, int64 batch_step,
        int plane, int64 plane_step{dimensions}) {{
{tiles}
  const int across = (columns + kSide - 1) / kSide;
  const int down = (rows + kSide - 1) / kSide;
  const int group = blockIdx.x / (across * down);
  const int top = blockIdx.x / across % down * kSide;
  const int leftmost = blockIdx.x % across * kSide;
  {left} += group * left_group;
  {right} += (int64)group * channels * channel_step;
  // Neighbouring threads read neighbours in memory.
  const int b_k = {b_k};
  const int b_j = {b_j};
  int64 column_base[kPart];
  int {column_declared};
  #pragma unroll
  for (int part = 0; part < kPart; ++part) {{
    int number = leftmost + b_j + 16 * part;
{column_found}  }}
  for (int k = 0; k < inner; k += 16) {{
    const int a_step = k + x;
    const int64 a_at = a_step / run * run_step + a_step % run;
    const bool has_step = k + b_k < inner;
    int number = k + b_k;
    int64 step_base;
    int {step_declared};
{step_found}    #pragma unroll
    for (int part = 0; part < kPart; ++part) {{
      const int row = top + y + 16 * part;
      tile_a[y + 16 * part][x] = row < rows && a_step < inner ? {from_left} : ({sum})0;
{position}
      const bool is_inside = has_step && leftmost + b_j + 16 * part < columns
                             && {inside};
      const int64 at = column_base[part] + step_base + {offset};
      tile_b[b_k][b_j + 16 * part] = is_inside ? {from_right} : ({sum})0;
    }}
{steps}
  }}
  #pragma unroll
  for (int i = 0; i < kPart; ++i) {{
    #pragma unroll
    for (int j = 0; j < kPart; ++j) {{
      const int row = top + y + 16 * i;
      const int column = leftmost + x + 16 * j;
      if (row < rows && column < columns) {{
        const int64 channel = (int64)group * rows + row;
        out[column / plane * plane_step + channel * plane + column % plane] = {result};
      }}
    }}
  }}
}}
)";

/// What a pass is called and made of.
struct PassWords {
  std::string_view entry, about, left, right;
  bool sums_over_places;  ///< and its columns are places in a window; else the other way round
  bool is_of_input;       ///< from an element to the windows that see it
};
constexpr PassWords kPasses[] = {
    {"convolution",
     "out[n, o, p] = sum over c, k of weight[o, c, k] * input[n, c, p * stride + k * dilation - "
     "padding]",
     "weight", "input", false, false},
    {"convolution_of_input",
     "out[n, c, i] = sum over o, k of weight[o, c, k] * gradient[n, o, p], where i is p * stride + "
     "k * dilation - padding",
     "weight", "gradient", false, true},
    {"convolution_of_weight",
     "out[o, c, k] = sum over n, p of gradient[n, o, p] * input[n, c, p * stride + k * dilation - "
     "padding]",
     "gradient", "input", true, false},
};
const PassWords& words_of(ConvolutionPass pass) {
  return kPasses[static_cast<size_t>(pass)];
}

/// The numbers of each dimension, as the kernel takes them.
constexpr std::string_view kOfDimension[] = {"size",   "places",  "kernel",
                                             "stride", "padding", "dilation"};

/// A text for each dimension, `{0}` its number.
std::string each_dim(int dims, std::string_view text, std::string_view between) {
  std::string made;
  for (int i = 0; i < dims; ++i) {
    if (i > 0) made += between;
    made += fmt::format(fmt::runtime(text), i);
  }
  return made;
}

/// Statements that take `number` apart. `name` is assigned: where its element lies in each
/// dimension, and its base in memory; `part` is the index behind these.
struct Lookup {
  int dims;
  bool is_of_input;
  std::string name, part, indent;

  /// A number is an image of the batch and a place in it.
  std::string of_places() const {
    const std::string_view at = is_of_input ? "number % places{0} + padding{0}"
                                            : "number % places{0} * stride{0} - padding{0}";
    return taken_apart(at, "places") + base("number * batch_step");
  }
  /// A number is a channel and an element of a window.
  std::string of_window() const {
    const std::string_view at =
        is_of_input ? "-(number % kernel{0} * dilation{0})" : "number % kernel{0} * dilation{0}";
    return taken_apart(at, "kernel") + base("number * channel_step");
  }

 private:
  std::string taken_apart(std::string_view at, std::string_view sizes) const {
    std::string text;
    for (int i = dims; i-- > 0;)
      text += fmt::format("{0}{1}{2}{3} = {4};\n{0}number /= {5}{2};\n", indent, name, i, part,
                          fmt::format(fmt::runtime(at), i), sizes);
    return text;
  }
  std::string base(std::string_view value) const {
    return fmt::format("{}{}_base{} = {};\n", indent, name, part, value);
  }
};

/// Where the second factor's element lies, in each dimension.
std::string position_text(int dims, bool is_of_input) {
  return each_dim(dims,
                  is_of_input ? "      const int from{0} = column{0}[part] + step{0};\n"
                                "      const int at{0} = from{0} / stride{0};"
                              : "      const int at{0} = column{0}[part] + step{0};",
                  "\n");
}
std::string inside_text(int dims, bool is_of_input) {
  return each_dim(dims,
                  is_of_input ? "from{0} >= 0 && from{0} % stride{0} == 0 && at{0} < size{0}"
                              : "at{0} >= 0 && at{0} < size{0}",
                  "\n                             && ");
}
std::string offset_text(int dims) {
  std::string text = "at0";
  for (int i = 1; i < dims; ++i)
    text = fmt::format(fmt::runtime(i == 1 ? "{0} * size{1} + at{1}" : "({0}) * size{1} + at{1}"),
                       text, i);
  return text;
}

}  // namespace

std::string convolution_text(const ConvolutionForm& form) {
  const PassWords& words = words_of(form.pass);
  const ElementWords element(form.dtype);
  const TileText tiles(form.dtype, form.part);
  const int dims = form.dims;
  const Lookup column{dims, words.is_of_input, "column", "[part]", "    "};
  const Lookup step{dims, words.is_of_input, "step", "", "    "};
  std::string dimensions;
  for (const std::string_view name : kOfDimension)
    dimensions += ",\n        " + each_dim(dims, fmt::format("int {}{{0}}", name), ", ");
  std::string total = tiles.total();
  if (form.has_bias)
    total = is_floating(form.dtype)
                ? fmt::format("{} + {}", total, element.read("bias[channel]"))
                : fmt::format("({})({} + bias[channel])", element.memory(), total);
  const std::string_view of_places = "places of windows (n, p)";
  const std::string_view of_window = "elements of windows (channel, k)";
  const bool over_places = words.sums_over_places;
  return wrapped_text(
      element.definitions() + tiles.sizes() +
      fmt::format(
          kBody, fmt::arg("about", words.about), fmt::arg("side", tiles.side()),
          fmt::arg("columns_are", over_places ? of_window : of_places),
          fmt::arg("steps_are", over_places ? of_places : of_window),
          fmt::arg("entry", words.entry), fmt::arg("memory", element.memory()),
          fmt::arg("left", words.left), fmt::arg("right", words.right),
          fmt::arg("dimensions", dimensions), fmt::arg("tiles", tiles.memory()),
          fmt::arg("b_k", over_places ? "x" : "y"), fmt::arg("b_j", over_places ? "y" : "x"),
          fmt::arg("column_declared", each_dim(dims, "column{0}[kPart]", ", ")),
          fmt::arg("column_found", over_places ? column.of_window() : column.of_places()),
          fmt::arg("step_declared", each_dim(dims, "step{0}", ", ")),
          fmt::arg("step_found", over_places ? step.of_places() : step.of_window()),
          fmt::arg("from_left", tiles.factor(element.read(
                                    fmt::format("{}[row * left_row + a_at]", words.left)))),
          fmt::arg("sum", tiles.sum()),
          fmt::arg("position", position_text(dims, words.is_of_input)),
          fmt::arg("inside", inside_text(dims, words.is_of_input)),
          fmt::arg("offset", offset_text(dims)),
          fmt::arg("from_right", tiles.factor(element.read(fmt::format("{}[at]", words.right)))),
          fmt::arg("steps", tiles.steps()), fmt::arg("result", element.write(total))));
}

// ---- the launch --------------------------------------------------------------------------------

namespace {

/// A product of matrices for each group: rows are channels of what is made. A row of the first
/// factor lies in runs; the second factor is found by the windows.
struct WindowProduct {
  const Tensor &left, &right, &out;
  int64_t rows, columns, inner;
  int64_t left_group, left_row, run, run_step;
  int64_t channels;  ///< of the second factor, in a group
  int64_t plane;     ///< columns that lie one behind the other in what is made
  Numbers places;    ///< of windows, or what windows see: the columns, or the steps of the sum
};

/// Sizes of the dimensions that windows move in.
Numbers image_of(const Tensor& tensor) {
  return {tensor.sizes().begin() + 2, tensor.sizes().end()};
}

WindowProduct window_product(ConvolutionPass pass, int64_t groups,
                             const ConvolutionTensors& tensors) {
  const Tensor &input = *tensors.input, &weight = *tensors.weight, &result = *tensors.result;
  const int64_t batch = input.size(0), channels = weight.size(1), outputs = weight.size(0) / groups;
  const int64_t window = element_count(image_of(weight));
  const int64_t image = element_count(image_of(input)), places = element_count(image_of(result));
  switch (pass) {
    case ConvolutionPass::kForward:
      return {.left = weight,
              .right = input,
              .out = result,
              .rows = outputs,
              .columns = batch * places,
              .inner = channels * window,
              .left_group = outputs * channels * window,
              .left_row = channels * window,
              .run = channels * window,
              .run_step = 0,
              .channels = channels,
              .plane = places,
              .places = image_of(result)};
    case ConvolutionPass::kOfInput:
      return {.left = weight,
              .right = result,
              .out = input,
              .rows = channels,
              .columns = batch * image,
              .inner = outputs * window,
              .left_group = outputs * channels * window,
              .left_row = window,
              .run = window,
              .run_step = channels * window,
              .channels = outputs,
              .plane = image,
              .places = image_of(input)};
    case ConvolutionPass::kOfWeight:
      return {.left = result,
              .right = input,
              .out = weight,
              .rows = outputs,
              .columns = channels * window,
              .inner = batch * places,
              .left_group = outputs * places,
              .left_row = places,
              .run = places,
              .run_step = groups * outputs * places,
              .channels = channels,
              .plane = channels * window,
              .places = image_of(result)};
  }
}

/// With the places of its columns a thread has no registers for larger ones.
constexpr MatrixTile kTiles[] = {{1}, {2}, {4}};
/// Numbers below it can be added in an int.
constexpr int64_t kMostNumber = int64_t{1} << 30;

/// Whether the kernel's ints hold all numbers, and what it adds to them.
bool is_within_ints(const WindowProduct& product, const TiledProducts& tiled,
                    const ConvolutionWindows& windows, const ConvolutionTensors& tensors) {
  const Numbers image = image_of(*tensors.input);
  int64_t most = std::max({product.rows, product.columns, product.inner});
  for (size_t i = 0; i < image.size(); ++i)
    most = std::max(most, image[i] + 2 * windows.padding[i]);
  return most < kMostNumber && tiled.tiles(1) < kMostNumber;
}

std::vector<GpuArgument> arguments_of(const PassWords& words, const WindowProduct& product,
                                      const Tensor& left, const Tensor& right,
                                      const ConvolutionWindows& windows,
                                      const ConvolutionTensors& tensors) {
  std::vector<GpuArgument> arguments = {address(left, words.left), address(right, words.right),
                                        address(tensors.bias, "bias"), address(product.out, "out")};
  const auto add_int = [&](int64_t number) {
    arguments.push_back(gpu_argument(static_cast<int32_t>(number)));
  };
  const auto add_wide = [&](int64_t number) { arguments.push_back(gpu_argument(number)); };
  const Numbers sizes = image_of(product.right);
  for (const int64_t number : {product.rows, product.columns, product.inner}) add_int(number);
  add_wide(product.left_group);
  add_wide(product.left_row);
  add_int(product.run);
  add_wide(product.run_step);
  add_int(product.channels);
  add_wide(element_count(sizes));
  add_wide(windows.groups * product.channels * element_count(sizes));
  add_int(product.plane);
  add_wide(windows.groups * product.rows * product.plane);
  for (const Numbers& of_dimensions : {sizes, product.places, image_of(*tensors.weight),
                                       windows.stride, windows.padding, windows.dilation})
    // A stride or a dilation beyond it leaves the image at the first step, whatever it is.
    for (const int64_t number : of_dimensions) add_int(std::min(number, kMostNumber));
  return arguments;
}

const TextKernel& kernel_of(const ConvolutionForm& form) {
  static auto& kernels = *new std::map<ConvolutionForm, const TextKernel*>;
  const TextKernel*& known = kernels[form];
  if (known == nullptr) known = &text_kernel(convolution_text(form), convolution_entry(form.pass));
  return *known;
}

}  // namespace

std::string convolution_entry(ConvolutionPass pass) {
  return std::string(words_of(pass).entry);
}

std::span<const MatrixTile> convolution_tiles() {
  return kTiles;
}

bool prefers_kernel(DType dtype, int64_t groups) {
  return groups > 1 || !multiplies_by_library(dtype);
}

bool convolve_by_kernel(ConvolutionPass pass, const ConvolutionWindows& windows,
                        const ConvolutionTensors& tensors) {
  const WindowProduct product = window_product(pass, windows.groups, tensors);
  const TiledProducts tiled{windows.groups, product.rows, product.columns};
  if (!product.out.is_contiguous() || !is_within_ints(product, tiled, windows, tensors))
    return false;
  if (product.out.numel() == 0) return true;
  const Tensor left = contiguous(product.left), right = contiguous(product.right);
  std::optional<Tensor> bias;
  ConvolutionTensors given = tensors;
  if (tensors.bias != nullptr) given.bias = &bias.emplace(contiguous(*tensors.bias));
  const int part = tiled.usual_part(convolution_tiles().back().part);
  kernel_of({.pass = pass,
             .dtype = product.out.dtype(),
             .dims = static_cast<int>(windows.stride.size()),
             .has_bias = tensors.bias != nullptr,
             .part = part})
      .launch(tiled.tiles(part), kTileThreads,
              arguments_of(words_of(pass), product, left, right, windows, given));
  return true;
}

}  // namespace glint::cuda
