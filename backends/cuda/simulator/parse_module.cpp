// A module's own lines: version, target, files, variables, functions. Debug sections are skipped;
// `.loc` lines inside functions are all that is kept of debug information.
//
//     .version 8.8  .target sm_80  .address_size 64
//     .visible .entry add(.param .u64 add_param_0) { ... }
//     .file 1 "add.cu"
#include <fmt/format.h>

#include <algorithm>

#include "backends/cuda/simulator/token_reader.h"

namespace glint::simulator {
namespace {

constexpr std::string_view kLinkage[] = {".visible", ".extern", ".weak", ".common"};
/// Directives between a function's parameters and its body, each with numbers behind it or none.
constexpr std::string_view kPerformance[] = {
    ".maxntid",  ".reqntid",         ".minnctapersm",      ".maxnctapersm",  ".maxnreg",
    ".noreturn", ".explicitcluster", ".reqnctapercluster", ".maxclusterrank"};

class ModuleParser {
 public:
  explicit ModuleParser(std::vector<Token> tokens) : reader_(std::move(tokens)) {}

  Result<Module> run() {
    while (!reader_.at_end()) item();
    if (!reader_.ok()) return reader_.error();
    return std::move(module_);
  }

 private:
  void item() {
    if (reader_.accept(".version")) {
      module_.version = std::string(reader_.take().text);
    } else if (reader_.accept(".target")) {
      module_.target = reader_.word("a target");
      while (reader_.accept(",")) reader_.word("a target's option");
    } else if (reader_.accept(".address_size")) {
      const Place place = reader_.peek().place;
      if (reader_.integer("32 or 64") != 64) reader_.fail(place, "addresses must have 64 bits");
    } else if (reader_.accept(".file")) {
      file();
    } else if (reader_.accept(".section")) {
      section();
    } else if (reader_.accept(".pragma")) {
      reader_.take();
      reader_.expect(";");
    } else {
      declaration();
    }
  }

  /// `.file 1 "add.cu"`, with `, time, size` behind it or not.
  void file() {
    const auto number = static_cast<size_t>(reader_.integer("a file's number"));
    if (number >= 100000) reader_.fail_here("expected a small number before the file");
    if (!reader_.ok()) return;
    if (reader_.peek().kind != Token::Kind::kString) reader_.fail_here("expected a file's name");
    if (module_.files.size() <= number) module_.files.resize(number + 1);
    module_.files[number] = std::string(reader_.take().text);
    while (reader_.accept(",")) reader_.integer("a number");
  }

  void section() {
    reader_.word("a section's name");
    reader_.expect("{");
    for (int depth = 1; depth > 0 && reader_.ok();) {
      if (reader_.at_end()) reader_.fail_here("expected `}`");
      const Token token = reader_.take();
      if (token.text == "{") ++depth;
      if (token.text == "}") --depth;
    }
  }

  void declaration() {
    while (reader_.ok() && std::any_of(std::begin(kLinkage), std::end(kLinkage),
                                       [&](auto word) { return reader_.accept(word); })) {
    }
    if (reader_.peek_is(".entry") || reader_.peek_is(".func")) {
      function();
      return;
    }
    const std::string_view text = reader_.peek().text;
    if (!reader_.peek_word() || !space_named(text.substr(1))) {
      reader_.fail_here("expected a declaration");
      return;
    }
    module_.variables.push_back(statements_.variable());
    reader_.expect(";");
  }

  void function() {
    Function function;
    function.entry = reader_.take().text == ".entry";
    if (reader_.peek_is("(")) function.results = parameters();
    function.place = reader_.peek().place;
    function.name = reader_.word("a function's name");
    if (reader_.peek_is("(")) function.parameters = parameters();
    performance(function.bounds);
    if (!reader_.accept(";")) {
      function.body = StatementParser(reader_).body();
      function.defined = true;
    }
    module_.functions.push_back(std::move(function));
  }

  std::vector<Variable> parameters() {
    std::vector<Variable> parameters;
    reader_.expect("(");
    if (reader_.accept(")")) return parameters;
    do {
      parameters.push_back(statements_.variable());
    } while (reader_.accept(","));
    reader_.expect(")");
    return parameters;
  }

  void performance(LaunchBounds& bounds) {
    while (reader_.peek_word()) {
      const std::string_view word = reader_.peek().text;
      if (std::find(std::begin(kPerformance), std::end(kPerformance), word) ==
          std::end(kPerformance)) {
        reader_.fail_here("expected a function's body");
        return;
      }
      reader_.take();
      note_bound(bounds, word, numbers());
    }
  }

  /// `128, 1, 1`: of an axis that is left out 1.
  std::array<uint32_t, 3> numbers() {
    std::array<uint32_t, 3> values = {1, 1, 1};
    for (size_t i = 0; reader_.peek_number() || reader_.peek_is(",");) {
      if (reader_.accept(",")) continue;
      const auto value = static_cast<uint32_t>(reader_.take().bits);
      if (i < values.size()) values[i++] = value;
    }
    return values;
  }

  static void note_bound(LaunchBounds& bounds, std::string_view directive,
                         const std::array<uint32_t, 3>& values) {
    if (directive == ".maxntid") bounds.most_threads = values[0] * values[1] * values[2];
    if (directive == ".reqntid") bounds.required = values;
    if (directive == ".maxnreg") bounds.most_registers = values[0];
  }

  TokenReader reader_;
  StatementParser statements_{reader_};
  Module module_;
};

}  // namespace

const Function* Module::find(std::string_view name) const {
  const Function* declared = nullptr;
  for (const Function& function : functions) {
    if (function.name != name) continue;
    if (function.defined) return &function;
    declared = &function;
  }
  return declared;
}

Result<Module> parse_module(std::string_view text) {
  Result<std::vector<Token>> tokens = split_tokens(text);
  if (!tokens) return tokens.error();
  return ModuleParser(std::move(*tokens)).run();
}

}  // namespace glint::simulator
