// Short rows: of one vector, which a thread reads and writes in one access, and of a few, which
// some lanes of a warp share.
//
//     for (int i = thread; i < s0; i += threads) {                      // rows of 4 floats
//       const Vector<float, 4> x_4 = load<4>(x + 4 * i, aligned, 4);
//       #pragma unroll
//       for (int j = 0; j < 4; ++j) {
//         const float a = x_4.at[j];
//         ...
//
//     const int member = threadIdx.x % 4;                               // rows of 16
//     const int group = threadIdx.x / 4;
//     for (int first = blockIdx.x * 64; first < s0; first += gridDim.x * 64) {
//       const bool mine = first + group < s0;            // all lanes come to each total
//       const int i = mine ? first + group : first;
//       ...
//       acc = warp_total<4>(acc);
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "backends/cuda/codegen/bind_axes.h"
#include "backends/cuda/codegen/kernel_writer.h"
#include "backends/cuda/codegen/relative_place.h"

namespace glint::cuda {
namespace {

constexpr int64_t kWarp = 32;

}  // namespace

// ---- a thread's row ----------------------------------------------------------------------------

/// Whether the nest goes over one vector of each row that it touches.
bool KernelWriter::is_thread_row(const Nest& nest) const {
  const int64_t lanes = row_.lanes;
  if (team_ != Team::kThread || lanes == 1 || nest.loops.size() > 1 ||
      !extent_of(kernel_, nest).is(lanes) || holds<Loop>(kernel_, nest.first, nest.last) ||
      !fits_row_vectors(nest, lanes, false))
    return false;
  for (size_t i = nest.first; i < nest.last; ++i) {
    const auto access = access_of(kernel_.statements[i]);
    if (access && is_row_vector(*access, nest) &&
        lanes * static_cast<int64_t>(dtype_size(kernel_[access->buffer].type.dtype)) > kVectorBytes)
      return false;
  }
  return true;
}

/// Before the loop over rows: whether each of them is one vector.
void KernelWriter::plan_thread_rows(size_t first, size_t last) {
  row_ = {};
  thread_vectors_.clear();
  if (options_.checks_bounds) return;
  std::vector<Nest> nests = inner_nests(kernel_, first, last);
  int64_t longest = 0;
  for (const Nest& nest : nests)
    longest = std::max(longest, extent_of(kernel_, nest).maybe_constant().value_or(0));
  if (longest > kVectorBytes || !std::has_single_bit(static_cast<uint64_t>(longest))) return;
  row_.lanes = longest;
  std::erase_if(nests, [this](const Nest& nest) { return !is_thread_row(nest); });
  const std::vector<std::string> tests = row_alignment_tests(nests);
  if (tests.empty()) {
    row_ = {};
    return;
  }
  definitions_.use(Piece::kVectors);
  row_.aligned = names_.fresh("aligned");
  write_row_alignment(tests);
}

/// The vector that a load of the nest names. What nobody writes is read once.
std::string KernelWriter::thread_vector(const Access& access, const Nest& nest) {
  const std::string& buffer = buffer_names_[index(access.buffer)];
  for (const ThreadVector& each : thread_vectors_)
    if (each.buffer == access.buffer && each.place == relative_place(kernel_, access, nest))
      return each.name;
  const std::string name = names_.fresh(fmt::format("{}_{}", buffer, row_.lanes));
  line(fmt::format("const Vector<{0}, {1}> {2} = load<{1}>({3}, {4}, {1});",
                   definitions_.memory(kernel_[access.buffer].type.dtype), row_.lanes, name,
                   row_place(access, nest), row_.aligned));
  if (!written_[index(access.buffer)])
    thread_vectors_.push_back({access.buffer, relative_place(kernel_, access, nest), name});
  return name;
}

/// `x + 4 * i`: where the row begins.
std::string KernelWriter::row_place(const Access& access, const Nest& nest) {
  IndexExpression place = memory_place(kernel_, access.buffer, *access.indices);
  std::erase_if(place.terms,
                [&](const IndexTerm& term) { return index(term.variable) == nest.loops[0]; });
  const std::string& buffer = buffer_names_[index(access.buffer)];
  const bool is_first = place == IndexExpression();
  return is_first ? buffer : fmt::format("{} + {}", buffer, index_text(place, false));
}

void KernelWriter::write_thread_row(const Nest& nest) {
  const size_t loop = nest.loops[0];
  for (size_t i = nest.first; i < nest.last; ++i) {
    const auto access = access_of(kernel_.statements[i]);
    if (!access || !is_row_vector(*access, nest)) continue;
    statement_ = static_cast<uint32_t>(i);
    if (!access->stores) {
      vectors_[i] = thread_vector(*access, nest);
      continue;
    }
    vectors_[i] =
        names_.fresh(fmt::format("{}_{}", buffer_names_[index(access->buffer)], row_.lanes));
    line(fmt::format("Vector<{}, {}> {};", definitions_.memory(kernel_[access->buffer].type.dtype),
                     row_.lanes, vectors_[i]));
  }
  statement_ = static_cast<uint32_t>(loop);
  line("#pragma unroll");
  names_.open();
  const std::string at = value_names_[loop] = names_.fresh(kernel_.statements[loop].name);
  begin(fmt::format("for (int {0} = 0; {0} < {1}; ++{0})", at, row_.lanes));
  vector_at_ = at;
  write_range(nest.first, nest.last);
  vector_at_ = "part";
  statement_ = static_cast<uint32_t>(loop);
  close();
  for (size_t i = nest.first; i < nest.last; ++i) {
    const auto access = access_of(kernel_.statements[i]);
    if (!access || !access->stores || !vectors_.contains(i)) continue;
    statement_ = static_cast<uint32_t>(i);
    line(fmt::format("store({}, {}, {}, {});", row_place(*access, nest), vectors_.at(i),
                     row_.aligned, row_.lanes));
  }
  vectors_.clear();
}

// ---- a few lanes' row --------------------------------------------------------------------------

/// How many lanes of a warp share a row: so many that each has a vector of it.
void KernelWriter::plan_row_lanes(const Nest& outer) {
  row_lanes_ = {};
  const std::vector<Nest> nests = inner_nests(kernel_, outer.first, outer.last);
  int64_t longest = 0;
  for (const Nest& nest : nests) {
    const bool is_scan = kernel_.statements[nest.loops[0]].get_if<Loop>()->kind == LoopKind::kScan;
    const auto most = most_iterations(kernel_, nest, options_.shape);
    if (is_scan || !most) return;
    longest = std::max(longest, *most);
  }
  row_lanes_.count = 1;
  const int64_t lanes = options_.checks_bounds ? 1 : vector_lanes_of(nests);
  const auto members = static_cast<uint64_t>((longest + lanes - 1) / lanes);
  row_lanes_.count = std::clamp<int64_t>(static_cast<int64_t>(std::bit_ceil(members)), 2, kWarp);
  if (row_lanes_.count == kWarp) return;
  row_lanes_.member = names_.fresh("member");
  row_lanes_.group = names_.fresh("group");
}

/// Before the loop over rows: which of a row's lanes this is, and which row of the block's is its.
void KernelWriter::write_row_lanes() {
  if (team_ != Team::kWarp || row_lanes_.count == kWarp) return;
  line(fmt::format("const int {} = threadIdx.x % {};", row_lanes_.member, row_lanes_.count));
  line(fmt::format("const int {} = threadIdx.x / {};", row_lanes_.group, row_lanes_.count));
}

/// Every lane has a row, so that all of them come to each total; it may be the block's first one.
void KernelWriter::open_row_lanes(const Nest& nest) {
  const int64_t a_block = rows_ = static_cast<uint32_t>(threads_ / row_lanes_.count);
  note_grid(extent_of(kernel_, nest), a_block);
  statement_ = static_cast<uint32_t>(nest.loops[0]);
  const std::string count = count_text(nest);
  names_.open();
  const std::string first = names_.fresh("first");
  begin_stride(index_type_, first, of_blocks("blockIdx", a_block), count,
               of_blocks("gridDim", a_block));
  const std::string point = point_name(nest);
  const std::string at = fmt::format("{} + {}", first, row_lanes_.group);
  if (remainder(extent_of(kernel_, nest), a_block).is(0)) {
    line(fmt::format("const {} {} = {};", index_type_, point, at));
  } else {
    mine_ = names_.fresh("mine");
    line(fmt::format("const bool {} = {} < {};", mine_, at, count));
    line(fmt::format("const {} {} = {} ? {} : {};", index_type_, point, mine_, at, first));
  }
  name_loops(nest, point);
}

}  // namespace glint::cuda
