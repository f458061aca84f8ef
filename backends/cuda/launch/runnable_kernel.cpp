#include "backends/cuda/launch/runnable_kernel.h"

#include <algorithm>

namespace glint::cuda {
namespace {

/// `sizes` are the values of all symbols.
int32_t run_prepared(const void* context, std::byte*, std::byte* const* parameters,
                     const int64_t* sizes, int64_t begin, int64_t end) {
  const auto& prepared = *static_cast<const PreparedKernel*>(context);
  prepared.launch(parameters, {sizes, prepared.symbols}, end - begin);
  return 0;
}

}  // namespace

size_t symbol_count(SymInt size) {
  const auto symbols = size.symbols();
  return symbols.empty() ? 0 : symbols.back() + size_t{1};
}

size_t symbol_count(const CompiledKernel& kernel) {
  size_t count = symbol_count(kernel.grid);
  for (const SymInt each :
       {kernel.moved.read, kernel.moved.written, kernel.iterations.value_or(SymInt(0))})
    count = std::max(count, symbol_count(each));
  for (const KernelParameter& parameter : kernel.parameters)
    count = std::max(count, symbol_count(parameter.size));
  return count;
}

RunnableKernel runner_kernel(const PreparedKernel& prepared, const Kernel& kernel) {
  RunnableKernel made;
  made.function = run_prepared;
  made.context = &prepared;
  for (uint32_t k = 0; k < prepared.symbols; ++k)
    made.size_expressions.push_back(SymInt::symbol(k));
  // A launch may cut a flat kernel short; it is never split, and begins with the first iteration.
  if (const Loop* loop = kernel.whole_loop()) made.thread_extent = loop->extent;
  made.is_launched_whole = true;
  made.work = 0;
  return made;
}

}  // namespace glint::cuda
