// Transposes: blocks take tiles of 32 by 32, which are read along the one loop and used along the
// other.
//
//     __shared__ float x_tile[32][33];                     // 33: no two lanes in one bank
//     for (int64 tile = blockIdx.x; tile < ...; tile += gridDim.x) {
//       const int64 i0 = 32 * (...);                       // the tile's first row and column
//       const int64 j0 = 32 * (...);
//       for (int row = warp; row < 32; row += 8) {         // lanes along i, as x lies in memory
//         const int64 i = i0 + lane;
//         const int64 j = j0 + row;
//         if (i < s0 && j < s1) x_tile[row][lane] = x[s0 * j + i];
//       }
//       __syncthreads();
//       for (int row = warp; row < 32; row += 8) {         // lanes along j, as the result does
//         ...
//           const float a = x_tile[lane][row];
//
// Nests have the tiles in shared memory one after the other, so that a join of many tensors takes
// no more of it than one does. A load for which there is no room is made as it stands.
#include <fmt/format.h>

#include <algorithm>

#include "backends/cuda/codegen/kernel_writer.h"

namespace glint::cuda {

/// The loop over tiles, and where each begins: the outer loops' indices, and `i0` for `i`.
void KernelWriter::write_tile_start(const Nest& nest, size_t turned) {
  SymInt tiles = 1;
  std::vector<SymInt> counts;
  for (const size_t at : nest.loops) {
    const SymInt extent = kernel_.statements[at].get_if<Loop>()->extent;
    const bool is_cut = at == turned || at == nest.loops.back();
    counts.push_back(is_cut ? ceil_divide(extent, 32) : extent);
    tiles *= counts.back();
  }
  note_grid(tiles, 1);
  const std::string count = size(tiles);
  names_.open();
  const std::string tile = names_.fresh("tile");
  begin_stride(index_type_, tile, "blockIdx.x", count, "gridDim.x");
  for (size_t k = 0; k < nest.loops.size(); ++k) {
    const size_t at = nest.loops[k];
    SymInt inside = 1;
    for (size_t later = k + 1; later < counts.size(); ++later) inside *= counts[later];
    std::string text = tile;
    if (!inside.is(1)) text += " / " + factor(inside);
    if (k > 0) text += " % " + factor(counts[k]);
    const bool is_cut = at == turned || at == nest.loops.back();
    if (is_cut) text = fmt::format("32 * ({})", text);
    statement_ = static_cast<uint32_t>(at);
    value_names_[at] = names_.fresh(kernel_.statements[at].name + (is_cut ? "0" : ""));
    line(fmt::format("const {} {} = {};", index_type_, value_names_[at], text));
  }
}

/// The rows of a tile, by warps: `rows` is the loop that counts them, `lanes` the one along them.
void KernelWriter::open_tile_rows(size_t rows, size_t lanes) {
  open(fmt::format("for (int row = warp; row < 32; row += {})", threads_ / 32));
  std::string inside;
  for (const auto& [at, offset] :
       {std::pair{std::min(rows, lanes), rows < lanes ? "row" : "lane"},
        std::pair{std::max(rows, lanes), rows < lanes ? "lane" : "row"}}) {
    const std::string first = value_names_[at];
    value_names_[at] = names_.fresh(kernel_.statements[at].name);
    line(fmt::format("const {} {} = {} + {};", index_type_, value_names_[at], first, offset));
    const SymInt extent = kernel_.statements[at].get_if<Loop>()->extent;
    if (remainder(extent, 32).is(0)) continue;
    inside +=
        fmt::format("{}{} < {}", inside.empty() ? "" : " && ", value_names_[at], size(extent));
  }
  open(inside.empty() ? "" : fmt::format("if ({})", inside));
}

/// Shared memory for a tile of what is loaded there, as no other load of the nest has; empty where
/// there is no room.
std::string KernelWriter::free_tile(size_t load) {
  const BufferId buffer = access_of(kernel_.statements[load])->buffer;
  const DType dtype = kernel_[buffer].type.dtype;
  const auto is_taken = [&](const std::string& name) {
    return std::ranges::any_of(tiles_, [&](const auto& each) { return each.second == name; });
  };
  for (const SharedTile& each : shared_tiles_)
    if (each.dtype == dtype && !is_taken(each.name)) return each.name;
  const auto bytes = static_cast<int64_t>(32 * 33 * dtype_size(dtype));
  if (bytes > shared_room()) return "";
  shared_bytes_ += bytes;
  const std::string name = names_.fresh_argument(buffer_names_[index(buffer)] + "_tile");
  statement_ = static_cast<uint32_t>(load);
  line(fmt::format("__shared__ {} {}[32][33];", definitions_.memory(dtype), name));
  shared_tiles_.push_back({name, dtype});
  return name;
}

void KernelWriter::place_tiles(const Nest& nest, size_t turned) {
  for (size_t i = nest.first; i < nest.last; ++i) {
    if (!is_turned(kernel_, nest, turned, i)) continue;
    if (std::string tile = free_tile(i); !tile.empty()) tiles_[i] = std::move(tile);
  }
}

void KernelWriter::write_tile_loads(const Nest& nest, size_t turned) {
  statement_ = static_cast<uint32_t>(turned);
  open_tile_rows(nest.loops.back(), turned);
  for (const auto& [i, tile] : tiles_) {
    const auto access = access_of(kernel_.statements[i]);
    statement_ = static_cast<uint32_t>(i);
    write_bounds(i, *access, std::nullopt);
    line(fmt::format("{}[row][lane] = {};", tile, place(access->buffer, *access->indices)));
  }
  close();
  close();
}

void KernelWriter::write_tiles(const Nest& nest, size_t turned) {
  uses_lane_ = uses_warp_ = true;
  team_ = Team::kThread;
  line("// Each block takes tiles of 32 by 32, which it turns in shared memory.");
  place_tiles(nest, turned);
  statement_ = static_cast<uint32_t>(nest.loops[0]);
  write_tile_start(nest, turned);
  const std::vector<std::string> starts = value_names_;
  write_tile_loads(nest, turned);
  statement_ = SourceLine::kNone;
  line("__syncthreads();");
  value_names_ = starts;
  statement_ = static_cast<uint32_t>(nest.loops.back());
  open_tile_rows(turned, nest.loops.back());
  write_range(nest.first, nest.last);
  close();
  close();
  statement_ = SourceLine::kNone;
  line("__syncthreads();");
  close();
  tiles_.clear();
}

}  // namespace glint::cuda
