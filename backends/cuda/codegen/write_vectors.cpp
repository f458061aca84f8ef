// Loops of which each thread takes several neighbours: 16 bytes an access.
//
//     for (int64 i = 4 * (...); i < length; i += ...) {
//       const bool whole = aligned && i + 4 <= length;
//       const Vector<float, 4> x_4 = load<4>(x + i, whole, length - i);
//       Vector<float, 4> out_4;
//       for (int part = 0; part < 4; ++part) {
//         const float a = x_4.at[part];
//         ...
//         out_4.at[part] = d;
//       }
//       store(out + i, out_4, whole, length - i);
//     }
#include <fmt/format.h>

#include <algorithm>

#include "backends/cuda/codegen/bind_axes.h"
#include "backends/cuda/codegen/kernel_writer.h"

namespace glint::cuda {

bool KernelWriter::is_vector(const Access& access, const Nest& nest) const {
  const auto innermost = StatementId(nest.loops.back());
  return memory_stride(kernel_, access.buffer, *access.indices, innermost).is(1);
}

/// Whether all addresses are such that vectors may be read and written.
std::string KernelWriter::alignment_test(const Nest& nest, int64_t lanes) {
  std::string test;
  std::vector<bool> seen(kernel_.buffers.size(), false);
  for (size_t i = nest.first; i < nest.last; ++i) {
    const auto access = access_of(kernel_.statements[i]);
    if (!access || !is_vector(*access, nest) || seen[index(access->buffer)]) continue;
    seen[index(access->buffer)] = true;
    test += fmt::format("{}is_aligned<{}>({})", test.empty() ? "" : " && ", lanes,
                        buffer_names_[index(access->buffer)]);
  }
  return test.empty() ? "true" : test;
}

/// Loads stand before the loop over neighbours; what will be stored is declared there.
void KernelWriter::write_vector_loads(const Nest& nest, int64_t lanes, const std::string& rest) {
  for (size_t i = nest.first; i < nest.last; ++i) {
    const auto access = access_of(kernel_.statements[i]);
    if (!access || !is_vector(*access, nest)) continue;
    statement_ = static_cast<uint32_t>(i);
    const std::string& buffer = buffer_names_[index(access->buffer)];
    const std::string type = fmt::format(
        "Vector<{}, {}>", definitions_.memory(kernel_[access->buffer].type.dtype), lanes);
    const std::string name = names_.fresh(fmt::format("{}_{}", buffer, lanes));
    vectors_[i] = name;
    if (access->stores)
      line(fmt::format("{} {};", type, name));
    else
      line(fmt::format("const {} {} = load<{}>({} + {}, {});", type, name, lanes, buffer,
                       index_text(memory_place(kernel_, access->buffer, *access->indices), false),
                       rest));
  }
}

void KernelWriter::write_vectors(const Nest& nest) {
  definitions_.use(Piece::kVectors);
  const int64_t lanes = vector_lanes(kernel_, nest.loops[0], options_.shape);
  elements_ = static_cast<uint32_t>(lanes);
  const SymInt extent = extent_of(kernel_, nest);
  note_grid(extent, threads_ * lanes);
  statement_ = static_cast<uint32_t>(nest.loops[0]);
  const std::string aligned = names_.fresh("aligned");
  line(fmt::format("const bool {} = {};", aligned, alignment_test(nest, lanes)));
  const std::string count = count_text(nest);
  names_.open();
  const std::string point = point_name(nest);
  uses_thread_ = true;
  begin_stride(point, fmt::format("{} * thread", lanes), count, fmt::format("{} * threads", lanes));
  std::string whole = aligned;
  const bool has_rest = length_ || !remainder(extent, lanes).is(0);
  if (has_rest) {
    whole = names_.fresh("whole");
    line(fmt::format("const bool {} = {} && {} + {} <= {};", whole, aligned, point, lanes, count));
  }
  name_loops(nest, point);
  const std::string rest = has_rest ? fmt::format("{}, {} - {}", whole, count, point)
                                    : fmt::format("{}, {}", whole, lanes);
  write_vector_loads(nest, lanes, rest);
  statement_ = static_cast<uint32_t>(nest.loops.back());
  line("#pragma unroll");
  open(fmt::format("for (int part = 0; part < {}; ++part)", lanes));
  write_range(nest.first, nest.last);
  close();
  for (size_t i = nest.first; i < nest.last; ++i) {
    const auto access = access_of(kernel_.statements[i]);
    if (!access || !access->stores) continue;
    statement_ = static_cast<uint32_t>(i);
    line(fmt::format("store({} + {}, {}, {});", buffer_names_[index(access->buffer)],
                     index_text(memory_place(kernel_, access->buffer, *access->indices), false),
                     vectors_.at(i), rest));
  }
  vectors_.clear();
  close();
}

}  // namespace glint::cuda
