// `pad`: a tensor with more (or fewer) positions at the ends of its last dimensions.
//
//     pad([1, 2, 3], (2, 1))                  [0, 0, 1, 2, 3, 0]
//     pad([1, 2, 3], (2, 1), "reflect")       [3, 2, 1, 2, 3, 2]
//     pad([1, 2, 3], (2, 1), "replicate")     [1, 1, 1, 2, 3, 3]
//     pad([1, 2, 3], (2, 1), "circular")      [2, 3, 1, 2, 3, 1]
//
// Constants are joined to the tensor, a dimension after the other; floats on the processor are
// copied into the middle of the result. The other modes read each new position from an old one:
// along each dimension, an index of places.
#include <fmt/format.h>

#include <algorithm>

#include "core/tensor/copy.h"
#include "core/tensor/views.h"
#include "ops/call.h"
#include "ops/families.h"
#include "ops/gradient.h"
#include "ops/infer.h"
#include "ops/layout.h"
#include "ops/samples.h"

namespace glint::ops {

namespace {

/// What is added before and behind along a dimension.
struct Ends {
  int64_t dim = 0;
  SymInt before, behind;
};

std::vector<Ends> ends_of(const std::vector<SymInt>& pad, size_t rank) {
  std::vector<Ends> ends;
  for (size_t i = 0; i + 1 < pad.size(); i += 2)
    ends.push_back({int64_t(rank - 1 - i / 2), pad[i], pad[i + 1]});
  return ends;
}

void check_lengths(const std::vector<SymInt>& pad, size_t rank) {
  if (pad.size() % 2 != 0) throw OpError{"RuntimeError", "Padding length must be divisible by 2"};
  if (pad.size() / 2 > rank)
    throw OpError{"RuntimeError",
                  fmt::format("Padding length should be less than or equal to two times the input "
                              "dimension but got padding length {} and input of dimension {}",
                              pad.size(), rank)};
}

void check_mode(const std::string& mode, const OpArgument& value, size_t pads, size_t rank) {
  if (!value.is_none() && as_float(value) != 0.0)
    throw OpError{"RuntimeError",
                  fmt::format("Padding mode \"{}\" doesn't take in value argument", mode)};
  size_t dims = pads / 2;
  if (dims < 1 || dims > 3 || (rank != dims + 1 && rank != dims + 2))
    throw OpError{"NotImplementedError",
                  fmt::format("Padding size {} is not supported for {}D input tensor.\n"
                              "Supported combinations for non-constant padding:\n"
                              "  - 2D or 3D input: padding size = 2 (pads last dimension)\n"
                              "  - 3D or 4D input: padding size = 4 (pads last 2 dimensions)\n"
                              "  - 4D or 5D input: padding size = 6 (pads last 3 dimensions)",
                              pads, rank)};
  if (mode != "reflect" && mode != "replicate" && mode != "circular")
    throw OpError{"NotImplementedError", fmt::format("Unrecognised padding mode {}", mode)};
}

void check_ends(const std::string& mode, const Ends& ends, const std::vector<SymInt>& sizes) {
  SymInt size = sizes[size_t(ends.dim)];
  auto reaches = [&](SymInt pad) {
    return mode == "reflect" ? !decide_less(pad, size) : decide_less(size, pad);
  };
  if (mode == "replicate" || (!reaches(ends.before) && !reaches(ends.behind))) return;
  if (mode == "circular")
    throw OpError{"RuntimeError", "Padding value causes wrapping around more than once."};
  throw OpError{"RuntimeError",
                fmt::format("Argument #{}: Padding size should be less than the corresponding "
                            "input dimension, but got: padding ({}, {}) at dimension {} of input "
                            "{}",
                            4 + 2 * (int64_t(sizes.size()) - 1 - ends.dim), ends.before.text(),
                            ends.behind.text(), ends.dim, ints_text(sizes))};
}

/// Of the `count` last dimensions, this one has elements, and keeps some.
void check_elements(const Ends& ends, const std::vector<SymInt>& sizes, size_t count) {
  const SymInt size = sizes[size_t(ends.dim)], made = ends.before + size + ends.behind;
  if (decide_equal(size, 0))
    throw OpError{"RuntimeError",
                  fmt::format("Expected {}D or {}D (batch mode) tensor with possibly 0 batch size "
                              "and other non-zero dimensions for input, but got: {}",
                              count + 1, count + 2, ints_text(sizes))};
  if (decide_less(made, 1))
    throw OpError{"RuntimeError", fmt::format("input (W: {}) is too small. Calculated output W: {}",
                                              size.text(), made.text())};
}

/// What a negative end takes away.
SymInt cut(SymInt pad) {
  return decide_less(pad, 0) ? -pad : SymInt(0);
}

/// From which old place each new one is read: of size 3 with (2, 1), reflected: 2 1 0 1 2 1.
OpValue places(OpBuilder& b, const std::string& mode, const Ends& ends, SymInt size) {
  SymInt count = ends.before + size + ends.behind, first = cut(ends.before);
  if (mode == "circular") {  // around what the negative ends leave
    OpValue around = b.call("arange_sized", {count, -(ends.before + first)});
    return b.add(b.call("remainder", {around, size - first - cut(ends.behind)}), first);
  }
  OpValue at = b.call("arange_sized", {count, -ends.before});
  if (mode == "replicate") return b.call("clamp", {at, 0, size - 1});
  OpValue from_end = b.subtract(b.call("abs", {at}), size - 1);
  return b.add(b.negative(b.call("abs", {from_end})), size - 1);
}

OpValue with_constant(OpBuilder& b, OpValue x, const Ends& ends, const OpArgument& value) {
  auto sizes = b.sizes(x);
  SymInt& size = sizes[size_t(ends.dim)];
  SymInt first = cut(ends.before), last = cut(ends.behind);
  if (!first.is(0) || !last.is(0)) {
    x = b.call("narrow", {x, ends.dim, first, size - first - last});
    size = size - first - last;
  }
  auto piece = [&](SymInt length) {
    auto shape = sizes;
    shape[size_t(ends.dim)] = length;
    return b.full(shape, value, b.dtype(x));
  };
  std::vector<OpValue> parts;
  if (decide_less(0, ends.before)) parts.push_back(piece(ends.before));
  parts.push_back(x);
  if (decide_less(0, ends.behind)) parts.push_back(piece(ends.behind));
  return parts.size() == 1 ? x : b.call("cat", {parts, ends.dim});
}

std::vector<OpValue> pad(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor();
  auto sizes = b.sizes(x);
  if (!arguments[1].is_list())
    throw OpError{"TypeError", "pad(): argument 'pad' (position 2) must be tuple of ints, not int"};
  auto pads = as_ints(arguments[1]);
  const auto& mode = *arguments[2].get_if<std::string>();
  check_lengths(pads, sizes.size());
  std::vector<Ends> all = ends_of(pads, sizes.size());
  if (mode == "constant") {
    // PyTorch's constant is a float, whatever the dtype: what that cannot hold, `full` refuses.
    OpArgument value = arguments[3].is_none() ? OpArgument(0) : arguments[3];
    if (!is_floating(b.dtype(x))) value = as_float(value);
    OpValue made = x;
    for (const Ends& ends : all) made = with_constant(b, made, ends, value);
    // What is only cut off is a copy too.
    const bool joins = std::ranges::any_of(pads, [](SymInt pad) { return decide_less(0, pad); });
    return {joins ? made : b.call("clone", {made})};
  }
  check_mode(mode, arguments[3], pads.size(), sizes.size());
  for (const Ends& ends : all) {
    if (mode != "circular") check_elements(ends, sizes, all.size());
    check_ends(mode, ends, sizes);
    x = b.call("index_select", {x, ends.dim, places(b, mode, ends, sizes[size_t(ends.dim)])});
  }
  return {x};
}

/// A constant of floats: the result is filled, and the tensor copied into its middle.
Outputs eager_pad(const OpEntry& entry, Arguments arguments) {
  const Tensor& x = arguments[0].tensor();
  const bool is_constant = *arguments[2].get_if<std::string>() == "constant";
  if (!is_constant || !is_floating(x.dtype()) || !x.device().is_cpu())
    return run_decomposition(entry, arguments);
  const TensorType type = infer(entry, infer_arguments(arguments))[0];  // its checks
  const double value = arguments[3].is_none() ? 0.0 : as_float(arguments[3]);
  Tensor out = Tensor::full(constant_dims(type.sizes), value, x.dtype());
  Tensor from = x, to = out;
  for (const Ends& ends : ends_of(as_ints(arguments[1]), size_t(x.rank()))) {
    const int64_t before = ends.before.constant(), behind = ends.behind.constant();
    const int64_t cut_before = std::max<int64_t>(0, -before);
    const int64_t kept = x.size(ends.dim) - cut_before - std::max<int64_t>(0, -behind);
    const int64_t begin = std::max<int64_t>(0, before);
    from = slice(from, ends.dim, cut_before, cut_before + kept);
    to = slice(to, ends.dim, begin, begin + kept);
  }
  copy(to, from);
  return out;
}

/// What is new is cut off again; what was read several times gets the sum.
OpValue pad_gradient(GradientCall& g) {
  OpBuilder& b = g.b;
  auto pads = as_ints(g["pad"]);
  const auto& mode = *g["mode"].get_if<std::string>();
  if (mode == "constant") {
    for (SymInt& one : pads) one = -one;
    return b.call("pad", {g.out(), pads});
  }
  auto sizes = g.sizes("input");
  OpValue gradient = g.out();
  for (const Ends& ends : ends_of(pads, sizes.size())) {
    auto shape = b.sizes(gradient);
    SymInt size = shape[size_t(ends.dim)] = sizes[size_t(ends.dim)];
    gradient = b.call("index_add", {b.full(shape, 0, b.dtype(gradient)), ends.dim,
                                    places(b, mode, ends, size), gradient});
  }
  return gradient;
}

const char* pad_name(Arguments arguments) {
  static constexpr const char* kReflect[] = {"ReflectionPad1DBackward0", "ReflectionPad2DBackward0",
                                             "ReflectionPad3DBackward0"};
  static constexpr const char* kReplicate[] = {
      "ReplicationPad1DBackward0", "ReplicationPad2DBackward0", "ReplicationPad3DBackward0"};
  const auto* mode = arguments.size() > 2 ? arguments[2].get_if<std::string>() : nullptr;
  size_t dims = as_ints(arguments[1]).size() / 2;
  if (!mode || *mode == "constant" || dims < 1 || dims > 3) return "ConstantPadNdBackward0";
  if (*mode == "circular") return "CopySlices";
  return (*mode == "reflect" ? kReflect : kReplicate)[dims - 1];
}

std::vector<Sample> pad_samples(const OpEntry& entry) {
  auto ints = [](std::initializer_list<int64_t> values) {
    Argument::List list;
    for (int64_t value : values) list.emplace_back(SymInt(value));
    return Argument(std::move(list));
  };
  Tensor matrix = sample_tensor({3, 4}), cube = sample_tensor({2, 3, 4});
  std::vector<Sample> samples = {{{matrix, ints({1, 2}), "constant", Argument()}},
                                 {{matrix, ints({-1, 2, 0, 3}), "constant", 1.5}},
                                 {{sample_tensor({4}, DType::kInt64), ints({2, 1}), "constant", 7}},
                                 {{matrix, ints({}), "constant", Argument()}}};
  for (const char* mode : {"reflect", "replicate", "circular"}) {
    samples.push_back({{matrix, ints({2, 1}), mode, Argument()}});
    samples.push_back({{matrix, ints({-1, 2}), mode, Argument()}});
    samples.push_back({{cube, ints({1, 3, 2, 0}), mode, Argument()}});
  }
  return samples;
}

constexpr OpEntry kEntries[] = {
    {
        .name = "pad",
        .signature = "pad(input: Tensor, pad: Size, mode: str = \"constant\", "
                     "value: float | None = None) -> Tensor",
        .functional = "pad",
        .doc = "More positions (or fewer) at the ends of the last dimensions, two numbers a "
               "dimension, the last one's first: a constant, or what reflect, replicate and "
               "circular say.",
        .eager = eager_pad,
        .decomposition = pad,
        .gradients = {{"input", "", pad_gradient}},
        .grad_name_of = pad_name,
        .samples = pad_samples,
    },
};

static_assert(complete(kEntries));

}  // namespace

std::span<const OpEntry> padding_entries() {
  return kEntries;
}

}  // namespace glint::ops
