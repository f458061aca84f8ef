// The command line: what `glint ...` was asked to do, as data.
//
//     {"show", "--stage", "graph", "x.py", "f"}   ->   ShowRequest{"x.py", "f", {Stage::kGraph}}
//     {"x.py", "--flag"}                          ->   RunRequest{kFile, "x.py", {"--flag"}}
//     {"show"}                                    ->   MessageRequest{"glint: usage: ...", 2}
//
// Everything behind FILE (or CODE) belongs to the script, as with CPython. One table in
// command_line_words.cpp declares the words and the options of each; `--help` and
// docs/command_line.md are made from it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/support/stage_log.h"

namespace glint {

/// Where a program's text comes from.
enum class ProgramSource : uint8_t {
  kFile,
  kCode,
  kStandardInput,
  kRepl  ///< nothing was named: standard input as a script, where that is no terminal
};

struct RunRequest {
  ProgramSource source = ProgramSource::kRepl;
  std::string program;                 ///< the path or the code
  std::vector<std::string> arguments;  ///< sys.argv[1:]
  bool interactive_after = false;      ///< -i; of kRepl: the REPL though input is piped
  bool compile_everything = false;
  std::string backend;      ///< empty: the default
  std::vector<Stage> show;  ///< stages to print as they happen
  bool quiet = false;       ///< no banner
  bool no_colour = false;
  bool no_pager = false;
  bool no_startup = false;
  std::string profile;  ///< where the profile is written to; empty: none is made
};
struct ShowRequest {
  std::string file;
  std::string function;
  std::vector<Stage> stages;  ///< empty: all
  bool joint = false;         ///< only the graphs of forward and backward before the cut
  bool compile_everything = false;
  std::string backend;  ///< empty: the default
};
struct BenchRequest {
  std::string file;
  std::string function;  ///< empty: all
  std::vector<std::string> arguments;
  bool compile_everything = false;
  std::string backend;  ///< empty: the default
};
struct ReportRequest {
  std::string file;
  std::vector<std::string> arguments;
  std::string output;  ///< empty: the script's name with `.html`
  bool compile_everything = false;
  std::string backend;  ///< empty: the default
};
struct ExploreRequest {
  std::string file;
  std::vector<std::string> arguments;
  int port = 0;  ///< 0: one that is free
  bool compile_everything = false;
  std::string backend;  ///< empty: the default
};
/// How to cut a joint graph, of forward and gradients.
struct CutRequest {
  uint32_t outputs = 0;   ///< of the forward: the graph's first
  uint32_t tangents = 0;  ///< the graph's last parameters
};
struct IrRequest {
  std::string file;
  std::vector<std::string> passes;
  std::optional<CutRequest> partition;  ///< of what the passes leave
  bool run = false;
  bool list_passes = false;
};
struct DocRequest {
  std::string name;  ///< empty: what there is
  bool markdown = false;
};
struct DoctorRequest {};
struct KernelInstallRequest {
  std::string prefix;           ///< empty: the user's own folder
  bool in_environment = false;  ///< that of the active Python environment
};
struct KernelRunRequest {
  std::string connection_file;
};
struct KernelExecuteRequest {
  std::string notebook;
  std::string output;  ///< empty: the notebook's own file
};
/// `--help`, `--version`, or a mistake: print the text, exit with the code.
struct MessageRequest {
  std::string text;
  int exit_code = 0;
};

using Request = std::variant<RunRequest, ShowRequest, BenchRequest, ReportRequest, ExploreRequest,
                             IrRequest, DocRequest, DoctorRequest, KernelInstallRequest,
                             KernelRunRequest, KernelExecuteRequest, MessageRequest>;

/// Reads the arguments behind the program's name.
Request parse_command_line(const std::vector<std::string>& arguments);

/// What `glint WORD --help` prints, if there is a word of that name.
std::optional<std::string> word_page(std::string_view name);

/// The words that may stand first, `run` and `show` among them.
std::vector<std::string> word_names();

/// docs/command_line.md up to the environment variables: the words, their options, exit codes.
std::string command_line_manual();

inline constexpr std::string_view kVersion = "0.1.0";

}  // namespace glint
