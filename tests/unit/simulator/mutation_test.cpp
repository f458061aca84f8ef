// Texts that went wrong: recorded modules with tokens deleted, doubled or exchanged. Each is
// refused, ends with a fault, or runs; none does harm to the process (the sanitizers watch).
#include <random>

#include "backends/cuda/simulator/lexer.h"
#include "run_kernel.h"
#include "sanitized.h"

namespace glint::simulator {
namespace {

std::string mutated(const std::string& text, const std::vector<Token>& tokens, uint32_t seed) {
  std::mt19937 generator(seed);
  const auto any = [&] { return generator() % (tokens.size() - 1); };
  const auto at = [&](size_t i) {
    return static_cast<size_t>(tokens[i].text.begin() - std::string_view(text).begin());
  };
  const size_t changed = any(), other = any();
  std::string result = text.substr(0, at(changed));
  switch (generator() % 3) {
    case 0:
      break;
    case 1:
      result += std::string(tokens[changed].text) + " " + std::string(tokens[changed].text);
      break;
    default:
      result += std::string(tokens[other].text);
  }
  return result + text.substr(at(changed) + tokens[changed].text.size());
}

/// Runs every entry that still links, each argument an address of one buffer or a small number.
void run_all(const std::string& text) {
  Memory memory;
  auto module = LoadedModule::load(text, memory);
  if (!module) return;
  std::vector<float> values(4096, 1.0f);
  const uint64_t address = memory.add("values", values.data(), values.size() * sizeof(float));
  for (const Function& function : module->module().functions) {
    if (!function.entry) continue;
    auto program = module->program(function.name);
    if (!program) continue;
    Launch launch{.grid = {2}, .block = {48}, .dynamic_shared = 64};
    for (const Parameter& parameter : program->parameters) {
      Argument bytes = parameter.size == 8 ? argument(address) : argument(100);
      bytes.resize(parameter.size);
      launch.arguments.push_back(std::move(bytes));
    }
    LaunchOptions options;
    options.block_budget = 100000;
    const auto result = run(*program, memory, launch, options);
    if (result && result->fault) CHECK_FALSE(result->fault->text().empty());
  }
}

TEST_CASE("mutated modules do no harm", "[mutation]") {
  for (const char* name : {"control", "movement", "reduction"}) {
    const std::string text = recorded_ptx(name);
    const auto tokens = split_tokens(text);
    REQUIRE(tokens);
    for (uint32_t seed = 0; seed < (tests::kSanitized ? 25 : 100); ++seed)
      run_all(mutated(text, *tokens, seed));
  }
}

TEST_CASE("texts that ask for too much are refused", "[mutation]") {
  const auto message = [](const std::string& declaration) {
    const auto module = parse_module(".version 8.0 .target sm_80 .address_size 64\n" + declaration);
    return module ? std::string("(it parses)") : module.error().message;
  };
  CHECK(message(".global .align 3 .b8 x[4];") == "2:9: an alignment must be a small power of two");
  CHECK(message(".global .b8 x[99999999999];") == "2:15: `x` is too large");
  CHECK(message(".global .b8 x[100000][100000];") == "2:23: `x` is too large");
  CHECK(message(".global .b8 x[-1];") == "2:15: `x` is too large");
  CHECK(message(".visible .entry k() { .reg .b32 %r<2000000>; }") ==
        "2:36: expected fewer registers");
  const auto link = [](const std::string& body) {
    const auto module = parse_module(
        ".version 8.0 .target sm_80 .address_size 64\n"
        ".visible .entry k() { " +
        body + " ret; }");
    REQUIRE(module);
    const auto program = link_program(*module, "k", {});
    return program ? std::string("(it links)") : program.error().message;
  };
  CHECK(link(".shared .b8 s[2000000]; .reg .b32 %r; mov.u32 %r, s;") ==
        "Entry function 'k' uses too much shared data (0x1e8480 bytes, 0xc000 max)");
  CHECK(link(".local .b8 l[600000];") == "2:34: a thread has too much local memory");
  CHECK(link(".reg .b64 %a<1000000>; .reg .b64 %b<9>;") ==
        "2:17: the entry has too many registers");
  CHECK(link(".reg .b64 %rd<2>; mov.b64 %rd1, {{{%r1}}};") == "2:56: expected an operand, not `{`");
  CHECK(message(".visible .entry k() { ret") == "2:26: expected `}`, not the end");
  CHECK(message(".visible .entry k() { ret;") == "2:27: expected `}`, not the end");
}

}  // namespace
}  // namespace glint::simulator
