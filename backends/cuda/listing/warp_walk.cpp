#include "backends/cuda/listing/warp_walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <deque>

#include "backends/cuda/compile/compile_cuda.h"
#include "backends/cuda/listing/call_listing.h"
#include "backends/cuda/listing/listing.h"
#include "backends/cuda/listing/text_lines.h"
#include "backends/cuda/simulator/shown_values.h"
#include "backends/cuda/simulator/stepper.h"
#include "core/support/interruption.h"

namespace glint::cuda {
namespace {

/// The first lanes whose registers are shown, where they are not all alike.
constexpr uint32_t kShownLanes = 4;
/// Stands for the value of a lane that did not execute the instruction.
constexpr std::string_view kInactive = "·";
/// Instructions up to which a warp's end is looked for: one that goes round in a loop for ever has
/// none.
constexpr uint64_t kMostCounted = 1'000'000;

/// Whether an instruction is where the threads meet, or leaves something where others find it.
bool is_seen_by_others(std::string_view opcode) {
  constexpr std::string_view kSeen[] = {"bar.",  "barrier.", "shfl.", "vote.",     "match.",
                                        "atom.", "red.",     "redux", "activemask"};
  if (opcode.starts_with("st."))
    return !opcode.starts_with("st.local") && !opcode.starts_with("st.param");
  return std::ranges::any_of(kSeen,
                             [&](std::string_view each) { return opcode.starts_with(each); });
}

bool is_active(uint32_t active, uint32_t lane) {
  return (active >> lane & 1u) != 0;
}

/// A line of PTX, without the braces that stand around inline assembly.
std::string_view without_braces(std::string_view line) {
  const size_t begin = std::min(line.find_first_not_of("\t {"), line.size());
  const bool is_inline = line.substr(0, begin).find('{') != std::string_view::npos;
  line = line.substr(0, line.find_last_not_of(is_inline ? "\t }" : "\t ") + 1);
  return line.substr(std::min(begin, line.size()));
}

/// Walks one warp, and says what each instruction wrote.
class Walk {
 public:
  /// `lanes`: that the warp has.
  Walk(const LoggedKernel& kernel, const simulator::Memory& memory, simulator::Stepper& stepper,
       uint32_t lanes)
      : program_(*kernel.program),
        memory_(memory),
        types_(program_),
        stepper_(stepper),
        lanes_(lanes),
        ptx_(lines_of(*kernel.ptx)),
        source_(lines_of(*kernel.source)),
        launch_ended_well_(kernel.fault.empty()) {}

  WarpWalk walk(std::string title, const WarpChoice& choice) {
    WarpWalk walk{.title = std::move(title), .first = choice.from};
    while (done_ + 1 < choice.from && goes_on()) pass();
    while (walk.steps.size() < choice.most && goes_on()) walk.steps.push_back(step());
    const uint64_t shown = done_;
    while (done_ < kMostCounted && goes_on()) pass();
    walk.all = goes_on() ? fmt::format("more than {}", done_) : std::to_string(done_);
    walk.end = end_text(choice.from, shown, walk.all);
    return walk;
  }

 private:
  bool goes_on() const {
    interruption::check();
    return stepper_.next().has_value();
  }
  void pass() {
    stepper_.step();
    ++done_;
  }

  /// What is said behind the instructions up to `shown`.
  std::string end_text(uint64_t from, uint64_t shown, std::string_view count) const {
    const std::string all = fmt::format("{} instruction{}", count, count == "1" ? "" : "s");
    std::string text;
    if (shown < from)
      text = fmt::format("there are {}", all);
    else if (shown < done_ || goes_on())
      text = fmt::format("... to {} of {}; `--from {}` goes on", shown, all, shown + 1);
    return text.empty() || !stepper_.fault() ? text + fault_text() : text + "\n" + fault_text();
  }

  /// What ended the warp; where its launch had no such end, the memory is another one by now.
  std::string fault_text() const {
    if (!stepper_.fault()) return {};
    std::string text = stepper_.fault()->text();
    text.erase(text.find_last_not_of('\n') + 1);
    if (launch_ended_well_)
      text += "\nits launch came to its end: other tensors have had that memory since";
    return text;
  }

  /// A call goes over several lines.
  std::string instruction_at(uint32_t line) const {
    std::string text(without_braces(line_at(ptx_, line)));
    while (text.find(';') == std::string::npos && ++line <= ptx_.size())
      text += fmt::format(" {}", without_braces(line_at(ptx_, line)));
    return text;
  }

  WarpStep step() {
    const uint32_t at = *stepper_.next();
    const simulator::InstructionInfo& info = program_.info[at];
    WarpStep step;
    const uint32_t line = line_in_text(program_.files, info.lines.own);
    if (line != shown_line_ && line != 0) {
      shown_line_ = line;
      step.source = fmt::format("{:>4}  {}", shown_line_, line_at(source_, shown_line_));
    }
    const std::string instruction = instruction_at(info.place.line);
    const uint32_t active = stepper_.active();
    pass();
    step.instruction = fmt::format("{:>10}  {:08x}  {:<44}{}", done_, active,
                                   without_tabs(instruction, 0), written(at, active));
    step.instruction.erase(step.instruction.find_last_not_of(' ') + 1);
    step.is_seen = active != 0 && is_seen_by_others(info.opcode);
    return step;
  }

  /// `%r3 = 0, 1, 2, 3 ... 31`, `%r4 = 8 in all`: what the instruction wrote in its lanes.
  std::string written(uint32_t at, uint32_t active) {
    const std::vector<uint32_t>& writes = program_.info[at].writes;
    std::string text;
    for (size_t i = 0; active != 0 && i < writes.size(); ++i) {
      const simulator::Register& reg = program_.registers[writes[i]];
      const simulator::Type type = types_.of(at, i);
      const simulator::Memory::Region* buffer = pointed_to(reg, type, active);
      text += fmt::format("  {} = {}", reg.name,
                          buffer ? values(reg, simulator::Type::kB64, active, " of " + buffer->name)
                                 : values(reg, type, active, ""));
    }
    return text;
  }

  /// The buffer in which, or at whose end, what the active lanes have points; null where that is
  /// none or several. Compilers add to addresses as they do to other integers, so that only a value
  /// tells.
  const simulator::Memory::Region* pointed_to(const simulator::Register& reg, simulator::Type type,
                                              uint32_t active) const {
    if (simulator::size_of(type) != 8 || simulator::info(type).kind == simulator::TypeClass::kFloat)
      return nullptr;
    const simulator::Memory::Region* buffer = nullptr;
    for (uint32_t lane = 0; lane < lanes_; ++lane) {
      if (!is_active(active, lane)) continue;
      const uint64_t bits = stepper_.bits(reg, lane);
      const simulator::Memory::Region* found = memory_.region(bits);
      const uint64_t offset = bits & ((uint64_t{1} << simulator::kRegionBits) - 1);
      if (!found || !found->bytes || offset > found->size || (buffer && found != buffer))
        return nullptr;
      buffer = found;
    }
    return buffer;
  }

  /// In the first lanes and the last, a point for one that is not active. Where all that are have
  /// one value, and where none of these is active, the lanes are named.
  std::string values(const simulator::Register& reg, simulator::Type type, uint32_t active,
                     std::string_view of) const {
    const auto in = [&](uint32_t lane) {
      return is_active(active, lane) ? simulator::value_text(stepper_.bits(reg, lane), type)
                                     : std::string(kInactive);
    };
    const auto first = static_cast<uint32_t>(std::countr_zero(active));
    bool all_alike = true;
    for (uint32_t lane = first + 1; lane < lanes_ && all_alike; ++lane)
      all_alike = !is_active(active, lane) || in(lane) == in(first);
    if (all_alike) return fmt::format("{}{}{}", in(first), of, which_lanes(active));
    const bool is_shown = first < kShownLanes || is_active(active, lanes_ - 1);
    const uint32_t begin = is_shown ? 0 : first;
    std::string text = in(begin);
    for (uint32_t lane = begin + 1; lane < std::min(begin + kShownLanes, lanes_); ++lane)
      text += ", " + in(lane);
    if (!is_shown) return fmt::format("{} ...{} from lane {} on", text, of, first);
    return fmt::format("{}{}{}", text, lanes_ <= kShownLanes ? "" : " ... " + in(lanes_ - 1), of);
  }

  /// ` in all`, ` in lane 7`, ` in 16 lanes`.
  std::string which_lanes(uint32_t active) const {
    const int count = std::popcount(active);
    if (count == static_cast<int>(lanes_)) return " in all";
    if (count == 1) return fmt::format(" in lane {}", std::countr_zero(active));
    return fmt::format(" in {} lanes", count);
  }

  const simulator::Program& program_;
  const simulator::Memory& memory_;
  simulator::ShownTypes types_;
  simulator::Stepper& stepper_;
  uint32_t lanes_;
  std::vector<std::string_view> ptx_, source_;
  bool launch_ended_well_;
  uint32_t shown_line_ = 0;
  uint64_t done_ = 0;  ///< instructions that were executed
};

bool is_gpu_real() {
  const Result<Gpu*>& gpu = open_gpu();
  return gpu && !(*gpu)->properties().is_simulated;
}

uint64_t warps_of_block(const LoggedKernel& kernel) {
  return (kernel.launch.block.total() + simulator::kLanes - 1) / simulator::kLanes;
}

/// What is said of a warp that the last launch did not have; nothing of one that it had.
std::optional<std::string> missing_warp(const LoggedKernel& kernel, uint64_t warp) {
  const uint64_t all = kernel.launch.grid.total() * warps_of_block(kernel);
  if (warp < all) return std::nullopt;
  const std::string those =
      all == 1 ? "1 warp, which is 0" : fmt::format("{} warps, 0 to {}", all, all - 1);
  return fmt::format("`--at {}`: `{}` has {}", warp, kernel.program->name, those);
}

Result<WarpWalk> walk_of(const LoggedKernel& kernel, const WarpChoice& choice) {
  const uint64_t block = choice.warp / warps_of_block(kernel);
  const auto warp = static_cast<uint32_t>(choice.warp % warps_of_block(kernel));
  std::deque<std::vector<std::byte>> bytes;
  simulator::Memory memory = simulated_memory().clone(bytes);
  for (const auto& [address, name] : kernel.launch.buffers) memory.rename(address, name);
  auto stepper =
      simulator::Stepper::make(*kernel.program, memory, kernel.launch, kernel.options, block, warp);
  if (!stepper) return stepper.error();
  const auto threads_left =
      static_cast<uint32_t>(kernel.launch.block.total() - uint64_t{warp} * simulator::kLanes);
  const uint32_t lanes = std::min(simulator::kLanes, threads_left);
  const uint32_t last = std::min(kShownLanes, lanes) - 1;
  std::string title = fmt::format(
      "{}, block {}, warp {}: line, number, active lanes, instruction, registers of lane{}",
      kernel.program->name, block, warp, last == 0 ? " 0" : fmt::format("s 0 to {}", last));
  if (lanes > kShownLanes) title += fmt::format(" and {}", lanes - 1);
  return Walk(kernel, memory, **stepper, lanes).walk(std::move(title), choice);
}

}  // namespace

std::string_view where_warps_are_walked() {
  if (is_gpu_real())
    return "a real GPU's warps cannot be walked; with GLINT_GPU=sim the same runs where they can";
  return "`:step --gpu` walks what ran there";
}

Result<WarpWalk> walk_warp(const KernelChoice& kernel, const WarpChoice& choice) {
  const std::vector<const LoggedKernel*> found = kernels_that_ran(kernel);
  if (found.empty())
    return Error{is_gpu_real() ? std::string(where_warps_are_walked()) : none_ran(kernel.name)};
  const LoggedKernel& newest = **std::ranges::max_element(found, {}, &LoggedKernel::last);
  if (auto missing = missing_warp(newest, choice.warp)) return Error{*std::move(missing)};
  return walk_of(newest, choice);
}

Result<std::vector<WarpWalk>> walk_warps(const Schedule& schedule, const ScheduleTuning* tuning,
                                         const WarpChoice& choice) {
  const ListedSchedule listed(schedule, tuning);
  const KernelCuts& cuts = listed.cuts;
  const auto compiled = compile_cuda(cuts.kernels, {.shapes = cuts.shapes});
  if (!compiled) return compiled.error();
  std::vector<const LoggedKernel*> ran;
  const auto add = [&](const std::string& entry, const std::string& source) {
    const LoggedKernel* found = kernel_that_ran(entry, source);
    if (found && std::ranges::find(ran, found) == ran.end()) ran.push_back(found);
  };
  for (const SchedulePart& part : parts_of(listed)) {
    if (part.call == nullptr)
      add((*compiled)[part.cut].entry, (*compiled)[part.cut].module->source);
    else
      for (const CallKernel& each : kernels_of_call(listed, *part.call))
        add(each.entry, each.source);
  }
  std::vector<WarpWalk> walks;
  for (const LoggedKernel* each : ran) {
    if (const auto missing = missing_warp(*each, choice.warp)) {
      walks.push_back({.title = each->program->name, .end = *missing});
      continue;
    }
    auto walk = walk_of(*each, choice);
    if (!walk) return walk.error();
    walks.push_back(std::move(*walk));
  }
  return walks;
}

}  // namespace glint::cuda
