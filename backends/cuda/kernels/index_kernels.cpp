#include "backends/cuda/kernels/index_kernels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "backends/cuda/codegen/definitions.h"
#include "backends/cuda/device/launch_checks.h"
#include "backends/cuda/kernels/element_words.h"
#include "backends/cuda/kernels/ordered_walk.h"
#include "backends/cuda/kernels/text_walk.h"
#include "backends/cuda/launch/text_kernel.h"
#include "core/tensor/copy.h"

namespace glint::cuda {
namespace {

constexpr int64_t kWarp = 32;

// ---- texts -------------------------------------------------------------------------------------

constexpr std::string_view kPlaceOf = R"(
// The place that an index names; where there is none the launch has failed, and it is -1.
__device__ inline int64 place_of(int64 index, int64 size, int* status) {{
  const int64 place = {counted};
  if (place >= 0 && place < size) return place;
  fail(status, 1, index, size);
  return -1;
}}
)";

constexpr std::string_view kText = R"(
// A stretch of a line's places for each {whom}: copied, then written by all indices that name it.
extern "C" __global__ void __launch_bounds__(256)
scatter({memory}* out, const {memory}* input, const {memory}* __restrict__ source,
        {number} number, int* status, int64 lines, int64 length, int64 limit,
        int64 stretches{parameters}) {{
  const int64 stretch = (limit + stretches - 1) / stretches;
  const int lane = {lane};
  const int64 owners = (int64)gridDim.x * 256 / {owner_threads};
  for (int64 owner = ((int64)blockIdx.x * 256 + threadIdx.x) / {owner_threads};
       owner < lines * stretches; owner += owners) {{
    const int64 begin = owner / lines * stretch;
    const int64 end = begin + stretch < limit ? begin + stretch : limit;
{line}{copy}{skip}{write}  }}
}}
)";

constexpr std::string_view kCopy =
    R"(    for (int64 place = begin + lane; place < end; place += {owner_threads}) {{
{there}      out[out_at + out_there] = {before};
    }}
)";

constexpr std::string_view kSkip = "    if (!line_is_inside) continue;\n";

constexpr std::string_view kWriteByThread = R"(    for (int64 i = 0; i < length; ++i) {{
{named}      if (place < begin || place >= end) continue;
{there}      const {value} given = {given};
      {memory}& to = out[out_at + out_there];
      to = {result};
    }}
)";

// Each place is one lane's, the one that has copied it.
constexpr std::string_view kWriteByWarp =
    R"(    for (int64 first = 0; first < length; first += 32) {{
      const int64 i = first + lane;
      int64 at = -1;
      {value} mine = ({value})0;
      if (i < length) {{
{named}        if (place >= begin && place < end) {{
          at = place;
          mine = ({value}){given};
        }}
      }}
      unsigned left = __ballot_sync(0xffffffff, at >= 0);
      while (left != 0) {{
        const int from = __ffs(left) - 1;
        left &= left - 1;
        const int64 place = __shfl_sync(0xffffffff, at, from);
        const {value} given = ({value})__shfl_sync(0xffffffff, mine, from);
        if ((place - begin) % 32 != lane) continue;
{there}        {memory}& to = out[out_at + out_there];
        to = {result};
      }}
    }}
)";

constexpr std::string_view kEachText = R"(
// Each thread writes what indices of its own name; of two that name one place either may be last.
extern "C" __global__ void __launch_bounds__(256)
scatter_each({memory}* out, const {memory}* __restrict__ source, {number} number, int* status,
             int64 lines, int64 length{parameters}) {{
  const int64 threads = (int64)gridDim.x * 256;
  for (int64 point = (int64)blockIdx.x * 256 + threadIdx.x; point < lines * length;
       point += threads) {{
    const int64 i = {along};
{line}{named}    if (place < 0) continue;
{there}    const {value} given = {given};
    {store};
  }}
}}
)";

/// Who has a stretch.
enum class Owner : uint8_t { kThread, kWarp };

// ---- places ------------------------------------------------------------------------------------

/// How a kernel finds places: of a line, along its indices, and along the dimensions they name.
class Walks {
 public:
  explicit Walks(const Scatter& scatter)
      : scatter_(scatter),
        lines_("line", operands({"out_at", "input_at", "source_at"}, "at")),
        along_("along", operands({"source_along"}, "along")),
        there_("there", {"out_there", "input_there"}),
        source_(scatter.source.defined() ? scatter.source : scatter.indices[0]),
        input_(scatter.input ? *scatter.input : scatter.out) {
    add_lines();
    for (int64_t k = 0; k < along_rank(); ++k) {
      const int64_t dim = scatter.dim + k;
      along_.add(scatter.indices[0].size(dim), with_indices({source_.stride(dim)}, dim));
    }
    for (int64_t k = 0; k < named_rank(); ++k) {
      const int64_t dim = scatter.dim + k;
      there_.add(scatter.out.size(dim), {scatter.out.stride(dim), input_.stride(dim)});
    }
  }

  int64_t lines() const { return lines_.count(); }
  int64_t length() const { return along_.count(); }
  /// How many places there are along the named dimensions, side by side in the output or not.
  int64_t limit() const { return there_.count(); }
  bool lies_in_order() const { return there_.is_in_order(0); }
  bool has_outside() const { return lines_.has_outside(); }

  std::string parameters() const {
    std::string text;
    for (size_t k = 0; k < scatter_.indices.size(); ++k)
      text += fmt::format(", const {}* __restrict__ index{}, int64 limit{}",
                          ElementWords(scatter_.indices[k].dtype()).memory(), k, k);
    return text + lines_.parameters() + along_.parameters() + there_.parameters();
  }
  void add_arguments(std::vector<GpuArgument>& arguments) const {
    for (size_t k = 0; k < scatter_.indices.size(); ++k) {
      arguments.push_back(address(scatter_.indices[k], "index"));
      arguments.push_back(gpu_argument(scatter_.out.size(scatter_.dim + static_cast<int64_t>(k))));
    }
    lines_.add_arguments(arguments);
    along_.add_arguments(arguments);
    there_.add_arguments(arguments);
  }

  /// Statements behind which a line's tensors are known, from its number.
  std::string line(std::string_view number) const { return lines_.places(number, "    "); }
  /// Those that define `place`, which index `i` of a line names.
  std::string named(std::string_view indent) const {
    std::string text = along_.places("i", indent);
    for (size_t k = 0; k < scatter_.indices.size(); ++k)
      text += fmt::format(
          "{0}const int64 named{1} = "
          "place_of((int64)index{1}[index{1}_at + index{1}_along], limit{1}, status);\n",
          indent, k);
    std::string place = "named0", missing = "named0 < 0";
    for (size_t k = 1; k < scatter_.indices.size(); ++k) {
      place = fmt::format("({}) * limit{} + named{}", place, k, k);
      missing += fmt::format(" || named{} < 0", k);
    }
    return text +
           (scatter_.indices.size() == 1
                ? fmt::format("{}const int64 place = named0;\n", indent)
                : fmt::format("{}const int64 place = {} ? -1 : {};\n", indent, missing, place));
  }
  /// Those that define where a `place` lies.
  std::string there(std::string_view indent) const { return there_.places("place", indent); }
  std::string place_function() const {
    return fmt::format(
        kPlaceOf,
        fmt::arg("counted", scatter_.wraps ? "index < 0 ? index + size : index" : "index"));
  }

 private:
  int64_t named_rank() const { return static_cast<int64_t>(scatter_.indices.size()); }
  int64_t along_rank() const {
    return scatter_.indices[0].rank() - scatter_.out.rank() + named_rank();
  }
  std::vector<std::string> operands(std::vector<std::string> names, std::string_view end) const {
    for (size_t k = 0; k < scatter_.indices.size(); ++k)
      names.push_back(fmt::format("index{}_{}", k, end));
    return names;
  }
  std::vector<int64_t> with_indices(std::vector<int64_t> steps, int64_t dim) const {
    for (const Tensor& index : scatter_.indices) steps.push_back(index.stride(dim));
    return steps;
  }

  /// Neighbouring lines are neighbours in the output. What is copied has lines that no index names.
  void add_lines() {
    const Tensor& out = scatter_.out;
    std::vector<int64_t> dims;
    for (int64_t dim = 0; dim < out.rank(); ++dim)
      if (dim < scatter_.dim || dim >= scatter_.dim + named_rank()) dims.push_back(dim);
    std::ranges::stable_sort(dims, std::greater(),
                             [&](int64_t dim) { return std::abs(out.stride(dim)); });
    const bool copies = scatter_.input != nullptr || scatter_.over_zeros;
    for (const int64_t dim : dims) {
      const int64_t there = dim < scatter_.dim ? dim : dim - named_rank() + along_rank();
      const int64_t named = scatter_.indices[0].size(there);
      lines_.add(copies ? out.size(dim) : named,
                 with_indices({out.stride(dim), input_.stride(dim), source_.stride(there)}, there),
                 named);
    }
  }

  const Scatter& scatter_;
  OrderedWalk lines_, along_, there_;
  const Tensor& source_;
  const Tensor& input_;
};

/// What all texts are made of.
struct Words {
  ElementWords element;
  std::string given;

  explicit Words(const Scatter& scatter) : element(scatter.out.dtype()) {
    const std::string number = fmt::format("({})number", element.value());
    given = element.read("source[source_at + source_along]");
    if (!scatter.source.defined()) given = number;
    if (scatter.scales) given = element.product(given, element.read(element.write(number)));
  }
  std::string number(const Scatter& scatter) const {
    return ElementWords(wide_dtype(scatter.out.dtype())).memory();
  }
};

std::string definitions(const Scatter& scatter, const Walks& walks) {
  return ElementWords(scatter.out.dtype()).definitions() +
         std::string(piece_table()[static_cast<size_t>(Piece::kFail)].text) +
         walks.place_function();
}

std::string each_text(const Scatter& scatter, const Walks& walks) {
  const Words words(scatter);
  constexpr std::string_view kPlace = "out[out_at + out_there]";
  constexpr std::string_view kLongAdd =
      "atomicAdd((unsigned long long*)&{}, (unsigned long long)given)";
  const bool is_long = scatter.out.dtype() == DType::kInt64;
  const std::string add =
      is_long ? fmt::format(kLongAdd, kPlace) : fmt::format("atomicAdd(&{}, given)", kPlace);
  const std::string put = fmt::format("{} = {}", kPlace, words.element.write("given"));
  // Threads of a warp have neighbours, of a line or of different ones.
  const bool along = walks.lies_in_order();
  return definitions(scatter, walks) +
         fmt::format(kEachText, fmt::arg("memory", words.element.memory()),
                     fmt::arg("value", words.element.value()),
                     fmt::arg("number", words.number(scatter)),
                     fmt::arg("parameters", walks.parameters()),
                     fmt::arg("along", along ? "point % length" : "point / lines"),
                     fmt::arg("line", walks.line(along ? "point / length" : "point % lines")),
                     fmt::arg("named", walks.named("    ")), fmt::arg("there", walks.there("    ")),
                     fmt::arg("given", words.given),
                     fmt::arg("store", scatter.meeting == Meeting::kAdd ? add : put));
}

std::string copy_text(const Scatter& scatter, const Walks& walks, int owner_threads) {
  if (scatter.input == nullptr && !scatter.over_zeros) return "";
  const ElementWords element(scatter.out.dtype());
  const std::string zero = element.write(fmt::format("({})0", element.value()));
  return fmt::format(
      kCopy, fmt::arg("owner_threads", owner_threads), fmt::arg("there", walks.there("      ")),
      fmt::arg("before", scatter.over_zeros ? zero : "input[input_at + input_there]"));
}

/// What becomes of the element `to` and a value `given`.
std::string met(const ElementWords& element, Meeting meeting) {
  const std::string there = element.read("to");
  switch (meeting) {
    case Meeting::kAdd:
      return element.sum(there, "given");
    case Meeting::kMultiply:
      return element.product(there, "given");
    case Meeting::kGreatest:
      return fmt::format("given != given || {0} < given ? given : {0}", there);
    case Meeting::kLeast:
      return fmt::format("given != given || given < {0} ? given : {0}", there);
    default:
      return "given";
  }
}

std::string write_text(const Scatter& scatter, const Walks& walks, Owner owner) {
  const Words words(scatter);
  const ElementWords& element = words.element;
  const std::string result = element.write(met(element, scatter.meeting));
  const bool is_warp = owner == Owner::kWarp;
  const std::string_view indent = is_warp ? "        " : "      ";
  return fmt::format(fmt::runtime(is_warp ? kWriteByWarp : kWriteByThread),
                     fmt::arg("value", element.value()), fmt::arg("memory", element.memory()),
                     fmt::arg("named", walks.named(indent)), fmt::arg("there", walks.there(indent)),
                     fmt::arg("given", words.given), fmt::arg("result", result));
}

std::string scatter_text(const Scatter& scatter, const Walks& walks, Owner owner) {
  const Words words(scatter);
  const bool is_warp = owner == Owner::kWarp;
  const int owner_threads = is_warp ? kWarp : 1;
  return definitions(scatter, walks) +
         fmt::format(kText, fmt::arg("whom", is_warp ? "warp" : "thread"),
                     fmt::arg("memory", words.element.memory()),
                     fmt::arg("number", words.number(scatter)),
                     fmt::arg("parameters", walks.parameters()),
                     fmt::arg("lane", is_warp ? "threadIdx.x % 32" : "0"),
                     fmt::arg("owner_threads", owner_threads),
                     fmt::arg("line", walks.line("owner % lines")),
                     fmt::arg("copy", copy_text(scatter, walks, owner_threads)),
                     fmt::arg("skip", walks.has_outside() ? kSkip : ""),
                     fmt::arg("write", write_text(scatter, walks, owner)));
}

// ---- launches ----------------------------------------------------------------------------------

/// Into how many stretches a line is cut: enough to fill a GPU. All of them go through all indices,
/// so that there are not many more than make that as long as copying is.
int64_t stretches_for(const Walks& walks, Owner owner) {
  constexpr int64_t kOwners = 65536, kLeastPlaces = 32, kFew = 64;
  const int64_t limit = walks.limit(), lines = walks.lines();
  const int64_t most = owner == Owner::kWarp
                           ? kOwners / kWarp / lines
                           : std::min(kOwners / lines, std::max(limit / walks.length(), kFew));
  return std::clamp((limit + kLeastPlaces - 1) / kLeastPlaces, int64_t{1},
                    std::max<int64_t>(most, 1));
}

/// Lanes go along a line where its places are neighbours, or where there are few lines.
Owner owner_for(const Walks& walks) {
  return walks.lies_in_order() || walks.lines() < kWarp ? Owner::kWarp : Owner::kThread;
}

const LaunchCheck& scatter_check() {
  static const LaunchCheck& check = *new LaunchCheck("scatter", {{1, "index out of bounds"}});
  return check;
}

/// Whether so many indices name places of a line that nobody should go through all of them; and
/// whether additions can be made in any order.
bool writes_each(const Scatter& scatter, const Walks& walks) {
  constexpr int64_t kManyIndices = 1 << 14;
  const DType dtype = scatter.out.dtype();
  const bool adds_at_once = dtype == DType::kFloat32 || dtype == DType::kFloat64 ||
                            dtype == DType::kInt32 || dtype == DType::kInt64;
  const bool in_any_order =
      scatter.meeting == Meeting::kReplace || (scatter.meeting == Meeting::kAdd && adds_at_once);
  return walks.length() >= kManyIndices && in_any_order;
}

/// One without a source writes a number, and its kernel reads no source.
const Tensor& source_of(const Scatter& scatter) {
  return scatter.source.defined() ? scatter.source : scatter.out;
}

void launch_each(const Scatter& scatter, const Walks& walks) {
  std::vector<GpuArgument> arguments = {address(scatter.out, "out"),
                                        address(source_of(scatter), "source"),
                                        wide_number(scatter.number, scatter.out.dtype()),
                                        scatter_check().argument(),
                                        gpu_argument(walks.lines()),
                                        gpu_argument(walks.length())};
  walks.add_arguments(arguments);
  text_kernel(each_text(scatter, walks), "scatter_each")
      .launch_threads(walks.lines() * walks.length(), std::move(arguments));
  scatter_check().launched();
}

void launch_scatter(const Scatter& scatter, const Walks& walks) {
  const Tensor& input = scatter.input ? *scatter.input : scatter.out;
  const Owner owner = owner_for(walks);
  const int64_t stretches = stretches_for(walks, owner);
  std::vector<GpuArgument> arguments = {address(scatter.out, "out"),
                                        address(input, "input"),
                                        address(source_of(scatter), "source"),
                                        wide_number(scatter.number, scatter.out.dtype()),
                                        scatter_check().argument(),
                                        gpu_argument(walks.lines()),
                                        gpu_argument(walks.length()),
                                        gpu_argument(walks.limit()),
                                        gpu_argument(stretches)};
  walks.add_arguments(arguments);
  const int64_t threads = walks.lines() * stretches * (owner == Owner::kWarp ? kWarp : 1);
  text_kernel(scatter_text(scatter, walks, owner), "scatter")
      .launch_threads(threads, std::move(arguments));
  scatter_check().launched();
}

}  // namespace

void scatter_elements(const Scatter& given) {
  Scatter scatter = given;
  const Tensor input = given.input ? with_dimensions(*given.input) : Tensor();
  scatter.out = with_dimensions(given.out);
  for (Tensor& index : scatter.indices) index = with_dimensions(index);
  scatter.source = with_dimensions(given.source);
  scatter.input = given.input ? &input : nullptr;
  std::optional<Walks> walks;
  if (scatter.indices[0].numel() > 0) walks.emplace(scatter);
  const bool is_each = walks && writes_each(scatter, *walks);
  if (is_each || !walks) {
    if (scatter.input != nullptr) copy(scatter.out, input);
    if (scatter.over_zeros) fill(scatter.out, int64_t{0});
    scatter.input = nullptr;
    scatter.over_zeros = false;
  }
  if (is_each)
    launch_each(scatter, *walks);
  else if (walks)
    launch_scatter(scatter, *walks);
}

}  // namespace glint::cuda
