// Loops over a row that have few statements: several iterations are run at once, all of which read
// before the first one computes, so that their loads wait together.
//
//     int64 j_from = member;                                // of unknown length
//     for (; j_from + 7 * step < s0; j_from += 8 * step) {
//       float x_ahead[8];
//       for (int part = 0; part < 8; ++part) {
//         const int64 j = j_from + step * part;
//         x_ahead[part] = x[i + s1 * j];
//       }
//       for (int part = 0; part < 8; ++part) {
//         const int64 j = j_from + step * part;
//         const float a = x_ahead[part];
//         acc.add(a);
//       }
//     }
//     for (int64 j = j_from; j < s0; j += step) ...         // what is left
//
// A compiler that unrolls such a loop leaves loads where they are used, or first does what is left.
// A member that has few iterations, of a length that is known, does all of them at once.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "backends/cuda/codegen/bind_axes.h"
#include "backends/cuda/codegen/kernel_writer.h"

namespace glint::cuda {
namespace {

/// Statements of a loop of which several iterations are run at once: more take too many registers.
constexpr size_t kFewStatements = 8;
/// Registers for what is read ahead, and iterations at once: of elements, and of vectors.
constexpr int64_t kAheadRegisters = 32;
constexpr int64_t kMostElements = 8;
constexpr int64_t kMostOfWideColumns = 16;
constexpr int64_t kMostVectors = 4;
/// Of a known length, as many as registers hold.
constexpr int64_t kMostCounted = 16;

}  // namespace

/// A multiple of a loop's step: `4096`, `3 * members * slices`.
std::string KernelWriter::Stride::steps(int64_t times) const {
  if (members.empty()) return std::to_string(step * times);
  return step * times == 1 ? members : fmt::format("{} * {}", step * times, members);
}

/// Loads of the nest that none of its statements decides, checks or writes: vectors, or elements.
std::vector<size_t> KernelWriter::loads_ahead(const Nest& nest, bool by_vectors) const {
  std::vector<size_t> loads;
  if (options_.checks_bounds || holds<Check>(kernel_, nest.first, nest.last) ||
      loads_stored(kernel_, nest.first, nest.last, nest.first, nest.last))
    return loads;
  for (size_t i = nest.first; i < nest.last; ++i) {
    const auto access = access_of(kernel_.statements[i]);
    if (!access || access->stores || index(access->buffer) >= kernel_.parameter_count) continue;
    if (by_vectors ? !is_row_vector(*access, nest)
                   : access->masked || kernel_[access->buffer].type.scalar)
      continue;
    const IndexExpression place = memory_place(kernel_, access->buffer, *access->indices);
    const auto kept = kept_loads_.find(i);
    const bool reads = kept == kept_loads_.end() || kept->second.fills;
    if (reads && !made_inside(place, nest)) loads.push_back(i);
  }
  return loads;
}

/// How many iterations may be read ahead, beside what is kept; 0 where there is nothing to read. Of
/// rows of any length the compiler says: all of their iterations are written out, and registers
/// few.
int64_t KernelWriter::most_ahead(const Nest& nest, bool by_vectors) const {
  int64_t registers = 0;
  for (const size_t i : loads_ahead(nest, by_vectors)) {
    const auto access = access_of(kernel_.statements[i]);
    const auto bytes = static_cast<int64_t>(dtype_size(kernel_[access->buffer].type.dtype));
    registers += std::max<int64_t>(bytes * (by_vectors ? row_.lanes : 1) / 4, 1);
  }
  const int64_t kept = kept_registers(nest.first);
  if (registers == 0 || (kept > 0 && options_.shape.longest_row != 0)) return 0;
  return std::max<int64_t>(kAheadRegisters - kept, 0) / registers;
}

void KernelWriter::close_iteration(const Nest& nest, const Iteration& iteration) {
  statement_ = static_cast<uint32_t>(nest.loops[0]);
  if (iteration.opened_two) close();
  close();
}

/// `Vector<float, 4> x_4[2];` or `float x_ahead[8];`, and the loop that reads them. Statements find
/// vectors there until write_row_elements is done, elements until write_at_once is.
void KernelWriter::read_ahead(const Nest& nest, int64_t iterations, const std::string& count,
                              bool by_vectors, const std::function<Iteration()>& open_iteration) {
  std::map<size_t, std::string> arrays;
  for (const size_t i : loads_ahead(nest, by_vectors)) {
    const auto access = access_of(kernel_.statements[i]);
    const std::string& buffer = buffer_names_[index(access->buffer)];
    statement_ = static_cast<uint32_t>(i);
    arrays[i] =
        names_.fresh(by_vectors ? fmt::format("{}_{}", buffer, row_.lanes) : buffer + "_ahead");
    const DType dtype = kernel_[access->buffer].type.dtype;
    line(fmt::format("{} {}[{}];",
                     by_vectors ? vector_type(*access) : std::string(definitions_.memory(dtype)),
                     arrays[i], iterations));
  }
  if (arrays.empty()) return;
  statement_ = static_cast<uint32_t>(nest.loops[0]);
  const Iteration iteration = open_iteration();
  const std::string rest = by_vectors ? vector_rest(nest, iteration.point, count) : "";
  for (const auto& [i, array] : arrays) {
    const auto access = access_of(kernel_.statements[i]);
    statement_ = static_cast<uint32_t>(i);
    line(fmt::format(
        "{}[part] = {};", array,
        by_vectors ? vector_load(*access, rest) : element_load(access->buffer, *access->indices)));
    (by_vectors ? vectors_ : ahead_)[i] = array + "[part]";
  }
  close_iteration(nest, iteration);
}

/// Iterations that begin a step apart, as many as go at once. `test`: whether each has to be looked
/// at.
void KernelWriter::write_at_once(const Nest& nest, const Stride& stride, const std::string& from,
                                 int64_t iterations, bool test, const Body& body) {
  const auto open_iteration = [&] {
    names_.open();
    line("#pragma unroll");
    begin(fmt::format("for (int part = 0; part < {}; ++part)", iterations));
    const std::string point = names_.fresh(stride.name);
    line(fmt::format("const {} {} = {} + {} * part;", row_index_type_, point, from,
                     stride.steps(1)));
    if (test) open(fmt::format("if ({} < {})", point, stride.count));
    name_loops(nest, point);
    return Iteration{point, test};
  };
  read_ahead(nest, iterations, stride.count, stride.by_vectors, open_iteration);
  const Iteration iteration = open_iteration();
  body(iteration.point);
  close_iteration(nest, iteration);
  ahead_.clear();
}

/// As many iterations as go by so many; says where the others begin.
std::string KernelWriter::write_several_at_once(const Nest& nest, const Stride& stride,
                                                int64_t at_once, const Body& body) {
  const std::string from = names_.fresh(stride.name + "_from");
  line(fmt::format("{} {} = {};", row_index_type_, from, stride.start));
  names_.open();
  begin(fmt::format("for (; {0} + {1} < {2}; {0} += {3})", from, stride.steps(at_once - 1),
                    stride.count, stride.steps(at_once)));
  write_at_once(nest, stride, from, at_once, false, body);
  statement_ = static_cast<uint32_t>(nest.loops[0]);
  close();
  return from;
}

/// The loop over a member's iterations; `body` writes one, given its first element.
void KernelWriter::write_stride(const Nest& nest, const Stride& stride, const Body& body) {
  statement_ = static_cast<uint32_t>(nest.loops[0]);
  const bool is_block = team_ == Team::kGrid && grid_.is(1);
  const int64_t round = stride.step * (is_block ? threads_ : stride.members.empty() ? 1 : 0);
  const auto longest = most_iterations(kernel_, nest, options_.shape);
  const bool is_once = longest && *longest <= round;
  std::string start = stride.start;
  if (stride.is_plain && !is_once && nest.last - nest.first <= kFewStatements) {
    const int64_t most = most_ahead(nest, stride.by_vectors);
    const bool has_rest = kernel_.statements[nest.loops[0]].get_if<Loop>()->rest.has_value();
    const auto extent = extent_of(kernel_, nest).maybe_constant();
    const bool is_counted = extent && round > 0 && !is_block && !has_rest;
    const int64_t counted = is_counted ? (*extent + round - 1) / round : 0;
    if (0 < counted && counted <= std::min(most, kMostCounted))
      return write_at_once(nest, stride, stride.start, counted, *extent % round != 0, body);
    const bool is_wide = team_ == Team::kColumn && columns_.is_wide;
    const int64_t elements = is_wide ? kMostOfWideColumns : kMostElements;
    int64_t wanted = std::min(most, stride.by_vectors ? kMostVectors : elements);
    if (longest && round > 0) wanted = std::min(wanted, *longest / round);
    if (wanted > 1)
      start = write_several_at_once(
          nest, stride, static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(wanted))), body);
  }
  statement_ = static_cast<uint32_t>(nest.loops[0]);
  names_.open();
  const std::string point = names_.fresh(stride.name);
  begin_stride(row_index_type_, point, start, stride.count, stride.steps(1));
  name_loops(nest, point);
  body(point);
  close_iteration(nest, {point, false});
}

}  // namespace glint::cuda
