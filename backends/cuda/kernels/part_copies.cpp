#include "backends/cuda/kernels/part_copies.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "backends/cuda/codegen/kernel_writer.h"
#include "backends/cuda/kernels/element_words.h"
#include "backends/cuda/launch/text_kernel.h"
#include "core/tensor/strided_loop.h"

namespace glint::cuda {
namespace {

/// Parts of a launch, and arguments of 8 bytes that every GPU takes.
constexpr size_t kMostParts = 32;
constexpr size_t kMostArguments = 500;
constexpr int64_t kThreads = 256;

// ---- the text ----------------------------------------------------------------------------------

constexpr std::string_view kText = R"(
// Each part has so many blocks of its own.
extern "C" __global__ void __launch_bounds__(256)
copy_parts(int64 blocks{parameters}) {{
  {to}* to = to_0;
  const {from}* from = from_0;
{first}  switch (blockIdx.x / blocks) {{
{others}  }}
  const int64 count = {count};
  const int64 threads = blocks * 256;
  for (int64 i = blockIdx.x % blocks * 256 + threadIdx.x; i < count; i += threads) {{
    int64 rest = i;
    int64 to_at = 0;
    int64 from_at = 0;
{places}    to[to_at] = {value};
  }}
}}
)";

/// The names of a part's dimensions: `size0`, of part 3 `size0_3`.
std::vector<std::string> dimension_names(size_t rank) {
  std::vector<std::string> names;
  for (size_t dim = 0; dim < rank; ++dim)
    for (const std::string_view what : {"size", "to_step", "from_step"})
      names.push_back(fmt::format("{}{}", what, dim));
  return names;
}

std::string parameters_of(const ElementWords& to, const ElementWords& from, size_t rank,
                          size_t parts) {
  std::string text;
  for (size_t part = 0; part < parts; ++part) {
    text += fmt::format(",\n           {0}* to_{2}, const {1}* from_{2}", to.memory(),
                        from.memory(), part);
    for (const std::string& name : dimension_names(rank))
      text += fmt::format(", int64 {}_{}", name, part);
  }
  return text;
}

/// What the part's number stands for, in the places of the first one.
std::string case_of(size_t rank, size_t part) {
  std::string text =
      fmt::format("    case {0}:\n      to = to_{0};\n      from = from_{0};\n", part);
  for (const std::string& name : dimension_names(rank))
    text += fmt::format("      {0} = {0}_{1};\n", name, part);
  return text + "      break;\n";
}

/// From the number of an element, the innermost dimension first.
std::string places_of(size_t rank) {
  std::string text;
  for (size_t dim = 0; dim < rank; ++dim) {
    const bool is_last = dim + 1 == rank;
    const std::string here = is_last ? "rest" : fmt::format("rest % size{}", dim);
    for (const std::string_view whose : {"to", "from"})
      text += fmt::format("    {0}_at += {1} * {0}_step{2};\n", whose, here, dim);
    if (!is_last) text += fmt::format("    rest /= size{};\n", dim);
  }
  return text;
}

std::string text_of(DType to_dtype, DType from_dtype, size_t rank, size_t parts) {
  const ElementWords to(to_dtype), from(from_dtype);
  std::string first, others, count = "size0";
  for (const std::string& name : dimension_names(rank))
    first += fmt::format("  int64 {0} = {0}_0;\n", name);
  for (size_t part = 1; part < parts; ++part) others += case_of(rank, part);
  for (size_t dim = 1; dim < rank; ++dim) count += fmt::format(" * size{}", dim);
  const bool converts = to_dtype != from_dtype;
  const std::string value =
      converts ? to.write(fmt::format("({})({})", to.value(), from.read("from[from_at]")))
               : "from[from_at]";
  return element_definitions({to_dtype, from_dtype}) +
         fmt::format(kText, fmt::arg("parameters", parameters_of(to, from, rank, parts)),
                     fmt::arg("to", to.memory()), fmt::arg("from", from.memory()),
                     fmt::arg("first", first), fmt::arg("others", others), fmt::arg("count", count),
                     fmt::arg("places", places_of(rank)), fmt::arg("value", value));
}

// ---- launches ----------------------------------------------------------------------------------

/// Parts that one text does.
struct Alike {
  DType to;
  DType from;
  size_t rank;
  std::vector<const PartCopy*> parts = {};

  size_t parts_a_launch() const { return std::min(kMostParts, kMostArguments / (2 + 3 * rank)); }
};

void add_part(std::vector<GpuArgument>& arguments, const PartCopy& part, const Alike& alike) {
  const StridedLoop loop({&part.target, &part.source});
  const auto to_size = static_cast<int64_t>(dtype_size(alike.to));
  const auto from_size = static_cast<int64_t>(dtype_size(alike.from));
  arguments.push_back(gpu_argument(reinterpret_cast<uint64_t>(loop.data(0)), "target"));
  arguments.push_back(gpu_argument(reinterpret_cast<uint64_t>(loop.data(1)), "source"));
  for (size_t dim = 0; dim < loop.rank(); ++dim) {
    arguments.push_back(gpu_argument(loop.size(dim)));
    arguments.push_back(gpu_argument(loop.stride(0, dim) / to_size));
    arguments.push_back(gpu_argument(loop.stride(1, dim) / from_size));
  }
}

/// Arguments that a launch of fewer parts has no use for.
void pad(std::vector<GpuArgument>& arguments, size_t count) {
  while (arguments.size() < count) arguments.push_back(gpu_argument(int64_t{0}));
}

void launch(const Alike& alike, std::span<const PartCopy* const> parts) {
  int64_t longest = 1;
  for (const PartCopy* part : parts) longest = std::max(longest, part->target.numel());
  const auto count = static_cast<int64_t>(parts.size());
  const int64_t blocks =
      std::clamp<int64_t>((longest + kThreads - 1) / kThreads, 1, kMostBlocks / count);
  std::vector<GpuArgument> arguments = {gpu_argument(blocks)};
  for (const PartCopy* part : parts) add_part(arguments, *part, alike);
  pad(arguments, 1 + alike.parts_a_launch() * (2 + 3 * alike.rank));
  text_kernel(text_of(alike.to, alike.from, alike.rank, alike.parts_a_launch()), "copy_parts")
      .launch(count * blocks, kThreads, std::move(arguments));
}

}  // namespace

void copy_parts(std::span<const PartCopy> parts) {
  std::map<std::pair<DType, size_t>, Alike> kinds;
  for (const PartCopy& part : parts) {
    const size_t rank = StridedLoop({&part.target, &part.source}).rank();
    if (rank == 0) continue;  // no elements
    const DType from = part.source.dtype();
    kinds.try_emplace({from, rank}, Alike{part.target.dtype(), from, rank})
        .first->second.parts.push_back(&part);
  }
  for (const auto& [key, alike] : kinds) {
    const std::span<const PartCopy* const> all(alike.parts);
    for (size_t at = 0; at < all.size(); at += alike.parts_a_launch())
      launch(alike, all.subspan(at, std::min(alike.parts_a_launch(), all.size() - at)));
  }
}

}  // namespace glint::cuda
