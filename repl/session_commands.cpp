#include "repl/session_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "core/support/text_width.h"
#include "repl/entry.h"
#include "repl/pasted.h"
#include "repl/user_files.h"
#include "runtime/interpreter/interpreter.h"
#include "runtime/session/typed_entries.h"

namespace glint {
namespace {

using Row = std::array<std::string, 6>;

/// Columns as wide as their widest cell, under a ruled head; numbers stand to the right.
std::string table_of(const std::vector<Row>& rows) {
  constexpr size_t kBytes = 4;
  std::array<size_t, 6> widths = {};
  for (const Row& row : rows)
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], text_width(row[i]));
  auto line_of = [&](const Row& row) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      std::string space(widths[i] - text_width(row[i]), ' ');
      line += (i == kBytes ? space + row[i] : row[i] + space) + "  ";
    }
    return line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  };
  Row rule;
  for (size_t i = 0; i < rule.size(); ++i) rule[i] = std::string(widths[i], '-');
  std::string text = line_of(rows[0]) + line_of(rule);
  for (size_t i = 1; i < rows.size(); ++i) text += line_of(rows[i]);
  return text;
}

/// A line break and the like, in a cell of a table.
std::string in_one_line(std::string text) {
  std::ranges::replace_if(text, [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  return text;
}

/// The line of a text at a place, counted from 1.
size_t line_at(std::string_view text, size_t at) {
  return static_cast<size_t>(std::count(text.begin(), text.begin() + static_cast<long>(at), '\n')) +
         1;
}

}  // namespace

void show_variables(CommandContext& context) {
  std::vector<Row> rows = {{"name", "type", "shape", "dtype", "bytes", "value"}};
  for (VariableRow& row : context.session.variables())
    if (row.name.starts_with(context.arguments))
      rows.push_back({row.name, row.type, row.shape, row.dtype, row.bytes, in_one_line(row.value)});
  if (rows.size() == 1)
    return context.print(context.arguments.empty()
                             ? "there are no variables yet\n"
                             : fmt::format("no variable begins with `{}`\n", context.arguments));
  Listing listing = {.title = "variables", .text = table_of(rows)};
  context.show ? context.show(listing) : context.print(listing.text);
}

void show_inputs(CommandContext& context) {
  const std::vector<TypedEntry>& entries = context.session.typed().all();
  size_t width = 0;
  for (const TypedEntry& entry : entries)
    width = std::max(width, std::to_string(entry.number).size() + 2);
  std::string text;
  for (const TypedEntry& entry : entries) {
    std::string lead = fmt::format("{:>{}}  ", fmt::format("[{}]", entry.number), width);
    const size_t begin = std::min(entry.text.find_first_not_of("\r\n"), entry.text.size());
    const size_t end = entry.text.find_last_not_of(" \r\n") + 1;
    for (std::string_view line : split_lines(entry.text.substr(begin, end - begin))) {
      text += line.empty() ? "\n" : lead + std::string(line) + "\n";
      lead = std::string(lead.size(), ' ');
    }
  }
  context.print(text.empty() ? "nothing was entered yet\n" : text);
}

void save_inputs(CommandContext& context) {
  TypedEntries& typed = context.session.typed();
  const std::string file = file_named(context.arguments);
  const std::filesystem::path path = std::filesystem::absolute(file).lexically_normal();
  const bool again = typed.is_saved_in(path);
  if (auto fault = again ? std::nullopt : context.session.fault_of_target(file, true))
    return context.print(fault->message + "\n");
  std::error_code ignored;
  if (!again && context.options.empty() && std::filesystem::is_regular_file(path, ignored))
    return context.print(
        fmt::format("`{}` is there already; `:save --force {}` replaces it\n", file, file));
  if (auto fault = write_file(file, typed.script())) return context.print(fault->message + "\n");
  typed.note_saved_in(path);
  const size_t count = typed.all().size();
  context.print(
      fmt::format("{} {} in `{}`\n", count, count == 1 ? "entry is" : "entries are", file));
}

void load_file(CommandContext& context) {
  constexpr int kDeepest = 10;
  static int depth = 0;
  const std::string file = file_named(context.arguments);
  Result<std::string> text = read_script(file);
  if (!text) return context.print(text.error().message + "\n");
  if (depth == kDeepest)
    return context.print(
        fmt::format("`{}` is loaded by itself, or files load one another\n", file));
  PastedEntries entries = split_pasted(*text + "\n\n", [&](const std::string& entry) {
    return is_command(entry) || is_question(entry) || context.session.entry_is_complete(entry);
  });
  if (!entries.rest.empty()) entries.complete.push_back(entries.rest);
  CommandContext inner = context;
  inner.arguments.clear();
  size_t at = 0;
  ++depth;
  for (const std::string& entry : entries.complete) {
    at = std::max(at, text->find(entry, at));
    const size_t line = line_at(*text, std::min(at, text->size()));
    at = std::min(at + entry.size(), text->size());
    int exit_code = 0;
    context.outcome = enter(entry, inner, exit_code);
    if (context.outcome == EntryOutcome::kDone) continue;
    if (context.outcome == EntryOutcome::kExit) {
      context.exit_code = exit_code;
      break;
    }
    context.print(fmt::format("the rest of `{}` is left out, behind line {}\n", file, line));
    break;
  }
  --depth;
}

void run_file(CommandContext& context) {
  std::vector<std::string> words = words_of(context.arguments);
  const std::string file = file_named(words.front());
  words.erase(words.begin());
  Result<int> exit_code = context.session.run_script(file, words);
  if (!exit_code) return context.print(exit_code.error().message + "\n");
  if (*exit_code != 0 && *exit_code != runtime::kInterruptedExit)
    context.print(fmt::format("`{}` ended with exit code {}\n", file, *exit_code));
}

void reset_session(CommandContext& context) {
  const size_t count = context.session.reset();
  if (context.watches) context.watches->drop("");
  context.print(fmt::format("{} variable{} gone, and all that was compiled\n", count,
                            count == 1 ? " is" : "s are"));
}

}  // namespace glint
