// How the rows of a body are cut into vectors: how many neighbours a member takes in an access of
// up to 16 bytes, and from where on.
//
//     const bool aligned = is_aligned<4>(x) && is_aligned<4>(y);
//     const int next = aligned ? 1 : 1024;
//     for (int i = blockIdx.x; i < 4; i += gridDim.x) {
//       const int lead = 50257 * i % 4;
//       const int start = aligned ? 4 * (int)threadIdx.x - lead : threadIdx.x;
//
// Rows whose length is a whole number of vectors all begin where a vector may. Long ones of another
// length are ragged: one begins within a vector, `lead` elements behind the vector's first, and the
// members' vectors are counted from there, so that those inside the row are whole. Of a row whose
// length only the launch knows, that decides: a member's elements are `next` apart, neighbours
// where vectors may be read, and else as far apart as there are members, so that neighbouring lanes
// read neighbouring elements. Where registers keep all of such rows, or rows are kept that are more
// than caches hold (read_once.cpp), that is two bodies instead:
//
//     if (aligned) {
//       for (int64 i = blockIdx.x; i < s0; i += gridDim.x) {     // vectors, all of them whole
//         ...
//     } else {
//       for (int64 i = blockIdx.x; i < s0; i += gridDim.x) {     // elements
//         ...
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "backends/cuda/codegen/bind_axes.h"
#include "backends/cuda/codegen/kernel_writer.h"

namespace glint::cuda {
namespace {

/// Rows that are long enough for the singles before and behind their vectors not to matter.
constexpr int64_t kLeastRagged = 2048;

/// Whether the place depends on more than loops, in a nest that checks what it has: vectors are
/// read before its first statement.
bool may_be_checked(const Kernel& kernel, const IndexExpression& place, const Nest& nest) {
  return holds<Check>(kernel, nest.first, nest.last) &&
         std::any_of(place.terms.begin(), place.terms.end(), [&](const IndexTerm& term) {
           return kernel[term.variable].get_if<Loop>() == nullptr;
         });
}

/// A place without the row's own index: where the row begins.
IndexExpression row_start(IndexExpression place, size_t innermost) {
  std::erase_if(place.terms,
                [&](const IndexTerm& term) { return index(term.variable) == innermost; });
  return place;
}

/// A place modulo `lanes`; nothing where the sizes do not tell, or more than loops decide.
std::optional<IndexExpression> place_modulo(const Kernel& kernel, const IndexExpression& place,
                                            int64_t lanes) {
  IndexExpression rest = remainder(place.constant, lanes);
  if (!rest.constant.is_constant()) return std::nullopt;
  for (const IndexTerm& term : place.terms) {
    const SymInt factor = remainder(term.coefficient, lanes);
    if (!factor.is_constant() || kernel[term.variable].get_if<Loop>() == nullptr)
      return std::nullopt;
    if (!factor.is(0)) rest.terms.push_back({factor, term.variable});
  }
  return rest;
}

}  // namespace

/// Whether an access walks along the nest, element by element, from a place that is known before.
bool KernelWriter::is_row_vector(const Access& access, const Nest& nest) const {
  if (index(access.buffer) >= kernel_.parameter_count || access.masked) return false;
  const IndexExpression place = memory_place(kernel_, access.buffer, *access.indices);
  return place.coefficient(StatementId(nest.loops.back())).is(1) && !made_inside(place, nest) &&
         !may_be_checked(kernel_, place, nest);
}

/// Whether the nest's length is a multiple of the vectors', whatever the sizes or where that was
/// looked at.
bool KernelWriter::has_whole_vectors(const Nest& nest) const {
  if (row_.all_whole) return true;
  const SymInt extent = kernel_.statements[nest.loops.back()].get_if<Loop>()->extent;
  return !row_.ragged && remainder(extent, row_.lanes).is(0);
}

/// Where the rows of all nests begin, if they are long and begin equally far into a vector, though
/// they need not be a whole number of vectors; else nothing.
std::optional<IndexExpression> KernelWriter::ragged_lead(const std::vector<Nest>& nests,
                                                         int64_t lanes) const {
  if (team_ != Team::kBlock) return std::nullopt;
  std::optional<IndexExpression> all;
  IndexExpression lead;
  for (const Nest& nest : nests) {
    const Loop& loop = *kernel_.statements[nest.loops[0]].get_if<Loop>();
    if (nest.loops.size() > 1 || loop.kind == LoopKind::kScan ||
        loop.extent.maybe_constant().value_or(0) < kLeastRagged)
      return std::nullopt;
    for (size_t i = nest.first; i < nest.last; ++i) {
      const auto access = access_of(kernel_.statements[i]);
      if (!access || !is_row_vector(*access, nest)) continue;
      const IndexExpression place =
          row_start(memory_place(kernel_, access->buffer, *access->indices), nest.loops[0]);
      const auto rest = place_modulo(kernel_, place, lanes);
      if (!rest || (all && *all != *rest)) return std::nullopt;
      if (!all) lead = place;
      all = rest;
    }
  }
  return all && *all == IndexExpression() ? IndexExpression() : lead;
}

bool KernelWriter::fits_row_vectors(const Nest& nest, int64_t lanes, bool ragged) const {
  const auto may_be_multiple = [&](SymInt number) {
    const SymInt rest = remainder(number, lanes);
    return ragged || rest.is(0) || !rest.is_constant();
  };
  const Loop& innermost = *kernel_.statements[nest.loops.back()].get_if<Loop>();
  if (kernel_.statements[nest.loops[0]].get_if<Loop>()->rest) return false;
  const SymInt left = remainder(innermost.extent, lanes);
  if (!may_be_multiple(innermost.extent) || (!left.is(0) && nest.loops.size() > 1)) return false;
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
int64_t KernelWriter::vector_lanes_of(const std::vector<Nest>& nests) const {
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
  const auto fit = [&] {
    const bool ragged = ragged_lead(nests, lanes).has_value();
    return std::all_of(nests.begin(), nests.end(),
                       [&](const Nest& nest) { return fits_row_vectors(nest, lanes, ragged); });
  };
  const int64_t least = team_ == Team::kGrid ? 1 : 2;
  while (lanes > 1 && (least * longest < lanes * words().count || !fit())) lanes /= 2;
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
    if (!number.is_constant() && !remainder(number, row_.lanes).is(0))
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
  row_.lanes = vector_lanes_of(nests);
  if (row_.lanes == 1) return;
  definitions_.use(Piece::kVectors);
  if (team_ == Team::kGrid) uses_thread_ = true;
  row_.aligned = names_.fresh("aligned");
  write_row_alignment(row_alignment_tests(nests));
  const auto is_whole = [this](const Nest& nest) { return has_whole_vectors(nest); };
  row_.start = fmt::format("{} * {}", row_.lanes, row_member());
  const bool is_scan =
      kernel_.statements[nests[0].loops[0]].get_if<Loop>()->kind == LoopKind::kScan;
  const std::optional<IndexExpression> lead = ragged_lead(nests, row_.lanes);
  row_.lead = lead.value_or(IndexExpression());
  const bool all_whole = std::all_of(nests.begin(), nests.end(), is_whole);
  if (is_scan) return;
  if (all_whole && row_.lead == IndexExpression()) {
    row_.two_bodies = is_worth_two_bodies(nests);
    return;
  }
  if (!lead && keeps_all_in_registers(nests)) {
    row_.two_bodies = true;
    return;
  }
  row_.ragged = lead.has_value();
  row_.next = names_.fresh("next");
  if (row_.lead == IndexExpression()) write_row_start(row_.start);
  row_.next_line = lines_.size();
  line(fmt::format("const {} {} = {} ? 1 : {};", row_index_type_, row_.next, row_.aligned,
                   row_members()));
}

/// Behind the body: whether all of its loops did without.
void KernelWriter::drop_unused_next() {
  if (row_.next.empty() || row_.uses_next) return;
  lines_.erase(lines_.begin() + static_cast<long>(row_.next_line));
}

/// `const bool aligned = is_aligned<4>(x) && ...`
void KernelWriter::write_row_alignment(const std::vector<std::string>& tests) {
  std::string text = fmt::format("const bool {} =", row_.aligned);
  for (size_t k = 0; k < tests.size(); ++k) {
    if (text.size() + tests[k].size() > 90) {
      line(text);
      text = "   ";
    }
    text += " " + tests[k] + (k + 1 < tests.size() ? " &&" : ";");
  }
  line(text);
}

/// What a member of a row calls itself.
std::string KernelWriter::row_member() const {
  if (!row_slices_.member.empty()) return row_slices_.member;
  return team_ == Team::kGrid ? "thread" : words().member;
}

/// How many members a row has.
std::string KernelWriter::row_members() const {
  if (!row_slices_.members.empty()) return row_slices_.members;
  return team_ == Team::kGrid ? "threads" : fmt::format("{}", words().count);
}

void KernelWriter::write_row_start(const std::string& of_vectors) {
  const std::string start = names_.fresh("start");
  line(fmt::format("const {} {} = {} ? {} : {};", row_index_type_, start, row_.aligned, of_vectors,
                   row_member()));
  row_.start = start;
}

/// Inside the loop over rows: where this one begins within a vector.
void KernelWriter::write_row_lead() {
  if (row_.lead == IndexExpression()) return;
  const std::string lead = names_.fresh("lead");
  const bool is_sum = row_.lead.terms.size() + !row_.lead.constant.is(0) > 1;
  line(fmt::format("const {} {} = {}{}{} % {};", index_type_, lead, is_sum ? "(" : "",
                   index_text(row_.lead, false), is_sum ? ")" : "", row_.lanes));
  write_row_start(fmt::format("{} * ({}){} - {}", row_.lanes, index_type_, row_member(), lead));
}

}  // namespace glint::cuda
