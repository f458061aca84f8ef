// Kernels that are written by hand in CUDA C++: compiled, loaded and kept by their text.
//
//     const TextKernel& product = text_kernel(source, "matrix_product");
//     product.launch(blocks, 256, {gpu_argument(address), gpu_argument(rows)});
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "backends/cuda/codegen/compiled_kernel.h"
#include "backends/cuda/device/device.h"
#include "core/tensor/tensor.h"

namespace glint::cuda {

/// A parameter of a kernel as the PTX declares it.
struct TextParameter {
  std::string type;    ///< `u64`, `f32`; `b8` of a struct
  uint32_t bytes = 0;  ///< what the device reads of the argument
  bool is_struct = false;
};

class TextKernel {
 public:
  TextKernel(std::shared_ptr<GpuModule> module, std::shared_ptr<const GpuEntry> entry,
             std::vector<TextParameter> parameters)
      : module_(std::move(module)), entry_(std::move(entry)), parameters_(std::move(parameters)) {}
  /// One-dimensional. Throws what fails.
  void launch(int64_t blocks, uint32_t threads, std::vector<GpuArgument> arguments) const;
  /// Blocks of 256 threads, of a kernel that goes on by strides: no more of them than fill a GPU.
  void launch_blocks(int64_t blocks, std::vector<GpuArgument> arguments) const;
  /// So many of those as have the threads.
  void launch_threads(int64_t threads, std::vector<GpuArgument> arguments) const;
  const GpuEntry& entry() const { return *entry_; }
  const std::vector<TextParameter>& parameters() const { return parameters_; }

 private:
  std::shared_ptr<GpuModule> module_;
  std::shared_ptr<const GpuEntry> entry_;
  std::vector<TextParameter> parameters_;
};

/// Where a tensor's elements begin, for a kernel.
inline GpuArgument address(const Tensor& tensor, std::string_view name) {
  return gpu_argument(reinterpret_cast<uint64_t>(tensor.raw_data()), name);
}

/// The same of one that may be missing: null then.
inline GpuArgument address(const Tensor* tensor, std::string_view name) {
  return tensor == nullptr ? gpu_argument(uint64_t{0}, name) : address(*tensor, name);
}

/// An entry's parameters, in the PTX: `.param .u64 .ptr .align 1 scale_param_0` is `u64`, of 8
/// bytes, `.param .align 4 .b8 scale_param_1[12]` a struct of 12.
std::vector<TextParameter> text_parameters(const std::string& ptx, const std::string& entry);

enum class TextAuthor : uint8_t {
  kGlint,
  kUser,  ///< a device that checks holds it to every rule (GpuImage)
};
/// The entry of that name. Throws where the text does not compile, with the compiler's words.
const TextKernel& text_kernel(const std::string& source, const std::string& entry,
                              TextAuthor author = TextAuthor::kGlint);

/// A kernel of a text, as it was compiled for the device that there is.
struct WrittenText {
  std::string entry;
  std::shared_ptr<const CompiledModule> module;
};
/// A user's kernel, compiled anew or known; it is the newest from here on. Throws as `text_kernel`.
const TextKernel& write_kernel(const std::string& source, const std::string& entry);
/// All of them so far, the newest last.
const std::deque<WrittenText>& written_texts();

/// What the compiler warns of in those made since this was asked last, once for each text.
std::vector<std::string> take_warnings();

}  // namespace glint::cuda
