// Writes the C++ source that embeds the library: of every file its text, which tracebacks and the
// glass show, and its program, which runs, lowered here once and not at every import.
//
//     glint_embed_library <folder of library/> <source to write> <file>...
//
//     functools.py  ->  {"functools", "library/functools.py", false, {"...", 4711}, {"...", 815}},
//
// A file that does not parse, or whose program breaks a rule of Program IR, ends the build.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <span>
#include <sstream>
#include <string>

#include "core/support/result.h"
#include "frontend/frontend.h"
#include "ir/program_bytes.h"

namespace {

using namespace glint;

/// Bytes as C++ string literals, a line each.
std::string literals(std::string_view bytes) {
  std::string out = "\"";
  for (char c : bytes) {
    auto byte = static_cast<unsigned char>(c);
    if (c == '\n') {
      out += "\\n\"\n\"";
    } else if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (byte < 0x20 || byte >= 0x7f || c == '?') {  // ? could begin a trigraph
      out += fmt::format("\\{:03o}", byte);
    } else {
      out += c;
    }
  }
  return out + '"';
}

struct Module {
  std::string name;
  bool is_package;
};

/// `torch/nn/__init__.py` is the package torch.nn, `torch/hub.py` the module torch.hub.
Module module_of(std::string file) {
  file.resize(file.size() - std::string_view(".py").size());
  constexpr std::string_view kPackage = "/__init__";
  const bool is_package = file.ends_with(kPackage);
  if (is_package) file.resize(file.size() - kPackage.size());
  for (char& c : file) c = c == '/' ? '.' : c;
  return {file, is_package};
}

/// The program of a file, or what is wrong with it.
Result<std::string> program_of(const std::string& name, const std::string& text) {
  SourceMap sources;
  SourceId source = sources.add(name, text);
  auto result = frontend::compile_source(sources, source, frontend::Mode::kFile, {.is_file = true});
  if (auto* errors = std::get_if<frontend::SyntaxErrors>(&result))
    return Error{frontend::print(errors->front(), sources)};
  const program::Code& code = *std::get<frontend::CompiledSource>(result).code;
  if (auto fault = program::verify(code)) return Error{fmt::format("{}: {}", name, *fault)};
  return program::write_bytes(code);
}

Result<std::string> table_of(const std::filesystem::path& root, std::span<char*> files) {
  std::string table;
  for (const char* file : files) {
    std::ifstream in(root / file, std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    const std::string name = fmt::format("library/{}", file);
    Result<std::string> bytes = program_of(name, text.str());
    if (!bytes) return bytes;
    const Module module = module_of(file);
    table += fmt::format("{{\"{}\", \"{}\", {},\n{{{}, {}}},\n{{{}, {}}}}},\n", module.name, name,
                         module.is_package, literals(text.str()), text.str().size(),
                         literals(*bytes), bytes->size());
  }
  return table;
}

}  // namespace

int main(int count, char** arguments) {
  const std::span all(arguments, static_cast<size_t>(count));
  if (count < 4) {
    fmt::print(stderr, "usage: glint_embed_library ROOT OUT FILE...\n");
    return 2;
  }
  Result<std::string> table = table_of(all[1], all.subspan(3));
  if (!table) {
    fmt::print(stderr, "{}\n", table.error().message);
    return 1;
  }
  std::ofstream out(all[2], std::ios::binary);
  out << "#include \"library/library.h\"\n\nnamespace glint::library {\nnamespace {\n"
      << "constexpr EmbeddedModule kModules[] = {\n"
      << *table << "};\n}  // namespace\n\n"
      << "std::span<const EmbeddedModule> modules() { return kModules; }\n"
      << "}  // namespace glint::library\n";
  return out.flush() ? 0 : 1;
}
