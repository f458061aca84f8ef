// A region's graph, run again node by node, and its passes one by one: `:step f`.
//
//     %mul = multiply %x, 2   : f32[3]   3:11
//         reads  %x  float32[3]  1, 2, 3
//         gives      float32[3]  2, 4, 6

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/support/check.h"
#include "core/support/temporarily.h"
#include "core/tensor/accelerator.h"
#include "core/tensor/allocator.h"
#include "core/tensor/copy.h"
#include "ir/graph_text.h"
#include "ops/call.h"
#include "passes/render.h"
#include "runtime/capture/executable.h"
#include "runtime/session/kept_inputs.h"
#include "runtime/session/parts.h"
#include "runtime/session/session.h"

namespace glint {
namespace {

/// An element as Python writes it: ints in full, floats to six digits.
std::string element_text(const Tensor& values, int64_t i) {
  if (values.dtype() == DType::kInt64) return std::to_string(values.data<int64_t>()[i]);
  if (values.dtype() == DType::kBool) return values.data<bool>()[i] ? "True" : "False";
  const double value = values.data<double>()[i];
  return std::isnan(value) ? "nan" : fmt::format("{:.6g}", value);
}

/// The same of ints and bools.
std::string whole_range_of(const Tensor& values) {
  if (values.dtype() == DType::kBool) return "";
  const int64_t* all = values.data<int64_t>();
  const auto [least, most] = std::minmax_element(all, all + values.numel());
  return fmt::format("   from {} to {}", *least, *most);
}

/// The range of the numbers, and how many are none.
std::string range_of(const Tensor& values) {
  if (values.dtype() != DType::kFloat64) return whole_range_of(values);
  double least = INFINITY, most = -INFINITY;
  int64_t none = 0;
  for (int64_t i = 0; i < values.numel(); ++i) {
    const double value = values.data<double>()[i];
    if (std::isnan(value)) {
      ++none;
    } else {
      least = std::min(least, value);
      most = std::max(most, value);
    }
  }
  std::string text = none > 0 ? fmt::format("   {} nan", none) : "";
  return least <= most ? fmt::format("   from {:.6g} to {:.6g}{}", least, most, text) : text;
}

/// `float32[4, 8]  0.5, 1, 0.25, ...   from 0 to 1`.
std::string brief(const Tensor& tensor) {
  constexpr int64_t kShown = 6;
  std::string text =
      fmt::format("{}[{}]  ", dtype_name(tensor.dtype()), fmt::join(tensor.sizes(), ", "));
  if (tensor.numel() == 0) return text + "no elements";
  const Tensor near = on_processor(tensor);
  const DType widest = tensor.dtype() == DType::kBool ? DType::kBool
                       : !is_floating(tensor.dtype()) ? DType::kInt64
                                                      : DType::kFloat64;
  const Tensor values = contiguous(convert(near, widest));
  std::vector<std::string> shown;
  for (int64_t i = 0; i < std::min(kShown, values.numel()); ++i)
    shown.push_back(element_text(values, i));
  text += fmt::format("{}", fmt::join(shown, ", "));
  return values.numel() > kShown ? text + ", ..." + range_of(values) : text;
}

void collect_values(const Argument& argument, std::vector<Value>& found) {
  if (const auto* value = argument.get_if<Value>()) {
    if (std::ranges::find(found, *value) == found.end()) found.push_back(*value);
  } else if (const auto* list = argument.get_if<BasicArgumentList<Value>>()) {
    for (const Argument& each : *list) collect_values(each, found);
  }
}

std::string without_margin(std::string text) {
  return text.substr(std::min(text.find_first_not_of(' '), text.size()));
}

/// The lines of a graph's nodes, without the margin.
std::map<std::string, std::string> lines_of_nodes(const Graph& graph) {
  std::map<std::string, std::string> lines;
  std::vector<StageLine> nodes = node_lines(graph);
  for (size_t i = 0; i < nodes.size(); ++i)
    lines[graph.nodes[graph.parameter_count + i].name] = without_margin(std::move(nodes[i].text));
  return lines;
}

/// Runs a graph, and notes each call's operands and results.
class GraphWalker {
 public:
  GraphWalker(const capture::KeptRun& run, Walk& walk)
      : run_(run), walk_(walk), given_(run.on), lines_(lines_of_nodes(*run.graph)) {}

  void go() {
    const Graph& graph = *run_.graph;
    auto run_one = [&](const Node& node, const ops::OpEntry& entry, ops::Arguments arguments) {
      std::vector<Tensor> outputs = ops::call_eager(entry, arguments).to_vector();
      note(node, outputs);
      return outputs;
    };
    std::vector<Tensor> outputs =
        capture::run_nodes(graph, run_.device, given_.inputs, run_.on.symbols, run_one);
    WalkStep last = {"return"};
    for (size_t i = 0; i < graph.outputs.size(); ++i) {
      last.line += fmt::format("{}{}", i > 0 ? ", " : " ", graph.text(graph.outputs[i]));
      if (i < outputs.size() && outputs[i].defined())
        last.details.push_back(
            fmt::format("gives  {}  {}", graph.text(graph.outputs[i]), brief(outputs[i])));
    }
    walk_.steps.push_back(std::move(last));
  }

 private:
  void note(const Node& node, const std::vector<Tensor>& outputs) {
    const Graph& graph = *run_.graph;
    std::vector<Value> read;
    for (const NamedArgument& each : node.arguments) collect_values(each.value, read);
    WalkStep step = {lines_[node.name]};
    for (const Value& value : read)
      step.details.push_back(fmt::format("reads  {}  {}", graph.text(value), text_of(value)));
    for (const Tensor& output : outputs)
      if (output.defined()) step.details.push_back(fmt::format("gives  {}", brief(output)));
    // What is written in place later has another text then.
    std::vector<std::string>& texts = texts_[node.name];
    for (const Tensor& output : outputs)
      texts.push_back(output.defined() ? brief(output) : "nothing");
    walk_.steps.push_back(std::move(step));
  }

  std::string text_of(const Value& value) {
    const Graph& graph = *run_.graph;
    const Node& node = graph[value.node];
    if (node.kind == NodeKind::kConstant) return "a constant";
    if (node.kind == NodeKind::kParameter) {
      const RunInput& input = given_.inputs[index(value.node)];
      if (!input.tensor) return fmt::format("{:.6g}", *static_cast<const double*>(input.number));
      return brief(Tensor(Ref<TensorImpl>(input.tensor)));
    }
    return texts_[node.name][value.output];
  }

  const capture::KeptRun& run_;
  Walk& walk_;
  KeptInputs given_;
  std::map<std::string, std::string> lines_;
  std::map<std::string, std::vector<std::string>> texts_;
};

/// A walk that ends early says why.
Walk walk_of(const capture::KeptRun& run) {
  Walk walk = {.title = "graph " + run.title};
  try {
    GraphWalker(run, walk).go();
  } catch (const InternalError& error) {
    walk.end = error.what();
  } catch (const ops::OpError& error) {
    walk.end = error.message;
  } catch (const TensorMemoryError& error) {
    walk.end = error.what();
  }
  return walk;
}

Walk passes_of(const capture::KeptRun& run) {
  Walk walk = {.title = "passes of " + run.title};
  const passes::PassLog& log = *run.passes;
  std::vector<StageLine> lines = passes::pass_lines(log, {.times = false});
  for (size_t i = 0; i < lines.size(); ++i) {
    WalkStep step = {without_margin(lines[i].text)};
    // The first line is what was captured.
    const size_t pass = i - (log.captured ? 1 : 0);
    if (i == 0 && log.captured) {
      for (const StageLine& line : graph_lines(*log.captured)) step.details.push_back(line.text);
    } else if (log.passes[pass].changed) {
      for (const StageLine& line : passes::diff_lines(log, log.passes[pass].name))
        step.details.push_back(line.text);
      if (step.details.empty() && log.passes[pass].schedule)
        for (const StageLine& line : passes::kernel_stage_lines(*log.passes[pass].schedule))
          step.details.push_back(line.text);
    }
    walk.steps.push_back(std::move(step));
  }
  return walk;
}

}  // namespace

Result<std::vector<capture::KeptRun>> Session::Parts::runs_of(const Whose& whose) const {
  std::vector<capture::KeptRun> runs = runner.kept_runs(whose);
  if (!runs.empty()) return runs;
  return whose.name.empty()
             ? Error{"nothing compiled has run yet; call a function under torch.compile first"}
             : Error{fmt::format("no compiled region of `{}` has run", whose.name)};
}

Result<std::vector<Walk>> Session::graph_walks(const Whose& whose) {
  auto runs = parts_->runs_of(whose);
  if (!runs) return runs.error();
  WithoutSideWork quiet(*parts_);
  std::vector<Walk> walks;
  const Temporarily same_draws(default_generator());
  for (const capture::KeptRun& run : *runs) {
    default_generator() = run.on.generator;
    walks.push_back(walk_of(run));
  }
  return walks;
}

Result<std::vector<Walk>> Session::pass_walks(const Whose& whose) {
  auto runs = parts_->runs_of(whose);
  if (!runs) return runs.error();
  std::vector<Walk> walks;
  for (const capture::KeptRun& run : *runs)
    if (run.passes) walks.push_back(passes_of(run));
  if (walks.empty()) return Error{"no pass ran: the backend takes the graph as it was captured"};
  return walks;
}

}  // namespace glint
