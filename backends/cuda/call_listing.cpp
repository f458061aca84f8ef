#include "backends/cuda/call_listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "backends/cuda/compile_cuda.h"
#include "backends/cuda/convolution_kernel.h"
#include "backends/cuda/gpu_listing.h"
#include "backends/cuda/listing.h"
#include "backends/cuda/matrix_kernel.h"
#include "backends/cuda/tile_text.h"

namespace glint::cuda {
namespace {

using Lines = std::vector<StageLine>;

/// What is given under a name, or in its place; null: nothing.
const ScheduleArgument* argument_of(const LibraryCall& call, size_t place, std::string_view name) {
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    const ScheduleNamedArgument& each = call.arguments[i];
    if (each.name.empty() ? i == place : each.name == name) return &each.value;
  }
  return nullptr;
}

/// `mm_epilogue` and `convolution` both have it third.
bool has_bias(const LibraryCall& call) {
  const ScheduleArgument* given = argument_of(call, 2, "bias");
  return given != nullptr && given->is_value();
}

EpilogueForm epilogue_of(const LibraryCall& call) {
  const ScheduleArgument* given = argument_of(call, 3, "activation");
  const auto* activation = given == nullptr ? nullptr : given->get_if<std::string>();
  return {.adds = has_bias(call),
          .activation = activation == nullptr ? std::string_view("none") : *activation};
}

/// The tile that a product of these sizes takes; nothing where they are known only by a launch.
std::optional<size_t> usual_of(const TensorType& out, std::span<const MatrixTile> tiles) {
  std::vector<int64_t> sizes;
  for (const SymInt size : out.sizes) {
    if (!size.is_constant()) return std::nullopt;
    sizes.push_back(size.constant());
  }
  const size_t rank = sizes.size();
  const TiledProducts products{rank == 3 ? sizes[0] : 1, sizes[rank - 2], sizes[rank - 1]};
  const int part = products.usual_part(tiles.back().part);
  const auto found =
      std::ranges::find_if(tiles, [&](const MatrixTile& tile) { return tile.part == part; });
  return static_cast<size_t>(found - tiles.begin());
}

CallKernels product_kernels(const TensorType& out, const EpilogueForm& form) {
  const std::span<const MatrixTile> tiles = matrix_tiles(out.dtype);
  CallKernels kernels{.usual = usual_of(out, tiles)};
  for (const MatrixTile& tile : tiles)
    kernels.by_tile.push_back(
        {matrix_product_entry(tile), matrix_product_text(out.dtype, form, tile), tile.side()});
  return kernels;
}

/// How large its tiles are the windows decide, which are known only with the tensors.
CallKernels convolution_kernels(ConvolutionForm form) {
  CallKernels kernels;
  for (const MatrixTile& tile : convolution_tiles()) {
    form.part = tile.part;
    kernels.by_tile.push_back({convolution_entry(form.pass), convolution_text(form), tile.side()});
  }
  return kernels;
}

std::optional<DnnPass> pass_of(std::string_view target) {
  if (target == "convolution") return DnnPass::kForward;
  if (target == "convolution_of_input") return DnnPass::kOfInput;
  if (target == "convolution_of_weight") return DnnPass::kOfWeight;
  return std::nullopt;
}

/// Which of them a listing shows.
const CallKernel& shown_of(const CallKernels& kernels) {
  return kernels.by_tile[kernels.usual.value_or(0)];
}

/// `// %c: ...`: whose kernel follows, or why none does.
StageLine heading_of(const LibraryCall& call, const CallKernels& kernels) {
  std::string text = fmt::format("// %{}: `{}` is a library call", call.node, call.target.text());
  if (kernels.by_tile.empty()) {
    text += " with no kernel of its own; `:gpu` shows what ran on the simulated GPU";
  } else {
    text += fmt::format("; where no library does it, this kernel does, by tiles of {0} x {0}",
                        shown_of(kernels).side);
    text += kernels.usual ? "" : ", or larger ones as its sizes ask";
  }
  return {std::move(text), call.spans};
}

void append(Lines& lines, Lines added) {
  std::ranges::move(added, std::back_inserter(lines));
}

/// A heading for each call, and below it `body` of its kernel, once where several share it.
template <class F>
Lines with_calls(const Schedule& schedule, Lines listed, const F& body) {
  std::set<std::string> shown;
  for (const Step& step : schedule.steps) {
    const auto* call = std::get_if<LibraryCall>(&step.kind);
    if (call == nullptr) continue;
    const CallKernels kernels = kernels_of(schedule, *call);
    if (!listed.empty()) listed.push_back({"", {}});
    listed.push_back(heading_of(*call, kernels));
    if (kernels.by_tile.empty()) continue;
    if (shown.insert(shown_of(kernels).source).second)
      append(listed, body(kernels));
    else
      listed.back().text += ": as above";
  }
  if (listed.empty()) listed.push_back({"no kernel: nothing is computed", {}});
  return listed;
}

Lines source_lines(const CallKernels& kernels) {
  Lines lines;
  for_each_line(shown_of(kernels).source,
                [&](std::string_view text) { lines.push_back({std::string(text), {}}); });
  return lines;
}

/// The counts of every tile that ran: trials and other sizes may have taken others.
Lines counts_of(const CallKernels& kernels) {
  Lines lines;
  for (const CallKernel& each : kernels.by_tile) {
    Lines counted = counted_lines(each.entry, each.source);
    if (counted.empty()) continue;
    if (!lines.empty()) lines.push_back({"", {}});
    append(lines, std::move(counted));
  }
  if (lines.empty()) lines.push_back({"// it did not run on the simulated GPU yet", {}});
  return lines;
}

}  // namespace

CallKernels kernels_of(const Schedule& schedule, const LibraryCall& call) {
  const std::string& target = call.target.text();
  const TensorType& out = schedule[call.outputs[0]].type;
  if (target == "mm" || target == "bmm" || target == "mm_epilogue")
    return product_kernels(out, epilogue_of(call));
  const std::optional<DnnPass> pass = pass_of(target);
  if (!pass) return {};
  const TensorType& first = schedule[call.arguments[0].value.tensor()].type;
  return convolution_kernels({.pass = *pass,
                              .dtype = out.dtype,
                              .dims = static_cast<int>(first.sizes.size()) - 2,
                              .has_bias = *pass == DnnPass::kForward && has_bias(call)});
}

Lines with_call_sources(const Schedule& schedule, Lines listed) {
  return with_calls(schedule, std::move(listed), source_lines);
}

Lines with_call_code(const Schedule& schedule, Lines listed, std::string_view what,
                     ModuleLines lines_of) {
  return with_calls(schedule, std::move(listed), [&](const CallKernels& kernels) {
    const auto module = compiled_module(shown_of(kernels).source);
    if (!module) return missing_line(what, module.error());
    auto lines = lines_of(**module);
    return lines ? std::move(*lines) : missing_line(what, lines.error());
  });
}

Lines with_call_counts(const Schedule& schedule, Lines listed) {
  return with_calls(schedule, std::move(listed), counts_of);
}

}  // namespace glint::cuda
