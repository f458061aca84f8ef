#include "backends/cuda/kernels/element_kernels.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "backends/cuda/compile/compile_cuda.h"
#include "backends/cuda/device/device_memory.h"
#include "backends/cuda/launch/launch_kernel.h"
#include "core/tensor/strided_loop.h"
#include "ir/kernel_builder.h"
#include "ops/element.h"
#include "ops/op.h"

namespace glint::cuda {
namespace {

/// The dimensions of an elementwise walk, outermost first, with what stands for them in the kernel.
class Walk {
 public:
  explicit Walk(const StridedLoop& loop, std::span<const DType> dtypes) {
    for (size_t dim = loop.rank(); dim-- > 0;) sizes_.push_back(symbol(loop.size(dim)));
    for (size_t k = 0; k < dtypes.size(); ++k) {
      TensorType type = TensorType::tensor(dtypes[k], sizes_);
      const auto element = static_cast<int64_t>(dtype_size(dtypes[k]));
      for (size_t dim = loop.rank(); dim-- > 0;)
        type.strides.push_back(stride(loop.stride(k, dim) / element));
      type.normalise();
      key_ += type.text() + ";";
      types_.push_back(std::move(type));
    }
  }

  const std::vector<TensorType>& types() const { return types_; }
  const std::string& key() const { return key_; }
  std::span<const int64_t> symbols() const { return shapes_.hints(); }
  const std::vector<Relation>& relations() const { return shapes_.relations(); }
  int64_t count() const {
    int64_t count = 1;
    for (const SymInt size : sizes_) count *= size.evaluate(shapes_.hints());
    return count;
  }

  /// Opens the loops, and gives their indices.
  std::vector<IndexExpression> open(KernelBuilder& b) const {
    std::vector<IndexExpression> indices;
    for (const SymInt size : sizes_) indices.emplace_back(b.open(LoopKind::kParallel, size));
    return indices;
  }
  void close(KernelBuilder& b) const {
    for (size_t i = 0; i < sizes_.size(); ++i) b.close();
  }

 private:
  SymInt symbol(int64_t value) { return shapes_.new_symbol(value, INT64_MIN); }
  SymInt stride(int64_t value) { return value == 0 || value == 1 ? SymInt(value) : symbol(value); }

  ShapeEnvironment shapes_;
  ShapeEnvironment::Scope scope_{shapes_};
  std::vector<SymInt> sizes_;
  std::vector<TensorType> types_;
  std::string key_;
};

/// A kernel, and what was decided about the sizes and strides that it was built for: that rows lie
/// one behind the other, say.
struct Built {
  std::shared_ptr<const LaunchableKernel> kernel;
  std::vector<Relation> relations;

  bool fits(std::span<const int64_t> symbols) const {
    return std::ranges::all_of(relations,
                               [&](const Relation& each) { return each.holds(symbols); });
  }
};

/// The kernel for such a walk; compiled and loaded when it is first asked for.
template <class Make>
const LaunchableKernel& kernel_for(std::string_view name, const Walk& walk, const Make& make) {
  static auto& known = *new std::map<std::string, std::vector<Built>>;
  std::vector<Built>& built = known[fmt::format("{} {}", name, walk.key())];
  for (const Built& each : built)
    if (each.fits(walk.symbols())) return *each.kernel;
  const Kernel kernel = make();
  const auto compiled = compile_cuda({&kernel}, {.for_launch = true});
  if (!compiled) fail_on_device(compiled.error());
  auto loaded = LaunchableKernel::load(compiled->front());
  if (!loaded) fail_on_device(loaded.error());
  built.push_back({std::move(*loaded), walk.relations()});
  return *built.back().kernel;
}

}  // namespace

void copy_elements(const Tensor& target, const Tensor& source) {
  const StridedLoop loop({&target, &source});
  const DType dtypes[] = {target.dtype(), source.dtype()};
  const Walk walk(loop, dtypes);
  const LaunchableKernel& kernel = kernel_for("copy", walk, [&] {
    KernelBuilder b("copy");
    const BufferId from = b.parameter("source", walk.types()[1]);
    const BufferId to = b.parameter("target", walk.types()[0]);
    const auto indices = walk.open(b);
    b.store(to, indices, b.cast(b.load(from, indices), target.dtype()));
    walk.close(b);
    return b.finish();
  });
  std::byte* parameters[] = {loop.data(1), loop.data(0)};
  kernel.launch(parameters, walk.symbols(), walk.count());
}

void fill_elements(const Tensor& target, const Scalar& value) {
  const StridedLoop loop({&target});
  const DType dtypes[] = {target.dtype()};
  const DType given = value.is_bool()  ? DType::kBool
                      : value.is_int() ? DType::kInt64
                                       : DType::kFloat64;
  const Walk walk(loop, dtypes);
  const std::string name = fmt::format("fill {}", dtype_name(given));
  const LaunchableKernel& kernel = kernel_for(name, walk, [&] {
    KernelBuilder b("fill");
    const BufferId number = b.parameter("value", TensorType::number(given));
    const BufferId to = b.parameter("target", walk.types()[0]);
    const auto indices = walk.open(b);
    b.store(to, indices, b.cast(b.load(number, {}), target.dtype()));
    walk.close(b);
    return b.finish();
  });
  ops::Element number(value, given);
  std::byte* parameters[] = {number.bytes, loop.data(0)};
  kernel.launch(parameters, walk.symbols(), walk.count());
}

}  // namespace glint::cuda
