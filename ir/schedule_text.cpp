// Schedules to text and back: the kernels, each once, then slots, tensors, steps.
#include <algorithm>
#include <tuple>
#include <unordered_map>

#include <fmt/format.h>

#include "ir/argument_text.h"
#include "ir/constant_text.h"
#include "ir/kernel.h"
#include "ir/kernel_text.h"
#include "ir/text_cursor.h"

namespace glint {

namespace {

std::string list_text(const Schedule& schedule, std::span<const TensorId> ids) {
  std::string text;
  for (size_t i = 0; i < ids.size(); ++i) text += (i ? ", %" : "%") + schedule[ids[i]].name;
  return text;
}

std::string header_text(const Schedule& schedule) {
  std::string text = "schedule " + schedule.name + "(";
  for (uint32_t i = 0; i < schedule.input_count; ++i)
    text += fmt::format("{}%{}: {}", i ? ", " : "", schedule.tensors[i].name,
                        schedule.tensors[i].type.text());
  text += ") -> ";
  std::string types;
  for (size_t i = 0; i < schedule.outputs.size(); ++i)
    types += (i ? ", " : "") + schedule[schedule.outputs[i]].type.text();
  text += schedule.outputs.size() == 1 ? types : "(" + types + ")";
  return text + " {";
}

std::string tensor_text(const Schedule& schedule, const ScheduleTensor& tensor, size_t width) {
  std::string text = fmt::format("  {:<{}} = ", "%" + tensor.name, width + 1);
  switch (tensor.role) {
    case ScheduleTensor::Role::kConstant:
      return text + fmt::format("constant {} : {}", constant_text(tensor.type.dtype, tensor.data),
                                tensor.type.text());
    case ScheduleTensor::Role::kView:
      return text + fmt::format("view %{}, offset {} : {}", schedule[tensor.base].name,
                                tensor.offset.text(), tensor.type.text());
    default:
      return text + fmt::format("tensor {} in slot {}", tensor.type.text(), tensor.slot);
  }
}

std::string slot_text(const Schedule& schedule, size_t i) {
  const Slot& slot = schedule.slots[i];
  return fmt::format("  slot {}   {} bytes, {}{}", i, slot.bytes.text(),
                     slot.output ? "output" : "workspace",
                     slot.input ? ", in %" + schedule[*slot.input].name : "");
}

/// A line for each list of tensors that it runs on.
void add_launch(const Schedule& schedule, const Launch& launch, std::vector<StageLine>& lines) {
  const Kernel& kernel = schedule.kernels[launch.kernel];
  std::vector<Span> origins;
  for (const KernelOrigin& origin : kernel.origins)
    origins.insert(origins.end(), origin.spans.begin(), origin.spans.end());
  for (size_t i = 0; i < schedule.list_count(launch); ++i) {
    std::string text = i == 0 ? "  launch " + kernel.name : "     and ";
    text += "(" + list_text(schedule, schedule.list(launch, i)) + ")";
    Traffic moved = traffic(kernel);
    if (!launch.lengths.empty() && launch.lengths[i] != kernel.whole_loop()->extent) {
      text += " for " + launch.lengths[i].text();
      moved = traffic(kernel, launch.lengths[i]);
    }
    text += fmt::format("   reads {} bytes, writes {}", moved.read.text(), moved.written.text());
    lines.push_back({std::move(text), origins});
  }
}

StageLine call_line(const Schedule& schedule, const LibraryCall& call) {
  std::string text =
      fmt::format("  call {} = {}", list_text(schedule, call.outputs), call.target.text());
  text += arguments_text(call.arguments, [&](TensorId id) { return "%" + schedule[id].name; });
  std::string origins = origins_text(call.spans);
  text += "   from %" + call.node + (origins.empty() ? "" : " " + origins);
  return {std::move(text), call.spans};
}

}  // namespace

std::vector<StageLine> schedule_lines(const Schedule& schedule) {
  std::vector<StageLine> lines;
  for (const Kernel& kernel : schedule.kernels) {
    for (StageLine& line : kernel_lines(kernel)) lines.push_back(std::move(line));
    lines.push_back({"", {}});
  }
  lines.push_back({header_text(schedule), {}});
  if (!schedule.sizes.empty()) lines.push_back({"  where " + schedule.sizes.text(), {}});
  for (size_t i = 0; i < schedule.slots.size(); ++i) lines.push_back({slot_text(schedule, i), {}});
  size_t width = 0;
  for (size_t i = schedule.input_count; i < schedule.tensors.size(); ++i)
    width = std::max(width, schedule.tensors[i].name.size());
  for (size_t i = schedule.input_count; i < schedule.tensors.size(); ++i)
    lines.push_back({tensor_text(schedule, schedule.tensors[i], width), {}});
  for (const Step& step : schedule.steps) {
    if (auto* launch = std::get_if<Launch>(&step.kind))
      add_launch(schedule, *launch, lines);
    else
      lines.push_back(call_line(schedule, std::get<LibraryCall>(step.kind)));
  }
  std::string outputs = list_text(schedule, schedule.outputs);
  lines.push_back({outputs.empty() ? "  return" : "  return " + outputs, {}});
  lines.push_back({"}", {}});
  return lines;
}

std::string print(const Schedule& schedule) {
  std::string text;
  for (const StageLine& line : schedule_lines(schedule)) text += line.text + "\n";
  return text;
}

// ---- reading -----------------------------------------------------------------------------------

namespace {

class ScheduleParser {
 public:
  ScheduleParser(std::string_view text, SourceId source) : in_(text), source_(source) {}

  Result<Schedule> parse() {
    in_.skip_lines();
    while (in_.ok() && in_.peek("kernel")) schedule_.kernels.push_back(parse_kernel(in_, source_));
    const std::vector<TensorType> results = header();
    schedule_.sizes = parse_size_facts(in_);
    while (in_.ok() && !in_.peek("return")) line();
    parse_results(in_, results, [this] {
      schedule_.outputs.push_back(tensor());
      return in_.ok() ? schedule_[schedule_.outputs.back()].type : TensorType();
    });
    if (in_.ok() && !in_.at_end()) in_.fail("expected nothing after the schedule");
    if (!in_.ok()) return in_.error();
    return std::move(schedule_);
  }

 private:
  /// Gives the types of the results.
  std::vector<TensorType> header() {
    in_.expect("schedule");
    schedule_.name = std::string(in_.word());
    if (schedule_.name.empty()) in_.fail("expected the schedule's name");
    in_.expect("(");
    while (in_.ok() && !in_.peek(")")) {
      std::string name = new_name();
      in_.expect(":");
      ScheduleTensor tensor{.name = name, .type = parse_tensor_type(in_)};
      tensor.role = ScheduleTensor::Role::kInput;
      define(std::move(tensor));
      ++schedule_.input_count;
      if (!in_.accept(",")) break;
    }
    in_.expect(")");
    return parse_result_types(in_);
  }

  void line() {
    if (in_.accept("slot"))
      slot();
    else if (in_.accept("launch"))
      launch();
    else if (in_.accept("and"))
      next_list();
    else if (in_.accept("call"))
      call();
    else if (in_.peek("%"))
      declaration();
    else
      in_.fail("expected `slot`, a tensor, `launch`, `call` or `return`");
    in_.expect_line_end();
  }

  void slot() {
    auto number = in_.number();
    if (!number || number->integer != static_cast<int64_t>(schedule_.slots.size()))
      in_.fail("slots are numbered from 0 on");
    Slot slot{parse_symint(in_)};
    in_.expect("bytes");
    in_.expect(",");
    slot.output = in_.accept("output");
    if (!slot.output) in_.expect("workspace");
    if (in_.accept(",")) {
      in_.expect("in");
      slot.input = tensor();
    }
    schedule_.slots.push_back(slot);
  }

  void declaration() {
    ScheduleTensor tensor{.name = new_name(), .type = {}};
    in_.expect("=");
    if (in_.accept("tensor")) {
      tensor.type = parse_tensor_type(in_);
      in_.expect("in");
      in_.expect("slot");
      auto number = in_.number();
      if (!number || number->integer >= static_cast<int64_t>(schedule_.slots.size()))
        in_.fail("there is no such slot");
      else
        tensor.slot = static_cast<uint32_t>(number->integer);
    } else if (in_.accept("view")) {
      tensor.role = ScheduleTensor::Role::kView;
      tensor.base = this->tensor();
      in_.expect(",");
      in_.expect("offset");
      tensor.offset = parse_symint(in_);
      in_.expect(":");
      tensor.type = parse_tensor_type(in_);
    } else if (in_.accept("constant")) {
      tensor.role = ScheduleTensor::Role::kConstant;
      std::tie(tensor.type, tensor.data) = parse_typed_constant(in_);
    } else {
      in_.fail("expected `tensor`, `view` or `constant`");
    }
    define(std::move(tensor));
  }

  void launch() {
    std::string name(in_.word());
    Launch launch;
    auto found = std::find_if(schedule_.kernels.begin(), schedule_.kernels.end(),
                              [&](const Kernel& kernel) { return kernel.name == name; });
    if (found == schedule_.kernels.end()) in_.fail(fmt::format("there is no kernel `{}`", name));
    launch.kernel = static_cast<uint32_t>(found - schedule_.kernels.begin());
    if (in_.ok()) add_list(launch);
    schedule_.steps.push_back({std::move(launch)});
  }

  void next_list() {
    auto* launch =
        schedule_.steps.empty() ? nullptr : std::get_if<Launch>(&schedule_.steps.back().kind);
    if (launch)
      add_list(*launch);
    else
      in_.fail("`and` stands behind a launch");
  }

  void add_list(Launch& launch) {
    const Kernel& kernel = schedule_.kernels[launch.kernel];
    const size_t before = launch.arguments.size();
    in_.expect("(");
    while (in_.ok() && !in_.peek(")")) {
      launch.arguments.push_back(tensor());
      if (!in_.accept(",")) break;
    }
    if (in_.ok() && launch.arguments.size() - before != kernel.parameter_count)
      in_.fail(fmt::format("`{}` takes {} tensors", kernel.name, kernel.parameter_count));
    in_.expect(")");
    const Loop* loop = kernel.whole_loop();
    if (in_.accept("for")) {
      if (!loop) in_.fail("only a kernel that is one loop runs for a part of it");
      if (loop && launch.lengths.empty())
        launch.lengths.assign(schedule_.list_count(launch) - 1, loop->extent);
      launch.lengths.push_back(parse_symint(in_));
    } else if (!launch.lengths.empty()) {
      launch.lengths.push_back(loop->extent);
    }
    // The traffic follows from the kernel.
    if (in_.ok()) in_.rest_of_line();
  }

  void call() {
    LibraryCall call;
    do {
      call.outputs.push_back(tensor());
    } while (in_.accept(","));
    in_.expect("=");
    call.target = Name(in_.word());
    if (call.target.empty()) in_.fail("expected an operator's name");
    if (!in_.peek("from") && !in_.at_line_end())
      call.arguments = parse_arguments<TensorId>(in_, [this] { return tensor(); });
    if (in_.accept("from")) {
      in_.expect("%");
      call.node = std::string(in_.word());
      call.spans = parse_origins(in_, source_);
    }
    schedule_.steps.push_back({std::move(call)});
  }

  TensorId tensor() {
    in_.expect("%");
    std::string name(in_.word());
    auto found = ids_.find(name);
    if (found != ids_.end()) return found->second;
    in_.fail(fmt::format("`%{}` is not defined before this line", name));
    return TensorId(0);
  }

  std::string new_name() {
    std::string name = parse_reference(in_);
    if (ids_.contains(name)) in_.fail(fmt::format("`%{}` is defined twice", name));
    return name;
  }

  void define(ScheduleTensor tensor) {
    if (!in_.ok()) return;
    ids_.emplace(tensor.name, TensorId(schedule_.tensors.size()));
    schedule_.tensors.push_back(std::move(tensor));
  }

  TextCursor in_;
  SourceId source_;
  Schedule schedule_;
  std::unordered_map<std::string, TensorId> ids_;
};

}  // namespace

Result<Schedule> parse_schedule(std::string_view text, SourceId origin_source) {
  return ScheduleParser(text, origin_source).parse();
}

}  // namespace glint
