#include "repl/read_ir.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>
#include <sstream>

#include "backends/cpu/cpu_backend.h"
#include "backends/interp/interp_backend.h"
#include "core/support/check.h"
#include "core/tensor/copy.h"
#include "core/tensor/generator.h"
#include "core/tensor/print.h"
#include "ir/graph.h"
#include "ir/kernel.h"
#include "passes/operators.h"
#include "passes/partition.h"
#include "passes/pipeline.h"
#include "repl/render/text.h"

namespace glint {
namespace {

/// The error with its place, the line of `text` that it is about, and a caret.
int complain(const std::string& file, const Error& error, std::string_view text = {}) {
  if (!error.span.line) {
    std::cerr << fmt::format("{}: {}\n", file, error.message);
    return 1;
  }
  // A parser's message names the place too, for who has no file.
  std::string prefix = fmt::format("line {}, column {}: ", error.span.line, error.span.column);
  std::string_view message = error.message;
  if (message.starts_with(prefix)) message.remove_prefix(prefix.size());
  std::cerr << fmt::format("{}:{}:{}: {}\n", file, error.span.line, error.span.column + 1, message);
  size_t begin = 0;
  for (uint32_t line = 1; line < error.span.line && begin != std::string_view::npos; ++line) {
    size_t end = text.find('\n', begin);
    begin = end == std::string_view::npos ? end : end + 1;
  }
  if (begin >= text.size()) return 1;
  std::string_view line = text.substr(begin, text.find('\n', begin) - begin);
  std::cerr << fmt::format("    {}\n    {}^\n", line, std::string(error.span.column, ' '));
  return 1;
}

/// The line that defines a value, `%y`.
std::optional<Span> place_of_value(std::string_view name, std::string_view text) {
  uint32_t line = 1;
  for (size_t begin = 0; begin < text.size(); ++line) {
    size_t start = std::min(text.find_first_not_of(' ', begin), text.size());
    std::string_view rest = text.substr(start);
    if (rest.starts_with(name) && rest.substr(name.size()).starts_with(' '))
      return Span{{}, line, static_cast<uint32_t>(start - begin), line, 0};
    begin = std::min(text.find('\n', begin), text.size()) + 1;
  }
  return std::nullopt;
}

/// The line of a kernel's statement: they are counted, the numbers in the text may be of old.
std::optional<Span> place_of_statement(std::string_view kernel, size_t number,
                                       std::string_view text) {
  uint32_t line = 1;
  std::optional<size_t> statement;  // the next one, once the kernel has begun
  for (size_t begin = 0; begin < text.size(); ++line) {
    size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view words = text.substr(begin, end - begin);
    size_t start = words.find_first_not_of(" 0123456789");
    if (statement && start != std::string_view::npos && words[start] != '}' &&
        words[start] != '#' && (*statement)++ == number)
      return Span{{}, line, static_cast<uint32_t>(start), line, 0};
    if (words.starts_with(fmt::format("kernel {}(", kernel))) statement = 0;
    begin = end + 1;
  }
  return std::nullopt;
}

/// A verifier's error names a value (`%y: ...`) or a statement (`kernel k, statement 3: ...`); its
/// place is the line here, not the script's.
int complain_of_ir(const std::string& file, Error error, std::string_view text) {
  error.span = {};
  std::string_view about = std::string_view(error.message).substr(0, error.message.find(": "));
  constexpr std::string_view kKernel = "kernel ", kStatement = ", statement ";
  size_t statement = about.find(kStatement);
  std::optional<Span> place;
  if (about.starts_with('%')) place = place_of_value(about, text);
  if (about.starts_with(kKernel) && statement != std::string_view::npos)
    place = place_of_statement(about.substr(kKernel.size(), statement - kKernel.size()),
                               std::stoul(std::string(about.substr(statement + kStatement.size()))),
                               text);
  if (place) error.span = *place;
  return complain(file, error, text);
}

void print_lines(const std::vector<StageLine>& lines) {
  std::cout << render::text_of(lines, nullptr);
}

/// The least dimension of all inputs: what is used as an index lies below it.
int64_t least_dimension(const Schedule& schedule, std::span<const int64_t> symbols) {
  int64_t least = std::numeric_limits<int64_t>::max();
  for (uint32_t i = 0; i < schedule.input_count; ++i)
    for (SymInt size : schedule.tensors[i].type.sizes)
      least = std::min(least, std::max<int64_t>(size.evaluate(symbols), 1));
  return least;
}

/// Inputs 0, 0.25, 0.5, ... (integers 0, 1, 2, ..., and again from 0, so that they are in range as
/// indices; bools False, True, ...) of the types and strides that the schedule wants.
std::vector<Tensor> made_up_inputs(const Schedule& schedule, std::span<const int64_t> symbols) {
  std::vector<Tensor> inputs;
  int64_t bound = least_dimension(schedule, symbols);
  for (uint32_t i = 0; i < schedule.input_count; ++i) {
    const TensorType& type = schedule.tensors[i].type;
    std::vector<int64_t> sizes, strides;
    for (SymInt size : type.sizes) sizes.push_back(size.evaluate(symbols));
    for (SymInt stride : type.full_strides()) strides.push_back(stride.evaluate(symbols));
    Tensor numbers = Tensor::empty(sizes, DType::kFloat64);
    for (int64_t k = 0; k < numbers.numel(); ++k)
      numbers.data<double>()[k] = is_bool(type.dtype)       ? static_cast<double>(k % 2)
                                  : is_floating(type.dtype) ? 0.25 * static_cast<double>(k)
                                                            : static_cast<double>(k % bound);
    Tensor input = Tensor::empty_strided(sizes, strides, type.dtype);
    copy(input, convert(numbers, type.dtype));
    inputs.push_back(input);
  }
  return inputs;
}

/// Values for the symbols of a text: those that it gives, others are 4, 7, ... where a relation
/// does not say otherwise.
std::vector<int64_t> symbol_values(const Schedule& schedule) {
  constexpr size_t kMostSymbols = 256;
  constexpr int64_t kSize = 4;
  if (schedule.sizes.empty()) return std::vector<int64_t>(kMostSymbols, kSize);
  return schedule.sizes.find_values(kMostSymbols).value();  // the verifier has found some
}

/// Runs on the reference backend first: what it refuses does not become machine code.
int run_schedule(const std::string& file, const Schedule& schedule, std::string_view text) {
  std::vector<int64_t> symbols = symbol_values(schedule);
  if (auto fault = verify_schedule(schedule, symbols)) return complain_of_ir(file, *fault, text);
  std::vector<Tensor> inputs = made_up_inputs(schedule, symbols);
  std::vector<RunInput> run_inputs;
  for (const Tensor& input : inputs) run_inputs.push_back({&input.impl(), nullptr});
  const Generator generator = default_generator();
  for (const Backend* backend : {&interp_backend(), &cpu_backend()}) {
    auto compiled = backend->compile(schedule, {});
    if (!compiled) return complain(std::string(backend->name()), compiled.error());
    std::vector<Tensor> outputs;
    default_generator() = generator;
    RunStatus status = (*compiled)->run(run_inputs, symbols, outputs);
    if (status) return complain(std::string(backend->name()), Error{std::string(*status)});
    std::cout << render::heading(backend->name());
    for (const Tensor& output : outputs) std::cout << repr(output) << '\n';
  }
  return 0;
}

/// The first word that is no comment, and where it stands.
std::pair<std::string_view, Span> first_word(std::string_view text) {
  uint32_t line = 1;
  for (size_t begin = 0; begin < text.size(); ++line) {
    size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view words = text.substr(begin, end - begin);
    size_t start = words.find_first_not_of(" \t\r");
    begin = end + 1;
    if (start == std::string_view::npos || words[start] == '#') continue;
    std::string_view word = words.substr(start);
    return {word.substr(0, word.find_first_of(" \t\r(")),
            {{}, line, static_cast<uint32_t>(start), line, 0}};
  }
  return {};
}

/// Kernels and a schedule, or one kernel alone: verified, then run or printed.
int read_schedule(const IrRequest& request, const std::string& text) {
  if (request.partition)
    return complain(request.file, Error{"`--partition` takes a graph, with its gradients"});
  if (text.find("schedule ") == std::string::npos) {
    Result<Kernel> kernel = parse_kernel(text);
    if (!kernel) return complain(request.file, kernel.error(), text);
    if (auto fault = verify_kernel(*kernel)) return complain_of_ir(request.file, *fault, text);
    if (request.run)
      return complain(request.file, Error{"a kernel runs under a schedule; add one"});
    print_lines(kernel_lines(*kernel));
    return 0;
  }
  Result<Schedule> schedule = parse_schedule(text);
  if (!schedule) return complain(request.file, schedule.error(), text);
  if (auto fault = verify_schedule(*schedule)) return complain_of_ir(request.file, *fault, text);
  ShapeEnvironment environment = schedule->sizes.environment();
  ShapeEnvironment::Scope scope(environment);
  for (const std::string& name : request.passes) {
    if (name != "collapse_axes" && name != "plan_buffers" && name != "share_kernels")
      return complain(request.file, Error{fmt::format("`{}` takes a graph", name)});
    passes::PipelineState state;
    passes::PassLog log;
    passes::PassRecord record;
    state.schedule = std::move(*schedule);
    state.log = &log;
    state.record = &record;
    passes::find_pass(name)->function(state);
    *schedule = std::move(state.schedule);
  }
  if (request.run) return run_schedule(request.file, *schedule, text);
  print_lines(schedule_lines(*schedule));
  return 0;
}

/// One form of a listing; in front of it as many empty lines as the file has there, so that places
/// in complaints are the file's.
struct Section {
  std::string title;
  std::string text;
};

/// The forms of a listing that can be read: `== graph f` and `== kernels f`, or the whole file
/// where it has no headings. Kernels behind a graph are a form of their own.
std::vector<Section> sections_of(std::istream& in) {
  std::vector<Section> sections(1);
  std::string passed;
  bool readable = true;
  for (std::string line; std::getline(in, line); passed += '\n') {
    if (render::is_heading(line)) {
      std::string title = line.substr(render::heading("").size() - 1);
      readable = title.starts_with("graph ") || title.starts_with("kernels ");
      if (readable) sections.push_back({title, passed});
      line.clear();
    }
    bool kernels = line.starts_with("kernel ") || line.starts_with("schedule ");
    if (kernels && readable && first_word(sections.back().text).first == "graph") {
      sections.back().title = "graph";
      sections.push_back({"kernels", passed});
    }
    if (readable) sections.back().text += line + '\n';
  }
  bool has_headings = sections.size() > 1 && sections.front().title.empty();
  if (has_headings) sections.erase(sections.begin());
  return sections;
}

/// The two parts, in the form of a listing, and why what is saved is.
int print_partition(const IrRequest& request, const Graph& joint) {
  auto cut = passes::partition(joint, {request.partition->outputs, request.partition->tangents});
  if (!cut) return complain(request.file, cut.error());
  for (const Graph* part : {&cut->forward, &cut->backward}) {
    std::cout << render::heading("graph " + part->name);
    print_lines(graph_lines(*part));
  }
  std::cout << render::heading("partition " + joint.name);
  print_lines(passes::partition_lines(joint, *cut));
  return 0;
}

int read_graph(const IrRequest& request, const std::string& text) {
  Result<Graph> graph = parse_graph(text);
  if (!graph) return complain(request.file, graph.error(), text);
  if (auto fault = verify_graph(*graph)) return complain_of_ir(request.file, *fault, text);
  std::optional<ShapeEnvironment> environment;
  std::optional<ShapeEnvironment::Scope> scope;
  // Without a word about sizes they are all different, and nothing is noted down.
  if (!graph->sizes.empty()) scope.emplace(environment.emplace(graph->sizes.environment()));
  if (auto fault = passes::verify_calls(*graph)) return complain_of_ir(request.file, *fault, text);
  if (request.partition && request.run)
    return complain(request.file, Error{"`--partition` shows the parts; give `--run` one of them"});
  passes::PassLog log;
  auto state = passes::run_passes(std::move(*graph), request.passes, log);
  if (!state) return complain(request.file, state.error());
  if (request.partition) return print_partition(request, state->graph);
  if (request.run) {
    // Behind the passes that were asked for, all of them: a schedule is what runs.
    Schedule schedule = passes::run_pipeline(std::move(state->graph), {}, log);
    return run_schedule(request.file, schedule, text);
  }
  bool lowered = !state->schedule.steps.empty();
  if (lowered) std::cout << render::heading("graph " + state->graph.name);
  print_lines(graph_lines(state->graph));
  if (lowered)
    std::cout << '\n' << render::heading("kernels " + state->graph.name) << print(state->schedule);
  return 0;
}

/// What the error says, without the place in Glint's own code that it names last.
std::string message_of(const InternalError& error) {
  std::string message = error.what();
  return message.substr(0, message.rfind(" ("));
}

int read_section(const IrRequest& request, const std::string& text) {
  auto [word, place] = first_word(text);
  if (word != "graph" && word != "kernel" && word != "schedule")
    return complain(request.file, Error{"expected `graph`, `kernel` or `schedule`", place}, text);
  try {
    return word == "graph" ? read_graph(request, text) : read_schedule(request, text);
  } catch (const InternalError& error) {
    return complain_of_ir(request.file, Error{message_of(error)}, text);
  } catch (const std::exception& error) {  // no memory for what the text wants
    return complain(request.file, Error{error.what()});
  }
}

}  // namespace

int read_ir(const IrRequest& request) {
  if (request.list_passes) {
    for (const passes::Pass& pass : passes::pass_table())
      std::cout << fmt::format("{:<22} {}\n", pass.name, pass.description);
    return 0;
  }
  std::ifstream in;
  if (request.file != "-") in.open(request.file);
  std::error_code ignored;
  bool folder = std::filesystem::is_directory(request.file, ignored);
  if (request.file != "-" && (!in || folder)) {
    std::cerr << fmt::format("glint: can't open file '{}'\n", request.file);
    return 2;
  }
  std::vector<Section> sections = sections_of(request.file == "-" ? std::cin : in);
  int exit_code = 0;
  for (const Section& section : sections) {
    if (sections.size() > 1) std::cout << render::heading(section.title);
    exit_code = std::max(exit_code, read_section(request, section.text));
  }
  return exit_code;
}

}  // namespace glint
