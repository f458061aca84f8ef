#include "repl/read_ir.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "backends/cpu/cpu_backend.h"
#include "backends/interp/interp_backend.h"
#include "core/support/check.h"
#include "core/tensor/copy.h"
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

/// A verifier's error names a value; its place is the line here that defines it, not the script's.
int complain_of_value(const std::string& file, Error error, std::string_view text) {
  error.span = {};
  std::string_view name = std::string_view(error.message).substr(0, error.message.find(':'));
  uint32_t line = 1;
  for (size_t begin = 0; name.starts_with('%') && begin < text.size(); ++line) {
    size_t start = std::min(text.find_first_not_of(' ', begin), text.size());
    std::string_view rest = text.substr(start);
    bool defines = rest.starts_with(name) && rest.substr(name.size()).starts_with(' ');
    if (defines) error.span = {{}, line, static_cast<uint32_t>(start - begin), line, 0};
    if (defines) break;
    begin = std::min(text.find('\n', begin), text.size()) + 1;
  }
  return complain(file, error, text);
}

void print_lines(const std::vector<StageLine>& lines) {
  std::cout << render::text_of(lines, nullptr);
}

/// Inputs 0, 0.25, 0.5, ... (integers 0, 1, 2, ...; bools False, True, ...) of the types and
/// strides that the schedule wants; symbols are 4.
std::vector<Tensor> made_up_inputs(const Schedule& schedule, std::span<const int64_t> symbols) {
  std::vector<Tensor> inputs;
  for (uint32_t i = 0; i < schedule.input_count; ++i) {
    const TensorType& type = schedule.tensors[i].type;
    std::vector<int64_t> sizes, strides;
    for (SymInt size : type.sizes) sizes.push_back(size.evaluate(symbols));
    for (SymInt stride : type.full_strides()) strides.push_back(stride.evaluate(symbols));
    Tensor numbers = Tensor::empty(sizes, DType::kFloat64);
    double step = is_floating(type.dtype) ? 0.25 : 1.0;
    for (int64_t k = 0; k < numbers.numel(); ++k)
      numbers.data<double>()[k] =
          is_bool(type.dtype) ? static_cast<double>(k % 2) : step * static_cast<double>(k);
    Tensor input = Tensor::empty_strided(sizes, strides, type.dtype);
    copy(input, convert(numbers, type.dtype));
    inputs.push_back(input);
  }
  return inputs;
}

int run_schedule(const Schedule& schedule) {
  std::vector<int64_t> symbols(16, 4);
  std::vector<Tensor> inputs = made_up_inputs(schedule, symbols);
  std::vector<RunInput> run_inputs;
  for (const Tensor& input : inputs) run_inputs.push_back({&input.impl(), nullptr});
  for (const Backend* backend : {&interp_backend(), &cpu_backend()}) {
    auto compiled = backend->compile(schedule, {});
    if (!compiled) return complain(std::string(backend->name()), compiled.error());
    std::vector<Tensor> outputs;
    RunStatus status = (*compiled)->run(run_inputs, symbols, outputs);
    if (status) return complain(std::string(backend->name()), Error{std::string(*status)});
    std::cout << render::heading(backend->name());
    for (const Tensor& output : outputs) std::cout << repr(output) << '\n';
  }
  return 0;
}

/// Whether the first word that is no comment is `graph`.
bool is_graph(const std::string& text) {
  std::istringstream lines(text);
  std::string line;
  while (std::getline(lines, line)) {
    size_t start = line.find_first_not_of(" \t\r");
    if (start == std::string::npos || line[start] == '#') continue;
    return line.compare(start, 5, "graph") == 0;
  }
  return false;
}

/// Kernels and a schedule, or one kernel alone: verified, then run or printed.
int read_schedule(const IrRequest& request, const std::string& text) {
  if (request.partition)
    return complain(request.file, Error{"`--partition` takes a graph, with its gradients"});
  if (text.find("schedule ") == std::string::npos) {
    Result<Kernel> kernel = parse_kernel(text);
    if (!kernel) return complain(request.file, kernel.error(), text);
    if (auto fault = verify_kernel(*kernel)) return complain(request.file, *fault, text);
    if (request.run)
      return complain(request.file, Error{"a kernel runs under a schedule; add one"});
    print_lines(kernel_lines(*kernel));
    return 0;
  }
  Result<Schedule> schedule = parse_schedule(text);
  if (!schedule) return complain(request.file, schedule.error(), text);
  if (auto fault = verify_schedule(*schedule)) return complain(request.file, *fault, text);
  if (request.run) return run_schedule(*schedule);
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
/// where it has no headings.
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
    if (readable) sections.back().text += line + '\n';
  }
  bool has_headings = sections.size() > 1;
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

int read_section(const IrRequest& request, const std::string& text) {
  if (!is_graph(text)) return read_schedule(request, text);
  Result<Graph> graph = parse_graph(text);
  if (!graph) return complain(request.file, graph.error(), text);
  auto fault = verify_graph(*graph);
  if (!fault) fault = passes::verify_calls(*graph);
  if (fault) return complain_of_value(request.file, *fault, text);
  if (request.partition && request.run)
    return complain(request.file, Error{"`--partition` shows the parts; give `--run` one of them"});
  passes::PassLog log;
  try {
    if (request.run) return run_schedule(passes::run_pipeline(std::move(*graph), {}, log));
    auto state = passes::run_passes(std::move(*graph), request.passes, log);
    if (!state) return complain(request.file, state.error());
    if (request.partition) return print_partition(request, state->graph);
    print_lines(graph_lines(state->graph));
    if (!state->schedule.steps.empty()) std::cout << print(state->schedule);
  } catch (const InternalError& error) {
    return complain(request.file, Error{error.what()});
  }
  return 0;
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
