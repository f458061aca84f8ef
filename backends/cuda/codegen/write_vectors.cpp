// Loops of which each thread takes several neighbours: 16 bytes an access.
//
//     const bool aligned = is_aligned<4>(x) && is_aligned<4>(out);
//     const int64 next = aligned ? 1 : threads;
//     for (int64 i = aligned ? 4 * thread : thread; i < length; i += 4 * threads) {
//       const bool whole = aligned && i + 4 <= length;
//       const Vector<float, 4> x_4 = load<4>(x + i, whole, length - i, next);
//       Vector<float, 4> out_4;
//       for (int part = 0; part < 4; ++part) {
//         const float a = x_4.at[part];
//         ...
//         out_4.at[part] = d;
//       }
//       store(out + i, out_4, whole, length - i, next);
//     }
//
// Where a tensor does not begin where a vector may (`x[1:] + y`), a thread's elements are as far
// apart as there are threads: those side by side read and write elements side by side. Of several
// loops, whose indices are one for all neighbours, there is a loop over vectors and one over
// elements:
//
//     const bool aligned = is_aligned<4>(w) && is_aligned<4>(out) && s1 % 4 == 0;
//     if (aligned) {
//       for (int64 point = 4 * thread; point < s0 * s1; point += 4 * threads) {
//         const int64 i = point / s1;
//         const int64 j = point % s1;
//         const int64 a = index[i];
//         const Vector<float, 4> w_4 = load<4>(w + s1 * a + j);
//         ...
//     } else {
//       for (int64 point = thread; point < s0 * s1; point += threads) {
//         ...
//
// What does not depend on the innermost loop is done once for all neighbours.
#include <fmt/format.h>

#include <algorithm>

#include "backends/cuda/codegen/bind_axes.h"
#include "backends/cuda/codegen/kernel_writer.h"

namespace glint::cuda {

bool KernelWriter::is_vector(const Access& access, const Nest& nest) const {
  const auto innermost = StatementId(nest.loops.back());
  return memory_stride(kernel_, access.buffer, *access.indices, innermost).is(1);
}

/// Whether all addresses and sizes are such that vectors may be read and written.
std::vector<std::string> KernelWriter::vector_alignment_tests(const Nest& nest, int64_t lanes) {
  std::vector<std::string> tests;
  const auto add = [&tests](std::string test) {
    if (std::ranges::find(tests, test) == tests.end()) tests.push_back(std::move(test));
  };
  const auto add_multiple = [&](SymInt number) {
    if (!number.is_constant() && !remainder(number, lanes).is(0))
      add(fmt::format("{} % {} == 0", factor(number), lanes));
  };
  const size_t innermost = nest.loops.back();
  for (size_t i = nest.first; i < nest.last; ++i) {
    const auto access = access_of(kernel_.statements[i]);
    if (!access || !is_vector(*access, nest)) continue;
    add(fmt::format("is_aligned<{}>({})", lanes, buffer_names_[index(access->buffer)]));
    const IndexExpression place = memory_place(kernel_, access->buffer, *access->indices);
    add_multiple(place.constant);
    for (const IndexTerm& term : place.terms)
      if (index(term.variable) != innermost) add_multiple(term.coefficient);
  }
  if (nest.loops.size() > 1) add_multiple(kernel_.statements[innermost].get_if<Loop>()->extent);
  return tests;
}

/// `x + 64 * i + j`: where an access begins.
std::string KernelWriter::vector_place(const Access& access) {
  return fmt::format("{} + {}", buffer_names_[index(access.buffer)],
                     index_text(memory_place(kernel_, access.buffer, *access.indices), false));
}

/// Loads stand before the loop over neighbours; what will be stored is declared there. `rest`: what
/// loads and stores are told of elements that may not be there.
void KernelWriter::write_vector_loads(const Nest& nest, int64_t lanes, const std::string& rest) {
  for (size_t i = nest.first; i < nest.last; ++i) {
    const auto access = access_of(kernel_.statements[i]);
    if (!access || !is_vector(*access, nest)) continue;
    statement_ = static_cast<uint32_t>(i);
    const std::string type = fmt::format(
        "Vector<{}, {}>", definitions_.memory(kernel_[access->buffer].type.dtype), lanes);
    const std::string name =
        names_.fresh(fmt::format("{}_{}", buffer_names_[index(access->buffer)], lanes));
    vectors_[i] = name;
    if (access->stores)
      line(fmt::format("{} {};", type, name));
    else
      line(fmt::format("const {} {} = load<{}>({}{});", type, name, lanes, vector_place(*access),
                       rest));
  }
}

/// A thread's neighbours, inside the loop over vectors.
void KernelWriter::write_vector_elements(const Nest& nest, int64_t lanes, const std::string& rest) {
  const std::vector<bool> varies = vary_along(kernel_, nest);
  for (size_t i = nest.first; i < nest.last; ++i)
    if (!varies[i - nest.first]) write_statement(i);
  write_vector_loads(nest, lanes, rest);
  statement_ = static_cast<uint32_t>(nest.loops.back());
  line("#pragma unroll");
  open(fmt::format("for (int part = 0; part < {}; ++part)", lanes));
  for (size_t i = nest.first; i < nest.last; ++i)
    if (varies[i - nest.first]) write_statement(i);
  close();
  for (size_t i = nest.first; i < nest.last; ++i) {
    const auto access = access_of(kernel_.statements[i]);
    if (!access || !access->stores) continue;
    statement_ = static_cast<uint32_t>(i);
    line(fmt::format("store({}, {}{});", vector_place(*access), vectors_.at(i), rest));
  }
  vectors_.clear();
}

void KernelWriter::write_vectors(const Nest& nest) {
  definitions_.use(Piece::kVectors);
  uses_thread_ = true;
  const int64_t lanes = vector_lanes(kernel_, nest.loops[0], options_.shape);
  elements_ = static_cast<uint32_t>(lanes);
  note_grid(extent_of(kernel_, nest), threads_ * lanes);
  // Several loops that turn out not to be aligned go by single elements.
  if (nest.loops.size() > 1) note_grid(extent_of(kernel_, nest), threads_, kMostBlocks);
  statement_ = static_cast<uint32_t>(nest.loops[0]);
  row_.aligned = names_.fresh("aligned");
  write_row_alignment(vector_alignment_tests(nest, lanes));
  if (nest.loops.size() == 1)
    write_vectors_of_one_loop(nest, lanes);
  else
    write_vectors_of_loops(nest, lanes);
}

/// Vectors, or where they are not aligned as many elements far apart.
void KernelWriter::write_vectors_of_one_loop(const Nest& nest, int64_t lanes) {
  const std::string count = count_text(nest);
  const std::string next = names_.fresh("next");
  line(fmt::format("const {} {} = {} ? 1 : threads;", index_type_, next, row_.aligned));
  names_.open();
  const std::string point = point_name(nest);
  begin_stride(index_type_, point, fmt::format("{} ? {} * thread : thread", row_.aligned, lanes),
               count, fmt::format("{} * threads", lanes));
  std::string whole = row_.aligned;
  if (length_ || !remainder(extent_of(kernel_, nest), lanes).is(0)) {
    whole = names_.fresh("whole");
    line(fmt::format("const bool {} = {} && {} + {} <= {};", whole, row_.aligned, point, lanes,
                     count));
  }
  name_loops(nest, point);
  write_vector_elements(nest, lanes, fmt::format(", {}, {} - {}, {}", whole, count, point, next));
  close();
}

/// Vectors, all of them whole; or elements.
void KernelWriter::write_vectors_of_loops(const Nest& nest, int64_t lanes) {
  const std::string count = count_text(nest);
  const auto begin_loop = [&](int64_t elements) {
    statement_ = static_cast<uint32_t>(nest.loops[0]);
    names_.open();
    const std::string point = point_name(nest);
    const std::string times = elements == 1 ? "" : fmt::format("{} * ", elements);
    begin_stride(index_type_, point, times + "thread", count, times + "threads");
    name_loops(nest, point);
  };
  open(fmt::format("if ({})", row_.aligned));
  begin_loop(lanes);
  write_vector_elements(nest, lanes, "");
  close();
  open_else();
  begin_loop(1);
  write_range(nest.first, nest.last);
  close();
  close();
}

}  // namespace glint::cuda
