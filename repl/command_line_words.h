// The table of the command line: each word, `run`, `show`, ..., with its options, what they set in
// the word's request, and what they mean. command_line.cpp reads arguments and writes help by it.
//
//     show_word().options[0]   ->   {"--stage", "STAGES", "only these ...",
//                                  stores(&ShowRequest::stages)}
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "repl/command_line.h"

namespace glint::words {

/// One option of one word of the command line.
template <class R>
struct Option {
  std::string_view flags;     ///< `-c` or `--show`
  std::string_view argument;  ///< the name of what follows it; empty for a switch
  std::string_view meaning;
  /// Takes the value in; gives a complaint, or nothing.
  std::function<std::optional<std::string>(R&, const std::string& value)> apply;
  /// With it, no positional argument is needed.
  bool stands_alone = false;
};

/// One word: how it is written, its options, and what it does with the other arguments.
template <class R>
struct Word {
  std::string_view usage;
  std::string_view meaning;
  std::vector<Option<R>> options;
  size_t least_positional = 0;
  size_t most_positional = 0;
  /// Arguments behind the first positional one belong to the script.
  bool script_takes_rest = false;
  std::function<void(R&, const std::vector<std::string>& positional)> finish;
};

const Word<RunRequest>& run_word();
const Word<ShowRequest>& show_word();
const Word<BenchRequest>& bench_word();
const Word<ReportRequest>& report_word();
const Word<ExploreRequest>& explore_word();
const Word<IrRequest>& ir_word();
const Word<DocRequest>& doc_word();
const Word<DoctorRequest>& doctor_word();
const Word<KernelInstallRequest>& kernel_install_word();
const Word<KernelRunRequest>& kernel_run_word();
const Word<KernelExecuteRequest>& kernel_execute_word();

/// Calls `visit` with each word, in the order of the help.
template <class F>
void for_each_word(F&& visit) {
  visit(run_word());
  visit(show_word());
  visit(bench_word());
  visit(report_word());
  visit(explore_word());
  visit(ir_word());
  visit(doc_word());
  visit(doctor_word());
  visit(kernel_install_word());
  visit(kernel_run_word());
  visit(kernel_execute_word());
}

}  // namespace glint::words
