// How rows and columns are read that are more than caches hold, and of which each element is read
// once.
//
//     x_4[part] = load_kept<4>(x + 4096 * i + j0, aligned, 4);        // about as much is written
//     x_4[part] = load_streamed<4>(x + 4096 * i + j0, aligned, 4);    // hardly anything is
//     x_ahead[part] = __ldcs(&x[i + 4096 * j]);                       // so too, an element
//
// What nobody asks for again only takes room. Where nothing else wants it, it is told to leave the
// caches first. Where a kernel writes at least half as much as it reads, it is the other way round:
// what is written has to leave the second-level cache for memory sooner or later, and memory is
// fastest where it does so all along, not whenever the cache is full. On an H200, 512 MiB of
// float32:
//
//                     usual    leaves first   is kept
//     sums of rows    119.2    118.5                    us
//     of columns      123.9    123.3
//     a layer norm    256.9    269.6          250.5
//     a softmax       274.2                   279.9     it waits for its exponentials too
//
// What has been kept gives way slowly: 32 MiB that are gone over again and again afterwards take 4
// us more, once.
#include <fmt/format.h>

#include <optional>

#include "backends/cuda/codegen/bind_axes.h"
#include "backends/cuda/codegen/kernel_writer.h"

namespace glint::cuda {
namespace {

/// Bytes of the elements, where sizes tell; else 0.
int64_t known_bytes(const TensorType& type) {
  return type.bytes().maybe_constant().value_or(0);
}

/// How many times a statement runs; nothing where only the launch knows.
std::optional<int64_t> times_run(const Kernel& kernel, size_t statement) {
  int64_t times = 1;
  for (size_t i = 0; i < statement; ++i) {
    const auto* loop = kernel.statements[i].get_if<Loop>();
    if (loop == nullptr || index(loop->end) <= statement) continue;
    const auto extent = loop->extent.maybe_constant();
    if (!extent || loop->rest) return std::nullopt;
    times *= *extent;
  }
  return times;
}

}  // namespace

/// Whether the loops compute so little that memory is all that the kernel waits for.
bool KernelWriter::waits_for_memory() const {
  for (const Nest& outer : inner_nests(kernel_, 0, kernel_.statements.size())) {
    for (const Nest& inner : inner_nests(kernel_, outer.first, outer.last)) {
      for (size_t i = inner.first; i < inner.last; ++i) {
        const auto* compute = kernel_.statements[i].get_if<Compute>();
        if (compute == nullptr || compute->function == ScalarFunction::kFma) continue;
        if (info(compute->function).domain == ScalarDomain::kFloating) return false;
      }
    }
  }
  return true;
}

/// Each element of the buffer is taken to be read once by the whole grid if its one load runs as
/// often as there are elements: where indices say otherwise, that costs time, not results. Memory
/// that the kernel also writes is left alone. Loads from registers do not count, so it is asked
/// when it is planned what these keep.
KernelWriter::Reading KernelWriter::reading_of(BufferId buffer) const {
  if (index(buffer) >= kernel_.parameter_count) return Reading::kUsual;
  const KernelBuffer& read = kernel_[buffer];
  const int64_t bytes = known_bytes(read.type);
  if (bytes < options_.cache_bytes || !read.type.contiguous() || written_[index(buffer)] ||
      read.over)
    return Reading::kUsual;
  const int64_t elements = bytes / static_cast<int64_t>(dtype_size(read.type.dtype));
  int64_t written = 0;
  for (uint32_t i = 0; i < kernel_.parameter_count; ++i) {
    if (kernel_.buffers[i].over == buffer) return Reading::kUsual;
    if (written_[i]) written += known_bytes(kernel_.buffers[i].type);
  }
  int loads = 0;
  for (size_t i = 0; i < kernel_.statements.size(); ++i) {
    const auto access = access_of(kernel_.statements[i]);
    if (!access || access->buffer != buffer) continue;
    const auto kept = kept_loads_.find(i);
    if (kept != kept_loads_.end() && !kept->second.fills && !kept->second.shared) continue;
    if (++loads > 1 || times_run(kernel_, i) != elements) return Reading::kUsual;
  }
  if (written < bytes / 2) return Reading::kStreamed;
  return waits_for_memory() ? Reading::kKept : Reading::kUsual;
}

/// Whether rows that a block keeps in registers are read once: what stands between two accesses
/// then tells in how long the memory takes. Plans what is kept.
bool KernelWriter::is_worth_two_bodies(const std::vector<Nest>& nests) {
  if (team_ != Team::kBlock || !row_slices_.slices.empty() ||
      holds<Scratch>(kernel_, 0, kernel_.statements.size()))
    return false;
  if (!would_keep_in_registers(nests)) return false;
  for (const Nest& nest : nests) {
    for (size_t i = nest.first; i < nest.last; ++i) {
      const auto* load = kernel_.statements[i].get_if<Load>();
      if (load != nullptr && reading_of(load->buffer) != Reading::kUsual) return true;
    }
  }
  return false;
}

/// What reads a vector of a row.
std::string_view KernelWriter::load_function(BufferId buffer) {
  const auto size = static_cast<int64_t>(dtype_size(kernel_[buffer].type.dtype));
  const Reading reading = row_.lanes * size == kVectorBytes ? reading_of(buffer) : Reading::kUsual;
  if (reading == Reading::kUsual) return "load";
  const bool is_kept = reading == Reading::kKept;
  definitions_.use(is_kept ? Piece::kKeptLoad : Piece::kStreamedLoad);
  return is_kept ? "load_kept" : "load_streamed";
}

/// What reads an element ahead: of numbers that CUDA knows, as what leaves caches first.
std::string KernelWriter::element_load(BufferId buffer,
                                       const std::vector<IndexExpression>& indices) {
  std::string element = place(buffer, indices);
  const bool is_known = dtype_size(kernel_[buffer].type.dtype) >= 4;
  if (!is_known || reading_of(buffer) != Reading::kStreamed) return element;
  return fmt::format("__ldcs(&{})", element);
}

}  // namespace glint::cuda
