// What the members of a team keep of rows, so that it is read from memory once: in registers where
// each member has few elements, else in shared memory as far as it goes.
//
//     float t[20];                                       // scratch of each of 1024 threads
//
//     extern __shared__ __align__(16) char kept_rows[];  // as much as the launch asks for
//     float* const x_row = (float*)kept_rows;            // x, of a row of any length
//     ...
//       const bool kept = slot < kept_elements;
//
// How many elements of a long row a block keeps in shared memory the launch says: all of them, or
// as many as the device has room for. A member keeps what it has loaded or made itself, and nobody
// else reads it: there are no barriers.
#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "backends/cuda/codegen/bind_axes.h"
#include "backends/cuda/codegen/kernel_writer.h"
#include "backends/cuda/codegen/relative_place.h"

namespace glint::cuda {
namespace {

/// Iterations of a member that are written out, so that what it keeps lies in registers: usually,
/// and in blocks of as many threads as there may be, where that keeps all of a longer row.
constexpr int64_t kMostParts = 16;
constexpr int64_t kMostPartsOfLongest = 32;
constexpr int64_t kMostThreads = 1024;
/// Registers of a multiprocessor; those of a thread that are for other things, and where sizes are
/// numbers of the text; and how many take what it keeps at most.
constexpr int64_t kRegisters = 65536;
constexpr int64_t kOtherRegisters = 24;
constexpr int64_t kOthersOfKnown = 12;
constexpr int64_t kMostKept = 64;
/// Threads that a multiprocessor has room for, from compute capability 8.0 on: of any GPU, and of
/// those with the fastest memory. A GPU with less room takes no notice of a wish for more blocks.
constexpr int64_t kLeastResident = 1536;
constexpr int64_t kMostResident = 2048;
/// Statements of a loop that take few registers.
constexpr size_t kShortBody = 12;
/// What tiles take of a block's shared memory, and what any device gives a block of it.
constexpr int64_t kTileBytes = 32768;
constexpr int64_t kLeastSharedBytes = 65536;

int64_t value_bytes(DType dtype) {
  return std::max<int64_t>(dtype_size(dtype), is_floating(dtype) ? 4 : 1);
}
/// Registers that so many values take.
int64_t registers_of(DType dtype, int64_t count) {
  return count * ((value_bytes(dtype) + 3) / 4);
}

}  // namespace

/// How many iterations of a nest each member does at most; 0 where that is not known, or too many.
int64_t KernelWriter::parts_of(const Nest& nest) const {
  if (!row_slices_.slices.empty()) return 0;
  const auto extent = most_iterations(kernel_, nest, options_.shape);
  const bool has_rest = kernel_.statements[nest.loops[0]].get_if<Loop>()->rest.has_value();
  if (!extent || *extent <= 0 || has_rest || team_ == Team::kGrid) return 0;
  const int64_t count = words().count * row_.lanes;
  if (count == 0) return 0;
  const int64_t reach = *extent + (row_.ragged ? row_.lanes - 1 : 0);
  const int64_t parts = (reach + count - 1) / count * row_.lanes;
  return parts <= most_parts_ ? parts : 0;
}

/// Whether the registers of a thread hold the array with all that are there at the same time.
bool KernelWriter::fits_registers(const KeptArray& array) const {
  const auto are_at_once = [](const KeptArray& a, const KeptArray& b) {
    return a.first_statement <= b.last_statement && b.first_statement <= a.last_statement;
  };
  const int64_t room = std::min(kMostKept, kRegisters / threads_ - kOtherRegisters);
  int64_t kept = registers_of(array.dtype, array.length);
  for (const KeptArray& each : kept_arrays_)
    if (are_at_once(each, array)) kept += registers_of(each.dtype, each.length);
  return kept <= room;
}

/// Keeps an element for each iteration of the nest: says whether in shared memory, or nothing where
/// there is no room.
std::optional<bool> KernelWriter::add_array(KeptArray array, const Nest& nest) {
  const bool has_rest = kernel_.statements[nest.loops[0]].get_if<Loop>()->rest.has_value();
  array.length = parts_of(nest);
  const bool shared = array.length == 0;
  if (shared ? team_ != Team::kBlock || has_rest : !fits_registers(array)) {
    lacks_room_ |= !shared;
    return std::nullopt;
  }
  array.reach = extent_of(kernel_, nest) + (row_.ragged ? row_.lanes - 1 : 0);
  kept_arrays_.push_back(std::move(array));
  return shared;
}

/// One array in shared memory takes the place of another that is read no more when it is first
/// written: each thread touches only what it has put there. How many bytes an element takes in all.
int64_t KernelWriter::share_places() {
  int64_t bytes = 0;
  for (size_t k = 0; k < kept_arrays_.size(); ++k) {
    KeptArray& array = kept_arrays_[k];
    array.with.clear();
    if (array.length > 0) continue;
    for (size_t before = 0; before < k && array.with.empty(); ++before) {
      const KeptArray& other = kept_arrays_[before];
      const bool is_taken =
          std::any_of(kept_arrays_.begin(), kept_arrays_.begin() + static_cast<long>(k),
                      [&](const KeptArray& each) { return each.with == other.name; });
      if (other.length == 0 && other.with.empty() && !is_taken &&
          value_type(other.dtype) == value_type(array.dtype) &&
          other.last_statement < array.first_statement)
        array.with = other.name;
    }
    if (array.with.empty()) bytes += value_bytes(array.dtype);
  }
  return bytes;
}

/// Bytes of static shared memory that are left for tiles.
int64_t KernelWriter::shared_room() const {
  int64_t room = kTileBytes - shared_bytes_;
  for (size_t b = kernel_.parameter_count; b < kernel_.buffers.size(); ++b)
    if (!kept_scratch_.contains(BufferId(b)))
      room -= shared_scratch_bytes(kernel_.buffers[b], 1).value_or(0);
  return std::max<int64_t>(room, 0);
}

/// How much of a row the arrays in shared memory hold is an argument; the last of them is given up
/// where a small device has no room for a round of elements.
void KernelWriter::plan_kept_elements() {
  std::stable_sort(kept_arrays_.begin(), kept_arrays_.end(),
                   [](const KeptArray& a, const KeptArray& b) {
                     if (a.length > 0 || b.length > 0) return a.length > b.length && b.length == 0;
                     return a.first_statement < b.first_statement;
                   });
  const int64_t round = row_.lanes * threads_;
  int64_t bytes = share_places();
  while (bytes * round > kLeastSharedBytes) {
    const std::string last = kept_arrays_.back().name;
    const auto is_last = [&](const auto& each) { return each.second.array == last; };
    kept_arrays_.pop_back();
    std::erase_if(kept_loads_, is_last);
    std::erase_if(kept_scratch_, is_last);
    bytes = share_places();
  }
  if (bytes == 0) return;
  SymInt reach = 0;
  for (const KeptArray& each : kept_arrays_)
    if (each.length == 0) reach = maximum(reach, each.reach);
  if (kept_rows_.empty())
    kept_rows_ = names_.fresh_argument("kept_rows");
  else
    line("__syncthreads();  // the rows before are kept in the same memory");
  kept_elements_ = names_.fresh_argument("kept_elements");
  kept_.push_back({.kind = KernelParameter::Kind::kKept,
                   .name = kept_elements_,
                   .dtype = DType::kInt64,
                   .size = ceil_divide(reach, round) * round,
                   .round = static_cast<uint32_t>(round),
                   .element_bytes = static_cast<uint32_t>(bytes)});
}

void KernelWriter::declare_kept() {
  int64_t before = 0;  // bytes of an element, in the arrays before
  for (const KeptArray& each : kept_arrays_) {
    const std::string_view type = value_type(each.dtype);
    if (each.length > 0) {
      line(fmt::format("{} {}[{}];", type, each.name, each.length));
    } else if (each.with.empty()) {
      line(fmt::format("{0}* const {1} = ({0}*){2};", type, each.name,
                       before == 0
                           ? kept_rows_
                           : fmt::format("({} + {} * {})", kept_rows_, before, kept_elements_)));
      before += value_bytes(each.dtype);
    } else {
      line(fmt::format("{}* const {} = {};  // where each thread is done with it", type, each.name,
                       each.with));
    }
  }
}

void KernelWriter::plan_kept() {
  keep_what_fits();
  plan_kept_elements();
  declare_kept();
  note_registers();
}

/// Registers of what was kept before a statement and is read there or later.
int64_t KernelWriter::kept_registers(size_t statement) const {
  int64_t registers = 0;
  for (const KeptArray& each : kept_arrays_)
    if (each.first_statement < statement && statement <= each.last_statement)
      registers += registers_of(each.dtype, each.length);
  return registers;
}

/// Of a block's rows of any length each element is looked for, for which the compiler takes more
/// registers than it needs: it is told how many blocks a multiprocessor has to have room for. So
/// too where a short body stands twice that waits for memory alone: as many as there are threads
/// for.
void KernelWriter::note_registers() {
  const bool is_any_length = options_.shape.longest_row != 0;
  const auto is_short = [](const Nest& nest) { return nest.last - nest.first <= kShortBody; };
  const bool is_twice =
      row_.two_bodies && is_narrow_ && waits_for_memory() && std::ranges::all_of(nests_, is_short);
  if (!(is_any_length || is_twice) || team_ != Team::kBlock) return;
  int64_t kept = 0;
  for (const KeptArray& each : kept_arrays_) kept += registers_of(each.dtype, each.length);
  if (kept == 0) return;
  const int64_t of_addresses = 2 * int64_t{kernel_.parameter_count};
  const int64_t others = is_any_length ? kOtherRegisters : kOthersOfKnown;
  const int64_t blocks = std::min(kRegisters / (threads_ * (kept + of_addresses + others)),
                                  (is_any_length ? kLeastResident : kMostResident) / threads_);
  least_blocks_ = std::min(least_blocks_.value_or(blocks), blocks);
}

void KernelWriter::keep(int64_t most_parts) {
  most_parts_ = most_parts;
  lacks_room_ = false;
  kept_loads_.clear();
  kept_scratch_.clear();
  kept_arrays_.clear();
  parts_.clear();
  keep_scratch();
  keep_loads();
}

/// Of the longest rows registers keep all or nothing: what they do not hold is kept in shared
/// memory, as far as it goes.
void KernelWriter::keep_what_fits() {
  const bool is_longest = team_ == Team::kBlock && threads_ == kMostThreads;
  const NameTable names = names_;
  keep(is_longest ? kMostPartsOfLongest : kMostParts);
  if (!is_longest || !lacks_room_) return;
  names_ = names;
  keep(kMostParts);
}

/// Plans what a body will keep, before it is known how it is written; whether some of it lies in
/// registers.
bool KernelWriter::would_keep_in_registers(const std::vector<Nest>& nests) {
  const NameTable names = names_;
  nests_ = nests;
  keep_what_fits();
  names_ = names;
  return std::ranges::any_of(kept_arrays_, [](const auto& each) { return each.length > 0; });
}

/// Whether rows that are gone over again are kept in registers, all that there is of them. The same
/// then holds for rows that are cut into elements.
bool KernelWriter::keeps_all_in_registers(const std::vector<Nest>& nests) {
  if (options_.shape.longest_row == 0 || !would_keep_in_registers(nests)) return false;
  const auto is_in_registers = [](const KeptArray& each) { return each.length > 0; };
  const auto is_kept = [&](size_t i) {
    const auto access = access_of(kernel_.statements[i]);
    return !access || index(access->buffer) < kernel_.parameter_count ||
           kept_scratch_.contains(access->buffer);
  };
  const auto all = std::views::iota(nests.front().first, nests.back().last);
  return !lacks_room_ && std::ranges::all_of(kept_arrays_, is_in_registers) &&
         std::ranges::all_of(all, is_kept);
}

/// Scratch of which each iteration of nests of one length writes and reads its own element.
void KernelWriter::keep_scratch() {
  for (size_t b = kernel_.parameter_count; b < kernel_.buffers.size(); ++b) {
    const auto buffer = BufferId(b);
    const Nest* first = nullptr;
    bool fits = true;
    int stores = 0;
    std::vector<size_t> nests;
    std::vector<size_t> uses;
    for (const Nest& nest : nests_) {
      for (size_t i = nest.first; i < nest.last; ++i) {
        const auto access = access_of(kernel_.statements[i]);
        if (!access || access->buffer != buffer) continue;
        if (first == nullptr) first = &nest;
        fits &= !access->masked && same_extents(kernel_, *first, nest) &&
                is_own_element(kernel_, relative_place(kernel_, *access, nest), nest);
        nests.push_back(nest.loops[0]);
        uses.push_back(i);
        stores += access->stores;
      }
    }
    const auto uses_it = [&](const Statement& statement) {
      const auto access = access_of(statement);
      return access && access->buffer == buffer;
    };
    // One between the nests, as of the element that a label names, may be another member's.
    fits &= std::ranges::count_if(kernel_.statements, uses_it) == std::ssize(uses);
    if (first == nullptr || !fits) continue;
    const std::string name = names_.fresh(kernel_.buffers[b].name);
    const auto shared = add_array({.name = name,
                                   .dtype = kernel_.buffers[b].type.dtype,
                                   .first_statement = uses.front(),
                                   .last_statement = uses.back()},
                                  *first);
    if (!shared) continue;
    kept_scratch_[buffer] = {name, false, *shared};
    if (*shared) {
      if (stores == 1) {
        kept_scratch_[buffer].made_in = *first;
        kept_scratch_[buffer].remade = made_of(*first, uses.front());
      }
      continue;
    }
    for (const size_t nest : nests) parts_[nest] = parts_of(*first);
  }
}

/// Elements that several nests load, and nobody writes.
void KernelWriter::keep_loads() {
  for (size_t n = 0; n < nests_.size(); ++n) {
    const Nest& nest = nests_[n];
    for (size_t i = nest.first; i < nest.last; ++i) {
      const auto access = access_of(kernel_.statements[i]);
      if (!access || access->stores || access->masked || kept_loads_.contains(i)) continue;
      if (index(access->buffer) >= kernel_.parameter_count || written_[index(access->buffer)])
        continue;
      const RelativePlace place = relative_place(kernel_, *access, nest);
      if (!is_walked(place, nest)) continue;
      std::vector<std::pair<size_t, size_t>> again;  // the load, its nest
      for (size_t later = n + 1; later < nests_.size(); ++later) {
        const Nest& other = nests_[later];
        for (size_t k = other.first; k < other.last; ++k) {
          const auto load = access_of(kernel_.statements[k]);
          if (!load || load->stores || load->masked || load->buffer != access->buffer) continue;
          if (same_extents(kernel_, nest, other) && relative_place(kernel_, *load, other) == place)
            again.emplace_back(k, other.loops[0]);
        }
      }
      if (again.empty()) continue;
      const std::string name = names_.fresh(buffer_names_[index(access->buffer)] + "_row");
      const DType dtype = kernel_[access->buffer].type.dtype;
      const auto shared = add_array({.name = name,
                                     .dtype = dtype,
                                     .first_statement = i,
                                     .last_statement = again.back().first},
                                    nest);
      if (!shared) continue;
      kept_loads_[i] = {name, true, *shared};
      if (!*shared) parts_[nest.loops[0]] = parts_of(nest);
      for (const auto& [load, its_nest] : again) {
        kept_loads_[load] = {name, false, *shared};
        if (!*shared) parts_[its_nest] = parts_of(nest);
      }
    }
  }
}

}  // namespace glint::cuda
