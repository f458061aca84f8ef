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
// How rows are cut into vectors, and where these begin, is said in plan_rows.cpp. Where vectors may
// be read is looked at once: there are two loops, so that nothing stands between one access and the
// next; read_ahead.cpp says how these go.
//
//     if (aligned) {
//       for (int64 j0 = start; j0 < s1; j0 += 1024) {
//         const Vector<float, 4> x_4 = load<4>(x + s1 * i + j0);
//         ...
//     } else {
//       for (int64 j = threadIdx.x; j < s1; j += 256) ...
#include <fmt/format.h>

#include <utility>

#include "backends/cuda/codegen/bind_axes.h"
#include "backends/cuda/codegen/kernel_writer.h"
#include "ir/kernel_edit.h"

namespace glint::cuda {

/// Whether shared memory holds what the nest names.
bool KernelWriter::uses_kept_shared(const Nest& nest) const {
  for (size_t i = nest.first; i < nest.last; ++i) {
    const auto load = kept_loads_.find(i);
    if (load != kept_loads_.end() && load->second.shared) return true;
    const auto access = access_of(kernel_.statements[i]);
    if (!access) continue;
    const auto scratch = kept_scratch_.find(access->buffer);
    if (scratch != kept_scratch_.end() && scratch->second.shared) return true;
  }
  return false;
}

/// Says whether an element of a nest that is not written out is kept, and where; the elements of a
/// thread lie as far apart as there are threads, so that each lane has a bank of its own.
void KernelWriter::name_kept(const Nest& nest, const std::string& point) {
  if (!uses_kept_shared(nest)) return;
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

/// A member's iterations, written out, with the index of each; `test`: whether it is there. Says
/// whether that opened a second block.
bool KernelWriter::begin_parts(int64_t parts, const std::string& type, const std::string& point,
                               const std::string& value, const std::string& test) {
  if (parts == 1 && !test.empty()) {
    begin(fmt::format("if (const {} {} = {}; {})", type, point, value, test));
    return false;
  }
  if (parts > 1) line("#pragma unroll");
  begin(parts == 1 ? "" : fmt::format("for (int part = 0; part < {}; ++part)", parts));
  line(fmt::format("const {} {} = {};", type, point, value));
  if (!test.empty()) open(fmt::format("if ({})", test));
  return !test.empty();
}

/// An element at a time.
void KernelWriter::write_row(const Nest& nest, const std::string& count) {
  const auto parts = parts_.find(nest.loops[0]);
  if (parts == parts_.end())
    return write_stride(nest, element_stride(nest, count), [&](auto& point) {
      name_kept(nest, point);
      write_range(nest.first, nest.last);
    });
  const TeamWords team = words();
  names_.open();
  const std::string point = point_name(nest);
  const bool is_one = parts->second == 1;
  const bool is_whole = remainder(extent_of(kernel_, nest), team.count).is(0);
  kept_at_ = is_one ? "0" : "part";
  const bool opened_two =
      begin_parts(parts->second, "int", point,
                  team.member + (is_one ? "" : fmt::format(" + {} * part", team.count)),
                  is_whole ? "" : fmt::format("{} < {}", point, count));
  name_loops(nest, point);
  write_range(nest.first, nest.last);
  close_iteration(nest, {point, opened_two});
}

/// How a member goes over its iterations, of so many elements each.
KernelWriter::Stride KernelWriter::member_stride(const std::string& start, const std::string& count,
                                                 int64_t lanes) const {
  Stride stride{.start = start, .count = count, .step = lanes};
  if (team_ == Team::kGrid || !row_slices_.members.empty())
    stride.members = row_members();
  else if (team_ == Team::kColumn && columns_.members == 0)
    stride.members = columns_.step;
  else
    stride.step *= words().count;
  return stride;
}

KernelWriter::Stride KernelWriter::element_stride(const Nest& nest,
                                                  const std::string& count) const {
  Stride stride = member_stride(row_member(), count, 1);
  stride.name = nest.loops.size() == 1 ? kernel_.statements[nest.loops[0]].name : "point";
  stride.is_plain = !uses_kept_shared(nest);
  if (team_ != Team::kColumn || columns_.slices.empty()) return stride;
  stride.start += fmt::format(" + {} * {}", stride.steps(1), columns_.slice);
  stride.members += (stride.members.empty() ? "" : " * ") + columns_.slices;
  return stride;
}

bool KernelWriter::begin_vector_parts(int64_t parts, const Nest& nest, const std::string& point,
                                      const std::string& count) {
  const TeamWords team = words();
  const int64_t round = row_.lanes * team.count;
  const bool is_whole = !row_.ragged && remainder(extent_of(kernel_, nest), round).is(0);
  const std::string test = is_whole ? "" : fmt::format("{} < {}", point, count);
  kept_at_ = parts == 1 ? "element" : fmt::format("{} * part + element", row_.lanes);
  if (!row_.next.empty())
    return begin_parts(parts, row_index_type_, point,
                       row_.start + (parts == 1 ? "" : fmt::format(" + {} * part", round)), test);
  const std::string vector =
      parts == 1 ? team.member : fmt::format("({} + {} * part)", team.member, team.count);
  return begin_parts(parts, "int", point, fmt::format("{} * {}", row_.lanes, vector), test);
}

/// Whether there are two loops over the nest, one of vectors that are all whole. Rows that are one
/// round of the members are not worth it. Where other nests count on it, each element has to be the
/// same member's in both: of rows that are whole by their length the vectors decide, aligned or
/// not.
bool KernelWriter::has_both_loops(const Nest& nest) const {
  if (has_whole_vectors(nest) && nests_.size() > 1) return false;
  const auto longest = most_iterations(kernel_, nest, options_.shape);
  const bool is_short = longest && *longest <= row_.lanes * words().count;
  return !row_.all_whole && !row_.ragged && !is_short && !uses_kept_shared(nest);
}

void KernelWriter::write_both_loops(const Nest& nest, const std::string& count) {
  open(fmt::format("if ({})", row_.aligned));
  row_.all_whole = true;
  write_row_vectors(nest, count);
  row_.all_whole = false;
  open_else();
  write_row(nest, count);
  close();
}

/// Where vectors may be read, all of them are whole; where not, the rows are gone over by elements.
void KernelWriter::write_both_bodies(const Nest& nest) {
  const RowVectors vectors = row_;
  open(fmt::format("if ({})", row_.aligned));
  row_.all_whole = true;
  write_points(nest);
  open_else();
  row_ = {};
  write_points(nest);
  close();
  row_ = vectors;
}

/// Several elements at a time.
void KernelWriter::write_row_vectors(const Nest& nest, const std::string& count) {
  const auto parts = parts_.find(nest.loops[0]);
  const bool is_one = nest.loops.size() == 1;
  const std::string name = is_one ? kernel_.statements[nest.loops[0]].name + "0" : "point";
  if (parts == parts_.end()) {
    if (has_both_loops(nest)) return write_both_loops(nest, count);
    Stride stride = member_stride(row_.start, count, row_.lanes);
    stride.name = name;
    stride.is_plain = has_whole_vectors(nest) && !uses_kept_shared(nest);
    stride.by_vectors = true;
    return write_stride(nest, stride, [&](auto& point) {
      name_kept(nest, point);
      write_row_elements(nest, point, count);
    });
  }
  const int64_t vectors = parts->second / row_.lanes;
  const auto open_iteration = [&] {
    names_.open();
    const std::string point = names_.fresh(name);
    const bool opened_two = begin_vector_parts(vectors, nest, point, count);
    name_loops(nest, point);
    return Iteration{point, opened_two};
  };
  if (row_.next.empty() && vectors > 1 && vectors <= most_ahead(nest, true))
    read_ahead(nest, vectors, count, true, open_iteration);
  const Iteration iteration = open_iteration();
  write_row_elements(nest, iteration.point, count);
  close_iteration(nest, iteration);
}

/// Whether anything but what vectors and registers hold asks for the innermost loop's index.
bool KernelWriter::names_index(const Nest& nest) const {
  bool names = false;
  for (size_t i = nest.first; i < nest.last; ++i) {
    const auto access = access_of(kernel_.statements[i]);
    const Kept* kept = access ? kept_at(i, access->buffer) : nullptr;
    if (vectors_.contains(i) || (kept != nullptr && !kept->shared)) continue;
    if (access && kept_scratch_.contains(access->buffer)) continue;
    Statement copy = kernel_.statements[i];
    for_each_id(copy, [&](StatementId id) { names |= index(id) == nest.loops.back(); });
  }
  return names;
}

/// What loads and stores are told of a member's elements: whether all of them are there, side by
/// side, and else which are.
std::string KernelWriter::vector_rest(const Nest& nest, const std::string& first,
                                      const std::string& count) {
  if (row_.all_whole) return "";
  if (has_whole_vectors(nest)) return fmt::format(", {}, {}", row_.aligned, row_.lanes);
  row_.uses_next = true;
  const std::string left = fmt::format("{} - {}, {}", count, first, row_.next);
  if (!row_.ragged) return fmt::format(", {}, {}", row_.aligned, left);
  const bool has_lead = row_.lead != IndexExpression();
  const std::string whole = names_.fresh("whole");
  line(fmt::format("const bool {} = {}{} && {} + {} <= {};", whole, row_.aligned,
                   has_lead ? fmt::format(" && 0 <= {}", first) : "", first, row_.lanes, count));
  return fmt::format(", {}, {}{}", whole, left, has_lead ? ", -" + first : "");
}

/// Vectors are read before the loop over a member's elements, and written behind it.
void KernelWriter::write_row_elements(const Nest& nest, const std::string& first,
                                      const std::string& count) {
  const bool is_whole = has_whole_vectors(nest);
  const size_t innermost = nest.loops.back();
  statement_ = static_cast<uint32_t>(innermost);
  const std::string rest = vector_rest(nest, first, count);
  write_row_loads(nest, rest);
  std::string there;
  if (!is_whole && row_.lead == IndexExpression()) {
    there = names_.fresh("there");
    line(fmt::format("const int {} = count_there<{}>({});", there, row_.lanes, rest.substr(2)));
  }
  const std::string from = std::exchange(value_names_[innermost], "");
  statement_ = static_cast<uint32_t>(innermost);
  line("#pragma unroll");
  open(fmt::format("for (int element = 0; element < {}; ++element)", row_.lanes));
  const std::string at = value_names_[innermost] = names_.fresh(kernel_.statements[innermost].name);
  const bool has_lead = row_.lead != IndexExpression();
  if (has_lead || names_index(nest))
    line(fmt::format("const {} {} = {} + {}element;", row_index_type_, at, from,
                     is_whole ? "" : row_.next + " * "));
  if (!is_whole && has_lead)
    line(fmt::format("if ({0} < 0 || {0} >= {1}) continue;", at, count));
  else if (!is_whole)
    line(fmt::format("if (element >= {}) break;", there));
  vector_at_ = "element";
  write_range(nest.first, nest.last);
  vector_at_ = "part";
  statement_ = static_cast<uint32_t>(innermost);
  close();
  value_names_[innermost] = from;
  write_row_stores(nest, rest);
  vectors_.clear();
}

std::string KernelWriter::vector_type(const Access& access) {
  return fmt::format("Vector<{}, {}>", definitions_.memory(kernel_[access.buffer].type.dtype),
                     row_.lanes);
}

std::string KernelWriter::vector_load(const Access& access, const std::string& rest) {
  const IndexExpression place = memory_place(kernel_, access.buffer, *access.indices);
  return fmt::format("{}<{}>({} + {}{})", load_function(access.buffer), row_.lanes,
                     buffer_names_[index(access.buffer)], index_text(place, false), rest);
}

/// Vectors that the nest reads and has not yet, and room for those that it stores.
void KernelWriter::write_row_loads(const Nest& nest, const std::string& rest) {
  const auto name_vector = [this](size_t i, const Access& access) {
    statement_ = static_cast<uint32_t>(i);
    return vectors_[i] =
               names_.fresh(fmt::format("{}_{}", buffer_names_[index(access.buffer)], row_.lanes));
  };
  for (const size_t i : row_loads(nest)) {
    const auto access = access_of(kernel_.statements[i]);
    const bool is_own = nest.first <= i && i < nest.last;
    if (vectors_.contains(i) || (is_own && !is_row_vector(*access, nest))) continue;
    const auto kept = kept_loads_.find(i);
    const bool is_kept = !is_own || (kept != kept_loads_.end() && !kept->second.fills);
    if (is_own && is_kept && !kept->second.shared) continue;
    const std::string name = name_vector(i, *access);
    const std::string loaded = vector_load(*access, rest);
    if (is_kept) {
      line(fmt::format("const {0} {1} = {2} ? {0}()", vector_type(*access), name, is_kept_));
      line(fmt::format("    : {};", loaded));
    } else {
      line(fmt::format("const {} {} = {};", vector_type(*access), name, loaded));
    }
  }
  for (size_t i = nest.first; i < nest.last; ++i) {
    const auto access = access_of(kernel_.statements[i]);
    if (!access || !access->stores || !is_row_vector(*access, nest)) continue;
    const std::string name = name_vector(i, *access);
    line(fmt::format("{} {};", vector_type(*access), name));
  }
}

void KernelWriter::write_row_stores(const Nest& nest, const std::string& rest) {
  for (size_t i = nest.first; i < nest.last; ++i) {
    const auto access = access_of(kernel_.statements[i]);
    if (!access || !access->stores || !vectors_.contains(i)) continue;
    statement_ = static_cast<uint32_t>(i);
    line(fmt::format("{}store({} + {}, {}{});", mine_.empty() ? "" : "if (" + mine_ + ") ",
                     buffer_names_[index(access->buffer)],
                     index_text(memory_place(kernel_, access->buffer, *access->indices), false),
                     vectors_.at(i), rest));
  }
}

}  // namespace glint::cuda
