// The glass: a schedule's kernels on their way to a GPU, line by line with what each came from.
//
//     cuda_lines(schedule)      CUDA C++; needs nothing
//     ptx_lines(schedule)       the PTX of it, by NVRTC; else a line that says what is missing
//     sass_lines(schedule)      the machine code of that, by NVRTC and a disassembler
//     launch_lines(schedule)    a row a kernel: grid, block, registers, shared memory, bytes
//     gpu_lines(schedule)       the same, and what the simulated GPU counted, line by line
//     tuning_lines(...)         a row for each way in which kernels and products were tried
//
// A schedule that was tuned is shown with the shapes that it runs in.
//
// None needs a GPU: where there is one, its architecture is what is shown.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backends/cuda/codegen/compiled_kernel.h"
#include "backends/cuda/codegen/row_classes.h"
#include "backends/cuda/listing/logged_kernels.h"
#include "backends/cuda/tuning/tuning.h"
#include "core/support/result.h"
#include "core/support/stage_log.h"
#include "ir/kernel.h"

namespace glint::cuda {

std::vector<StageLine> cuda_lines(const Schedule& schedule, const ScheduleTuning* tuning = {});
std::vector<StageLine> ptx_lines(const Schedule& schedule, const ScheduleTuning* tuning = {});
std::vector<StageLine> sass_lines(const Schedule& schedule, const ScheduleTuning* tuning = {});
/// The same of one text, each instruction with its line of it.
std::vector<StageLine> ptx_lines(const CompiledModule& module);
std::vector<StageLine> sass_lines(const CompiledModule& module);
std::vector<StageLine> launch_lines(const Schedule& schedule, const ScheduleTuning* tuning = {});
/// The same of kernels that were launched outside compiled regions.
std::vector<StageLine> eager_launch_lines(const KernelChoice& choice);
std::vector<StageLine> gpu_lines(const Schedule& schedule, const ScheduleTuning* tuning = {});
std::vector<StageLine> tuning_lines(const Schedule& schedule, const ScheduleTuning& tuning);

// ---- what these share --------------------------------------------------------------------------

/// A disassembler's text of a module's kernels, each instruction with its statement in the margin.
std::vector<StageLine> disassembled_lines(std::string_view text, const CompiledModule& module,
                                          std::span<const Kernel* const> kernels);

template <class F>
void for_each_line(std::string_view text, const F& visit) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    visit(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// Where in a module the lines of its machine code or PTX stand, as these say one after another: at
/// a statement of one of the kernels, or of a text that no kernel became, at a line.
class ModulePlace {
 public:
  ModulePlace(const CompiledModule& module, std::span<const Kernel* const> kernels);
  /// Line `own` of the source, inlined into line `caller`; 0: none. Of a kernel's the one with a
  /// statement counts; both are passed over where there is none.
  void move_to(uint32_t own, uint32_t caller);
  void forget();
  /// A line of code with its margin; without one where no place is known.
  StageLine line(std::string code) const;

 private:
  SourceLine source_line(uint32_t number) const;

  const CompiledModule& module_;
  std::span<const Kernel* const> kernels_;
  std::vector<std::string_view> text_;  ///< the source's lines, where no kernel became them
  SourceLine at_;
  uint32_t line_ = 0;  ///< of `text_`
};

/// The stage's one line where its tools are missing, at the place that they name.
std::vector<StageLine> missing_line(std::string_view what, const Error& error);

}  // namespace glint::cuda
