#include "repl/render/languages.h"

#include <algorithm>
#include <array>

#include "repl/render/words.h"

namespace glint::render {
namespace {

constexpr std::array<std::string_view, 5> kProgramWords = {"function", "None", "True", "False",
                                                           "to"};

constexpr std::array<std::string_view, 31> kIrWords = {
    "graph", "kernel", "schedule",  "parallel", "reduce", "scan", "in",   "store",
    "load",  "launch", "call",      "slot",     "return", "None", "True", "False",
    "bool",  "u8",     "i8",        "i16",      "i32",    "i64",  "f16",  "bf16",
    "f32",   "f64",    "workspace", "output",   "where",  "to",   "check"};

constexpr std::array<std::string_view, 51> kCudaWords = {
    "alignas",  "auto",    "bool",     "break",     "case",    "char",     "class",   "const",
    "continue", "default", "do",       "double",    "else",    "enum",     "extern",  "false",
    "float",    "float2",  "float4",   "for",       "if",      "inline",   "int",     "int2",
    "int4",     "int64",   "long",     "namespace", "nullptr", "operator", "private", "public",
    "return",   "short",   "signed",   "sizeof",    "static",  "struct",   "switch",  "template",
    "true",     "typedef", "typename", "uint2",     "uint4",   "uint64",   "union",   "unsigned",
    "using",    "void",    "while"};

constexpr std::array<std::string_view, 8> kAssemblyWords = {
    "byte", "word", "dword", "qword", "xmmword", "ymmword", "zmmword", "ptr"};

/// `__global__`, `__launch_bounds__`
bool is_qualifier(std::string_view word) {
  return word.size() > 4 && word.starts_with("__") && word.ends_with("__");
}

bool is_any(std::string_view) {
  return true;
}

bool is_thread_value(std::string_view word) {
  constexpr std::array<std::string_view, 5> kNames = {"threadIdx", "blockIdx", "blockDim",
                                                      "gridDim", "warpSize"};
  return std::ranges::find(kNames, word) != kNames.end();
}

/// Whether it is one of the letters and then a number, and no more.
bool is_counted(std::string_view word, std::string_view letters) {
  if (!word.starts_with(letters) || word.size() == letters.size()) return false;
  return std::all_of(word.begin() + static_cast<long>(letters.size()), word.end(), is_digit);
}

bool is_program_register(std::string_view word) {
  return is_counted(word, "r");
}

/// Of x86 (`rax`, `r10d`, `zmm3`, `k1`) and of ARM (`x0`, `v3`).
bool is_machine_register(std::string_view word) {
  constexpr std::array<std::string_view, 10> kNamed = {"ax", "bx", "cx", "dx", "si",
                                                       "di", "bp", "sp", "ip", "flags"};
  constexpr std::array<std::string_view, 12> kShort = {"al", "ah",  "bl",  "bh",  "cl",  "ch",
                                                       "dl", "sil", "dil", "bpl", "spl", "dh"};
  constexpr std::array<std::string_view, 15> kCounted = {
      "xmm", "ymm", "zmm", "k", "r", "x", "w", "v", "q", "d", "s", "h", "b", "z", "p"};
  std::string_view bare = word.substr(0, word.find('.'));  // `v0.4s`
  const bool is_wide = bare.size() > 2 && (bare[0] == 'r' || bare[0] == 'e');
  if (std::ranges::find(kNamed, is_wide ? bare.substr(1) : bare) != kNamed.end()) return true;
  if (std::ranges::find(kShort, bare) != kShort.end()) return true;
  if (bare.starts_with('r') && bare.size() > 2 && !is_digit(bare.back())) bare.remove_suffix(1);
  return std::ranges::any_of(kCounted, [&](auto letters) { return is_counted(bare, letters); });
}

/// `R12.reuse`, `UR4`, `P0`, `RZ`, `SR_TID.X`
bool is_sass_register(std::string_view word) {
  word = word.substr(0, word.find('.'));
  if (word.starts_with("SR_")) return true;
  if (word.starts_with('U')) word.remove_prefix(1);
  return word == "RZ" || word == "PT" || is_counted(word, "R") || is_counted(word, "P") ||
         is_counted(word, "B");
}

constexpr std::array kLanguages = {
    LanguageInfo{},
    LanguageInfo{.language = Language::kProgram,
                 .operation = Operation::kFirstOrAssigned,
                 .is_numbered = true,
                 .keywords = kProgramWords,
                 .is_value = is_program_register},
    LanguageInfo{.language = Language::kGraph,
                 .values = "%",
                 .operation = Operation::kBehindEquals,
                 .keywords = kIrWords},
    LanguageInfo{.language = Language::kKernels,
                 .values = "%",
                 .operation = Operation::kBehindEquals,
                 .is_numbered = true,
                 .keywords = kIrWords},
    LanguageInfo{.language = Language::kLlvm,
                 .comment = ";",
                 .values = "%@",
                 .directives = "#!",
                 .is_assembly = true,
                 .is_keyword = is_any},
    LanguageInfo{.language = Language::kAssembly,
                 .comment = ";",
                 .directives = ".",
                 .operation = Operation::kFirstWord,
                 .is_assembly = true,
                 .keywords = kAssemblyWords,
                 .is_value = is_machine_register},
    LanguageInfo{.language = Language::kCuda,
                 .comment = "//",
                 .directives = "#",
                 .keywords = kCudaWords,
                 .is_keyword = is_qualifier,
                 .is_value = is_thread_value},
    LanguageInfo{.language = Language::kPtx,
                 .comment = "//",
                 .values = "%",
                 .directives = ".",
                 .operation = Operation::kFirstWord,
                 .is_assembly = true},
    LanguageInfo{.language = Language::kSass,
                 .comment = "//",
                 .directives = ".",
                 .operation = Operation::kFirstWord,
                 .is_numbered = true,
                 .is_assembly = true,
                 .is_value = is_sass_register},
};

}  // namespace

const LanguageInfo& language_info(Language language) {
  return kLanguages[static_cast<size_t>(language)];
}

Language language_of(Stage stage) {
  switch (stage) {
    case Stage::kProgram:
      return Language::kProgram;
    case Stage::kGraph:
      return Language::kGraph;
    case Stage::kPasses:  // they show changes of graphs and of kernels
    case Stage::kKernels:
    case Stage::kMemory:
      return Language::kKernels;
    case Stage::kLlvm:
      return Language::kLlvm;
    case Stage::kAssembly:
      return Language::kAssembly;
    case Stage::kCuda:
    case Stage::kGpu:
      return Language::kCuda;
    case Stage::kPtx:
      return Language::kPtx;
    case Stage::kSass:
      return Language::kSass;
    case Stage::kTokens:
    case Stage::kAst:
    case Stage::kBreaks:
    case Stage::kGuards:
    case Stage::kFusion:
    case Stage::kTime:
      return Language::kNone;
  }
  return Language::kNone;
}

}  // namespace glint::render
