#include "backends/cuda/codegen/kernel_writer.h"

#include <fmt/format.h>

#include "core/support/environment.h"

namespace glint::cuda {

bool asks_for_bounds() {
  return environment::value(environment::Variable::kCudaBounds) == "1";
}

KernelWriter::KernelWriter(const Kernel& bound, std::string entry, Definitions& definitions,
                           WriteOptions options)
    : kernel_(bound),
      entry_(std::move(entry)),
      definitions_(definitions),
      options_(options),
      written_(bound.written()),
      value_names_(bound.statements.size()) {}

WrittenKernel KernelWriter::write() {
  is_narrow_ = fits_narrow();
  index_type_ = row_index_type_ = is_narrow_ ? "int" : "int64";
  for (const KernelBuffer& buffer : kernel_.buffers)
    buffer_names_.push_back(buffer.scratch ? buffer.name : names_.fresh(buffer.name));
  write_body();
  WrittenKernel result{entry_, with_entry(), {}, grid_, threads_, rows_, elements_};
  for (uint32_t i = 0; i < kernel_.parameter_count; ++i) {
    const TensorType& type = kernel_.buffers[i].type;
    const auto kind = type.scalar ? KernelParameter::Kind::kNumber : KernelParameter::Kind::kBuffer;
    result.parameters.push_back({kind, buffer_names_[i], i, type.dtype});
  }
  result.checks = checks_;
  auto& all = result.parameters;
  all.insert(all.end(), sizes_.begin(), sizes_.end());
  if (length_) all.push_back(*length_);
  if (!checks_.empty())
    all.push_back(
        {KernelParameter::Kind::kStatus, "status", 0, DType::kInt32, int64_t{sizeof(CheckStatus)}});
  if (counts_blocks_) {
    all.push_back({KernelParameter::Kind::kCounters, "counters", 0, DType::kUInt8,
                   kBlockCounters * sizeof(uint32_t)});
    all.push_back(
        {KernelParameter::Kind::kWorkspace, "workspace", 0, DType::kUInt8, workspace_bytes_});
  }
  all.insert(all.end(), kept_.begin(), kept_.end());
  // Each block has scratch of its own.
  if (!scratch_.empty()) result.grid = grid_ = minimum(grid_, kMostBlocks);
  for (KernelParameter each : scratch_) {
    each.size = each.size * grid_;
    all.push_back(std::move(each));
  }
  return result;
}

void KernelWriter::begin(std::string text) {
  line(text.empty() ? "{" : std::move(text) + " {");
  ++depth_;
}

void KernelWriter::close() {
  --depth_;
  names_.close();
  const uint32_t statement = std::exchange(statement_, SourceLine::kNone);
  line("}");
  statement_ = statement;
}

void KernelWriter::open_else() {
  --depth_;
  names_.close();
  statement_ = SourceLine::kNone;
  open("} else");
}

// ---- the entry ---------------------------------------------------------------------------------

std::vector<std::string> KernelWriter::parameter_texts() {
  std::vector<std::string> texts;
  std::vector<bool> shared(kernel_.parameter_count, false);
  for (uint32_t i = 0; i < kernel_.parameter_count; ++i) {
    if (!kernel_.buffers[i].over) continue;
    shared[i] = true;
    shared[index(*kernel_.buffers[i].over)] = true;
  }
  for (uint32_t i = 0; i < kernel_.parameter_count; ++i) {
    const TensorType& type = kernel_.buffers[i].type;
    if (type.scalar)
      texts.push_back(fmt::format("{} {}", value_type(type.dtype), buffer_names_[i]));
    else
      texts.push_back(fmt::format("{}{}*{} {}", written_[i] ? "" : "const ",
                                  definitions_.memory(type.dtype), shared[i] ? "" : " __restrict__",
                                  buffer_names_[i]));
  }
  for (const KernelParameter& each : sizes_) texts.push_back("int64 " + each.name);
  if (length_) texts.push_back("int64 " + length_->name);
  if (!checks_.empty()) texts.emplace_back("int* status");
  if (counts_blocks_) {
    texts.emplace_back("unsigned* counters");
    texts.emplace_back("char* workspace");
  }
  for (const KernelParameter& each : kept_) texts.push_back("int64 " + each.name);
  for (const KernelParameter& each : scratch_)
    texts.push_back(fmt::format("{}* {}", definitions_.memory(each.dtype), each.name));
  return texts;
}

/// The lines so far, with the entry's head before them, and its end.
std::vector<TextLine> KernelWriter::with_entry() {
  std::vector<TextLine> lines;
  const auto add = [&lines](std::string text) { lines.push_back({std::move(text)}); };
  std::string nodes = "// " + kernel_.name + ":";
  for (const KernelOrigin& origin : kernel_.origins) {
    if (nodes.size() + origin.node.size() > 90) {
      add(std::move(nodes));
      nodes = "//   ";
    }
    nodes += " %" + origin.node;
  }
  add(std::move(nodes));
  if (options_.shape.longest_row != 0)
    add(fmt::format("// Where rows have at most {} elements.", options_.shape.longest_row));
  const std::string blocks =
      least_blocks_.value_or(1) > 1 ? fmt::format(", {}", *least_blocks_) : "";
  add(fmt::format("extern \"C\" __global__ void __launch_bounds__({}{})", threads_, blocks));
  std::string head = entry_ + "(";
  const size_t indent = head.size();
  bool first = true;
  for (const std::string& each : parameter_texts()) {
    if (!first && head.size() + each.size() > 92) {
      add(head + ",");
      head = std::string(indent, ' ');
      first = true;
    }
    head += (first ? "" : ", ") + each;
    first = false;
  }
  add(head + ") {");
  for (const KernelParameter& each : sizes_)
    if (const std::string meaning = each.size.text(); meaning != each.name)
      add(fmt::format("  // {} is {}", each.name, meaning));
  if (!kept_rows_.empty())
    add(fmt::format("  extern __shared__ __align__(16) char {}[];", kept_rows_));
  if (uses_thread_) {
    add(fmt::format("  const {} thread = {} + threadIdx.x;", index_type_,
                    of_blocks("blockIdx", threads_)));
    add(fmt::format("  const {} threads = {};", index_type_, of_blocks("gridDim", threads_)));
  }
  if (uses_lane_) add("  const int lane = threadIdx.x % 32;");
  if (uses_warp_) add("  const int warp = threadIdx.x / 32;");
  lines.insert(lines.end(), std::make_move_iterator(lines_.begin()),
               std::make_move_iterator(lines_.end()));
  add("}");
  return lines;
}

}  // namespace glint::cuda
