// The `:` commands of the REPL, in one table: name, arguments, options, meaning, and what each
// does. Help, completion, abbreviations, the check of what is typed, and the manual follow from it.
//
//     run_command(":gr --table f", {session, {}, print})      runs `:graph`
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "repl/listing.h"
#include "repl/watches.h"
#include "runtime/session/session.h"

namespace glint {

/// An option as it was typed.
struct GivenOption {
  std::string flag;   ///< `--at`
  std::string value;  ///< what followed it, where one does
};

/// What a command works with.
struct CommandContext {
  Session& session;
  std::string arguments;  ///< without the options
  /// Text for the user, newline-ended.
  std::function<void(std::string_view)> print;
  /// What can be shown better than as text; not set: it is printed.
  std::function<void(const Listing&)> show = {};
  /// A value in its forms; not set: its text is printed.
  std::function<void(const MimeForms&)> display = {};
  std::vector<GivenOption> options = {};
  /// Goes along on a terminal, step by step; not set: all steps are shown at once.
  std::function<void(const std::vector<Walk>&)> walk = {};
  /// Behind each entry: what commands printed may be shown now; not set: it has been.
  std::function<void()> finish = {};
  Watches* watches = nullptr;  ///< the front end's
  bool colours = false;        ///< what is printed may have them
  /// How the command ends: a file that it enters may ask to leave, with an exit code.
  EntryOutcome outcome = EntryOutcome::kDone;
  int exit_code = 0;

  /// An option's value, of one that takes none an empty text; nothing where it was not typed.
  std::optional<std::string> option(std::string_view flag) const;
};

/// What may stand behind a command's name.
enum class Takes : uint8_t {
  kNothing,
  kFunction,  ///< a function's name, or a call that is run first; may be left out
  kName,      ///< a function's or a kernel's name, or a call; may be left out
  kCall,
  kWord,     ///< may be left out
  kWords,    ///< some, or none
  kFile,     ///< a file's name, which may hold spaces
  kNewFile,  ///< the same; may be left out
  kScript    ///< a file's name, and words
};

struct CommandOption {
  std::string_view flag;
  std::string_view meaning;
  std::string_view value = {};  ///< what follows it: `FILE`, `N`; empty: nothing
};

struct Command {
  std::string_view name;       ///< without the colon
  std::string_view arguments;  ///< for the help: `[F]`
  std::string_view meaning;
  std::string_view example;  ///< the first command of its section in repl/examples.md
  Takes takes;
  void (*run)(CommandContext&);
  std::span<const CommandOption> options = {};
  /// The words that may stand behind it, for completion, of kWords with names of functions; null:
  /// none, or names of the script.
  std::vector<std::string> (*words)() = nullptr;
};

std::span<const Command> command_table();

/// `:graph [--table|--dot|--joint|--svg FILE] [F]`
std::string command_usage(const Command& command);

/// Usage, meaning, options of a command, and its example with what it prints.
std::string command_page(const Command& command);

/// What may stand behind `:name ` where something else than names of the script does: its words, or
/// the functions of which it has something to show; nothing for a name that is no command's.
std::optional<std::vector<std::string>> words_behind(Session& session, std::string_view name);

/// Whether a file's name stands behind `:name `, or behind `--option ` before the end of
/// `arguments`.
bool takes_file(std::string_view name, std::string_view arguments);

/// The function that the arguments name; a call among them is run first. Nothing where it raised.
std::optional<Whose> called_first(CommandContext& context);

/// What has been compiled since it was called last, and is watched.
void show_watched(const CommandContext& context);

/// What is said of a backend's name that is not one.
std::string unknown_backend(std::string_view name);

/// Runs `:name arguments`; an unambiguous beginning of a name will do. What cannot be run as it is
/// typed counts as raised. `exit_code` is set for kExit, and to kInterruptedExit if Ctrl-C was
/// pressed.
EntryOutcome run_command(std::string_view line, CommandContext context, int& exit_code);

}  // namespace glint
