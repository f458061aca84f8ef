#include "core/platform/convolution.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <deque>
#include <span>

#include "core/platform/convolution_parts.h"
#include "core/platform/convolution_primitive.h"
#include "core/platform/recently_made.h"
#include "core/support/thread_pool.h"
#include "core/tensor/allocator.h"

namespace glint {

namespace {

using onednn::library;

constexpr size_t kInput = 0, kWeight = 1, kResult = 2, kBias = 3;

/// Never destroyed, so that what runs at the end of static lifetime finds its library.
const ConvolutionPrimitive* find(const ConvolutionShape& shape) {
  static auto* const cache = new RecentlyMade<ConvolutionShape::Key, ConvolutionPrimitive>(512);
  return cache->get(shape.key(), [&](ConvolutionPrimitive& made) { return made.create(shape); });
}

std::array<int64_t, 3> extents(IntSpan numbers) {
  std::array<int64_t, 3> made = {1, 1, 1};
  std::ranges::copy(numbers, made.begin());
  return made;
}

ConvolutionShape shape_of(ConvolutionPass pass, const ConvolutionWindows& windows,
                          const ConvolutionTensors& tensors) {
  const Tensor &input = *tensors.input, &result = *tensors.result;
  return {.pass = int64_t(pass),
          .dtype = int64_t(input.dtype()),
          .dims = input.rank() - 2,
          .groups = windows.groups,
          .has_bias = tensors.bias != nullptr,
          .images = input.size(0),
          .channels = input.size(1),
          .outputs = result.size(1),
          .all_channels = input.size(1),
          .all_outputs = result.size(1),
          .sizes = extents(input.sizes().subspan(2)),
          .kernel = extents(tensors.weight->sizes().subspan(2)),
          .places = extents(result.sizes().subspan(2)),
          .stride = extents(windows.stride),
          .padding = extents(windows.padding),
          .dilation = extents(windows.dilation)};
}

/// Memory of the caching allocator for the time of a call.
class ScratchBlock {
 public:
  explicit ScratchBlock(size_t bytes)
      : bytes_(bytes), start_(static_cast<float*>(allocate_bytes(bytes))) {}
  ScratchBlock(const ScratchBlock&) = delete;
  ScratchBlock& operator=(const ScratchBlock&) = delete;
  ~ScratchBlock() { free_bytes(start_, bytes_); }
  float* data() const { return start_; }
  int64_t size() const { return int64_t(bytes_ / sizeof(float)); }

 private:
  size_t bytes_;
  float* start_;
};

/// The library's name for a piece of memory.
class Memory {
 public:
  Memory() = default;
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() {
    if (memory_) library().memory_destroy(memory_);
  }
  bool create(const dnnl_memory_desc_t& description, void* data) {
    return library().memory_create(&memory_, &description, library().engine, DNNL_MEMORY_NONE) ==
               dnnl_success &&
           point_at(data);
  }
  bool point_at(void* data) const {
    return library().memory_set_data_handle(memory_, data) == dnnl_success;
  }
  dnnl_memory_t get() const { return memory_; }

 private:
  dnnl_memory_t memory_ = nullptr;
};

bool execute(dnnl_primitive_t primitive, std::span<const dnnl_exec_arg_t> arguments) {
  return library().primitive_execute(primitive, library().stream,
                                     static_cast<int>(arguments.size()),
                                     arguments.data()) == dnnl_success;
}

bool reorder(const ConvolutionOperand& operand, const Memory& from, const Memory& to) {
  const dnnl_exec_arg_t arguments[] = {{DNNL_ARG_FROM, from.get()}, {DNNL_ARG_TO, to.get()}};
  return execute(operand.reorder.get(), arguments);
}

/// Where the whole's input, weight, result and bias begin; those that are not there are null.
struct Starts {
  std::array<std::byte*, 4> bytes = {};
  int64_t element = 0;  ///< its bytes

  void* at(size_t i, int64_t offset) const { return bytes[i] + offset * element; }
};

Starts starts_of(const ConvolutionTensors& tensors) {
  Starts starts = {.element = int64_t(tensors.input->element_size())};
  const Tensor* all[] = {tensors.input, tensors.weight, tensors.result, tensors.bias};
  for (size_t i = 0; i < starts.bytes.size(); ++i)
    if (all[i]) starts.bytes[i] = all[i]->raw_data();
  return starts;
}

/// One part at a time: its operands in memory, and in the library's layouts.
class Worker {
 public:
  /// Makes everything that running needs, so that threads do not allocate. A shared weight is in
  /// the library's layout already, or stays there; null: the part's own.
  bool prepare(const ConvolutionPrimitive& primitive, ConvolutionPass pass, bool has_bias,
               float* shared_weight) {
    primitive_ = &primitive;
    computed_ = computed_operand(pass);
    shares_weight_ = shared_weight != nullptr;
    for (size_t i = 0; i < 3; ++i) {
      const ConvolutionOperand& operand = primitive.operands()[i];
      float* own = nullptr;
      if (i == kWeight && shared_weight)
        own = shared_weight;
      else if (operand.reorder)
        own = blocks_.emplace_back(operand.taken_bytes()).data();
      if (!plain_[i].create(operand.plain, nullptr) || !taken_[i].create(operand.taken, own))
        return false;
    }
    has_bias_ = has_bias;
    float* scratch =
        blocks_.emplace_back(library().memory_desc_get_size(&primitive.scratch())).data();
    return scratch_.create(primitive.scratch(), scratch) &&
           (!has_bias || bias_.create(primitive.bias(), nullptr));
  }

  bool run(const Starts& starts, const std::array<int64_t, 4>& offsets) const {
    for (size_t i = 0; i < 3; ++i) {
      if (i == kWeight && shares_weight_) continue;
      const ConvolutionOperand& operand = primitive_->operands()[i];
      const Memory& met = operand.reorder ? plain_[i] : taken_[i];
      if (!met.point_at(starts.at(i, offsets[i]))) return false;
      if (operand.reorder && i != computed_ && !reorder(operand, plain_[i], taken_[i]))
        return false;
    }
    if (has_bias_ && !bias_.point_at(starts.at(kBias, offsets[kBias]))) return false;
    return compute() && bring_back();
  }

 private:
  bool compute() const {
    const auto& operands = primitive_->operands();
    const dnnl_exec_arg_t arguments[] = {{operands[kInput].argument, taken_[kInput].get()},
                                         {operands[kWeight].argument, taken_[kWeight].get()},
                                         {operands[kResult].argument, taken_[kResult].get()},
                                         {DNNL_ARG_SCRATCHPAD, scratch_.get()},
                                         {DNNL_ARG_BIAS, bias_.get()}};
    return execute(primitive_->get(), std::span(arguments).first(has_bias_ ? 5 : 4));
  }
  bool bring_back() const {
    const ConvolutionOperand& operand = primitive_->operands()[computed_];
    if (!operand.reorder || (computed_ == kWeight && shares_weight_)) return true;
    return reorder(operand, taken_[computed_], plain_[computed_]);
  }

  const ConvolutionPrimitive* primitive_ = nullptr;
  size_t computed_ = 0;
  bool has_bias_ = false;
  bool shares_weight_ = false;
  std::array<Memory, 3> plain_, taken_;
  Memory bias_, scratch_;
  std::deque<ScratchBlock> blocks_;
};

/// Brings a weight into the library's layout, or back out of it.
bool move_weight(const ConvolutionOperand& weight, void* plain, void* taken, bool back) {
  Memory outside, inside;
  if (!outside.create(weight.plain, plain) || !inside.create(weight.taken, taken)) return false;
  return back ? reorder(weight, inside, outside) : reorder(weight, outside, inside);
}

/// The sum of the parts' sums, in the order of the parts, in the first.
void add_up(const std::deque<ScratchBlock>& sums) {
  constexpr int64_t kGrain = 16 * 1024;
  parallel_for(0, sums[0].size(), kGrain, [&](int64_t begin, int64_t end) {
    float* into = sums[0].data();
    for (size_t i = 1; i < sums.size(); ++i) {
      const float* from = sums[i].data();
      for (int64_t k = begin; k < end; ++k) into[k] += from[k];
    }
  });
}

/// One call: its parts, the primitives of the equal ones and of the last, and what they share.
class Call {
 public:
  Call(const ConvolutionShape& shape, const ConvolutionTensors& tensors)
      : pass_(ConvolutionPass(shape.pass)),
        has_bias_(shape.has_bias != 0),
        parts_(shape),
        starts_(starts_of(tensors)) {}

  bool run() {
    each_ = find(parts_.shape(0));
    last_ = find(parts_.shape(parts_.count() - 1));
    if (!each_ || !last_) return false;
    last_takes_the_same_ =
        library().memory_desc_equal(&weight().taken, &last_->operands()[kWeight].taken);
    if (parts_.are_summed() && !last_takes_the_same_) return false;
    return prepare_weight() && prepare_workers() && run_parts() && finish_sum();
  }

 private:
  const ConvolutionOperand& weight() const { return each_->operands()[kWeight]; }

  /// All images meet the same weight, which is brought into the library's layout once; its gradient
  /// has a sum for each part.
  bool prepare_weight() {
    if (!parts_.are_images()) return true;
    const bool is_computed = pass_ == ConvolutionPass::kOfWeight;
    if (is_computed ? !parts_.are_summed() : !weight().reorder) return true;
    const int64_t blocks = is_computed ? parts_.count() : 1;
    for (int64_t i = 0; i < blocks; ++i) weights_.emplace_back(weight().taken_bytes());
    return is_computed || move_weight(weight(), starts_.at(kWeight, 0), weights_[0].data(), false);
  }

  float* weight_of_lane(int64_t lane) const {
    if (weights_.empty()) return nullptr;
    return weights_[parts_.are_summed() ? size_t(lane) : 0].data();
  }

  /// One for each lane, and one for the last part where it is smaller.
  bool prepare_workers() {
    for (int64_t lane = 0; lane < parts_.lanes(); ++lane)
      if (!workers_.emplace_back().prepare(*each_, pass_, has_bias_, weight_of_lane(lane)))
        return false;
    if (last_ == each_) return true;
    float* shared = last_takes_the_same_ ? weight_of_lane(parts_.lanes() - 1) : nullptr;
    return workers_.emplace_back().prepare(*last_, pass_, has_bias_, shared);
  }

  bool run_part(int64_t part, int64_t lane) const {
    const bool is_other = last_ != each_ && part == parts_.count() - 1;
    const Worker& worker = is_other ? workers_.back() : workers_[size_t(lane)];
    return worker.run(starts_, parts_.offsets(part));
  }

  /// Lanes claim parts as they come free; those that sum have one each.
  bool run_parts() const {
    std::atomic<bool> ok = true;
    std::atomic<int64_t> next = 0;
    parallel_for(0, parts_.lanes(), 1, [&](int64_t begin, int64_t end) {
      for (int64_t lane = begin; lane < end; ++lane) {
        if (parts_.are_summed()) {
          if (!run_part(lane, lane)) ok = false;
          continue;
        }
        for (int64_t part = next++; part < parts_.count(); part = next++)
          if (!run_part(part, lane)) ok = false;
      }
    });
    return ok;
  }

  bool finish_sum() const {
    if (!parts_.are_summed()) return true;
    add_up(weights_);
    if (weight().reorder)
      return move_weight(weight(), starts_.at(kWeight, 0), weights_[0].data(), /*back=*/true);
    std::memcpy(starts_.at(kWeight, 0), weights_[0].data(), weight().taken_bytes());
    return true;
  }

  ConvolutionPass pass_;
  bool has_bias_;
  ConvolutionParts parts_;
  Starts starts_;
  const ConvolutionPrimitive* each_ = nullptr;
  const ConvolutionPrimitive* last_ = nullptr;
  bool last_takes_the_same_ = true;  ///< layout of the weight
  std::deque<ScratchBlock> weights_;
  std::deque<Worker> workers_;
};

bool suits_library(const ConvolutionTensors& tensors) {
  const Tensor* all[] = {tensors.input, tensors.weight, tensors.result, tensors.bias};
  const DType dtype = tensors.input->dtype();
  if (in_parallel_loop() || (dtype != DType::kFloat32 && dtype != DType::kBFloat16)) return false;
  return std::ranges::all_of(all, [&](const Tensor* tensor) {
    return !tensor || (tensor->dtype() == dtype && tensor->is_contiguous() &&
                       tensor->device().is_cpu() && tensor->numel() > 0);
  });
}

}  // namespace

const Tensor& ConvolutionTensors::computed(ConvolutionPass pass) const {
  const Tensor* all[] = {input, weight, result};
  return *all[computed_operand(pass)];
}

bool convolve(ConvolutionPass pass, const ConvolutionWindows& windows,
              const ConvolutionTensors& tensors) {
  return suits_library(tensors) && library().ok &&
         Call(shape_of(pass, windows, tensors), tensors).run();
}

}  // namespace glint
