// The loops over a row that the members of a team share: an element at a time, or, where the row
// lies so in memory, several neighbours in one access of up to 16 bytes.
//
//     const bool aligned = is_aligned<4>(x) && is_aligned<4>(y);
//     for (int64 i = blockIdx.x; i < s0; i += gridDim.x) {
//       for (int part = 0; part < 2; ++part) {
//         const int j0 = 4 * (threadIdx.x + 128 * part);
//         const Vector<float, 4> x_4 = load<4>(x + 1024 * i + j0, aligned, 4);
//         for (int element = 0; element < 4; ++element) {
//           const float a = x_4.at[element];
//           ...
//
// Of a row whose length only the launch knows, that decides: a member's elements are `next` apart,
// neighbours where vectors may be read, and else as far apart as there are members, so that
// neighbouring lanes read neighbouring elements.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "backends/cuda/bind_axes.h"
#include "backends/cuda/kernel_writer.h"
#include "ir/kernel_edit.h"

namespace glint::cuda {
namespace {

constexpr int64_t kVectorBytes = 16;
constexpr int64_t kMostLanes = 8;

bool made_inside(const IndexExpression& place, const Nest& nest) {
  return std::any_of(place.terms.begin(), place.terms.end(), [&](const IndexTerm& term) {
    return index(term.variable) >= nest.first && index(term.variable) < nest.last;
  });
}

/// Whether the place depends on more than loops, in a nest that checks what it has: vectors are
/// read before its first statement.
bool may_be_checked(const Kernel& kernel, const IndexExpression& place, const Nest& nest) {
  return holds<Check>(kernel, nest.first, nest.last) &&
         std::any_of(place.terms.begin(), place.terms.end(), [&](const IndexTerm& term) {
           return kernel[term.variable].get_if<Loop>() == nullptr;
         });
}

}  // namespace

// ---- whether vectors fit -----------------------------------------------------------------------

/// Whether an access walks along the nest, element by element, from a place that is known before.
bool KernelWriter::is_row_vector(const Access& access, const Nest& nest) const {
  if (index(access.buffer) >= kernel_.parameter_count || access.masked) return false;
  const IndexExpression place = memory_place(kernel_, access.buffer, *access.indices);
  return place.coefficient(StatementId(nest.loops.back())).is(1) && !made_inside(place, nest) &&
         !may_be_checked(kernel_, place, nest);
}

/// Whether the nest's length is a multiple of the vectors', whatever the sizes.
bool KernelWriter::has_whole_vectors(const Nest& nest) const {
  return remainder(kernel_.statements[nest.loops.back()].get_if<Loop>()->extent, row_.lanes).is(0);
}

bool KernelWriter::fits_row_vectors(const Nest& nest, int64_t lanes) const {
  const auto may_be_multiple = [lanes](SymInt number) {
    const SymInt rest = remainder(number, lanes);
    return rest.is(0) || !rest.is_constant();
  };
  const Loop& innermost = *kernel_.statements[nest.loops.back()].get_if<Loop>();
  if (kernel_.statements[nest.loops[0]].get_if<Loop>()->rest) return false;
  const SymInt left = remainder(innermost.extent, lanes);
  if (!left.is(0) && (left.is_constant() || nest.loops.size() > 1)) return false;
  if (loads_stored(kernel_, nest.first, nest.last, nest.first, nest.last)) return false;
  for (size_t i = nest.first; i < nest.last; ++i) {
    const auto access = access_of(kernel_.statements[i]);
    if (!access) continue;
    const IndexExpression place = memory_place(kernel_, access->buffer, *access->indices);
    const SymInt step = place.coefficient(StatementId(nest.loops.back()));
    if (step.is(0)) continue;
    if (index(access->buffer) >= kernel_.parameter_count) {
      // Scratch of which each element is its member's own is kept.
      if (!step.is(1) || !place.constant.is(0)) return false;
      continue;
    }
    if (!is_row_vector(*access, nest) || !may_be_multiple(place.constant)) return false;
    for (const IndexTerm& term : place.terms)
      if (index(term.variable) != nest.loops.back() && !may_be_multiple(term.coefficient))
        return false;
  }
  return true;
}

/// How many neighbours a member takes at a time, in all of a body's nests.
int64_t KernelWriter::row_lanes(const std::vector<Nest>& nests) const {
  int64_t largest = 0;
  int64_t longest = 0;
  for (const Nest& nest : nests) {
    const auto extent = most_iterations(kernel_, nest, options_.shape);
    longest = std::max(longest, extent.value_or(INT32_MAX));
    for (size_t i = nest.first; i < nest.last; ++i) {
      const auto access = access_of(kernel_.statements[i]);
      if (access && is_row_vector(*access, nest))
        largest = std::max<int64_t>(largest, dtype_size(kernel_[access->buffer].type.dtype));
    }
  }
  if (largest == 0) return 1;
  int64_t lanes = std::min(kVectorBytes / largest, kMostLanes);
  if (options_.shape.elements != 0)
    lanes = std::min<int64_t>(lanes, std::bit_floor(options_.shape.elements));
  // Of a short row no members are left without elements.
  const auto fit = [&](const Nest& nest) { return fits_row_vectors(nest, lanes); };
  while (lanes > 1 &&
         (2 * longest < lanes * words().count || !std::all_of(nests.begin(), nests.end(), fit)))
    lanes /= 2;
  return lanes;
}

/// Whether all addresses and sizes are such that vectors may be read and written.
std::vector<std::string> KernelWriter::row_alignment_tests(const std::vector<Nest>& nests) {
  std::vector<std::string> tests;
  const auto add = [&tests](std::string test) {
    if (std::find(tests.begin(), tests.end(), test) == tests.end())
      tests.push_back(std::move(test));
  };
  const auto add_multiple = [&](SymInt number) {
    if (!remainder(number, row_.lanes).is(0))
      add(fmt::format("{} % {} == 0", factor(number), row_.lanes));
  };
  for (const Nest& nest : nests) {
    for (size_t i = nest.first; i < nest.last; ++i) {
      const auto access = access_of(kernel_.statements[i]);
      if (!access || !is_row_vector(*access, nest)) continue;
      add(fmt::format("is_aligned<{}>({})", row_.lanes, buffer_names_[index(access->buffer)]));
      const IndexExpression place = memory_place(kernel_, access->buffer, *access->indices);
      add_multiple(place.constant);
      for (const IndexTerm& term : place.terms)
        if (index(term.variable) != nest.loops.back()) add_multiple(term.coefficient);
    }
    add_multiple(extent_of(kernel_, nest));
  }
  return tests;
}

/// Before the loop over rows: how each of them is shared.
void KernelWriter::plan_row_vectors(size_t first, size_t last) {
  row_ = {};
  if (team_ == Team::kThread || team_ == Team::kColumn || options_.checks_bounds) return;
  const std::vector<Nest> nests = inner_nests(kernel_, first, last);
  row_.lanes = row_lanes(nests);
  if (row_.lanes == 1) return;
  definitions_.use(Piece::kVectors);
  if (team_ == Team::kGrid) uses_thread_ = true;
  const TeamWords team = words();
  const std::string member = team_ == Team::kGrid ? "thread" : team.member;
  row_.aligned = names_.fresh("aligned");
  std::string test = fmt::format("const bool {} =", row_.aligned);
  const std::vector<std::string> tests = row_alignment_tests(nests);
  for (size_t k = 0; k < tests.size(); ++k) {
    if (test.size() + tests[k].size() > 90) {
      line(test);
      test = "   ";
    }
    test += " " + tests[k] + (k + 1 < tests.size() ? " &&" : ";");
  }
  line(test);
  const auto is_whole = [this](const Nest& nest) { return has_whole_vectors(nest); };
  row_.start = fmt::format("{} * {}", row_.lanes, member);
  const bool is_scan =
      kernel_.statements[nests[0].loops[0]].get_if<Loop>()->kind == LoopKind::kScan;
  if (is_scan || std::all_of(nests.begin(), nests.end(), is_whole)) return;
  const std::string start = names_.fresh("start");
  row_.next = names_.fresh("next");
  line(fmt::format("const {} {} = {} ? {} : {};", index_type_, start, row_.aligned, row_.start,
                   member));
  line(fmt::format("const {} {} = {} ? 1 : {};", index_type_, row_.next, row_.aligned,
                   team_ == Team::kGrid ? "threads" : fmt::format("{}", team.count)));
  row_.start = start;
}

// ---- the loops ---------------------------------------------------------------------------------

/// Says whether an element of a nest that is not written out is kept, and where; the elements of a
/// thread lie as far apart as there are threads, so that each lane has a bank of its own.
void KernelWriter::name_kept(const Nest& nest, const std::string& point) {
  bool uses_shared = false;
  for (size_t i = nest.first; i < nest.last; ++i) {
    const auto load = kept_loads_.find(i);
    uses_shared |= load != kept_loads_.end() && load->second.shared;
    const auto access = access_of(kernel_.statements[i]);
    if (!access) continue;
    const auto scratch = kept_scratch_.find(access->buffer);
    uses_shared |= scratch != kept_scratch_.end() && scratch->second.shared;
  }
  if (!uses_shared) return;
  kept_at_ = point;
  if (row_.lanes > 1) {
    kept_at_ = names_.fresh("slot");
    line(fmt::format("const {} {} = {} - {} + threadIdx.x;", index_type_, kept_at_, point,
                     row_.start));
  }
  is_kept_ = names_.fresh("kept");
  line(fmt::format("const bool {} = {} < {};", is_kept_, kept_at_, kept_elements_));
  if (row_.lanes > 1) kept_at_ += fmt::format(" + {} * element", threads_);
}

/// An element at a time.
void KernelWriter::write_row(const Nest& nest, const std::string& count) {
  const TeamWords team = words();
  const auto parts = parts_.find(nest.loops[0]);
  bool tests = false;
  names_.open();
  const std::string point = point_name(nest);
  if (parts != parts_.end()) {
    kept_at_ = "part";
    line("#pragma unroll");
    begin(fmt::format("for (int part = 0; part < {}; ++part)", parts->second));
    line(fmt::format("const int {} = {} + {} * part;", point, team.member, team.count));
    tests = !remainder(extent_of(kernel_, nest), team.count).is(0);
    if (tests) open(fmt::format("if ({} < {})", point, count));
  } else if (team_ == Team::kGrid) {
    begin_stride(point, "thread", count, "threads");
  } else {
    std::string start = team.member;
    std::string step = columns_.step.empty() || team_ != Team::kColumn
                           ? fmt::format("{}", team.count)
                           : columns_.step;
    if (team_ == Team::kColumn && !columns_.slices.empty()) {
      start += fmt::format(" + {} * {}", step, columns_.slice);
      step += " * " + columns_.slices;
    }
    begin_stride(point, start, count, step);
  }
  name_loops(nest, point);
  name_kept(nest, point);
  write_range(nest.first, nest.last);
  statement_ = static_cast<uint32_t>(nest.loops[0]);
  if (tests) close();
  close();
}

/// Several elements at a time.
void KernelWriter::write_row_vectors(const Nest& nest, const std::string& count) {
  const TeamWords team = words();
  const int64_t lanes = row_.lanes;
  const auto parts = parts_.find(nest.loops[0]);
  bool tests = false;
  names_.open();
  const bool is_one = nest.loops.size() == 1;
  const std::string point =
      names_.fresh(is_one ? kernel_.statements[nest.loops[0]].name + "0" : "point");
  if (parts != parts_.end()) {
    kept_at_ = fmt::format("{} * part + element", lanes);
    line("#pragma unroll");
    begin(fmt::format("for (int part = 0; part < {}; ++part)", parts->second / lanes));
    if (row_.next.empty())
      line(fmt::format("const int {} = {} * ({} + {} * part);", point, lanes, team.member,
                       team.count));
    else
      line(fmt::format("const {} {} = {} + {} * part;", index_type_, point, row_.start,
                       lanes * team.count));
    tests = !remainder(extent_of(kernel_, nest), lanes * team.count).is(0);
    if (tests) open(fmt::format("if ({} < {})", point, count));
  } else {
    begin_stride(point, row_.start, count,
                 team_ == Team::kGrid ? fmt::format("{} * threads", lanes)
                                      : fmt::format("{}", lanes * team.count));
  }
  name_loops(nest, point);
  if (parts == parts_.end()) name_kept(nest, point);
  write_row_elements(nest, point, count);
  statement_ = static_cast<uint32_t>(nest.loops[0]);
  if (tests) close();
  close();
}

/// Whether anything but what vectors and registers hold asks for the innermost loop's index.
bool KernelWriter::names_index(const Nest& nest) const {
  bool names = false;
  for (size_t i = nest.first; i < nest.last; ++i) {
    const auto access = access_of(kernel_.statements[i]);
    const Kept* kept = access ? kept_at(i, access->buffer) : nullptr;
    if (vectors_.contains(i) || (kept != nullptr && !kept->shared)) continue;
    Statement copy = kernel_.statements[i];
    for_each_id(copy, [&](StatementId id) { names |= index(id) == nest.loops.back(); });
  }
  return names;
}

/// Vectors are read before the loop over a member's elements, and written behind it.
void KernelWriter::write_row_elements(const Nest& nest, const std::string& first,
                                      const std::string& count) {
  const bool is_whole = has_whole_vectors(nest);
  const std::string rest =
      is_whole ? fmt::format("{}, {}", row_.aligned, row_.lanes)
               : fmt::format("{}, {} - {}, {}", row_.aligned, count, first, row_.next);
  write_row_loads(nest, rest);
  const size_t innermost = nest.loops.back();
  const std::string from = std::exchange(value_names_[innermost], "");
  statement_ = static_cast<uint32_t>(innermost);
  line("#pragma unroll");
  open(fmt::format("for (int element = 0; element < {}; ++element)", row_.lanes));
  value_names_[innermost] = names_.fresh(kernel_.statements[innermost].name);
  if (!is_whole || names_index(nest))
    line(fmt::format("const {} {} = {} + {}element;", index_type_, value_names_[innermost], from,
                     is_whole ? "" : row_.next + " * "));
  if (!is_whole) line(fmt::format("if ({} >= {}) break;", value_names_[innermost], count));
  vector_at_ = "element";
  write_range(nest.first, nest.last);
  vector_at_ = "part";
  statement_ = static_cast<uint32_t>(innermost);
  close();
  value_names_[innermost] = from;
  write_row_stores(nest, rest);
  vectors_.clear();
}

void KernelWriter::write_row_loads(const Nest& nest, const std::string& rest) {
  for (size_t i = nest.first; i < nest.last; ++i) {
    const auto access = access_of(kernel_.statements[i]);
    if (!access || !is_row_vector(*access, nest)) continue;
    const auto kept = kept_loads_.find(i);
    const bool is_kept = kept != kept_loads_.end() && !kept->second.fills;
    if (is_kept && !kept->second.shared) continue;
    statement_ = static_cast<uint32_t>(i);
    const std::string& buffer = buffer_names_[index(access->buffer)];
    const std::string type = fmt::format(
        "Vector<{}, {}>", definitions_.memory(kernel_[access->buffer].type.dtype), row_.lanes);
    const std::string name = names_.fresh(fmt::format("{}_{}", buffer, row_.lanes));
    vectors_[i] = name;
    if (access->stores) {
      line(fmt::format("{} {};", type, name));
      continue;
    }
    const IndexExpression place = memory_place(kernel_, access->buffer, *access->indices);
    const std::string loaded =
        fmt::format("load<{}>({} + {}, {})", row_.lanes, buffer, index_text(place, false), rest);
    if (is_kept) {
      line(fmt::format("const {} {} = {} ? {}()", type, name, is_kept_, type));
      line(fmt::format("    : {};", loaded));
    } else {
      line(fmt::format("const {} {} = {};", type, name, loaded));
    }
  }
}

void KernelWriter::write_row_stores(const Nest& nest, const std::string& rest) {
  for (size_t i = nest.first; i < nest.last; ++i) {
    const auto access = access_of(kernel_.statements[i]);
    if (!access || !access->stores || !vectors_.contains(i)) continue;
    statement_ = static_cast<uint32_t>(i);
    line(fmt::format("store({} + {}, {}, {});", buffer_names_[index(access->buffer)],
                     index_text(memory_place(kernel_, access->buffer, *access->indices), false),
                     vectors_.at(i), rest));
  }
}

}  // namespace glint::cuda
