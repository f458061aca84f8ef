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
#include "backends/cuda/tuning/tuning.h"
#include "core/support/result.h"
#include "core/support/stage_log.h"
#include "ir/kernel.h"

namespace glint::cuda {

std::vector<StageLine> cuda_lines(const Schedule& schedule, const ScheduleTuning* tuning = {});
std::vector<StageLine> ptx_lines(const Schedule& schedule, const ScheduleTuning* tuning = {});
std::vector<StageLine> sass_lines(const Schedule& schedule, const ScheduleTuning* tuning = {});
/// The same of a text that was written by hand.
std::vector<StageLine> sass_lines_of_text(const std::string& source,
                                          const std::string& architecture);
std::vector<StageLine> launch_lines(const Schedule& schedule, const ScheduleTuning* tuning = {});
std::vector<StageLine> gpu_lines(const Schedule& schedule, const ScheduleTuning* tuning = {});
std::vector<StageLine> tuning_lines(const Schedule& schedule, const ScheduleTuning& tuning);

// ---- what these share --------------------------------------------------------------------------

/// The kernels as they are launched, each in all the shapes that it may run in.
KernelCuts cuts_of(const Schedule& schedule, const ScheduleTuning* tuning);
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

/// Where in a module the lines of generated code stand, as its `.loc`s say one after another.
class ModulePlace {
 public:
  explicit ModulePlace(const CompiledModule& module) : module_(module) {}
  /// Line `own` of the source, inlined into line `caller`; the one with a statement counts.
  void move_to(uint32_t own, uint32_t caller);
  void forget() { at_ = {}; }
  const SourceLine& at() const { return at_; }

 private:
  SourceLine source_line(uint32_t number) const;

  const CompiledModule& module_;
  SourceLine at_;
};

/// A line of generated code with its margin; without one where no statement is known.
StageLine placed_line(std::string text, const ModulePlace& place,
                      std::span<const Kernel* const> kernels);

/// The stage's one line where its tools are missing, at the place that they name.
std::vector<StageLine> missing_line(std::string_view what, const Error& error);

}  // namespace glint::cuda
